"""Cells of a picture with mean luma, in float64.

Pictures are (3, H, W) R'G'B' 0..1, edges repeated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.frame import Matrix
from framebrush.gpu.sizes import Sizes

Whole = npt.NDArray[np.int64]

UNIT_PX = 20.0
"""Width of a network's stroke in the target at scale 1."""

LEAST_SCALE, MOST_SCALE = 0.25, 8.0


@dataclass(frozen=True)
class Cells:
    """Cells for a stroke width; `scale` is that over UNIT_PX."""

    scale: float

    @classmethod
    def of(cls, sizes: Sizes) -> Cells:
        return _cells(min(max(sizes.stroke_px / UNIT_PX, LEAST_SCALE), MOST_SCALE))

    @property
    def cell_px(self) -> int:
        """Side of a cell, a tenth of a stroke's width."""
        return max(2, math.floor(2.0 * self.scale + 0.5))

    def cells(self, width: int, height: int) -> tuple[int, int]:
        """Return columns and rows, partial cells included."""
        return -(-width // self.cell_px), -(-height // self.cell_px)


@lru_cache(maxsize=16)
def _cells(scale: float) -> Cells:
    return Cells(scale)


def gaussian(deviation: float, radius: int) -> Array:
    """Return weights (2 radius + 1,) with sum 1."""
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / deviation) ** 2)
    normalised: Array = weights / weights.sum()
    return normalised


def derivatives(plane: Array) -> tuple[Array, Array]:
    """Compute Scharr derivatives of (H, W) along x and y."""
    light = np.pad(plane, 1, "edge")
    smooth_x = 3.0 * light[:, :-2] + 10.0 * light[:, 1:-1] + 3.0 * light[:, 2:]
    smooth_y = 3.0 * light[:-2] + 10.0 * light[1:-1] + 3.0 * light[2:]
    return (smooth_y[:, 2:] - smooth_y[:, :-2]) / 32.0, (smooth_x[2:] - smooth_x[:-2]) / 32.0


def luma_of(picture: Array) -> Array:
    """Return BT.709 luma (H, W)."""
    return np.tensordot(colour.luma_weights(Matrix.BT709), picture, axes=1)


def cells(picture: Array, strokes: Cells) -> Array:
    """Return cells' mean luma, (rows, columns)."""
    return cell_means(luma_of(picture), strokes)


def cell_means(plane: Array, strokes: Cells) -> Array:
    """Return cells' means, (rows, columns), of (H, W)."""
    side, (height, width) = strokes.cell_px, plane.shape
    whole = np.pad(plane, ((0, -height % side), (0, -width % side)), "edge")
    means: Array = whole.reshape(whole.shape[0] // side, side, -1, side).mean(axis=(1, 3))
    return means


def smoothed(plane: Array, weights: Array) -> Array:
    """Filter along rows, then along columns."""
    radius = len(weights) // 2
    for axis in (1, 0):
        padded = np.pad(plane, [(radius, radius) if each == axis else (0, 0) for each in (0, 1)], "edge")
        shifted = (padded.take(np.arange(plane.shape[axis]) + index, axis) for index in range(len(weights)))
        plane = sum((weight * part for weight, part in zip(weights, shifted, strict=True)), start=np.zeros(plane.shape))
    return plane


def between_cells(plane: Array, cell_px: int, size: tuple[int, ...]) -> Array:
    """Interpolate cells linearly to pixels (H, W)."""
    y, x = np.mgrid[: size[0], : size[1]]
    return between(plane, y, x, cell_px)


def between(plane: Array, y: Whole, x: Whole, cell_px: int) -> Array:
    """Interpolate cells linearly at pixels, even outside."""
    value, low_weights = [], []
    for place, length in ((y, plane.shape[0]), (x, plane.shape[1])):
        position = (place + 0.5) / cell_px - 0.5
        low = np.floor(position)
        value.append([np.clip(low + step, 0, length - 1).astype(np.int64) for step in (0, 1)])
        low_weights.append(position - low)
    (top, bottom), (left, right) = value
    down, over = low_weights
    upper = plane[top, left] * (1.0 - over) + plane[top, right] * over
    lower = plane[bottom, left] * (1.0 - over) + plane[bottom, right] * over
    found: Array = upper * (1.0 - down) + lower * down
    return found
