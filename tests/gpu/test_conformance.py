"""The contract of devices and stylizers, the same tests for every backend.

A backend passes when every test here passes on it; nothing that another backend would have to do as well is tested
elsewhere. Pictures are compared with the float64 reference, within the tolerance of the target's bits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import BACKENDS, Device, Diagnosis, open_device
from framebrush.gpu.errors import DeviceError, NonFiniteError, OutOfMemoryError
from framebrush.gpu.frame import Frame, FrameFormat, Layout, nv12, rgba8, yuv420p
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.gpu.reference.device import ReferenceDevice, ReferenceStylizer, Slot
from framebrush.gpu.reference.device import list_devices as reference_devices
from framebrush.gpu.stage_times import STAGES
from framebrush.gpu.steady import TemporalWindow
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.gpu.surface import Surface, View
from framebrush.gpu.tiles import Tiling
from framebrush.models.style import Style
from tests import networks
from tests.cuda import needs_cuda
from tests.gpu.pictures import FORMATS, noise, scene

pytestmark = pytest.mark.unit

SOURCE = yuv420p(61, 47)
KINDS = [
    pytest.param(backend.kind, marks=[needs_cuda, pytest.mark.cuda] if backend.kind == "cuda" else [])
    for backend in BACKENDS
    if not backend.platforms or sys.platform in backend.platforms
]


@pytest.fixture(params=KINDS, scope="module")
def device(request: pytest.FixtureRequest) -> Iterator[Device]:
    with open_device(request.param) as opened:
        yield opened


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def exact() -> Iterator[ReferenceDevice]:
    with ReferenceDevice(reference_devices()[0]) as opened:
        yield opened


def codes(frame: Frame) -> list[npt.NDArray[np.int64]]:
    """The codes of each plane, without the unused low bits."""
    return [(plane >> frame.format.shift).astype(np.int64) for plane in frame.planes]


def painted(device: Device, style: Style, frame: Frame, target: FrameFormat, **settings: Any) -> Frame:  # noqa: ANN401
    """One frame through a stylizer of its own."""
    with device.stylizer(style, frame.format, target, **settings) as stylizer:
        return stylizer.fetch(stylizer.submit(frame))


def assert_alike(actual: Frame, expected: Frame, tolerance: int | None = None) -> None:
    """tolerance: in codes; 1 of 8 bits, 2 of more where it is left out."""
    assert actual.format == expected.format
    tolerance = tolerance or (1 if actual.format.bits == 8 else 2)
    for ours, theirs in zip(codes(actual), codes(expected), strict=True):
        assert np.abs(ours - theirs).max() <= tolerance


# What networks compute in


def test_a_painter_in_float16(device: Device) -> None:
    """Weights, tensors and blending: within a step of float16 below 1, and a code for the rounding."""
    frame, look = scene(61, 47), Look(mix=(0.75, 0.25), dither=False)
    exactly = painted(device, networks.blend(), frame, SOURCE, look=look, precision="float32")
    assert_alike(painted(device, networks.blend(), frame, SOURCE, look=look, precision="float16"), exactly, 1)


class GainsByFloat16(ReferenceDevice):
    """As a device whose 16-bit units are faster."""

    prefers_float16 = True


def test_a_device_that_gains_by_float16_chooses_it_for_networks_that_it_hardly_moves() -> None:
    for codes, expected in ((None, "float32"), (0.4, "float16"), (1.2, "float32")):
        plain = networks.identity()
        style = Style(replace(plain.card, float16_codes=codes), plain.model)
        with GainsByFloat16(reference_devices()[0]) as opened, opened.stylizer(style, SOURCE, SOURCE) as stylizer:
            assert stylizer.settings.style.card.precision == expected


def test_float16_is_chosen_for_measured_networks_alone(device: Device) -> None:
    plain = networks.identity()
    measured = Style(replace(plain.card, float16_codes=0.4), plain.model)
    coarse = Style(replace(plain.card, float16_codes=1.2), plain.model)
    chosen = {True: "float16", False: "float32"}
    for style, precision, expected in (
        (plain, "auto", "float32"),
        (plain, "float16", "float16"),
        (measured, "auto", chosen[device.prefers_float16]),
        (measured, "float32", "float32"),
        (coarse, "auto", "float32"),
        (networks.identity(half=True), "float32", "float16"),
    ):
        with device.stylizer(style, SOURCE, SOURCE, precision=precision) as stylizer:
            assert stylizer.settings.style.card.precision == expected


# Frames in, frames out


def test_frames_come_back_in_any_order(device: Device) -> None:
    frames = [noise(SOURCE, seed) for seed in range(7)]
    expected = [painted(device, networks.identity(), frame, SOURCE) for frame in frames]
    with device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        for first in (0, 3):
            tickets = [stylizer.submit(frames[first + index]) for index in range(3)]
            for index in (2, 0, 1):
                assert_alike(stylizer.fetch(tickets[index]), expected[first + index])
        counters = stylizer.counters
        assert counters.uploads == counters.readbacks == counters.runs == 6
        assert counters.presents == 0


def test_planes_are_free_when_submit_returns(device: Device) -> None:
    frame = noise(SOURCE)
    expected = painted(device, networks.box_blur(0), frame, SOURCE)
    with device.stylizer(networks.box_blur(0), SOURCE, SOURCE) as stylizer:
        ticket = stylizer.submit(frame)
        for plane in frame.planes:
            plane[:] = 0
        assert_alike(stylizer.fetch(ticket), expected)


def test_one_copy_on_the_cpu_each_way(device: Device) -> None:
    """`fetch` writes into the caller's memory, strided planes included."""
    into = noise(SOURCE, 9)
    frame = noise(SOURCE)
    with device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        fetched = stylizer.fetch(stylizer.submit(frame), into)
        assert fetched is into
        assert (stylizer.counters.host_copies, stylizer.counters.readbacks) == (2, 1)
        assert_alike(into, stylizer.fetch(stylizer.submit(frame)))


def test_submit_may_be_told_where_the_frame_goes(device: Device) -> None:
    """The same few frames again and again, as an encoder's; another one after all; none."""
    frames = [noise(SOURCE, seed) for seed in range(3)]
    with device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        expected = [stylizer.fetch(stylizer.submit(frame)) for frame in frames]
        with pytest.raises(ValueError, match="cannot take the output"):
            stylizer.submit(frames[0], rgba8(61, 47).allocate())
        intos = [SOURCE.allocate() for _ in frames]
        for _ in range(3):
            tickets = [stylizer.submit(frame, into) for frame, into in zip(frames, intos, strict=True)]
            for ticket, into, want in zip(tickets, intos, expected, strict=True):
                assert stylizer.fetch(ticket, into) is into
                assert_alike(into, want)
        other = SOURCE.allocate()
        assert_alike(stylizer.fetch(stylizer.submit(frames[1], intos[0]), other), expected[1])
        assert_alike(stylizer.fetch(stylizer.submit(frames[2], intos[0])), expected[2])
        stylizer.release(stylizer.submit(frames[1], intos[0]))
        assert len({stylizer.submit(frame) for frame in frames}) == 3  # every slot is free


def test_a_fetched_frame_is_the_callers(device: Device) -> None:
    frames = [noise(SOURCE, seed) for seed in range(5)]
    with device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        fetched = [stylizer.fetch(stylizer.submit(frame)) for frame in frames]
    for frame, kept in zip(frames, fetched, strict=True):
        assert_alike(kept, painted(device, networks.identity(), frame, SOURCE))


@pytest.mark.parametrize("name", FORMATS)
def test_every_source_format(device: Device, exact: Device, name: str) -> None:
    frame = noise(FORMATS[name], seed=2)
    target = nv12(frame.format.width, frame.format.height, bits=10)
    expected = painted(exact, networks.identity(), frame, target)
    assert_alike(painted(device, networks.identity(), frame, target), expected)


@pytest.mark.parametrize("size", [(64, 48), (61, 47), (1, 1), (2, 3)])
@pytest.mark.parametrize("target", ["nv12", "p010", "yuv420p", "yuv420p10", "rgba8"])
def test_every_target_format(device: Device, exact: Device, target: str, size: tuple[int, int]) -> None:
    made = {
        "nv12": nv12(*size),
        "p010": nv12(*size, bits=10),
        "yuv420p": yuv420p(*size),
        "yuv420p10": yuv420p(*size, bits=10),
        "rgba8": rgba8(*size),
    }[target]
    frame = noise(yuv420p(*size), seed=3)
    for look in (Look(), Look(0.6, True, 1.0, ToneCurve.REINHARD, split=0.4), Look(dither=False)):
        expected = painted(exact, networks.enlarger(1), frame, made, look=look)
        assert_alike(painted(device, networks.enlarger(1), frame, made, look=look), expected)


# Sizes

STROKES = {
    "half": ((61, 47), (30, 24), (61, 47)),
    "a third": ((96, 64), (32, 21), (96, 64)),
    "finer than the source": ((40, 30), (60, 45), (40, 30)),
    "smaller target": ((96, 64), (48, 32), (48, 32)),
    "larger target": ((48, 32), (48, 32), (121, 67)),
    "target only": ((61, 47), (61, 47), (31, 24)),
    "another shape": ((64, 48), (50, 50), (33, 80)),
    "one pixel": ((5, 7), (1, 1), (9, 3)),
}


@pytest.mark.parametrize("name", STROKES)
@pytest.mark.parametrize("tiling", ["off", 16])
def test_three_sizes(device: Device, exact: Device, name: str, tiling: Tiling) -> None:
    source, working, target = STROKES[name]
    frame = scene(*source)
    made = yuv420p(*target)
    for look in (Look(), Look(strength=0.5, split=0.3)):
        settings = {"working": working, "look": look, "tiling": tiling}
        for style in (networks.strided_identity(4), networks.box_blur(1)):
            if min(working) < 3 and style.card.radius_px == 1:
                continue  # nothing to reflect
            expected = painted(exact, style, frame, made, **settings)
            assert_alike(painted(device, style, frame, made, **settings), expected)


@pytest.mark.parametrize("scale", [2, 3, 4])
@pytest.mark.parametrize("tiling", ["off", 24])
def test_enlargers(device: Device, exact: Device, scale: int, tiling: Tiling) -> None:
    frame = scene(61, 47)
    style = networks.enlarger(scale, radius_px=1)
    for target in (rgba8(61 * scale, 47 * scale), rgba8(80, 60)):
        expected = painted(exact, style, frame, target, tiling="off", look=Look(strength=0.8))
        actual = painted(device, style, frame, target, tiling=tiling, look=Look(strength=0.8))
        assert_alike(actual, expected)


def test_a_network_of_fixed_size(device: Device, exact: Device) -> None:
    style = networks.strided_identity(4)
    fixed = replace(style, card=replace(style.card, fixed_size=(32, 24)))
    frame = scene(61, 47)
    actual = painted(device, fixed, frame, rgba8(61, 47), working=(32, 24))
    assert_alike(actual, painted(exact, style, frame, rgba8(61, 47), working=(32, 24)))
    with pytest.raises(ValueError, match=r"Test runs at \(32, 24\) only, not at \(61, 47\)"):
        device.stylizer(fixed, frame.format, rgba8(61, 47))


def test_identical_sizes_cost_no_kernel(device: Device) -> None:
    """Convert and output, and nothing between them."""
    with device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        stylizer.fetch(stylizer.submit(noise(SOURCE)))
        assert stylizer.counters.dispatches == 2


# Slots, tickets, order of calls


def test_slots_run_out_and_are_given_back(device: Device) -> None:
    with device.stylizer(networks.identity(), SOURCE, SOURCE, slots=2) as stylizer:
        assert stylizer.slots == 2
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
        FrameFormat(61, 47, Layout.PLANAR, subsample=(1, 0)),
        FrameFormat(61, 47, Layout.SEMI_PLANAR),
        FORMATS["rgba64"],
    ):
        with pytest.raises(ValueError, match=r"^frames are written as 4:2:0 or as RGBA of 8 bits, not as "):
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


# Looks


def test_the_look_is_that_of_the_moment(device: Device, exact: Device) -> None:
    """A frame in flight is fetched with the look of now, without another run of the network."""
    frame = noise(SOURCE)
    with device.stylizer(networks.blend(), SOURCE, rgba8(61, 47), look=Look(mix=(0.0, 1.0))) as stylizer:
        for look in (Look(strength=0.3, mix=(0.0, 1.0)), Look(split=0.5, mix=(0.0, 1.0), exposure_ev=-1.0)):
            stylizer.look = Look(mix=(0.0, 1.0))
            ticket = stylizer.submit(frame)
            stylizer.look = look
            expected = painted(exact, networks.blend(), frame, rgba8(61, 47), look=look)
            assert_alike(stylizer.fetch(ticket), expected)
        assert stylizer.counters.runs == 2


def test_the_mix_is_that_of_submit(device: Device, exact: Device) -> None:
    frame = noise(SOURCE)
    with device.stylizer(networks.blend(), SOURCE, SOURCE) as stylizer:
        plain = stylizer.submit(frame)
        stylizer.look = Look(mix=(0.5, 0.5))
        grey = stylizer.submit(frame)
        for ticket, mix in ((plain, ()), (grey, (0.5, 0.5))):
            expected = painted(exact, networks.blend(), frame, SOURCE, look=Look(mix=mix))
            assert_alike(stylizer.fetch(ticket), expected)
        for mix in ((1.0,), (0.2, 0.4, 0.4)):
            with pytest.raises(ValueError, match=rf"^{len(mix)} weights were given for Test, which holds 2 paintings$"):
                stylizer.look = Look(mix=mix)
        assert stylizer.look.mix == (0.5, 0.5)


def test_a_mix_paints_alike_at_rest_and_moving(device: Device) -> None:
    frame = noise(SOURCE)
    pictures = []
    with device.stylizer(networks.blend(), SOURCE, rgba8(61, 47), look=Look(mix=(0.25, 0.75))) as stylizer:
        for number in range(24):
            stylizer.look = Look(mix=(1.0, 0.0) if number == 1 else (0.25, 0.75))
            pictures.append(codes(stylizer.fetch(stylizer.submit(frame)))[0])
    assert np.abs(pictures[1] - pictures[0]).max() > 20
    assert all(np.abs(picture - pictures[0]).max() <= 1 for picture in pictures[2:])


def test_tone_mapping_is_that_of_submit(device: Device, exact: Device) -> None:
    picture = FORMATS["hdr10"]
    frame, target = noise(picture), rgba8(64, 48)
    with device.stylizer(networks.identity(), picture, target) as stylizer:
        for method in (ToneMap.HABLE, ToneMap.BT2390):
            look = Look(tone_map=method, dither=False)
            stylizer.look = look
            ticket = stylizer.submit(frame)
            stylizer.look = Look(dither=False, tone_map=ToneMap.BT2390)
            assert_alike(stylizer.fetch(ticket), painted(exact, networks.identity(), frame, target, look=look))


# Tiles


def reflected_conv(radius: int, seed: int) -> Style:
    """A network with a large receptive field and more than one layer, padded by reflection."""
    net = networks.Net([1, 3, "H", "W"], name="frame")
    for step in range(2):
        side = 2 * radius + 1
        net.add("Pad", [net.last, net.constant([0, 0, radius, radius] * 2, np.int64)], mode="reflect")
        net.conv(networks.random_weight((3, 3, side, side), seed + step))
        net.add("Sigmoid")
    return networks.canonical(net, radius_px=2 * radius)


@pytest.mark.parametrize("size", [(120, 90), (97, 61)])
@pytest.mark.parametrize("side", [48, 70])
@pytest.mark.parametrize("radius", [3, 8])
def test_tiles_equal_the_whole_frame(device: Device, size: tuple[int, int], side: int, radius: int) -> None:
    frame = scene(*size)
    style = reflected_conv(radius, seed=radius)
    with device.stylizer(style, frame.format, frame.format, tiling="off") as whole:
        expected = whole.fetch(whole.submit(frame))
        assert whole.notes == ()
    with device.stylizer(style, frame.format, frame.format, tiling=side) as tiled:
        actual = tiled.fetch(tiled.submit(frame))
        assert tiled.counters.runs == len(tiled.settings.plan.tiles) > 1
        assert len(tiled.notes) == 1
    assert codes(expected)[0].std() > 5  # there is something to see
    assert_alike(actual, expected)


def test_tiles_of_a_network_with_statistics_say_so(device: Device) -> None:
    frame = scene(128, 96)
    with device.stylizer(networks.instance_norm(), frame.format, frame.format, tiling=64) as stylizer:
        stylizer.fetch(stylizer.submit(frame))
        assert stylizer.notes[-1] == "Test normalises by statistics of the picture, so tiles change its look"


# Surfaces


@pytest.fixture
def view(device: Device) -> Iterator[View]:
    """What the device shows on: a window of the system, or a callback."""
    if device.info.shows_in_window:
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
        through_the_host = 9 * (device.info.kind == "cuda")  # a GPU that does not present itself
        assert stylizer.counters.readbacks == 1 + through_the_host
        assert stylizer.counters.runs == 3
    surface.close()
    surface.close()


def test_a_callback_gets_the_picture_of_the_target(device: Device, exact: Device) -> None:
    if device.info.shows_in_window:
        with pytest.raises(DeviceError, match=r"presents to a window, and this view has none$"):
            device.surface(View(96, 64, paint=lambda _: None))
        return
    with pytest.raises(DeviceError, match=r"hands pictures to a callback, and this view has none$"):
        device.surface(View(96, 64, window=1))
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
    with device.stylizer(not_finite(), dark.format, nv12(64, 48)) as stylizer:
        ticket = stylizer.submit(dark)
        stylizer.show(ticket, surface)
        with pytest.raises(NonFiniteError):
            stylizer.fetch(ticket)
    surface.close()


# Failures


def not_finite() -> Style:
    """The logarithm of the frame less a tenth: NaN where it is dark."""
    net = networks.Net([1, 3, "H", "W"], name="frame")
    net.conv(np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1), np.full(3, -0.1, np.float32))
    net.add("Log")
    return networks.canonical(net)


@pytest.mark.parametrize("working", [None, (32, 24)])
def test_a_frame_that_is_not_finite_is_an_error_and_the_next_is_none(
    device: Device, working: tuple[int, int] | None
) -> None:
    bright = rgba8(64, 48).allocate()
    bright.planes[0][:] = 200
    one_dark = rgba8(64, 48).allocate()
    one_dark.planes[0][:] = 200
    one_dark.planes[0][40:, 50:] = 0
    with device.stylizer(not_finite(), bright.format, nv12(64, 48), working=working) as stylizer:
        first, second, third = (stylizer.submit(frame) for frame in (bright, one_dark, bright))
        stylizer.fetch(first)
        with pytest.raises(NonFiniteError, match=r"^the output of style 'test' holds NaN or infinity"):
            stylizer.fetch(second)
        with pytest.raises(ValueError, match="not in flight"):
            stylizer.release(second)  # its slot was given back
        stylizer.fetch(third)
        stylizer.fetch(stylizer.submit(bright))


def test_a_network_that_cannot_run_is_refused(device: Device) -> None:
    net = networks.Net([1, 3, "H", "W"], name="frame")
    net.add("NoSuchOperator")
    with pytest.raises(DeviceError, match="NoSuchOperator"):
        device.stylizer(networks.canonical(net), SOURCE, SOURCE)


def test_frames_larger_than_the_memory_are_refused(device: Device) -> None:
    huge = rgba8(65000, 65000)
    with pytest.raises(OutOfMemoryError, match=r"3 frames of 65000x65000 need .* GiB more .*; try --stroke"):
        device.stylizer(networks.identity(), huge, huge)


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


# The temporal window, whose rules are the base class's


class _MeanOfThree(ReferenceStylizer):
    """Each result is the mean of the outputs of a frame and its neighbours."""

    def _combine(self, slot: Slot, before: Sequence[Slot], after: Sequence[Slot], look: Look) -> None:
        slot.result = np.mean([near.styled for near in (slot, *before, *after)], axis=0)


class _MeanDevice(ReferenceDevice):
    stylizer_class = _MeanOfThree


def flat(level: int) -> Frame:
    frame = rgba8(4, 2).allocate()
    frame.planes[0][:] = level
    return frame


def level(frame: Frame) -> int:
    return int(frame.planes[0][0, 0, 0])


@pytest.fixture
def averaging() -> Iterator[Stylizer[Any]]:
    with (
        _MeanDevice(reference_devices()[0]) as device,
        device.stylizer(
            networks.identity(), rgba8(4, 2), rgba8(4, 2), look=Look(dither=False), slots=2, window=TemporalWindow(1, 1)
        ) as stylizer,
    ):
        yield stylizer


def test_a_result_waits_for_its_neighbours(averaging: Stylizer[Any]) -> None:
    assert averaging.slots == 3  # one more than asked for, so that the delay stalls nobody
    first = averaging.submit(flat(30))
    with pytest.raises(RuntimeError, match=r"^frame 0 needs 1 frames after it; submit them or flush$"):
        averaging.fetch(first)
    second = averaging.submit(flat(60))
    assert level(averaging.fetch(first)) == 45
    third = averaging.submit(flat(120))
    assert level(averaging.fetch(second)) == 70
    averaging.flush()
    assert level(averaging.fetch(third)) == 90


def test_a_flush_starts_anew(averaging: Stylizer[Any]) -> None:
    tickets = [averaging.submit(flat(value)) for value in (10, 20)]
    averaging.flush()
    after = averaging.submit(flat(200))
    assert [level(averaging.fetch(ticket)) for ticket in tickets] == [15, 15]
    averaging.flush()
    assert level(averaging.fetch(after)) == 200


def test_a_window_keeps_neighbours_that_were_released(averaging: Stylizer[Any]) -> None:
    averaging.release(averaging.submit(flat(10)))
    averaging.release(averaging.submit(flat(40)))
    kept = averaging.submit(flat(70))
    for value in (100, 130, 160, 190, 220):
        averaging.release(averaging.submit(flat(value)))
    assert level(averaging.fetch(kept)) == 70
    assert len({id(slot) for slot in averaging._free}) == len(averaging._free)


def test_a_window_over_a_long_sequence(averaging: Stylizer[Any]) -> None:
    values = [int(value) for value in np.random.default_rng(1).integers(0, 256, 40)]
    waiting: list[Ticket] = []
    results: list[int] = []
    for value in values:
        if len(waiting) == averaging.slots:
            results.append(level(averaging.fetch(waiting.pop(0))))
        waiting.append(averaging.submit(flat(value)))
    averaging.flush()
    results += [level(averaging.fetch(ticket)) for ticket in waiting]
    means = [np.mean(values[max(0, index - 1) : index + 2]) for index in range(len(values))]
    assert np.abs(np.array(results) - means).max() <= 0.5 + 1e-9
