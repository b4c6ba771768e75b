"""Temporal filter after a network: definition and constants.

A result is the mean of neighbouring outputs, moved along the motion. Weights are 0 where source and painting disagree,
so cuts and flashes do not bleed. Motion between consecutive frames is summed.
"""

from __future__ import annotations

LIKENESS_CODES = 24.0
"""Difference of sources, in codes of 8 bits, from which a neighbour has weight 0 at strength 1; up to half of it the
weight is 1. Both fall with the strength."""

SIXTEENTHS = 16
"""Fractions of a code in comparisons, so that every device finds the same weights."""

BLOCK_PX = 16
"""Side of a motion block at the working size."""

CELL_PX = 4
"""Side of the means that the first search compares."""

COARSE_CELLS = 4
"""Reach of the first search in cells, for a square of twice the block's side."""

FINE_PX = 2
"""Reach of the second search in pixels, at every other pixel of the block."""

SAMPLES = 8
"""Side of the square of samples in both searches, whose sum of differences fits 16 bits."""

STEP_BIAS = 64
"""Advantage that a vector needs per step from the search's start: a quarter of a code per sample."""

REST_BIAS = 512
"""Advantage that moving needs over resting: two codes per sample, as noise would move flat areas."""

SURE_SHARE = 0.25
"""A neighbour's block has full weight while its samples differ by up to this share of both blocks' own variation, and
none from twice as much. Unrelated blocks differ by 0.7 (ratio of mean deviations of normal distributions), the best of
a search by less."""

SURE_NOISE = 384
"""Least variation of a pair of blocks, one and a half codes per sample, so that flat blocks can agree."""


def offsets(reach: int) -> list[tuple[int, int]]:
    """Return search vectors (y, x), shorter first."""
    every = ((y, x) for y in range(-reach, reach + 1) for x in range(-reach, reach + 1))
    return sorted(every, key=lambda offset: (abs(offset[0]) + abs(offset[1]), offset))


TOGETHER_PX = 2
"""Adjacent blocks whose vectors differ by more, in y and x together, do not move together: their weights fall to 0
towards their common edge."""
