"""Who waits for whom: one queue at a time is held by a fence that the test opens."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from gpu.d3d12.device import D3D12Device
from gpu.d3d12.queue import Point, Queue
from gpu.frame import FrameFormat, Layout, nv12
from tests.gpu.pictures import noise
from tests.networks import identity
from tests.windows.styles import blur

pytestmark = pytest.mark.windows

SOURCE = FrameFormat(96, 64, Layout.PLANAR, subsample=(1, 1))
TIME_S = 0.3  # long enough for a small frame to pass where nothing holds it
PATIENCE_S = 60


class Gate:
    """Holds queues until it is opened."""

    def __init__(self, device: D3D12Device) -> None:
        self._queue = Queue(device.native, D.D3D12_COMMAND_LIST_TYPE_COPY, "gate")
        self._device = device

    def hold(self, queue: Queue) -> None:
        queue.wait_for(Point(self._queue, 1))

    def open(self) -> None:
        if not self._queue.completed:
            self._queue.signal()

    def close(self) -> None:
        self.open()
        self._device.wait_idle()
        self._queue.close()


@pytest.fixture
def gate(device: D3D12Device) -> Iterator[Gate]:
    made = Gate(device)
    yield made
    made.close()


def reaches(point: Point) -> bool:
    end = time.monotonic() + TIME_S
    while not point.reached and time.monotonic() < end:
        time.sleep(0.01)
    return point.reached


def test_submit_returns_while_nothing_moves(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer:
        gate.hold(device.compute)
        tickets = [stylizer.submit(noise(SOURCE, index)) for index in range(3)]
        assert stylizer.counters.cpu_waits == 0
        assert not any(reaches(point) for ticket in tickets for point in stylizer._tickets[ticket].points.values())
        gate.open()
        for ticket in tickets:
            stylizer.fetch(ticket)


def test_a_slot_given_back_early_is_waited_for_and_counted(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(blur(), SOURCE, nv12(96, 64), slots=2) as stylizer:
        gate.hold(device.compute)
        stylizer.release(stylizer.submit(noise(SOURCE)))
        second = stylizer.submit(noise(SOURCE))  # the other slot
        thread = threading.Thread(target=stylizer.submit, args=(noise(SOURCE),))
        thread.start()
        thread.join(TIME_S)
        assert thread.is_alive(), "a slot was filled while the device used it"
        gate.open()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
        assert stylizer.counters.cpu_waits == 1
        stylizer.fetch(second)


def test_compute_waits_for_the_upload(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        gate.hold(device.copy)
        ticket = stylizer.submit(noise(SOURCE))
        assert not reaches(stylizer._tickets[ticket].painted_at)
        gate.open()
        stylizer.fetch(ticket)


def test_the_next_upload_overlaps_the_network(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        gate.hold(device.compute)
        tickets = [stylizer.submit(noise(SOURCE)) for _ in range(3)]
        assert reaches(device.copy.signal()), "uploads wait for the network"
        gate.open()
        for ticket in tickets:
            stylizer.fetch(ticket)


def test_the_readback_waits_for_the_output(device: D3D12Device, gate: Gate) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        stylizer.fetch(stylizer.submit(noise(SOURCE)))  # from now on outputs are made ahead
        gate.hold(device.compute)
        ticket = stylizer.submit(noise(SOURCE))
        assert not reaches(stylizer._tickets[ticket].delivered_at)
        assert reaches(device.copy.signal()), "uploads wait for readbacks"
        gate.open()
        stylizer.fetch(ticket)


def test_the_screen_waits_for_the_network(device: D3D12Device, gate: Gate, window: int) -> None:
    surface = device.surface(window, 96, 64)
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        gate.hold(device.compute)
        ticket = stylizer.submit(noise(SOURCE))
        stylizer.show(ticket, surface)
        assert not reaches(stylizer._tickets[ticket].points[device.direct])
        assert stylizer.counters.cpu_waits == 0
        gate.open()
    surface.close()


def test_a_slot_on_its_way_to_the_screen_is_not_filled(device: D3D12Device, gate: Gate, window: int) -> None:
    surface = device.surface(window, 96, 64)
    with device.stylizer(identity(), SOURCE, nv12(96, 64), slots=1) as stylizer:
        gate.hold(device.direct)
        ticket = stylizer.submit(noise(SOURCE))
        stylizer.show(ticket, surface)
        stylizer.release(ticket)
        thread = threading.Thread(target=stylizer.submit, args=(noise(SOURCE),))
        thread.start()
        thread.join(TIME_S)
        assert thread.is_alive(), "a slot was filled while the screen read it"
        gate.open()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
    surface.close()


def test_python_runs_while_the_cpu_waits(device: D3D12Device, gate: Gate) -> None:
    """Waiting gives the interpreter's lock away, so decoding and encoding go on."""
    source = FrameFormat(64, 48, Layout.PLANAR, subsample=(1, 1))
    with device.stylizer(identity(), source, nv12(64, 48)) as stylizer:
        gate.hold(device.compute)
        ticket = stylizer.submit(noise(source))
        thread = threading.Thread(target=stylizer.fetch, args=(ticket,))
        thread.start()
        time.sleep(0.05)
        assert thread.is_alive()
        gate.open()  # runs only where fetch does not hold the lock
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
