"""Touch and pen: a tap plays or pauses, a sideways swipe seeks.

Qt also sends mouse events for them, which move the divider or pan.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QPointingDevice

from framebrush.window.picture.view import VideoView
from framebrush.window.state.session import Session

SWIPE_S = 60.0
"""The time that a finger seeks from one edge of the view to the other; the whole film if that is shorter."""

ONES = (QPointingDevice.PointerType.Finger, QPointingDevice.PointerType.Pen, QPointingDevice.PointerType.Eraser)


class Touch(QObject):
    """Observes touches without consuming them."""

    tapped = Signal()
    touched = Signal()  # by finger or pen
    sought = Signal(int)  # milliseconds

    def __init__(self, view: VideoView, session: Session) -> None:
        super().__init__(view)
        self._view, self._session = view, session
        self._begun: QPointF | None = None  # where it went down; None: it is up, or does something else
        self._from_s = 0.0
        self._swipes = False
        for page in view.pages:
            page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QMouseEvent) and event.pointerType() in ONES:
            self._follow(event, event.position())
        elif event.type() == QEvent.Type.Gesture:
            self._undo()
        return False

    def _undo(self) -> None:
        if self._begun is not None and self._swipes:
            self.sought.emit(round(1000 * self._from_s))
        self._begun = None

    def _follow(self, event: QMouseEvent, where: QPointF) -> None:
        match event.type():
            case QEvent.Type.MouseButtonPress | QEvent.Type.MouseButtonDblClick:
                self.touched.emit()
                self._begun = None if self._view.near_divider(where) else where
                self._from_s, self._swipes = self._session.shown_at.time_s, False
            case QEvent.Type.MouseMove if self._begun is not None:
                self._move(event, where - self._begun)
            case QEvent.Type.MouseButtonRelease:
                if self._begun is not None and not self._swipes:
                    self.tapped.emit()
                self._begun = None

    def _move(self, event: QMouseEvent, by: QPointF) -> None:
        if not self._swipes and by.manhattanLength() < QGuiApplication.styleHints().startDragDistance():
            return
        opened, finger = self._session.opened, event.pointerType() is QPointingDevice.PointerType.Finger
        can_seek = opened is not None and opened.can_seek and not opened.live
        if not self._swipes and (not finger or not can_seek or self._view.is_enlarged or abs(by.x()) < abs(by.y())):
            self._begun = None  # no longer a tap
            return
        self._swipes = True
        length_s = opened.info.duration_s if opened is not None else None
        across_s = SWIPE_S if length_s is None else min(SWIPE_S, length_s)
        at_s = max(0.0, self._from_s + by.x() / max(1, self._view.width()) * across_s)
        self.touched.emit()
        self.sought.emit(round(1000 * (at_s if length_s is None else min(at_s, length_s))))
