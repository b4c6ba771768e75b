"""The processor as a device, the last choice."""

from __future__ import annotations

import math
import platform
import sys
from contextlib import suppress
from pathlib import Path

from framebrush.gpu import host_memory
from framebrush.gpu.c_kernels import has_dot_products, library
from framebrush.gpu.cpu.outputs_ahead import count_ahead
from framebrush.gpu.cpu.stages.finishing import finishing_bytes
from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.device import NO_DIAGNOSIS, Arithmetic, Device, DeviceInfo, Diagnosis
from framebrush.gpu.frame import DeviceFrame, Frame, HostMemoryFrame
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import StageBytes
from framebrush.gpu.stages.strokes import carriage_bytes, layout_of


class CpuDevice(Device):
    """The CPU of this machine."""

    @property
    def arithmetic(self) -> Arithmetic:
        level = library()[1]
        if level == "base":
            return Arithmetic(platform.machine())
        gain = "VNNI: twice as fast" if has_dot_products() else "no VNNI: slower"
        return Arithmetic(f"x86-64-{level}", int8=gain)

    def _make_stylizer(self, settings: Settings) -> CpuStylizer:
        return CpuStylizer(settings, self.identity, self._forget)

    def _upload(self, frame: Frame) -> DeviceFrame:
        return HostMemoryFrame(frame, self.identity)

    def _free_bytes(self) -> int:
        return host_memory.available_bytes()

    def _network_share(self) -> float:
        return 0.5  # the rest of the machine shares the memory

    def _stage_bytes(self, settings: Settings) -> StageBytes:
        sizes, look = settings.sizes, settings.shown
        finishing = finishing_bytes(sizes, layout_of(settings)) if look.finishes else 0
        mixed = 4 * math.prod(sizes.working) if look.mixes else 0
        photograph = 4 * math.prod(sizes.target) if look.leaves_photograph else 0
        return StageBytes(carriage_bytes(settings), mixed + count_ahead(settings) * (finishing + photograph))

    def _close(self) -> None: ...


def list_devices() -> list[DeviceInfo]:
    return [DeviceInfo(0, "cpu", _name(), memory_bytes=host_memory.total_bytes())]


def open_device(info: DeviceInfo, diagnosis: Diagnosis = NO_DIAGNOSIS) -> CpuDevice:
    return CpuDevice(info, diagnosis)


def _name() -> str:
    name = ""
    if sys.platform == "win32":
        import winreg

        where = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
        with suppress(OSError), winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, where) as key:  # Wine may lack the key
            name = str(winreg.QueryValueEx(key, "ProcessorNameString")[0]).strip()
    else:
        with suppress(OSError):
            lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return name or platform.processor() or platform.machine()
