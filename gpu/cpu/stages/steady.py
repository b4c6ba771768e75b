"""The filter over time. The reference is `gpu.stages.steady.reference`; its whole numbers have 16 bits here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.stages.motion import Index, Levels, Search, Whole
from framebrush.gpu.cpu.strips import ONE, ZERO, Floats, Tensor, is_finite, strip_rows, strips
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.steady import BLOCK_PX, LIKENESS_CODES, SIXTEENTHS, TOGETHER_PX


@dataclass(slots=True)
class Painted:
    """A frame and its painting, as neighbours need them. source: (3, H, W) in sixteenths of a code. clean: the painting
    (3, H * scale, W * scale) within 0..1, its places that are not finite 0. bad: where they are, None where there are
    none. number: of the frame, among all that were taken. motions: those found so far, by the other frame's number.
    """

    source: Whole
    clean: Floats
    levels: Levels
    bad: npt.NDArray[np.bool_] | None = None
    number: int = 0
    motions: dict[int, Index] = field(default_factory=dict)


class Steadier:
    """Makes results of one size, one at a time."""

    def __init__(self, size: Size, scale: int) -> None:
        """size: the working size. scale: sides of the network's output over those of its input."""
        width, _ = self._width, self._height = size
        self._scale = scale
        self._search = Search(size)
        self._taken = 0
        self._rows = rows = strip_rows(width)
        self._float = np.empty((rows, width), np.float32)
        self._luma = np.empty((rows, width), np.int16)
        self._channel = np.empty((rows + 2, width), np.int16)
        self._difference = np.empty_like(self._channel)
        self._sums = np.empty((rows + 2, width), np.uint16)
        self._nearness = np.empty((rows, width), np.uint16)
        self._half = np.empty_like(self._nearness)
        self._product = np.empty((scale * rows, scale * width), np.float32)
        self._weight_sum = np.empty_like(self._product)

    def allocate(self) -> Painted:
        """The memory of a frame."""
        width, height, scale = self._width, self._height, self._scale
        return Painted(
            np.empty((3, height, width), np.int16),
            np.empty((3, scale * height, scale * width), np.float32),
            self._search.allocate(),
        )

    def take(self, frame: Tensor, styled: Tensor, into: Painted) -> None:
        """Keep the network's input (3, >=H, >=W) and its output (3, >=H * scale, >=W * scale)."""
        painting = styled[:, : into.clean.shape[1], : into.clean.shape[2]]
        np.clip(painting, ZERO, ONE, out=into.clean, dtype=np.float32)
        into.bad = None
        if not is_finite(painting):
            into.bad = ~np.isfinite(painting)
            into.clean[into.bad] = ZERO
        middle = slice(self._scale // 2, None, self._scale)
        sampled = into.clean[:, middle, middle]
        for y0, y1 in strips(self._height, self._rows):
            source, values = frame[:, y0:y1, : self._width], self._float[: y1 - y0]
            for channel in range(3):
                np.multiply(source[channel], np.float32(255 * SIXTEENTHS), out=values, dtype=np.float32)
                values += np.float32(0.5)
                np.copyto(into.source[channel, y0:y1], values, casting="unsafe")
            fine, luma = into.levels.fine[y0:y1], self._luma[: y1 - y0]
            _luma(source, values, fine)
            _luma(sampled[:, y0:y1], values, luma)
            fine += luma
            fine += 1
            fine >>= 1
        self._search.prepare(into.levels)
        self._taken += 1
        into.number = self._taken
        into.motions.clear()

    def run(
        self, own: Painted, before: Sequence[Painted], after: Sequence[Painted], strength: float, result: Floats
    ) -> None:
        """Fill the result (3, H * scale, W * scale). before, after: the neighbours of either side, the nearest first.
        What is not finite in the frame's own painting is NaN."""
        near = [other for side in (before, after) for other in self._chain(own, side)]
        for y0, y1 in strips(self._height, self._rows):
            large = slice(self._scale * y0, self._scale * y1)
            total = result[:, large]
            np.copyto(total, own.clean[:, large])
            weight_sum = self._weight_sum[: total.shape[1]]
            weight_sum[:] = ONE
            for other in near:
                sure = other.sureness(y0, y1)
                if sure is not None:
                    weights, index = self._likeness(own, other, strength, y0, y1)
                    weights *= sure
                    if self._scale > 1:
                        index = other.index(y0, y1, self._scale)
                    self._add(other.painted, weights, index, y0, total, weight_sum)
            total /= weight_sum
        if own.bad is not None:
            result[own.bad] = np.nan

    def _chain(self, own: Painted, side: Sequence[Painted]) -> Iterator[_Moved]:
        """The neighbours of one side, moved along the vectors from frame to frame."""
        last, vectors, sure = own, None, None
        for other in side:
            on = self._motion(last, other)
            vectors = on if vectors is None else self._search.followed(vectors, on)
            last = other
            here = self._search.sureness(own.levels, other.levels, vectors)
            sure = here if sure is None else np.minimum(sure, here)
            if not sure.any():
                return
            yield _Moved(other, vectors, sure, (self._width, self._height), self._scale)

    def _motion(self, own: Painted, other: Painted) -> Index:
        if other.number not in own.motions:
            own.motions[other.number] = self._search.motion(own.levels, other.levels)
        return own.motions[other.number]

    def _add(
        self, other: Painted, weights: Floats, index: Index | None, y0: int, total: Floats, weight_sum: Floats
    ) -> None:
        """Add a neighbour's painting in a strip that begins at a row of the working size, and its weight."""
        if self._scale > 1:
            weights = weights.repeat(self._scale, axis=0).repeat(self._scale, axis=1)
        first, rows = self._scale * y0, total.shape[1]
        product = self._product[:rows]
        if other.bad is not None:
            bad = np.logical_or.reduce(other.bad, axis=0)
            weights *= ~(bad[first : first + rows] if index is None else bad.reshape(-1).take(index))
        for channel in range(3):
            if index is None:
                np.multiply(other.clean[channel, first : first + rows], weights, out=product)
            else:
                np.take(other.clean[channel].reshape(-1), index, out=product, mode="clip")
                product *= weights
            total[channel] += product
        weight_sum += weights

    def _likeness(self, own: Painted, other: _Moved, strength: float, y0: int, y1: int) -> tuple[Floats, Index | None]:
        """The weights of the sources in rows y0 to y1, and the index of these rows."""
        above, below = max(0, y0 - 1), min(self._height, y1 + 1)
        index = other.index(above, below, 1)
        rows, at = y1 - y0, 1 - (y0 - above)
        difference = self._difference[at : at + below - above]
        spare = self._channel[: below - above]
        for channel in range(3):
            here, there = own.source[channel, above:below], other.painted.source[channel]
            out = spare if channel else difference
            if index is None:
                np.subtract(here, there[above:below], out=out)
            else:
                np.take(there.reshape(-1), index, out=spare, mode="clip")
                np.subtract(here, spare, out=out)
            np.abs(out, out=out)
            if channel:
                np.maximum(difference, spare, out=difference)
        if at:
            self._difference[0] = self._difference[1]
        if below == y1:
            self._difference[rows + 1] = self._difference[rows]
        whole = self._difference[: rows + 2].view(np.uint16)
        sums, nearness, half = self._sums[: rows + 2], self._nearness[:rows], self._half[:rows]
        np.add(whole[:, :-1], whole[:, 1:], out=sums[:, :-1])
        sums[:, -1] = whole[:, -1] * 2
        sums[:, 1:] += whole[:, :-1]
        sums[:, 0] += whole[:, 0]
        np.add(sums[:-2], sums[1:-1], out=nearness)
        nearness += sums[2:]
        np.multiply(whole[1:-1], 9, out=half)
        half >>= 1
        np.maximum(nearness, half, out=nearness)
        weights = self._float[:rows]
        np.multiply(nearness, np.float32(-2.0 / (9 * SIXTEENTHS * LIKENESS_CODES * strength)), out=weights)
        weights += np.float32(2.0)
        np.clip(weights, ZERO, ONE, out=weights)
        return weights, None if index is None else index[y0 - above : y1 - above]


class _Moved:
    """A neighbour as its vectors bring it to a frame's place."""

    def __init__(self, painted: Painted, vectors: Index, sure: Floats, size: Size, scale: int) -> None:
        """vectors: (2, rows, columns) of blocks, y and x in pixels. sure: (rows, columns)."""
        self.painted, self._vectors, self._size = painted, vectors, size
        self._moves = np.logical_or.reduce(vectors, axis=(0, 2))
        self._across = {factor: self._places(factor) for factor in {1, scale}} if self._moves.any() else {}
        self._sure, self._steps = self._sureness(sure)

    def _sureness(self, sure: Floats) -> tuple[Floats, Floats]:
        """(rows of blocks, W): how sure the neighbour is in the middle row of each row of blocks; and
        (2, rows of blocks, W): by how much that changes to the middle row of the one above and below."""
        rows, columns = sure.shape
        beyond = np.pad(sure, 1, "edge")
        vectors = np.pad(self._vectors, ((0, 0), (1, 1), (1, 1)), "edge")
        far, block = _way(self._size[0])
        values = []
        for y in (1, 0, 2):
            around = []
            for x in (1, 0, 2):
                part = slice(y, y + rows), slice(x, x + columns)
                apart = np.abs(vectors[:, *part] - self._vectors).sum(axis=0)
                around.append(np.where(apart > TOGETHER_PX, -sure, beyond[part]).take(block, axis=1))
            side = np.where(far < 0, around[1], around[2])
            values.append(around[0] + (side - around[0]) * np.abs(far))
        return values[0], np.stack(values[1:]) - values[0]

    def _places(self, scale: int) -> Index:
        """(rows of blocks, W * scale): what is added to the place of a row's first sample."""
        width = self._size[0] * scale
        block = np.arange(width) // (scale * BLOCK_PX)
        y, x = scale * self._vectors.take(block, axis=2)
        x += np.arange(width)
        np.clip(x, 0, width - 1, out=x)
        y *= width
        places: Index = y
        places += x
        return places

    def index(self, y0: int, y1: int, scale: int) -> Index | None:
        """For rows y0 to y1 of the working size, so many times as large, the places of the neighbour's samples in a
        channel; None where nothing moves."""
        if not self._moves[y0 // BLOCK_PX : -(-y1 // BLOCK_PX)].any():
            return None
        width, height = (side * scale for side in self._size)
        rows = np.arange(scale * y0, scale * y1)
        block = rows // (scale * BLOCK_PX)
        index = self._across[scale].take(block, axis=0)
        index += (rows * width)[:, None]
        there = rows[:, None] + scale * self._vectors[0].take(block, axis=0)
        outside = there - np.clip(there, 0, height - 1)
        if outside.any():
            index -= (outside * width).repeat(scale * BLOCK_PX, axis=1)[:, :width]
        return index

    def sureness(self, y0: int, y1: int) -> Floats | None:
        """(rows, W); None where it is 0."""
        every, blocks_ = _way(self._size[1])
        far, block = every[y0:y1], blocks_[y0:y1]
        if not self._sure[block[0] : block[-1] + 1].any():
            return None
        sure: Floats = self._steps.reshape(-1, self._size[0]).take(block + (far > 0) * len(self._sure), axis=0)
        sure *= np.abs(far)[:, None]
        sure += self._sure.take(block, axis=0)
        return np.maximum(sure, ZERO, out=sure)


@lru_cache(maxsize=16)
def _way(length: int) -> tuple[Floats, Index]:
    """For each pixel along a side how far it is from the middle of its block, in blocks, -0.5..0.5; and the block."""
    pixels = np.arange(length)
    return ((pixels % BLOCK_PX + 0.5) / BLOCK_PX - 0.5).astype(np.float32), pixels // BLOCK_PX


def _luma(rgb: Tensor, spare: Floats, out: Whole) -> None:
    """R' + 2 G' + B' in codes of 8 bits."""
    np.add(rgb[1], rgb[1], out=spare, dtype=np.float32)
    spare += rgb[0]
    spare += rgb[2]
    spare *= np.float32(255)
    spare += np.float32(0.5)
    np.copyto(out, spare, casting="unsafe")
