"""Lane of subtitles."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from framebrush.media.reading.subtitle_tracks import Line
from framebrush.window.transport.lane import ToldLane
from framebrush.window.transport.seekbar import SeekBar, clock
from framebrush.window.widgets.controls import shrink

HEIGHT_PX = 14
LEAST_PX, LEAST_TEXT_PX = 1.5, 24
"""Narrower lines share the pixels that they begin in, or have no text."""


class SubtitleLane(ToldLane):
    """A block for each subtitle, with its text if it fits."""

    def __init__(self, bar: SeekBar) -> None:
        super().__init__(bar, HEIGHT_PX)
        self.lines: list[Line] = []
        """Ordered by start, in seconds from the first frame."""
        self._times = np.empty((0, 2))
        self._latest_ends = np.empty(0)  # of a line and all before it
        self._delay_s = 0.0
        self.setAccessibleName(self.tr("Subtitles"))
        shrink(self)

    def show_lines(self, lines: Sequence[Line]) -> None:
        self.lines = sorted(lines)
        self._times = np.array([line[:2] for line in self.lines], np.float64).reshape(-1, 2)
        self._latest_ends = np.maximum.accumulate(self._times[:, 1])
        count = self.tr("Lines: {count}").format(count=len(self.lines))
        self.setAccessibleDescription(count if self.lines else "")
        self.update()

    def show_delay(self, seconds: float) -> None:
        self._delay_s = seconds
        self.update()

    def _between(self, start_ms: float, end_ms: float) -> list[int]:
        start_s, end_s = start_ms / 1000 - self._delay_s, end_ms / 1000 - self._delay_s
        first, last = np.searchsorted(self._latest_ends, start_s), np.searchsorted(self._times[:, 0], end_s)
        found: list[int] = (first + np.nonzero(self._times[first:last, 1] > start_s)[0]).tolist()
        return found

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        axis, width, ground = self._bar.axis, self.width(), self.palette().mid()
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        here = self._between(axis.first_ms, axis.first_ms + axis.span_ms)
        times_ms = 1000 * (self._times[here] + self._delay_s)
        left, right = axis.x_of(axis.first_ms, width), axis.x_of(axis.first_ms + axis.span_ms, width)
        places = left + (times_ms - axis.first_ms) * ((right - left) / max(1.0, axis.span_ms))
        is_wide = places[:, 1] - places[:, 0] >= LEAST_PX
        for x in np.unique(places[~is_wide, 0].astype(int)).tolist():  # an hour has a thousand lines
            painter.fillRect(x, 2, 1, self.height() - 4, ground)
        wide = np.nonzero(is_wide)[0].tolist(), places[is_wide].clip(-1.0, width + 1.0).tolist()
        for place, (begin, end) in zip(*wide, strict=True):
            block = QRectF(begin, 2, end - begin - 1, self.height() - 4)
            painter.fillRect(block, ground)
            if end - begin < LEAST_TEXT_PX:
                continue
            room = block.adjusted(3, -2, -2, 2)
            words = self.lines[here[place]].text.replace("\n", " ")
            text = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(room.width()))
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def words_at(self, ms: int) -> str:
        """Return the lines at a time as escaped HTML."""
        here = [self.lines[each] for each in self._between(ms, ms + 1)]
        words = [clock(here[0].start_s + self._delay_s), *(line.text for line in here)] if here else []
        return escape("\n".join(words)).replace("\n", "<br>")
