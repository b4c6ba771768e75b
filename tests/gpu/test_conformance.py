"""The contract of devices and stylizers, for every backend: painted pictures.

test_order_of_calls.py, test_steady.py and test_detail.py hold the rest. A backend passes when every test in these files
passes; tests that apply to several backends belong here. The float64 reference decides, within the tolerance of the
target's bits.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, product

import numpy as np
import pytest

from framebrush.gpu import colour
from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, Primaries, Transfer, gbrp, nv12, rgba8, yuv420p
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.gpu.reference.device import ReferenceDevice
from framebrush.gpu.reference.device import list_devices as reference_devices
from framebrush.gpu.tiles import Tiling
from framebrush.models.style import Precision, Style
from tests import networks
from tests.gpu.contract import SOURCE, STROKES, assert_alike, codes, notes_of, painted
from tests.gpu.pictures import FORMATS, KEPT_TARGETS, PLANAR_TARGETS, noise, scene

pytestmark = pytest.mark.unit

# What networks compute in


def test_a_painter_in_float16(device: Device) -> None:
    """Weights, tensors and blending: within a step of float16 below 1, and a code for the rounding."""
    frame, look = scene(61, 47), Look(mix=(0.75, 0.25), dither=False)
    exactly = painted(device, networks.blend(), frame, SOURCE, look=look, precision="float32")
    assert_alike(painted(device, networks.blend(), frame, SOURCE, look=look, precision="float16"), exactly, 1)


class GainsByFloat16(ReferenceDevice):
    """Device with faster 16-bit units."""

    prefers_float16 = True


def test_a_device_that_gains_by_float16_chooses_it_for_networks_that_it_hardly_moves() -> None:
    for moved, expected in ((None, "float32"), (0.4, "float16"), (1.2, "float32")):
        plain = networks.identity()
        style = Style(replace(plain.card, float16_codes=moved), plain.model)
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
def test_every_source_format(tested: Device, exact: Device, name: str) -> None:
    frame = noise(FORMATS[name], seed=2)
    target = nv12(frame.format.width, frame.format.height, bits=10)
    expected = painted(exact, networks.identity(), frame, target)
    assert_alike(painted(tested, networks.identity(), frame, target), expected)


TARGETS = ["nv12", "p010", "yuv420p", "yuv420p10", "rgba8", *PLANAR_TARGETS]


@pytest.mark.parametrize(
    ("target", "size"), [*product(TARGETS, [(61, 47)]), *zip(TARGETS, cycle([(64, 48), (1, 1), (2, 3)]))]
)
def test_every_target_format(tested: Device, exact: Device, target: str, size: tuple[int, int]) -> None:
    made = {
        "nv12": nv12(*size),
        "p010": nv12(*size, bits=10),
        "yuv420p": yuv420p(*size),
        "yuv420p10": yuv420p(*size, bits=10),
        "rgba8": rgba8(*size),
        **{name: replace(planar, width=size[0], height=size[1]) for name, planar in PLANAR_TARGETS.items()},
    }[target]
    frame = noise(yuv420p(*size), seed=3)
    for look in (Look(), Look(0.6, True, 1.0, ToneCurve.REINHARD, split=0.4), Look(dither=False)):
        expected = painted(exact, networks.enlarger(1), frame, made, look=look)
        assert_alike(painted(tested, networks.enlarger(1), frame, made, look=look), expected)


# Floats

GIVEN = (0.0, 0.1, 0.2, 0.5, 2 / 3, 1.0, 1.5, np.inf, -0.25, -np.inf, np.nan)
CUT = (0.0, 0.1, 0.2, 0.5, 2 / 3, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
HALVES = (0.0, 0.0999755859375, 0.199951171875, 0.5, 0.66650390625, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
BYTES = (0, 26, 51, 128, 170, 255, 255, 255, 0, 0, 0)
"""As IEEE 754 and H.273 have them: rounded to the nearest half, and to the nearest code of 8 bits, upwards from 0.5."""


@pytest.mark.parametrize("bits", [16, 32])
def test_floats_are_what_they_say(device: Device, bits: int) -> None:
    """Values that are no numbers change their own channel alone."""
    width = len(GIVEN)
    source = gbrp(width, 3, bits=bits, floating=True)
    frame = source.allocate()
    for row, plane in enumerate(frame.planes):
        plane[:] = 0.5
        plane[row] = GIVEN
    for target, middle, expected, tolerance in (
        (gbrp(width, 3, bits=32, floating=True), 0.5, CUT if bits == 32 else HALVES, 1e-6),
        (gbrp(width, 3, bits=16, floating=True), 0.5, HALVES, 0.0 if bits == 16 else 2**-11),
        (gbrp(width, 3), 128, BYTES if bits == 32 else None, 0.0),
    ):
        made = painted(device, networks.identity(), frame, target, look=Look(dither=False))
        for row, plane in enumerate(made.planes):
            assert np.all(np.delete(plane, row, 0) == middle)
            if expected is not None:
                np.testing.assert_allclose(plane[row].astype(np.float64), expected, rtol=0, atol=tolerance)


def test_floats_are_not_dithered(device: Device) -> None:
    flat = gbrp(64, 48, bits=32, floating=True)
    frame = flat.allocate()
    for plane in frame.planes:
        plane[:] = 0.123456
    for bits in (16, 32):
        target = gbrp(64, 48, bits=bits, floating=True)
        made = painted(device, networks.identity(), frame, target, look=Look(dither=True))
        assert all(np.unique(plane).size == 1 for plane in made.planes)


# Sizes


@pytest.mark.parametrize("name", STROKES)
def test_three_sizes(tested: Device, exact: Device, name: str) -> None:
    """Every pair of tiling, look and network."""
    source, working, target = STROKES[name]
    frame, made = scene(*source), yuv420p(*target)
    part = Look(strength=0.5, split=0.3)
    cases: list[tuple[Tiling, Look, Style]] = [
        ("off", Look(), networks.strided_identity(4)),
        ("off", part, networks.box_blur(1)),
        (16, Look(), networks.box_blur(1)),
        (16, part, networks.strided_identity(4)),
    ]
    for tiling, look, style in cases:
        if min(working) < 3 and style.card.radius_px == 1:
            continue  # nothing to reflect
        settings = {"working": working, "look": look, "tiling": tiling}
        expected = painted(exact, style, frame, made, **settings)
        assert_alike(painted(tested, style, frame, made, **settings), expected)


@pytest.mark.parametrize("scale", [2, 3, 4])
@pytest.mark.parametrize("tiling", ["off", 24])
def test_enlargers(tested: Device, exact: Device, scale: int, tiling: Tiling) -> None:
    frame = scene(61, 47)
    style = networks.enlarger(scale, radius_px=1)
    for target in (rgba8(61 * scale, 47 * scale), rgba8(80, 60)):
        expected = painted(exact, style, frame, target, tiling="off", look=Look(strength=0.8))
        actual = painted(tested, style, frame, target, tiling=tiling, look=Look(strength=0.8))
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
        for mix, given in (((1.0,), "1 weight was"), ((0.2, 0.4, 0.4), "3 weights were")):
            with pytest.raises(ValueError, match=rf"^{given} given for Test, which holds 2 paintings$"):
                stylizer.look = Look(mix=mix)
        assert stylizer.look.mix == (0.5, 0.5)


@pytest.mark.parametrize("precision", ["float32", "float16"])
def test_a_style_brings_its_mix(device: Device, exact: Device, precision: Precision) -> None:
    frame, negative = noise(SOURCE), replace(networks.blend(), mix=(0.0, 1.0))
    for look, mix in ((Look(), (0.0, 1.0)), (Look(mix=(0.5, 0.5)), (0.5, 0.5))):
        got = painted(device, negative, frame, SOURCE, look=look, precision=precision)
        expected = painted(exact, networks.blend(), frame, SOURCE, look=replace(look, mix=mix))
        assert_alike(got, expected)


def test_a_mix_paints_the_same_after_another(device: Device) -> None:
    frame = noise(SOURCE)
    pictures = []
    with device.stylizer(networks.blend(), SOURCE, rgba8(61, 47), look=Look(mix=(0.25, 0.75))) as stylizer:
        for number in range(24):
            stylizer.look = Look(mix=(1.0, 0.0) if number == 1 else (0.25, 0.75))
            pictures.append(codes(stylizer.fetch(stylizer.submit(frame)))[0])
    assert np.abs(pictures[1] - pictures[0]).max() > 20
    assert all(np.array_equal(picture, pictures[0]) for picture in pictures[2:])


@pytest.mark.slow
def test_a_frame_keeps_a_look_of_its_own(device: Device) -> None:
    """Whatever the look is when it is fetched, and whatever frames are in flight beside it have: it is as if alone."""
    frame = noise(SOURCE)
    looks = [Look(strength=0.3, mix=(0.25, 0.75)), None, Look(brush=1.0, exposure_ev=-1.0, mix=(1.0, 0.0))]
    with device.stylizer(networks.blend(), SOURCE, rgba8(61, 47), look=Look(mix=(0.0, 1.0))) as stylizer:
        tickets = [stylizer.submit(frame, look=look) for look in looks]
        stylizer.look = now = Look(strength=0.6, mix=(0.0, 1.0))
        for ticket, look in zip(tickets, looks, strict=True):
            alone = painted(device, networks.blend(), frame, rgba8(61, 47), look=look or now)
            assert_alike(stylizer.fetch(ticket), alone, 0)
        with pytest.raises(ValueError, match=r"^1 weight was given for Test, which holds 2 paintings$"):
            stylizer.submit(frame, look=Look(mix=(1.0,)))


def test_a_mix_that_moves_paints_the_same_after_any_rest(device: Device) -> None:
    frame, mix = noise(SOURCE), (0.25, 0.75)
    pictures = []
    for rest in (0, 24):
        with device.stylizer(networks.blend(), SOURCE, rgba8(61, 47), look=Look(mix=mix), moving=True) as stylizer:
            for _ in range(rest):
                stylizer.fetch(stylizer.submit(frame, look=Look(mix=mix)))
            stylizer.fetch(stylizer.submit(frame, look=Look(mix=(0.5, 0.5))))
            pictures += [codes(stylizer.fetch(stylizer.submit(frame, look=Look(mix=mix))))[0] for _ in range(rest + 1)]
    assert all(np.array_equal(picture, pictures[0]) for picture in pictures)


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


# HDR that is kept


def ramp_of_pq(peak_nits: float) -> Frame:
    """Grey of each code of 12 bits from black to 10,000 nits, along the rows."""
    given = {"transfer": Transfer.PQ, "primaries": Primaries.BT2020, "peak_nits": peak_nits}
    picture = replace(gbrp(1024, 4, bits=12), **given)
    codes = np.arange(4096, dtype=np.uint16).reshape(4, 1024)
    return Frame(picture, (codes,) * 3)


@pytest.mark.parametrize("peak_nits", [203.0, 1000.0, 4000.0, 10_000.0])
def test_painted_light_above_the_peak_rolls_off(device: Device, peak_nits: float) -> None:
    """Through a network that changes nothing: equal below the knee, and levels, not one white, up to the peak."""
    frame, look = ramp_of_pq(peak_nits), Look(dither=False)
    for plane in codes(painted(device, networks.identity(), frame, frame.format, look=look)):
        level, given = plane.ravel(), np.arange(4096)
        bends = colour.roll_off(frame.format)
        kept = colour.hdr_to_kept(np.tile(given / 4095.0, (3, 1)), frame.format)[0]
        assert np.abs(level - given)[kept <= bends.knee].max() <= 1
        assert np.diff(level).min() >= -1  # float32 rounds
        peak = round(4095 * float(colour.nits_to_pq(peak_nits)))
        assert level[-1] == pytest.approx(peak, abs=1)
        if peak < 4095:
            assert len(np.unique(level[peak:])) > 40


@pytest.mark.parametrize("name", KEPT_TARGETS)
@pytest.mark.parametrize("look", [Look(dither=False), Look(strength=0.4, dither=False)], ids=["painted", "in part"])
def test_hdr_that_is_kept(tested: Device, exact: Device, name: str, look: Look) -> None:
    frame, style = noise(KEPT_TARGETS[name]), networks.identity()
    for working in (None, (40, 30)):
        expected = painted(exact, style, frame, frame.format, look=look, working=working)
        assert_alike(painted(tested, style, frame, frame.format, look=look, working=working), expected)


@pytest.mark.parametrize("size", [(64, 48), (48, 96)])
def test_what_is_not_painted_keeps_light_above_the_peak_at_any_size(device: Device, size: tuple[int, int]) -> None:
    picture = replace(gbrp(64, 48, bits=12), transfer=Transfer.PQ, primaries=Primaries.BT2020)
    frame = picture.allocate()
    for plane in frame.planes:
        plane[:24], plane[24:] = 4095, 3500
    target = replace(picture, width=size[0], height=size[1])
    look = Look(strength=0.0, dither=False)
    for plane in codes(painted(device, networks.identity(), frame, target, look=look)):
        assert np.abs(plane[: size[1] // 3] - 4095).max() <= 1
        assert np.abs(plane[-(size[1] // 3) :] - 3500).max() <= 1


# Tiles


@pytest.mark.parametrize("size", [(120, 90), (97, 61)])
@pytest.mark.parametrize("side", [48, 70])
@pytest.mark.parametrize("radius", [3, 8])
def test_tiles_equal_the_whole_frame(device: Device, size: tuple[int, int], side: int, radius: int) -> None:
    frame = scene(*size)
    style = networks.reflected_conv(radius, seed=radius)
    with device.stylizer(style, frame.format, frame.format, tiling="off") as whole:
        expected = whole.fetch(whole.submit(frame))
        assert notes_of(whole) == []
        assert whole.method
    with device.stylizer(style, frame.format, frame.format, tiling=side) as tiled:
        actual = tiled.fetch(tiled.submit(frame))
        assert tiled.counters.runs == len(tiled.settings.plan.tiles) > 1
        assert len(notes_of(tiled)) == 1
        plan = tiled.settings.plan
        assert tiled.method == f"{whole.method} in tiles of {plan.tile_width}x{plan.tile_height} px"
    assert codes(expected)[0].std() > 5  # there is something to see
    assert_alike(actual, expected)


def test_tiles_of_a_network_with_statistics_say_so(device: Device) -> None:
    frame = scene(128, 96)
    with device.stylizer(networks.instance_norm(), frame.format, frame.format, tiling=64) as stylizer:
        stylizer.fetch(stylizer.submit(frame))
        assert stylizer.notes[-1] == "Test normalises by statistics of the picture, so tiles change its look"
