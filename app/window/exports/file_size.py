"""Target file size of an export."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSpinBox, QVBoxLayout, QWidget

from framebrush.media.containers import Container
from framebrush.media.video import OutputError, TimeRange, VideoInfo
from framebrush.media.writing.output_plan import expected_beside
from framebrush.media.writing.target_size import NOTHING, Beside, TooSmallError, picture_rate
from framebrush.playback.reading.reading_process import ReadingProcess, call
from framebrush.window.widgets.background import Latest
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import WheelToColumn, faint
from framebrush.window.widgets.numbers import shortest
from framebrush.window.widgets.theme import SPACE

MEGABYTE = 10**6
MOST_MB = 999_999  # nearly a terabyte; the box is as wide as its largest number


class FileSize(QWidget):
    """Field for megabytes that shows the picture's share."""

    changed = Signal()

    def __init__(self, reading: ReadingProcess | None) -> None:
        super().__init__()
        self._reading = reading
        self._latest = Latest(self._take, self)
        self._film: tuple[VideoInfo, TimeRange] | None = None
        self._beside = NOTHING
        self._pixels = 0
        self.problem = ""
        self.box = QSpinBox(suffix=self.tr(" MB"))
        WheelToColumn(self.box)
        self.box.setRange(0, MOST_MB)
        self.box.setSpecialValueText(self.tr("Set by the quality"))
        self.box.setKeyboardTracking(False)
        self.box.lineEdit().setTextMargins(SPACE, 0, SPACE, 0)  # a style sheet does not reach it
        self.note = faint()
        self.note.hide()
        fill(QVBoxLayout(self), self.box, self.note, around=0, between=SPACE // 2)
        self.box.valueChanged.connect(self._change)

    @property
    def target_bytes(self) -> int | None:
        """The target size; None if quality decides."""
        return self.box.value() * MEGABYTE or None

    def ask(
        self, info: VideoInfo, container: Container, audio: Literal["copy", "none"], span: TimeRange, pixels: int
    ) -> None:
        """Find the picture's share in the background. Arguments: see `expected_beside`."""
        given = info, container, audio, span
        if self._latest.ask(given, partial(call, self._reading, info.path or Path(), expected_beside, *given)):
            self._beside = NOTHING
        self._film, self._pixels = (info, span), pixels
        self._show()

    def _take(self, beside: Beside) -> None:
        self._beside = beside
        self._show()

    def _change(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        size, film, self.problem = self.target_bytes, self._film, ""
        self.note.setVisible(size is not None and film is not None)
        if size is None or film is None:
            return
        info, span = film
        try:
            rate = picture_rate(size, info, self._pixels, span, self._beside)
            text = self.tr("Up to {number} megabits a second for the picture").format(number=shortest(rate / 1e6))
        except TooSmallError as error:
            text = self.tr("Too small: this takes at least {size}.")
            text = self.problem = text.format(size=f"{-(-error.least_bytes // MEGABYTE)}{self.box.suffix()}")
        except OutputError:
            text = self.problem = self.tr("The length of this video is unknown, so its file size cannot be set.")
        self.note.setText(text)
