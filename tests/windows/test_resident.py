"""The resident pipeline from the planes of a frame to the planes of the painted one, and what it counts."""

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
from framebrush.gpu.errors import NonFiniteError
from framebrush.gpu.frame import Frame, FrameFormat, Layout, nv12, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.reference import kernels as reference
from framebrush.gpu.stylizer import Counters, Stylizer
from framebrush.gpu.tiles import plan
from tests.gpu.pictures import noise
from tests.networks import blend, identity, strided_identity
from tests.windows.styles import blur, brighten, poison

pytestmark = pytest.mark.windows

SOURCE = FrameFormat(96, 64, Layout.PLANAR, subsample=(1, 1))


def expected(frame: Frame, target: FrameFormat, look: Look, paint: Callable[[np.ndarray], np.ndarray]) -> Frame:
    """What the reference makes of a frame."""
    rgb = reference.planes_to_rgb(frame)
    return reference.rgb_to_output(reference.look(rgb, paint(rgb), look), target, look.dither)


def largest_difference(got: Frame, want: Frame) -> int:
    """In codes."""
    shift = got.format.shift
    return max(
        int(np.abs((a.astype(int) >> shift) - (b.astype(int) >> shift)).max())
        for a, b in zip(got.planes, want.planes, strict=True)
    )


def copied(frame: Frame) -> Frame:
    return Frame(frame.format, tuple(plane.copy() for plane in frame.planes))


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("target", [nv12(96, 64), nv12(96, 64, bits=10), rgba8(96, 64)], ids=str)
def test_identity_reaches_the_reference(device: D3D12Device, target: FrameFormat, precision: str) -> None:
    frame = noise(SOURCE)
    tolerance = 1 if precision == "float32" or target.bits == 8 else 2
    with device.stylizer(identity(half=precision == "float16"), SOURCE, target) as stylizer:
        got = stylizer.fetch(stylizer.submit(frame))
        assert largest_difference(got, expected(frame, target, Look(), lambda rgb: rgb)) <= tolerance


def test_frames_come_back_in_any_order_as_they_went_in(device: D3D12Device) -> None:
    frames = [noise(SOURCE, seed) for seed in range(3)]
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        for order in itertools.permutations(range(3)):
            tickets = [stylizer.submit(frame) for frame in frames]
            for index in order:
                got = stylizer.fetch(tickets[index])
                assert largest_difference(got, expected(frames[index], got.format, Look(), lambda rgb: rgb)) <= 1


def test_planes_are_free_after_submit_and_a_frame_stays_until_the_next_fetch(device: D3D12Device) -> None:
    frame, other = noise(SOURCE, 1), noise(SOURCE, 2)
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        stylizer.release(stylizer.submit(frame))
        for _ in range(2):  # before and after outputs are made ahead
            scratch = copied(frame)
            ticket = stylizer.submit(scratch)
            for plane in scratch.planes:
                plane[:] = 0
            got = stylizer.fetch(ticket)
            kept = copied(got)
            for _ in range(3):
                stylizer.submit(other)
            device.wait_idle()
            assert largest_difference(got, kept) == 0
            for busy in list(stylizer._tickets):
                stylizer.release(busy)


def test_strided_planes_are_read_in_place(device: D3D12Device) -> None:
    frame = noise(SOURCE)
    padded = []
    for plane in frame.planes:
        wide = np.zeros((plane.shape[0], plane.shape[1] + 13), plane.dtype)
        wide[:, : plane.shape[1]] = plane
        padded.append(wide[:, : plane.shape[1]])
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        got = stylizer.fetch(stylizer.submit(Frame(SOURCE, tuple(padded))))
        assert largest_difference(got, expected(frame, got.format, Look(), lambda rgb: rgb)) <= 1


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
        assert after.cpu_waits - before.cpu_waits <= count


def test_submit_with_free_slots_neither_waits_nor_reads_back(device: D3D12Device) -> None:
    with device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer:
        for _ in range(3):
            stylizer.submit(noise(SOURCE))
        assert stylizer.counters == Counters(uploads=3, dispatches=3, runs=3)
        with pytest.raises(RuntimeError, match="all 3 slots are taken"):
            stylizer.submit(noise(SOURCE))


def test_wrong_tickets_and_frames_are_refused(device: D3D12Device) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        ticket = stylizer.submit(noise(SOURCE))
        stylizer.fetch(ticket)
        for call in (stylizer.fetch, stylizer.release):
            with pytest.raises(ValueError, match="ticket 0 is not in flight"):
                call(ticket)
        with pytest.raises(ValueError, match="this stylizer was made for"):
            stylizer.submit(noise(nv12(96, 64)))
    with pytest.raises(ValueError, match="a target of 64x64 for 96x64"):
        device.stylizer(identity(), SOURCE, nv12(64, 64))
    with pytest.raises(ValueError, match="no output as planar"):
        device.stylizer(identity(), SOURCE, SOURCE)


def test_the_look_is_that_of_the_moment_of_fetching(device: D3D12Device) -> None:
    frame = noise(SOURCE)
    with device.stylizer(brighten(), SOURCE, nv12(96, 64)) as stylizer:
        stylizer.fetch(stylizer.submit(frame))  # from now on outputs are made ahead
        for look in (Look(strength=0.2), Look(exposure_ev=1.0), Look(split=0.5, dither=False)):
            ticket = stylizer.submit(frame)
            stylizer.look = look
            got = stylizer.fetch(ticket)
            assert largest_difference(got, expected(frame, got.format, look, lambda rgb: rgb + 0.25)) <= 1


def test_padding_to_the_stride_is_cropped_again(device: D3D12Device) -> None:
    source = FrameFormat(61, 37, Layout.PLANAR, subsample=(1, 1))
    frame = noise(source)
    with device.stylizer(strided_identity(16), source, nv12(61, 37)) as stylizer:
        got = stylizer.fetch(stylizer.submit(frame))
        assert largest_difference(got, expected(frame, got.format, Look(), lambda rgb: rgb)) <= 1


@pytest.mark.parametrize("stride", [1, 4])
def test_tiles_show_nothing(device: D3D12Device, stride: int) -> None:
    source = FrameFormat(150, 90, Layout.PLANAR, subsample=(1, 1))
    frame = noise(source)
    style, look = blur(stride=stride), Look(dither=False)
    with device.stylizer(style, source, nv12(150, 90), look=look, tiling="off") as stylizer:
        whole = copied(stylizer.fetch(stylizer.submit(frame)))
        assert stylizer.notes == ()
    with device.stylizer(style, source, nv12(150, 90), look=look, tiling=48) as stylizer:
        tickets = [stylizer.submit(noise(source, 9)), stylizer.submit(frame), stylizer.submit(noise(source, 8))]
        stylizer.fetch(tickets[0])
        assert largest_difference(stylizer.fetch(tickets[1]), whole) <= 1
        assert stylizer.counters.runs == 3 * len(plan(150, 90, style.card, 48).tiles) > 3
        assert "tiles of" in stylizer.notes[0]


def test_several_paintings_are_mixed_by_weight(device: D3D12Device) -> None:
    frame = noise(SOURCE)
    with device.stylizer(blend(), SOURCE, nv12(96, 64), look=Look(dither=False)) as stylizer:
        for mix in ((), (0.0, 1.0), (0.25, 0.75)):
            stylizer.look = Look(dither=False, mix=mix)
            weight = mix[1] if mix else 0.0
            got = stylizer.fetch(stylizer.submit(frame))
            want = expected(frame, got.format, stylizer.look, lambda rgb, w=weight: rgb * (1 - w) + (1 - rgb) * w)
            assert largest_difference(got, want) <= 1


def test_not_finite_is_an_error_of_its_frame_alone(device: D3D12Device) -> None:
    dark, light = SOURCE.allocate(), SOURCE.allocate()
    for plane, other in zip(dark.planes, light.planes, strict=True):
        plane[:], other[:] = 128, 128
    dark.planes[0][:], light.planes[0][:] = 16, 200
    with device.stylizer(poison(), SOURCE, nv12(96, 64)) as stylizer:
        tickets = [stylizer.submit(frame) for frame in (light, dark, light)]
        stylizer.fetch(tickets[0])
        with pytest.raises(NonFiniteError, match="'test' gave NaN or infinity for frame 1"):
            stylizer.fetch(tickets[1])
        stylizer.fetch(tickets[2])
        for _ in range(4):  # every slot is free again
            stylizer.fetch(stylizer.submit(light))


def feed(stylizer: Stylizer, frame: Frame, count: int) -> None:
    """Run frames through with every slot in use."""
    tickets = []
    for _ in range(count):
        if len(tickets) == stylizer.slots:
            stylizer.fetch(tickets.pop(0))
        tickets.append(stylizer.submit(frame))
    for ticket in tickets:
        stylizer.fetch(ticket)


def test_a_submit_that_fails_gives_its_slot_back(device: D3D12Device) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64), look=Look(mix=(0.5, 0.5))) as stylizer:
        for _ in range(4):
            with pytest.raises(ValueError, match="2 weights for the 1 paintings"):
                stylizer.submit(noise(SOURCE))
        stylizer.look = Look()
        run = stylizer._network.paint
        for _ in range(4):
            stylizer._network.paint = lambda *_: 1 / 0
            with pytest.raises(ZeroDivisionError):
                stylizer.submit(noise(SOURCE))
        stylizer._network.paint = run
        feed(stylizer, noise(SOURCE), 4)


def test_stages_are_timed_where_asked_for() -> None:
    info = adapters.list_adapters()[0]
    with (
        d3d12.open(info, timing=True) as device,
        device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer,
    ):
        feed(stylizer, noise(SOURCE), 6)
        assert list(stylizer.stage_ms) == ["upload", "convert", "network", "tone-map", "fetch"]
        assert all(0 <= ms < 10_000 for ms in stylizer.stage_ms.values())
        assert stylizer.stage_ms["network"] > 0
        stylizer.close()
        device.close()
        assert device.live_count == 0


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
    source = FrameFormat(64, 48, Layout.PLANAR, subsample=(1, 1))
    frame = noise(source)
    with device.stylizer(blur(), source, nv12(64, 48)) as stylizer:
        feed(stylizer, frame, 50)
        gc.collect()
        live, memory = device.live_count, private_bytes()
        feed(stylizer, frame, 500)
        gc.collect()
        assert device.live_count == live
        assert private_bytes() - memory < 4 << 20
        assert stylizer.counters.readbacks == 550


def test_made_and_closed_32_times(device: D3D12Device) -> None:
    with device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer:
        feed(stylizer, noise(SOURCE), 1)
    live = device.live_count
    for _ in range(32):
        with device.stylizer(blur(), SOURCE, nv12(96, 64)) as stylizer:
            feed(stylizer, noise(SOURCE), 1)
        assert device.live_count == live


def test_opened_and_closed_32_times() -> None:
    info = adapters.list_adapters()[0]
    for _ in range(32):
        with d3d12.open(info) as device:
            assert device.live_count > 0
        assert device.live_count == 0


def test_the_size_changes_in_mid_stream(device: D3D12Device) -> None:
    for width, height in ((96, 64), (64, 48), (128, 72), (61, 37)):
        source = FrameFormat(width, height, Layout.PLANAR, subsample=(1, 1))
        frame = noise(source)
        with device.stylizer(identity(), source, nv12(width, height)) as stylizer:
            got = stylizer.fetch(stylizer.submit(frame))
            assert largest_difference(got, expected(frame, got.format, Look(), lambda rgb: rgb)) <= 1
            stylizer.submit(frame)  # closed with work in flight


def test_two_devices_one_after_another_and_at_once() -> None:
    info = adapters.list_adapters()[0]
    frame = noise(SOURCE)
    for _ in range(2):
        with d3d12.open(info) as device, device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
            feed(stylizer, frame, 2)
    with d3d12.open(info) as one, d3d12.open(info) as two:
        stylizers = [each.stylizer(identity(), SOURCE, nv12(96, 64)) for each in (one, two)]
        frames = [stylizer.fetch(stylizer.submit(frame)) for stylizer in stylizers]
        assert largest_difference(*frames) == 0


@pytest.mark.parametrize("order", list(itertools.permutations(("device", "first", "second"))), ids="-".join)
def test_any_order_of_ends_is_clean(order: tuple[str, ...]) -> None:
    device = d3d12.open(adapters.list_adapters()[0])
    things = {"device": device}
    things |= {name: device.stylizer(blur(), SOURCE, nv12(96, 64)) for name in ("first", "second")}
    for name in ("first", "second"):
        things[name].submit(noise(SOURCE))
    for name in order:
        things[name].close()
        things[name].close()
    assert device.live_count == 0
