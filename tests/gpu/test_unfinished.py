"""Unfinished paintings on every backend: from the bare canvas to the painted frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.stages.strokes import layout_of
from framebrush.gpu.stylizer import Stylizer
from framebrush.gpu.temporal_window import CENTRED
from framebrush.gpu.unfinished import TIMES_SIDE, Times, Unfinished
from framebrush.models.soft_masks import MASK_SIDE, Masks
from framebrush.styles.passthrough import passthrough_style
from tests.gpu.conftest import WITH_SLOW_REFERENCE
from tests.gpu.pictures import scene

pytestmark = pytest.mark.unit

SIZE = (96, 64)
BARE = (0.94, 0.92, 0.87)
LOOKS = {
    "strokes": Look(brush=1.0, dither=False),
    "relief": Look(brush=1.0, relief=0.7, canvas=0.4, dither=False),
    "source and detail": Look(brush=0.8, strength=0.6, detail=0.5, dither=False),
    "a photograph": Look(brush=1.0, relief=0.5, photo_outside=1.0, dither=False),
}
MASKS = Masks(area=bytes(MASK_SIDE**2 // 2) + b"\xff" * (MASK_SIDE**2 // 2), luma=bytes(MASK_SIDE**2))


def part(stylizer: Stylizer[Any], progress: float, **values: Any) -> Unfinished:  # noqa: ANN401
    """Strokes from the top down, each layer behind the broader one."""
    layers = len(layout_of(stylizer.settings).layers)
    table = np.zeros((layers, TIMES_SIDE, TIMES_SIDE, 4), np.float32)
    table[..., 0] = (np.arange(layers)[:, None, None] + np.linspace(0.0, 0.7, TIMES_SIDE)[:, None]) / layers
    table[..., 1], table[..., 2] = 0.1 / layers, 0.2 / layers
    whole = {"front": min(1.0, 2 * progress), "touches": max(0.0, 2 * progress - 1), "bare": BARE}
    return Unfinished(**{"times": Times(table), "progress": progress, **whole, **values})


def opened(device: Device, look: Look, **settings: Any) -> Stylizer[Any]:  # noqa: ANN401
    return device.stylizer(passthrough_style(), rgba8(*SIZE), rgba8(*SIZE), look=look, stroke_px=9.0, **settings)


def pixels(frame: Frame) -> npt.NDArray[np.float64]:
    return frame.planes[0][..., :3].astype(np.float64)


def states(device: Device, look: Look, progress: list[float], **values: Any) -> list[npt.NDArray[np.float64]]:  # noqa: ANN401
    """The painting at those times."""
    with opened(device, look) as stylizer:
        stylizer.masks = MASKS
        stylizer.fetch(stylizer.submit(scene(*SIZE)))
        into = stylizer.target.allocate()
        return [pixels(stylizer.fetch_part(part(stylizer, each, **values), into)).copy() for each in progress]


@pytest.mark.parametrize("device", WITH_SLOW_REFERENCE, indirect=True)
@pytest.mark.parametrize("name", LOOKS)
def test_it_is_painted_from_the_bare_canvas_to_the_whole_frame(device: Device, name: str) -> None:
    with opened(device, LOOKS[name]) as stylizer:
        stylizer.masks = MASKS
        painted = stylizer.fetch(stylizer.submit(scene(*SIZE)))
        into = stylizer.target.allocate()
        stylizer.fetch_part(part(stylizer, 2.0, touches=1.0), into)
        for ours, theirs in zip(into.planes, painted.planes, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        bare = pixels(stylizer.fetch_part(part(stylizer, 0.0), into))
        if not LOOKS[name].raises:
            np.testing.assert_allclose(bare, np.broadcast_to(255.0 * np.array(BARE), bare.shape), atol=1)
        half = pixels(stylizer.fetch_part(part(stylizer, 0.5), into)).copy()
        apart = [np.abs(each - pixels(painted)).mean() for each in (bare, half)]
        assert apart[0] > 2 * apart[1] > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOKS)
def test_every_device_paints_the_same_part(tested: Device, exact: Device, name: str) -> None:
    times = [0.1, 0.4, 0.8]
    for ours, theirs in zip(*(states(each, LOOKS[name], times) for each in (tested, exact)), strict=True):
        apart = np.abs(ours - theirs)
        assert apart.mean() < 0.5
        assert (apart > 4).mean() < 0.02, "a pixel may lie nearer to one piece of a path, or a hair, or to the next"


@pytest.mark.slow
def test_every_device_shows_how_much_of_the_canvas_is_covered(tested: Device, exact: Device) -> None:
    black = {"covers": True, "bare": (0.0, 0.0, 0.0)}
    ours, theirs = (np.array(states(each, LOOKS["relief"], [0.0, 0.2, 0.8], **black)) for each in (tested, exact))
    assert (np.abs(ours - theirs) > 4).mean() < 0.02
    assert np.ptp(ours, axis=-1).max() == 0
    assert ours[0].max() == 0
    assert ours[1].min() == 0 < 255 == ours[1].max()
    assert ours[2].min() == 255


@pytest.mark.parametrize("device", WITH_SLOW_REFERENCE, indirect=True)
def test_only_the_last_fetched_frame_can_be_painted_again(device: Device) -> None:
    frame = scene(*SIZE)
    with opened(device, LOOKS["strokes"]) as stylizer:
        into = stylizer.target.allocate()
        with pytest.raises(ValueError, match="no frame was fetched"):
            stylizer.fetch_part(part(stylizer, 0.5), into)
        ticket = stylizer.submit(frame)
        stylizer.fetch(ticket)
        with pytest.raises(ValueError, match="cannot take the output"):
            stylizer.fetch_part(part(stylizer, 0.5), yuv420p(*SIZE).allocate())
        stylizer.fetch_part(part(stylizer, 0.5), into)
        ticket = stylizer.submit(frame)
        with pytest.raises(ValueError, match="no frame was fetched"):
            stylizer.fetch_part(part(stylizer, 0.5), into)
        stylizer.fetch(ticket)
    with opened(device, replace(LOOKS["strokes"], brush=0.0)) as stylizer:
        stylizer.fetch(stylizer.submit(frame))
        with pytest.raises(ValueError, match="no strokes"):
            stylizer.fetch_part(part(stylizer, 0.5), into)


@pytest.mark.slow
def test_advected_strokes_and_other_times_are_used(tested: Device) -> None:
    look = Look(brush=1.0, dither=False, steady=0.1)
    with opened(tested, look, window=CENTRED, carries=True, slots=2) as stylizer:
        ticket = None
        for number in range(4):
            ticket = stylizer.submit(scene(*SIZE))
            if number < 3:
                stylizer.release(ticket)
        stylizer.flush()
        assert ticket is not None
        painted, into = stylizer.fetch(ticket), stylizer.target.allocate()
        half = pixels(stylizer.fetch_part(part(stylizer, 0.5), into)).copy()
        later = part(stylizer, 0.5)
        later.times.table[..., 0] += 0.2
        assert np.abs(pixels(stylizer.fetch_part(later, into)) - half).max() > 4
        stylizer.fetch_part(part(stylizer, 2.0, touches=1.0), into)
        np.testing.assert_array_equal(into.planes[0], painted.planes[0])
