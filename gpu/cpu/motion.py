"""Motion between frames, for the filter over time. The reference is `gpu.reference.steady`; its whole numbers have 16
bits here, and blocks lie along the last axis, so that each sum is one of whole rows.

Blocks that differ too little from their neighbour to be moved are not searched for: they are most of a film.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from framebrush.gpu.cpu.strips import Floats
from framebrush.gpu.sizes import Size
from framebrush.gpu.steady import (
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
BLOCK_CELLS = BLOCK_PX // CELL_PX
MARGIN_CELLS = BLOCK_CELLS // 2 + COARSE_CELLS
"""Beyond a block that the first search reads: its square has twice the block's side."""


@dataclass(slots=True)
class Levels:
    """What motion is searched on. fine: (H, W). cells: their means, with the edges repeated as far as the first search
    reaches. samples: (SAMPLES, SAMPLES, blocks), of each block where it is. deviation: (blocks,), of those from their
    mean."""

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
            np.empty([side * BLOCK_CELLS + 2 * MARGIN_CELLS for side in self._grid], np.int16),
            np.empty((SAMPLES, SAMPLES, blocks), np.int16),
            np.empty(blocks, np.int32),
        )

    def prepare(self, levels: Levels) -> None:
        """Make the rest of what is searched on from `fine`."""
        width, height = self._size
        whole = np.pad(levels.fine, ((0, -height % BLOCK_PX), (0, -width % BLOCK_PX)), "edge")
        rows, columns = self._grid
        part = whole[: height + -height % CELL_PX, : width + -width % CELL_PX]
        means = _grouped(_grouped(part, 0, CELL_PX), 1, CELL_PX)
        means += CELL_PX**2 // 2
        means //= CELL_PX**2
        beyond = [
            (MARGIN_CELLS, of - MARGIN_CELLS - side) for of, side in zip(levels.cells.shape, means.shape, strict=True)
        ]
        levels.cells[:] = np.pad(means, beyond, "edge")
        squares = whole[::STEP_PX, ::STEP_PX].reshape(rows, SAMPLES, columns, SAMPLES).transpose(1, 3, 0, 2)
        np.copyto(levels.samples.reshape(SAMPLES, SAMPLES, rows, columns), squares)
        levels.deviation[:] = _deviation(levels.samples)

    def motion(self, own: Levels, near: Levels) -> Index:
        """From a frame to its neighbour."""
        vectors = np.zeros_like(self._places)
        resting = _sums(own.samples, near.samples)
        active = np.flatnonzero(resting > REST_BIAS)
        if active.size:
            coarse = CELL_PX * self._coarse(own, near, active)
            corners = self._places[:, active] * BLOCK_PX
            found, cost = _finer(own.samples[..., active], near.fine, corners + coarse)
            vectors[:, active] = np.where(cost + REST_BIAS < resting[active], coarse + found, 0)
        return vectors.reshape(2, *self._grid)

    def _coarse(self, own: Levels, near: Levels, active: Index) -> Index:
        """The first search: the best vectors (2, active blocks), in cells.

        Squares overlap, so differences are summed up over all rows of blocks that hold an active one.
        """
        first, columns = active[0] // self._grid[1], self._grid[1]
        rows, count = active[-1] // columns + 1 - first, 2 * COARSE_CELLS + 1
        part = slice(BLOCK_CELLS * first, BLOCK_CELLS * (first + rows) + 2 * MARGIN_CELLS)
        ours, theirs = own.cells[part].reshape(-1), near.cells[part].reshape(-1)
        width = own.cells.shape[1]
        height = BLOCK_CELLS * (rows + 1)
        size = height * width - 2 * COARSE_CELLS  # but for what no square reads in the last row
        ours = ours[COARSE_CELLS * (width + 1) :][:size]
        costs = np.empty((count, count, rows, columns), np.uint16)
        difference = np.zeros((count, height * width), np.int16)
        for y in range(count):
            tried = sliding_window_view(theirs[y * width :], size)[:count]
            np.subtract(ours, tried, out=difference[:, :size])
            np.abs(difference, out=difference)
            whole = difference.view(np.uint16).reshape(count, height, width)
            groups = _grouped(whole, 1, BLOCK_CELLS)
            groups = _grouped(groups[:, :-1] + groups[:, 1:], 2, BLOCK_CELLS)
            np.add(groups[..., :columns], groups[..., 1 : columns + 1], out=costs[y])
        vectors, _ = _least(costs.reshape(count, count, -1)[..., active - first * columns], COARSE_CELLS)
        return vectors

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


def _grouped(values: npt.NDArray[Any], axis: int, count: int) -> npt.NDArray[Any]:
    """Sums of so many after each other."""
    parts = [values[(slice(None),) * axis + (slice(first, None, count),)] for first in range(count)]
    sums: npt.NDArray[Any] = parts[0] + parts[1]
    for part in parts[2:]:
        sums += part
    return sums


def _finer(ours: Whole, plane: Whole, around: Index) -> tuple[Index, Sums]:
    """The second search: the best vectors (2, blocks) around the corners `around` in a neighbour's plane, and their
    costs.

    ours: (SAMPLES, SAMPLES, blocks).
    """
    count, span, blocks = 2 * FINE_PX + 1, STEP_PX * (SAMPLES - 1) + 1, around.shape[1]
    area = _square(plane, around - FINE_PX, span + 2 * FINE_PX, 1)
    rows, columns, each = area.strides
    costs = np.empty((count, count, blocks), np.uint16)
    shape = (count, SAMPLES, SAMPLES, blocks)
    difference = np.empty(shape, np.int16)
    for y in range(count):
        tried = as_strided(area[y:], shape, (columns, STEP_PX * rows, STEP_PX * columns, each))
        np.subtract(ours, tried, out=difference)
        np.abs(difference, out=difference)
        whole = difference.reshape(count, -1, blocks).view(np.uint16)
        np.add.reduce(whole, axis=1, dtype=np.uint16, out=costs[y])
    return _least(costs, FINE_PX)


def _least(costs: npt.NDArray[np.uint16], reach: int) -> tuple[Index, Sums]:
    """The best vectors (2, blocks) of a search, and what they cost with its bias. costs: (y, x, blocks)."""
    order, steps = _order(reach)
    ordered = costs[order[0] + reach, order[1] + reach] + steps
    first = ordered.argmin(axis=0)  # of equals the first
    return order[:, first], ordered[first, np.arange(first.size)]


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
