"""Base of timeline lanes with marks at frames."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QSizePolicy, QToolTip, QWidget

from framebrush.window.transport.axis import MARGIN_PX
from framebrush.window.transport.seekbar import SeekBar, clock
from framebrush.window.widgets.controls import shrink

BESIDE_PX = 4  # of a hint, from the line at the first frame

OWN_KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
)


class FrameStrip(QWidget):
    """Lane of marks such as keyframes. Subclasses draw them.

    A click on a mark goes to its frame; a drag moves it, and snaps without Shift. Keys do the same.
    """

    movable = True
    """Whether marks can be moved to other frames."""

    sought = Signal(int)  # the number of a frame
    dragged = Signal(int, int)  # like moved, until the button is released
    moved = Signal(int, int)  # from one frame to another
    removed = Signal(int)

    def __init__(self, bar: SeekBar, height_px: int, near_px: int, hint: str) -> None:
        """Create a strip.

        near_px: distance from a mark within which a click counts. hint: shown without marks.
        """
        super().__init__()
        self._bar, self._height_px, self._near_px, self._hint = bar, height_px, near_px, hint
        self._rate: Fraction | None = None
        self._last: int | None = None  # frame
        self._numbers: list[int] = []
        self._chosen: int | None = None  # the number of its frame
        self._held: int | None = None
        self._to: int | None = None  # current frame of the dragged mark
        self._pressed_x = 0.0
        bar.axis.changed.connect(self.update)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        shrink(self)

    def menu(self, number: int) -> QMenu:
        """Return the menu of a frame's mark."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu, number)
        return menu

    @abstractmethod
    def fill_menu(self, menu: QMenu, number: int) -> None:
        """Add the actions for a frame's mark."""

    @abstractmethod
    def words_of(self, number: int) -> str:
        """Describe a frame's mark for tooltips and screen readers."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._bar.sizeHint().width(), self._height_px)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._bar.minimumSizeHint().width(), self._height_px)

    def show_film(self, rate: Fraction | None, count: int | None) -> None:
        """Show a film's scale. rate: None if it cannot have marks."""
        self._rate, self._last = rate, None if count is None else max(0, count - 1)
        self._held = self._to = None
        self._refresh()

    def show_numbers(self, numbers: Sequence[int]) -> None:
        """Set the frames with marks, in order."""
        self._numbers = list(numbers)
        if self._chosen not in self._numbers:
            self._chosen = None
        self._refresh()

    def _refresh(self) -> None:
        self._bar.axis.set_snaps(self, map(self._ms, self._numbers))
        if self._numbers and self._rate is not None:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        else:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.clearFocus()
        self._tell()
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._numbers or self._rate is None:
            return
        painter, lane = QPainter(self), self.rect().adjusted(MARGIN_PX + BESIDE_PX, 0, -MARGIN_PX, 0)
        painter.setPen(self.palette().placeholderText().color())
        text = painter.fontMetrics().elidedText(self._hint, Qt.TextElideMode.ElideRight, lane.width())
        painter.drawText(lane, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def x_of(self, number: int) -> float:
        """Return a frame's position."""
        return self._bar.x_of(self._ms(number))

    @property
    def places(self) -> dict[int, float]:
        """Position of each mark by frame, also during a drag."""
        places = {number: self.x_of(number) for number in self._numbers}
        if self._held is not None and self._to is not None:
            places[self._held] = self.x_of(self._to)
        return places

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        number = self._at(event.position().toPoint())
        if number is not None and event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            self._choose(number)
            self.setFocus(Qt.FocusReason.MouseFocusReason)  # keyboard shortcuts are for the clicked strip
            if event.button() is Qt.MouseButton.LeftButton:
                self._held = self._to = number
                self._pressed_x = event.position().x()
                self.sought.emit(number)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self._held is not None and self.movable:
            moved = event.position().x() - self._pressed_x
            if self._to != self._held or abs(moved) >= QApplication.startDragDistance():
                snaps = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                self._to = self._number(self.x_of(self._held) + moved, snaps=snaps)
                self.dragged.emit(self._held, self._to)
                self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() is not Qt.MouseButton.LeftButton or self._held is None or self._to is None:
            return
        held, to, self._held, self._to = self._held, self._to, None, None
        self.dragged.emit(held, held)
        self._move(held, to)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            number = self._at(event.pos())
            if number is not None:
                self.menu(number).popup(event.globalPos())
        elif self._chosen is not None:
            self._show_menu(self._chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key, chosen = event.key(), self._chosen
        moves = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(key))
        if step is not None and moves and chosen is not None:
            self._move(chosen, self._within(chosen + step))
        elif step is not None and not moves:
            self._go(step)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and chosen is not None:
            following = [number for number in self._numbers if number > chosen]
            self._chosen = min(following, default=max(self._numbers))
            self.removed.emit(chosen)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and chosen is not None:
            self._show_menu(chosen)
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in OWN_KEYS:
            event.accept()  # the window's shortcuts have them otherwise
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            number = self._at(event.pos())
            hint = "" if self._numbers or self._rate is None else self._hint  # the hint may be elided
            QToolTip.showText(event.globalPos(), self._words(number) if number is not None else hint, self)
            return True
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            if self._chosen is None and self._numbers:
                here = self._bar.value()
                self._choose(min(self._numbers, key=lambda number: abs(self._ms(number) - here)))
            self.update()
        return super().event(event)

    def _show_menu(self, number: int) -> None:
        if number in self._numbers:  # and not still on its way there
            self.menu(number).popup(self.mapToGlobal(QPoint(round(self.x_of(number)), self.height())))

    def _choose(self, number: int) -> None:
        self._chosen = number
        self._tell()
        self.update()

    def _go(self, step: int) -> None:
        numbers = self._numbers
        here = numbers.index(self._chosen) if self._chosen in numbers else -1
        if numbers:
            self._choose(numbers[min(len(numbers) - 1, max(0, here + step))])
            assert self._chosen is not None
            self.sought.emit(self._chosen)

    def _move(self, number: int, to: int) -> None:
        if to != number and self.movable:
            self._chosen = to
            self.moved.emit(number, to)
            self.sought.emit(to)
        self.update()

    def _tell(self) -> None:
        words = self._words(self._chosen) if self._chosen is not None else "" if self._numbers else self._hint
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def _words(self, number: int) -> str:
        return f"{clock(self._ms(number) / 1000)}\n{self.words_of(number)}"

    def _at(self, place: QPoint) -> int | None:
        near = [number for number in self._numbers if abs(self.x_of(number) - place.x()) <= self._near_px]
        return min(near, key=lambda number: abs(self.x_of(number) - place.x()), default=None)

    def _ms(self, number: int) -> int:
        return round(1000 * number / self._rate) if self._rate else 0

    def _number(self, x: float, *, snaps: bool) -> int:
        ms, own = self._bar.value_at(x), self._held
        if snaps:
            ms = self._bar.axis.snapped(ms, self.width(), () if own is None else (self._ms(own),))
        return self._within(round(ms * self._rate / 1000)) if self._rate else 0

    def _within(self, number: int) -> int:
        return max(0, number if self._last is None else min(number, self._last))
