"""Disabled DirectML features, verified by intercepting calls to DirectML and Direct3D 12 in their method tables."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from ctypes import c_uint64, c_void_p, c_wchar_p
from pathlib import Path
from typing import Any

import pytest
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12 import adapters, directml
from framebrush.gpu.d3d12 import ort as ort_api
from framebrush.gpu.d3d12.device import D3D12Device, open_device
from framebrush.gpu.d3d12.directml import LEVERS
from framebrush.gpu.d3d12.metacommands import COMPILE, COMPILE_GRAPH
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.settings import EngineName
from framebrush.models.style import Style
from tests import networks
from tests.gpu.contract import assert_alike, painted
from tests.gpu.pictures import scene

pytestmark = pytest.mark.windows

W, H = 96, 64
FRAME, PLAIN = scene(W, H), Look(brush=0.0, relief=0.0, steady=0.0, dither=False)
NO_METACOMMANDS = 2  # DML_EXECUTION_FLAG_DISABLE_META_COMMANDS
Method = ctypes.CFUNCTYPE(c_uint64, *[c_uint64] * 9)
Note = Callable[[tuple[int, ...]], None]


@pytest.fixture(scope="module")
def style() -> Style:
    """Convolutions and what DirectML fuses with them."""
    return networks.blend()


class Tap:
    """A copy of the first `count` functions of an object's table: `note` gets the arguments of those at `slots` when
    they have returned."""

    def __init__(self, address: int, count: int, slots: Iterable[int], note: Note) -> None:
        self._object = c_void_p.from_address(address)
        self._table = self._object.value
        theirs = (c_void_p * count).from_address(self._table or 0)
        self._copy = type(theirs)(*theirs)
        self._kept = {slot: self._noting(Method(theirs[slot] or 0), note) for slot in slots}
        for slot, ours in self._kept.items():
            self._copy[slot] = ctypes.cast(ours, c_void_p).value
        self._object.value = ctypes.addressof(self._copy)

    def _noting(self, theirs: Callable[..., int], note: Note) -> Any:  # noqa: ANN401 - ctypes has no name for it
        def called(*arguments: int) -> int:
            result = theirs(*arguments)
            note(arguments)
            return result

        return Method(called)

    def close(self) -> None:
        self._object.value = self._table


class Living:
    """Count of a device's made and living resources; each holds a reference to this object."""

    def __init__(self, device: D3D12Device) -> None:
        self.made = self.alive = 0
        self._methods = [Method(lambda *_: 0x80004002), Method(self._held), Method(self._let_go)]
        self._table = (c_void_p * 3)(*(ctypes.cast(one, c_void_p).value for one in self._methods))
        self._object = c_void_p(ctypes.addressof(self._table))
        self._id = (ctypes.c_ubyte * 16)(*range(1, 17))
        self._hold = D.ID3D12Object.SetPrivateDataInterface._vtbl_index
        create = D.ID3D12Device.CreateCommittedResource._vtbl_index
        self._tap = Tap(device.context.native.device.value, 75, [create], self._note)

    def _note(self, arguments: tuple[int, ...]) -> None:
        self.made += 1
        resource = c_void_p.from_address(arguments[7]).value or 0
        table = (c_void_p * (1 + self._hold)).from_address(c_void_p.from_address(resource).value or 0)
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, c_void_p, c_void_p, c_void_p)
        result = kind(table[self._hold] or 0)(resource, ctypes.addressof(self._id), ctypes.addressof(self._object))
        assert result == 0

    def _held(self, *_: int) -> int:
        self.alive += 1
        return self.alive

    def _let_go(self, *_: int) -> int:
        self.alive -= 1
        return self.alive

    def close(self) -> None:
        self._tap.close()


def test_directml_paints_alike_without_what_can_be_switched_off(device: D3D12Device, style: Style) -> None:
    usual, *others = (painted(device, style, FRAME, rgba8(W, H), look=PLAIN, engine=engine) for engine in LEVERS)
    for other in others:
        assert_alike(other, usual)


@pytest.mark.parametrize(("engine", "flagged"), [("directml", False), ("directml-no-metacommands", True)])
def test_what_directml_compiles_has_metacommands_or_not(style: Style, engine: EngineName, flagged: bool) -> None:
    """The flags that DirectML itself is given, for a graph and for an operator."""
    seen: list[int] = []
    with open_device(adapters.list_adapters()[0]) as opened:
        address = opened.context.directml._device.value
        with closing(Tap(address, 1 + COMPILE_GRAPH, COMPILE, lambda arguments: seen.append(arguments[2]))):
            painted(opened, style, FRAME, rgba8(W, H), look=PLAIN, engine=engine)
    assert seen
    assert {bool(flags & NO_METACOMMANDS) for flags in seen} == {flagged}
    assert opened.context.live_count == 0


@pytest.mark.parametrize(("engine", "fused"), [("directml", True), ("directml-no-fusion", False)])
def test_the_network_is_one_graph_or_not(
    style: Style, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: EngineName, fused: bool
) -> None:
    """ONNX Runtime's profile lists the whole network as one node, or its operators."""
    made = ort_api.SessionOptions
    monkeypatch.setitem(ort_api.INDEX, "EnableProfiling", 14)

    def profiling(ort: ort_api.Ort, config: Mapping[str, str]) -> ort_api.SessionOptions:
        options = made(ort, config)
        ort.call("EnableProfiling", options.handle.value, c_wchar_p(str(tmp_path / "run")))
        return options

    monkeypatch.setattr(directml, "SessionOptions", profiling)
    with open_device(adapters.list_adapters()[0]) as opened:
        painted(opened, style, FRAME, rgba8(W, H), look=PLAIN, engine=engine)
    [profile] = tmp_path.glob("run*.json")
    nodes = {event["name"] for event in json.loads(profile.read_text()) if event["name"].endswith("_kernel_time")}
    assert nodes
    assert any("DmlFused" in name and "Conv" not in name for name in nodes) == fused, nodes


@pytest.mark.parametrize(
    ("engine", "kept"), [("directml", True), ("directml-no-arena", False), ("directml-safe", False)]
)
def test_a_frame_takes_memory_or_not_and_a_network_gives_it_back(style: Style, engine: EngineName, kept: bool) -> None:
    with open_device(adapters.list_adapters()[0]) as opened, closing(Living(opened)) as living:
        for width, height in ((W, H), (W // 2, H // 2)):
            size = rgba8(width, height)
            with opened.stylizer(style, size, size, look=PLAIN, engine=engine) as stylizer:
                frame = scene(width, height)
                for _ in range(2):
                    before = living.made
                    stylizer.fetch(stylizer.submit(frame))
                assert (living.made == before) == kept
                assert living.alive
            assert not living.alive


@pytest.mark.parametrize("fails", ["OrtGetApiBase", "GetExecutionProviderApi"])
def test_a_provider_that_does_not_load_releases_its_device(fails: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(ort_api.Ort):
        def __init__(self, library: Path) -> None:
            if fails == "OrtGetApiBase":
                raise DeviceError(fails)
            super().__init__(library)

        def call(self, name: str, *arguments: object, **other: Any) -> None:  # noqa: ANN401 - as the method
            if name == fails:
                raise DeviceError(fails)
            super().call(name, *arguments, **other)

    with open_device(adapters.list_adapters()[0]) as device:
        context = device.context

        def references() -> int:
            context.native.device.AddRef()
            return int(context.native.device.Release())

        before = references()
        monkeypatch.setattr(directml, "Ort", Refusing)
        with pytest.raises(DeviceError, match=fails):
            directml.DirectML(context.native, context.compute)
        assert references() == before
