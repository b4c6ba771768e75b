"""Lane of the film's keyframes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import get_args

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu

from framebrush.jobs.keyframes import Ease
from framebrush.window.state.film_keyframes import KeysAt
from framebrush.window.styles.catalog import words_of_blend
from framebrush.window.transport.frame_strip import FrameStrip
from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.widgets.keyframe_button import diamond
from framebrush.window.widgets.numbers import shortest

HEIGHT_PX, RADIUS_PX, NEAR_PX = 16, 5.0, 8


class KeyframeStrip(FrameStrip):
    """Keyframes: a diamond is linear, a circle eased, a square held."""

    eased = Signal(int, str)
    copied = Signal(int)  # the keys at a frame
    pasted = Signal()  # at the frame on the screen

    def __init__(self, bar: SeekBar) -> None:
        hint = QCoreApplication.translate("KeyframeStrip", "Keyframes: the diamond beside a slider sets the first one")
        super().__init__(bar, HEIGHT_PX, NEAR_PX, hint)
        self._names: dict[str, str] = {}
        self.keys: dict[int, KeysAt] = {}
        self._has_copy = False
        self.setAccessibleName(self.tr("Keys"))

    def show_keys(self, keys: Sequence[KeysAt], names: dict[str, str]) -> None:
        """Show the film's keyframes. names: displayed, by value."""
        self.keys, self._names = {each.number: each for each in keys}, names
        self.show_numbers(list(self.keys))

    def fill_menu(self, menu: QMenu, number: int) -> None:
        keys = self.keys[number]
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
            action.triggered.connect(lambda _, ease=ease: self.eased.emit(number, ease))
        menu.addSeparator()
        menu.addAction(self.tr("Copy")).triggered.connect(lambda: self._copy(number))
        paste = menu.addAction(self.tr("Paste at the frame on the screen"))
        paste.setEnabled(self._has_copy)
        paste.triggered.connect(self.pasted)
        menu.addAction(self.tr("Remove")).triggered.connect(lambda: self.removed.emit(number))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            copies = self._chosen is not None and event.matches(QKeySequence.StandardKey.Copy)
            pastes = self._has_copy and event.matches(QKeySequence.StandardKey.Paste)
            event.setAccepted(copies or pastes)  # the window's shortcuts copy the picture and open files
            if event.isAccepted():
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.matches(QKeySequence.StandardKey.Copy) and self._chosen is not None:
            self._copy(self._chosen)
        elif event.matches(QKeySequence.StandardKey.Paste) and self._has_copy:
            self.pasted.emit()
        else:
            super().keyPressEvent(event)

    def _copy(self, number: int) -> None:
        self._has_copy = True
        self.copied.emit(number)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent, text, ground = palette.highlight().color(), palette.windowText().color(), palette.window().color()
        middle, places = self.height() / 2, self.places
        for one, other in pairwise(self.keys.values()):
            style = Qt.PenStyle.DotLine if one.ease == "hold" else Qt.PenStyle.SolidLine
            painter.setPen(QPen(palette.mid().color(), 2, style))
            painter.drawLine(int(places[one.number]), int(middle), int(places[other.number]), int(middle))
        for each in self.keys.values():
            is_chosen = each.number == self._chosen and self.hasFocus()
            painter.setPen(QPen(text, 2) if is_chosen else ground)
            painter.setBrush(accent)
            x, radius = places[each.number], RADIUS_PX + (each.number == self._chosen)
            if each.ease == "ease":
                painter.drawEllipse(QPointF(x, middle), radius - 0.5, radius - 0.5)
            elif each.ease == "hold":
                painter.drawRect(QRectF(x - radius + 1, middle - radius + 1, 2 * radius - 2, 2 * radius - 2))
            else:
                painter.drawPolygon(diamond(x, middle, radius))

    def words_of(self, number: int) -> str:
        values = self.keys[number].values.items()
        return ", ".join(f"{self._names.get(name, name)} {_said(value)}" for name, value in values)


def _said(value: float | str) -> str:
    return words_of_blend(value) if isinstance(value, str) else shortest(round(value, 2))
