"""An opened Direct3D 12 adapter: its queues, kernels and DirectML, and everything made on it."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12 import adapters
from framebrush.gpu.d3d12.descriptors import Descriptors
from framebrush.gpu.d3d12.directml import DirectML
from framebrush.gpu.d3d12.kernels import Kernel, Variant
from framebrush.gpu.d3d12.native import Closes, Keeper, Native
from framebrush.gpu.d3d12.queue import Queue
from framebrush.gpu.d3d12.slot import ELEMENT_BYTES
from framebrush.gpu.d3d12.stylizer import D3D12Stylizer, check_formats
from framebrush.gpu.d3d12.swapchain import SwapChain
from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.errors import DeviceError, OutOfMemoryError
from framebrush.gpu.frame import FrameFormat
from framebrush.gpu.look import Look
from framebrush.gpu.tiles import Plan, Tiling, activation_bytes_per_pixel, plan
from framebrush.models.style import Style

BUDGET_SHARE = 0.8  # of the free memory: the rest is for the driver's own


def open(  # noqa: A001
    info: DeviceInfo, *, debug: bool = False, timing: bool = False, dump_shaders: Path | None = None
) -> D3D12Device:
    """Open a listed adapter. Raises DeviceError naming what is missing.

    debug: Direct3D's debug layer, where it is installed; its messages join the errors. timing: measure the stages of
    every frame. dump_shaders: a folder that gets every kernel's source and bytecode.
    """
    return D3D12Device(info, debug=debug, timing=timing, dump_shaders=dump_shaders)


class D3D12Device:
    """See framebrush.gpu.device.Device. One thread at a time."""

    def __init__(self, info: DeviceInfo, *, debug: bool, timing: bool, dump_shaders: Path | None) -> None:
        self.note, self.timing = "", timing
        self._dump_shaders = dump_shaders
        self._kernels: dict[Variant, Kernel] = {}
        self._children: list[Closes] = []
        self._own = Keeper()
        self._closed = False
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
        raise DeviceError(f"the device for '{asked.name}' runs on an adapter that DXGI does not list (LUID {luid:#x})")

    def _make(self) -> None:
        def queue(kind: int, label: str, *, no_timeout: bool = False) -> Queue:
            return self._own.keep(Queue(self.native, kind, label, no_timeout=no_timeout))

        self.copy = queue(D.D3D12_COMMAND_LIST_TYPE_COPY, "upload queue")
        self.download = queue(D.D3D12_COMMAND_LIST_TYPE_COPY, "readback queue")
        self.compute = queue(D.D3D12_COMMAND_LIST_TYPE_COMPUTE, "compute queue", no_timeout=True)
        self.direct = queue(D.D3D12_COMMAND_LIST_TYPE_DIRECT, "screen queue")
        self.descriptors = self._own.keep(Descriptors(self.native))
        self.directml = self._own.keep(DirectML(self.native, self.compute))

    @property
    def live_count(self) -> int:
        """How many native objects made on this device are alive, those of ONNX Runtime included."""
        return self.native.live_count + sum(self.directml.ort.live.values())

    def kernel(self, variant: Variant) -> Kernel:
        """A kernel, compiled at its first use."""
        if variant not in self._kernels:
            self._kernels[variant] = self._own.keep(Kernel(self.native, variant, dump=self._dump_shaders))
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
        """See framebrush.gpu.device.Device.stylizer."""
        self._check_open()
        check_formats(source, target)
        need, budget = 0.0, 0
        if tiling == "auto":
            side = 8 * style.card.stride
            need = activation_bytes_per_pixel(style.fixed(side, side))
            budget = self._budget_bytes(source, target, style, slots)

        def layout_within(budget_bytes: int) -> Plan:
            size = source.width, source.height
            return plan(*size, style.card, tiling, bytes_per_pixel=need, budget_bytes=budget_bytes)

        layout = layout_within(budget)
        while True:
            try:
                made = D3D12Stylizer(self, style, source, target, look=look or Look(), plan=layout, slots=slots)
            except OutOfMemoryError:
                # What a driver adds to a network's tensors is only known by trying: half the side, while that helps.
                smaller = layout_within(int(layout.tile_width * layout.tile_height * need) // 4)
                if smaller == layout:
                    raise
                layout = smaller
                continue
            self._children.append(made)
            return made

    def _budget_bytes(self, source: FrameFormat, target: FrameFormat, style: Style, slots: int) -> int:
        """What the operating system grants this process for the network, after the frames in flight."""
        tensors = 2 * 3 * ELEMENT_BYTES[style.card.precision] * source.width * source.height
        planes = sum(8 * source.width * source.height * np.dtype(side.dtype).itemsize for side in (source, target))
        granted = adapters.free_bytes(self.info)
        return max(0, int(granted * BUDGET_SHARE) - slots * (tensors + planes))

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

    def forget(self, child: Closes) -> None:
        """A stylizer or surface has closed itself."""
        if child in self._children:
            self._children.remove(child)

    def close(self) -> None:
        """See framebrush.gpu.device.Device.close. What was made on it is closed first."""
        for child in reversed(self._children[:]):
            child.close()
        self._closed = True
        self._own.close()
        self.native.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            raise DeviceError(f"'{self.info.name}' is closed")
