"""Buffers and textures, each labelled, and the planes of a picture as textures with their memory for the CPU."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.native import Com, Native, Owned
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.layouts import Record

ROW_PITCH_BYTES = 256  # D3D12_TEXTURE_DATA_PITCH_ALIGNMENT
PLACEMENT_BYTES = 512  # D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT
TEXTURE_LIMIT_PX = 16384  # D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION
CONSTANT_BYTES = 512  # of one constant buffer; addresses are multiples of 256

Bytes = npt.NDArray[np.uint8]


def aligned(value: int, unit: int) -> int:
    """value rounded up to a multiple of unit."""
    return -(-value // unit) * unit


class Buffer:
    """Linear memory. heap: D3D12_HEAP_TYPE_DEFAULT (the GPU's), _UPLOAD or _READBACK (the CPU's, mapped for good).

    mapped: the bytes of an upload or readback buffer; empty for the GPU's own. resting: its state between command
    lists.
    """

    def __init__(self, native: Native, size_bytes: int, label: str, *, heap: int, unordered: bool = False) -> None:
        description = D.D3D12_RESOURCE_DESC()
        description.Dimension = D.D3D12_RESOURCE_DIMENSION_BUFFER
        description.Width, description.Height = size_bytes, 1
        description.DepthOrArraySize = description.MipLevels = description.SampleDesc.Count = 1
        description.Layout = D.D3D12_TEXTURE_LAYOUT_ROW_MAJOR
        description.Flags = D.D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS if unordered else 0
        state = {
            D.D3D12_HEAP_TYPE_UPLOAD: D.D3D12_RESOURCE_STATE_GENERIC_READ,
            D.D3D12_HEAP_TYPE_READBACK: D.D3D12_RESOURCE_STATE_COPY_DEST,
        }.get(heap, D.D3D12_RESOURCE_STATE_COMMON)
        self._owned = _committed(native, heap, description, state, f"'{label}' {size_bytes} bytes")
        self.com, self.size_bytes, self.label = self._owned.com, size_bytes, label
        self.resting = state
        self.address = int(self.com.GetGPUVirtualAddress())
        self.mapped: Bytes = np.empty(0, np.uint8)
        if heap != D.D3D12_HEAP_TYPE_DEFAULT:
            pointer = ctypes.c_void_p()
            native.check(self.com.Map(0, None, ctypes.byref(pointer)), "ID3D12Resource::Map", label)
            self.mapped = np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_uint8)), (size_bytes,))

    def close(self) -> None:
        """Release it. Idempotent; arrays over `mapped` are dead from now on."""
        self.mapped = np.empty(0, np.uint8)
        self._owned.close()


class ConstantBuffers:
    """So many constant buffers (b0 of kernels) in one piece of memory, which the CPU writes."""

    def __init__(self, native: Native, count: int, label: str) -> None:
        self._memory = Buffer(native, count * CONSTANT_BYTES, label, heap=D.D3D12_HEAP_TYPE_UPLOAD)

    def address(self, index: int) -> int:
        """Where the GPU finds one of them."""
        return self._memory.address + index * CONSTANT_BYTES

    def write(self, index: int, record: Record) -> int:
        """Fill one of them, which the GPU does not read at this moment; returns its address."""
        data = np.frombuffer(record.tobytes(), np.uint8)
        self._memory.mapped[index * CONSTANT_BYTES :][: data.size] = data
        return self.address(index)

    def close(self) -> None:
        """Release them. Idempotent."""
        self._memory.close()


class Texture:
    """A 2D picture in the GPU's memory. resting: its state between command lists; one that only kernels of one queue
    use rests best as what it is read in, which saves a change at either end of a list."""

    def __init__(
        self,
        native: Native,
        size_px: tuple[int, int],
        fmt: int,
        label: str,
        *,
        unordered: bool = False,
        resting: int = D.D3D12_RESOURCE_STATE_COMMON,
    ) -> None:
        if max(size_px) > TEXTURE_LIMIT_PX:
            raise DeviceError(
                f"texture '{label}' of {size_px[0]}x{size_px[1]}: Direct3D 12 allows at most {TEXTURE_LIMIT_PX}"
            )
        description = D.D3D12_RESOURCE_DESC()
        description.Dimension = D.D3D12_RESOURCE_DIMENSION_TEXTURE2D
        description.Width, description.Height = size_px
        description.DepthOrArraySize = description.MipLevels = description.SampleDesc.Count = 1
        description.Format = fmt
        description.Flags = D.D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS if unordered else 0
        what = f"'{label}' {size_px[0]}x{size_px[1]}"
        self._owned = _committed(native, D.D3D12_HEAP_TYPE_DEFAULT, description, resting, what)
        self.resting = resting
        self.com, self.size_px, self.format, self.label = self._owned.com, size_px, fmt, label

    def close(self) -> None:
        """Release it. Idempotent."""
        self._owned.close()


class PlaneTextures:
    """The planes of a picture as textures, and where their rows lie in one buffer of the CPU's side.

    A plane of shape (rows, columns[, components]) becomes R8, R8G8 or R8G8B8A8, or their 16-bit kin; normalised
    (UNORM) for reading, whole numbers (UINT) for writing, so that a kernel alone decides how samples are rounded.
    Floats are read as floats.
    """

    def __init__(
        self,
        native: Native,
        shapes: tuple[tuple[int, ...], ...],
        dtype: npt.DTypeLike,
        label: str,
        *,
        written: bool = False,
    ) -> None:
        self.shapes, self.dtype = shapes, np.dtype(dtype)
        self.textures: list[Texture] = []
        self.footprints: list[Com] = []
        self.size_bytes = 0
        try:
            for index, shape in enumerate(shapes):
                rows, columns, components = (*shape, 1)[:3]
                fmt = plane_format(self.dtype, components, written=written)
                name = f"{label} plane {index}"
                self.textures.append(Texture(native, (columns, rows), fmt, name, unordered=written))
                pitch = aligned(columns * components * self.dtype.itemsize, ROW_PITCH_BYTES)
                self.footprints.append(placed((columns, rows), fmt, self.size_bytes, pitch))
                self.size_bytes = aligned(self.size_bytes + pitch * rows, PLACEMENT_BYTES)
        except BaseException:
            self.close()
            raise

    def views(self, memory: Bytes) -> tuple[npt.NDArray[Any], ...]:
        """The planes as arrays over a buffer's mapped bytes, rows at D3D12's pitch."""
        return tuple(
            np.ndarray(
                shape,
                self.dtype,
                memory.data,
                footprint.Offset,
                _strides(shape, self.dtype.itemsize, footprint.Footprint.RowPitch),
            )
            for shape, footprint in zip(self.shapes, self.footprints, strict=True)
        )

    def close(self) -> None:
        """Release the textures. Idempotent."""
        for texture in self.textures:
            texture.close()


def placed(size_px: tuple[int, int], fmt: int, offset: int, pitch: int) -> Com:
    """Where a plane lies in a buffer, both in bytes."""
    footprint = D.D3D12_PLACED_SUBRESOURCE_FOOTPRINT()
    footprint.Offset = offset
    picture = footprint.Footprint
    (picture.Width, picture.Height), picture.Depth = size_px, 1
    picture.Format, picture.RowPitch = fmt, pitch
    return footprint


def plane_format(dtype: npt.DTypeLike, components: int, *, written: bool) -> int:
    """DXGI format of a plane of samples of a type and 1, 2 or 4 components."""
    sample = np.dtype(dtype)
    kind = "UINT" if written else "FLOAT" if sample.kind == "f" else "UNORM"
    return int(getattr(X, f"DXGI_FORMAT_{channels_of(sample.itemsize, components)}_{kind}"))


def channels_of(sample_bytes: int, components: int) -> str:
    """What the names of the DXGI formats of such a plane begin with, "R8G8" for example."""
    return {1: "R{0}", 2: "R{0}G{0}", 4: "R{0}G{0}B{0}A{0}"}[components].format(8 * sample_bytes)


def _strides(shape: tuple[int, ...], sample_bytes: int, pitch: int) -> tuple[int, ...]:
    return (pitch, sample_bytes) if len(shape) == 2 else (pitch, shape[2] * sample_bytes, sample_bytes)


def _committed(native: Native, heap: int, description: Com, state: int, label: str) -> Owned:
    properties = D.D3D12_HEAP_PROPERTIES()
    properties.Type = heap
    return native.make(
        "CreateCommittedResource",
        D.ID3D12Resource,
        label,
        ctypes.byref(properties),
        D.D3D12_HEAP_FLAG_NONE,
        ctypes.byref(description),
        state,
        None,
    )
