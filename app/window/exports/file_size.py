"""How large the file of an export is to be, where that decides on the quality."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSpinBox, QVBoxLayout, QWidget

from framebrush.media.containers import Container
from framebrush.media.video import InputError, OutputError, TimeRange, VideoInfo
from framebrush.media.writing.plan import expected_beside
from framebrush.media.writing.target_size import NOTHING, Beside, TooSmallError, picture_rate
from framebrush.playback.reading.process import ReadingProcess, call
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.controls import WheelToColumn, faint
from framebrush.window.widgets.layouts import fill
from framebrush.window.widgets.numbers import shortest
from framebrush.window.widgets.theme import SPACE

MEGABYTE = 10**6
MOST_MB = 999_999  # nearly a terabyte; the box is as wide as its largest number


@dataclass(frozen=True, slots=True)
class BesideQuery:
    """What decides on all but the picture; the fields are the arguments of `expected_beside`."""

    info: VideoInfo
    container: Container
    audio: Literal["copy", "none"]
    span: TimeRange

    def result(self, reading: ReadingProcess | None) -> tuple[BesideQuery, Beside]:
        """What there will be. Reads the source: not for the window's thread. reading: as for `FileSize`."""
        given = self.info, self.container, self.audio, self.span
        try:
            return self, call(reading, self.info.path or Path(), expected_beside, *given)
        except InputError:  # which an export reports
            return self, NOTHING


class FileSize(QWidget):
    """A number of megabytes, and what it leaves for the picture."""

    changed = Signal()

    def __init__(self, reading: ReadingProcess | None) -> None:
        """reading: reads the source; without it, this process does."""
        super().__init__()
        self._reading = reading
        self._query: BesideQuery | None = None
        self._beside = NOTHING
        self._pixels = 0
        self.problem = ""
        self.box = QSpinBox()
        WheelToColumn(self.box)
        self.box.setRange(0, MOST_MB)
        self.box.setSuffix(self.tr(" MB"))
        self.box.setSpecialValueText(self.tr("Set by the quality"))
        self.box.setKeyboardTracking(False)
        self.box.lineEdit().setTextMargins(SPACE, 0, SPACE, 0)  # a style sheet does not reach it
        self.note = faint()
        self.note.hide()
        fill(QVBoxLayout(self), self.box, self.note, around=0, between=SPACE // 2)
        self.box.valueChanged.connect(self._change)

    @property
    def target_bytes(self) -> int | None:
        """The size in bytes; None where the quality decides."""
        return self.box.value() * MEGABYTE or None

    def ask(self, query: BesideQuery, pixels: int) -> None:
        """Find out what a size leaves for the picture. pixels: of a frame."""
        self._pixels = pixels
        if query != self._query:
            self._query, self._beside = query, NOTHING
            Background(partial(query.result, self._reading), self._take, self)
        self._show()

    def _take(self, result: tuple[BesideQuery, Beside]) -> None:
        query, beside = result
        if query == self._query:  # else a later one is on its way
            self._beside = beside
            self._show()

    def _change(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        size, query, self.problem = self.target_bytes, self._query, ""
        self.note.setVisible(size is not None and query is not None)
        if size is None or query is None:
            return
        try:
            rate = picture_rate(size, query.info, self._pixels, query.span, self._beside)
            text = self.tr("Up to {number} megabits a second for the picture").format(number=shortest(rate / 1e6))
        except TooSmallError as error:
            text = self.tr("Too small: this takes at least {size}.")
            text = self.problem = text.format(size=f"{-(-error.least_bytes // MEGABYTE)}{self.box.suffix()}")
        except OutputError:
            text = self.problem = self.tr("The length of this video is not known, which a size needs.")
        self.note.setText(text)
