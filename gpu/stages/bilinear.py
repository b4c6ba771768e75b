"""Bilinear sampling of planes."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array

Whole = npt.NDArray[np.int64]


def bilinear(planes: Array, y: Array | float, x: Array | float) -> Array:
    """Sample planes (n, rows, columns) bilinearly, edges repeated."""
    (top, bottom, down), (left, right, over) = (
        _between(place, length) for place, length in ((y, planes.shape[1]), (x, planes.shape[2]))
    )
    upper = planes[:, top, left] + over * (planes[:, top, right] - planes[:, top, left])
    lower = planes[:, bottom, left] + over * (planes[:, bottom, right] - planes[:, bottom, left])
    found: Array = upper + down * (lower - upper)
    return found


def _between(place: Array | float, length: int) -> tuple[Whole | int, Whole | int, Array | float]:
    if isinstance(place, float) and math.isfinite(place):  # a point of a stroke: arrays would cost ten times as much
        whole, last = math.floor(place), length - 1
        return min(max(whole, 0), last), min(max(whole + 1, 0), last), place - whole
    low = np.floor(np.asarray(place, np.float64))
    first, second = (np.clip(low + step, 0, length - 1).astype(np.int64) for step in (0, 1))
    return first, second, np.asarray(place) - low
