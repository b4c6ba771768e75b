"""Tensors in GPU memory, and flags."""

from __future__ import annotations

import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.descriptors import BufferView
from framebrush.gpu.d3d12.native import Native
from framebrush.gpu.d3d12.resources import Buffer, aligned, channels_of
from framebrush.gpu.errors import TRY_SMALLER, DeviceError
from framebrush.gpu.passes import Element, ElementType
from framebrush.gpu.sizes import Size

ELEMENTS_LIMIT = 1 << 27  # D3D12_REQ_BUFFER_RESOURCE_TEXEL_COUNT_2_TO_EXP
FLAG_BYTES = 4


def format_of(element: Element) -> int:
    """Return an element's DXGI format; unknown for structures."""
    parts = ElementType.of(element)
    if parts.kind == "struct":
        return int(X.DXGI_FORMAT_UNKNOWN)
    kind = {"float": "FLOAT", "unorm": "UNORM", "uint": "UINT", "int": "SINT"}[parts.kind]
    return int(getattr(X, f"DXGI_FORMAT_{channels_of(parts.bits // 8, parts.lanes)}_{kind}"))


def check_count(count: int, what: str) -> None:
    """Raise DeviceError for too many elements."""
    if count > ELEMENTS_LIMIT:
        raise DeviceError(
            f"{what} has {count} elements where Direct3D 12 allows at most {ELEMENTS_LIMIT}", do=TRY_SMALLER
        )


def view_of(buffer: Buffer, element: Element, count: int) -> BufferView:
    """Return a view of a buffer, as structures if of 32 bits."""
    parts = ElementType.of(element)
    structure = parts.size_bytes if parts.kind == "struct" or parts.bits == 32 else 0
    return BufferView(buffer, format_of(element), count, structure_bytes=structure)


class TensorBuffer:
    """Picture (1, 3, H, W) in GPU memory. unorm16: 0..1, for kernels."""

    def __init__(self, native: Native, size_px: Size, precision: Element, label: str) -> None:
        elements = 3 * size_px[0] * size_px[1]
        check_count(elements, f"tensor '{label}' of {size_px[0]}x{size_px[1]}")
        size_bytes = aligned(elements * ElementType.of(precision).size_bytes, 4)
        self.buffer = Buffer(native, size_bytes, label, heap=D.D3D12_HEAP_TYPE_DEFAULT, unordered=True)
        self.view = view_of(self.buffer, precision, elements)
        self.size_px, self.precision = size_px, precision
        self.shape = (1, 3, size_px[1], size_px[0])

    def close(self) -> None:
        self.buffer.close()


class Flag:
    """Word that a kernel sets to 1."""

    def __init__(self, native: Native, label: str) -> None:
        self.buffer = Buffer(native, FLAG_BYTES, label, heap=D.D3D12_HEAP_TYPE_DEFAULT, unordered=True)
        self.view = view_of(self.buffer, "uint32", 1)

    def close(self) -> None:
        self.buffer.close()
