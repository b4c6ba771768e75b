"""The mask of the frame on the screen, as a red veil over the picture while a key is held."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QPoint, QRectF, QSize
from PySide6.QtGui import QImage, QPainter, QPaintEvent

from framebrush.playback.events import Veiled
from framebrush.window.picture.looking import Looking
from framebrush.window.picture.overlay import Overlay, Toast
from framebrush.window.picture.view import VideoView
from framebrush.window.session import Session

RED, MOST = (230, 30, 30), 0.6
"""The colour of the veil, R'G'B' of 8 bits, and its opacity where the mask is full."""


class VeilOverlay(Overlay):
    """Draws a mask where the painting is, whatever draws the painting."""

    def __init__(self, view: VideoView, above: Sequence[Overlay]) -> None:
        """above: overlays that the veil does not cover."""
        super().__init__(view)
        self._video, self._above = view, above
        self.setObjectName("veil")
        self._image = QImage()

    def show_mask(self, mask: npt.NDArray[np.uint8] | None) -> None:
        """Draw a mask (H, W), 0..255, upright; None for no veil."""
        self._image = QImage() if mask is None else _red(mask)
        self.setVisible(mask is not None)
        self.update()

    def place(self) -> None:
        """Cover the view, below the other overlays."""
        super().place()
        for other in self._above:
            if other.isVisible():
                other.raise_()

    def corner(self) -> QPoint:
        """Return the view's corner."""
        return QPoint()

    def wanted_size(self) -> QSize:
        """Return the view's size."""
        return self._video.size()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = self.painter()
        place, pane = self._video.painted.place, self._video.painted.pane
        if place is not None:
            left = 0.0 if pane is None else pane  # side by side, the painting is in the right half
            painter.setClipRect(QRectF(left, 0, self.width() - left, self.height()))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(left + place.x, place.y, place.width, place.height), self._image)


def _red(mask: npt.NDArray[np.uint8]) -> QImage:
    rgba = np.empty((*mask.shape, 4), np.uint8)
    rgba[..., :3] = RED
    rgba[..., 3] = np.rint(MOST * mask)
    height, width = mask.shape
    return QImage(rgba.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()  # owns its memory


class Veil(QObject):
    """Asks the player for masks while the key is held, and shows them."""

    def __init__(self, overlay: VeilOverlay, session: Session, looking: Looking, toast: Toast) -> None:
        super().__init__(overlay)
        self.overlay, self._toast = overlay, toast
        looking.veiled.connect(session.player.use_veil)
        session.on(Veiled, self._show)
        session.film_changed.connect(lambda _: overlay.show_mask(None))

    def _show(self, veiled: Veiled) -> None:
        self.overlay.show_mask(veiled.mask)
        if veiled.on and veiled.mask is None:
            self._toast.say(self.tr("No mask is in use here"))
