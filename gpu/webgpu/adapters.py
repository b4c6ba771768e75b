"""Adapters of WebGPU, and errors for a missing package."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from framebrush.gpu import host_memory
from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.errors import AbsentError, DeviceError
from framebrush.gpu.surface import WindowSystem
from framebrush.gpu.vendors import vendor_name

if TYPE_CHECKING:
    import wgpu

INSTALL = "python -m pip install 'framebrush[webgpu]'"
LOADERS = {"linux": "libvulkan.so.1", "win32": "vulkan-1.dll"}
"""Library that loads Vulkan's drivers; not every system has it."""

FASTEST = ("DiscreteGPU", "IntegratedGPU", "Unknown", "CPU")
"""Types of adapters, in order of preference for speed."""

SPARING = ("IntegratedGPU", "DiscreteGPU", "Unknown", "CPU")
"""Types of adapters, in order of preference for low power."""

CARDS = Path("/sys/class/drm")
"""Directory where Linux lists graphics cards."""

AMD, INTEL = "0x1002", "0x8086"
"""Vendor ids as Linux writes them."""

WINDOWS: dict[str, tuple[WindowSystem, ...]] = {"linux": ("x11",)}
"""Window systems that the swap chain supports. Qt exposes no surface on Wayland and cannot place widgets over the
picture there. macOS is untested."""

SOFTWARE = "CPU"
OF_THE_HOST = ("IntegratedGPU", "CPU")
"""Types of adapters that use the machine's memory."""


def list_adapters() -> list[DeviceInfo]:
    """List adapters, hardware first. Raises AbsentError, DeviceError."""
    found = list(enumerate(_found()))
    found.sort(key=lambda entry: _rank(entry[1], FASTEST))  # stable: the driver's order holds within each type
    hardware = [place for place, adapter in found if kind_of(adapter) != SOFTWARE]
    adapters = dict(found)
    sparing = min(hardware, key=lambda place: _rank(adapters[place], SPARING), default=None)
    return [_info(index, place, adapter, low_power=place == sparing) for index, (place, adapter) in enumerate(found)]


def find_adapter(info: DeviceInfo) -> wgpu.GPUAdapter:
    """Find the adapter of a listed device."""
    found = _found()
    if info.luid < len(found) and _info(0, info.luid, found[info.luid]).name == info.name:
        return found[info.luid]
    raise DeviceError(f"'{info.name}' is no longer there")


def kind_of(adapter: wgpu.GPUAdapter) -> str:
    """Return an adapter's type, of FASTEST."""
    kind = str(adapter.info["adapter_type"])
    return kind if kind in FASTEST else "Unknown"


def driver_of(adapter: wgpu.GPUAdapter) -> str:
    return str(adapter.info["description"])


def _found() -> list[wgpu.GPUAdapter]:
    problem = DeviceError if _is_the_only_way() else AbsentError
    if importlib.util.find_spec("wgpu") is None:
        raise problem(f"WebGPU needs the package wgpu; run: {INSTALL}")
    library = LOADERS.get(sys.platform)
    if library and not _loads(library):
        raise problem(
            f"WebGPU found no Vulkan ({library}); if this computer has a GPU, install Vulkan's loader and the card's "
            "driver, in Debian and Ubuntu the packages libvulkan1 and mesa-vulkan-drivers"
        )
    from framebrush.gpu.webgpu import native

    adapters = native.adapters()
    if not adapters:
        raise problem(
            f"WebGPU found no adapter of {native.BACKEND}; if this computer has a GPU, install the card's driver, in "
            "Debian and Ubuntu the package mesa-vulkan-drivers or NVIDIA's own"
        )
    return adapters


def _is_the_only_way() -> bool:
    if sys.platform == "darwin":
        return True
    vendors = CARDS.glob("renderD*/device/vendor")
    with suppress(OSError):
        return any(path.read_text().strip() in (AMD, INTEL) for path in vendors)
    return False


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _rank(adapter: wgpu.GPUAdapter, order: tuple[str, ...]) -> int:
    return order.index(kind_of(adapter))


def _info(index: int, place: int, adapter: wgpu.GPUAdapter, *, low_power: bool = False) -> DeviceInfo:
    from framebrush.gpu.webgpu import native

    facts, kind = adapter.info, kind_of(adapter)
    vendor_id, name = int(facts["vendor_id"]), str(facts["device"])
    vendor = vendor_name(vendor_id) if vendor_id else name.split(" ")[0]  # Metal gives no ids: "Apple M3"
    return DeviceInfo(
        index=index,
        kind="webgpu",
        name=name,
        vendor=vendor,
        memory_bytes=host_memory.total_bytes() if kind in OF_THE_HOST else 0,
        luid=place,
        software=kind == SOFTWARE,
        windows=WINDOWS.get(sys.platform, ()),
        pci=f"{vendor_id:04x}:{int(facts['device_id']):04x}" if vendor_id else "",
        low_power=low_power,
        halves=native.HALVES in adapter.features,
    )
