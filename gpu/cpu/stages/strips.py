"""Strips of rows that fit in a core's cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVarTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu.c_kernels import bound

Floats = npt.NDArray[np.float32]
Tensor = npt.NDArray[np.float32 | np.float16]

Arguments = TypeVarTuple("Arguments")

ZERO, ONE = np.float32(0.0), np.float32(1.0)

STRIP_PIXELS = 128_000

LEAST_PIXELS = 32_000
"""Least pixels of a worker: fewer take less time than starting a thread."""


def strip_rows(width: int) -> int:
    """Return a strip's rows, a multiple of 16."""
    return max(16, STRIP_PIXELS // width // 16 * 16)


def strips(height: int, rows: int) -> Iterator[tuple[int, int]]:
    """Yield (first row, end row) of each strip."""
    for first in range(0, height, rows):
        yield first, min(first + rows, height)


def dot(weights: npt.NDArray[np.float32], channels: Floats, out: Floats, spare: Floats) -> None:
    """Compute the weighted sum of channels (3, rows, columns)."""
    np.multiply(channels[0], weights[0], out=out)
    for channel in (1, 2):
        np.multiply(channels[channel], weights[channel], out=spare)
        out += spare


def is_finite(values: Tensor) -> bool:
    """Return whether all values are finite."""
    return bool(values.min() > -np.inf and values.max() < np.inf)  # False for NaN, too


def look_up(table: Floats, values: Floats, index: npt.NDArray[np.intp], out: Floats) -> None:
    """Look up nearest entries for 0..1. out may be values."""
    np.multiply(values, np.float32(table.size - 1), out=out)
    out += np.float32(0.5)
    np.copyto(index, out, casting="unsafe")
    np.take(table, index, out=out, mode="clip")


class Workers:
    """Threads that share rows with the caller, for C kernels.

    of_film: on half of the processors.
    """

    def __init__(self, *, of_film: bool = False) -> None:
        processors = os.cpu_count() or 1
        self._count = max(1, processors // 2) if of_film else processors  # network and encoder take the others
        self._pool = ThreadPoolExecutor(self._count, thread_name_prefix="framebrush-rows")

    def run(self, rows: int, width: int, work: Callable[[*Arguments, int, int], None], *arguments: *Arguments) -> None:
        """Call work(*arguments, y0, y1) for all rows."""
        if not rows:
            return
        of_rows = bound(work, *arguments)
        own, *others = strips(rows, max(LEAST_PIXELS // width, -(-rows // self._count)))
        waiting = [self._pool.submit(of_rows, *part) for part in others]
        try:
            of_rows(*own)
        finally:
            if waiting:
                wait(waiting)
        for part in waiting:
            part.result()

    def close(self) -> None:
        self._pool.shutdown()
