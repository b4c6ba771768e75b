"""Motion between frames, for the filter over time. The reference is `gpu.stages.steady.reference`; its whole numbers
have 16 bits here, and blocks lie along the last axis, so that each sum is one of whole rows.

Blocks that differ too little from their neighbour to be moved are not searched for: they are most of a film.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.strips import Floats
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.steady import (
    BLOCK_PX,
    CELL_PX,
    COARSE_CELLS,
    FINE_PX,
    REST_BIAS,
    SAMPLES,
    STEP_BIAS,
    SURE_NOISE,
    SURE_SHARE,
    offsets,
)

Whole = npt.NDArray[np.int16]
Sums = npt.NDArray[np.int32]
Index = npt.NDArray[np.intp]

STEP_PX = BLOCK_PX // SAMPLES


@dataclass(slots=True)
class Levels:
    """What motion is searched on. fine: (H, W). cells: their means. samples: (SAMPLES, SAMPLES, blocks), of each block
    where it is. deviation: (blocks,), of those from their mean."""

    fine: Whole
    cells: Whole
    samples: Whole
    deviation: Sums


class Search:
    """Finds where blocks are in other frames. Vectors are (2, rows, columns) of blocks, y and x in pixels."""

    def __init__(self, size: Size) -> None:
        """size: the working size."""
        self._size = size
        self._grid = rows, columns = -(-size[1] // BLOCK_PX), -(-size[0] // BLOCK_PX)
        self._places = np.stack(np.divmod(np.arange(rows * columns), columns))

    def allocate(self) -> Levels:
        """The memory of a frame, of which `fine` is to be filled."""
        (width, height), blocks = self._size, self._places.shape[1]
        return Levels(
            np.empty((height, width), np.int16),
            np.empty((-(-height // CELL_PX), -(-width // CELL_PX)), np.int16),
            np.empty((SAMPLES, SAMPLES, blocks), np.int16),
            np.empty(blocks, np.int32),
        )

    def prepare(self, levels: Levels) -> None:
        """Make the rest of what is searched on from `fine`."""
        width, height = self._size
        whole = np.pad(levels.fine, ((0, -height % BLOCK_PX), (0, -width % BLOCK_PX)), "edge")
        part = whole[: height + -height % CELL_PX, : width + -width % CELL_PX]
        columns = np.add.reduce([part[:, start::CELL_PX] for start in range(CELL_PX)], dtype=np.int16)
        means = np.add.reduce([columns[start::CELL_PX] for start in range(CELL_PX)], dtype=np.int16)
        means += CELL_PX**2 // 2
        np.floor_divide(means, CELL_PX**2, out=levels.cells)
        rows, columns_ = self._grid
        squares = whole[::STEP_PX, ::STEP_PX].reshape(rows, SAMPLES, columns_, SAMPLES).transpose(1, 3, 0, 2)
        np.copyto(levels.samples.reshape(SAMPLES, SAMPLES, rows, columns_), squares)
        levels.deviation[:] = _deviation(levels.samples)

    def motion(self, own: Levels, near: Levels) -> Index:
        """From a frame to its neighbour."""
        vectors = np.zeros_like(self._places)
        resting = _sums(own.samples, near.samples)
        active = np.flatnonzero(resting > REST_BIAS)
        if active.size:
            corners = self._places[:, active] * BLOCK_PX
            cells = (corners - (SAMPLES * CELL_PX - BLOCK_PX) // 2) // CELL_PX
            ours = _square(own.cells, cells, SAMPLES, 1)
            coarse, _ = _best(ours, near.cells, cells, COARSE_CELLS, 1)
            coarse *= CELL_PX
            found, cost = _best(own.samples[..., active], near.fine, corners + coarse, FINE_PX, STEP_PX)
            vectors[:, active] = np.where(cost + REST_BIAS < resting[active], coarse + found, 0)
        return vectors.reshape(2, *self._grid)

    def followed(self, vectors: Index, on: Index) -> Index:
        """Vectors to one frame, and on from that to the next."""
        rows, columns = self._grid
        y, x = self._places.reshape(vectors.shape) + (vectors + BLOCK_PX // 2) // BLOCK_PX
        further: Index = on[:, np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)]
        return vectors + further

    def sureness(self, own: Levels, near: Levels, vectors: Index) -> Floats:
        """(rows, columns), 0..1."""
        vectors = vectors.reshape(2, -1)
        moving = np.flatnonzero(vectors.any(axis=0))
        theirs, deviation = near.samples, near.deviation
        if moving.size:
            theirs, deviation = theirs.copy(), deviation.copy()
            corners = self._places[:, moving] * BLOCK_PX + vectors[:, moving]
            theirs[..., moving] = there = _square(near.fine, corners, SAMPLES, STEP_PX)
            deviation[moving] = _deviation(there)
        share = _sums(own.samples, theirs) / ((own.deviation + deviation + SURE_NOISE) * SURE_SHARE)
        sure: Floats = np.clip(2.0 - share, 0.0, 1.0).reshape(self._grid).astype(np.float32)
        return sure


def _deviation(samples: Whole) -> Sums:
    means = (samples.sum(axis=(0, 1), dtype=np.int32) + SAMPLES**2 // 2) // SAMPLES**2
    return _sums(samples, means.astype(np.int16))


def _sums(ours: Whole, theirs: Whole) -> Sums:
    """(blocks,): sums of the differences."""
    difference = np.subtract(ours, theirs)
    np.abs(difference, out=difference)
    whole = difference.reshape(-1, difference.shape[-1]).view(np.uint16)
    sums: Sums = np.add.reduce(whole, axis=0, dtype=np.uint16).astype(np.int32)
    return sums


def _best(ours: Whole, plane: Whole, around: Index, reach: int, step: int) -> tuple[Index, Sums]:
    """The best vectors (2, blocks) within a reach of the corners `around` in a neighbour's plane, and their costs.

    ours: (SAMPLES, SAMPLES, blocks).
    """
    count, span, blocks = 2 * reach + 1, step * (SAMPLES - 1) + 1, around.shape[1]
    area = _square(plane, around - reach, span + 2 * reach, 1)
    rows, columns, each = area.strides
    costs = np.empty((count, count, blocks), np.int32)
    shape = (count, SAMPLES, SAMPLES, blocks)
    difference = np.empty(shape, np.int16)
    for y in range(count):
        tried = np.lib.stride_tricks.as_strided(area[y:], shape, (columns, step * rows, step * columns, each))
        np.subtract(ours, tried, out=difference)
        np.abs(difference, out=difference)
        costs[y] = np.add.reduce(difference.reshape(count, -1, blocks).view(np.uint16), axis=1, dtype=np.uint16)
    order, steps = _order(reach)
    ordered = costs[order[0] + reach, order[1] + reach]
    ordered += steps
    first = ordered.argmin(axis=0)  # of equals the first
    return order[:, first], ordered[first, np.arange(blocks)]


@cache
def _order(reach: int) -> tuple[Index, Sums]:
    """The vectors (2, count) of a search and what each must be better by, (count, 1)."""
    order = np.array(offsets(reach)).T
    return order, (STEP_BIAS * np.abs(order).sum(axis=0)[:, None]).astype(np.int32)


def _square(plane: Whole, corners: Index, side: int, step: int) -> Whole:
    """(side, side, blocks): samples from each corner on, the plane's edge repeated."""
    along = np.arange(side)[:, None] * step
    rows, columns = corners[0] + along, corners[1] + along
    np.clip(rows, 0, plane.shape[0] - 1, out=rows)
    np.clip(columns, 0, plane.shape[1] - 1, out=columns)
    rows *= plane.shape[1]
    square: Whole = plane.reshape(-1).take(rows[:, None] + columns)
    return square
