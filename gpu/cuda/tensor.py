"""Tensors of pictures in GPU memory."""

from __future__ import annotations

from framebrush.gpu.cuda.native import DeviceMemory, Native
from framebrush.gpu.sizes import Size

ELEMENT_BYTES = {"float32": 4, "float16": 2}


class Tensor:
    """Picture (1, 3, H, W). element: type name for kernels."""

    def __init__(self, native: Native, size_px: Size, precision: str, label: str) -> None:
        self.size_px, self.precision = size_px, precision
        self.shape = (1, 3, size_px[1], size_px[0])
        self._memory = DeviceMemory(native, 3 * size_px[0] * size_px[1] * ELEMENT_BYTES[precision], label)
        self.pointer, self.size_bytes = self._memory.pointer, self._memory.size_bytes
        self.element = ("ELEMENT", self.element_number)

    @property
    def element_number(self) -> str:
        return "1" if self.precision == "float16" else "0"

    def close(self) -> None:
        self._memory.close()
