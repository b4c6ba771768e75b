"""Strokes behind a network: what the brush does to a painted frame, and the constants that every device computes with.

A network gives colours and forms, softly. The brush draws them out to strokes: it takes means along the direction in
which the picture changes least, and pulls what lies across that direction apart at its edges, twice, then smooths along
it once more. (J. E. Kyprianidis and H. Kang, "Image and Video Abstraction by Coherence-Enhancing Filtering", 2011; here
along straight lines of whole pixels in 32 directions, which look the same, need no interpolation and keep devices
alike.) It works at the target's size and takes no statistics of the frame. `gpu.reference.brush` computes it in
float64.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.sizes import Sizes

DIRECTIONS = 32
"""Of a half turn: direction d leads along (cos, sin) of d / DIRECTIONS * 180 degrees, y downwards."""

UNIT_PX = 20.0
"""The width of a stroke in the target at which the scale of all reaches is 1."""

LEAST_SCALE, MOST_SCALE = 0.25, 8.0

PASSES = 2
"""How many times means are taken and edges drawn, before the last mean."""

TENSOR_REACH, LUMA_REACH, FAR_REACH = 3.0, 2.0, 3.0
"""Standard deviation over which the structure tensor is smoothed, and the luma whose second difference tells valleys
from ridges; the distance at which that difference is taken. In pixels at scale 1, as all reaches are."""

LUMA_RADIUS_CELLS = 2

ALONG_REACH, ACROSS_REACH, FINISH_REACH = 7.0, 2.0, 3.0
ALONG_SAMPLES, ACROSS_SAMPLES, FINISH_SAMPLES = 7, 3, 3
"""How many samples a line takes to each side at most: a line that reaches farther takes them farther apart."""

SHARP = 0.01
"""The second difference of luma 0..1 from which on an edge is drawn in full."""

GRAIN = 0.05
"""How far the luma of a pixel has to be from the darkest or lightest one across the strokes for it to become that one.
What differs by less is grain, weave and noise rather than an edge: it is drawn in proportion, so that it does not
flicker at full contrast."""

REST = 1e-5
REST_ANGLE = math.radians(145.0)
"""Where the picture is flat, noise would turn strokes at random. A gradient with this square is added everywhere, so
that flat areas are hatched in one direction, rising to the right as a right-handed painter's are."""


@dataclass(frozen=True)
class Line:
    """Where samples lie on a straight line through a pixel, to one side; those of the other side are their negatives.

    offsets: (DIRECTIONS, n, 2) int32, y and x in pixels. weights: (n,), of each sample; that of the pixel itself is
    `centre`, and centre + 2 * sum(weights) is 1.
    """

    offsets: npt.NDArray[np.int32]
    weights: Array
    centre: float

    @classmethod
    def of(cls, reach_px: float, samples: int) -> Line:
        """A line of so many pixels to each side, with at most so many samples, whose weights are those of a Gaussian
        with half the reach as its standard deviation."""
        count = max(1, min(samples, _rounded(reach_px)))
        step = max(1.0, reach_px / count)
        angle = np.pi * np.arange(DIRECTIONS) / DIRECTIONS
        far = step * np.arange(1, count + 1)
        places = np.stack([np.outer(np.sin(angle), far), np.outer(np.cos(angle), far)], axis=-1)
        weights = np.exp(-0.5 * (np.arange(1, count + 1) / (0.5 * count)) ** 2)
        total = 1.0 + 2.0 * float(weights.sum())
        return cls(np.floor(places + 0.5).astype(np.int32), weights / total, 1.0 / total)

    @property
    def count(self) -> int:
        """Samples to each side."""
        return len(self.weights)

    @property
    def margin_px(self) -> int:
        """No sample lies farther away from its pixel in y or x."""
        return int(np.abs(self.offsets).max())


@dataclass(frozen=True)
class Strokes:
    """The reaches of a brush for strokes of one width. scale: that width over UNIT_PX."""

    scale: float

    @classmethod
    def of(cls, sizes: Sizes) -> Strokes:
        """For frames of these sizes."""
        return _strokes(min(max(sizes.stroke_px / UNIT_PX, LEAST_SCALE), MOST_SCALE))

    @property
    def cell_px(self) -> int:
        """Side of the cells over which luma is averaged before directions are found: a stroke is about ten cells wide,
        whatever its width in pixels."""
        return max(2, _rounded(2.0 * self.scale))

    def cells(self, width: int, height: int) -> tuple[int, int]:
        """Columns and rows of cells of a picture; the last ones may be cut off, and repeat its edge."""
        return -(-width // self.cell_px), -(-height // self.cell_px)

    @cached_property
    def tensor_weights(self) -> Array:
        """(2 r + 1,): the Gaussian that smooths the structure tensor along rows, then columns of cells."""
        return gaussian(TENSOR_REACH * self.scale / self.cell_px)

    @cached_property
    def luma_weights(self) -> Array:
        """(2 r + 1,): the same for luma, before its second difference."""
        return gaussian(LUMA_REACH * self.scale / self.cell_px, LUMA_RADIUS_CELLS)

    @cached_property
    def along(self) -> Line:
        """The line of the means."""
        return Line.of(max(2.0, ALONG_REACH * self.scale), ALONG_SAMPLES)

    @cached_property
    def across(self) -> Line:
        """The line on which the darkest or lightest pixel is looked for; its weights are not used."""
        return Line.of(max(1.0, ACROSS_REACH * self.scale), ACROSS_SAMPLES)

    @cached_property
    def finish(self) -> Line:
        """The line of the last mean."""
        return Line.of(max(1.0, FINISH_REACH * self.scale), FINISH_SAMPLES)

    @cached_property
    def far(self) -> npt.NDArray[np.int32]:
        """(DIRECTIONS, 2): y and x in pixels, how far along a direction the second difference reaches."""
        angle = np.pi * np.arange(DIRECTIONS) / DIRECTIONS
        places = FAR_REACH * self.scale * np.stack([np.sin(angle), np.cos(angle)], axis=-1)
        return np.floor(places + 0.5).astype(np.int32)

    @property
    def margin_px(self) -> int:
        """No sample lies farther away from its pixel in y or x."""
        return max(self.along.margin_px, self.across.margin_px, int(np.abs(self.far).max()))


@lru_cache(maxsize=16)
def _strokes(scale: float) -> Strokes:
    return Strokes(scale)


def gaussian(deviation: float, radius: int | None = None) -> Array:
    """(2 r + 1,) weights that sum to 1; the radius is two and a half deviations where it is not given."""
    radius = radius or math.ceil(2.5 * deviation)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / deviation) ** 2)
    normalised: Array = weights / weights.sum()
    return normalised


REST_TENSOR = (REST * math.cos(2.0 * REST_ANGLE - math.pi), REST * math.sin(2.0 * REST_ANGLE - math.pi))
"""What is added to the two components of the smoothed structure tensor, (gx² - gy², 2 gx gy)."""


def _rounded(value: float) -> int:
    return math.floor(value + 0.5)
