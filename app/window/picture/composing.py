"""Composes the view of a picture that the CPU painted: upright, through the viewport, in physical pixels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QTransform

from framebrush.gpu.surface import LOUPE_FACTOR, LOUPE_RADIUS_PX, Viewport
from framebrush.media.video import VideoInfo
from framebrush.window.picture.geometry import Place
from framebrush.window.widgets.theme import STAGE

Pixels = npt.NDArray[np.uint8]


class Composed(NamedTuple):
    """image: to be drawn. x, y: position of its corner in the view. place: of the whole picture, which may extend
    beyond the view. All in physical pixels."""

    image: QImage
    x: float
    y: float
    place: Place


def upright(picture: Pixels, info: VideoInfo) -> QImage:
    """A copy of a picture (H, W, 4) RGBA, mirrored and rotated upright, with unscaled samples."""
    height, width = picture.shape[:2]
    if info.mirrored:
        picture = picture[:, ::-1]
    picture = np.ascontiguousarray(picture)
    image = QImage(picture.data, width, height, 4 * width, QImage.Format.Format_RGBX8888)
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    if info.rotation_degrees % 360:
        image = image.transformed(QTransform().rotate(-info.rotation_degrees))
    return image


def in_square_pixels(picture: Pixels, info: VideoInfo) -> QImage:
    """A picture (H, W, 4) RGBA of a video, at any size, upright and with square pixels; its height is kept."""
    shape = info.format.width * info.sample_aspect / info.format.height
    size = QSize(max(1, round(picture.shape[0] * shape)), picture.shape[0])
    if info.rotation_degrees % 180:
        size.transpose()
    return scaled(upright(picture, info), size)


def scaled(image: QImage, size: QSize, *, smooth: bool = True) -> QImage:
    """Scale an image."""
    mode = Qt.TransformationMode.SmoothTransformation if smooth else Qt.TransformationMode.FastTransformation
    return image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, mode)


def compose(picture: Pixels, info: VideoInfo, view: tuple[int, int], viewport: Viewport) -> Composed:
    """Compose what a view of this size shows of a picture (H, W, 4), or of a pair (2, H, W, 4) side by side.

    Of an enlarged picture, only the visible part is scaled.
    """
    place = Place.of(info, view, viewport, picture.shape[-3])
    if picture.ndim == 3 and viewport.loupe is None:
        image, corner = _part(upright(picture, info), place, view, smooth=viewport.smooth)
        return Composed(image, *corner, place)
    whole = QImage(*view, QImage.Format.Format_RGB32)
    whole.fill(QColor(STAGE))
    painter = QPainter(whole)
    panes = picture if picture.ndim == 4 else picture[None]
    width = view[0] // len(panes)
    for index, pane in enumerate(panes):
        left = index * width
        painter.setClipRect(left, 0, width, view[1])
        image = upright(pane, info)
        part, (x, y) = _part(image, place, (width, view[1]), smooth=viewport.smooth)
        painter.drawImage(QPointF(left + x, y), part)
        if viewport.loupe is not None:
            centre = QPointF(left + viewport.loupe[0] % width, viewport.loupe[1])
            _draw_loupe(painter, image, QPointF(left + place.x, place.y), place, centre, smooth=viewport.smooth)
    painter.end()
    return Composed(whole, 0, 0, place)


def _draw_loupe(
    painter: QPainter, image: QImage, corner: QPointF, place: Place, centre: QPointF, *, smooth: bool
) -> None:
    """Draw an enlargement of the surroundings of a point. corner: of the picture."""
    circle = QPainterPath()
    circle.addEllipse(centre, LOUPE_RADIUS_PX, LOUPE_RADIUS_PX)
    painter.save()
    painter.setClipPath(circle, Qt.ClipOperation.IntersectClip)
    painter.fillPath(circle, QColor(STAGE))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
    corner = (corner - centre) * LOUPE_FACTOR + centre
    painter.drawImage(QRectF(corner.x(), corner.y(), LOUPE_FACTOR * place.width, LOUPE_FACTOR * place.height), image)
    painter.restore()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(235, 235, 235), 2))
    painter.drawPath(circle)


def _part(image: QImage, place: Place, pane: tuple[int, int], *, smooth: bool) -> tuple[QImage, tuple[float, float]]:
    """The part of an image that is visible in a pane, scaled, and the position of its corner."""
    if place.x >= 0 and place.y >= 0:  # all of it is visible
        size = QSize(max(1, round(place.width)), max(1, round(place.height)))
        return scaled(image, size, smooth=smooth), (place.x, place.y)
    across, down = place.width / image.width(), place.height / image.height()
    left, top = max(0, int(-place.x / across)), max(0, int(-place.y / down))
    right = min(image.width(), int((pane[0] - place.x) / across) + 1)
    bottom = min(image.height(), int((pane[1] - place.y) / down) + 1)
    seen = QRect(left, top, max(1, right - left), max(1, bottom - top))
    size = QSize(max(1, round(seen.width() * across)), max(1, round(seen.height() * down)))
    return scaled(image.copy(seen), size, smooth=smooth), (place.x + left * across, place.y + top * down)
