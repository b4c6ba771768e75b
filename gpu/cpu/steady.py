"""The filter over time. The reference is `gpu.reference.steady`; its whole numbers have 16 bits here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from framebrush.gpu.cpu.motion import Index, Levels, Search, Whole
from framebrush.gpu.cpu.strips import ONE, ZERO, Floats, Tensor, is_finite, strip_rows, strips
from framebrush.gpu.sizes import Size
from framebrush.gpu.steady import BLOCK_PX, LIKENESS_CODES, SIXTEENTHS, TOGETHER_PX

Picture: TypeAlias = npt.NDArray[Any]
"""(C, H, W), or (H, W) for all channels alike."""


@dataclass(slots=True)
class Painted:
    """A frame and its painting, as neighbours need them. source: (3, H, W) in sixteenths of a code. clean: the painting
    (3, H * scale, W * scale) within 0..1, its places that are not finite 0. bad: where they are, None where there are
    none. number: of the frame, among all that were taken. motions: those found so far, by the other frame's number."""

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
        self._difference = np.empty((3, rows + 2, width), np.int16)
        self._sums = np.empty((rows + 2, width), np.uint16)
        self._nearness = np.empty((rows, width), np.uint16)
        self._half = np.empty_like(self._nearness)
        self._sure = np.empty_like(self._float)
        self._product = np.empty((3, scale * rows, scale * width), np.float32)
        self._weight_sum = np.empty_like(self._product[0])

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
                if other.is_sure(y0, y1):
                    weights = self._likeness(own, other, strength, y0, y1)
                    weights *= other.sureness(y0, y1, self._sure)
                    self._add(other, weights, (y0, y1), total, weight_sum)
            total /= weight_sum
        if own.bad is not None:
            result[own.bad] = np.nan

    def _chain(self, own: Painted, side: Sequence[Painted]) -> Iterator[_Moved]:
        """The neighbours of one side, moved along the vectors from frame to frame."""
        last, vectors, sure = own, None, None
        for other in side:
            on = last.motions.get(other.number)
            if on is None:
                on = last.motions[other.number] = self._search.motion(last.levels, other.levels)
            vectors = on if vectors is None else self._search.followed(vectors, on)
            last = other
            here = self._search.sureness(own.levels, other.levels, vectors)
            sure = here if sure is None else np.minimum(sure, here)
            if not sure.any():
                return
            yield _Moved(other, vectors, sure, (self._width, self._height))

    def _add(self, other: _Moved, weights: Floats, rows: tuple[int, int], total: Floats, weight_sum: Floats) -> None:
        """Add a neighbour's painting, and its weights, in these rows of the working size."""
        scale, painted = self._scale, other.painted
        if scale > 1:
            weights = weights.repeat(scale, axis=0).repeat(scale, axis=1)
        if painted.bad is not None:
            good = ~np.logical_or.reduce(painted.bad, axis=0, keepdims=True)
            known = np.empty((1, *weights.shape), np.float32)
            other.combine(np.multiply, weights, good, rows, known, scale)
            weights = known[0]
        product = self._product[:, : total.shape[1]]
        other.combine(np.multiply, weights, painted.clean, rows, product, scale)
        total += product
        weight_sum += weights

    def _likeness(self, own: Painted, other: _Moved, strength: float, y0: int, y1: int) -> Floats:
        """The weights of the sources in rows y0 to y1."""
        above, below = max(0, y0 - 1), min(self._height, y1 + 1)
        rows, at = y1 - y0, 1 - (y0 - above)
        channels = self._difference[:, at : at + below - above]
        other.combine(np.subtract, own.source[:, above:below], other.painted.source, (above, below), channels)
        np.abs(channels, out=channels)
        difference = self._difference[0, : rows + 2]
        for channel in channels[1:]:
            np.maximum(channels[0], channel, out=channels[0])
        if at:
            difference[0] = difference[1]
        if below == y1:
            difference[rows + 1] = difference[rows]
        whole = difference.view(np.uint16)
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
        return weights


class _Moved:
    """A neighbour as its vectors bring it to a frame's place.

    Most of a film stands still, so a strip is combined as it lies, and then anew where blocks move. Where many of a row
    do, the row is gathered pixel by pixel.
    """

    def __init__(self, painted: Painted, vectors: Index, sure: Floats, size: Size) -> None:
        """vectors: (2, rows, columns) of blocks, y and x in pixels. sure: (rows, columns)."""
        self.painted, self._vectors, self._size = painted, vectors, size
        self._runs, self._busy = _runs(vectors, size[0])
        self._sure = _sureness(sure, vectors, size[0])

    def combine(
        self, operation: np.ufunc, own: Picture, other: Picture, rows: tuple[int, int], out: Picture, scale: int = 1
    ) -> None:
        """out = operation(own, other), with the other picture (C, H * scale, W * scale) moved.

        own, out: of these rows of the working size, so many times as large.
        """
        y0, y1 = (scale * y for y in rows)
        side = scale * BLOCK_PX
        blocks = range(y0 // side, -(-y1 // side))
        if not all(self._busy[row] for row in blocks):
            operation(own, other[:, y0:y1], out=out)
        for row in blocks:
            top, bottom = max(row * side, y0), min((row + 1) * side, y1)
            here = np.s_[..., top - y0 : bottom - y0, :]
            if self._busy[row]:
                places = self._places(row, top, bottom, scale)
                there = other.reshape(len(other), -1).take(places, axis=1, mode="clip")
                operation(own[here], there, out=out[here])
                continue
            for y, x, left, right in self._runs[row]:
                part = (*here[:2], slice(scale * left, scale * right))
                there = _part(other, top + scale * y, bottom + scale * y, scale * (left + x), scale * (right + x))
                operation(own[part], there, out=out[part])

    def _places(self, row: int, top: int, bottom: int, scale: int) -> Index:
        """Where the neighbour's samples are in a channel: for pixels of a row of blocks, top to bottom, in a picture so
        many times as large."""
        width, height = (scale * side for side in self._size)
        y, x = (scale * self._vectors[:, row]).repeat(scale * BLOCK_PX, axis=1)[:, :width]
        rows = np.arange(top, bottom)[:, None]
        places: Index = width * rows + (width * y + np.clip(np.arange(width) + x, 0, width - 1))
        if y.min() < -top or y.max() > height - bottom:
            rows = rows + y
            places += width * (np.clip(rows, 0, height - 1) - rows)
        return places

    def is_sure(self, y0: int, y1: int) -> bool:
        """Whether it has a weight in these rows, which begin with a block."""
        return bool(self._sure[y0 // BLOCK_PX : -(-y1 // BLOCK_PX)].any())

    def sureness(self, y0: int, y1: int, out: Floats) -> Floats:
        """(rows, W), in the memory `out`, which has room for whole blocks."""
        sure = self._sure[y0 // BLOCK_PX : -(-y1 // BLOCK_PX)]
        np.matmul(_BETWEEN.T, sure, out=out[: BLOCK_PX * len(sure)].reshape(len(sure), BLOCK_PX, -1))
        return np.maximum(out[: y1 - y0], ZERO, out=out[: y1 - y0])


BUSY_SHARE = 2
"""A row of blocks is gathered where it has more runs than one for so many blocks."""


def _between() -> Floats:
    """(3, BLOCK_PX): the shares of the block before, the own and the block behind at each pixel."""
    far = (np.arange(BLOCK_PX) + 0.5) / BLOCK_PX - 0.5
    return np.stack([np.maximum(-far, 0.0), 1.0 - np.abs(far), np.maximum(far, 0.0)]).astype(np.float32)


_BETWEEN = _between()


def _sureness(sure: Floats, vectors: Index, width: int) -> Floats:
    """(rows of blocks, 3, W): how sure a neighbour is in the middle rows of the blocks above, of those of the row and
    of those below, as they count for these."""
    near, far = (np.pad(values, ((0, 0), (1, 1), (1, 1)), "edge") for values in (sure[None], vectors))
    around, there = (sliding_window_view(values, (3, 3), (1, 2)) for values in (near, far))
    y, x = np.abs(there - vectors[..., None, None])
    around = np.where(y + x > TOGETHER_PX, -sure[..., None, None], around[0]).transpose(0, 2, 1, 3)
    rows = len(sure)
    return (around.reshape(rows, -1, 3) @ _BETWEEN).reshape(rows, 3, -1)[..., :width]


def _runs(vectors: Index, width: int) -> tuple[list[list[tuple[int, int, int, int]]], list[bool]]:
    """For each row of blocks the runs of blocks that move together: their vector, y and x, and from and to which pixel
    they reach; and whether there are too many, which are not listed."""
    rows, columns = vectors.shape[1:]
    begins = np.ones((rows, columns), np.bool_)
    begins[:, 1:] = np.logical_or.reduce(vectors[..., 1:] != vectors[..., :-1])
    busy = begins.sum(axis=1) > 1 + columns // BUSY_SHARE
    first = np.flatnonzero(begins)
    length = np.diff(first, append=begins.size)
    y, x = vectors.reshape(2, -1)[:, first]
    row, left = np.divmod(first, columns)
    listed = ((y != 0) | (x != 0)) & ~busy[row]
    right = np.minimum(BLOCK_PX * (left + length), width)
    found = (values[listed].tolist() for values in (row, y, x, BLOCK_PX * left, right))
    runs: list[list[tuple[int, int, int, int]]] = [[] for _ in range(rows)]
    for number, *run in zip(*found, strict=True):
        runs[number].append(run)
    return runs, busy.tolist()


def _part(picture: Picture, top: int, bottom: int, left: int, right: int) -> Picture:
    """Of (C, H, W), with its edges repeated."""
    height, width = picture.shape[1:]
    if top >= 0 and left >= 0 and bottom <= height and right <= width:
        return picture[:, top:bottom, left:right]
    rows, columns = np.arange(top, bottom), np.arange(left, right)
    return picture[:, np.clip(rows, 0, height - 1)[:, None], np.clip(columns, 0, width - 1)]


def _luma(rgb: Tensor, spare: Floats, out: Whole) -> None:
    """R' + 2 G' + B' in codes of 8 bits."""
    np.add(rgb[1], rgb[1], out=spare, dtype=np.float32)
    spare += rgb[0]
    spare += rgb[2]
    spare *= np.float32(255)
    spare += np.float32(0.5)
    np.copyto(out, spare, casting="unsafe")
