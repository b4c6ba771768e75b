"""Cuts in made clips: found where they are, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.analysis.cuts import is_blank, thumbnail, with_cuts
from framebrush.gpu.frame import Frame, nv12, rgba8, yuv420p
from framebrush.media.video import VideoFrame

pytestmark = pytest.mark.unit

HEIGHT, WIDTH = 180, 320
Picture = npt.NDArray[np.float64]


@lru_cache(maxsize=10)
def place(seed: int) -> Picture:
    """Return a scene larger than a frame, luma 0..255: soft shapes, unevenly lit."""
    dice = np.random.default_rng(seed)
    found = np.zeros((HEIGHT * 2, WIDTH * 4))
    for size in (120, 40, 12):
        grid = dice.normal(size=(found.shape[0] // size + 2, found.shape[1] // size + 2))
        rows, columns = (np.arange(side) / size for side in found.shape)
        y, x = rows.astype(int), columns.astype(int)
        v, u = (rows - y)[:, None], (columns - x)[None]
        corners = [grid[y + a][:, x + b] for a in (0, 1) for b in (0, 1)]
        found += (1 - v) * ((1 - u) * corners[0] + u * corners[1]) + v * ((1 - u) * corners[2] + u * corners[3])
    return np.clip(dice.uniform(90, 150) + 32 * found, 0, 255)


def scene(seed: int, count: int, speed: float = 2.0, shake: float = 0.0) -> list[Picture]:
    """A handheld pan over a place, with the noise of a camera."""
    whole, dice = place(seed), np.random.default_rng(seed)
    frames = []
    for n in range(count):
        left = int(n * speed + shake * dice.uniform(0, 1)) % (3 * WIDTH)
        top = int(shake * dice.uniform(0, 1))
        frames.append(whole[top : top + HEIGHT, left : left + WIDTH] + dice.normal(0, 4, (HEIGHT, WIDTH)))
    return frames


def clip(pictures: list[Picture]) -> Iterator[VideoFrame]:
    for number, picture in enumerate(pictures):
        frame = yuv420p(WIDTH, HEIGHT).allocate()
        frame.planes[0][:] = picture.clip(0, 255).astype(np.uint8)
        yield VideoFrame(number, number, 1, frame)


def cuts(pictures: list[Picture]) -> list[int]:
    found = [(begins, frame.number) for begins, frame, _ in with_cuts(clip(pictures))]
    assert [number for _, number in found] == list(range(len(pictures)))
    assert found[0][0]
    return [number for begins, number in found[1:] if begins]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_hard_cuts(seed: int) -> None:
    """Shots of 4 to 40 frames, slow and fast."""
    dice = np.random.default_rng(seed)
    shots = [scene(100 * seed + n, int(dice.integers(4, 40)), dice.uniform(0, 8), 4) for n in range(5)]
    ends = np.cumsum([len(shot) for shot in shots])
    assert cuts([frame for shot in shots for frame in shot]) == ends[:-1].tolist()


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("speed", [0, 3, 12, 40])
def test_no_cut_in_motion(seed: int, speed: float) -> None:
    """Still, handheld, a pan, and one so fast that it crosses the frame in eight frames."""
    assert cuts(scene(seed, 24, speed, 4)) == []


@pytest.mark.parametrize("lasts", [1, 2, 3])
@pytest.mark.parametrize("light", [lambda x: 0 * x + 255, lambda x: x + 120, lambda x: 255 - x, lambda x: 0 * x])
def test_no_cut_at_a_flash(lasts: int, light: Callable[[Picture], Picture]) -> None:
    """White, brighter, a negative, black: over after some frames."""
    frames = scene(3, 40)
    for n in range(20, 20 + lasts):
        frames[n] = light(frames[n])
    assert cuts(frames) == []


@pytest.mark.parametrize("level", [0.0, 255.0])
@pytest.mark.parametrize("held", [0, 1, 10])
def test_a_fade_through_black_or_white_ends_a_shot(level: float, held: int) -> None:
    """The new shot begins with the first frame that shows something, within the fade."""
    out, into = scene(5, 40), scene(6, 40)
    for n in range(12):
        share = (n + 1) / 12
        out[28 + n] = out[28 + n] * (1 - share) + level * share
        into[11 - n] = into[11 - n] * (1 - share) + level * share
    found = cuts([*out, *[np.full((HEIGHT, WIDTH), level)] * held, *into])
    assert len(found) == 1
    assert 40 + held <= found[0] < 40 + held + 6


def test_a_fade_of_the_same_scene_is_no_cut() -> None:
    """As by a cloud, or a lamp that goes out and on."""
    frames = scene(7, 60, 0.5)
    for n in range(60):
        frames[n] = frames[n] * (0.5 + 0.5 * np.cos(n / 6)) ** 2
    assert cuts(frames) == []


def test_a_blank_film_has_one_shot() -> None:
    assert cuts([np.zeros((HEIGHT, WIDTH))] * 20) == []
    assert is_blank(thumbnail(next(clip([np.full((HEIGHT, WIDTH), 77.0)])).frame))


def test_thumbnails_of_every_kind_of_frame_are_alike() -> None:
    picture = place(1)[:HEIGHT, :WIDTH].astype(np.uint8)
    expected = thumbnail(next(clip([picture.astype(float)])).frame)
    assert expected.shape == (9, 16)
    for kind in (rgba8(WIDTH, HEIGHT), nv12(WIDTH, HEIGHT, bits=10)):
        frame = kind.allocate()
        if frame.planes[0].ndim == 3:
            frame.planes[0][:] = picture[..., None]
        else:
            frame.planes[0][:] = picture.astype(np.uint16) << 2 << kind.shift
        assert np.abs(thumbnail(frame) - expected).max() < 1.5
    small = Frame(yuv420p(5, 3), yuv420p(5, 3).allocate().planes)
    assert thumbnail(small).shape == (3, 5)
