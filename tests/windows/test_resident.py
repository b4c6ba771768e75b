"""The resident pipeline from source planes to painted planes, and its counters."""

from __future__ import annotations

import dataclasses
import gc
import itertools
from collections.abc import Callable

import numpy as np
import pytest

from framebrush.gpu.d3d12 import adapters
from framebrush.gpu.d3d12 import device as d3d12
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.device import Diagnosis
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, nv12, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.stage_times import STAGES
from framebrush.gpu.stages import planes_to_tensor, tensor_to_planes
from framebrush.gpu.stylizer import Counters, Stylizer, Ticket
from framebrush.gpu.temporal_window import TemporalWindow
from framebrush.models.colours.colour_table import ColourTable
from tests.gpu.pictures import noise
from tests.networks import identity
from tests.windows.styles import blur

pytestmark = pytest.mark.windows

SOURCE = FrameFormat(96, 64, PlaneOrder.PLANAR, subsample=(1, 1))


def expected(frame: Frame, target: FrameFormat, look: Look, paint: Callable[[np.ndarray], np.ndarray]) -> Frame:
    """Compute a frame by the reference."""
    rgb = planes_to_tensor.planes_to_rgb(frame)
    return tensor_to_planes.rgb_to_output(tensor_to_planes.look(rgb, paint(rgb), look), target, look.dither)


def largest_difference(got: Frame, want: Frame) -> int:
    """In codes."""
    shift = got.format.shift
    return max(
        int(np.abs((a.astype(int) >> shift) - (b.astype(int) >> shift)).max())
        for a, b in zip(got.planes, want.planes, strict=True)
    )


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("target", [nv12(96, 64), nv12(96, 64, bits=10), rgba8(96, 64)], ids=str)
def test_identity_reaches_the_reference(device: D3D12Device, target: FrameFormat, precision: str) -> None:
    frame = noise(SOURCE)
    tolerance = 1 if precision == "float32" or target.bits == 8 else 2
    with device.stylizer(identity(half=precision == "float16"), SOURCE, target) as stylizer:
        got = stylizer.fetch(stylizer.submit(frame))
        assert largest_difference(got, expected(frame, target, Look(), lambda rgb: rgb)) <= tolerance


def test_what_fetching_counts(device: D3D12Device) -> None:
    frame = noise(SOURCE)
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        for _ in range(2):
            stylizer.fetch(stylizer.submit(frame))
        before = dataclasses.replace(stylizer.counters)
        count = 10
        tickets = [stylizer.submit(frame) for _ in range(3)]
        for _ in range(count - 3):
            stylizer.fetch(tickets.pop(0))
            waits = stylizer.counters.cpu_waits
            tickets.append(stylizer.submit(frame))
            assert stylizer.counters.cpu_waits == waits, "submit waited with a free slot"
        for ticket in tickets:
            stylizer.fetch(ticket)
        after = stylizer.counters
        assert after.uploads - before.uploads == count
        assert after.runs - before.runs == count
        assert after.dispatches - before.dispatches == 2 * count
        assert after.readbacks - before.readbacks == count
        assert after.presents == 0
        assert after.cpu_waits - before.cpu_waits <= 2 * count  # the output, then the readback


def test_submit_with_free_slots_neither_waits_nor_reads_back(device: D3D12Device) -> None:
    with device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer:
        for _ in range(3):
            stylizer.submit(noise(SOURCE))
        assert stylizer.counters == Counters(uploads=3, dispatches=3, runs=3, host_copies=3)


def test_a_table_for_each_frame_waits_for_nothing_and_takes_nothing(device: D3D12Device) -> None:
    """A slot allocates memory for its first table only."""
    grid, frame = ColourTable.identity(9).grid, noise(SOURCE)
    tables = [ColourTable(grid**power) for power in (0.5, 1.0, 1.5, 2.0)]
    style = dataclasses.replace(blur(), after=tables[0])
    with device.stylizer(style, SOURCE, nv12(96, 64), working=(48, 32), slots=3) as stylizer:

        def submit(number: int) -> Ticket:
            assert stylizer.use_table(tables[number % 4])
            return stylizer.submit(frame)

        for number in range(9):
            stylizer.fetch(submit(number))
        live, waits = device.context.live_count, stylizer.counters.cpu_waits
        tickets = [submit(number) for number in range(3)]
        assert stylizer.counters.cpu_waits == waits, "submit waited with a free slot"
        for ticket in tickets:
            stylizer.fetch(ticket)
        assert device.context.live_count == live


def feed(stylizer: Stylizer, frame: Frame, count: int) -> None:
    """Run frames through with every slot in use."""
    tickets = []
    for _ in range(count):
        if len(tickets) == stylizer.slots:
            stylizer.fetch(tickets.pop(0))
        tickets.append(stylizer.submit(frame))
    for ticket in tickets:
        stylizer.fetch(ticket)


def test_each_frame_is_read_back_once(device: D3D12Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the look has changed since its output was made ahead."""
    readbacks = []
    execute = device.context.download.execute
    monkeypatch.setattr(device.context.download, "execute", lambda *lists: (readbacks.append(lists), execute(*lists)))
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        for index in range(6):
            ticket = stylizer.submit(noise(SOURCE))
            stylizer.look = Look(strength=1 / (1 + index))
            stylizer.fetch(ticket)
    assert len(readbacks) == 6


def test_a_submit_that_fails_gives_its_slot_back(device: D3D12Device) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        record = stylizer._network.record
        for _ in range(4):
            stylizer._network.record = lambda *_: 1 / 0
            with pytest.raises(ZeroDivisionError):
                stylizer.submit(noise(SOURCE))
        stylizer._network.record = record
        feed(stylizer, noise(SOURCE), 4)


def test_what_other_sizes_cost(device: D3D12Device) -> None:
    """One kernel before the network, one behind it, one for the output, and one more where the source is shown."""
    frame, kernels = noise(SOURCE), []
    with device.stylizer(identity(), SOURCE, nv12(64, 48), working=(48, 32), slots=1) as stylizer:
        for look in (Look(), Look(strength=0.5), Look(split=0.5), Look()):
            stylizer.look = look
            before = stylizer.counters.dispatches
            stylizer.fetch(stylizer.submit(frame))
            kernels.append(stylizer.counters.dispatches - before)
    assert kernels == [3, 4, 4, 3]
    with device.stylizer(identity(), SOURCE, nv12(96, 64), working=(48, 32), look=Look(strength=0.5)) as stylizer:
        stylizer.fetch(stylizer.submit(frame))
        assert stylizer.counters.dispatches == 4  # the source has the target's size
        live = device.context.live_count
        feed(stylizer, frame, 6)
        assert device.context.live_count == live + 2 * 3  # each other slot has now its tensor and two lists


def free_all(device: D3D12Device) -> None:
    """Free memory that waits for a queue: releasing a frame frees all that is no longer used."""
    frame = device.upload(noise(SOURCE))
    device.context.wait_idle()
    frame.release()


def test_a_frame_of_the_device_is_freed_when_it_was_read(device: D3D12Device) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        for _ in range(3):  # each slot has taken one
            stylizer.fetch(stylizer.submit(device.upload(noise(SOURCE))))
        free_all(device)
        live = device.context.live_count
        for _ in range(8):
            stylizer.fetch(stylizer.submit(device.upload(noise(SOURCE))))
        free_all(device)
        assert device.context.live_count == live


def test_stages_are_timed_where_asked_for() -> None:
    info, look = adapters.list_adapters()[0], Look(strength=0.5, steady=0.5, detail=0.5)
    with (
        d3d12.open_device(info, Diagnosis(timing=True)) as device,
        device.stylizer(
            blur(), SOURCE, nv12(96, 64), working=(48, 32), look=look, window=TemporalWindow(before=1)
        ) as stylizer,
    ):
        feed(stylizer, noise(SOURCE), 6)
        assert tuple(stylizer.stage_ms) == STAGES
        assert all(0 <= ms < 10_000 for ms in stylizer.stage_ms.values())
        assert stylizer.stage_ms["network"] > 0
        stylizer.close()
        device.close()
        assert device.context.live_count == 0


def private_bytes() -> int:
    """Memory of this process, as Windows counts it."""
    import ctypes

    from win32more.Windows.Win32.System.ProcessStatus import PROCESS_MEMORY_COUNTERS, K32GetProcessMemoryInfo
    from win32more.Windows.Win32.System.Threading import GetCurrentProcess

    counters = PROCESS_MEMORY_COUNTERS()
    counters.cb = ctypes.sizeof(counters)
    assert K32GetProcessMemoryInfo(GetCurrentProcess(), ctypes.byref(counters), counters.cb)
    return int(counters.PagefileUsage)


def test_500_frames_leave_nothing_behind(device: D3D12Device) -> None:
    source = FrameFormat(64, 48, PlaneOrder.PLANAR, subsample=(1, 1))
    frame = noise(source)
    with device.stylizer(blur(), source, nv12(64, 48)) as stylizer:
        feed(stylizer, frame, 50)
        gc.collect()
        live, memory = device.context.live_count, private_bytes()
        feed(stylizer, frame, 500)
        gc.collect()
        assert device.context.live_count == live
        assert private_bytes() - memory < 4 << 20
        assert stylizer.counters.readbacks == 550


def test_detail_takes_memory_once(device: D3D12Device) -> None:
    lives = set()
    for _ in range(2):
        with device.stylizer(blur(), SOURCE, nv12(96, 64), working=(24, 16), look=Look(detail=1.0)) as stylizer:
            feed(stylizer, noise(SOURCE), 6)  # every slot has been filled
            gc.collect()
            made = device.context.live_count
            for detail in (0.0, 0.5):
                stylizer.look = Look(detail=detail)
                feed(stylizer, noise(SOURCE), 20)
            assert device.context.live_count == made
            assert stylizer.counters.readbacks == 46
        lives.add(device.context.live_count)  # with the kernels, which are the device's
    assert len(lives) == 1


def test_made_and_closed_32_times(device: D3D12Device) -> None:
    with device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer:
        feed(stylizer, noise(SOURCE), 1)
    live = device.context.live_count
    for _ in range(32):
        with device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer:
            feed(stylizer, noise(SOURCE), 1)
        assert device.context.live_count == live


def test_opened_and_closed_32_times() -> None:
    info = adapters.list_adapters()[0]
    for _ in range(32):
        with d3d12.open_device(info) as device:
            assert device.context.live_count > 0
        assert device.context.live_count == 0


def test_the_size_changes_in_mid_stream(device: D3D12Device) -> None:
    for width, height in ((96, 64), (64, 48), (128, 72), (61, 37)):
        source = FrameFormat(width, height, PlaneOrder.PLANAR, subsample=(1, 1))
        frame = noise(source)
        with device.stylizer(identity(), source, nv12(width, height)) as stylizer:
            got = stylizer.fetch(stylizer.submit(frame))
            assert largest_difference(got, expected(frame, got.format, Look(), lambda rgb: rgb)) <= 1
            stylizer.submit(frame)  # closed with work in flight


def test_two_devices_one_after_another_and_at_once() -> None:
    info = adapters.list_adapters()[0]
    frame = noise(SOURCE)
    for _ in range(2):
        with d3d12.open_device(info) as device, device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
            feed(stylizer, frame, 2)
    with d3d12.open_device(info) as one, d3d12.open_device(info) as two:
        stylizers = [each.stylizer(identity(), SOURCE, nv12(96, 64)) for each in (one, two)]
        frames = [stylizer.fetch(stylizer.submit(frame)) for stylizer in stylizers]
        assert largest_difference(*frames) == 0


@pytest.mark.parametrize("order", list(itertools.permutations(("device", "first", "second"))), ids="-".join)
def test_any_order_of_ends_is_clean(order: tuple[str, ...]) -> None:
    device = d3d12.open_device(adapters.list_adapters()[0])
    things = {"device": device}
    things |= {name: device.stylizer(blur(), SOURCE, nv12(96, 64)) for name in ("first", "second")}
    for name in ("first", "second"):
        things[name].submit(noise(SOURCE))
    for name in order:
        things[name].close()
        things[name].close()
    assert device.context.live_count == 0
