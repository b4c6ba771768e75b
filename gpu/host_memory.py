"""Memory of this machine."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from pathlib import Path


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of sysinfoapi.h."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load_percent", ctypes.c_uint32),
        ("total_bytes", ctypes.c_uint64),
        ("available_bytes", ctypes.c_uint64),
        ("rest", ctypes.c_uint64 * 5),
    )


def total_bytes() -> int:
    """Return physical memory in bytes, 0 if unknown."""
    return _memory()[0]


def available_bytes() -> int:
    """Return the bytes that fit without swapping, in containers too."""
    return _memory()[1] or sys.maxsize


def _memory() -> tuple[int, int]:
    total = available = 0
    if sys.platform == "win32":
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            total, available = status.total_bytes, status.available_bytes
    else:
        with suppress(ValueError, OSError):
            total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
            available = (_mac_available(total) if sys.platform == "darwin" else _linux_available()) or total // 2
    return total, available


def _mac_available(total_bytes: int) -> int:
    percent, size = ctypes.c_int(), ctypes.c_size_t(ctypes.sizeof(ctypes.c_int))
    arguments = b"kern.memorystatus_level", ctypes.byref(percent), ctypes.byref(size), None, ctypes.c_size_t(0)
    failed = ctypes.CDLL(None).sysctlbyname(*arguments)
    return 0 if failed else total_bytes * percent.value // 100


def _linux_available() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    values = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
    available = values.get("MemAvailable")
    try:
        limit = int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii"))
        used = int(Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):  # no control group, or no limit ("max")
        return available
    return limit - used if available is None else min(available, limit - used)
