"""The brush that corrects the mask."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPointingDevice

from framebrush.jobs.keyframes import most
from framebrush.subject.corrections import MOST_POINTS, Kind, Stroke
from framebrush.window.painted.mask_corrections import MaskStrokes
from framebrush.window.picture.mask_tools import MaskTools
from framebrush.window.picture.notes import Notes
from framebrush.window.picture.veil import Brush, Veil
from framebrush.window.picture.view import VideoView
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session

SPACING = 0.2
"""Least distance of a stroke's points, in radii."""


class MaskBrush(QObject):
    """Turns the mouse into strokes, before other uses of the mouse.

    Ctrl, or the eraser of a pen, paints the opposite.
    """

    def __init__(
        self,
        view: VideoView,
        actions: Actions,
        session: Session,
        strokes: MaskStrokes,
        tools: MaskTools,
        veil: Veil,
        notes: Notes,
    ) -> None:
        super().__init__(view)
        self._view, self._actions, self._session, self._strokes = view, actions, session, strokes
        self._tools, self._veil, self._notes = tools, veil, notes
        self.is_on = False
        """Whether the mouse paints."""
        self._begun: tuple[int, Kind] | None = None  # frame and kind of the stroke that is being painted
        self._adds = True  # whether it reddens the veil
        self._points: list[tuple[float, float]] = []
        self._action = actions["mask-brush"]
        self._action.toggled.connect(self._turn)
        actions["mask-clear"].triggered.connect(strokes.clear)
        tools.diameter.slider.valueChanged.connect(lambda _: self._show())
        for page in view.pages:
            page.installEventFilter(self)
        strokes.found.connect(self._enable)
        session.changed.connect(self._enable)
        session.film_changed.connect(self._enable)
        self._enable()

    def leave(self) -> None:
        """Put the brush away."""
        self._action.setChecked(False)

    def _enable(self, *_: object) -> None:
        can = self._strokes.can_paint
        self._action.setEnabled(can)
        self._actions["mask-clear"].setEnabled(can and bool(self._session.choice.corrections))
        if not can:
            self.leave()

    def _turn(self, on: bool) -> None:
        self.is_on = on
        if on:
            self._session.player.play(False)
            if self._kind(opposite=False) is None:
                self._notes.say(self.tr("Nothing is painted apart yet: choose it under Subject"))
        self._begun = None
        self._veil.paint(on=on)
        for page in self._view.pages:
            page.setMouseTracking(True)
            if on:
                page.setCursor(Qt.CursorShape.CrossCursor)
            else:
                page.unsetCursor()
        self._show()

    def _kind(self, *, opposite: bool) -> Kind | None:
        session = self._session
        look = most(session.choice.look, session.keys).of(session.card)
        adds = self._adds_by_hand != opposite
        if look.needs_area:
            return "area" if adds != session.choice.sizes.mask_invert else "remove"
        return ("faces" if adds else "remove") if look.needs_masks else None

    @property
    def _adds_by_hand(self) -> bool:
        return not self._actions["mask-remove"].isChecked()

    @property
    def _radius(self) -> float:
        return max(0.5, 0.5 * self._tools.diameter.value * min(self._strokes.size))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if not self.is_on or watched not in self._view.pages:
            return False
        if event.type() == QEvent.Type.Leave:
            self._show()
        return isinstance(event, QMouseEvent) and self._mouse(event)

    def _mouse(self, event: QMouseEvent) -> bool:
        where, left = event.position(), event.button() is Qt.MouseButton.LeftButton
        match event.type():
            case QEvent.Type.MouseButtonPress | QEvent.Type.MouseButtonDblClick if left:
                self._begin(event)
            case QEvent.Type.MouseMove if self._begun is not None:
                self._add(where)
            case QEvent.Type.MouseButtonRelease if left:
                if self._begun is not None:
                    self._add(where)
                    self._end()
            case QEvent.Type.MouseMove:
                self._show(where)
                return False
            case _:
                return False
        self._show(where)
        return True

    def _begin(self, event: QMouseEvent) -> None:
        if self._actions["play"].isChecked():
            self._session.player.play(False)
            return
        is_eraser = event.pointerType() is QPointingDevice.PointerType.Eraser
        opposite = is_eraser or bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        kind, self._adds = self._kind(opposite=opposite), self._adds_by_hand != opposite
        if kind is None:
            self._notes.say(self.tr("Nothing is painted apart yet: choose it under Subject"))
            return
        self._begun, self._points = (self._session.shown_at.number, kind), []
        self._add(event.position())

    def _add(self, where: QPointF) -> None:
        point = self._in_frame(where)
        if point is None:
            return
        if self._points:
            (u, v), (x, y) = self._points[-1], point
            if (u - x) ** 2 + (v - y) ** 2 < (SPACING * self._radius) ** 2:
                return
        if len(self._points) == MOST_POINTS:
            self._points = self._points[::2]
        self._points.append(point)

    def _end(self) -> None:
        begun, points = self._begun, tuple(self._points)
        self._begun, self._points = None, []
        if begun is not None and points and self._strokes.can_paint:
            number, kind = begun
            self._strokes.add(Stroke(number, kind, round(self._radius, 1), points))

    def _in_frame(self, where: QPointF) -> tuple[float, float] | None:
        place = self._view.painted.place
        if place is None:
            return None
        width, height = self._strokes.size
        pane = self._view.painted.pane  # side by side, both halves can be painted on
        across = ((where.x() if pane is None else where.x() % pane) - place.x) / place.width
        down = (where.y() - place.y) / place.height
        near = (min(2.0, max(-1.0, share)) for share in (across, down))
        u, v = next(near) * width, next(near) * height
        return round(u, 1), round(v, 1)

    def _show(self, pointer: QPointF | None = None) -> None:
        if not self.is_on:
            self._veil.overlay.show_brush(None)
            return
        adds = self._adds_by_hand if self._begun is None else self._adds
        width, height = self._strokes.size
        line = tuple(QPointF(u / width, v / height) for u, v in self._points)
        self._veil.overlay.show_brush(Brush(pointer, self._radius / width, line, adds=adds))
