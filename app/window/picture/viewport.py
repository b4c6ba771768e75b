"""Zoom, pan, loupe and side-by-side view."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QWidget

from framebrush.gpu.surface import MAX_ZOOM, MIN_ZOOM, Viewport
from framebrush.window.picture.notes import Notes
from framebrush.window.picture.view import VideoView
from framebrush.window.state.actions import Actions
from framebrush.window.widgets.controls import NOTCH, application
from framebrush.window.widgets.numbers import percent

STEP = 1.25
"""The zoom of a notch of the wheel, and of a key; three of them double the picture, nearly (1.95)."""
HOLD_KEYS = {Qt.Key.Key_B: "hold-source", Qt.Key.Key_V: "hold-mask"}
"""Keys of actions that last while they are held."""


class ViewControls(QObject):
    """Turns mouse and key events into a viewport.

    The wheel zooms at the pointer; the middle button, or the left in an enlarged picture, drags.
    """

    changed = Signal(object)  # a Viewport
    held = Signal(bool)  # whether to show the source
    veiled = Signal(bool)  # whether to show the mask

    def __init__(self, view: VideoView, actions: Actions, notes: Notes) -> None:
        super().__init__(view)
        self._view, self._actions, self._notes = view, actions, notes
        self.viewport = Viewport()
        self._told = {"hold-source": self.held, "hold-mask": self.veiled}
        self._holds: set[str] = set()  # actions
        self._dragged_from: QPointF | None = None
        self._pointer: QPointF | None = None  # None while it is outside
        for page in view.pages:
            page.grabGesture(Qt.GestureType.PinchGesture)  # of two fingers on a screen
            page.installEventFilter(self)  # after the view's own filter, so that this one runs first
        calls = {
            "zoom-in": lambda: self.zoom_by(STEP),
            "zoom-out": lambda: self.zoom_by(1 / STEP),
            "zoom-actual": self.switch,
        } | {name: partial(self._hold, name) for name in self._told}
        actions.connect_triggers(calls)
        for name in self._told:
            actions[name].setAutoRepeat(False)
        actions["side-by-side"].toggled.connect(lambda on: self._use(replace(self.viewport, side_by_side=on)))
        actions["pixels"].toggled.connect(lambda on: self._use(replace(self.viewport, smooth=not on)))
        actions["loupe"].toggled.connect(self._show_loupe)

    def reset(self) -> None:
        """Show the whole picture again."""
        self._use(replace(self.viewport, zoom=None, centre=(0.5, 0.5)))

    def switch(self) -> None:
        """Switch to 100 % at the pointer, or back."""
        if self.viewport.zoom == 1.0:
            self.reset()
            self._notes.say(self.tr("Whole picture"))
        else:
            self.zoom_to(1.0)

    def zoom_by(self, factor: float) -> None:
        """Zoom in or out, stopping at 100 %."""
        now = self._zoom
        wanted = now * factor
        self.zoom_to(1.0 if (now - 1.0) * (wanted - 1.0) < -1e-9 else wanted)

    def zoom_to(self, zoom: float) -> None:
        """Zoom about the pointer."""
        place, zoom = self._view.place_in(self.viewport), min(MAX_ZOOM, max(MIN_ZOOM, zoom))
        if place is None:
            return
        pane, grows = self._pane, zoom / self._zoom
        pointer = self._at
        point = QPointF(pointer.x() % pane.x(), pointer.y())
        shares = (point.x() - place.x) / place.width, (point.y() - place.y) / place.height
        offsets = (
            (point.x() - pane.x() / 2) / (place.width * grows),
            (point.y() - pane.y() / 2) / (place.height * grows),
        )
        self._use(replace(self.viewport, zoom=zoom, centre=_inside(shares[0] - offsets[0], shares[1] - offsets[1])))
        self._notes.say(percent(zoom))

    def pan(self, by: QPointF) -> None:
        """Move the picture, in logical pixels."""
        place = self._view.place_in(self.viewport)
        if place is None or self.viewport.zoom is None:
            return
        pane = self._pane
        middle = (pane.x() / 2 - place.x - by.x()) / place.width, (pane.y() / 2 - place.y - by.y()) / place.height
        self._use(replace(self.viewport, centre=_inside(*middle)))

    @property
    def _at(self) -> QPointF:
        return self._pointer or QPointF(self._pane.x() / 2, self._pane.y() / 2)

    @property
    def _pane(self) -> QPointF:
        return QPointF(max(1.0, self.viewport.pane(self._view.width())), self._view.height())

    @property
    def _zoom(self) -> float:
        now, actual = (self._view.place_in(each) for each in (self.viewport, replace(self.viewport, zoom=1.0)))
        return now.height / actual.height if now is not None and actual is not None else 1.0

    def _use(self, viewport: Viewport) -> None:
        if viewport != self.viewport:
            self.viewport = viewport
            self._view.set_viewport(viewport)
            self.changed.emit(viewport)

    def _show_loupe(self, on: bool) -> None:
        at = self._at * self._view.devicePixelRatioF()
        self._use(replace(self.viewport, loupe=(at.x(), at.y()) if on else None))

    def _hold(self, name: str) -> None:
        if name not in self._holds:
            self._holds.add(name)
            application().installEventFilter(self)
            self._told[name].emit(True)

    def _let_go(self, *names: str) -> None:
        ended = self._holds.intersection(names)
        self._holds -= ended
        if not self._holds:
            application().removeEventFilter(self)
        for name in ended:
            self._told[name].emit(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyRelease and not event.isAutoRepeat():
                self._let_go(*(name for key, name in HOLD_KEYS.items() if event.key() == key))
            return False
        if event.type() == QEvent.Type.ApplicationDeactivate:
            self._let_go(*self._holds)
        if watched not in self._view.pages:
            return False
        if event.type() == QEvent.Type.Leave:
            self._pointer = None
        if isinstance(event, QWheelEvent):
            self._pointer = event.position()
            if turned := event.angleDelta().y():  # and not sideways
                self.zoom_by(STEP ** (turned / NOTCH))
            return True
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
                self._pointer = event.position()
                self.zoom_by(1.0 + event.value())
            return False
        if isinstance(event, QGestureEvent) and isinstance(watched, QWidget):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                self._dragged_from = None  # the first finger's
                if pinch.scaleFactor() > 0:
                    self._pointer = QPointF(watched.mapFromGlobal(pinch.centerPoint().toPoint()))
                    self.zoom_to(self._zoom * pinch.scaleFactor())
            return True
        return isinstance(event, QMouseEvent) and self._mouse(event)

    def _mouse(self, event: QMouseEvent) -> bool:
        where = event.position()
        match event.type():
            case QEvent.Type.MouseMove:
                self._pointer = where
                if self._dragged_from is not None:
                    by, self._dragged_from = where - self._dragged_from, where
                    self.pan(by)
                    return True
                if self.viewport.loupe is not None:
                    self._show_loupe(True)
            case QEvent.Type.MouseButtonPress:
                left = event.button() is Qt.MouseButton.LeftButton and not self._view.near_divider(where)
                if self.viewport.zoom is not None and (left or event.button() is Qt.MouseButton.MiddleButton):
                    self._dragged_from = where
                    self._view.setCursor(Qt.CursorShape.ClosedHandCursor)
                    return True
            case QEvent.Type.MouseButtonRelease if self._dragged_from is not None:
                self._dragged_from = None
                self._view.unsetCursor()
                return True
        return False


def _inside(across: float, down: float) -> tuple[float, float]:
    return min(1.0, max(0.0, across)), min(1.0, max(0.0, down))
