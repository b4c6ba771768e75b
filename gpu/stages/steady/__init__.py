"""The filter over time behind a network: what it takes for a frame, and the constants that every device computes with.

The result of a frame is a weighted mean of the network outputs of a few neighbouring frames, moved along the motion. A
weight is 1 where source and painting look alike there, and 0 where they do not, so that a cut, a flash or an edge that
was missed by the search shows nothing of another frame, and strokes that follow no motion stay as they are. The window
is finite: the result of a frame depends on it and on its neighbours alone. `gpu.stages.steady.reference` computes it in
float64.

Motion is searched between frames that follow each other, on the mean of source and painting: where the source is flat,
strokes tell how it moves. To frames that are farther away the vectors are added up along the way.
"""

from __future__ import annotations

from dataclasses import dataclass

from framebrush.gpu.stages.look import Look


@dataclass(frozen=True, slots=True)
class TemporalWindow:
    """How many neighbours a frame's result needs. Results come with a delay of `after` frames."""

    before: int = 0
    after: int = 0

    def __post_init__(self) -> None:
        if min(self.before, self.after) < 0:
            raise ValueError(f"a window of {self.before} frames before and {self.after} after cannot be")

    @property
    def alone(self) -> bool:
        """Whether a frame needs no neighbours."""
        return self.before == self.after == 0

    def frames(self, slots: int) -> int:
        """Frames that need memory where `slots` may be held without the delay: those, the ones that wait for their
        neighbours, and released ones that are neighbours of others."""
        return slots + self.after + self.before + self.after


NO_WINDOW = TemporalWindow()
CENTRED = TemporalWindow(before=2, after=2)
PAST_ONLY = TemporalWindow(before=4)
"""As many frames, for what is shown at once: without a delay, and a seek shows its frame immediately."""


PAST_ONE = TemporalWindow(before=1)
"""For strokes alone, which are carried from the frame before."""


def window_of(look: Look, *, live: bool = False) -> TemporalWindow:
    """The window that a look needs: none where it does not steady. live: frames are shown as they come."""
    if not look.steady:
        return NO_WINDOW
    return PAST_ONLY if live else CENTRED


LIKENESS_CODES = 24.0
"""T at strength 1, in codes of 8 bits: a neighbour whose source differs by T weighs nothing, by T / 2 as much as the
frame itself. T falls with the strength."""

SIXTEENTHS = 16
"""The source is compared in whole sixteenths of a code, so that every device finds the same weights."""

BLOCK_PX = 16
"""Motion is one vector for each block of so many pixels a side, at the working size."""

CELL_PX = 4
"""The first search compares means of so many pixels a side."""

COARSE_CELLS = 4
"""It looks so many cells in each direction, in a square of twice the block's side around the block."""

FINE_PX = 2
"""The second search looks so many pixels around what the first one found, at every other pixel of the block."""

SAMPLES = 8
"""A side of the square of samples that either search compares, whose sum of differences fits 16 bits."""

STEP_BIAS = 64
"""What a vector must be better by for each step away from the start of a search: a quarter of a code a sample."""

REST_BIAS = 512
"""What moving must be better by than standing still: two codes a sample. Noise would move what is flat."""

SURE_SHARE = 0.25
"""A block of a neighbour weighs in full while the samples differ by up to this share of what both blocks vary by in
themselves, and nothing from twice as much on. Blocks that have nothing to do with each other differ by 0.7, by the
ratio of mean deviations of normal distributions; the best of those that a search tries differs by less."""

SURE_NOISE = 384
"""What a pair of blocks is taken to vary by at least: one and a half codes a sample. Otherwise nothing that is flat
would be alike."""


def offsets(reach: int) -> list[tuple[int, int]]:
    """The vectors (y, x) that a search tries, in the order in which the first of equals is taken: shorter ones before
    longer ones, then by y and x."""
    every = ((y, x) for y in range(-reach, reach + 1) for x in range(-reach, reach + 1))
    return sorted(every, key=lambda offset: (abs(offset[0]) + abs(offset[1]), offset))


TOGETHER_PX = 2
"""Blocks side by side whose vectors differ by more, in y and x together, do not move together: towards the edge
between them their weights fall to 0, so that it is not seen."""
