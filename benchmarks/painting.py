"""Paintings and rival networks for the benchmarks of styles, and their input frames."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import onnxruntime
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style

SIZES = ("realtime", "quality")
Picture = NDArray[np.float32]
"""(3, H, W), encoded R'G'B' 0..1."""


def session(model: bytes, threads: int = 2) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def psnr(one: NDArray[Any], other: NDArray[Any], top: float = 1.0) -> float:
    """Return the PSNR of pictures of 0..top in dB."""
    apart = np.clip(one, 0, top).astype(np.float64) - np.clip(other, 0, top)
    error = float(np.mean(apart**2)) / top**2
    return -10.0 * math.log10(error) if error else math.inf


def one_of(style: Style, painting: int) -> NDArray[np.float32]:
    return np.eye(len(style.card.paintings), dtype=np.float32)[painting : painting + 1]


def cropped(picture: Picture, stride: int) -> Picture:
    height, width = (side // stride * stride for side in picture.shape[1:])
    return picture[:, :height, :width]


def painter(style: Style, painting: int = 0) -> Callable[[Picture], Picture]:
    """Return a function from (3, H, W) to (3, H, W), cropped to the style's stride."""
    network = session(style.model)
    mix = {"mix": one_of(style, painting)} if len(style.card.paintings) > 1 else {}

    def paint(picture: Picture) -> Picture:
        frame = np.ascontiguousarray(cropped(picture, style.card.stride)[None])
        return np.asarray(network.run(None, {"frame": frame, **mix})[0][0])

    return paint


def read(path: Path) -> Picture:
    with av.open(str(path)) as container:
        frame = next(container.decode(video=0)).to_ndarray(format="rgb24")
    return np.ascontiguousarray(frame.transpose(2, 0, 1), dtype=np.float32) / np.float32(255)


def photos(folder: Path, count: int) -> list[Picture]:
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if not paths:
        raise SystemExit(f"{folder}: holds no photographs")
    return [read(path) for path in paths[:: max(1, len(paths) // count)][:count]]


def rival(file: Path) -> Callable[[Picture], Picture]:
    """Load a third-party .onnx file, or the classic network as saved by `train`."""
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


def smaller(picture: Picture, stroke: int) -> Picture:
    """Reduce to 1/stroke of the size by averaging, cropped to a multiple of all strides."""
    height, width = (side // stroke for side in picture.shape[1:])
    part = picture[:, : height * stroke, : width * stroke].reshape(3, height, stroke, width, stroke)
    return np.ascontiguousarray(cropped(part.mean((2, 4)), 8))


def film(path: Path, stroke: int, count: int, every: int) -> list[Picture]:
    """Return every `every`-th frame of a film at painted size."""
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
    """Yield each painting of the styles by name, then the rivals."""
    for name in styles:
        style = load_style(name)
        prefix = "" if name in SIZES else f"{Path(name).parent.name}/"
        for n, painting in enumerate(style.card.paintings):
            yield prefix + painting, painter(style, n)
    for name, file in rivals.items():
        yield f"rival {name}", rival(file)
