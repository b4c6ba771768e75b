"""Shot around a frame, by reading the film near it."""

from __future__ import annotations

from collections.abc import Callable

from framebrush.analysis.cuts import with_cuts
from framebrush.analysis.dissolves import LENGTHS, Dissolve, Dissolves
from framebrush.media.video import FrameSource, InputError, Position

BACK_FRAMES = 250
"""Frames before a frame that are searched first."""

TOLD_FRAMES = 2 * LENGTHS[-1]
"""Frames after the middle of a dissolve until it is known."""


def shot_around(source: FrameSource, number: int, is_stopped: Callable[[], bool]) -> tuple[Dissolve, Dissolve | None]:
    """Find a frame's and the next shot's beginnings (None at the end), as dissolves.

    A cut has no frames. Raises InputError, also if stopped.
    """
    back = BACK_FRAMES
    while True:
        at = max(0, number - back)
        source.seek(Position.of_frame(at))
        begin, end = _look(source, at, number, is_stopped)
        if begin is not None or at == 0:
            return begin or Dissolve(0, 0), end
        back *= 4


def _look(
    source: FrameSource, at: int, number: int, is_stopped: Callable[[], bool]
) -> tuple[Dissolve | None, Dissolve | None]:
    begin: Dissolve | None = None
    dissolves = Dissolves()
    for begins, frame, thumbnail in with_cuts(source):
        if is_stopped():
            raise InputError(f"{source.name}: the search for the shot was stopped")
        begins = begins and frame.number > at  # nothing is known before the first frame
        found = [dissolves.add(frame.number, thumbnail, begins=begins)]
        if begins:
            found.append(Dissolve(frame.number, frame.number))
        for each in found:
            if each is not None and each.middle > number:
                return begin, each
            begin = each or begin
        if begin is None and at and frame.number > number + TOLD_FRAMES:
            return None, None
    rest = dissolves.rest()
    if rest is not None and rest.middle > number:
        return begin, rest
    return rest or begin, None
