"""Optional waveform and vectorscope."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRectF, QSize, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from framebrush.base.worker_thread import EndingWorkers, LatestWorker
from framebrush.media.reading.orientation import upright
from framebrush.media.video import VideoInfo
from framebrush.playback.events import Shown
from framebrush.window.picture.bridge import PictureBox
from framebrush.window.picture.overlay import Overlay
from framebrush.window.picture.scope_drawing import COLUMNS, LEVELS, SIDE, Pixels, vectorscope, waveform
from framebrush.window.picture.view import VideoView
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.images import image_of_rgb
from framebrush.window.widgets.theme import SPACE

EVERY_S = 0.1
"""The shortest interval between two drawings; twice that if a device has to read the picture back."""

MOST_PX = (512, 288)
"""The most columns and rows of a picture that are analysed; they are evenly spaced."""

WHOLE = QSize(COLUMNS + SIDE + 3 * SPACE, max(LEVELS, SIDE) + 2 * SPACE)
WIDEST = 0.5
"""The largest share of the view's width that the scopes take."""

NARROWEST_PX = 120
"""In which something is seen at all."""


class ScopePainter(LatestWorker[Pixels]):
    """Draws the scopes of the latest picture in a thread."""

    def __init__(self, on_drawn: Callable[[Pixels, Pixels], None]) -> None:
        """Start. on_drawn: receives waveform and vectorscope, in its thread."""
        self._on_drawn = on_drawn
        super().__init__("scopes")

    def put(self, picture: Pixels, info: VideoInfo) -> None:
        """Analyse a picture (H, W, 4), or a pair's painting, from the player's thread."""
        painting = picture[-1] if picture.ndim == 4 else picture
        step = max(1, *(-(-side // most) for side, most in zip(painting.shape[1::-1], MOST_PX, strict=True)))
        part = painting[::step, ::step, :3].copy()
        self.request(upright(part, info.orientation))

    def _run(self) -> None:
        for picture in self._requests():
            self._on_drawn(waveform(picture), vectorscope(picture))
            with self._changed:
                self._changed.wait_for(lambda: self._ended, EVERY_S)


class ScopeOverlay(Overlay):
    """Waveform and vectorscope in the upper right corner."""

    def __init__(self, view: VideoView, left: QWidget) -> None:
        super().__init__(view)
        self._left = left
        left.installEventFilter(self)
        self.setObjectName("figures")
        self.setAccessibleName(self.tr("Waveform and vectorscope"))
        self.images: tuple[QImage, ...] = ()

    def show_drawn(self, *drawn: Pixels) -> None:
        self.images = tuple(image_of_rgb(each) for each in drawn)
        self.update()

    @property
    def _room(self) -> int:
        taken = 2 * SPACE + self._left.width() if self._left.isVisible() else 0
        return self._view.width() - taken - 2 * SPACE

    def wanted_size(self) -> QSize:
        room = min(WIDEST * self._view.width(), self._room)
        return WHOLE * min(1.0, max(room, NARROWEST_PX) / WHOLE.width())

    def corner(self) -> QPoint:
        """Return the corner, in a narrow view below the left-hand overlays."""
        size, view, top = self.wanted_size(), self._view.size(), SPACE
        if self._room < size.width():
            below = self._left.y() if not self._left.isWindow() else self._view.mapFromGlobal(self._left.pos()).y()
            top = max(SPACE, min(below + self._left.height() + SPACE, view.height() - size.height() - SPACE))
        return QPoint(view.width() - size.width() - SPACE, top)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        painter = QPainter(self)
        painter.scale(self.width() / WHOLE.width(), self.height() / WHOLE.height())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        left = SPACE
        for image in self.images:
            painter.drawImage(QRectF(left, SPACE, image.width(), image.height()), image)
            left += image.width() + SPACE


class Scopes(QObject):
    """Shows the scopes, drawn by a thread, while the action is checked."""

    _drawn = Signal(object, object)

    def __init__(self, view: VideoView, actions: Actions, session: Session, box: PictureBox, left: QWidget) -> None:
        super().__init__(view)
        self.overlay = ScopeOverlay(view, left)
        self._view, self._session, self._box = view, session, box
        self._painter: ScopePainter | None = None
        self._ending = EndingWorkers()
        self._on_gpu = False
        self._rest = Debounce(round(2000 * EVERY_S), self._ask, self)
        self._drawn.connect(self._show)
        actions["scopes"].toggled.connect(self._turn)
        session.changed.connect(self._touch)
        session.events.on(Shown, lambda _: self._touch())
        session.film_changed.connect(lambda opened: self._open(opened.info if opened is not None else None))

    def show_device(self, *, on_gpu: bool) -> None:
        """Follow the device. on_gpu: pictures arrive only on request."""
        self._on_gpu = on_gpu
        self._touch()

    def _touch(self) -> None:
        if self._painter is not None and self._on_gpu and not self._rest.isActive():
            self._rest.start()

    def _open(self, info: VideoInfo | None) -> None:
        self.overlay.show_drawn()
        self.overlay.setVisible(info is not None and self._painter is not None)

    def close(self, *, wait: bool = False) -> None:
        self._rest.stop()
        self._box.watch = None
        self._ending.end(self._painter, wait=wait)
        self._painter = None

    def _turn(self, on: bool) -> None:
        self.close()
        if on:
            self._painter = ScopePainter(self._drawn.emit)
            self._box.watch = self._painter.put
            self._touch()
            self._view.follow()  # to present a still picture again
        self._open(self._box.info)

    def _ask(self) -> None:
        if self._painter is not None:
            self._session.player.lend_picture(self._painter.put)

    def _show(self, *drawn: Pixels) -> None:
        if self._painter is not None and self._box.info is not None:
            self.overlay.show_drawn(*drawn)
