"""Layout of a picture's planes in one buffer."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import FrameFormat, Plane
from framebrush.gpu.webgpu.native import PLANE_ALIGNMENT, Buffer
from framebrush.gpu.webgpu.pipelines import Bound


class PlaneLayout:
    """Byte offsets of unpadded planes, aligned to PLANE_ALIGNMENT."""

    def __init__(self, picture: FrameFormat) -> None:
        self._shapes, self._dtype = picture.plane_shapes, np.dtype(picture.dtype)
        self._offsets, end = list[int](), 0
        for shape in self._shapes:
            self._offsets.append(end)
            end += -(-math.prod(shape) * self._dtype.itemsize // PLANE_ALIGNMENT) * PLANE_ALIGNMENT
        self.size_bytes = end

    def bound(self, memory: Buffer) -> tuple[Bound, ...]:
        """Return the binding of each plane."""
        ends = (*self._offsets[1:], self.size_bytes)
        return tuple(memory.bound(begin, end - begin) for begin, end in zip(self._offsets, ends, strict=True))

    def views(self, memory: npt.NDArray[np.uint8]) -> tuple[Plane, ...]:
        """Return views of the planes in host memory."""
        return tuple(
            memory[offset : offset + math.prod(shape) * self._dtype.itemsize].view(self._dtype).reshape(shape)
            for offset, shape in zip(self._offsets, self._shapes, strict=True)
        )
