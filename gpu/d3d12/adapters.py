"""Which adapters there are, in the order of DXGI's preference for speed."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import win32more.Windows.Win32.Graphics.Dxgi as G

from gpu.d3d12.native import check, luid_number
from gpu.device import DeviceInfo, GpuError

VENDORS = {0x10DE: "NVIDIA", 0x1002: "AMD", 0x8086: "Intel", 0x5143: "Qualcomm", 0x1414: "Microsoft", 0x10005: "Mesa"}


def list_adapters() -> list[DeviceInfo]:
    """Every adapter, hardware first and fastest first. Empty where DXGI 1.6 is missing (Windows before 1803)."""
    try:
        factory = open_factory()
    except (GpuError, OSError):  # OSError: no dxgi.dll or no d3d12.dll at all
        return []
    try:
        infos = []
        for adapter in _adapters(factory):
            description = G.DXGI_ADAPTER_DESC1()
            check(adapter.GetDesc1(ctypes.byref(description)), "IDXGIAdapter1::GetDesc1")
            adapter.Release()
            infos.append(_info(description))
    finally:
        factory.Release()
    infos.sort(key=lambda info: info.software)  # stable: DXGI's order holds within each kind
    return [
        DeviceInfo(index, info.kind, info.name, info.vendor, info.memory_bytes, info.luid, info.software)
        for index, info in enumerate(infos)
    ]


def open_factory() -> Any:
    """A DXGI factory; the caller releases it."""
    factory = G.IDXGIFactory6()
    check(G.CreateDXGIFactory2(0, G.IDXGIFactory6._iid_, factory), "CreateDXGIFactory2", "IDXGIFactory6")
    return factory


def open_adapter(factory: Any, info: DeviceInfo) -> Any:
    """The DXGI adapter of a listed device, by LUID; the caller releases it.

    Raises GpuError where it has gone since it was listed.
    """
    adapter = G.IDXGIAdapter1()
    luid = G.DXGI_ADAPTER_DESC1().AdapterLuid
    luid.LowPart, luid.HighPart = info.luid & 0xFFFFFFFF, info.luid >> 32
    check(
        factory.EnumAdapterByLuid(luid, G.IDXGIAdapter1._iid_, adapter),
        "EnumAdapterByLuid",
        f"'{info.name}' is not there any more",
    )
    return adapter


def _adapters(factory: Any) -> Iterator[Any]:
    index = 0
    while True:
        adapter = G.IDXGIAdapter1()
        order = G.DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE
        if factory.EnumAdapterByGpuPreference(index, order, G.IDXGIAdapter1._iid_, adapter) < 0:
            return
        yield adapter
        index += 1


def _info(description: Any) -> DeviceInfo:
    return DeviceInfo(
        index=0,
        kind="d3d12",
        name=description.Description,
        vendor=VENDORS.get(description.VendorId, f"0x{description.VendorId:04x}"),
        memory_bytes=description.DedicatedVideoMemory or description.SharedSystemMemory,
        luid=luid_number(description.AdapterLuid),
        software=bool(description.Flags & G.DXGI_ADAPTER_FLAG_SOFTWARE),
    )
