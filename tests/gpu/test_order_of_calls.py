"""The contract of devices and stylizers, for every backend: permitted order of calls, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import Device, Diagnosis, open_device
from framebrush.gpu.errors import DeviceError, NonFiniteError, OutOfMemoryError
from framebrush.gpu.frame import FrameFormat, PlaneOrder, nv12, rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.stage_times import STAGES
from framebrush.gpu.stylizer import Ticket
from framebrush.gpu.surface import NativeWindow, Surface, View
from framebrush.models.style import Style
from tests import networks
from tests.gpu.contract import SOURCE, THROUGH_THE_HOST, assert_alike, codes, notes_of, painted
from tests.gpu.pictures import FORMATS, noise

pytestmark = pytest.mark.unit

# Slots, tickets, order of calls


def test_slots_run_out_and_are_given_back(device: Device) -> None:
    with device.stylizer(networks.identity(), SOURCE, SOURCE, slots=2) as stylizer:
        assert stylizer.slots == 2
        assert notes_of(stylizer) == []
        first, second = stylizer.submit(noise(SOURCE)), stylizer.submit(noise(SOURCE))
        with pytest.raises(RuntimeError, match=r"^all 2 slots are taken; fetch or release a frame first$"):
            stylizer.submit(noise(SOURCE))
        stylizer.release(first)
        third = stylizer.submit(noise(SOURCE, 3))
        stylizer.fetch(second)
        assert_alike(stylizer.fetch(third), painted(device, networks.identity(), noise(SOURCE, 3), SOURCE))
        for gone in (first, second, Ticket(99)):
            for call in (stylizer.fetch, stylizer.release):
                with pytest.raises(ValueError, match=rf"^frame {gone} is not in flight"):
                    call(gone)


def test_the_first_painting_alone_where_no_weights_are_given(device: Device) -> None:
    frame, style = noise(SOURCE), networks.blend()
    first = painted(device, style, frame, SOURCE, look=Look(mix=(1.0, 0.0)))
    for a, b in zip(painted(device, style, frame, SOURCE).planes, first.planes, strict=True):
        np.testing.assert_array_equal(a, b)
    negative = painted(device, style, frame, SOURCE, look=Look(mix=(0.0, 1.0)))
    assert any((a != b).any() for a, b in zip(negative.planes, first.planes, strict=True))


def test_arguments_that_cannot_be_are_refused(device: Device) -> None:
    style = networks.blend()
    for slots in (0, -1):
        with pytest.raises(ValueError, match=rf"^{slots} slots hold no frame$"):
            device.stylizer(style, SOURCE, SOURCE, slots=slots)
    with pytest.raises(ValueError, match=r"^tiles of 0 pixels"):
        device.stylizer(style, SOURCE, SOURCE, tiling=0)
    with pytest.raises(ValueError, match=r"^working size 0x4 has no pixels$"):
        device.stylizer(style, SOURCE, SOURCE, working=(0, 4))
    with pytest.raises(ValueError, match=r"^3 weights were given for Test, which holds 2 paintings$"):
        device.stylizer(style, SOURCE, SOURCE, look=Look(mix=(0.2, 0.4, 0.4)))
    for target in (
        FrameFormat(61, 47, PlaneOrder.PLANAR, subsample=(0, 1)),
        FrameFormat(61, 47, PlaneOrder.GREY),
        FrameFormat(61, 47, PlaneOrder.SEMI_PLANAR),
        FORMATS["rgba64"],
    ):
        with pytest.raises(ValueError, match=r"^frames are written as 4:2:0, as planes of .*, not as "):
            device.stylizer(style, SOURCE, target)


def test_frames_of_another_format_are_refused(device: Device) -> None:
    with device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        with pytest.raises(ValueError, match=r"^a frame of .* was given to a stylizer of "):
            stylizer.submit(noise(yuv420p(61, 46)))
        ticket = stylizer.submit(noise(SOURCE))
        with pytest.raises(ValueError, match=r"^a frame of .* cannot take the output of a stylizer to "):
            stylizer.fetch(ticket, rgba8(61, 47).allocate())
        stylizer.fetch(ticket)  # it is still in flight


def test_a_slot_released_unfinished_is_used_again(device: Device) -> None:
    with device.stylizer(networks.box_blur(), SOURCE, SOURCE, slots=1) as stylizer:
        for seed in range(8):
            stylizer.release(stylizer.submit(noise(SOURCE, seed)))
        frame = noise(SOURCE, 20)
        assert_alike(stylizer.fetch(stylizer.submit(frame)), painted(device, networks.box_blur(), frame, SOURCE))


def test_a_closed_stylizer_says_so(device: Device) -> None:
    stylizer = device.stylizer(networks.identity(), SOURCE, SOURCE)
    ticket = stylizer.submit(noise(SOURCE))
    stylizer.close()
    stylizer.close()
    calls: Sequence[Callable[[], object]] = (
        lambda: stylizer.submit(noise(SOURCE)),
        lambda: stylizer.fetch(ticket),
        lambda: stylizer.release(ticket),
        stylizer.flush,
    )
    for call in calls:
        with pytest.raises(RuntimeError, match=r"^the stylizer is closed$") as caught:
            call()
        assert not isinstance(caught.value, DeviceError)


def test_a_closed_device_closes_what_was_made_on_it(kind: str) -> None:
    device = open_device(kind)
    stylizers = [device.stylizer(networks.identity(), SOURCE, SOURCE) for _ in range(3)]
    stylizers[1].close()
    device.close()
    device.close()
    for stylizer in stylizers:
        stylizer.close()
        with pytest.raises(RuntimeError, match=r"^the stylizer is closed$"):
            stylizer.submit(noise(SOURCE))
    with pytest.raises(RuntimeError, match=r"^the device .* is closed$"):
        device.stylizer(networks.identity(), SOURCE, SOURCE)


def test_a_stylizer_closed_with_frames_in_flight(device: Device) -> None:
    for _ in range(3):
        with device.stylizer(networks.box_blur(), SOURCE, SOURCE) as stylizer:
            for seed in range(3):
                stylizer.submit(noise(SOURCE, seed))


# Surfaces


@pytest.fixture
def view(device: Device) -> Iterator[View]:
    """Yield a view for the device: a window of the system, or a callback."""
    if "windows" in device.info.windows:
        from tests.windows.native_window import native_window

        with native_window() as window:
            yield View(96, 64, window=window)
    else:
        yield View(96, 64, paint=lambda _: None)


def test_a_frame_is_shown_any_number_of_times(device: Device, view: View) -> None:
    surface = device.surface(view)
    surface.sample_aspect, surface.rotation_degrees, surface.mirrored = 4 / 3, 90, True
    with device.stylizer(networks.blend(), SOURCE, nv12(61, 47)) as stylizer:
        for seed in range(3):
            ticket = stylizer.submit(noise(SOURCE, seed))
            for look in (Look(strength=0.5), Look(split=0.5)):
                stylizer.look = look
                stylizer.show(ticket, surface)
            surface.resize(50 + seed, 40)
            stylizer.show(ticket, surface)
            if seed:
                stylizer.release(ticket)
            else:
                stylizer.fetch(ticket)
        assert stylizer.counters.presents == 9
        through_the_host = 9 * (device.info.kind in THROUGH_THE_HOST)
        assert stylizer.counters.readbacks == 1 + through_the_host
        assert stylizer.counters.runs == 3
    surface.close()
    surface.close()


def test_a_callback_gets_the_picture_of_the_target(device: Device, exact: Device) -> None:
    if "windows" in device.info.windows:
        with pytest.raises(DeviceError, match=r"presents to a window, and this view has none$"):
            device.surface(View(96, 64, paint=lambda _: None))
        return
    with pytest.raises(DeviceError, match=r"hands pictures to a callback, and this view has none$"):
        device.surface(View(96, 64, window=NativeWindow("windows", 1)))
    shown: list[npt.NDArray[np.uint8]] = []
    surface = device.surface(View(96, 64, paint=lambda picture: shown.append(picture.copy())))
    frame = noise(SOURCE)
    with device.stylizer(networks.identity(), SOURCE, nv12(40, 30)) as stylizer:
        ticket = stylizer.submit(frame)
        stylizer.show(ticket, surface)
        expected = painted(exact, networks.identity(), frame, rgba8(40, 30))
        assert np.abs(shown[0].astype(int) - codes(expected)[0]).max() <= 1
        surface.close()
        stylizer.show(ticket, surface)
    assert len(shown) == 1


def test_a_surface_of_another_device_is_refused(device: Device, kind: str) -> None:
    class Foreign(Surface):
        def resize(self, width: int, height: int) -> None: ...

        def close(self) -> None: ...

    with open_device(kind) as other, device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        ticket = stylizer.submit(noise(SOURCE))
        with pytest.raises(ValueError, match=r"^the Foreign was made by another device$"):
            stylizer.show(ticket, Foreign(other.identity))
        stylizer.release(ticket)


def test_showing_what_is_not_finite_is_no_error(device: Device, view: View) -> None:
    dark = rgba8(64, 48).allocate()
    dark.planes[0][:] = 0
    surface = device.surface(view)
    with device.stylizer(networks.not_finite(), dark.format, nv12(64, 48)) as stylizer:
        ticket = stylizer.submit(dark)
        stylizer.show(ticket, surface)
        with pytest.raises(NonFiniteError):
            stylizer.fetch(ticket)
    surface.close()


# Failures


@pytest.mark.parametrize("working", [None, (32, 24)])
def test_a_frame_that_is_not_finite_is_an_error_and_the_next_is_none(
    device: Device, working: tuple[int, int] | None
) -> None:
    bright = rgba8(64, 48).allocate()
    bright.planes[0][:] = 200
    one_dark = rgba8(64, 48).allocate()
    one_dark.planes[0][:] = 200
    one_dark.planes[0][40:, 50:] = 0
    with device.stylizer(networks.not_finite(), bright.format, nv12(64, 48), working=working) as stylizer:
        first, second, third = (stylizer.submit(frame) for frame in (bright, one_dark, bright))
        stylizer.fetch(first)
        with pytest.raises(NonFiniteError, match=r"^the output of style 'test' holds NaN or infinity"):
            stylizer.fetch(second)
        with pytest.raises(ValueError, match="not in flight"):
            stylizer.release(second)  # its slot was given back
        stylizer.fetch(third)
        stylizer.fetch(stylizer.submit(bright))
        for _ in range(2 * stylizer.slots):  # those that are released at once leave nothing behind
            stylizer.release(stylizer.submit(one_dark))
            stylizer.fetch(stylizer.submit(bright))
            stylizer.release(stylizer.submit(bright))
            with pytest.raises(NonFiniteError):
                stylizer.fetch(stylizer.submit(one_dark))


def test_a_network_that_cannot_run_is_refused(device: Device) -> None:
    net = networks.Net([1, 3, "H", "W"], name="frame")
    net.add("NoSuchOperator")
    with pytest.raises(DeviceError, match="NoSuchOperator"):
        device.stylizer(networks.canonical(net), SOURCE, SOURCE)


def test_frames_larger_than_the_memory_are_refused(device: Device) -> None:
    huge = rgba8(65000, 65000)
    with pytest.raises(OutOfMemoryError, match=r"3 frames of 65000x65000 needs .* GiB more .*; try --stroke"):
        device.stylizer(networks.identity(), huge, huge)


def missing_gib(device: Device, style: Style, look: Look) -> float:
    """Return how much more memory huge frames would need."""
    huge = rgba8(65000, 65000)
    with pytest.raises(OutOfMemoryError, match=r"3 frames of 65000x65000 needs .* GiB more") as refused:
        device.stylizer(style, huge, huge, look=look, tiling="off")
    assert str(refused.value).endswith("--brush 0 --relief 0") == look.finishes
    return float(str(refused.value).partition(" needs ")[2].partition(" GiB")[0])


def test_memory_of_brush_relief_and_masks_is_reckoned_with(device: Device) -> None:
    style = replace(networks.identity(), second=networks.identity())
    plain = missing_gib(device, style, Look())
    for look in (
        Look(relief=0.5),
        Look(photo_outside=0.5),
        Look(film_inside=0.5),
        Look(faces=0.5),
        Look(second_inside=0.5),
    ):
        assert missing_gib(device, style, look) > plain + 10.0, look


# Frames on a device


def test_a_frame_of_the_device_is_taken_without_a_copy(device: Device) -> None:
    frame = noise(SOURCE)
    expected = painted(device, networks.identity(), frame, SOURCE)
    with device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        for _ in range(4):
            ticket = stylizer.submit(device.upload(frame))
            assert_alike(stylizer.fetch(ticket), expected)
        assert stylizer.counters.host_copies == 4  # those of fetch


def test_a_frame_of_another_device_is_downloaded(device: Device, kind: str) -> None:
    frame = noise(SOURCE)
    with open_device(kind) as other, device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        ticket = stylizer.submit(other.upload(frame))
        assert_alike(stylizer.fetch(ticket), painted(device, networks.identity(), frame, SOURCE))
        assert stylizer.counters.host_copies == 3


def test_a_device_frame_is_downloaded_and_released(device: Device) -> None:
    frame, into = noise(SOURCE), SOURCE.allocate()
    held = device.upload(frame)
    held.download(into)
    for plane, original in zip(into.planes, frame.planes, strict=True):
        np.testing.assert_array_equal(plane, original)
    held.release()
    held.release()


# Stage times


def test_stages_are_timed_when_asked(kind: str) -> None:
    for timing in (False, True):
        with (
            open_device(kind, Diagnosis(timing=timing)) as device,
            device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer,
        ):
            for seed in range(4):
                stylizer.fetch(stylizer.submit(noise(SOURCE, seed)))
            assert set(stylizer.stage_ms) <= set(STAGES)
            assert bool(stylizer.stage_ms) == timing
            if timing:
                assert {"upload", "network"} <= set(stylizer.stage_ms)
