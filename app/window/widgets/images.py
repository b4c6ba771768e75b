"""Images of the window, of pictures in memory and for a screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QBuffer, QSize, Qt
from PySide6.QtGui import QImage, QPixmap

from framebrush.base.files import whole_file


def image_of_rgb(picture: npt.NDArray[np.uint8]) -> QImage:
    """Convert a picture (H, W, 3) R'G'B' to an image that owns its memory."""
    height, width = picture.shape[:2]
    samples = np.ascontiguousarray(picture)
    return QImage(samples.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def fitted(image: QImage, size: QSize, ratio: float) -> QPixmap:
    """An image, as large as it may be in a size in points.

    Args:
        ratio: the screen's pixels of a point.
    """
    scaled = image.scaled(size * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    scaled.setDevicePixelRatio(ratio)
    return QPixmap.fromImage(scaled)


def save_whole(image: QImage, target: Path, quality: int = -1, *, new: bool = False) -> None:
    """Write an image as a file of the format that its name says, whole or not at all.

    It is encoded in memory: Qt does not notice that a disk is full.

    Args:
        quality: 0..100; -1 for Qt's own.
        new: never replace a file.

    Raises OSError.
    """
    encoded = QBuffer()
    encoded.open(QBuffer.OpenModeFlag.WriteOnly)
    if not image.save(encoded, target.suffix[1:], quality):  # type: ignore[call-overload]
        raise OSError(0, f"{target.name} could not be encoded")
    with whole_file(target, new=new) as part:
        part.write_bytes(encoded.data().data())
