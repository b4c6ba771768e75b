"""Temporal filter, with 16-bit numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.stages import kernels
from framebrush.gpu.cpu.stages.motion import Levels, Search, Shorts, Vectors
from framebrush.gpu.cpu.stages.strips import ONE, Floats, Tensor, Workers, strip_rows, strips
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.steady import LIKENESS_CODES, SIXTEENTHS

NONE_BAD = np.empty((0, 0), np.uint8)
"""Mask of a finite painting, for `kernels.add_neighbour`."""


@dataclass(slots=True)
class Painted:
    """Frame and painting, prepared for neighbours.

    Attributes:
        source: (3, H, W) in sixteenths of a code.
        clean: (3, H * scale, W * scale), 0..1, 0 for non-finite.
        bad: mask of non-finite values.
        motions: by the other frame's number.
    """

    source: Shorts
    clean: Floats
    levels: Levels
    bad: npt.NDArray[np.bool_] | None = None
    number: int = 0
    motions: dict[int, Vectors] = field(default_factory=dict)


class Steadier:
    """Filter for results of one size."""

    def __init__(self, size: Size, scale: int, workers: Workers) -> None:
        width, height = self._width, self._height = size
        self._scale, self._workers = scale, workers
        self._search = Search(size)
        self._taken = 0
        self._weight_sum = np.empty((scale * height, scale * width), np.float32)

    def allocate(self) -> Painted:
        width, height, scale = self._width, self._height, self._scale
        return Painted(
            np.empty((3, height, width), np.int16),
            np.empty((3, scale * height, scale * width), np.float32),
            self._search.allocate(),
        )

    def add_frame(self, frame: Tensor, styled: Tensor, into: Painted) -> None:
        """Prepare a network's input and output (3, >=H * scale, >=W * scale)."""
        shown, painting = (values.astype(np.float32, copy=False) for values in (frame, styled))
        finite = np.ones(1, np.int32)
        kept = into.source, into.clean, into.levels.fine, finite
        self._workers.run(self._height, self._width, kernels.keep_painting, shown, painting, self._scale, *kept)
        painting = painting[:, : into.clean.shape[1], : into.clean.shape[2]]
        into.bad = None if finite[0] else ~np.isfinite(painting)
        into.levels.average()
        self._taken += 1
        into.number = self._taken
        into.motions.clear()

    def run(
        self, own: Painted, before: Sequence[Painted], after: Sequence[Painted], strength: float, result: Floats
    ) -> None:
        """Compute the result, NaN for non-finite values.

        before, after: nearest first.
        """
        near = [other for side in (before, after) for other in self._chain(own, side)]
        self._workers.run(self._height, self._width, self._combine, own, near, strength, result)
        if own.bad is not None:
            result[own.bad] = np.nan

    def _combine(self, own: Painted, near: Sequence[_Moved], strength: float, result: Floats, y0: int, y1: int) -> None:
        for first, end in strips(y1 - y0, strip_rows(self._width)):
            top, bottom = y0 + first, y0 + end
            large = slice(self._scale * top, self._scale * bottom)
            total, weights = result[:, large], self._weight_sum[large]
            np.copyto(total, own.clean[:, large])
            weights[:] = ONE
            for other in near:
                other.add(own, strength, result, self._weight_sum, top, bottom)
            total /= weights

    def _chain(self, own: Painted, side: Sequence[Painted]) -> Iterator[_Moved]:
        last, vectors, sure = own, None, None
        for other in side:
            on = self._motion(last, other)
            vectors = on if vectors is None else self._search.followed(vectors, on)
            last = other
            here = self._search.match_confidence(own.levels, other.levels, vectors)
            sure = here if sure is None else np.minimum(sure, here)
            if not sure.any():
                return
            yield _Moved(other, vectors, self._search.interpolate_confidence(sure, vectors), self._scale)

    def _motion(self, own: Painted, other: Painted) -> Vectors:
        if other.number not in own.motions:
            own.motions[other.number] = self._search.motion(own.levels, other.levels)
        return own.motions[other.number]


class _Moved:
    def __init__(self, painted: Painted, vectors: Vectors, sure: Floats, scale: int) -> None:
        self._painted, self._vectors, self._sure, self._scale = painted, vectors, sure, scale
        self._bad = NONE_BAD if painted.bad is None else np.logical_or.reduce(painted.bad, axis=0).view(np.uint8)

    def add(self, own: Painted, strength: float, total: Floats, weights: Floats, y0: int, y1: int) -> None:
        other = self._painted
        there = own.source, other.source, other.clean, self._bad, self._vectors, self._sure, self._scale
        per_likeness = -2.0 / (9 * SIXTEENTHS * LIKENESS_CODES * strength)
        kernels.add_neighbour(*there, per_likeness, total, weights, y0, y1)
