"""Pictures as tensors in the GPU's memory, and the small buffers that go with them."""

from __future__ import annotations

import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.descriptors import TypedView
from framebrush.gpu.d3d12.native import Native
from framebrush.gpu.d3d12.resources import Buffer, aligned
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.sizes import Size

TENSOR_FORMAT = {
    "float32": X.DXGI_FORMAT_R32_FLOAT,
    "float16": X.DXGI_FORMAT_R16_FLOAT,
    "unorm16": X.DXGI_FORMAT_R16_UNORM,  # 0..1 in 65536 steps, for kernels only
}
ELEMENT_BYTES = {"float32": 4, "float16": 2, "unorm16": 2}
ELEMENTS_LIMIT = 1 << 27  # D3D12_REQ_BUFFER_RESOURCE_TEXEL_COUNT_2_TO_EXP
FLAG_BYTES = 4


class TensorBuffer:
    """A picture's tensor (1, 3, H, W) in the GPU's memory."""

    def __init__(self, native: Native, size_px: Size, precision: str, label: str) -> None:
        elements = 3 * size_px[0] * size_px[1]
        if elements > ELEMENTS_LIMIT:
            raise DeviceError(
                f"tensor '{label}' of {size_px[0]}x{size_px[1]} has {elements} elements where Direct3D 12 allows at "
                f"most {ELEMENTS_LIMIT}; try --max-size"
            )
        size_bytes = aligned(elements * ELEMENT_BYTES[precision], 4)
        self.buffer = Buffer(native, size_bytes, label, heap=D.D3D12_HEAP_TYPE_DEFAULT, unordered=True)
        self.view = TypedView(self.buffer, TENSOR_FORMAT[precision], elements)
        self.size_px, self.precision = size_px, precision
        self.shape = (1, 3, size_px[1], size_px[0])

    def close(self) -> None:
        """Release it. Idempotent."""
        self.buffer.close()


class Flag:
    """One number that a kernel sets to 1."""

    def __init__(self, native: Native, label: str) -> None:
        self.buffer = Buffer(native, FLAG_BYTES, label, heap=D.D3D12_HEAP_TYPE_DEFAULT, unordered=True)
        self.view = TypedView(self.buffer, X.DXGI_FORMAT_R32_UINT, 1)

    def close(self) -> None:
        """Release it. Idempotent."""
        self.buffer.close()
