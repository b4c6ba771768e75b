"""The filter over time. The reference is `gpu.reference.steady`; its whole numbers have 16 bits here.

Blocks that differ too little from their neighbour to be moved are not searched for: they are most of a film.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.blocks import ONE, ZERO, Floats, Tensor, blocks, is_finite
from framebrush.gpu.sizes import Size
from framebrush.gpu.steady import (
    BLOCK_PX,
    CELL_PX,
    COARSE_CELLS,
    FINE_PX,
    LIKENESS_CODES,
    REST_BIAS,
    SAMPLES,
    SIXTEENTHS,
    STEP_BIAS,
    offsets,
)

Whole = npt.NDArray[np.int16]
Sums = npt.NDArray[np.uint16]
Index = npt.NDArray[np.intp]

STEP_PX = BLOCK_PX // SAMPLES
STRIP_PIXELS = 24_000
FARTHEST = int(9 * LIKENESS_CODES * SIXTEENTHS)
"""A pixel that differs by more has no weight, nor its neighbours: their sums of 9, doubled, then fit 16 bits."""


@dataclass(slots=True)
class Painted:
    """A frame and its painting, as neighbours need them. source: (3, H, W) in sixteenths of a code. fine, cells: what
    motion is searched on. clean: the painting (3, H * scale, W * scale) within 0..1, its places that are not finite 0.
    bad: where they are, None where there are none."""

    source: Whole
    fine: Whole
    cells: Whole
    clean: Floats
    bad: npt.NDArray[np.bool_] | None = None


class Steadier:
    """Makes results of one size, one at a time."""

    def __init__(self, size: Size, scale: int) -> None:
        """size: the working size. scale: sides of the network's output over those of its input."""
        width, height = self._width, self._height = size
        self._scale = scale
        self._grid = -(-height // BLOCK_PX), -(-width // BLOCK_PX)
        self._rows = rows = max(BLOCK_PX, STRIP_PIXELS // width // BLOCK_PX * BLOCK_PX)
        self._float = np.empty((rows, width), np.float32)
        self._channel = np.empty((rows + 2, width), np.int16)
        self._difference = np.empty((rows + 2, width + 2), np.int16)
        self._sums = np.empty((rows + 2, width), np.uint16)
        self._nearness = np.empty((rows, width), np.uint16)
        self._product = np.empty((scale * rows, scale * width), np.float32)
        self._painting = np.empty_like(self._product)
        self._weight_sum = np.empty_like(self._product)

    def allocate(self) -> Painted:
        """The memory of a frame."""
        width, height, scale = self._width, self._height, self._scale
        return Painted(
            np.empty((3, height, width), np.int16),
            np.empty((height, width), np.int16),
            np.empty((-(-height // CELL_PX), -(-width // CELL_PX)), np.int16),
            np.empty((3, scale * height, scale * width), np.float32),
        )

    def take_source(self, tensor: Tensor, into: Painted) -> None:
        """Keep the network's input (3, >=H, >=W)."""
        width, height = self._width, self._height
        for y0, y1 in blocks(height, self._rows):
            values = self._float[: y1 - y0]
            for channel in range(3):
                np.multiply(tensor[channel, y0:y1, :width], np.float32(255 * SIXTEENTHS), out=values, dtype=np.float32)
                values += np.float32(0.5)
                np.copyto(into.source[channel, y0:y1], values, casting="unsafe")
            red, green, blue = into.source[:, y0:y1]
            fine = into.fine[y0:y1]
            np.add(red, blue, out=fine)
            fine += green
            fine += green
            fine += SIXTEENTHS // 2
            np.right_shift(fine, SIXTEENTHS.bit_length() - 1, out=fine)
        whole = np.pad(into.fine, ((0, -height % CELL_PX), (0, -width % CELL_PX)), "edge")
        columns = np.add.reduce([whole[:, start::CELL_PX] for start in range(CELL_PX)], dtype=np.int16)
        means = np.add.reduce([columns[start::CELL_PX] for start in range(CELL_PX)], dtype=np.int16)
        means += CELL_PX**2 // 2
        np.floor_divide(means, CELL_PX**2, out=into.cells)

    def take_painting(self, tensor: Tensor, into: Painted) -> None:
        """Keep the network's output (3, >=H * scale, >=W * scale)."""
        painting = tensor[:, : into.clean.shape[1], : into.clean.shape[2]]
        np.clip(painting, ZERO, ONE, out=into.clean, dtype=np.float32)
        into.bad = None
        if not is_finite(painting):
            into.bad = ~np.isfinite(painting)
            into.clean[into.bad] = ZERO

    def run(self, own: Painted, neighbours: Sequence[Painted], strength: float, result: Floats) -> None:
        """Fill the result (3, H * scale, W * scale). What is not finite in the frame's own painting is NaN."""
        near = [(other, self.motion(own, other)) for other in neighbours]
        for y0, y1 in blocks(self._height, self._rows):
            large = slice(self._scale * y0, self._scale * y1)
            total = result[:, large]
            np.copyto(total, own.clean[:, large])
            weight_sum = self._weight_sum[: total.shape[1]]
            weight_sum[:] = ONE
            for other, vectors in near:
                weights, index = self._likeness(own, other, vectors, strength, y0, y1)
                if weights.any():
                    self._add(other, weights, self._large_index(index, vectors, y0, y1), y0, total, weight_sum)
            total /= weight_sum
        if own.bad is not None:
            result[own.bad] = np.nan

    def _add(
        self, other: Painted, weights: Floats, index: Index | None, y0: int, total: Floats, weight_sum: Floats
    ) -> None:
        """Add a neighbour's painting in a strip that begins at a row of the working size, and its weight."""
        if self._scale > 1:
            weights = weights.repeat(self._scale, axis=0).repeat(self._scale, axis=1)
        first, rows = self._scale * y0, total.shape[1]
        product, buffer = self._product[:rows], self._painting[:rows]
        if other.bad is not None:
            bad = np.logical_or.reduce(other.bad, axis=0)
            weights *= ~(bad[first : first + rows] if index is None else bad.reshape(-1).take(index))
        for channel in range(3):
            if index is None:
                painting = other.clean[channel, first : first + rows]
            else:
                painting = np.take(other.clean[channel].reshape(-1), index, out=buffer, mode="clip")
            np.multiply(painting, weights, out=product)
            total[channel] += product
        weight_sum += weights

    def _likeness(
        self, own: Painted, other: Painted, vectors: Index, strength: float, y0: int, y1: int
    ) -> tuple[Floats, Index | None]:
        """The weights in rows y0 to y1, and the index of these rows."""
        above, below = max(0, y0 - 1), min(self._height, y1 + 1)
        index = self._index(vectors, above, below, 1)
        rows, at = y1 - y0, 1 - (y0 - above)
        padded = self._difference[: rows + 2]
        difference = padded[at : at + below - above, 1:-1]
        spare = self._channel[: below - above]
        for channel in range(3):
            here, there = own.source[channel, above:below], other.source[channel]
            out = spare if channel else difference
            if index is None:
                np.subtract(here, there[above:below], out=out)
            else:
                np.take(there.reshape(-1), index, out=spare, mode="clip")
                np.subtract(here, spare, out=out)
            np.abs(out, out=out)
            if channel:
                np.maximum(difference, spare, out=difference)
        np.minimum(difference, FARTHEST, out=difference)
        if at:
            padded[0] = padded[1]
        if below == y1:
            padded[rows + 1] = padded[rows]
        padded[:, 0], padded[:, -1] = padded[:, 1], padded[:, -2]
        whole, sums, nearness = padded.view(np.uint16), self._sums[: rows + 2], self._nearness[:rows]
        np.add(whole[:, :-2], whole[:, 1:-1], out=sums)
        sums += whole[:, 2:]
        np.add(sums[:-2], sums[1:-1], out=nearness)
        nearness += sums[2:]
        nearness += nearness
        middle = sums[:rows]
        np.multiply(whole[1:-1, 1:-1], 9, out=middle)
        np.maximum(nearness, middle, out=nearness)
        weights = self._float[:rows]
        np.multiply(nearness, np.float32(-2.0 / (18 * SIXTEENTHS * LIKENESS_CODES * strength)), out=weights)
        weights += np.float32(2.0)
        np.maximum(weights, ZERO, out=weights)
        np.minimum(weights, ONE, out=weights)
        return weights, None if index is None else index[y0 - above : y1 - above]

    def _large_index(self, index: Index | None, vectors: Index, y0: int, y1: int) -> Index | None:
        """The index of the network's output for rows y0 to y1 of the working size, whose index is known."""
        scale = self._scale
        return index if scale == 1 or index is None else self._index(vectors, scale * y0, scale * y1, scale)

    def _index(self, vectors: Index, y0: int, y1: int, scale: int) -> Index | None:
        """For rows y0 to y1 of a picture, so many times as large as the working size, the places of a neighbour's
        samples in a channel; None where nothing moves."""
        block = scale * BLOCK_PX
        part = vectors[:, y0 // block : -(-y1 // block)]
        if not part.any():
            return None
        height, width = scale * self._height, scale * self._width
        rows, columns = np.arange(y0, y1)[:, None], np.arange(width)
        across: Index = part.take(columns // block, axis=2)
        across *= scale
        across[1] += columns
        _hold(across[1], width)
        there: Index = across.take(rows[:, 0] // block - y0 // block, axis=1)
        there[0] += rows
        _hold(there[0], height)
        there[0] *= width
        places: Index = there[0]
        places += there[1]
        return places

    # Motion

    def motion(self, own: Painted, other: Painted) -> Index:
        """Vectors (2, rows, columns) of the blocks, y and x in pixels."""
        rows, columns = self._grid
        vectors = np.zeros((2, rows, columns), np.intp)
        places = np.stack(np.divmod(np.arange(rows * columns), columns))
        corners = places * BLOCK_PX
        resting = _costs((own.fine, other.fine), corners, np.zeros_like(places), 0, STEP_PX)[0]
        active = np.flatnonzero(resting > REST_BIAS)
        if not active.size:
            return vectors
        corners, resting = corners[:, active], resting[active]
        cells = (corners - (SAMPLES * CELL_PX - BLOCK_PX) // 2) // CELL_PX
        coarse, _ = _best((own.cells, other.cells), cells, np.zeros_like(cells), COARSE_CELLS, 1)
        found, cost = _best((own.fine, other.fine), corners, coarse * CELL_PX, FINE_PX, STEP_PX)
        vectors.reshape(2, -1)[:, active] = np.where(cost + REST_BIAS < resting, found, 0)
        return vectors


def _best(
    planes: tuple[Whole, Whole], corners: Index, around: Index, reach: int, step: int
) -> tuple[Index, npt.NDArray[np.int32]]:
    """The best vectors (2, blocks) within a reach of `around`, and their costs."""
    costs = _costs(planes, corners, around, reach, step)
    first = costs.argmin(axis=0)  # of equals the first
    return around + np.array(offsets(reach)).T[:, first], costs[first, np.arange(first.size)]


def _costs(planes: tuple[Whole, Whole], corners: Index, around: Index, reach: int, step: int) -> npt.NDArray[np.int32]:
    """(vectors, blocks): the sums of differences, with their bias, in the order of `offsets`.

    Blocks lie along the last axis, so that each sum is one of whole rows.
    """
    ours = _square(planes[0], corners, SAMPLES, step)
    count, span = 2 * reach + 1, step * (SAMPLES - 1) + 1
    area = _square(planes[1], corners + around - reach, span + 2 * reach, 1)
    rows, columns, blocks_ = area.strides
    costs = np.empty((count, count, corners.shape[1]), np.int32)
    shape = (count, SAMPLES, SAMPLES, corners.shape[1])
    difference = np.empty(shape, np.int16)
    for y in range(count):
        tried = np.lib.stride_tricks.as_strided(area[y:], shape, (columns, step * rows, step * columns, blocks_))
        np.subtract(ours, tried, out=difference)
        np.abs(difference, out=difference)
        sums = difference.reshape(count, -1, corners.shape[1]).view(np.uint16)
        costs[y] = np.add.reduce(sums, axis=1, dtype=np.uint16)
    order = np.array(offsets(reach))
    steps = np.abs(order).sum(axis=1)[:, None]
    sorted_costs: npt.NDArray[np.int32] = costs[order[:, 0] + reach, order[:, 1] + reach]
    sorted_costs += STEP_BIAS * steps.astype(np.int32)
    return sorted_costs


def _square(plane: Whole, corners: Index, side: int, step: int) -> Whole:
    """(side, side, blocks): samples from each corner on, the plane's edge repeated."""
    along = np.arange(side)[:, None] * step
    rows, columns = corners[0] + along, corners[1] + along
    _hold(rows, plane.shape[0])
    _hold(columns, plane.shape[1])
    rows *= plane.shape[1]
    square: Whole = plane.reshape(-1).take(rows[:, None] + columns)
    return square


def _hold(places: Index, length: int) -> None:
    """Keep places within a picture, in place; cheaper than `clip` where they are few."""
    np.maximum(places, 0, out=places)
    np.minimum(places, length - 1, out=places)
