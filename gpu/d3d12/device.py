"""An opened Direct3D 12 adapter: its queues, kernels and DirectML, and everything made on it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, Self

import win32more.Windows.Win32.Graphics.Direct3D12 as D

from gpu.d3d12 import adapters
from gpu.d3d12.descriptors import Descriptors
from gpu.d3d12.directml import DirectML
from gpu.d3d12.kernels import Kernel, Variant
from gpu.d3d12.native import Native
from gpu.d3d12.queue import Queue
from gpu.d3d12.stylizer import D3D12Stylizer, check_formats
from gpu.d3d12.swapchain import SwapChain
from gpu.device import DeviceInfo, GpuError, Tiling
from gpu.frame import FrameFormat
from gpu.look import Look
from models.style import Style


class _Closes(Protocol):
    def close(self) -> None: ...


def open(info: DeviceInfo, *, debug: bool = False, dump_shaders: Path | None = None) -> D3D12Device:  # noqa: A001
    """Open a listed adapter. Raises GpuError naming what is missing.

    debug: Direct3D's debug layer, where it is installed; its messages join the errors. dump_shaders: a folder that
    gets every kernel's source and bytecode.
    """
    return D3D12Device(info, debug=debug, dump_shaders=dump_shaders)


class D3D12Device:
    """See gpu.device.Device. One thread at a time."""

    def __init__(self, info: DeviceInfo, *, debug: bool, dump_shaders: Path | None) -> None:
        self.note = ""
        self._dump_shaders = dump_shaders
        self._kernels: dict[Variant, Kernel] = {}
        self._children: list[_Closes] = []
        self._own: list[_Closes] = []
        factory = adapters.open_factory()
        try:
            adapter = adapters.open_adapter(factory, info)
            try:
                self.native = Native(adapter, debug=debug)
            finally:
                adapter.Release()
        finally:
            factory.Release()
        try:
            self.info = self._in_use(info)
            self._make()
        except BaseException:
            self.close()
            raise

    def _in_use(self, asked: DeviceInfo) -> DeviceInfo:
        """The adapter that the device reports, whatever was asked for."""
        luid = self.native.luid
        for info in adapters.list_adapters():
            if info.luid == luid:
                return info
        raise GpuError(f"the device for '{asked.name}' runs on an adapter that DXGI does not list (LUID {luid:#x})")

    def _make(self) -> None:
        def queue(kind: int, label: str, *, no_timeout: bool = False) -> Queue:
            made = Queue(self.native, kind, label, no_timeout=no_timeout)
            self._own.append(made)
            return made

        self.copy = queue(D.D3D12_COMMAND_LIST_TYPE_COPY, "upload queue")
        self.download = queue(D.D3D12_COMMAND_LIST_TYPE_COPY, "readback queue")
        self.compute = queue(D.D3D12_COMMAND_LIST_TYPE_COMPUTE, "compute queue", no_timeout=True)
        self.direct = queue(D.D3D12_COMMAND_LIST_TYPE_DIRECT, "screen queue")
        self.descriptors = Descriptors(self.native)
        self._own.append(self.descriptors)
        self.directml = DirectML(self.native, self.compute)
        self._own.append(self.directml)

    @property
    def live_count(self) -> int:
        """How many native objects made on this device are alive, those of ONNX Runtime included."""
        return self.native.live_count + sum(self.directml.ort.live.values())

    def kernel(self, variant: Variant) -> Kernel:
        """A kernel, compiled at its first use."""
        if variant not in self._kernels:
            self._kernels[variant] = Kernel(self.native, variant, dump=self._dump_shaders)
        return self._kernels[variant]

    def stylizer(
        self,
        style: Style,
        source: FrameFormat,
        target: FrameFormat,
        *,
        look: Look | None = None,
        tiling: Tiling = "auto",
        slots: int = 3,
    ) -> D3D12Stylizer:
        """See gpu.device.Device.stylizer."""
        self._check_open()
        check_formats(source, target)
        made = D3D12Stylizer(self, style, source, target, look=look or Look(), tiling=tiling, slots=slots)
        self._children.append(made)
        return made

    def surface(self, window: int, width: int, height: int, *, bits: int = 8) -> SwapChain:
        """A swap chain on a window (HWND), in physical pixels. bits: 8, or 10 for R10G10B10A2."""
        self._check_open()
        made = SwapChain(self, window, width, height, bits=bits)
        self._children.append(made)
        return made

    def wait_idle(self) -> None:
        """Sleep until every queue has finished; returns at once where the device is lost."""
        for queue in (self.copy, self.compute, self.direct, self.download):
            queue.idle()

    def forget(self, child: _Closes) -> None:
        """A stylizer or surface has closed itself."""
        if child in self._children:
            self._children.remove(child)

    def close(self) -> None:
        """See gpu.device.Device.close. What was made on it is closed first."""
        for child in reversed(self._children[:]):
            child.close()
        for kernel in self._kernels.values():
            kernel.close()
        self._kernels.clear()
        for thing in reversed(self._own):
            thing.close()
        self._own.clear()
        self.native.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if not self._own:
            raise GpuError(f"'{self.info.name}' is closed")
