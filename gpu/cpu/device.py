"""The CPU as a device: always there, and the last choice."""

from __future__ import annotations

import platform
import sys
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Self

from framebrush.gpu.cpu import memory
from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.device import DeviceError, DeviceInfo, Tiling
from framebrush.gpu.frame import FrameFormat
from framebrush.gpu.look import Look
from framebrush.models.style import Style


class CpuDevice:
    """See `gpu.device.Device`."""

    def __init__(self, info: DeviceInfo) -> None:
        self.info = info
        self.note = ""
        self._closed = False
        self._stylizers: weakref.WeakSet[CpuStylizer] = weakref.WeakSet()

    def stylizer(
        self,
        style: Style,
        source: FrameFormat,
        target: FrameFormat,
        *,
        look: Look | None = None,
        tiling: Tiling = "auto",
        slots: int = 3,
    ) -> CpuStylizer:
        """Make a session for one style and format.

        target: NV12, P010 or RGBA8 of the source's size. Raises OutOfMemoryError, DeviceError where ONNX Runtime
        refuses the network, or ValueError for a target that cannot be.
        """
        if self._closed:
            raise DeviceError("this device is closed")
        made = CpuStylizer(style, source, target, look or Look(), tiling, slots)
        self._stylizers.add(made)
        return made

    def close(self) -> None:
        """Close every stylizer that was made here. Idempotent."""
        self._closed = True
        for made in list(self._stylizers):
            made.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def info(index: int) -> DeviceInfo:
    """What there is to know of this machine's processor."""
    return DeviceInfo(index, "cpu", _name(), memory_bytes=memory.total_bytes())


def open(info: DeviceInfo) -> CpuDevice:  # noqa: A001 - each device's room has its open
    """Open the CPU."""
    return CpuDevice(info)


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
