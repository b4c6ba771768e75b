"""Editing of in and out points."""

from __future__ import annotations

from fractions import Fraction

from framebrush.media.video import Position
from framebrush.playback.ahead.render_cache import Course
from framebrush.playback.events import InOutChanged, InOutPoint


class InOutPoints:
    """Pair of points; setting one clears the other on its wrong side."""

    def __init__(self) -> None:
        self._first: InOutPoint | None = None
        self._last: InOutPoint | None = None

    def set(self, mark: InOutPoint, *, first: bool) -> None:
        """Set the in point (first) or out point."""
        if first:
            self._first, self._last = mark, self._last if self._last and self._last.number >= mark.number else None
        else:
            self._first, self._last = self._first if self._first and self._first.number <= mark.number else None, mark

    def use(self, marked: InOutChanged) -> None:
        """Set both points."""
        self._first, self._last = marked.first, marked.last

    def clear(self) -> None:
        """Clear both points."""
        self._first = self._last = None

    def is_last(self, number: int) -> bool:
        """Return whether the out point is here."""
        return self._last is not None and number == self._last.number

    @property
    def beginning(self) -> Position:
        """Position from which playback restarts."""
        return Position(Fraction(self._first.number if self._first else 0), "frame")

    def course(self, here: int, count: int | None, *, loop: bool) -> Course:
        """Return the playing order. count: frames, if known."""
        first = self._first.number if self._first else 0
        end = self._last.number + 1 if loop and self._last and self._last.number >= here else count
        return Course(here, first if loop else 0, end)

    @property
    def event(self) -> InOutChanged:
        """Event with both points."""
        return InOutChanged(self._first, self._last)
