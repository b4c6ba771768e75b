"""The figures of the bundled styles, one command each; what is compared runs side by side.

    python benchmarks/styles.py speed
    python benchmarks/styles.py tiles --photos FOLDER
    python benchmarks/styles.py weave --clip FILM --clip FILM --stroke 1 --stroke 2
    python benchmarks/styles.py flicker --clip FILM --stroke 1 --steady 0.5
    python benchmarks/styles.py losses --photos FOLDER --paintings FOLDER --features NPZ --stroke 1 --stroke 2
    python benchmarks/styles.py train --photos FOLDER --paintings FOLDER --features NPZ --rival great-wave=FILE.pt

`--style` names what is measured instead of the bundled files: .onnx files, older ones of ours as well. `--rival
PAINTING=FILE` adds somebody's network for that painting, an .onnx file, or what `train` leaves: the classic network of
Johnson et al. 2016, trained as ours are but for steadiness. `speed` builds that network with random weights.
`--stroke N` paints at an Nth of the size, as the program does. `flicker` needs opencv-python-headless for its optical
flow, `losses` and `train` framebrush[train].
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.gpu.cpu.steady import Steadier
from framebrush.gpu.steady import CENTRED
from framebrush.models.load import load_style
from framebrush.models.style import Style
from framebrush.models.training.recipes import FINER, PAINTINGS

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

    from framebrush.models.training.data import Material, read_painting, read_photos
    from framebrush.models.training.losses import Features
    from framebrush.models.training.trainer import CLASSIC, Recipe, Trainer

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    recipe = Recipe(CLASSIC, steady_weight=0, grid_weight=0, rate=1e-3, settle=0, steps=steps)
    material, features = Material.of(read_photos(folder), recipe.squares_px, device), Features.load(features_file)
    for painting in PAINTINGS:
        if painting.key not in rivals:
            continue
        own = replace(recipe, together=painting.together, content=painting.content)
        picture = read_painting(paintings / painting.file, own.painting_px, painting.crop)
        trainer = Trainer(own, picture, material, features, device)
        trainer.run(lambda state: print(f"{state.step}/{state.steps} style {state.losses['style']:.3f}", flush=True))
        torch.save(trainer.painter.state_dict(), rivals[painting.key])


def smaller(picture: Picture, stroke: int) -> Picture:
    """At an Nth of the size, by the mean, and cropped to what every style takes."""
    height, width = (side // stroke for side in picture.shape[1:])
    part = picture[:, : height * stroke, : width * stroke].reshape(3, height, stroke, width, stroke)
    return np.ascontiguousarray(cropped(part.mean((2, 4)), 8))


def film(path: Path, stroke: int, count: int, every: int) -> list[Picture]:
    """Every so many of the frames of a film, painted size."""
    frames: list[Picture] = []
    with av.open(str(path)) as container:
        for number, frame in enumerate(container.decode(video=0)):
            if number % every == 0:
                values = frame.to_ndarray(format="rgb24").transpose(2, 0, 1)
                frames.append(smaller(values.astype(np.float32) / np.float32(255), stroke))
            if len(frames) == count:
                break
    return frames


def painters(styles: list[str], rivals: dict[str, Path]) -> Iterator[tuple[str, Callable[[Picture], Picture]]]:
    """Every painting of the styles by name, and then the rivals."""
    for name in styles:
        style = load_style(name)
        prefix = "" if name in SIZES else f"{Path(name).parent.name}/"
        for n, painting in enumerate(style.card.paintings):
            yield prefix + painting, painter(style, n)
    for name, file in rivals.items():
        yield f"rival {name}", rival(file)


def weave(clips: list[Path], strokes: list[int], styles: list[str], rivals: dict[str, Path], count: int) -> None:
    """How woven frames of films come out, by `evaluate.weave`."""
    from framebrush.models.training.evaluate import weave as measure

    for stroke in strokes:
        frames = [frame for clip in clips for frame in film(clip, stroke, count, 30)]
        print(f"stroke {stroke}: the source {np.mean([measure(frame) for frame in frames]):.3f}")
        for name, paint in painters(styles, rivals):
            values = [measure(np.clip(paint(frame), 0, 1)) for frame in frames]
            print(f"stroke {stroke}  {name:28} weave {np.mean(values):.3f}", flush=True)


def steadied(frames: list[Picture], painted: list[Picture], strength: float) -> list[Picture]:
    """Paintings of a film as the filter over time leaves them, by the CPU device's own kernel."""
    width, height = frames[0].shape[2], frames[0].shape[1]
    steadier = Steadier((width, height), painted[0].shape[1] // height)
    kept = []
    for frame, painting in zip(frames, painted, strict=True):
        kept.append(steadier.allocate())
        steadier.take_source(frame, kept[-1])
        steadier.take_painting(painting, kept[-1])
    results = []
    for n, own in enumerate(kept):
        near = kept[max(0, n - CENTRED.before) : n] + kept[n + 1 : n + 1 + CENTRED.after]
        results.append(np.empty_like(own.clean))
        steadier.run(own, near, strength, results[-1])
    return results


def sharpness(painted: list[Picture]) -> float:
    """The mean difference of neighbouring pixels, in codes: what a filter over time must not blur away."""
    steps = [np.abs(np.diff(picture, axis=axis)).mean() for picture in painted for axis in (1, 2)]
    return float(np.mean(steps)) * 255


def flicker(
    clips: list[Path],
    strokes: list[int],
    styles: list[str],
    rivals: dict[str, Path],
    count: int,
    strengths: list[float],
) -> None:
    """Codes of 8 bits by which neighbouring frames differ, in pixels whose source stands still and along its motion,
    and by which neighbouring pixels do. With and without the filter over time; frames that lack neighbours are left
    out."""
    import cv2  # type: ignore[import-not-found,unused-ignore]

    from framebrush.models.training.evaluate import Flow, moving_flicker, static_flicker

    search: Any = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    for clip, stroke in itertools.product(clips, strokes):
        frames = film(clip, stroke, count, 1)
        greys = [(np.tensordot([0.299, 0.587, 0.114], frame, 1) * 255).astype(np.uint8) for frame in frames]

        def flow(first: int, second: int, greys: list[NDArray[np.uint8]] = greys) -> Flow:
            return np.asarray(search.calc(greys[first], greys[second], None))

        motions = {pair: flow(*pair) for n in range(len(frames) - 1) for pair in ((n, n + 1), (n + 1, n))}

        def known(first: int, second: int, motions: dict[tuple[int, int], Flow] = motions) -> Flow:
            return motions[first, second]

        source: tuple[str, Callable[[Picture], Picture]] = ("the source", lambda picture: picture)
        for name, paint in itertools.chain([source], painters(styles, rivals)):
            plain = [np.clip(paint(frame), 0, 1) for frame in frames]
            for strength in (0.0, *strengths):
                painted = steadied(frames, plain, strength) if strength else plain
                inner = slice(CENTRED.before, len(frames) - CENTRED.after)

                def within(first: int, second: int) -> Flow:
                    return known(first + CENTRED.before, second + CENTRED.before)

                still = static_flicker(frames[inner], painted[inner]) * 255
                moving = moving_flicker(painted[inner], within) * 255
                words = f"still {still:5.2f}  moving {moving:5.2f}  pixel to pixel {sharpness(painted[inner]):5.2f}"
                print(f"{clip.stem} stroke {stroke}  {name:28} steady {strength:.2f}  {words}", flush=True)


def losses(
    pictures: list[Picture],
    strokes: list[int],
    styles: list[str],
    rivals: dict[str, Path],
    features_file: Path,
    paintings: Path,
) -> None:
    """Content and style loss, at working sizes of the strokes."""
    import torch

    from framebrush.models.training import losses as perceptual
    from framebrush.models.training.data import read_painting
    from framebrush.models.training.trainer import Recipe

    features = perceptual.Features.load(features_file)
    recipes = {painting.key: painting for painting in PAINTINGS}
    targets: dict[str, perceptual.Target] = {}
    for name, paint in painters(styles, rivals):
        key = name.removeprefix("rival ").rpartition("/")[2].removesuffix(FINER)
        if key not in recipes:
            continue
        if key not in targets:
            shown = read_painting(paintings / recipes[key].file, Recipe().painting_px, recipes[key].crop)
            targets[key] = perceptual.Target(features, shown)
        for stroke in strokes:
            found = []
            for picture in pictures:
                frame = smaller(picture, stroke)
                painted = torch.from_numpy(np.clip(paint(frame), 0, 1).astype(np.float32))[None]
                with torch.no_grad():
                    pair = perceptual.content_and_style(
                        features, targets[key], painted, torch.from_numpy(frame)[None], 0.0
                    )
                found.append([float(value) for value in pair])
            content, brushwork = np.mean(found, 0)
            print(f"stroke {stroke}  {name:28} content {content:.3f}  style {brushwork:.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", choices=("speed", "tiles", "train", "weave", "flicker", "losses"))
    parser.add_argument("--photos", type=Path, help="photographs; but for `train`, such as were never trained on")
    parser.add_argument("--clip", type=Path, action="append", default=[], help="a film")
    parser.add_argument("--count", type=int, default=8, help="how many photographs, or frames of a film")
    parser.add_argument(
        "--stroke", type=int, action="append", help="the source is so many times as large; 1 if left out"
    )
    parser.add_argument("--style", action="append", help="a bundled file's name or an .onnx file")
    parser.add_argument("--rival", action="append", default=[], metavar="PAINTING=FILE", help="somebody's network")
    parser.add_argument("--steady", type=float, action="append", help="a strength of the filter over time, besides 0")
    parser.add_argument("--steps", type=int, default=5700, help="how long to train the classic network")
    parser.add_argument("--features", type=Path, help="VGG16 weights, see models/training/losses.py")
    parser.add_argument("--paintings", type=Path, help="the folder of the paintings learnt from")
    said = parser.parse_args()
    rivals = {name: Path(file) for name, _, file in (text.partition("=") for text in said.rival)}
    styles, strokes = said.style or list(SIZES), said.stroke or [1]
    needs = {
        "speed": [],
        "tiles": ["photos"],
        "train": ["photos", "paintings", "features"],
        "weave": ["clip"],
        "flicker": ["clip"],
        "losses": ["photos", "paintings", "features"],
    }
    for name in needs[said.figure]:
        if not getattr(said, name):
            parser.error(f"--{name} is missing")
    match said.figure:
        case "speed":
            speed()
        case "tiles":
            tiles(photos(said.photos, said.count))
        case "train":
            train(said.photos, rivals, said.features, said.paintings, said.steps)
        case "weave":
            weave(said.clip, strokes, styles, rivals, said.count)
        case "flicker":
            flicker(said.clip, strokes, styles, rivals, said.count, said.steady or [])
        case "losses":
            losses(photos(said.photos, said.count), strokes, styles, rivals, said.features, said.paintings)


if __name__ == "__main__":
    main()
