"""WebGPU adapters as devices."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from framebrush.gpu import host_memory
from framebrush.gpu.device import NO_DIAGNOSIS, Arithmetic, Device, DeviceInfo, Diagnosis
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.hlsl.finishing import stage_bytes
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import StageBytes
from framebrush.gpu.surface import Surface, View
from framebrush.gpu.webgpu import adapters

if TYPE_CHECKING:
    from framebrush.gpu.webgpu.stylizer import WebGpuStylizer


def list_devices() -> list[DeviceInfo]:
    """List adapters. Raises DeviceError; AbsentError without any."""
    return adapters.list_adapters()


def open_device(info: DeviceInfo, diagnosis: Diagnosis = NO_DIAGNOSIS) -> WebGpuDevice:
    """Open a listed adapter. Raises DeviceError naming a missing feature."""
    return WebGpuDevice(info, diagnosis)


class WebGpuDevice(Device):
    """See `framebrush.gpu.device.Device`."""

    def __init__(self, info: DeviceInfo, diagnosis: Diagnosis) -> None:
        super().__init__(info, diagnosis)
        from framebrush.gpu.webgpu.context import Context

        self.context = Context(info, diagnosis)

    @property
    def identity(self) -> object:
        return self.context

    @property
    def driver(self) -> str:
        return self.context.driver

    @property
    def arithmetic(self) -> Arithmetic:
        halves = self.context.native.has_halves
        return Arithmetic("WGSL", halves, "float32 or float16, measured" if halves else "float32")

    def _make_stylizer(self, settings: Settings) -> WebGpuStylizer:
        from framebrush.gpu.webgpu.stylizer import WebGpuStylizer

        return WebGpuStylizer(settings, self.context, self._forget)

    def _make_surface(self, view: View) -> Surface:
        if not self.info.shows_in(view.window):
            return super()._make_surface(view)
        from framebrush.gpu.webgpu.swapchain import SwapChain

        return SwapChain(self.context, view, self._forget)

    def _upload(self, frame_: Frame) -> DeviceFrame:
        from framebrush.gpu.webgpu import frame

        return frame.upload(self.context, frame_)

    def _free_bytes(self) -> int:
        """Return an integrated adapter's free memory; cards report none."""
        return host_memory.available_bytes() if self.info.memory_bytes else sys.maxsize

    def _stage_bytes(self, settings: Settings) -> StageBytes:
        return stage_bytes(settings)

    def _close(self) -> None:
        self.context.close()
