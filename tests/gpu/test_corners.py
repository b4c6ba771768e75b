"""Areas that the brush leaves: details smaller than a stroke, wherever they move."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from framebrush.gpu.cpu.stages.corners import Corners
from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages import corners as reference
from tests import networks
from tests.gpu.contract import codes, painted
from tests.gpu.pictures import growing_noise
from tests.gpu.test_steady import rgba

pytestmark = pytest.mark.unit

SIZES: list[tuple[Size, Size]] = [
    ((96, 64), (48, 32)),
    ((61, 47), (61, 47)),
    ((97, 62), (33, 21)),
    ((64, 48), (200, 150)),
    ((200, 120), (200, 120)),
    ((1, 1), (1, 1)),
    ((3, 200), (2, 100)),
]
"""Of the target and of the network's input."""


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize(("target", "working"), SIZES)
def test_the_cpu_leaves_what_the_reference_leaves(target: Size, working: Size, precision: str) -> None:
    film = growing_noise(*working).astype(precision)
    sizes, margin = Sizes.of(target, working, target), 5
    chance = np.random.default_rng(3)
    picture = chance.random((3, target[1] + 2 * margin, target[0] + 2 * margin), np.float32)
    strokes = 1.6 * chance.random((5, target[1], target[0]), np.float32) - np.float32(0.3)
    height = strokes[3].copy()
    cover = 0.8 * (1.0 - reference.at_target(reference.corners(film.astype(float)), working, target))
    inner = picture[:, margin:-margin, margin:-margin]
    want = np.clip(inner + cover * (strokes[:3] - inner), 0.0, 1.0)
    with closing(Workers()) as workers:
        corners = Corners(sizes, margin, workers)
        corners.find(np.pad(film, ((0, 0), (0, 3), (0, 6))))  # as a network's input that is padded
        corners.mix(strokes, 0.8, picture)
    np.testing.assert_allclose(inner, want, rtol=0, atol=1e-4)
    np.testing.assert_allclose(strokes[3:], [cover * height, cover], rtol=0, atol=1e-4)


@pytest.mark.slow
def test_letters_are_left_as_they_are_and_edges_are_not(device: Device) -> None:
    film = np.full((96, 160, 3), 60.0)
    letters = np.random.default_rng(1).random((8, 12)) < 0.4
    film[30:62:, 20:68] = np.where(letters.repeat(4, 0).repeat(4, 1), 220.0, 60.0)[..., None]
    y, x = np.mgrid[:96, :60]
    film[:, 100:] = (140.0 + 80.0 * np.tanh((x - 0.6 * y) / 4.0))[..., None]
    frame = rgba(film)
    source = codes(frame)[0].astype(int)
    shown = painted(device, networks.identity(), frame, frame.format, look=Look(brush=1.0, dither=False))
    changed = np.abs(codes(shown)[0].astype(int) - source).max(axis=-1)
    assert changed[34:58, 24:64].mean() < 2.0
    assert changed[:, 110:].max() > 20


def test_an_edge_has_no_corner_wherever_it_leads() -> None:
    y, x = np.mgrid[:64, :64] - 31.5
    for angle in range(0, 180, 15):
        across = np.sin(np.radians(angle)) * x - np.cos(np.radians(angle)) * y
        edge = np.repeat((0.5 + 0.4 * np.tanh(across))[None], 3, axis=0)
        assert reference.corners(edge).max() < 0.02
    dot = np.where(x**2 + y**2 < 9.0, 0.9, 0.1)[None].repeat(3, axis=0)
    assert reference.corners(dot).max() > 0.9
    assert reference.corners(dot)[:4].max() == 0.0


def test_leaves_are_drawn_and_letters_beside_them_are_not() -> None:
    """All is as rough as letters, but strokes draw what goes on for farther than letters do."""
    film = np.full((256, 512), 0.3)
    spots = np.where(np.random.default_rng(1).random((64, 64)) < 0.4, 0.8, 0.3).repeat(4, 0).repeat(4, 1)
    film[:, :256] = spots
    film[100:132, 380:428] = spots[:32, :48]
    left = reference.corners(film[None].repeat(3, axis=0))
    assert left[16:48, 12:44].max() == 0.0
    assert left[27:31, 98:104].min() > 0.99
    assert reference.corners(film[None, :, 256:].repeat(3, axis=0))[27:31, 34:40].min() > 0.99


def test_what_surrounds_a_cell_leads_from_block_to_block() -> None:
    """Without a step, wherever blocks begin, and as far as two of them."""
    blocks = np.zeros((5, 7))
    blocks[2, 3] = 1.0
    around = reference.surroundings(blocks, (5 * 16 - 3, 7 * 16 - 9))
    assert max(np.abs(np.diff(around, axis=axis)).max() for axis in (0, 1)) < 0.03
    assert around.max() == pytest.approx(4.0 / 9.0, abs=0.01)
    assert around.sum() == pytest.approx(256.0)
    assert np.flatnonzero(around.any(axis=0)).tolist() == list(range(24, 88))


def test_grain_does_not_count() -> None:
    grain = np.random.default_rng(4).normal(0.0, 4.0, (3, 64, 96))
    assert reference.corners(0.5 + grain / 255.0).max() == 0.0
