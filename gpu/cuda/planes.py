"""The planes of a picture in one piece of memory, on the GPU or pinned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from framebrush.gpu.cuda.native import PLANE_ALIGNMENT, Bytes
from framebrush.gpu.frame import FrameFormat, Plane

BAND_BYTES = 512 << 10
"""What one thread copies at a time; a frame of less is copied by the caller alone."""

COPY_THREADS = 3
"""Beside the caller's: one alone copies about 10 GB a second, which is less than a fast GPU paints."""


class Copier:
    """Copies planes in host memory with a few threads."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(COPY_THREADS, thread_name_prefix="framebrush-copy")

    def copy(self, to: Sequence[Plane], source: Sequence[Plane]) -> None:
        """Copy planes of the same shapes and types, row by row, without a temporary."""
        bands = []
        for into, plane in zip(to, source, strict=True):
            rows = max(1, BAND_BYTES // max(1, plane[:1].nbytes))
            bands += [(into[at : at + rows], plane[at : at + rows]) for at in range(0, len(plane), rows)]
        others = [self._pool.submit(np.copyto, *band, casting="no") for band in bands[1:]] if len(bands) > 3 else []
        for band in bands[: 1 if others else None]:
            np.copyto(*band, casting="no")
        for other in others:
            other.result()

    def close(self) -> None:
        """End the threads. Idempotent."""
        self._pool.shutdown()


class PlaneLayout:
    """Where the planes of a format lie. Rows follow each other without a gap; a plane begins at a multiple of
    PLANE_ALIGNMENT. offsets: of each plane in bytes. row_bytes: of a row of each. size_bytes: of all."""

    def __init__(self, picture: FrameFormat) -> None:
        self._shapes, self._dtype = picture.plane_shapes, np.dtype(picture.dtype)
        self.row_bytes = tuple(math.prod(shape[1:]) * self._dtype.itemsize for shape in self._shapes)
        self.rows = tuple(shape[0] for shape in self._shapes)
        offsets, end = [], 0
        for rows, row_bytes in zip(self.rows, self.row_bytes, strict=True):
            offsets.append(end)
            end += -(-rows * row_bytes // PLANE_ALIGNMENT) * PLANE_ALIGNMENT
        self.offsets, self.size_bytes = tuple(offsets), end

    def pointers(self, begin: int) -> tuple[int, ...]:
        """Addresses of the planes in memory that begins there."""
        return tuple(begin + offset for offset in self.offsets)

    @property
    def pitches(self) -> tuple[int, ...]:
        """Samples from row to row of each plane."""
        return tuple(row // self._dtype.itemsize for row in self.row_bytes)

    def views(self, memory: Bytes) -> tuple[Plane, ...]:
        """The planes in memory of the host."""
        sizes = (rows * row for rows, row in zip(self.rows, self.row_bytes, strict=True))
        return tuple(
            memory[offset : offset + size].view(self._dtype).reshape(shape)
            for offset, size, shape in zip(self.offsets, sizes, self._shapes, strict=True)
        )
