"""Cells of a picture, over which luma is averaged for the relief, and the scale of all its reaches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from framebrush.gpu.colour import Array
from framebrush.gpu.sizes import Sizes

UNIT_PX = 20.0
"""The width of a stroke of the network in the target at which the scale of all reaches is 1."""

LEAST_SCALE, MOST_SCALE = 0.25, 8.0


@dataclass(frozen=True)
class Cells:
    """For strokes of the network of one width. scale: that width over UNIT_PX."""

    scale: float

    @classmethod
    def of(cls, sizes: Sizes) -> Cells:
        """For frames of these sizes."""
        return _cells(min(max(sizes.stroke_px / UNIT_PX, LEAST_SCALE), MOST_SCALE))

    @property
    def cell_px(self) -> int:
        """A stroke is about ten cells wide, whatever its width in pixels."""
        return max(2, math.floor(2.0 * self.scale + 0.5))

    def cells(self, width: int, height: int) -> tuple[int, int]:
        """Columns and rows of cells of a picture; the last ones may be cut off, and repeat its edge."""
        return -(-width // self.cell_px), -(-height // self.cell_px)


@lru_cache(maxsize=16)
def _cells(scale: float) -> Cells:
    return Cells(scale)


def gaussian(deviation: float, radius: int) -> Array:
    """(2 r + 1,) weights that sum to 1."""
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / deviation) ** 2)
    normalised: Array = weights / weights.sum()
    return normalised
