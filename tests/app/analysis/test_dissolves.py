"""Dissolves in made clips: found about where they are, and seldom elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.analysis.cuts import with_cuts
from framebrush.analysis.dissolves import Dissolve, Dissolves
from tests.app.analysis.test_cuts import HEIGHT, WIDTH, Picture, clip, scene

pytestmark = pytest.mark.media


def found(pictures: list[Picture]) -> list[Dissolve]:
    dissolves, told = Dissolves(), list[Dissolve | None]()
    for begins, frame, thumbnail in with_cuts(clip(pictures)):
        told.append(dissolves.add(frame.number, thumbnail, begins=begins))
    told.append(dissolves.rest())
    return [dissolve for dissolve in told if dissolve is not None]


def dissolved(one: list[Picture], other: list[Picture], frames: int, *, smooth: bool = False) -> list[Picture]:
    """The last frames of one shot mixed with the first of another."""
    shares = np.arange(1, frames + 1) / (frames + 1)
    if smooth:
        shares = shares**2 * (3 - 2 * shares)
    mixed = [(1 - share) * a + share * b for share, a, b in zip(shares, one[-frames:], other[:frames], strict=True)]
    return one[:-frames] + mixed + other[frames:]


@pytest.mark.slow
@pytest.mark.parametrize("frames", [3, 6, 12, 25, 50, 80])
@pytest.mark.parametrize("seed", range(3))
def test_dissolves_between_handheld_shots(frames: int, seed: int) -> None:
    around = 26 if frames == 80 else 20
    shots = [scene(10 * seed + n, frames + around, min(0.5, 12 / frames), 4) for n in range(2)]
    for smooth in (False, True):
        (only,) = found(dissolved(*shots, frames, smooth=smooth))
        off = max(2, frames // 4 if smooth else frames // 6)  # a smooth one hardly shows at its ends
        assert abs(only.first - around) <= off, smooth
        assert abs(only.end - (around + frames)) <= off, smooth
        assert only.frames == only.end - only.first


@pytest.mark.slow
def test_a_dissolve_of_a_usual_length_is_exact_between_still_shots() -> None:
    for frames in (3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48, 58, 70, 85):
        shots = [scene(seed, frames + 26, 0.0) for seed in (1, 2)]
        assert found(dissolved(*shots, frames)) == [Dissolve(26, 26 + frames)]


def test_each_of_several_is_found() -> None:
    """One after the other, and one with a cut close behind it."""
    film = dissolved(dissolved(scene(1, 40, 0.5), scene(2, 60, 0.5), 12), scene(3, 40, 0.5), 16) + scene(4, 20)
    first, second = found(film)
    assert abs(first.first - 28) <= 2
    assert abs(first.end - 40) <= 2
    assert abs(second.first - 72) <= 2
    assert abs(second.end - 88) <= 2
    assert first.end <= second.first


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("speed", [0, 1, 3, 12, 40])
def test_none_in_motion(seed: int, speed: float) -> None:
    """Still, handheld, pans."""
    assert found(scene(seed, 48, speed, 4)) == []


def test_none_at_cuts_flashes_and_fades() -> None:
    cut = scene(1, 20) + scene(2, 20)
    flash = scene(3, 40)
    flash[20:22] = [255 - picture for picture in flash[20:22]]
    black = [(1 - n / 12) * picture for n, picture in enumerate(scene(4, 12))]
    through_black = scene(4, 20) + black + [np.zeros((HEIGHT, WIDTH))] * 8 + black[::-1] + scene(4, 20)
    other = scene(4, 20) + black + [(n / 12) * picture for n, picture in enumerate(scene(5, 12))] + scene(5, 20)
    for film in (cut, flash, through_black, other, [np.zeros((HEIGHT, WIDTH))] * 60):
        assert found(film) == []


def test_none_where_something_crosses_the_picture() -> None:
    """A wall goes by, as broad as the picture, and another scene is behind it: a wipe."""
    film = scene(6, 60, 0.0)
    behind = scene(7, 60, 0.0)
    for n in range(20):
        film[20 + n][:, : 16 * (n + 1)] = behind[20 + n][:, : 16 * (n + 1)]
    assert found(film[:40] + behind[40:]) == []


def test_a_cut_ends_what_was_looked_at() -> None:
    """Half a dissolve, cut off: it never comes to its other end."""
    half = dissolved(scene(8, 40, 0.5), scene(9, 40, 0.5), 20)[:32]
    assert found(half + scene(10, 30)) == []


@pytest.mark.parametrize("speed", [0.3, 0.6, 1.0, 2.0])
def test_none_where_a_thing_crosses_a_flat_ground(speed: float) -> None:
    """As in drawings: it leaves one cell of the thumbnail for the next as evenly as one shot gives way to another."""
    pictures = []
    for number in range(90):
        picture = np.full((HEIGHT, WIDTH), 60.0)
        left = 4 + speed * number
        inside = np.clip(np.arange(WIDTH) + 1 - left, 0, 1) * np.clip(left + WIDTH / 16 - np.arange(WIDTH), 0, 1)
        picture[HEIGHT // 6 : -HEIGHT // 6] += 150 * inside
        pictures.append(picture)
    assert found(pictures) == []
