"""Mask of the current frame as a red veil."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPolygonF

from framebrush.playback.events import Veiled
from framebrush.window.picture.notes import Notes
from framebrush.window.picture.overlay import Cover, Overlay
from framebrush.window.picture.view import VideoView
from framebrush.window.picture.viewport import ViewControls
from framebrush.window.state.session import Session
from framebrush.window.widgets.images import image_of_rgb

RED, MOST = (230, 30, 30), 0.6
"""The colour of the veil, R'G'B' of 8 bits, and its opacity where the mask is full."""


@dataclass(frozen=True, slots=True)
class Brush:
    """State of the brush that corrects a mask.

    pointer: in the view; None while outside. radius: as a share of the picture's width. line: stroke in progress, in
    shares of the picture's size.
    """

    pointer: QPointF | None
    radius: float
    line: tuple[QPointF, ...]
    adds: bool


class VeilOverlay(Cover):
    """Draws a mask, and the brush that corrects it."""

    def __init__(self, view: VideoView, above: Sequence[Overlay]) -> None:
        super().__init__(view, above)
        self._video = view
        self.setObjectName("veil")
        self._image = QImage()
        self._brush: Brush | None = None
        self._unseen: list[Brush] = []  # strokes that no mask has yet

    def show_mask(self, mask: npt.NDArray[np.uint8] | None) -> None:
        """Draw an upright mask (H, W), 0..255, or no veil."""
        self._image = QImage() if mask is None else _red(mask)
        self._unseen.clear()
        self.setVisible(mask is not None or self._brush is not None)
        self.update()

    def show_brush(self, brush: Brush | None) -> None:
        """Draw the brush. A finished stroke stays until the next mask."""
        former = self._brush
        if former is not None and former.line and not (brush is not None and brush.line):
            self._unseen.append(former)
        self._brush = brush
        self.setVisible(brush is not None or not self._image.isNull())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = self.painter()
        place, pane = self._video.painted.place, self._video.painted.pane
        if place is not None:
            left = 0.0 if pane is None else pane  # side by side, the painting is in the right half
            painter.setClipRect(QRectF(left, 0, self.width() - left, self.height()))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            picture = QRectF(left + place.x, place.y, place.width, place.height)
            painter.drawImage(picture, self._image)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for brush in self._unseen:
                _draw_line(painter, picture, brush)
            if self._brush is not None:
                _draw_line(painter, picture, self._brush)
                _draw_brush(painter, picture, self._brush)


def _red(mask: npt.NDArray[np.uint8]) -> QImage:
    rgba = np.empty((*mask.shape, 4), np.uint8)
    rgba[..., :3] = RED
    rgba[..., 3] = np.rint(MOST * mask)
    return image_of_rgb(rgba)


def _draw_line(painter: QPainter, picture: QRectF, brush: Brush) -> None:
    colour = QColor(*RED) if brush.adds else QColor(128, 128, 128)
    colour.setAlphaF(MOST)
    pen = QPen(colour, 2 * brush.radius * picture.width())
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    line = [picture.topLeft() + QPointF(at.x() * picture.width(), at.y() * picture.height()) for at in brush.line]
    if len(line) == 1:
        painter.drawPoint(line[0])
    else:
        painter.drawPolyline(QPolygonF(line))


def _draw_brush(painter: QPainter, picture: QRectF, brush: Brush) -> None:
    if brush.pointer is None:
        return
    radius = brush.radius * picture.width()
    inner = Qt.PenStyle.SolidLine if brush.adds else Qt.PenStyle.DashLine
    for colour, width, style in ((QColor(0, 0, 0, 110), 3.0, Qt.PenStyle.SolidLine), (QColor("white"), 1.5, inner)):
        painter.setPen(QPen(colour, width, style))
        painter.drawEllipse(brush.pointer, radius, radius)


class Veil(QObject):
    """Requests and shows masks while a key is held or the brush used."""

    def __init__(self, overlay: VeilOverlay, session: Session, looking: ViewControls, notes: Notes) -> None:
        super().__init__(overlay)
        self.overlay, self._notes, self._player = overlay, notes, session.player
        self._is_held = self._is_painted = False
        looking.veiled.connect(self._hold)
        session.events.on(Veiled, self._show)
        session.film_changed.connect(lambda _: overlay.show_mask(None))

    def paint(self, *, on: bool) -> None:
        """Show the mask while it is corrected."""
        before, self._is_painted = self._is_held or self._is_painted, on
        self._ask(before=before)

    def _hold(self, on: bool) -> None:
        before, self._is_held = self._is_held or self._is_painted, on
        self._ask(before=before)

    def _ask(self, *, before: bool) -> None:
        now = self._is_held or self._is_painted
        if now != before:
            self._player.use_veil(now)

    def _show(self, veiled: Veiled) -> None:
        self.overlay.show_mask(veiled.mask)
        if veiled.on and veiled.mask is None and not self._is_painted:
            self._notes.say(self.tr("No mask is in use here"))
