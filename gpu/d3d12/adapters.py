"""DXGI adapters, preferred ones first."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import win32more.Windows.Win32.Graphics.Dxgi as G

from framebrush.gpu.d3d12.native import Com, check, luid_number
from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.vendors import vendor_name


def list_adapters() -> list[DeviceInfo]:
    """List adapters: hardware first, then by speed."""
    factory = open_factory()
    try:
        infos = list(_adapters(factory, G.DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE))
        sparing = [info.luid for info in _adapters(factory, G.DXGI_GPU_PREFERENCE_MINIMUM_POWER) if not info.software]
    finally:
        factory.Release()
    if not infos:
        raise DeviceError("DXGI lists no adapter; install the graphics card's driver")
    infos.sort(key=lambda info: info.software)  # stable: DXGI's order holds within each kind
    return [replace(info, index=index, low_power=info.luid in sparing[:1]) for index, info in enumerate(infos)]


def open_factory() -> Com:
    """Create a DXGI factory. Raises DeviceError before DXGI 1.6."""
    factory = G.IDXGIFactory6()
    call = G.CreateDXGIFactory2(0, G.IDXGIFactory6._iid_, factory)
    check(call, "CreateDXGIFactory2", "IDXGIFactory6 (Windows 10 of 2018 or newer has it)")
    return factory


def open_adapter(factory: Com, info: DeviceInfo) -> Com:
    """Open a device's adapter by its LUID."""
    adapter = G.IDXGIAdapter1()
    luid = G.DXGI_ADAPTER_DESC1().AdapterLuid
    luid.LowPart, luid.HighPart = info.luid & 0xFFFFFFFF, info.luid >> 32
    check(
        factory.EnumAdapterByLuid(luid, G.IDXGIAdapter1._iid_, adapter),
        "EnumAdapterByLuid",
        f"'{info.name}' is no longer there",
    )
    return adapter


def dxgi_number(info: DeviceInfo) -> int | None:
    """Return a device's number in EnumAdapters, or None."""
    factory = open_factory()
    try:
        number = 0
        while True:
            adapter, description = G.IDXGIAdapter1(), G.DXGI_ADAPTER_DESC1()
            if factory.EnumAdapters1(number, adapter) < 0:
                return None
            result = adapter.GetDesc1(ctypes.byref(description))
            adapter.Release()
            check(result, "IDXGIAdapter1::GetDesc1")
            if luid_number(description.AdapterLuid) == info.luid:
                return number
            number += 1
    finally:
        factory.Release()


def free_bytes(info: DeviceInfo) -> int:
    """Return the bytes granted to this process but not in use."""
    with _opened(info) as adapter:
        detailed = G.IDXGIAdapter3()
        check(adapter.QueryInterface(G.IDXGIAdapter3._iid_, detailed), "IDXGIAdapter3", info.name)
        memory = G.DXGI_QUERY_VIDEO_MEMORY_INFO()
        result = detailed.QueryVideoMemoryInfo(0, G.DXGI_MEMORY_SEGMENT_GROUP_LOCAL, ctypes.byref(memory))
        detailed.Release()
        check(result, "QueryVideoMemoryInfo", info.name)
        return max(0, int(memory.Budget) - int(memory.CurrentUsage))


def driver_version(info: DeviceInfo) -> str:
    """Return the driver's version "a.b.c.d", "" if unknown."""
    with _opened(info) as adapter:
        version = ctypes.c_int64()
        if adapter.CheckInterfaceSupport(ctypes.byref(G.IDXGIDevice._iid_), ctypes.byref(version)) < 0:
            return ""
        return ".".join(str(version.value >> shift & 0xFFFF) for shift in (48, 32, 16, 0))


@contextmanager
def _opened(info: DeviceInfo) -> Iterator[Com]:
    factory = open_factory()
    try:
        adapter = open_adapter(factory, info)
    finally:
        factory.Release()
    try:
        yield adapter
    finally:
        adapter.Release()


def _adapters(factory: Com, preference: int) -> Iterator[DeviceInfo]:
    index = 0
    while True:
        adapter, description = G.IDXGIAdapter1(), G.DXGI_ADAPTER_DESC1()
        if factory.EnumAdapterByGpuPreference(index, preference, G.IDXGIAdapter1._iid_, adapter) < 0:
            return
        result = adapter.GetDesc1(ctypes.byref(description))
        adapter.Release()
        check(result, "IDXGIAdapter1::GetDesc1")
        yield _info(description)
        index += 1


def _info(description: Com) -> DeviceInfo:
    return DeviceInfo(
        index=0,
        kind="d3d12",
        name=description.Description,
        vendor=vendor_name(description.VendorId),
        memory_bytes=description.DedicatedVideoMemory or description.SharedSystemMemory,
        luid=luid_number(description.AdapterLuid),
        software=bool(description.Flags & G.DXGI_ADAPTER_FLAG_SOFTWARE),
        windows=("windows",),
        pci=f"{description.VendorId:04x}:{description.DeviceId:04x}",
    )
