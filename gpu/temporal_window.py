"""Temporal neighbours of a frame."""

from __future__ import annotations

from dataclasses import dataclass

from framebrush.gpu.look import Look


@dataclass(frozen=True, slots=True)
class TemporalWindow:
    """Neighbours of a frame. Results are `after` frames late."""

    before: int = 0
    after: int = 0

    def __post_init__(self) -> None:
        if min(self.before, self.after) < 0:
            raise ValueError(f"a window of {self.before} frames before and {self.after} after cannot be")

    @property
    def alone(self) -> bool:
        return self.before == self.after == 0

    def frames(self, slots: int) -> int:
        """Return the frames that need memory, neighbours included."""
        return slots + self.after + self.before + self.after


NO_WINDOW = TemporalWindow()
CENTRED = TemporalWindow(before=2, after=2)
PAST_ONLY = TemporalWindow(before=4)
"""Window for live display: as many frames without delay, so that a seek shows its frame at once."""

PAST_ONE = TemporalWindow(before=1)
"""Window for strokes alone, which are advected from the previous frame."""


def window_of(look: Look, *, live: bool = False) -> TemporalWindow:
    """Return a look's window. live: frames are shown as they come."""
    if not look.needs_neighbours:
        return NO_WINDOW
    return PAST_ONLY if live else CENTRED
