"""Failures: messages with object and remedy, and no leftovers."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12 import adapters, kernels
from framebrush.gpu.d3d12 import device as d3d12
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.directml import Levers
from framebrush.gpu.d3d12.fenced_queue import Queue
from framebrush.gpu.d3d12.hlsl_sources import Typed, source
from framebrush.gpu.d3d12.kernels import bytecode
from framebrush.gpu.d3d12.native import Native, Owned
from framebrush.gpu.d3d12.resources import Buffer, Texture
from framebrush.gpu.d3d12.slot import D3D12Slot
from framebrush.gpu.d3d12.stylizer import D3D12Stylizer
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.device import DeviceInfo, Diagnosis
from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError
from framebrush.gpu.frame import nv12, yuv420p
from framebrush.gpu.kernel_cache import cache_folder
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.surface import NativeWindow, View
from tests.gpu.pictures import noise
from tests.networks import identity
from tests.windows.harness import remove
from tests.windows.styles import blur, unknown_to_directml

pytestmark = pytest.mark.windows

SOURCE = yuv420p(96, 64)
BROKEN = "[numthreads(1, 1, 1)] void main() { no_such_thing = 1; }"


def test_a_compile_error_shows_the_compilers_text() -> None:
    with pytest.raises(DeviceError, match=r"(?s)D3DCompile 'broken A=1' for cs_5_0: E_FAIL\n.*no_such_thing"):
        bytecode(Variant("broken", (("A", "1"),)), BROKEN, Typed())


def test_bytecode_is_compiled_once_and_a_damaged_cache_is_mended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    compiled = []
    compile_really = kernels._compile

    def counting(variant: Variant, text: str, typed: Typed) -> bytes:
        compiled.append(variant)
        return compile_really(variant, text, typed)

    monkeypatch.setattr(kernels, "_compile", counting)
    variant, text = Variant("copy_window"), source("copy_window")
    code = bytecode(variant, text, Typed())
    assert code[:4] == b"DXBC"
    assert bytecode(variant, text, Typed()) == code
    assert len(compiled) == 1
    [kept] = cache_folder("shaders").iterdir()
    for damage in (b"", kept.read_bytes()[:-1], b"x" * 100):
        kept.write_bytes(damage)
        assert bytecode(variant, text, Typed()) == code
        assert bytecode(variant, text, Typed()) == code
    assert len(compiled) == 4
    bytecode(variant, text + "\n// changed", Typed())
    assert len(compiled) == 5
    assert len(list(cache_folder("shaders").iterdir())) == 2


def test_a_cache_that_cannot_be_written_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "framebrush").write_text("a file where the folder should be")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert bytecode(Variant("copy_window"), source("copy_window"), Typed())[:4] == b"DXBC"


def test_shaders_are_dumped(tmp_path: Path) -> None:
    folder = tmp_path / "dump"
    with (
        d3d12.open_device(adapters.list_adapters()[0], Diagnosis(dump_shaders=folder)) as device,
        device.stylizer(identity(), SOURCE, nv12(96, 64)),
    ):
        names = {path.name for path in folder.iterdir()}
    assert {"planes_to_tensor_LAYOUT=1_TRANSFER=0.hlsl", "tensor_to_yuv.hlsl", "tensor_to_yuv.cso"} <= names
    assert "#include" not in (folder / "tensor_to_yuv.hlsl").read_text(encoding="utf-8")


def test_out_of_memory_says_what_to_do(device: D3D12Device) -> None:
    live = device.context.native.live_count
    with pytest.raises(
        OutOfMemoryError, match=r"'film' 1152921504606846976 bytes: out of memory .*try --tile or --max-size"
    ):
        Buffer(device.context.native, 1 << 60, "film", heap=D.D3D12_HEAP_TYPE_DEFAULT)
    assert device.context.native.live_count == live


def test_a_picture_beyond_direct3d_is_refused(device: D3D12Device) -> None:
    live = device.context.live_count
    with pytest.raises(DeviceError, match="'slot 0 source plane 0' of 16385x8: Direct3D 12 allows at most 16384"):
        device.stylizer(identity(), nv12(16385, 8), nv12(16385, 8), tiling="off")
    assert device.context.live_count == live
    with pytest.raises(DeviceError, match="Direct3D 12 allows at most 16384"):
        Texture(device.context.native, (1, 16385), 0, "tall")


def test_a_tensor_beyond_direct3d_is_refused_before_memory_is_taken(device: D3D12Device) -> None:
    live = device.context.live_count
    with pytest.raises(
        DeviceError, match=r"'big' of 8192x8192 has 201326592 elements where .* allows at most 134217728; try --max"
    ):
        TensorBuffer(device.context.native, (8192, 8192), "float32", "big")
    assert device.context.live_count == live


class Failing:
    """Creation of native objects that fails at a number of calls, counted from 1; 0 for never."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at = self.calls = 0
        make = Native.make

        def called(native: Native, *arguments: Any) -> Owned:  # noqa: ANN401 - as `make` takes them
            self.calls += 1
            if self.calls == self.at:
                raise OutOfMemoryError(f"call {self.at}")
            return make(native, *arguments)

        monkeypatch.setattr(Native, "make", called)

    def each(self, action: Callable[[], None]) -> Iterator[int]:
        """Do an action, then again with the first call failing, the second, and so on."""
        action()
        self.calls = 0
        action()
        for call in range(1, self.calls + 1):
            self.at, self.calls = call, 0
            with pytest.raises(OutOfMemoryError, match=f"call {call}$"):
                action()
            yield call
        self.at = 0


def test_whatever_cannot_be_made_leaves_nothing(
    device: D3D12Device, window: NativeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    native = device.context.native

    def make_queue() -> None:
        Queue(native, D.D3D12_COMMAND_LIST_TYPE_COPY, "queue").close()

    def make_surface() -> None:
        surface = device.surface(View(96, 64, window=window))
        surface.resize(80, 48)  # closes it if that fails
        surface.close()

    failing = Failing(monkeypatch)
    for action in (make_queue, make_surface):
        live = +native.live
        for call in failing.each(action):
            assert +native.live == live, f"call {call}"


def test_auto_tiling_follows_the_memory_that_is_left(device: D3D12Device, monkeypatch: pytest.MonkeyPatch) -> None:
    source = yuv420p(320, 180)
    with device.stylizer(blur(), source, nv12(320, 180), slots=1) as stylizer:
        assert stylizer.notes == ()
    monkeypatch.setattr(adapters, "free_bytes", lambda _info: 5 << 20)
    with device.stylizer(blur(), source, nv12(320, 180), slots=1) as stylizer:
        stylizer.fetch(stylizer.submit(noise(source)))
        assert stylizer.counters.runs > 1


@pytest.mark.parametrize("fits_px", [64 * 64, 0])
def test_auto_tiling_tries_smaller_tiles_until_they_fit(
    device: D3D12Device, monkeypatch: pytest.MonkeyPatch, fits_px: int
) -> None:
    source = yuv420p(320, 180)
    tried: list[int] = []

    class Crowded(D3D12Stylizer):
        def _make_slots(self, count: int) -> list[D3D12Slot]:
            tried.append(self.settings.plan.tile_width * self.settings.plan.tile_height)
            slots = super()._make_slots(count)
            if tried[-1] > fits_px:
                raise OutOfMemoryError("no room; try --tile")
            return slots

    monkeypatch.setattr(d3d12, "D3D12Stylizer", Crowded)
    live = device.context.live_count
    if not fits_px:
        with pytest.raises(OutOfMemoryError, match="no room; try --tile"):
            device.stylizer(blur(), source, nv12(320, 180), slots=1)
    else:
        with device.stylizer(blur(), source, nv12(320, 180), slots=1) as stylizer:
            assert "tiles of" in stylizer.notes[0]
            assert stylizer.fetch(stylizer.submit(noise(source))).planes[0].any()
    assert device.context.live_count <= live + 12  # kernels stay
    assert len(tried) >= 3
    assert tried == sorted(set(tried), reverse=True)
    tried.clear()
    with pytest.raises(OutOfMemoryError):  # asked for, so nothing else is tried
        device.stylizer(blur(), source, nv12(320, 180), slots=1, tiling="off")
    assert len(tried) == 1


def test_an_operator_that_directml_lacks_is_named(device: D3D12Device) -> None:
    live = dict(device.context.directml.ort.live)
    with pytest.raises(
        DeviceError, match="DirectML does not have RandomUniformLike of network 'test' at 96x64; try --dev"
    ):
        device.stylizer(unknown_to_directml(), SOURCE, nv12(96, 64))
    assert dict(device.context.directml.ort.live) == live


def test_a_damaged_network_is_an_error(device: D3D12Device) -> None:
    with pytest.raises(DeviceError, match="DirectML cannot run network 'noise'"):
        device.context.directml.session(os.urandom(100), "'noise'", Levers())


def test_an_adapter_without_direct3d_12_asks_for_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Direct3D gets an object that is no adapter; the rig answers E_FAIL without Vulkan."""
    monkeypatch.setattr(adapters, "open_adapter", lambda factory, info: adapters.open_factory())
    [first, *_] = adapters.list_adapters()
    says = (
        rf"'{re.escape(first.name)}' has no working Direct3D 12 \(D3D12CreateDevice .*\); install or update the driver"
    )
    with pytest.raises(DeviceError, match=says):
        d3d12.open_device(first)


def test_removal_is_a_lost_device_with_its_reason_and_still_closes() -> None:
    device = d3d12.open_device(adapters.list_adapters()[0])
    stylizer = device.stylizer(blur(), SOURCE, nv12(96, 64))
    stylizer.fetch(stylizer.submit(noise(SOURCE)))
    kept = stylizer.submit(noise(SOURCE))
    device.context.wait_idle()  # what was finished before is lost too: removal completes every fence, true or not
    remove(device)
    for call in (lambda: stylizer.submit(noise(SOURCE)), lambda: stylizer.fetch(kept)):
        with pytest.raises(
            DeviceLostError, match=r"the device was removed \(DXGI_ERROR_\w+\); update the graphics driver"
        ):
            call()
    with pytest.raises(DeviceLostError, match="the device was removed"):
        device.stylizer(identity(), SOURCE, nv12(96, 64))
    stylizer.close()
    device.close()
    assert device.context.live_count == 0


def test_a_new_device_works_after_one_was_lost() -> None:
    with d3d12.open_device(adapters.list_adapters()[0]) as device:
        remove(device)
    with (
        d3d12.open_device(adapters.list_adapters()[0]) as device,
        device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer,
    ):
        assert stylizer.fetch(stylizer.submit(noise(SOURCE))).planes[0].any()


def test_closing_gives_every_reference_back() -> None:
    """Direct3D's own count, which DirectML and ONNX Runtime share."""
    device = d3d12.open_device(adapters.list_adapters()[0])
    with device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer:
        stylizer.fetch(stylizer.submit(noise(SOURCE)))
    kept = D.ID3D12Device(device.context.native.device.value)
    kept.AddRef()
    device.close()
    assert kept.Release() == 0


def test_an_adapter_that_is_gone_is_named() -> None:
    gone = DeviceInfo(0, "d3d12", "Ghost", luid=0x1234567890)
    with pytest.raises(DeviceError, match="'Ghost' is no longer there"):
        d3d12.open_device(gone)


def test_the_adapter_in_use_is_the_one_that_the_device_reports() -> None:
    infos = adapters.list_adapters()
    assert [info.software for info in infos] == sorted(info.software for info in infos)
    assert [info.index for info in infos] == list(range(len(infos)))
    for info in infos:
        assert info.name
        assert info.kind == "d3d12"
        assert info.memory_bytes > 0 or info.software
        with d3d12.open_device(info) as device:
            assert device.info == info
            assert device.context.native.luid == info.luid
            assert adapters.free_bytes(info) > 0


def test_the_debug_layer_is_quiet_where_it_is_missing() -> None:
    with d3d12.open_device(adapters.list_adapters()[0], Diagnosis(debug=True)) as device:
        debug = D.ID3D12Debug()
        there = D.D3D12GetDebugInterface(D.ID3D12Debug._iid_, debug) >= 0
        assert device.context.native.debug_layer == there
        live = device.context.native.live_count
        with pytest.raises(DeviceError, match="CreateFence 'bad'") as caught:
            device.context.native.make("CreateFence", D.ID3D12Device, "'bad'", 0, 0)
        assert ("\n" in str(caught.value)) == there
        assert device.context.native.live_count == live


def test_waiting_sleeps_until_the_fence(device: D3D12Device) -> None:
    point = device.context.compute.signal()
    point.block()
    assert point.reached
    assert ctypes.sizeof(ctypes.c_void_p) == 8  # vtables are called with the x64 ABI
