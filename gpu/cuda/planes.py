"""Layout of a picture's planes in one allocation."""

from __future__ import annotations

import math

import numpy as np

from framebrush.gpu.cuda.native import PLANE_ALIGNMENT, Bytes
from framebrush.gpu.frame import FrameFormat, Plane


class PlaneLayout:
    """Byte offsets of unpadded planes, aligned to PLANE_ALIGNMENT."""

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
        """Return the planes' addresses in an allocation."""
        return tuple(begin + offset for offset in self.offsets)

    @property
    def pitches(self) -> tuple[int, ...]:
        """Planes' pitches in samples."""
        return tuple(row // self._dtype.itemsize for row in self.row_bytes)

    def views(self, memory: Bytes) -> tuple[Plane, ...]:
        """Return views of the planes in host memory."""
        sizes = (rows * row for rows, row in zip(self.rows, self.row_bytes, strict=True))
        return tuple(
            memory[offset : offset + size].view(self._dtype).reshape(shape)
            for offset, size, shape in zip(self.offsets, sizes, self._shapes, strict=True)
        )
