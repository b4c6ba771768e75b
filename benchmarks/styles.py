"""The figures of the bundled styles, each beside the classic network in one run.

    python benchmarks/styles.py speed
    python benchmarks/styles.py tiles --photos FOLDER
    python benchmarks/styles.py train --photos FOLDER --paintings FOLDER --features NPZ --classic great-wave=FILE.pt
    python benchmarks/styles.py flicker --photos FOLDER --classic great-wave=FILE.pt
    python benchmarks/styles.py losses --photos FOLDER --paintings FOLDER --features NPZ --classic great-wave=FILE.pt
    python benchmarks/styles.py grid --photos FOLDER --paintings FOLDER

The classic network is that of Johnson et al. 2016: for `speed` built here with random weights, elsewhere trained by
`train` on what ours are trained on, for --steps of our batches (about the time that all of a realtime painting takes on
the same GPU), or an .onnx file of somebody's. All but speed and tiles need framebrush[train].
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import av
import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.models.load import load_style
from framebrush.models.style import Style
from framebrush.models.training.recipes import FINER, MARK, PAINTINGS

SIZES = ("realtime", "quality")
WIDTH_PX, HEIGHT_PX = 640, 360
Picture = NDArray[np.float32]


def session(model: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def one_of(style: Style, painting: int) -> NDArray[np.float32]:
    return np.eye(len(style.card.paintings), dtype=np.float32)[painting : painting + 1]


def cropped(picture: Picture, stride: int) -> Picture:
    height, width = (side // stride * stride for side in picture.shape[1:])
    return picture[:, :height, :width]


def painter(style: Style, painting: int = 0) -> Callable[[Picture], Picture]:
    """(3, H, W) to the same, cropped to the style's stride."""
    network = session(style.model)
    mix = {"mix": one_of(style, painting)} if len(style.card.paintings) > 1 else {}

    def paint(picture: Picture) -> Picture:
        frame = np.ascontiguousarray(cropped(picture, style.card.stride)[None])
        return np.asarray(network.run(None, {"frame": frame, **mix})[0][0])

    return paint


def classic() -> bytes:
    """The classic network with random weights: 32-64-128 channels, five residual blocks, 9x9 ends."""
    dice = np.random.default_rng(0)
    nodes: list[onnx.NodeProto] = []
    constants: list[onnx.TensorProto] = []

    def constant(value: NDArray[np.generic]) -> str:
        constants.append(numpy_helper.from_array(value, f"c{len(constants)}"))
        return constants[-1].name

    def node(kind: str, inputs: list[str], **attributes: Any) -> str:  # noqa: ANN401 - as onnx takes them
        nodes.append(helper.make_node(kind, inputs, [f"t{len(nodes)}"], **attributes))
        return str(nodes[-1].output[0])

    def conv(x: str, inputs: int, outputs: int, side: int, stride: int = 1) -> str:
        pad = side // 2
        x = node("Pad", [x, constant(np.array([0, 0, pad, pad, 0, 0, pad, pad]))], mode="reflect")
        kernel = dice.normal(0, (inputs * side * side) ** -0.5, (outputs, inputs, side, side)).astype(np.float32)
        bias = constant(np.zeros(outputs, np.float32))
        return node("Conv", [x, constant(kernel), bias], kernel_shape=[side, side], strides=[stride, stride])

    def norm(x: str, width: int) -> str:
        scale, bias = constant(np.ones(width, np.float32)), constant(np.zeros(width, np.float32))
        return node("InstanceNormalization", [x, scale, bias])

    def step(x: str, inputs: int, outputs: int, side: int, stride: int = 1) -> str:
        return node("Relu", [norm(conv(x, inputs, outputs, side, stride), outputs)])

    x = step(step(step("frame", 3, 32, 9), 32, 64, 3, 2), 64, 128, 3, 2)
    for _ in range(5):
        x = node("Add", [x, norm(conv(step(x, 128, 128, 3), 128, 128, 3), 128)])
    for inputs, outputs in ((128, 64), (64, 32)):
        doubled = constant(np.array([1, 1, 2, 2], np.float32))
        nearest = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        x = step(node("Resize", [x, "", doubled], **nearest), inputs, outputs, 3)
    conv(x, 32, 3, 9)
    nodes[-1].output[0] = "styled"
    size = [1, 3, HEIGHT_PX, WIDTH_PX]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, size) for name in ("frame", "styled")]
    graph = helper.make_graph(nodes, "classic", values[:1], values[1:], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(model.SerializeToString())


def speed(rounds: int = 5) -> None:
    """Frames of 640x360 on two threads: the fastest and the median run of each, in turns."""
    models: dict[str, tuple[bytes, NDArray[np.float32] | None]] = {"classic": (classic(), None)}
    for size in SIZES:
        style = load_style(size)
        first = one_of(style, 0)
        models[f"{size}, mix at rest"] = (style.fixed(WIDTH_PX, HEIGHT_PX, tuple(first[0].tolist())), None)
        models[f"{size}, mix moving"] = (style.fixed(WIDTH_PX, HEIGHT_PX), first)
    frame = np.random.default_rng(0).random((1, 3, HEIGHT_PX, WIDTH_PX), dtype=np.float32)
    times: dict[str, list[float]] = {name: [] for name in models}
    for _ in range(rounds):
        for name, (model, mix) in models.items():
            network = session(model)
            feed = {"frame": frame} if mix is None else {"frame": frame, "mix": mix}
            network.run(None, feed)
            for _ in range(3 if name == "classic" else 12):
                start = time.perf_counter()
                network.run(None, feed)
                times[name].append(time.perf_counter() - start)
    for name, runs in times.items():
        best, median = (pick(runs) for pick in (min, np.median))
        ratios = min(times["classic"]) / best, np.median(times["classic"]) / median
        print(f"{name:24} {best * 1e3:7.1f} ms  median {median * 1e3:7.1f} ms  x{ratios[0]:.1f}  x{ratios[1]:.1f}")


def read(path: Path) -> Picture:
    with av.open(str(path)) as container:
        frame = next(container.decode(video=0)).to_ndarray(format="rgb24")
    return np.ascontiguousarray(frame.transpose(2, 0, 1), dtype=np.float32) / np.float32(255)


def photos(folder: Path, count: int) -> list[Picture]:
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if not paths:
        raise SystemExit(f"{folder}: holds no photographs")
    return [read(path) for path in paths[:: max(1, len(paths) // count)][:count]]


def tiles(pictures: Iterable[Picture]) -> None:
    """The worst difference, in codes of 8 bits, of two overlapping tiles from the whole frame."""
    for size in SIZES:
        style = load_style(size)
        overlap = -(-(style.card.radius_px or 0) // style.card.stride) * style.card.stride
        worst = 0.0
        for painting in range(len(style.card.paintings)):
            paint = painter(style, painting)
            for picture in pictures:
                whole = paint(picture)
                middle = whole.shape[2] // 2 // style.card.stride * style.card.stride
                left = paint(picture[:, :, : middle + overlap])[:, :, :middle]
                right = paint(picture[:, :, middle - overlap :])[:, :, overlap:]
                joined = np.concatenate([left, right], 2)[:, :, : whole.shape[2]]
                worst = max(worst, float(np.abs(np.clip(joined, 0, 1) - np.clip(whole, 0, 1)).max()))
        print(f"{size:10} tiles differ by {worst * 255:.4f} codes at most")


def rival(file: Path) -> Callable[[Picture], Picture]:
    """Somebody's .onnx file, or the classic network as `train` leaves it."""
    if file.suffix == ".onnx":
        return painter(load_style(file))
    import torch

    from framebrush.models.training.classic import Classic

    network = Classic().eval()
    network.load_state_dict(torch.load(file, weights_only=True, map_location="cpu"))

    def paint(picture: Picture) -> Picture:
        with torch.no_grad():
            return np.asarray(network(torch.from_numpy(cropped(picture, 8)[None].copy()))[0].numpy())

    return paint


def train(folder: Path, rivals: dict[str, Path], features_file: Path, paintings: Path, steps: int) -> None:
    """The classic network by our recipe, less the terms that are ours: it is not asked to be steady, nor gridless."""
    import torch

    from framebrush.models.training.data import Photos, read_painting
    from framebrush.models.training.losses import Features
    from framebrush.models.training.trainer import CLASSIC, Recipe, Trainer

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    training, features = Photos(folder, device), Features.load(features_file)
    for painting in PAINTINGS:
        if painting.key not in rivals:
            continue
        weight, share = painting.styles["realtime"], painting.together
        recipe = Recipe(CLASSIC, weight, share, steady_weight=0, grid_weight=0, rate=1e-3, settle=0, steps=steps)
        picture = read_painting(paintings / painting.file, recipe.painting_px, MARK)
        trainer = Trainer(recipe, picture, training, features, device)
        trainer.run(lambda state: print(f"{state.step}/{state.steps} style {state.losses['style']:.3f}", flush=True))
        torch.save(trainer.painter.state_dict(), rivals[painting.key])


def flicker(pictures: list[Picture], rivals: dict[str, Path]) -> None:
    from framebrush.models.training.evaluate import flicker as measure

    def mean(paint: Callable[[Picture], Picture]) -> float:
        return float(np.mean([measure(paint, picture) for picture in pictures]))

    theirs = {name: mean(rival(file)) for name, file in rivals.items()}
    for size in SIZES:
        style = load_style(size)
        for n, name in enumerate(style.card.paintings):
            ours = mean(painter(style, n))
            line, key = f"{name:24} {ours * 255:6.2f} codes", name.removesuffix(FINER)
            if key in theirs:
                line += f"  classic {theirs[key] * 255:6.2f}  ratio {ours / theirs[key]:.2f}"
            print(line, flush=True)


def losses(pictures: list[Picture], rivals: dict[str, Path], features_file: Path, paintings: Path) -> None:
    import torch

    from framebrush.models.training import losses as perceptual
    from framebrush.models.training.data import read_painting
    from framebrush.models.training.trainer import Recipe

    features = perceptual.Features.load(features_file)
    files = {painting.key: painting.file for painting in PAINTINGS}

    def judge(paint: Callable[[Picture], Picture], target: perceptual.Target) -> NDArray[np.float64]:
        found = []
        for picture in pictures:
            painted = torch.from_numpy(np.clip(paint(picture), 0, 1))[None]
            photo = torch.from_numpy(picture)[None, :, : painted.shape[2], : painted.shape[3]]
            with torch.no_grad():
                pair = perceptual.content_and_style(features, target, painted, photo, 0.0)
            found.append([float(value) for value in pair])
        return np.asarray(np.mean(found, 0))

    for size in SIZES:
        style = load_style(size)
        for n, name in enumerate(style.card.paintings):
            key = name.removesuffix(FINER)
            target = perceptual.Target(features, read_painting(paintings / files[key], Recipe().painting_px, MARK))
            ours = judge(painter(style, n), target)
            line = f"{name:24} content {ours[0]:.3f}  style {ours[1]:.3f}"
            if key in rivals:
                theirs = judge(rival(rivals[key]), target)
                content, brushwork = ours / theirs
                line += f"  classic {theirs[0]:.3f} {theirs[1]:.3f}  ratios {content:.2f} {brushwork:.2f}"
            print(line, flush=True)


def grid(pictures: list[Picture], paintings: Path) -> None:
    from framebrush.models.training.data import read_painting
    from framebrush.models.training.evaluate import grid as measure
    from framebrush.models.training.trainer import Recipe

    usual = np.median([measure(cropped(picture, 8)) for picture in pictures])
    for size in SIZES:
        style = load_style(size)
        for n, painting in enumerate(PAINTINGS):
            paint = painter(style, n)
            ours = np.median([measure(np.clip(paint(picture), 0, 1)) for picture in pictures])
            shown = read_painting(paintings / painting.file, Recipe().painting_px, MARK)[0].numpy()
            own = measure(cropped(shown, 8))
            print(f"{style.card.paintings[n]:24} {ours:6.2f}  painting {own:6.2f}  photographs {usual:6.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", choices=("speed", "tiles", "train", "flicker", "losses", "grid"))
    parser.add_argument("--photos", type=Path, help="photographs; but for `train`, such as were never trained on")
    parser.add_argument("--count", type=int, default=8, help="how many of them")
    parser.add_argument(
        "--classic", action="append", default=[], metavar="PAINTING=FILE", help="a trained classic network"
    )
    parser.add_argument("--steps", type=int, default=5700, help="how long to train the classic network")
    parser.add_argument("--features", type=Path, help="VGG16 weights, see models/training/losses.py")
    parser.add_argument("--paintings", type=Path, help="the folder of the paintings learnt from")
    said = parser.parse_args()
    rivals = {name: Path(file) for name, _, file in (text.partition("=") for text in said.classic)}
    if said.figure == "speed":
        return speed()
    if not said.photos:
        parser.error("--photos is missing")
    if said.figure in ("train", "losses", "grid") and not said.paintings:
        parser.error("--paintings is missing")
    if said.figure in ("train", "losses") and not said.features:
        parser.error("--features is missing")
    if said.figure == "train":
        return train(said.photos, rivals, said.features, said.paintings, said.steps)
    pictures = photos(said.photos, said.count)
    match said.figure:
        case "tiles":
            tiles(pictures)
        case "flicker":
            flicker(pictures, rivals)
        case "losses":
            losses(pictures, rivals, said.features, said.paintings)
        case "grid":
            grid(pictures, said.paintings)
    return None


if __name__ == "__main__":
    main()
