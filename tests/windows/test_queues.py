"""Waits between queues: the test holds one queue at a time with a fence."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import CommandList
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.fenced_queue import Fence, FencePoint, Queue
from framebrush.gpu.d3d12.native import returned
from framebrush.gpu.d3d12.ort import RUN_LOCK
from framebrush.gpu.d3d12.slot import D3D12Slot
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, nv12
from framebrush.gpu.look import Look
from framebrush.gpu.surface import NativeWindow, View
from framebrush.gpu.temporal_window import TemporalWindow
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from tests.gpu.pictures import noise
from tests.inside import slot_of
from tests.networks import identity
from tests.windows.styles import blur

pytestmark = pytest.mark.windows

SOURCE = FrameFormat(96, 64, PlaneOrder.PLANAR, subsample=(1, 1))
TIME_S = 0.3  # long enough for a small frame to pass where nothing holds it
PATIENCE_S = 600
BRUSHED = Look(brush=1.0, steady=0.0)


class Gate:
    """Holds a queue inside a `with` block, once."""

    def __init__(self, device: D3D12Device) -> None:
        self._queue = Queue(device.context.native, D.D3D12_COMMAND_LIST_TYPE_COPY, "gate")
        self._device = device

    @contextmanager
    def holding(self, queue: Queue) -> Iterator[None]:
        queue.wait_for(FencePoint(self._queue, 1))
        try:
            yield
        finally:
            self._queue.signal()

    def close(self) -> None:
        self._device.context.wait_idle()
        self._queue.close()


@pytest.fixture
def gate(device: D3D12Device) -> Iterator[Gate]:
    made = Gate(device)
    yield made
    made.close()


def planes_of(frame: Frame) -> list[bytes]:
    return [plane.tobytes() for plane in frame.planes]


def reaches(point: FencePoint) -> bool:
    end = time.monotonic() + TIME_S
    while not point.reached and time.monotonic() < end:
        time.sleep(0.01)
    return point.reached


def test_a_wait_that_was_given_up_ends_no_later_one(device: D3D12Device) -> None:
    """Windows still signals for the abandoned wait during the next one."""
    native = device.context.native
    fence = Fence(native, native.make("CreateFence", D.ID3D12Fence, "fence", 0, D.D3D12_FENCE_FLAG_NONE), "fence")
    later = threading.Timer(2 * TIME_S, lambda: fence.fence_com.Signal(2))
    try:
        assert not fence.comes(1, 10)
        fence.fence_com.Signal(1)
        later.start()
        assert fence.comes(2, 1000 * PATIENCE_S)
    finally:
        later.cancel()
        fence.close()


def test_submit_returns_while_nothing_moves(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer:
        with gate.holding(device.context.compute):
            tickets = [stylizer.submit(noise(SOURCE, index)) for index in range(3)]
            assert stylizer.counters.cpu_waits == 0
            assert not any(reaches(point) for ticket in tickets for point in slot_of(stylizer, ticket).points.values())
        for ticket in tickets:
            stylizer.fetch(ticket)


def test_a_slot_given_back_early_is_waited_for_and_counted(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(blur(), SOURCE, nv12(96, 64), slots=2) as stylizer:
        thread = threading.Thread(target=stylizer.submit, args=(noise(SOURCE),))
        with gate.holding(device.context.compute):
            stylizer.release(stylizer.submit(noise(SOURCE)))
            second = stylizer.submit(noise(SOURCE))  # the other slot
            thread.start()
            thread.join(TIME_S)
            assert thread.is_alive(), "a slot was filled while the device used it"
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
        assert stylizer.counters.cpu_waits == 1
        stylizer.fetch(second)


def test_compute_waits_for_the_upload(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        with gate.holding(device.context.copy):
            ticket = stylizer.submit(noise(SOURCE))
            assert not reaches(slot_of(stylizer, ticket).painted_at)
        stylizer.fetch(ticket)


def test_the_next_upload_overlaps_the_network(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        with gate.holding(device.context.compute):
            tickets = [stylizer.submit(noise(SOURCE)) for _ in range(3)]
            assert reaches(device.context.copy.signal()), "uploads wait for the network"
        for ticket in tickets:
            stylizer.fetch(ticket)


def test_the_readback_waits_for_the_output(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        stylizer.fetch(stylizer.submit(noise(SOURCE)))  # from now on outputs are made ahead
        with gate.holding(device.context.compute):
            ticket = stylizer.submit(noise(SOURCE))
            assert slot_of(stylizer, ticket).delivered_at is None
            assert reaches(device.context.copy.signal()), "uploads wait for readbacks"
            thread = threading.Thread(target=stylizer.fetch, args=(ticket,))
            thread.start()
            thread.join(TIME_S)
            assert thread.is_alive()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_a_readback_begins_when_its_output_is_made(device: D3D12Device, gate: Gate) -> None:
    """Not only when it is fetched: the submission of a later frame queues it."""
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        stylizer.fetch(stylizer.submit(noise(SOURCE)))
        first = stylizer.submit(noise(SOURCE))
        slot_of(stylizer, first).painted_at.block()
        with gate.holding(device.context.compute):
            stylizer.submit(noise(SOURCE))
            delivered = slot_of(stylizer, first).delivered_at
            assert delivered is not None
            assert reaches(delivered)


def test_no_readback_begins_before_its_output_is_made(device: D3D12Device, gate: Gate) -> None:
    """Submitting a later frame looks for outputs that are ready, and leaves the others."""
    with device.stylizer(identity(), SOURCE, SOURCE) as stylizer:
        wanted = planes_of(stylizer.fetch(stylizer.submit(noise(SOURCE, 1))))
        with gate.holding(device.context.compute):
            first, second = (stylizer.submit(noise(SOURCE, seed)) for seed in (1, 2))
            assert slot_of(stylizer, first).delivered_at is None
        assert planes_of(stylizer.fetch(first)) == wanted
        stylizer.fetch(second)


def test_an_output_is_not_made_again_while_it_is_under_way(
    device: D3D12Device, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fetch with another look would overwrite memory that the queue still reads."""
    with device.stylizer(identity(), SOURCE, SOURCE) as stylizer:
        stylizer.fetch(stylizer.submit(noise(SOURCE)))
        deliver, made = stylizer._deliver, list[Look]()

        def noted(slot: D3D12Slot, look: Look, *before: CommandList) -> None:
            made.append(look)
            deliver(slot, look, *before)

        monkeypatch.setattr(stylizer, "_deliver", noted)
        former, later = stylizer.look, replace(stylizer.look, exposure_ev=0.5)
        with gate.holding(device.context.compute):
            ticket = stylizer.submit(noise(SOURCE))
            stylizer.look = later
            thread = threading.Thread(target=stylizer.fetch, args=(ticket,))
            thread.start()
            thread.join(TIME_S)
            assert made == [former]
        thread.join(PATIENCE_S)
        assert made == [former, later]


def test_directml_is_not_closed_while_a_session_runs() -> None:
    with open_device("d3d12") as device:
        assert isinstance(device, D3D12Device)
        directml = device.context.directml
        thread = threading.Thread(target=directml.close)
        with RUN_LOCK:
            thread.start()
            thread.join(TIME_S)
            assert thread.is_alive()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_the_screen_waits_for_the_network(device: D3D12Device, gate: Gate, window: NativeWindow) -> None:
    surface = device.surface(View(96, 64, window=window))
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer, gate.holding(device.context.compute):
        ticket = stylizer.submit(noise(SOURCE))
        stylizer.show(ticket, surface)
        assert not reaches(slot_of(stylizer, ticket).points[device.context.direct])
        assert stylizer.counters.cpu_waits == 0
    surface.close()


def test_a_slot_on_its_way_to_the_screen_is_not_filled(device: D3D12Device, gate: Gate, window: NativeWindow) -> None:
    surface = device.surface(View(96, 64, window=window))
    with device.stylizer(identity(), SOURCE, nv12(96, 64), slots=1) as stylizer:
        thread = threading.Thread(target=stylizer.submit, args=(noise(SOURCE),))
        with gate.holding(device.context.direct):
            ticket = stylizer.submit(noise(SOURCE))
            stylizer.show(ticket, surface)
            stylizer.release(ticket)
            thread.start()
            thread.join(TIME_S)
            assert thread.is_alive(), "a slot was filled while the screen read it"
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
    surface.close()


def test_python_runs_while_the_cpu_waits(device: D3D12Device, gate: Gate) -> None:
    """Waiting gives the interpreter's lock away, so decoding and encoding go on."""
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        with gate.holding(device.context.compute):
            thread = threading.Thread(target=stylizer.fetch, args=(stylizer.submit(noise(SOURCE)),))
            thread.start()
            thread.join(TIME_S)  # returns only where fetch does not hold the lock
            assert thread.is_alive()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_all_of_a_frame_goes_to_a_queue_at_once(device: D3D12Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conversion, network and output, drawn with a brush: each submission costs the processor and the GPU time."""
    style, look = load_style(bundled()["realtime"]), Look(brush=1.0, relief=0.5)
    with device.stylizer(style, SOURCE, nv12(96, 64), look=look, engine="shader", slots=1) as stylizer:
        stylizer.fetch(stylizer.submit(noise(SOURCE)))  # a slot's first frame makes what stays in it
        submitted: list[tuple[str, int]] = []

        def note(queue: Queue) -> None:
            execute = queue._execute

            def noted(count: int, lists: object) -> int:
                submitted.append((queue.label, count))
                return execute(count, lists)

            monkeypatch.setattr(queue, "_execute", noted)

        note(device.context.copy)
        note(device.context.compute)
        ticket = stylizer.submit(noise(SOURCE))
        assert submitted == [("upload queue", 1), ("compute queue", 5)]
        stylizer.fetch(ticket)


def test_only_the_network_may_take_its_time(device: D3D12Device) -> None:
    queues = (device.context.copy, device.context.download, device.context.compute, device.context.direct)
    flags = [returned(queue.com, "GetDesc", D.D3D12_COMMAND_QUEUE_DESC).Flags for queue in queues]
    assert flags == [0, 0, D.D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT, 0]


def test_what_follows_the_motion_waits_for_the_upload(device: D3D12Device, gate: Gate) -> None:
    """Of a frame that is not painted, along which strokes are carried."""
    with device.stylizer(
        identity(), SOURCE, nv12(96, 64), look=BRUSHED, window=TemporalWindow(1, 0), carries=True
    ) as stylizer:
        compute = device.context.compute
        for place in range(2):  # what these make first goes through the copy queue, too
            stylizer.follow(noise(SOURCE), place=place)
        compute.signal().block()
        with gate.holding(device.context.copy):
            stylizer.follow(noise(SOURCE), place=2)
            assert not reaches(compute.signal())


def test_strokes_on_the_screen_wait_for_the_network(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64), look=BRUSHED) as stylizer:
        slot = slot_of(stylizer, stylizer.submit(noise(SOURCE)))
        stylizer._draw_for_screen(slot, BRUSHED)  # makes what draws
        slot = slot_of(stylizer, stylizer.submit(noise(SOURCE, 1)))
        with gate.holding(device.context.compute):
            slot = slot_of(stylizer, stylizer.submit(noise(SOURCE, 2)))
            stylizer._draw_for_screen(slot, BRUSHED)
            assert not reaches(slot.points[device.context.direct])


@pytest.mark.parametrize("then", ["fetch", "show"])
def test_what_the_screen_draws_is_not_drawn_over(
    device: D3D12Device, gate: Gate, window: NativeWindow, then: str
) -> None:
    """By the output of the same frame, or with another look."""
    surface = device.surface(View(96, 64, window=window))
    with device.stylizer(identity(), SOURCE, nv12(96, 64), look=BRUSHED) as stylizer:
        ticket = stylizer.submit(noise(SOURCE))

        def go_on() -> None:
            if then == "fetch":
                stylizer.fetch(ticket)
            else:
                stylizer.look = replace(BRUSHED, brush=0.5)
                stylizer.show(ticket, surface)

        thread = threading.Thread(target=go_on)
        with gate.holding(device.context.direct):
            stylizer.show(ticket, surface)
            thread.start()
            thread.join(TIME_S)
            assert thread.is_alive()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
    surface.close()
