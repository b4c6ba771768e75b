"""Direct3D 12 against the CPU device with a network in between, and how a device is chosen."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
import win32more.Windows.Win32.Graphics.Dxgi as G

from assets.make_clips import CLIPS
from framebrush.gpu.d3d12 import adapters
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.native import luid_number
from framebrush.gpu.device import DeviceInfo, list_devices, open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame, FrameFormat, nv12, rgba8
from framebrush.media.reading.reader import Reader
from tests.gpu.pictures import FORMATS, noise
from tests.networks import box_blur, identity, instance_norm, strided_identity
from tests.windows.styles import blur

pytestmark = [pytest.mark.windows, pytest.mark.parity]

STYLES = {
    "identity": identity(),
    "half": identity(half=True),
    "blur": blur(),
    "box blur": box_blur(),
    "instance norm": instance_norm(),
    "strided": strided_identity(4),
}


@pytest.mark.parametrize(
    ("name", "target"), list(zip(STYLES, cycle([nv12(61, 47), nv12(61, 47, bits=10), rgba8(61, 47)]))), ids=str
)
def test_networks_agree_with_the_cpu(device: D3D12Device, name: str, target: FrameFormat) -> None:
    """Both devices within 2 codes of 8 bits of each other."""
    frame, style = noise(FORMATS["yuv420p odd"]), STYLES[name]
    with (
        open_device("cpu") as cpu,
        cpu.stylizer(style, frame.format, target) as one,
        device.stylizer(style, frame.format, target) as two,
    ):
        a, b = one.fetch(one.submit(frame)), two.fetch(two.submit(frame))
        unit = 1 << (target.bits - 8)
        for left, right in zip(a.planes, b.planes, strict=True):
            codes = np.abs((left.astype(int) >> target.shift) - (right.astype(int) >> target.shift))
            assert codes.max() <= 2 * unit


def test_devices_are_listed_with_the_cpu_last() -> None:
    devices = list_devices()
    assert [info.kind for info in devices[:-1]] == ["d3d12"] * (len(devices) - 1)
    assert devices[-1].kind == "cpu"
    assert len(devices) > 1
    assert devices[:-1] == adapters.list_adapters()


def test_the_card_that_needs_the_least_power_is_the_first_of_that_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two cards and a software adapter, in the orders that DXGI has for each preference."""
    infos = [DeviceInfo(0, "d3d12", name, luid=luid, software=luid == 3) for luid, name in enumerate("ABC", start=1)]
    asked: list[int] = []

    def listed(_: object, preference: int) -> Iterator[DeviceInfo]:
        asked.append(preference)
        yield from infos if preference == G.DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE else infos[::-1]

    there = adapters.list_adapters()
    assert len([info for info in there if info.low_power]) == any(not info.software for info in there)
    monkeypatch.setattr(adapters, "_adapters", listed)
    assert [(info.name, info.low_power) for info in adapters.list_adapters()] == [
        ("A", False),
        ("B", True),
        ("C", False),
    ]
    assert sorted(asked) == sorted({G.DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE, G.DXGI_GPU_PREFERENCE_MINIMUM_POWER})


def test_a_card_says_its_driver(device: D3D12Device) -> None:
    assert re.fullmatch(r"\d+(\.\d+){3}", device.driver)


def test_a_card_has_the_number_that_ffmpeg_knows_it_by(device: D3D12Device) -> None:
    """FFmpeg counts in DXGI's default order, not by preference; an unknown card has no number."""
    number, factory = device.dxgi_number, adapters.open_factory()
    adapter, description = G.IDXGIAdapter1(), G.DXGI_ADAPTER_DESC1()
    assert number is not None
    assert factory.EnumAdapters1(number, adapter) >= 0
    assert adapter.GetDesc1(ctypes.byref(description)) >= 0
    assert luid_number(description.AdapterLuid) == device.info.luid
    adapter.Release()
    factory.Release()
    assert adapters.dxgi_number(replace(device.info, luid=device.info.luid + 1)) is None


@pytest.mark.parametrize("hardware", ["d3d12va", "d3d11va", "auto"])
def test_what_the_card_does_not_decode_the_processor_does(device: D3D12Device, hardware: str) -> None:
    with Reader(CLIPS / "bframes.mp4", hardware=hardware, device=device) as ours, Reader(CLIPS / "bframes.mp4") as all_:
        frames = list(ours)
        assert [frame.pts for frame in frames] == [frame.pts for frame in all_]
        luma = [frame.frame.planes[0] for frame in frames if isinstance(frame.frame, Frame)]
        assert len(luma) == 30
        said = sum(line.endswith("decoding on the CPU") for line in ours.warnings)
        assert said == 1 if "WINRIG" in os.environ else said <= 1


def test_a_closed_device_is_asked_nothing() -> None:
    """Its methods are called by their addresses, which are no longer there."""
    with open_device("d3d12") as device:
        assert isinstance(device, D3D12Device)
        native = device.context.native
    with pytest.raises(DeviceError, match="the device is closed"):
        native.check_removed("asking")


def test_a_device_is_opened_by_index_kind_name_vendor_and_pci_id() -> None:
    first = list_devices()[0]
    assert re.fullmatch(r"[0-9a-f]{4,}:[0-9a-f]{4}", first.pci)
    for wanted in ("0", "d3d12", first.name[:5].lower(), first.vendor.lower(), first.pci):
        with open_device(wanted) as device:
            assert device.info == first
    with pytest.raises(DeviceError, match=r"there is no device 'nobody'\. Available devices: \[0\] "):
        open_device("nobody")


def test_auto_falls_back_to_the_cpu_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise DeviceError("CreateDXGIFactory2: E_NOINTERFACE")

    monkeypatch.setattr(adapters, "open_factory", fails)
    with open_device("auto") as device:
        assert device.info.kind == "cpu"
        assert "CreateDXGIFactory2: E_NOINTERFACE" in device.note


def test_nothing_of_the_window_or_of_media_is_loaded() -> None:
    code = (
        "import sys; from framebrush.gpu.d3d12 import adapters, device;"
        "device.open_device(adapters.list_adapters()[0]).close();"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('PySide6', 'av', 'onnxruntime', 'app')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.strip() == "[]"
