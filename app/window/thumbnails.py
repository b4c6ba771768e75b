"""The gallery's pictures: one photograph, painted by each style."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtGui import QImage

from framebrush.gpu.device import open_device
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.media.reader import Reader
from framebrush.media.video import TimeRange
from framebrush.pipeline import Pipeline
from framebrush.styles import open_style
from framebrush.window.composing import scaled, upright
from framebrush.window.style_catalog import FOLDER, THUMBNAIL

DENSEST_SCREEN = 3
QUALITY = 88
PHOTOGRAPH = FOLDER / "photograph.jpg"
"""A frame of the bundled film, in the shape of a thumbnail."""


def paint(style: str, source: Path, at: TimeRange | None = None) -> QImage:
    """The first frame of a video or picture, or of a part of it, in a style, as `open_style` takes it. Raises
    InputError, StyleError and DeviceError."""
    opened = open_style(style)
    with Reader(source, at) as reader, open_device("cpu") as device:
        info, frame = reader.info, next(reader)
        target = rgba8(info.format.width, info.format.height)
        with Pipeline(device, opened.style, info.format, target, look=Look(mix=opened.mix)) as pipeline:
            return upright(next(iter(pipeline.paint([frame]))).host.planes[0], info)


def save(image: QImage, path: Path) -> None:
    """Write an image as a thumbnail, whole or not at all. Raises OSError."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        if not scaled(image, THUMBNAIL * DENSEST_SCREEN).save(str(part), "JPEG", QUALITY):  # type: ignore[call-overload]
            raise OSError(f"{path}: cannot be written")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def paint_missing(style: Path, picture: Path) -> bool:
    """Paint a style's picture where there is none as new as the style; whether one was painted. Raises as `paint` and
    `save`."""
    if picture.is_file() and picture.stat().st_mtime_ns >= style.stat().st_mtime_ns:
        return False
    save(paint(str(style), PHOTOGRAPH), picture)
    return True
