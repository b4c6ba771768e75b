"""Brush, relief and canvas in the pipeline: output, display, and cost."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.d3d12 import adapters
from framebrush.gpu.d3d12 import device as d3d12
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.device import Device, Diagnosis
from framebrush.gpu.errors import NonFiniteError
from framebrush.gpu.frame import Frame, FrameFormat, nv12, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.reference import device as reference
from framebrush.gpu.surface import NativeWindow, View
from framebrush.gpu.temporal_window import PAST_ONE
from tests.gpu.contract import codes, painted
from tests.gpu.pictures import noise
from tests.gpu.test_carrying import pan
from tests.gpu.test_steady import fed, rgba, texture
from tests.networks import identity, not_finite
from tests.windows.harness import on_screen
from tests.windows.styles import blur

pytestmark = pytest.mark.windows

SIZE = (96, 64)
SHOWN = rgba8(*SIZE)
STROKE = {"working": (48, 32)}
BRUSH = Look(brush=1.0, dither=False)
RELIEF = Look(relief=0.8, canvas=0.5, dither=False)
ALL = Look(0.9, brush=0.7, relief=0.6, canvas=0.5, detail=0.8, lamp_degrees=30.0, dither=False)
PLAIN = Look(dither=False)
LOOKS = [BRUSH, RELIEF, ALL, replace(RELIEF, detail=0.6, split=0.4), replace(BRUSH, detail=0.6, keep_colours=True)]


@pytest.fixture(scope="module")
def exact() -> Iterator[Device]:
    with reference.open_device(reference.list_devices()[0]) as opened:
        yield opened


def paint(seed: int = 0) -> Frame:
    """A frame with soft forms, and noise that strokes are drawn of."""
    chance = np.random.default_rng(seed)
    return rgba(texture(*SIZE, seed) + chance.normal(0, 6, (*SIZE[::-1], 1)))


@cache
def wanted(exact: Device, seed: int, look: Look, target: FrameFormat = SHOWN) -> Frame:
    """Of `paint(seed)`: strokes take the reference long."""
    return painted(exact, identity(), paint(seed), target, look=look, **STROKE)


def close_to(got: npt.NDArray[Any], want: npt.NDArray[Any], tolerance: int = 1) -> None:
    """In codes. A pixel may lie nearer to one piece of a stroke's path or to the next, and a hair end before it or
    behind it."""
    apart = np.abs(got.astype(int) - want.astype(int))
    assert (apart > tolerance).mean() < 0.01
    assert np.sqrt((apart.astype(float) ** 2).mean()) <= tolerance


@pytest.mark.parametrize(("look", "target"), list(zip(LOOKS, cycle([rgba8(*SIZE), nv12(*SIZE, bits=10)]))), ids=str)
def test_what_is_fetched(device: D3D12Device, exact: Device, look: Look, target: FrameFormat) -> None:
    want = wanted(exact, 0, look, target)
    got = painted(device, identity(), paint(), target, look=look, **STROKE)
    for ours, theirs in zip(codes(got), codes(want), strict=True):
        close_to(ours, theirs, 1 if target.bits == 8 else 2)
    assert np.abs(codes(want)[0] - codes(wanted(exact, 0, PLAIN, target))[0]).max() > 6


def test_strokes_go_with_the_film(device: D3D12Device, exact: Device) -> None:
    """Also where a brush is taken up in the middle, and after a cut; and elsewhere than at home."""
    frames = [*pan(7), *pan(2, first=40, seed=9)]
    look, picture = replace(BRUSH, steady=0.5), frames[0].format
    films: list[list[Frame]] = []
    for each in (device, exact):
        films.append([])
        with each.stylizer(
            identity(), picture, picture, look=replace(look, brush=0.0), window=PAST_ONE, carries=True
        ) as stylizer:
            tickets = []
            for place, frame in enumerate(frames):
                stylizer.look = look if place >= 5 else replace(look, brush=0.0)
                tickets.append(stylizer.submit(frame, place=place))
                if place >= 5:
                    films[-1].append(stylizer.fetch(tickets[-1]))
                else:
                    stylizer.release(tickets[-1])
    for ours, theirs in zip(*films, strict=True):
        close_to(ours.planes[0], theirs.planes[0])
    for number, moved in ((6, True), (7, False)):  # behind the cut they are at home
        stay = painted(device, identity(), frames[number], picture, look=replace(look, steady=0.0))
        apart = np.abs(stay.planes[0].astype(int) - films[0][number - 5].planes[0]).max()
        assert bool(apart > 10) is moved


def test_what_is_shown(device: D3D12Device, exact: Device, window: NativeWindow) -> None:
    """Any frame with any look, in any order, while the window is paused; and the fetch after it."""
    frames = [paint(seed) for seed in range(3)]
    surface = device.surface(View(*SIZE, window=window))
    with device.stylizer(identity(), rgba8(*SIZE), rgba8(*SIZE), **STROKE) as stylizer:
        tickets = [stylizer.submit(frame) for frame in frames]
        runs = stylizer.counters.runs
        for number, look in [(0, BRUSH), (1, BRUSH), (0, BRUSH), (0, ALL), (2, ALL), (2, PLAIN), (2, ALL), (1, RELIEF)]:
            stylizer.look = look
            stylizer.show(tickets[number], surface)
            close_to(on_screen(device, surface)[..., :3], wanted(exact, number, look).planes[0][..., :3])
        before = stylizer.counters.dispatches
        stylizer.look = replace(look, exposure_ev=0.5)  # the picture is there, and shown otherwise
        stylizer.show(tickets[1], surface)
        assert stylizer.counters.dispatches == before + 1
        assert stylizer.counters.readbacks == 0
        assert stylizer.counters.runs == runs
        want = wanted(exact, 1, stylizer.look)
        close_to(on_screen(device, surface)[..., :3], want.planes[0][..., :3])
        close_to(stylizer.fetch(tickets[1]).planes[0], want.planes[0])
    surface.close()


def test_each_frame_shown_is_its_own(device: D3D12Device, exact: Device, window: NativeWindow) -> None:
    """A slot that is taken again holds another painting."""
    surface = device.surface(View(*SIZE, window=window))
    with device.stylizer(identity(), rgba8(*SIZE), rgba8(*SIZE), look=ALL, slots=1, **STROKE) as stylizer:
        for seed in range(3):
            ticket = stylizer.submit(paint(seed))
            stylizer.show(ticket, surface)
            close_to(on_screen(device, surface)[..., :3], wanted(exact, seed, ALL).planes[0][..., :3])
            stylizer.release(ticket)
    surface.close()


@pytest.mark.parametrize("look", [BRUSH, RELIEF, ALL])
@pytest.mark.parametrize("working", [(48, 32), SIZE])
def test_what_is_not_finite_is_reported(device: D3D12Device, look: Look, working: tuple[int, int]) -> None:
    bright, dark = paint(), paint()
    dark.planes[0][50:, 80:] = 0
    with device.stylizer(not_finite(), rgba8(*SIZE), rgba8(*SIZE), look=look, working=working) as stylizer:
        for _ in range(2):
            stylizer.fetch(stylizer.submit(bright))
            with pytest.raises(NonFiniteError):
                stylizer.fetch(stylizer.submit(dark))


def test_memory_is_taken_once(device: D3D12Device) -> None:
    lives = set()
    for _ in range(2):
        with device.stylizer(blur(), rgba8(*SIZE), nv12(*SIZE), **STROKE) as stylizer:
            counts = []
            for _ in range(3):
                for look in (BRUSH, RELIEF, ALL, PLAIN):
                    stylizer.look = look
                    fed(stylizer, [noise(rgba8(*SIZE))] * 4)
                gc.collect()
                counts.append(device.context.live_count)
            assert counts[1] == counts[2]  # the first round records lists without a detail, too
        lives.add(device.context.live_count)  # with the kernels, which are the device's
    assert len(lives) == 1


def test_its_time_is_that_of_the_output() -> None:
    with (
        d3d12.open_device(adapters.list_adapters()[0], Diagnosis(timing=True)) as device,
        device.stylizer(blur(), rgba8(*SIZE), nv12(*SIZE), look=ALL, **STROKE) as stylizer,
    ):
        fed(stylizer, [noise(rgba8(*SIZE))] * 4)
        assert {"brush", "relief"}.isdisjoint(stylizer.stage_ms)
        assert stylizer.stage_ms["output"] > 0
