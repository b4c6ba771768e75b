"""Field for a time, timecode or frame."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QVBoxLayout, QWidget

from framebrush.media.reading.position import parse_position
from framebrush.media.reading.timecode import Timecode
from framebrush.media.video import Position
from framebrush.window.transport.seekbar import clock
from framebrush.window.widgets.box_layouts import above, fill
from framebrush.window.widgets.controls import faint
from framebrush.window.widgets.theme import SPACE

FARTHEST = Fraction(1 << 31)
"""Limit for seconds and frames: a position after the end of a film means its last frame, and decoders cannot count
farther."""

MOST_LETTERS = 24


class GoTo(QFrame):
    """Small window that shows how it reads the text."""

    asked = Signal(object)  # a Position

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self._rate: Fraction | None = None
        self._start: Timecode | None = None
        self._count: int | None = None
        self._takes_frames = False
        self.field = QLineEdit(maxLength=MOST_LETTERS)
        self.field.setAccessibleName(self.tr("Go to"))
        self.understood = QLabel()
        hint = faint(self.tr("12.5, 1:02:03.5, 00:01:02:03 or 123f"))
        hint.setWordWrap(False)
        hint.setToolTip(self.tr("Seconds, h:mm:ss, a timecode of the film or from the first frame, or a frame number"))
        self.field.setAccessibleDescription(hint.toolTip())
        fill(QVBoxLayout(self), self.field, self.understood, hint, around=SPACE, between=SPACE // 2)
        self.field.textChanged.connect(self._say)
        self.field.returnPressed.connect(self._go)

    def show_film(self, rate: Fraction | None, start: Timecode | None, count: int | None) -> None:
        """Set how timecodes of the open film count."""
        self._rate, self._start, self._count = rate, start, count
        self.hide()

    def ask(self, widget: QWidget, text: str, *, takes_frames: bool) -> None:
        """Show the field above a widget. takes_frames: plain numbers are frame numbers."""
        self._takes_frames = takes_frames
        self.field.setText(text)
        self._say()
        self.field.selectAll()
        self.ensurePolished()
        self.setGeometry(above(widget, self.sizeHint()))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def _position(self) -> Position | None:
        text = self.field.text().strip()
        if self._takes_frames and text.isascii() and text.isdecimal():
            text += "f"
        try:
            found = parse_position(text, self._rate, self._start, self._count)
        except ValueError:
            return None
        return replace(found, value=min(found.value, FARTHEST))

    def _say(self) -> None:
        found = self._position
        if found is None:
            text = self.tr("This is not a position in a film.") if self.field.text().strip() else ""
        elif found.unit == "frame":
            text = self.tr("Frame {number}").format(number=int(found.value))
        else:
            text = clock(float(found.value))
        self.understood.setText(text)

    def _go(self) -> None:
        found = self._position
        if found is not None:
            self.hide()
            self.asked.emit(found)
