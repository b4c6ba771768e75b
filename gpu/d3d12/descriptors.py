"""Descriptor tables in the device's one shader-visible heap."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Callable, Iterable
from copy import copy

import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.native import Com, Native, returned
from framebrush.gpu.d3d12.resources import Buffer, Texture
from framebrush.gpu.errors import DeviceError

CAPACITY = 16384


class BufferView:
    """View of a buffer as structures, or as elements that loads convert."""

    def __init__(self, buffer: Buffer, fmt: int, elements: int, *, structure_bytes: int = 0) -> None:
        """Create a view. structure_bytes: 0 for elements."""
        self.com, self.elements, self.resting = buffer.com, elements, buffer.resting
        self.structure_bytes, self._format = structure_bytes, fmt
        self.size_bytes, self.first = buffer.size_bytes, 0

    @property
    def format(self) -> int:
        return X.DXGI_FORMAT_UNKNOWN if self.structure_bytes else self._format

    def as_elements(self) -> BufferView:
        """Return a view as elements."""
        made = copy(self)
        made.structure_bytes = 0
        return made

    def as_words(self) -> BufferView:
        """Return the buffer as uint32 elements."""
        made = self.as_elements()
        made._format, made.elements = X.DXGI_FORMAT_R32_UINT, self.size_bytes // 4
        return made

    def part(self, first: int, elements: int) -> BufferView:
        """Return a part."""
        made = copy(self)
        made.first, made.elements = first, elements
        return made


View = Texture | BufferView


def typed(views: Iterable[View]) -> frozenset[int]:
    """Return the numbers of views as elements."""
    return frozenset(
        number for number, view in enumerate(views) if isinstance(view, BufferView) and not view.structure_bytes
    )


class Table:
    """Descriptors in a kernel's order. gpu, cpu: handles; clears need both.

    resources: with resting states. typed: see `typed`.
    """

    def __init__(self, heap: Descriptors, start: int, views: tuple[View, ...]) -> None:
        self._heap, self.start, self.count = heap, start, len(views)
        self.typed = typed(views)
        self.resources = list({view.com.value: (view.com, view.resting) for view in views}.values())
        self.gpu = D.D3D12_GPU_DESCRIPTOR_HANDLE()
        self.gpu.ptr = heap.gpu_start + start * heap.step
        self.cpu = D.D3D12_CPU_DESCRIPTOR_HANDLE()
        self.cpu.ptr = heap.hidden_start + start * heap.step

    def close(self) -> None:
        """Return the range to the heap."""
        if self.count:
            self._heap.free[self.count].append(self.start)
            self.count = 0


class Descriptors:
    """Heap of all descriptors, as command lists use one."""

    def __init__(self, native: Native) -> None:
        self._native = native
        description = D.D3D12_DESCRIPTOR_HEAP_DESC()
        description.NumDescriptors = CAPACITY
        make, kind, cpu = "CreateDescriptorHeap", D.ID3D12DescriptorHeap, D.D3D12_CPU_DESCRIPTOR_HANDLE
        self._hidden = native.make(make, kind, "descriptors for clearing", ctypes.byref(description))
        self.hidden_start = returned(self._hidden.com, "GetCPUDescriptorHandleForHeapStart", cpu).ptr
        description.Flags = D.D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE
        try:
            self._owned = native.make(make, kind, "descriptors", ctypes.byref(description))
        except BaseException:
            self._hidden.close()
            raise
        com, gpu = self._owned.com, D.D3D12_GPU_DESCRIPTOR_HANDLE
        self._cpu_start = returned(com, "GetCPUDescriptorHandleForHeapStart", cpu).ptr
        self.gpu_start = returned(com, "GetGPUDescriptorHandleForHeapStart", gpu).ptr
        self.step = native.device.GetDescriptorHandleIncrementSize(D.D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV)
        self.array = (D.ID3D12DescriptorHeap * 1)(com)
        self._used = 0
        self.free: defaultdict[int, list[int]] = defaultdict(list)

    def read(self, *views: View) -> Table:
        """Create a table of read-only views: t0, t1, ..."""
        return self._table(views, self._read)

    def write(self, *views: View) -> Table:
        """Create a table of writable views: u0, u1, ..."""
        return self._table(views, self._write)

    def words(self, view: BufferView) -> Table:
        """Create a table for `Recorder.clear`, of words."""
        whole = view.as_words()
        table = self.write(whole)
        self._write(whole, table.cpu)
        return table

    def close(self) -> None:
        self._owned.close()
        self._hidden.close()

    def _table(self, views: tuple[View, ...], create: Callable[[View, Com], None]) -> Table:
        count = len(views)
        if self.free[count]:
            start = self.free[count].pop()
        elif self._used + count <= CAPACITY:
            start, self._used = self._used, self._used + count
        else:
            raise DeviceError(f"no room for {count} more descriptors among {CAPACITY}: close a stylizer first")
        for index, view in enumerate(views):
            handle = D.D3D12_CPU_DESCRIPTOR_HANDLE()
            handle.ptr = self._cpu_start + (start + index) * self.step
            create(view, handle)
        return Table(self, start, views)

    def _read(self, view: View, handle: Com) -> None:
        description = D.D3D12_SHADER_RESOURCE_VIEW_DESC()
        description.Format = view.format
        description.Shader4ComponentMapping = D.D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING
        if isinstance(view, BufferView):
            description.ViewDimension = D.D3D12_SRV_DIMENSION_BUFFER
            description.Buffer.FirstElement = view.first
            description.Buffer.NumElements = view.elements
            description.Buffer.StructureByteStride = view.structure_bytes
        else:
            description.ViewDimension = D.D3D12_SRV_DIMENSION_TEXTURE2D
            description.Texture2D.MipLevels = 1
        self._native.device.CreateShaderResourceView(view.com, ctypes.byref(description), handle)

    def _write(self, view: View, handle: Com) -> None:
        description = D.D3D12_UNORDERED_ACCESS_VIEW_DESC()
        description.Format = view.format
        if isinstance(view, BufferView):
            description.ViewDimension = D.D3D12_UAV_DIMENSION_BUFFER
            description.Buffer.FirstElement = view.first
            description.Buffer.NumElements = view.elements
            description.Buffer.StructureByteStride = view.structure_bytes
        else:
            description.ViewDimension = D.D3D12_UAV_DIMENSION_TEXTURE2D
        self._native.device.CreateUnorderedAccessView(view.com, None, ctypes.byref(description), handle)
