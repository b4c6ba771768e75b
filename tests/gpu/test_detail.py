"""The source's fine luma over broad strokes, on every backend: its effect and limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, Transfer, nv12, rgba8, yuv420p
from framebrush.gpu.look import Look, ToneCurve
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages import detail, tensor_to_planes
from framebrush.gpu.stages.detail import coarse_size
from framebrush.gpu.surface import View
from framebrush.gpu.temporal_window import CENTRED
from tests import networks
from tests.gpu.contract import STROKES, THROUGH_THE_HOST, assert_alike, codes, painted
from tests.gpu.pictures import FORMATS, HDR, noise, scene
from tests.gpu.test_steady import apart, moving, results, rgba, texture

pytestmark = pytest.mark.unit

FULL = Look(detail=1.0, dither=False)
PLAIN = Look(dither=False)
BOTH = Look(0.6, True, 1.0, ToneCurve.REINHARD, split=0.4, detail=0.7)


def faint(width: int, height: int) -> Frame:
    """Return texture with fine detail of about ten codes, neither noise nor edges."""
    fine = np.random.default_rng(3).normal(0, 10, (height, width, 1))
    return rgba(texture(width, height) + fine)


def broad(device: Device, frame: Frame, look: Look, stroke: int, **settings: Any) -> npt.NDArray[np.float64]:  # noqa: ANN401
    """Return the picture (H, W, 3) in codes that an identity network makes at a stroke."""
    size = frame.format.width, frame.format.height
    working = (-(-size[0] // stroke), -(-size[1] // stroke))
    made = painted(device, networks.identity(), frame, rgba8(*size), look=look, working=working, **settings)
    return made.planes[0][..., :3].astype(np.float64)


# The same as the reference


@pytest.mark.slow
@pytest.mark.parametrize("name", STROKES)
@pytest.mark.parametrize("tiling", ["off", 16])
def test_every_device_adds_the_same(tested: Device, exact: Device, name: str, tiling: Any) -> None:  # noqa: ANN401
    """Every pair of a picture, a look and a target."""
    source, working, target = STROKES[name]
    for picture, look, made in (
        (scene, FULL, rgba8),
        (scene, BOTH, yuv420p),
        (faint, FULL, yuv420p),
        (faint, BOTH, rgba8),
    ):
        settings = {"working": working, "look": look}
        given = networks.strided_identity(4), picture(*source), made(*target)
        assert_alike(painted(tested, *given, tiling=tiling, **settings), painted(exact, *given, **settings))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["yuv420p odd", "yuv444p16 full", "grey", "gbrpf16", *HDR])
def test_of_every_kind_of_source(tested: Device, exact: Device, name: str) -> None:
    """The luma of HDR is taken after tone mapping."""
    frame = noise(FORMATS[name], seed=2)
    target = nv12(frame.format.width, frame.format.height, bits=10)
    look = replace(FULL, strength=0.9)
    expected = painted(exact, networks.identity(), frame, target, look=look)
    tolerance = None if frame.format.transfer is Transfer.SDR else 4
    assert_alike(painted(tested, networks.identity(), frame, target, look=look), expected, tolerance)
    if frame.format.width > 1:
        without = painted(exact, networks.identity(), frame, target, look=replace(look, detail=0.0))
        assert apart(expected, without) > 10


@pytest.mark.parametrize("size", [(64, 48), (61, 47), (1, 1), (2, 3)])
@pytest.mark.parametrize("target", [nv12, yuv420p, rgba8])
def test_in_every_target_format(tested: Device, exact: Device, target: Any, size: tuple[int, int]) -> None:  # noqa: ANN401
    frame = faint(*size)
    for look, style in (
        (FULL, networks.enlarger(1)),
        (BOTH, networks.identity(half=True)),
        (replace(BOTH, strength=1.0, dither=False), networks.identity(half=True)),
    ):
        settings = {"look": look, "tiling": "off"}
        expected = painted(exact, style, frame, target(*size), **settings)
        assert_alike(painted(tested, style, frame, target(*size), **settings), expected)


@pytest.mark.parametrize("scale", [2, 3, 4])
def test_over_what_enlarges(tested: Device, exact: Device, scale: int) -> None:
    frame, style = faint(61, 47), networks.enlarger(scale)
    for target in (rgba8(61 * scale, 47 * scale), rgba8(80, 60)):
        expected = painted(exact, style, frame, target, look=FULL)
        assert_alike(painted(tested, style, frame, target, look=FULL, tiling=24), expected)


def test_tiles_equal_the_whole_frame(device: Device) -> None:
    frame, style = faint(120, 90), networks.reflected_conv(3, seed=3)
    target = yuv420p(120, 90)
    whole = painted(device, style, frame, target, look=FULL, tiling="off")
    assert_alike(painted(device, style, frame, target, look=FULL, tiling=48), whole)
    assert apart(whole, painted(device, style, frame, target, look=PLAIN, tiling="off")) > 10


def test_the_low_pass_is_never_larger_than_the_picture() -> None:
    assert coarse_size(Sizes.of((640, 360), (160, 90), (640, 360))) == (80, 45)
    assert coarse_size(Sizes.of((61, 47), None, (61, 47))) == (31, 24)
    assert coarse_size(Sizes.of((61, 47), (1, 1), (61, 47))) == (1, 1)
    assert coarse_size(Sizes.of((40, 30), (160, 120), (40, 30))) == (40, 30)


# Frames in flight


@pytest.mark.slow
def test_each_frame_gets_its_own(tested: Device, exact: Device) -> None:
    """Frames wait for their neighbours; the fine luma is the output frame's own."""
    frames = moving(12, (4, 1), amount=6.0)  # more than there are slots
    look = replace(FULL, steady=0.5)
    settings: dict[str, Any] = {"working": (30, 21), "target": yuv420p(90, 62), "window": CENTRED}
    for made, expected in zip(
        results(tested, frames, look, **settings), results(exact, frames, look, **settings), strict=True
    ):
        assert apart(made, expected) <= 1


def test_it_is_that_of_the_moment(device: Device, exact: Device) -> None:
    """Turned up and down while frames are in flight, without another run of the network."""
    frames = [faint(61, 47), scene(61, 47), rgba(texture(61, 47, 4))]
    looks = [FULL, PLAIN, BOTH, replace(FULL, detail=0.3), FULL]
    with device.stylizer(networks.identity(), rgba8(61, 47), yuv420p(61, 47), working=(21, 16)) as stylizer:
        for round_ in range(3):
            tickets = [stylizer.submit(frame) for frame in frames]
            for number in (2, 0, 1):
                stylizer.look = look = looks[(round_ + number) % len(looks)]
                expected = painted(
                    exact, networks.identity(), frames[number], yuv420p(61, 47), working=(21, 16), look=look
                )
                assert_alike(stylizer.fetch(tickets[number]), expected)
        assert stylizer.counters.runs == 9


def test_it_is_shown(device: Device, exact: Device) -> None:
    if "windows" in device.info.windows:
        pytest.skip("tests/windows/test_screen.py looks at windows")
    shown: list[npt.NDArray[np.uint8]] = []
    surface = device.surface(View(96, 64, paint=lambda picture: shown.append(picture.copy())))
    frame = faint(61, 47)
    with device.stylizer(networks.identity(), rgba8(61, 47), nv12(61, 47), working=(15, 12), look=FULL) as stylizer:
        stylizer.show(stylizer.submit(frame), surface)
        assert stylizer.counters.readbacks == (device.info.kind in THROUGH_THE_HOST)
    expected = painted(exact, networks.identity(), frame, rgba8(61, 47), working=(15, 12), look=FULL)
    assert np.abs(shown[0][..., :3].astype(int) - codes(expected)[0][..., :3]).max() <= 1


def test_without_it_nothing_is_computed(device: Device) -> None:
    with device.stylizer(networks.identity(), yuv420p(61, 47), yuv420p(61, 47)) as stylizer:
        counts = []
        for look in (PLAIN, FULL, PLAIN):
            stylizer.look = look
            before = stylizer.counters.dispatches
            stylizer.fetch(stylizer.submit(noise(yuv420p(61, 47))))
            counts.append(stylizer.counters.dispatches - before)
        assert counts[0] == counts[2] == 2 < counts[1]


# What it brings back


def lettering() -> npt.NDArray[np.float64]:
    """Return rows of signs (90, 120, 3): lines of two pixels, 60 codes darker than the ground."""
    chance = np.random.default_rng(11)
    picture = np.full((90, 120, 3), 170.0)
    for y in range(6, 80, 14):
        for x in range(6, 110, 10):
            sign = np.kron(chance.random((5, 3)) < 0.55, np.ones((2, 2)))
            picture[y : y + 10, x : x + 6] -= 60 * sign[..., None]
    return picture


def fine_part(picture: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Luma less its mean over 9x9 pixels, flat."""
    luma = picture @ np.array([0.2126, 0.7152, 0.0722])
    padded = np.pad(luma, 4, "edge")
    mean = sum(padded[y : y + luma.shape[0], x : x + luma.shape[1]] for y in range(9) for x in range(9)) / 81
    return np.asarray(luma - mean).ravel()


def test_letters_become_readable(device: Device) -> None:
    picture = lettering()

    def likeness(detail: float) -> float:
        made = broad(device, rgba(picture), replace(PLAIN, detail=detail), 6)
        return float(np.corrcoef(fine_part(made), fine_part(picture))[0, 1])

    without, half, full = (likeness(detail) for detail in (0.0, 0.5, 1.0))
    assert without < 0.45
    assert half > without + 0.2
    assert full > 0.9


def test_colours_stay(device: Device) -> None:
    """Red, green and blue change alike, where none of them is at its end."""
    frame = rgba(lettering() * np.array([0.6, 0.8, 0.7]))
    change = broad(device, frame, FULL, 6) - broad(device, frame, PLAIN, 6)
    assert np.abs(change).max() > 10
    assert np.abs(change - change.mean(axis=2, keepdims=True)).max() <= 1


# What it must not


@pytest.mark.parametrize("stroke", [1, 2, 4])
@pytest.mark.parametrize("step", [20, 40, 80, 120, 160, 220])
def test_edges_get_no_halo(device: Device, stroke: int, step: int) -> None:
    """A step, which the network keeps: at full detail the picture leaves its range by a few codes more than without."""
    picture = np.full((24, 97, 3), 128.0 - step / 2)
    picture[:, 49:] += step
    frame = rgba(picture)

    def outside(detail: float) -> float:
        made = broad(device, frame, replace(PLAIN, detail=detail), stroke)
        return float(max(picture.min() - made.min(), made.max() - picture.max()))

    assert outside(1.0) <= max(0.0, outside(0.0)) + 10


@pytest.mark.parametrize("deviation", [0.7, 1.0, 1.5])
def test_noise_stays_out(device: Device, deviation: float) -> None:
    """A flat area that is noisy in the source: hardly any of the noise is added."""
    chance = np.random.default_rng(5).normal(0, deviation, (90, 120, 1))
    picture = np.rint(np.full((90, 120, 3), 120.0) + chance)
    added = broad(device, rgba(picture), FULL, 4) - broad(device, rgba(picture), PLAIN, 4)
    assert added.std() < 0.2 * picture.std()


def test_the_source_is_untouched(device: Device) -> None:
    """Left of the divider, and at strength 0."""
    frame = faint(64, 48)
    source = frame.planes[0][..., :3].astype(np.float64)
    split = broad(device, frame, replace(FULL, split=0.5), 4)
    np.testing.assert_allclose(split[:, :32], source[:, :32], atol=1)
    assert np.abs(split[:, 32:] - source[:, 32:]).max() > 10
    np.testing.assert_allclose(broad(device, frame, replace(FULL, strength=0.0), 4), source, atol=1)


def test_none_is_none() -> None:
    """To the last bit, whatever the source."""
    chance = np.random.default_rng(1)
    source, styled = chance.random((3, 20, 30)), chance.normal(0.5, 0.5, (3, 20, 30))
    fine = detail.detail(source, (8, 5))
    for look in (Look(), replace(BOTH, detail=0.0)):
        plain = tensor_to_planes.look(source, styled, look)
        np.testing.assert_array_equal(tensor_to_planes.look(source, styled, look, fine), plain)


@pytest.mark.parametrize("value", [-0.1, 1.01, float("nan")])
def test_what_cannot_be_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"^detail .* is not between 0 and 1$"):
        Look(detail=value)
