"""Pictures in strips of rows that stay in a core's cache, which is worth more than threads: numpy's single steps on a
strip take some microseconds, and handing its lock from thread to thread takes as long."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Tensor = npt.NDArray[np.float32 | np.float16]

ZERO, ONE = np.float32(0.0), np.float32(1.0)

STRIP_PIXELS = 128_000


def strip_rows(width: int) -> int:
    """Rows of a strip: a multiple of 16, so that subsampling, the dither of halved planes, and blocks of the search for
    motion begin anew in each."""
    return max(16, STRIP_PIXELS // width // 16 * 16)


def strips(height: int, rows: int) -> Iterator[tuple[int, int]]:
    """(first row, end row) of each strip of a picture."""
    for first in range(0, height, rows):
        yield first, min(first + rows, height)


def dot(weights: npt.NDArray[np.float32], channels: Floats, out: Floats, spare: Floats) -> None:
    """out = the weighted sum of the three channels of (3, rows, columns); out and spare are (rows, columns)."""
    np.multiply(channels[0], weights[0], out=out)
    for channel in (1, 2):
        np.multiply(channels[channel], weights[channel], out=spare)
        out += spare


def is_finite(values: Tensor) -> bool:
    """Whether there is neither NaN nor infinity; quicker than a mask of all values."""
    return bool(values.min() > -np.inf and values.max() < np.inf)  # false for NaN, too


def look_up(table: Floats, values: Floats, index: npt.NDArray[np.intp], out: Floats) -> None:
    """The table's entries nearest to values 0..1. index: scratch of the same shape; out may be values."""
    np.multiply(values, np.float32(table.size - 1), out=out)
    out += np.float32(0.5)
    np.copyto(index, out, casting="unsafe")
    np.take(table, index, out=out, mode="clip")
