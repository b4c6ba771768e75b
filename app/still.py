"""One painted frame as a PNG, the right way up and with square pixels."""

from __future__ import annotations

import os
import tempfile
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

from app.media.reader import Reader
from app.media.video import InputError, OutputError, Position, Range
from app.session import Session
from gpu.device import Device, Tiling
from gpu.frame import rgba8
from gpu.look import Look
from models.style import Style


def paint_still(
    source: Path,
    target: Path,
    at: Position,
    *,
    style: Style,
    device: Device,
    look: Look | None = None,
    tiling: Tiling = "auto",
    max_size: int | None = None,
    overwrite: bool = False,
) -> None:
    """Paint the frame of `source` that is shown at `at` and write it to `target`, whole or not at all.

    Raises InputError where there is no such frame, OutputError where the picture cannot be written.
    """
    if target.suffix.lower() != ".png":
        raise OutputError(f"{target}: a still is written as PNG; give a name that ends in .png")
    if target.exists() and not overwrite:
        raise OutputError(f"{target} exists; give -y to overwrite it")
    if not target.parent.is_dir():
        raise OutputError(f"{target.parent}: no such folder")
    with Reader(source, Range(start=at, frames=1), max_size=max_size) as reader:
        info = reader.info
        with Session(
            device, style, info.format, rgba8(info.format.width, info.format.height), look=look, tiling=tiling
        ) as session:
            painted = next(iter(session.paint(reader)), None)
    if painted is None:
        raise InputError(f"{source}: there is no frame at that place")
    picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(painted.frame.planes[0]), format="rgba")
    width = max(1, round(picture.width * info.sample_aspect))
    square = picture.reformat(width=width, format="rgb24").to_ndarray().astype(np.uint8, copy=False)
    _write_png(np.ascontiguousarray(np.rot90(square, info.rotation_degrees // 90)), target)


def _write_png(picture: npt.NDArray[np.uint8], target: Path) -> None:
    """picture: (H, W, 3) uint8 R'G'B'."""
    frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
    codec = av.CodecContext.create("png", "w")
    assert isinstance(codec, av.VideoCodecContext)
    codec.width, codec.height, codec.pix_fmt, codec.time_base = frame.width, frame.height, "rgb24", Fraction(1)
    data = b"".join(bytes(packet) for packet in [*codec.encode(frame), *codec.encode(None)])
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.stem}.", suffix=".part", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(target)
    except OSError as error:
        raise OutputError(f"{target}: {error.strerror}") from error
