"""Direct3D 12 adapters as devices."""

from __future__ import annotations

from typing import get_args

from framebrush.gpu.d3d12 import adapters, frame
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.shared_resources import SharedFrame
from framebrush.gpu.d3d12.stylizer import D3D12Stylizer
from framebrush.gpu.d3d12.swapchain import SwapChain
from framebrush.gpu.device import NO_DIAGNOSIS, Arithmetic, Device, DeviceInfo, Diagnosis
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, PlaneAddresses, SharedPlanes
from framebrush.gpu.hlsl.finishing import stage_bytes
from framebrush.gpu.settings import EngineName, Settings
from framebrush.gpu.sizes import StageBytes
from framebrush.gpu.surface import Surface, View


def list_devices() -> list[DeviceInfo]:
    """List adapters. Raises DeviceError without any."""
    return adapters.list_adapters()


def open_device(info: DeviceInfo, diagnosis: Diagnosis = NO_DIAGNOSIS) -> D3D12Device:
    """Open a listed adapter. Raises DeviceError naming a missing feature."""
    return D3D12Device(info, diagnosis)


class D3D12Device(Device):
    """See `framebrush.gpu.device.Device`."""

    _names_lists = True

    def __init__(self, info: DeviceInfo, diagnosis: Diagnosis) -> None:
        super().__init__(info, diagnosis)
        self.context = Context(info, diagnosis)
        self.info = self.context.info

    @property
    def identity(self) -> object:
        return self.context

    @property
    def driver(self) -> str:
        return adapters.driver_version(self.info)

    @property
    def dxgi_number(self) -> int | None:
        return adapters.dxgi_number(self.info)

    @property
    def engines(self) -> tuple[EngineName, ...]:
        return get_args(EngineName)

    @property
    def arithmetic(self) -> Arithmetic:
        if self.context.native.has_halves:
            return Arithmetic("shader models 5.0 and 6.2", native=True, precision="float32 or float16, measured")
        return Arithmetic("shader model 5.0", precision="float32, layers in float16")

    def adopt(self, picture: FrameFormat, planes: PlaneAddresses | SharedPlanes) -> DeviceFrame:
        self._check_open()
        if not isinstance(planes, SharedPlanes):
            return super().adopt(picture, planes)
        return SharedFrame(self.context, picture, planes)

    def _make_stylizer(self, settings: Settings) -> D3D12Stylizer:
        return D3D12Stylizer(settings, self.context, self._forget)

    def _make_surface(self, view: View) -> Surface:
        if not self.info.shows_in(view.window):
            raise DeviceError(f"{self.info.name} presents to a window, and this view has none")
        return SwapChain(self.context, view, self._forget)

    def _upload(self, frame_: Frame) -> DeviceFrame:
        return frame.upload(self.context, frame_)

    def _free_bytes(self) -> int:
        return adapters.free_bytes(self.info)

    def _stage_bytes(self, settings: Settings) -> StageBytes:
        return stage_bytes(settings)

    def _close(self) -> None:
        self.context.close()
