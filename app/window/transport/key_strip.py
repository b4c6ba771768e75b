"""The strip under the seek bar: the keys of the film, which a hand moves in time, removes, and eases."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import get_args

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QApplication, QMenu, QSizePolicy, QToolTip, QWidget

from framebrush.jobs.keys import Ease
from framebrush.window.look.film_keys import KeysAt
from framebrush.window.look.key_button import diamond
from framebrush.window.styles.catalog import parts_of, words_of
from framebrush.window.transport.seekbar import SeekBar, clock
from framebrush.window.widgets.numbers import percents, shortest

HEIGHT_PX, RADIUS_PX, NEAR_PX = 16, 5.0, 8

OWN_KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
)


class KeyStrip(QWidget):
    """Hidden while the film has no keys. A diamond goes on evenly, a circle eases, a square holds.

    A click on one goes to its frame; the keys of the keyboard go from one to another, move, remove and ease them."""

    sought = Signal(int)  # the number of a frame
    moved = Signal(int, int)  # the keys at a frame, to another one
    removed = Signal(int)
    eased = Signal(int, str)

    def __init__(self, bar: SeekBar) -> None:
        """bar: above it, and as wide."""
        super().__init__()
        self._bar = bar
        self._rate: Fraction | None = None
        self._last: int | None = None  # frame
        self._names: dict[str, str] = {}
        self._keys: list[KeysAt] = []
        self._chosen: int | None = None  # the number of its frame
        self._held: int | None = None
        self._to: int | None = None  # where the one that is held is now
        self._pressed_x = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Keys"))
        self.setVisible(False)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._bar.sizeHint().width(), HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._bar.minimumSizeHint().width(), HEIGHT_PX)

    def show_film(self, rate: Fraction | None, count: int | None) -> None:
        """rate: frames a second of the film, by which its keys have their places; None where it can have none. count:
        of its frames, where that is known."""
        self._rate, self._last = rate, None if count is None else max(0, count - 1)
        self._held = self._to = None

    def show_keys(self, keys: Sequence[KeysAt], names: dict[str, str]) -> None:
        """The keys of the film. names: of what changes, for the person."""
        self._keys, self._names = list(keys), names
        if self._chosen not in [each.number for each in keys]:
            self._chosen = None
        self.setVisible(bool(keys) and self._rate is not None)
        self._tell()
        self.update()

    @property
    def chosen(self) -> KeysAt | None:
        """The keys that the keyboard acts on."""
        return next((each for each in self._keys if each.number == self._chosen), None)

    def x_of(self, number: int) -> float:
        """Where the keys of a frame are."""
        return self._bar.x_of(self._ms(number))

    def menu(self, keys: KeysAt) -> QMenu:
        """What can be done with the keys at a frame."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        titles = {
            "linear": self.tr("Evenly to the next key"),
            "ease": self.tr("Slowly at both ends"),
            "hold": self.tr("Hold until the next key"),
        }
        for ease in get_args(Ease):
            action = menu.addAction(titles[ease])
            action.setCheckable(True)
            action.setChecked(keys.ease == ease)
            action.setEnabled(ease == keys.ease or not keys.only_holds)
            action.triggered.connect(lambda _=False, ease=ease: self.eased.emit(keys.number, ease))
        menu.addSeparator()
        menu.addAction(self.tr("Remove")).triggered.connect(lambda: self.removed.emit(keys.number))
        return menu

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent, text, ground = palette.highlight().color(), palette.windowText().color(), palette.window().color()
        middle = self.height() / 2
        places = {each.number: self.x_of(each.number) for each in self._keys}
        if self._held is not None and self._to is not None:
            places[self._held] = self.x_of(self._to)
        for one, other in pairwise(self._keys):
            style = Qt.PenStyle.DotLine if one.ease == "hold" else Qt.PenStyle.SolidLine
            painter.setPen(QPen(palette.mid().color(), 2, style))
            painter.drawLine(int(places[one.number]), int(middle), int(places[other.number]), int(middle))
        for each in self._keys:
            is_chosen = each.number == self._chosen and self.hasFocus()
            painter.setPen(QPen(text if is_chosen else ground, 2 if is_chosen else 1))
            painter.setBrush(accent)
            x, radius = places[each.number], RADIUS_PX + (each.number == self._chosen)
            if each.ease == "ease":
                painter.drawEllipse(QPointF(x, middle), radius - 0.5, radius - 0.5)
            elif each.ease == "hold":
                painter.drawRect(QRectF(x - radius + 1, middle - radius + 1, 2 * radius - 2, 2 * radius - 2))
            else:
                painter.drawPolygon(diamond(x, middle, radius))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        keys = self._at(event.position().toPoint())
        if keys is not None and event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            self._choose(keys.number)
            self.setFocus(Qt.FocusReason.MouseFocusReason)  # as the keys of the keyboard are for what was clicked
            if event.button() is Qt.MouseButton.LeftButton:
                self._held = self._to = keys.number
                self._pressed_x = event.position().x()
                self.sought.emit(keys.number)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self._held is not None:
            moved = event.position().x() - self._pressed_x
            if self._to != self._held or abs(moved) >= QApplication.startDragDistance():
                self._to = self._number(self.x_of(self._held) + moved)
                self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() is not Qt.MouseButton.LeftButton or self._held is None or self._to is None:
            return
        held, to, self._held, self._to = self._held, self._to, None, None
        self._move(held, to)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            keys, place = self._at(event.pos()), event.globalPos()
        else:
            keys = self.chosen
            place = self.mapToGlobal(QPoint(round(self.x_of(keys.number)) if keys else 0, self.height()))
        if keys is not None:
            self.menu(keys).popup(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key, chosen = event.key(), self.chosen
        moves = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(key))
        if step is not None and moves and chosen is not None:
            self._move(chosen.number, self._within(chosen.number + step))
        elif step is not None and not moves:
            self._go(step)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and chosen is not None:
            following = [each.number for each in self._keys if each.number > chosen.number]
            self._chosen = min(following, default=max(each.number for each in self._keys))
            self.removed.emit(chosen.number)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and chosen is not None:
            self.menu(chosen).popup(self.mapToGlobal(QPoint(round(self.x_of(chosen.number)), self.height())))
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in OWN_KEYS:
            event.accept()  # the window's shortcuts have them otherwise
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            keys = self._at(event.pos())
            QToolTip.showText(event.globalPos(), self._words(keys) if keys is not None else "", self)
            return True
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            if self._chosen is None and self._keys:
                here = self._bar.value()
                self._choose(min(self._keys, key=lambda each: abs(self._ms(each.number) - here)).number)
            self.update()
        return super().event(event)

    def _choose(self, number: int) -> None:
        self._chosen = number
        self._tell()
        self.update()

    def _go(self, step: int) -> None:
        """Choose the next keys, or those before, and go to their frame."""
        numbers = [each.number for each in self._keys]
        here = numbers.index(self._chosen) if self._chosen in numbers else -1
        if numbers:
            self._choose(numbers[min(len(numbers) - 1, max(0, here + step))])
            assert self._chosen is not None
            self.sought.emit(self._chosen)

    def _move(self, number: int, to: int) -> None:
        if to != number:
            self._chosen = to
            self.moved.emit(number, to)
            self.sought.emit(to)
        self.update()

    def _tell(self) -> None:
        """Say which keys are chosen, to a screen reader."""
        keys = self.chosen
        words = self._words(keys) if keys is not None else ""
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def _words(self, keys: KeysAt) -> str:
        values = (f"{self._names.get(name, name)} {_said(value)}" for name, value in keys.values.items())
        return f"{clock(self._ms(keys.number) / 1000)}\n{', '.join(values)}"

    def _at(self, place: QPoint) -> KeysAt | None:
        near = [each for each in self._keys if abs(self.x_of(each.number) - place.x()) <= NEAR_PX]
        return min(near, key=lambda each: abs(self.x_of(each.number) - place.x()), default=None)

    def _ms(self, number: int) -> int:
        return round(1000 * number / self._rate) if self._rate else 0

    def _number(self, x: float) -> int:
        return self._within(round(self._bar.value_at(x) * self._rate / 1000)) if self._rate else 0

    def _within(self, number: int) -> int:
        """The nearest frame that the film has."""
        return max(0, number if self._last is None else min(number, self._last))


def _said(value: float | str) -> str:
    """A number, or paintings and their shares."""
    if not isinstance(value, str):
        return shortest(round(value, 2))
    parts = parts_of(value)
    if len(parts) == 1:
        return words_of(next(iter(parts)))
    total = sum(parts.values())
    shares = percents([weight / total for weight in parts.values()])
    return " + ".join(f"{words_of(name)} {share}" for name, share in zip(parts, shares, strict=True))
