"""Pictures in resources of another program, which writes them on its own queue and goes on when its fence says so."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X
from win32more.Windows.Win32.Foundation import HANDLE, CloseHandle

from framebrush.gpu.d3d12 import adapters
from framebrush.gpu.d3d12 import device as d3d12
from framebrush.gpu.d3d12 import fenced_queue as queues
from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.fenced_queue import Fence, FencePoint, Queue
from framebrush.gpu.d3d12.native import Com, Native, Owned
from framebrush.gpu.d3d12.resources import Buffer, PlaneTextures
from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame, FrameFormat, PlaneAddresses, SharedPlanes, bgra8, nv12, rgba8, yuv420p
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from tests.gpu.contract import assert_alike, painted
from tests.gpu.pictures import noise
from tests.windows.harness import remove
from tests.windows.styles import blur

pytestmark = pytest.mark.windows

RGBA = rgba8(96, 64)
TARGET = rgba8(96, 64)
GENERIC_ALL = 0x10000000


def make(native: Native, description: Com, heap: int = D.D3D12_HEAP_TYPE_DEFAULT) -> Owned:
    """A resource as a program makes it that shares it, in state COMMON."""
    properties = D.D3D12_HEAP_PROPERTIES()
    properties.Type = heap
    state = D.D3D12_RESOURCE_STATE_COPY_DEST if heap == D.D3D12_HEAP_TYPE_READBACK else 0
    flags = 0 if heap == D.D3D12_HEAP_TYPE_READBACK else D.D3D12_HEAP_FLAG_SHARED
    arguments = ctypes.byref(properties), flags, ctypes.byref(description), state, None
    return native.make("CreateCommittedResource", D.ID3D12Resource, "program's", *arguments)


def texture(size_px: tuple[int, int], fmt: int, *, slices: int = 1, mips: int = 1) -> Com:
    made = D.D3D12_RESOURCE_DESC()
    made.Dimension, made.Format = D.D3D12_RESOURCE_DIMENSION_TEXTURE2D, fmt
    made.Width, made.Height = size_px
    made.DepthOrArraySize, made.MipLevels, made.SampleDesc.Count = slices, mips, 1
    return made


def buffer(size_bytes: int) -> Com:
    made = D.D3D12_RESOURCE_DESC()
    made.Dimension, made.Layout = D.D3D12_RESOURCE_DIMENSION_BUFFER, D.D3D12_TEXTURE_LAYOUT_ROW_MAJOR
    made.Width, made.Height = size_bytes, 1
    made.DepthOrArraySize = made.MipLevels = made.SampleDesc.Count = 1
    return made


class Program:
    """Another program on an ID3D12Device, with a picture in textures, or in one buffer, a queue and a fence."""

    def __init__(
        self, native: Native, picture: FrameFormat, *, in_buffer: bool = False, fmt: int | None = None
    ) -> None:
        self.native, self.stack = native, ExitStack()
        keep = self.stack.enter_context
        self.queue = keep(closing(Queue(native, D.D3D12_COMMAND_LIST_TYPE_DIRECT, "program's queue")))
        owned = native.make("CreateFence", D.ID3D12Fence, "program's fence", 0, D.D3D12_FENCE_FLAG_SHARED)
        self.fence = keep(closing(Fence(native, owned, "program's fence")))
        self.planes = keep(closing(PlaneTextures(native, picture, "program's")))
        self.upload = keep(closing(Buffer(native, self.planes.size_bytes, "program's", heap=D.D3D12_HEAP_TYPE_UPLOAD)))
        self.recorder = keep(closing(Recorder(native, D.D3D12_COMMAND_LIST_TYPE_DIRECT, "program's")))
        self.offsets = self.pitches = ()
        if in_buffer:
            self.resources = [keep(closing(make(native, buffer(self.planes.size_bytes))))]
            self.offsets = tuple(one.Offset for one in self.planes.footprints)
            self.pitches = tuple(one.Footprint.RowPitch for one in self.planes.footprints)
        else:
            self.resources = [
                keep(closing(make(native, texture(one.size_px, fmt or one.format)))) for one in self.planes.textures
            ]

    def shared(self, ready: int = 1, done: int = 2) -> SharedPlanes:
        """As it tells us within its own process."""
        addresses = [one.com.value for one in self.resources]
        fence = self.fence.fence_com.value
        return SharedPlanes(addresses, fence, ready, done, self.offsets, self.pitches, handles=False)

    def write(self, frame: Frame, ready: int = 1) -> None:
        """Write a picture on its queue and signal its fence."""
        for view, plane in zip(self.planes.views(self.upload.mapped), frame.planes, strict=True):
            np.copyto(view, plane)
        recorder = self.recorder.reset().begin()
        if self.offsets:
            recorder._com.CopyBufferRegion(self.resources[0].com, 0, self.upload.com, 0, self.upload.size_bytes)
        else:
            recorder.upload(self.upload, _Over(self.planes, self.resources))  # type: ignore[arg-type]
        self.queue.execute(recorder.end())
        self.queue.reach(FencePoint(self.fence, ready))

    def close(self) -> None:
        self.queue.idle()
        self.stack.close()


class _Over:
    """The program's own textures, where the rows of an upload lie."""

    def __init__(self, planes: PlaneTextures, resources: list[Owned]) -> None:
        self.textures, self.footprints = resources, planes.footprints


def free_all(device: D3D12Device) -> None:
    """Free memory that waits for a queue: releasing a frame frees all that is no longer used."""
    device.context.wait_idle()
    frame = device.upload(noise(RGBA))
    device.context.wait_idle()
    frame.release()


def held(device: D3D12Device) -> list[str]:
    """Return the labels of memory that other programs share."""
    assert not device.context.outside
    return [label for label in device.context.native.live if label.startswith("outside")]


MakeProgram = Callable[..., Program]


@pytest.fixture
def program(device: D3D12Device) -> Iterator[MakeProgram]:
    """Yield a maker of programs on this ID3D12Device; no memory is shared after their frames."""
    with ExitStack() as stack:
        yield lambda picture, **options: stack.enter_context(
            closing(Program(device.context.native, picture, **options))
        )
        free_all(device)
        assert not held(device)
    assert not [label for label in device.context.native.live if label.startswith("program")]


def references(owned: Owned) -> int:
    owned.com.AddRef()
    return int(owned.com.Release())


@pytest.mark.parametrize("in_buffer", [False, True], ids=["textures", "a buffer"])
@pytest.mark.parametrize("picture", [RGBA, nv12(61, 47), yuv420p(61, 47), nv12(96, 64, bits=10)], ids=str)
def test_it_is_painted_as_a_frame_of_the_host(
    device: D3D12Device, program: MakeProgram, picture: FrameFormat, in_buffer: bool
) -> None:
    """Though it is submitted before the program has written it."""
    target, style = rgba8(picture.width, picture.height), blur()
    frames = [noise(picture, seed) for seed in range(3)]
    expected = [painted(device, style, frame, target) for frame in frames]
    other = program(picture, in_buffer=in_buffer)
    before = references(other.resources[0])
    with device.stylizer(style, picture, target) as stylizer:
        for number, frame in enumerate(frames):
            adopted = device.adopt(picture, other.shared(2 * number + 1, 2 * number + 2))
            assert min(map(references, other.resources)) > before
            ticket = stylizer.submit(adopted)
            other.write(frame, 2 * number + 1)
            assert_alike(stylizer.fetch(ticket), expected[number], tolerance=0)
            other.fence.block(2 * number + 2)  # so that the program goes on
            assert other.fence.completed == 2 * number + 2
        assert stylizer.counters.host_copies == stylizer.counters.readbacks
    free_all(device)
    assert {references(one) for one in other.resources} == {before}


@pytest.mark.parametrize("given", ["UNORM", "UNORM_SRGB", "TYPELESS", "a buffer"])
def test_blue_first_is_painted_as_red_first(device: D3D12Device, program: MakeProgram, given: str) -> None:
    """To the code, as a frame of the host and as another program's."""
    frame, picture = noise(RGBA), bgra8(RGBA.width, RGBA.height)
    swapped = Frame(picture, (np.ascontiguousarray(frame.planes[0][..., [2, 1, 0, 3]]),))
    expected = painted(device, blur(), frame, TARGET)
    assert_alike(painted(device, blur(), swapped, TARGET), expected, tolerance=0)
    in_buffer = given == "a buffer"
    fmt = None if in_buffer else getattr(X, f"DXGI_FORMAT_B8G8R8A8_{given}")
    other = program(picture, in_buffer=in_buffer, fmt=fmt)
    other.write(swapped)
    with device.stylizer(blur(), picture, TARGET) as stylizer:
        got = stylizer.fetch(stylizer.submit(device.adopt(picture, other.shared())))
        assert_alike(got, expected, tolerance=0)
    assert other.fence.comes(2, 60_000)


def test_the_example_of_the_docs(device: D3D12Device, program: MakeProgram) -> None:
    """With addresses in place of handles, which the rig does not have."""
    page = (Path(__file__).parents[2] / "docs" / "devices.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(page.split("```py\n")[1].split("```")[0], names)
    names["SharedPlanes"] = partial(SharedPlanes, handles=False)
    style, other = load_style(bundled()["realtime"]), program(RGBA)
    (texture,), fence = other.shared().resources, other.shared().fence
    other.write(noise(RGBA, 0), ready=1)
    for number, got in enumerate(names["painted"](device, texture, fence, (96, 64), 3)):
        assert_alike(got, painted(device, style, noise(RGBA, number), TARGET), tolerance=0)
        other.fence.block(2 * number + 2)
        other.write(noise(RGBA, number + 1), ready=2 * number + 3)


def test_the_program_goes_on_when_its_picture_has_been_read(device: D3D12Device, program: MakeProgram) -> None:
    """And not before: the queue that reads is held."""
    other, frame = program(RGBA), noise(RGBA)
    other.write(frame)
    gate = program(RGBA)
    with device.stylizer(blur(), RGBA, TARGET) as stylizer:
        device.context.copy.wait_for(FencePoint(gate.fence, 1))
        ticket = stylizer.submit(device.adopt(RGBA, other.shared()))
        assert not other.fence.comes(2, 300)
        gate.queue.reach(FencePoint(gate.fence, 1))
        assert other.fence.comes(2, 60_000)
        stylizer.fetch(ticket)


def test_a_frame_released_unread_lets_the_program_go_on(device: D3D12Device, program: MakeProgram) -> None:
    other = program(RGBA)
    adopted = device.adopt(RGBA, other.shared())
    adopted.release()
    adopted.release()
    assert not other.fence.comes(1, 300), "the program has not written yet"
    other.write(noise(RGBA))
    assert other.fence.comes(2, 60_000)


def test_it_is_downloaded_for_another_device(device: D3D12Device, program: MakeProgram) -> None:
    frame = noise(nv12(61, 47))
    for in_buffer in (False, True):
        other = program(frame.format, in_buffer=in_buffer)
        other.write(frame)
        with open_device("cpu") as cpu, cpu.stylizer(blur(), frame.format, rgba8(61, 47)) as stylizer:
            got = stylizer.fetch(stylizer.submit(device.adopt(frame.format, other.shared())))
            assert_alike(got, painted(cpu, blur(), frame, rgba8(61, 47)), tolerance=0)
        assert other.fence.comes(2, 60_000)


@pytest.mark.parametrize("submitted", [True, False])
def test_a_program_that_never_signals_does_not_hold_up_the_end(
    monkeypatch: pytest.MonkeyPatch, submitted: bool
) -> None:
    monkeypatch.setattr(queues, "PATIENCE_MS", 200)
    device = d3d12.open_device(adapters.list_adapters()[0])
    other = Program(device.context.native, RGBA)
    if submitted:
        stylizer = device.stylizer(blur(), RGBA, TARGET)
        stylizer.submit(device.adopt(RGBA, other.shared()))
    else:
        device.adopt(RGBA, other.shared())
    context = device.context
    own = sum(context.native.live[label] for label in ("program's", "program's queue", "program's fence"))
    assert own
    monkeypatch.setattr(context._stack, "close", lambda: None)  # the program's device, too
    device.close()
    assert not held(device)
    other.close()
    monkeypatch.undo()
    context.close()
    assert context.live_count == 0


@pytest.mark.parametrize("submitted", [True, False])
def test_a_device_that_goes_away_lets_go_of_the_picture(submitted: bool) -> None:
    with d3d12.open_device(adapters.list_adapters()[0]) as device, device.stylizer(blur(), RGBA, TARGET) as stylizer:
        other = Program(device.context.native, RGBA)
        other.write(noise(RGBA))
        other.queue.idle()
        adopted = device.adopt(RGBA, other.shared())
        if submitted:
            stylizer.submit(adopted)
        remove(device)
        adopted.release()
        stylizer.close()
        other.close()
        device.close()
        assert device.context.live_count == 0


def wrong(native: Native, stack: ExitStack, description: Com, **options: int) -> int:
    return int(stack.enter_context(closing(make(native, description, **options))).com.value)


R8G8B8A8, BGRA, R8 = X.DXGI_FORMAT_R8G8B8A8_UNORM, X.DXGI_FORMAT_B8G8R8A8_UNORM, X.DXGI_FORMAT_R8_UNORM


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (texture((95, 64), R8G8B8A8), "95x64 where the plane is 96x64"),
        (texture((96, 64), BGRA), "format 87 where the plane is R8G8B8A8_UNORM"),
        (texture((96, 64), R8), "format 61 where"),
        (texture((96, 64), R8G8B8A8, mips=2), "1 slices, 2 mip levels and 1 samples"),
        (texture((96, 64), R8G8B8A8, slices=3), "3 slices"),
        (buffer(96 * 64 * 4), "is no 2D texture; a buffer needs offsets and pitches"),
    ],
)
def test_textures_that_are_not_the_picture(
    device: D3D12Device, program: MakeProgram, description: Com, message: str
) -> None:
    given = program(RGBA).shared()
    with ExitStack() as stack:
        bad = wrong(device.context.native, stack, description)
        with pytest.raises(ValueError, match=message):
            device.adopt(RGBA, replace(given, resources=[bad]))
        right = wrong(device.context.native, stack, texture((96, 64), R8G8B8A8))
        with pytest.raises(ValueError, match="format 28 where the plane is B8G8R8A8_UNORM"):
            device.adopt(bgra8(96, 64), replace(given, resources=[right]))
        with pytest.raises(ValueError, match="2 textures were given for rgba of 1 planes"):
            device.adopt(RGBA, replace(given, resources=[bad, bad]))


def test_planes_that_are_not_in_the_buffer(device: D3D12Device, program: MakeProgram) -> None:
    given = program(nv12(96, 64), in_buffer=True).shared()
    picture, (luma, chroma) = nv12(96, 64), given.offsets
    for change, message in (
        ({"offsets": (luma, chroma + 512 * 64)}, "plane 1 ends at byte"),
        ({"offsets": (luma, chroma + 1)}, "a multiple of 512"),
        ({"offsets": (-512, chroma)}, "a multiple of 512"),
        ({"pitches": (96, 256)}, "one of 256 and at least 96"),
        ({"pitches": (0, 256)}, "at least 96"),
        ({"pitches": (256,)}, "2 offsets and 1 pitches were given for semi-planar of 2 planes"),
        ({"resources": [given.resources[0]] * 2}, "those of one buffer"),
    ):
        with pytest.raises(ValueError, match=message):
            device.adopt(picture, replace(given, **change))
    with ExitStack() as stack:
        read = wrong(device.context.native, stack, buffer(1 << 16), heap=D.D3D12_HEAP_TYPE_READBACK)
        with pytest.raises(ValueError, match="readback heap"):
            device.adopt(picture, replace(given, resources=[read]))


def test_what_is_no_resource_or_fence(device: D3D12Device, program: MakeProgram) -> None:
    given = program(RGBA).shared()
    with pytest.raises(DeviceError, match="is of no ID3D12Resource; give one, or say handles=True"):
        device.adopt(RGBA, replace(given, resources=[given.fence]))
    with pytest.raises(DeviceError, match="is of no ID3D12Fence"):
        device.adopt(RGBA, replace(given, fence=given.resources[0]))
    with pytest.raises(DeviceError, match="handle 0x1234 is no ID3D12Resource that this device can open"):
        device.adopt(RGBA, replace(given, resources=[0x1234], handles=True))
    with pytest.raises(DeviceError, match="takes no PlaneAddresses"):
        device.adopt(RGBA, PlaneAddresses([1], [384], None))
    for change in (
        {"resources": []},
        {"resources": [0]},
        {"fence": 0},
        {"done": 1},
        {"ready": -1},
        {"done": 2**64 - 1},
    ):
        with pytest.raises(ValueError, match=r"resources and a fence|cannot go from"):
            replace(given, **change)


def test_a_fence_that_is_past_it(device: D3D12Device, program: MakeProgram) -> None:
    other = program(RGBA)
    other.write(noise(RGBA), ready=5)
    other.fence.block(5)
    with pytest.raises(ValueError, match="the fence is at 5 and cannot be set to 2"):
        device.adopt(RGBA, other.shared(1, 2))


def test_a_resource_of_another_device_is_refused(device: D3D12Device, program: MakeProgram) -> None:
    with d3d12.open_device(device.info) as second:
        if second.context.native.device.value == device.context.native.device.value:
            pytest.skip("Windows has one ID3D12Device for each adapter of a process")
        with closing(Program(second.context.native, RGBA)) as other:
            with pytest.raises(DeviceError, match="of another ID3D12Device; share it by a handle"):
                device.adopt(RGBA, other.shared())
            mixed = replace(other.shared(), resources=program(RGBA).shared().resources)
            with pytest.raises(DeviceError, match=r"the ID3D12Fence at .* is of another"):
                device.adopt(RGBA, mixed)


@pytest.mark.xfail(
    "WINRIG" in os.environ, reason="the rig's driver shares no handles: E_NOTIMPL", raises=DeviceError, strict=True
)
@pytest.mark.parametrize("in_buffer", [False, True], ids=["textures", "a buffer"])
def test_handles_of_a_second_device(device: D3D12Device, in_buffer: bool) -> None:
    """Handles come as from another process, and are closed once the frame is open."""
    picture = nv12(96, 64)
    frame = noise(picture)
    expected = painted(device, blur(), frame, TARGET)
    with d3d12.open_device(device.info) as second, ExitStack() as stack:
        other = stack.enter_context(closing(Program(second.context.native, picture, in_buffer=in_buffer)))

        def handle(com: Com) -> int:
            made = HANDLE()
            call = second.context.native.device.CreateSharedHandle(com, None, GENERIC_ALL, None, ctypes.byref(made))
            second.context.native.check(call, "CreateSharedHandle")
            return int(made.value)

        handles = [handle(one.com) for one in other.resources]
        fence = handle(other.fence.fence_com)
        given = SharedPlanes(handles, fence, 1, 2, other.offsets, other.pitches)
        with pytest.raises(DeviceError, match="is no ID3D12Resource that this device can open"):
            device.adopt(picture, replace(given, resources=[fence, fence][: len(handles)]))
        adopted = device.adopt(picture, given)
        for one in (*handles, fence):
            CloseHandle(one)
        with device.stylizer(blur(), picture, TARGET) as stylizer:
            ticket = stylizer.submit(adopted)
            other.write(frame)
            assert_alike(stylizer.fetch(ticket), expected, tolerance=0)
        assert other.fence.comes(2, 60_000)
    free_all(device)
    assert not held(device)
