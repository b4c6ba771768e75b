"""Visible span of a film on the timeline."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable

from PySide6.QtCore import QObject, Signal

MARGIN_PX = 8
"""Room on either side, for the handle at the first and the last frame."""

LEAST_MS = 2000
"""Shortest visible span."""

SNAP_PX = 5
"""Distance within which a dragged position takes the place of something there."""

FAR_PX = 10_000
"""Farthest position beyond the edges, as painters draw larger numbers imprecisely."""


class Axis(QObject):
    """Maps milliseconds of a film to pixels, for all lanes."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.length_ms = 0
        self.first_ms = 0.0
        self.span_ms = 0.0
        self._snaps: dict[Hashable, list[int]] = {}

    @property
    def is_whole(self) -> bool:
        return self.span_ms >= self.length_ms

    def set_length(self, length_ms: int) -> None:
        """Set the film's length; a wholly visible film stays so."""
        was_whole, self.length_ms = self.is_whole, max(0, length_ms)
        self._use(0.0 if was_whole else self.first_ms, self.length_ms if was_whole else self.span_ms)

    def show_whole(self) -> None:
        self._use(0.0, self.length_ms)

    def zoom(self, factor: float, at_ms: float) -> None:
        """Enlarge by a factor; the time `at_ms` keeps its position."""
        span = min(float(self.length_ms), max(LEAST_MS, self.span_ms / factor))
        share = (at_ms - self.first_ms) / max(1.0, self.span_ms)
        self._use(at_ms - share * span, span)

    def scroll_to(self, first_ms: float) -> None:
        """Let the visible span begin at a time, within the film."""
        self._use(first_ms, self.span_ms)

    def reveal(self, ms: float) -> None:
        """Scroll to a time if it is outside the visible span."""
        if not self.first_ms <= ms <= self.first_ms + self.span_ms:
            self._use(ms - 0.1 * self.span_ms, self.span_ms)

    def _use(self, first_ms: float, span_ms: float) -> None:
        former = self.first_ms, self.span_ms
        self.span_ms = min(float(self.length_ms), max(span_ms, min(LEAST_MS, self.length_ms)))
        self.first_ms = min(max(0.0, first_ms), self.length_ms - self.span_ms)
        if (self.first_ms, self.span_ms) != former:
            self.changed.emit()

    def x_of(self, ms: float, width_px: int) -> float:
        """Return a time's position in a lane."""
        x = MARGIN_PX + (ms - self.first_ms) / max(1.0, self.span_ms) * self._room(width_px)
        return min(max(-FAR_PX, x), width_px + FAR_PX)

    def ms_at(self, x: float, width_px: int) -> float:
        """Return the time at a position, within the visible span."""
        share = (x - MARGIN_PX) / self._room(width_px)
        return self.first_ms + min(1.0, max(0.0, share)) * self.span_ms

    def ms_of(self, px: float, width_px: int) -> float:
        """Convert a distance in a lane to milliseconds."""
        return px * self.span_ms / self._room(width_px)

    @staticmethod
    def _room(width_px: int) -> int:
        return max(1, width_px - 2 * MARGIN_PX)

    def set_snaps(self, owner: Hashable, times_ms: Iterable[int]) -> None:
        """Set an owner's times that dragged positions snap to."""
        self._snaps[owner] = sorted(times_ms)

    def snapped(self, ms: int, width_px: int, without: tuple[int, ...] = ()) -> int:
        """Return the nearest snap time within SNAP_PX, else the time."""
        near = self.ms_of(SNAP_PX, width_px)
        found = ms
        for times in self._snaps.values():
            place = bisect_left(times, ms)
            for each in times[max(0, place - 1) : place + 1]:
                if each not in without and abs(each - ms) <= near:
                    found, near = each, abs(each - ms)
        return found
