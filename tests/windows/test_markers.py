"""The events that a profiler sees. Calls of a command list and a queue are taken at their tables of functions, as
profilers take them, and go on to the driver."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from framebrush.gpu.d3d12 import adapters
from framebrush.gpu.d3d12 import device as d3d12
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.native import Com, Native, Owned
from framebrush.gpu.device import NO_DIAGNOSIS, Diagnosis
from framebrush.gpu.frame import FrameFormat, PlaneOrder, nv12
from framebrush.gpu.look import Look
from framebrush.gpu.settings import EngineName
from framebrush.gpu.temporal_window import TemporalWindow
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style
from tests.gpu.pictures import noise
from tests.windows.styles import blur

pytestmark = pytest.mark.windows

SOURCE = FrameFormat(96, 64, PlaneOrder.PLANAR, subsample=(1, 1))
SEEN = {
    "BeginEvent": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32),
    "EndEvent": ctypes.CFUNCTYPE(None, ctypes.c_void_p),
}
DISPATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint32)
Notes = list[str]


class Tap:
    """Copy of an object's table of functions, in which some functions note their calls."""

    def __init__(self, com: Com, methods: dict[str, Any], notes: Notes) -> None:
        self._object = ctypes.c_void_p.from_address(com.value)
        self._table = self._object.value
        last = max(method._vtbl_index for method in _methods(type(com)))
        table = (ctypes.c_void_p * (1 + last)).from_address(self._table or 0)
        self._copy = (ctypes.c_void_p * (1 + last))(*table)
        self._kept: list[Any] = []
        for name, kind in methods.items():
            index = getattr(type(com), name)._vtbl_index
            ours = kind(noting(name, kind(table[index] or 0), notes))
            self._kept.append(ours)
            self._copy[index] = ctypes.cast(ours, ctypes.c_void_p).value
        self._object.value = ctypes.addressof(self._copy)

    def close(self) -> None:
        self._object.value = self._table


def _methods(interface: type[Any]) -> Iterator[Any]:
    for base in interface.__mro__:
        yield from (value for value in vars(base).values() if hasattr(value, "_vtbl_index"))


def noting(name: str, original: Callable[..., None], notes: Notes) -> Callable[..., None]:
    def called(this: int, *arguments: int) -> None:
        if name == "BeginEvent":
            metadata, data, size = arguments
            text = ctypes.string_at(data, size)
            assert (metadata, text[-1]) == (1, 0), "profilers read 8-bit characters that end with a zero"
            notes.append(f"begin {text[:-1].decode('ascii')}")
        else:
            notes.append({"EndEvent": "end", "Dispatch": "kernel"}[name])
        original(this, *arguments)

    return called


@contextmanager
def tapped(monkeypatch: pytest.MonkeyPatch, diagnosis: Diagnosis) -> Iterator[tuple[D3D12Device, list[Notes], Notes]]:
    """Yield a device, the calls that each list records, and the calls of the compute queue."""
    lists: list[Notes] = []
    taps: list[Tap] = []
    make = Native.make

    def made(native: Native, call: str, interface: Com, label: str, *arguments: object) -> Owned:
        owned = make(native, call, interface, label, *arguments)
        if call == "CreateCommandList":
            lists.append([])
            tap = Tap(owned.com, {**SEEN, "Dispatch": DISPATCH}, lists[-1])
            taps.append(tap)
            close = owned.close

            def untapped() -> None:
                if owned.com is not None:
                    tap.close()
                close()

            owned.close = untapped  # type: ignore[method-assign]
        return owned

    with d3d12.open_device(adapters.list_adapters()[0], diagnosis) as device:
        monkeypatch.setattr(Native, "make", made)
        queue: Notes = []
        tap = Tap(device.context.compute.com, SEEN, queue)
        yield device, lists, queue
        device.context.wait_idle()
        tap.close()


LOOK = Look(strength=0.5, steady=0.5, detail=0.5, brush=0.5, relief=0.5)


def paint(device: D3D12Device, style: Style, engine: EngineName) -> None:
    window = TemporalWindow(before=1)
    with device.stylizer(
        style, SOURCE, nv12(96, 64), working=(48, 32), look=LOOK, window=window, engine=engine
    ) as stylizer:
        for _ in range(2):
            stylizer.fetch(stylizer.submit(noise(SOURCE)))
        stylizer.fetch(stylizer.submit(device.upload(noise(SOURCE))))


def test_every_list_is_one_event_with_the_name_of_its_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    with tapped(monkeypatch, Diagnosis(markers=True)) as (device, lists, queue):
        paint(device, load_style(bundled()["realtime"]), "shader")
        assert all(notes[0].startswith("begin ") and notes[-1] == "end" for notes in lists)
        assert all(notes.count("end") == 1 for notes in lists)
        names = {notes[0].removeprefix("begin "): notes.count("kernel") for notes in lists}
        copies = {"upload", "fetch", "import"}
        kernels = {"convert", "network", "steady", "resize", "original", "detail", "brush", "relief", "output"}
        assert copies | kernels <= set(names)
        assert all(names[stage] for stage in kernels)
        assert not queue


def test_directml_is_an_event_of_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    with tapped(monkeypatch, Diagnosis(markers=True)) as (device, _, queue):
        paint(device, blur(), "directml")
        assert queue == ["begin network", "end"] * (len(queue) // 2)
        assert len(queue) >= 2 * 3


def test_nothing_is_marked_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with tapped(monkeypatch, NO_DIAGNOSIS) as (device, lists, queue):
        paint(device, blur(), "directml")
        assert any("kernel" in notes for notes in lists)
        assert not queue
        assert {note for notes in lists for note in notes} == {"kernel"}
