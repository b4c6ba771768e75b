"""Images of the window, of pictures in memory and for a screen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPixmap


def image_of_rgb(picture: npt.NDArray[np.uint8]) -> QImage:
    """A picture (H, W, 3) R'G'B' as an image with memory of its own."""
    height, width = picture.shape[:2]
    samples = np.ascontiguousarray(picture)
    return QImage(samples.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def fitted(image: QImage, size: QSize, ratio: float) -> QPixmap:
    """An image, as large as it may be in a size in points. ratio: the screen's pixels of a point."""
    scaled = image.scaled(size * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    scaled.setDevicePixelRatio(ratio)
    return QPixmap.fromImage(scaled)
