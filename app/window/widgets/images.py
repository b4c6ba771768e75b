"""Conversion and saving of images."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QBuffer, QSize, Qt
from PySide6.QtGui import QImage, QPixmap

from framebrush.base.files import whole_file


def image_of_rgb(picture: npt.NDArray[np.uint8]) -> QImage:
    """Convert (H, W, 3) R'G'B', or with alpha (H, W, 4), to an image that owns its memory."""
    height, width, channels = picture.shape
    form = QImage.Format.Format_RGBA8888 if channels == 4 else QImage.Format.Format_RGB888
    return QImage(np.ascontiguousarray(picture).data, width, height, channels * width, form).copy()


def fitted(image: QImage, size: QSize, ratio: float) -> QPixmap:
    """Fit an image to a size in points. ratio: pixels per point."""
    scaled = image.scaled(size * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    scaled.setDevicePixelRatio(ratio)
    return QPixmap.fromImage(scaled)


def save_whole(image: QImage, target: Path, quality: int = -1, *, new: bool = False) -> None:
    """Write an image atomically, in the file extension's format. Raises OSError.

    quality: 0..100; -1 for Qt's default. new: never replace a file.
    """
    # In memory, because Qt does not notice a full disk.
    encoded = QBuffer()
    if not image.save(encoded, target.suffix[1:], quality):  # type: ignore[call-overload]
        raise OSError(0, f"{target.name} could not be encoded")
    with whole_file(target, new=new) as part:
        part.write_bytes(encoded.data().data())
