"""The planes of a picture in one piece of memory, on the GPU or pinned."""

from __future__ import annotations

import math

import numpy as np

from framebrush.gpu.cuda.native import PLANE_ALIGNMENT, Bytes
from framebrush.gpu.frame import FrameFormat, Plane


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
