"""WebGPU adapters as devices: selection, refusals, and loss."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framebrush.gpu import device as devices
from framebrush.gpu import fastest, kernel_cache
from framebrush.gpu.device import Backend, DeviceInfo, Diagnosis, list_devices, open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError
from framebrush.gpu.frame import yuv420p
from framebrush.gpu.hlsl.painter_dispatches import NATIVE_TILES, TILES
from framebrush.gpu.look import Look
from framebrush.gpu.webgpu import device as webgpu
from framebrush.gpu.webgpu import native
from framebrush.gpu.webgpu.device import WebGpuDevice
from framebrush.gpu.webgpu.native import Texture
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style
from tests import networks
from tests.gpu.pictures import noise
from tests.gpu.webgpu.harness import needs_vulkan

pytestmark = [pytest.mark.unit, needs_vulkan]

SOURCE = yuv420p(96, 64)
FINE = yuv420p(96, 64, bits=16)
PLAIN = Look(brush=0.0, relief=0.0, canvas=0.0)


def opened(**diagnosis: object) -> WebGpuDevice:
    found = open_device("webgpu", Diagnosis(**diagnosis))  # type: ignore[arg-type]
    assert isinstance(found, WebGpuDevice)
    return found


@pytest.fixture(scope="module")
def device() -> Iterator[WebGpuDevice]:
    with opened() as made:
        yield made


@pytest.fixture
def lost() -> Iterator[WebGpuDevice]:
    """Open a separate device, which a test may change or lose."""
    with opened() as made:
        yield made


@pytest.fixture(scope="module")
def painter() -> Style:
    return load_style(bundled()["realtime"])


def test_it_is_chosen_by_kind_name_vendor_index_and_id() -> None:
    info = next(info for info in list_devices() if info.kind == "webgpu")
    assert info.name
    assert info.vendor
    for wanted in ("webgpu", "webgpu:0", info.name.upper()[:5], info.vendor, str(info.index), info.pci):
        with open_device(wanted) as found:
            assert (found.info.kind, found.info.name) == ("webgpu", info.name)
            assert found.driver


def test_the_processors_adapter_is_taken_only_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mesa's software adapter may be the only one."""
    software = [info for info in list_devices() if info.kind == "webgpu" and info.software]

    class Software(Backend):
        def devices(self) -> list[DeviceInfo]:
            return software

    kept = [backend for backend in devices.BACKENDS if backend.kind == "cpu"]
    monkeypatch.setattr(devices, "BACKENDS", [Software("webgpu", "framebrush.gpu.webgpu.device"), *kept])
    with devices.open_device() as found:
        assert found.info.kind == "cpu"
        assert found.note == ""  # it stands for no card that is missing
    assert all(info.on_processor and not info.low_power for info in software)


@pytest.mark.slow
def test_the_precision_follows_the_adapter(painter: Style, monkeypatch: pytest.MonkeyPatch) -> None:
    """With float32 layers have 32 bits, and an adapter without shader-f16 has nothing else."""
    made = {}
    for halves in (True, False):
        if not halves:
            monkeypatch.setattr(native, "HALVES", "no such feature")
        with opened() as found:
            assert found.info.halves is found.context.native.has_halves is halves
            assert ("float16" in found.info.precisions) is halves
            assert ("float16" in found.arithmetic.precision) is halves
            for precision in found.info.precisions:
                settings: dict[str, Any] = {"precision": precision, "look": PLAIN, "slots": 1}
                with found.stylizer(painter, SOURCE, FINE, **settings) as stylizer:
                    made[halves, precision] = stylizer.fetch(stylizer.submit(noise(SOURCE))).planes[0].copy()
            if not halves:
                with pytest.raises(DeviceError, match="has no 16 bits; leave out --precision"):
                    found.stylizer(painter, SOURCE, FINE, precision="float16")
    full, half = made[True, "float32"], made[True, "auto"]
    np.testing.assert_array_equal(full, made[False, "auto"])
    np.testing.assert_array_equal(full, made[False, "float32"])
    assert np.any(full != half)
    np.testing.assert_allclose(full.astype(int), half.astype(int), atol=300)  # of 65535


def test_one_that_is_gone_is_said(device: WebGpuDevice) -> None:
    for change in ({"luid": 99}, {"name": "Voodoo 2"}):
        absent = replace(device.info, **change)
        with pytest.raises(
            DeviceError, match=rf"^'{absent.name}' is no longer there$".replace("(", r"\(").replace(")", r"\)")
        ):
            webgpu.open_device(absent, devices.NO_DIAGNOSIS)


def test_one_that_is_too_small_is_refused_with_numbers(monkeypatch: pytest.MonkeyPatch, device: WebGpuDevice) -> None:
    has = device.context.native.limits["max-compute-workgroup-storage-size"]
    monkeypatch.setitem(native.LIMITS, "max-compute-workgroup-storage-size", has + 1)
    with pytest.raises(DeviceError, match=rf"too small .* max-compute-workgroup-storage-size {has}, not {has + 1}$"):
        webgpu.open_device(device.info, devices.NO_DIAGNOSIS)


def test_a_frame_beyond_an_adapters_limits_is_refused_with_numbers(lost: WebGpuDevice) -> None:
    lost.context.native.limits["max-storage-buffer-binding-size"] = 64 << 10
    with pytest.raises(OutOfMemoryError, match=r"^slot 0 frame needs 0.1 MiB in one piece, and this adapter takes 0.1"):
        lost.stylizer(networks.identity(), SOURCE, SOURCE, look=PLAIN)
    with pytest.raises(DeviceError, match="picture of 99999x1 has a side of more than"):
        Texture(lost.context.native, (99999, 1), "r32float", "picture")


@pytest.mark.slow
def test_layers_beyond_an_adapters_limits_are_painted_in_tiles(lost: WebGpuDevice) -> None:
    """As where the memory is full. A frame takes 42 MiB, all weights 36, and a layer 56.6 in float32."""
    lost.context.native.has_halves = False
    style, picture = load_style(bundled()["quality"]), yuv420p(2560, 1440)
    for limit, is_whole in ((60 << 20, True), (45 << 20, False)):
        lost.context.native.limits["max-storage-buffer-binding-size"] = limit
        with lost.stylizer(style, picture, picture, look=PLAIN, slots=1) as stylizer:
            assert stylizer.settings.plan.whole == is_whole
    with pytest.raises(OutOfMemoryError, match=r"^layers of 'quality' at 2560x1440 needs 56.6 MiB in one piece"):
        lost.stylizer(style, picture, picture, look=PLAIN, slots=1, tiling="off")


def test_a_network_of_another_kind_runs_on_the_processor_and_says_so(device: WebGpuDevice, painter: Style) -> None:
    with device.stylizer(networks.box_blur(1), SOURCE, SOURCE, look=PLAIN) as stylizer:
        assert stylizer.notes == (
            f"the network Test runs on the processor: {device.info.name} runs those of the bundled paintings",
        )
        assert stylizer.method == "onnxruntime on the processor"
    with device.stylizer(painter, SOURCE, SOURCE, look=PLAIN) as stylizer:
        assert stylizer.notes == ()
        assert stylizer.method == "shader filtered"


@pytest.mark.slow
def test_the_faster_tile_is_measured_on_cards(
    lost: WebGpuDevice, painter: Style, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(fastest, "MEASURED_S", 0.0)
    lost.context.info = replace(lost.info, software=False)
    for _ in range(2):
        with lost.stylizer(painter, SOURCE, SOURCE, look=PLAIN) as stylizer:
            assert stylizer.method in {f"shader {tile}" for tile in (*TILES, *NATIVE_TILES)}
        (kept,) = (tmp_path / "framebrush" / "engines").iterdir()
        assert (kernel_cache.read(kept) or b"").decode() in (*TILES, *NATIVE_TILES)
        kernel_cache.keep(kept, b"plain")
    assert stylizer.method == "shader plain"


@pytest.mark.slow
def test_submit_waits_for_nothing(device: WebGpuDevice, painter: Style) -> None:
    """Three frames are in flight before the first is waited for, and each is waited for once."""
    with device.stylizer(painter, SOURCE, SOURCE, look=PLAIN) as stylizer:
        for _ in range(2):
            before = stylizer.counters.cpu_waits
            tickets = [stylizer.submit(noise(SOURCE, seed)) for seed in range(3)]
            assert stylizer.counters.cpu_waits == before
            for ticket in tickets:
                stylizer.fetch(ticket)
            assert stylizer.counters.cpu_waits == before + 3


def resident_bytes() -> int:
    """Of this process."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
def test_frames_leave_no_memory_behind(device: WebGpuDevice) -> None:
    """Memory of this program stays constant.

    Mesa's driver for the processor, up to 22.3 at least, leaks a compiled kernel at every dispatch if half the text
    depends on constants that it branches by, as in tensor_to_rgba: RGBA is not tried here.
    """
    style, frame, into = load_style(bundled()["oil"]), noise(SOURCE), SOURCE.allocate()
    marks = []
    with device.stylizer(style, SOURCE, SOURCE, look=PLAIN, slots=1) as stylizer:
        for _ in range(3):
            for _ in range(100):
                stylizer.fetch(stylizer.submit(frame), into)
            marks.append(resident_bytes())
    assert marks[2] - marks[1] < 2 << 20


@pytest.mark.slow
def test_stages_are_timed_by_the_gpus_clock(painter: Style) -> None:
    with opened(timing=True) as timed, timed.stylizer(painter, SOURCE, SOURCE, look=PLAIN) as stylizer:
        for seed in range(3):
            stylizer.fetch(stylizer.submit(noise(SOURCE, seed)))
        assert list(stylizer.stage_ms) == ["upload", "convert", "network", "output", "fetch"]
        assert all(ms > 0.0 for ms in stylizer.stage_ms.values())
        assert stylizer.stage_ms["network"] > stylizer.stage_ms["convert"]


def test_kernels_are_dumped(tmp_path: Path) -> None:
    with opened(dump_shaders=tmp_path / "dump") as dumping, dumping.stylizer(networks.identity(), SOURCE, SOURCE):
        assert (tmp_path / "dump" / "tensor_to_yuv.wgsl").read_text("utf-8").startswith("// tensor_to_yuv.hlsl")


def test_a_device_that_is_lost_is_said_by_every_call_and_closes(lost: WebGpuDevice, device: WebGpuDevice) -> None:
    style = load_style(bundled()["oil"])  # whose network is a copy
    with lost.stylizer(style, SOURCE, SOURCE, look=PLAIN) as stylizer:
        tickets = [stylizer.submit(noise(SOURCE)) for _ in range(2)]
        lost.context.native.device.destroy()
        for ticket in tickets:
            with pytest.raises(
                DeviceLostError, match=r"the GPU was lost .*; restart the program, and update the graph"
            ):
                stylizer.fetch(ticket)
        with pytest.raises(DeviceLostError):
            stylizer.submit(noise(SOURCE))
        with pytest.raises(DeviceLostError):
            lost.upload(noise(SOURCE))
        with pytest.raises(DeviceLostError):
            lost.stylizer(style, SOURCE, SOURCE, look=PLAIN)
    with device.stylizer(style, SOURCE, SOURCE, look=PLAIN) as stylizer:  # which is another one
        stylizer.fetch(stylizer.submit(noise(SOURCE)))
