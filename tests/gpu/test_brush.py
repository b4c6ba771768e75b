"""Brush, relief and canvas, the same tests for every backend: like the reference, and only where asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.errors import NonFiniteError
from framebrush.gpu.frame import Frame, rgba8, yuv420p
from framebrush.gpu.reference import brush as reference
from framebrush.gpu.reference.relief import bristles, lit
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.brush import ACROSS_REACH, DIRECTIONS, Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import (
    PERIOD_FRAMES,
    WARM_UP_FRAMES,
    Drift,
    Lamp,
    bristle_line,
    broad_weights,
    noise,
    phase_ages,
    phase_weight,
    weave,
    weave_pitch_px,
)
from framebrush.gpu.stages.steady import BLOCK_PX, CENTRED
from tests import networks
from tests.gpu.contract import STROKES, codes, painted
from tests.gpu.pictures import scene
from tests.gpu.test_steady import fed, moving, results, rgba, texture

pytestmark = pytest.mark.unit

LOOKS = {
    "brush": Look(brush=1.0),
    "half a brush": Look(brush=0.5, strength=0.7),
    "relief": Look(relief=1.0, lamp_degrees=20.0),
    "canvas": Look(brush=0.3, canvas=1.0),
    "all": Look(0.8, True, 0.5, split=0.3, detail=0.6, brush=1.0, relief=0.7, canvas=0.5),
}


def assert_mostly_alike(actual: Frame, expected: Frame) -> None:
    """A direction that lies between two of the 32 may be rounded to either, and a shock takes one of two pixels that
    are equally dark: few pixels may differ by more than a code, and those by what lies side by side in the picture."""
    assert actual.format == expected.format
    for ours, theirs in zip(actual.planes, expected.planes, strict=True):
        apart = np.abs(ours.astype(int) - theirs.astype(int))
        assert np.count_nonzero(apart > 1) <= 3 + 0.03 * apart.size
        assert np.sqrt((apart.astype(float) ** 2).mean()) <= 1.5


@pytest.mark.parametrize("name", STROKES)
@pytest.mark.parametrize("look", LOOKS)
def test_every_device_paints_the_same_strokes(tested: Device, exact: Device, name: str, look: str) -> None:
    source, working, target = STROKES[name]
    frame = scene(*source)
    for made in (rgba8(*target), yuv420p(*target)):
        settings: dict[str, Any] = {"working": working, "look": replace(LOOKS[look], dither=False)}
        expected = painted(exact, networks.strided_identity(4), frame, made, **settings)
        assert_mostly_alike(painted(tested, networks.strided_identity(4), frame, made, **settings), expected)


def test_bristles_drift_with_the_film_alike(tested: Device, exact: Device) -> None:
    frames = moving(6, (5, 3))
    look = Look(steady=0.5, relief=1.0, brush=1.0, dither=False)
    for ours, theirs in zip(results(tested, frames, look), results(exact, frames, look), strict=True):
        assert_mostly_alike(ours, theirs)


def pan(count: int, step: tuple[int, int]) -> list[Frame]:
    """A scene past which a camera moves so many pixels (x, y) a frame."""
    width, height = 64, 48
    far = texture(width + count * step[0], height + count * step[1], 3)
    places = [(number * step[0], number * step[1]) for number in range(count)]
    return [rgba(far[y : y + height, x : x + width]) for x, y in places]


def test_a_range_with_the_frames_before_it_has_the_bristles_of_the_whole(tested: Device) -> None:
    frames, look = pan(WARM_UP_FRAMES + 8, (3, 1)), Look(steady=0.5, relief=1.0, brush=1.0, dither=False)
    whole, first, source = results(tested, frames, look), WARM_UP_FRAMES + 4, frames[0].format
    for begin, same in ((first - WARM_UP_FRAMES, True), (first - CENTRED.before, False)):
        with tested.stylizer(networks.identity(), source, source, look=look, window=CENTRED) as stylizer:
            part = fed(stylizer, frames[begin:], begin)[first - begin :]
        ours, theirs = (np.stack([codes(frame)[0] for frame in film]) for film in (part, whole[first:]))
        assert np.array_equal(ours, theirs) is same


def test_values_that_are_not_finite_are_black_and_are_reported(tested: Device) -> None:
    frame = rgba(texture(32, 24) - 60.0)
    look = Look(brush=1.0, relief=1.0)
    with (
        tested.stylizer(networks.not_finite(), frame.format, frame.format, look=look) as stylizer,
        pytest.raises(NonFiniteError, match="NaN or infinity"),
    ):
        stylizer.fetch(stylizer.submit(frame))


# What the reference does


def test_strokes_follow_edges() -> None:
    y, x = np.mgrid[:48, :48]
    for angle in range(0, 180, 15):
        across = np.sin(np.radians(angle)) * x - np.cos(np.radians(angle)) * y
        picture = np.repeat(0.5 + 0.4 * np.sin(across / 3.0)[None], 3, axis=0)
        found = reference.direction(picture, Strokes(1.0))[12:-12, 12:-12]
        off = (found - angle * DIRECTIONS / 180 + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2
        assert np.abs(off).max() <= 1.0


def test_an_edge_gets_sharper_and_a_flat_picture_stays() -> None:
    strokes = Strokes(1.0)
    flat = np.full((3, 40, 40), 0.3)
    np.testing.assert_allclose(reference.brushed(flat, strokes), flat)
    soft = np.repeat((0.5 + 0.3 * np.tanh((np.arange(60) - 30) / 6.0))[None, None], 40, axis=1).repeat(3, axis=0)
    steepest = np.abs(np.diff(reference.brushed(soft, strokes), axis=2)).max()
    assert steepest > 1.5 * np.abs(np.diff(soft, axis=2)).max()


def test_grain_is_drawn_less_than_an_edge() -> None:
    strokes = Strokes(1.0)
    ramp = np.tanh((np.arange(60) - 30) / 6.0)[None, None].repeat(40, axis=1).repeat(3, axis=0)

    def sharper(height: float) -> float:
        soft = 0.5 + height * ramp
        across = np.zeros(soft.shape[1:], np.int64) + DIRECTIONS // 2
        return float(np.abs(reference.sharpened(soft, across, strokes) - soft).max() / np.abs(np.diff(soft)).max())

    assert sharper(0.3) > 0.85 * ACROSS_REACH  # nearly the pixel as far away as the brush looks
    assert sharper(0.05) < 0.25 * ACROSS_REACH  # without GRAIN it would be 0.4 of it


def test_reaches_scale_with_the_strokes() -> None:
    assert Strokes.of(Sizes.of((1920, 1080), (960, 540), (1920, 1080))).scale == 1.0
    assert Strokes.of(Sizes.of((640, 360), None, (640, 360))).scale == 0.5
    assert Strokes.of(Sizes.of((3840, 2160), (960, 540), (3840, 2160))).scale == 2.0


def test_no_reach_takes_more_samples_than_kernels_have_room_for() -> None:
    for scale in np.linspace(0.25, 8.0, 311):
        strokes = Strokes(float(scale))
        assert max(strokes.along.count, bristle_line(strokes).count) <= 12
        assert max(len(strokes.tensor_weights), len(broad_weights(strokes))) <= 36


def test_bristles_stand_still_where_nothing_moves_and_wear_out_in_turns() -> None:
    still = np.zeros((2, 3, 4), np.int64)
    picture = np.random.default_rng(1).random((3, 48, 64))
    strokes, lamp, working = Strokes(0.5), Lamp.at(135.0), (64, 48)
    drift = Drift.still(3, working)
    expected = lit(picture, strokes, 1.0, 0.0, lamp)
    for _ in range(PERIOD_FRAMES + 3):
        drift = drift.next(still)
        np.testing.assert_allclose(lit(picture, strokes, 1.0, 0.0, lamp, drift=drift, working=working), expected)
    moving_right = still + np.array([0, 5])[:, None, None]
    for _ in range(PERIOD_FRAMES):
        drift = drift.next(moving_right)
    for _ in range(PERIOD_FRAMES):
        drift = drift.next(moving_right)
        for age, way in zip(phase_ages(drift.place), drift.ways, strict=True):
            assert (way[1] == 5 * age).all()


def test_blocks_that_drift_apart_leave_no_seam() -> None:
    dice = np.random.default_rng(2)
    drift = Drift(5, dice.integers(-6, 7, (2, 2, 6, 6)))
    along = np.zeros((192, 192), np.int64)
    found = bristles(along, Strokes(1.0), drift, (96, 96))
    steps = np.abs(np.diff(found, axis=1)).mean(axis=0)
    border = np.arange(1, 192) % (2 * BLOCK_PX) == 0
    assert steps[border].max() < 3.0 * steps[~border].mean()


def test_a_way_begins_anew_where_it_is_not_seen() -> None:
    for place in range(3 * PERIOD_FRAMES):
        weights = phase_weight(place), 1.0 - phase_weight(place)
        assert all(weight == 0.0 for weight, age in zip(weights, phase_ages(place), strict=True) if age == 0)


def test_noise_is_the_same_everywhere() -> None:
    assert noise().mean() == pytest.approx(0.0, abs=2e-3)
    assert noise().std() == pytest.approx(1.0, abs=1e-3)
    assert noise()[0, :3].tolist() == pytest.approx([-0.50985, -0.49439, -0.84225], abs=1e-4)


@pytest.mark.parametrize("field", ["brush", "relief", "canvas"])
def test_shares_beyond_one_are_refused(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field} 1.5 is not between 0 and 1"):
        Look(**{field: 1.5})
    with pytest.raises(ValueError, match="lamp 400 is not between 0 and 360 degrees"):
        Look(lamp_degrees=400.0)


def test_bristles_drift_with_every_slot_in_flight(tested: Device) -> None:
    frames = moving(3 * CENTRED.after + 4, (1, 1))
    look, source = Look(steady=0.5, relief=1.0, dither=False), frames[0].format
    with tested.stylizer(networks.identity(), source, source, look=look, window=CENTRED) as stylizer:
        tickets = [stylizer.submit(frame) for frame in frames[: stylizer.slots]]
        stylizer.flush()
        at_once = [stylizer.fetch(ticket) for ticket in tickets]
    for ours, theirs in zip(at_once, results(tested, frames[: len(tickets)], look), strict=True):
        assert_mostly_alike(ours, theirs)


def test_a_thread_rises_over_one_thread_and_dives_under_the_next() -> None:
    threads = weave((64, 64), 8.0).reshape(8, 8, 8, 8).swapaxes(1, 2)  # crossings down and across, and their pixels
    for down in range(8):
        for across in range(8):
            crossing = threads[down, across]
            assert np.allclose(crossing, threads[down % 2, across % 2])
            assert np.allclose(crossing, crossing[::-1])  # it slants to no side
            assert np.allclose(crossing, threads[across, down - 1].T)  # over, and then under
    assert threads[0, 0][3, 3] > 0.9 > threads[0, 0][3, 0] > threads[0, 0][0, 0]


@pytest.mark.parametrize("lines", [144, 240, 360, 480, 540, 720, 1080, 1440, 2160])
def test_threads_are_as_wide_as_can_be_drawn(lines: int) -> None:
    pitch = weave_pitch_px((lines * 16 // 9, lines))
    assert pitch == weave_pitch_px((lines, lines * 16 // 9))
    assert pitch == max(3, round(lines / 270))
    pixels = weave((6 * int(pitch), 6 * int(pitch)), pitch)
    assert np.allclose(pixels, np.roll(pixels, 2 * int(pitch), 0))  # nothing beats: each pair of threads is the same
    assert np.allclose(pixels, np.roll(pixels, 2 * int(pitch), 1))
    assert pixels.std() > 0.1
