"""Buffers, textures, and pictures' planes as textures."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.native import Com, Native, Owned
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import FrameFormat, PlaneOrder
from framebrush.gpu.layouts import Record

ROW_PITCH_BYTES = 256  # D3D12_TEXTURE_DATA_PITCH_ALIGNMENT
PLACEMENT_BYTES = 512  # D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT
TEXTURE_LIMIT_PX = 16384  # D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION
CONSTANT_BYTES = 512  # of one constant buffer; addresses are multiples of 256

Bytes = npt.NDArray[np.uint8]


def aligned(value: int, unit: int) -> int:
    """Round up to a multiple."""
    return -(-value // unit) * unit


class Buffer:
    """Linear memory. mapped: host bytes. resting: state between command lists.

    heap: D3D12_HEAP_TYPE_DEFAULT (GPU), _UPLOAD or _READBACK (host, permanently mapped).
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
            result = self.com.Map(0, None, ctypes.byref(pointer))
            if result < 0:
                self._owned.close()
            native.check(result, "ID3D12Resource::Map", label)
            self.mapped = np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_uint8)), (size_bytes,))

    def close(self) -> None:
        """Release the buffer and its mapped bytes."""
        self.mapped = np.empty(0, np.uint8)
        self._owned.close()


class ConstantBuffers:
    """Array of constant buffers (b0) in host-visible memory."""

    def __init__(self, native: Native, count: int, label: str) -> None:
        self._memory = Buffer(native, count * CONSTANT_BYTES, label, heap=D.D3D12_HEAP_TYPE_UPLOAD)

    def address(self, index: int) -> int:
        """Return the GPU address of a constant buffer."""
        return self._memory.address + index * CONSTANT_BYTES

    def write(self, index: int, record: Record) -> int:
        """Write a constant buffer that the GPU is not reading; return its address."""
        data = np.frombuffer(record.tobytes(), np.uint8)
        self._memory.mapped[index * CONSTANT_BYTES :][: data.size] = data
        return self.address(index)

    def close(self) -> None:
        self._memory.close()


class Texture:
    """2D texture. resting: state between command lists."""

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
        self._owned.close()


class PlaneTextures:
    """Planes of a picture as textures, and their rows in a host buffer.

    R8, R8G8, R8G8B8A8, B8G8R8A8 or 16 bits: UNORM to read, UINT to write, so that kernels round.
    """

    def __init__(self, native: Native, picture: FrameFormat, label: str, *, written: bool = False) -> None:
        self.shapes, self.dtype = picture.plane_shapes, np.dtype(picture.dtype)
        self.textures: list[Texture] = []
        self.footprints: list[Com] = []
        self.size_bytes = 0
        try:
            for index, shape in enumerate(self.shapes):
                rows, columns, components = (*shape, 1)[:3]
                fmt = plane_format(picture, components, written=written)
                name = f"{label} plane {index}"
                self.textures.append(Texture(native, (columns, rows), fmt, name, unordered=written))
                pitch = aligned(columns * components * self.dtype.itemsize, ROW_PITCH_BYTES)
                self.footprints.append(placed((columns, rows), fmt, self.size_bytes, pitch))
                self.size_bytes = aligned(self.size_bytes + pitch * rows, PLACEMENT_BYTES)
        except BaseException:
            self.close()
            raise

    def views(self, memory: Bytes) -> tuple[npt.NDArray[Any], ...]:
        """Return views of planes with D3D12's pitch."""
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
        for texture in self.textures:
            texture.close()


def placed(size_px: tuple[int, int], fmt: int, offset: int, pitch: int) -> Com:
    """Return a plane's placed footprint. offset, pitch: in bytes."""
    footprint = D.D3D12_PLACED_SUBRESOURCE_FOOTPRINT()
    footprint.Offset = offset
    picture = footprint.Footprint
    (picture.Width, picture.Height), picture.Depth = size_px, 1
    picture.Format, picture.RowPitch = fmt, pitch
    return footprint


def plane_format(picture: FrameFormat, components: int, *, written: bool) -> int:
    """Return the DXGI format of a plane's 1, 2 or 4 components."""
    kind = "UINT" if written else "FLOAT" if picture.floating else "UNORM"
    return int(getattr(X, f"DXGI_FORMAT_{plane_channels(picture, components)}_{kind}"))


def plane_channels(picture: FrameFormat, components: int) -> str:
    """Return the channels of a plane's format, such as "R8G8"."""
    if picture.layout is PlaneOrder.BGRA:
        return "B8G8R8A8"
    return channels_of(np.dtype(picture.dtype).itemsize, components)


def channels_of(sample_bytes: int, components: int) -> str:
    """Return the channels of a format, such as "R8G8"."""
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
