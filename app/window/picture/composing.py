"""Composes the view of a picture that the CPU painted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from framebrush.gpu.surface import LOUPE_FACTOR, LOUPE_RADIUS_PX, Viewport
from framebrush.media.reading.orientation import upright
from framebrush.media.video import VideoInfo
from framebrush.window.picture.geometry import Place
from framebrush.window.widgets.theme import STAGE

Pixels = npt.NDArray[np.uint8]


class Composed(NamedTuple):
    """Picture ready to draw, in physical pixels.

    x, y: upper left corner in the view. place: rectangle of the whole picture, possibly beyond the view. pair: source
    and painting side by side.
    """

    image: QImage
    x: float
    y: float
    place: Place
    pair: bool = False

    def draw(self, painter: QPainter, place: Place) -> None:
        """Draw it, scaled if the picture's rectangle has changed."""
        made_for = self.place
        across, down = place.width / made_for.width, place.height / made_for.height
        x, y = place.x + (self.x - made_for.x) * across, place.y + (self.y - made_for.y) * down
        painter.drawImage(QRectF(x, y, self.image.width() * across, self.image.height() * down), self.image)


def whole(image: QImage) -> Composed:
    """Wrap an image of a whole picture, scaled when drawn."""
    return Composed(image, 0, 0, Place(0, 0, image.width(), image.height()))


def image_of(picture: Pixels, size: QSize, *, smooth: bool = True) -> QImage:
    """Convert RGBA (H, W, 4) to an image of a size.

    Scaled by FFmpeg, because Qt would hold Python's lock and block the window's thread.
    """
    height, width = picture.shape[:2]
    source = VideoFrame(width, height, "rgb0")
    np.copyto(_rows(source), picture)
    interpolation = Interpolation.AREA if smooth else Interpolation.POINT
    made = source.reformat(size.width(), size.height(), "bgra", interpolation=interpolation, threads=1)
    image = QImage(size, QImage.Format.Format_RGB32)  # B, G, R, 255 in memory
    np.copyto(np.frombuffer(image.bits(), np.uint8).reshape(size.height(), size.width(), 4), _rows(made))
    return image


def _rows(frame: VideoFrame) -> Pixels:
    [plane] = frame.planes
    lines: Pixels = np.frombuffer(memoryview(plane), np.uint8).reshape(frame.height, plane.line_size)
    return lines[:, : 4 * frame.width].reshape(frame.height, frame.width, 4)


def in_square_pixels(picture: Pixels, info: VideoInfo) -> QImage:
    """Return RGBA (H, W, 4) of a video upright with square pixels."""
    shape = info.format.width * info.sample_aspect / info.format.height
    size = QSize(max(1, round(picture.shape[0] * shape)), picture.shape[0])
    if info.rotation_degrees % 180:
        size.transpose()
    return image_of(upright(picture, info.orientation), size)


def compose(picture: Pixels, info: VideoInfo, view: tuple[int, int], viewport: Viewport) -> Composed:
    """Compose the visible part of RGBA (H, W, 4), or of a pair (2, H, W, 4) side by side."""
    place = Place.of(info, view, viewport, picture.shape[-3])
    if picture.ndim == 3 and viewport.loupe is None:
        image, corner = part_of(upright(picture, info.orientation), place, view, smooth=viewport.smooth)
        return Composed(image, *corner, place)
    whole = QImage(*view, QImage.Format.Format_RGB32)
    whole.fill(QColor(STAGE))
    painter = QPainter(whole)
    panes = picture if picture.ndim == 4 else picture[None]
    width = view[0] // len(panes)
    for index, pane in enumerate(panes):
        left = index * width
        painter.setClipRect(left, 0, width, view[1])
        pane = upright(pane, info.orientation)
        part, (x, y) = part_of(pane, place, (width, view[1]), smooth=viewport.smooth)
        painter.drawImage(QPointF(left + x, y), part)
        if viewport.loupe is not None:
            centre = QPointF(left + viewport.loupe[0] % width, viewport.loupe[1])
            _draw_loupe(painter, pane, QPointF(left + place.x, place.y), place, centre, smooth=viewport.smooth)
    painter.end()
    return Composed(whole, 0, 0, place, pair=len(panes) > 1)


def _draw_loupe(
    painter: QPainter, picture: Pixels, corner: QPointF, place: Place, centre: QPointF, *, smooth: bool
) -> None:
    radius = QPointF(LOUPE_RADIUS_PX, LOUPE_RADIUS_PX)
    circle = QPainterPath()
    circle.addEllipse(centre, radius.x(), radius.y())
    corner = (corner - centre) * LOUPE_FACTOR + radius
    enlarged = Place(corner.x(), corner.y(), LOUPE_FACTOR * place.width, LOUPE_FACTOR * place.height)
    part, (x, y) = part_of(picture, enlarged, (2 * LOUPE_RADIUS_PX, 2 * LOUPE_RADIUS_PX), smooth=smooth)
    painter.save()
    painter.setClipPath(circle, Qt.ClipOperation.IntersectClip)
    painter.fillPath(circle, QColor(STAGE))
    painter.drawImage(centre - radius + QPointF(x, y), part)
    painter.restore()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(235, 235, 235), 2))
    painter.drawPath(circle)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # or a pair's other picture would be drawn with it


def part_of(
    picture: Pixels, place: Place, pane: tuple[int, int], *, smooth: bool
) -> tuple[QImage, tuple[float, float]]:
    """Return an upright picture's visible part, scaled, and its corner in the pane."""
    height, width = picture.shape[:2]
    across, down = place.width / width, place.height / height
    left, top = min(width - 1, max(0, int(-place.x / across))), min(height - 1, max(0, int(-place.y / down)))
    right = max(left + 1, min(width, int((pane[0] - place.x) / across) + 1))
    bottom = max(top + 1, min(height, int((pane[1] - place.y) / down) + 1))
    size = QSize(max(1, round((right - left) * across)), max(1, round((bottom - top) * down)))
    image = image_of(picture[top:bottom, left:right], size, smooth=smooth)
    return image, (place.x + left * across, place.y + top * down)
