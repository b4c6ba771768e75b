"""The temporal filter on small moving objects, on every backend, as a viewer would judge.

Balls of 12 to 24 pixels have the size of search blocks: hardly any block contains only one ball.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame
from framebrush.gpu.stages.steady import BLOCK_PX
from framebrush.gpu.temporal_window import CENTRED, NO_WINDOW, PAST_ONLY, TemporalWindow
from tests import networks
from tests.gpu.contract import codes
from tests.gpu.test_steady import results, rgba, texture

pytestmark = pytest.mark.unit

SIZE = WIDTH, HEIGHT = 112, 80
COUNT = 9
NOISE_CODES = 2.0

Picture: TypeAlias = npt.NDArray[np.float64]
Region: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Ball:
    """surface: (H, W, 3) codes, or one colour; it moves along. middle: of the first frame, step: pixels a frame, both x
    and y."""

    diameter_px: int
    surface: Picture = field(repr=False)
    middle: tuple[float, float]
    step: tuple[int, int]

    def distance(self, number: int) -> Picture:
        """(H, W), in pixels from the edge, negative within."""
        x, y = (start + number * step for start, step in zip(self.middle, self.step, strict=True))
        rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH] + 0.5
        distance: Picture = np.hypot(columns - x, rows - y) - self.diameter_px / 2
        return distance


@dataclass(frozen=True)
class Scene:
    """Balls over a background (H, W, 3), the last one in front. noise_left: of that on the balls, 0..1."""

    background: Picture = field(repr=False)
    balls: tuple[Ball, ...]
    noise_left: float = 0.65

    def film(self, noise: float = 0.0) -> list[Frame]:
        """noise: its standard deviation, in codes."""
        chance, frames = np.random.default_rng(8), []
        for number in range(COUNT):
            picture = self.background
            for ball in self.balls:
                coverage = np.clip(0.5 - ball.distance(number), 0.0, 1.0)[..., None]  # an edge of one pixel
                x, y = (number * step for step in ball.step)
                picture = picture + coverage * (np.roll(ball.surface, (y, x), (0, 1)) - picture)
            frames.append(rgba(picture + chance.normal(0, noise, picture.shape)))
        return frames

    def distance(self, number: int) -> Picture:
        """From the next edge."""
        distance: Picture = np.min([ball.distance(number) for ball in self.balls], axis=0)
        return distance

    def objects(self, number: int) -> Region:
        return self.distance(number) < -1.5

    def edges(self, number: int) -> Region:
        return np.abs(self.distance(number)) < 1.5

    def passed(self, number: int, frames: Iterable[int]) -> Region:
        """Background that is covered in one of these other frames."""
        return np.any([self.distance(other) < 0.5 for other in frames], axis=0) & (self.distance(number) > 1.5)

    def uncovered(self, number: int, since: int) -> Region:
        """Return the background uncovered since `since` frames before the last one."""
        clear = [self.distance(other) > 1.5 for other in range(number - since, number + 1)]
        return np.all(clear, axis=0) & (self.distance(number - since - 1) < 0.5)

    def far(self, number: int) -> Region:
        """Background that is two blocks away, at least."""
        return self.distance(number) > 2 * BLOCK_PX


def plain(*colour: int) -> Picture:
    return np.broadcast_to(np.array(colour, np.float64), (HEIGHT, WIDTH, 3))


def textured(low: float, high: float, seed: int) -> Picture:
    return low + (high - low) * (texture(*SIZE, seed) - 40) / 175


RAMP = plain(90, 90, 90) + np.linspace(0, 20, WIDTH)[:, None]
YELLOW, BLUE, SPOTTED = plain(215, 180, 60), plain(30, 60, 190), textured(40, 215, 3)[..., ::-1]
SCENES = {
    "12 px, slow": Scene(RAMP, (Ball(12, YELLOW, (30, 30), (2, 1)),)),
    "12 px, fast": Scene(RAMP, (Ball(12, YELLOW, (20, 30), (8, 2)),)),
    "24 px": Scene(RAMP, (Ball(24, YELLOW, (30, 30), (5, 2)),)),
    "spotted": Scene(RAMP, (Ball(20, SPOTTED, (30, 30), (5, 2)),)),
    "over a texture": Scene(textured(40, 215, 0), (Ball(24, YELLOW, (30, 30), (3, 2)),), 0.8),
    "spotted over a texture": Scene(textured(40, 215, 0), (Ball(24, SPOTTED, (30, 35), (2, 1)),), 0.9),
    "crossing": Scene(RAMP, (Ball(20, YELLOW, (24, 36), (7, 0)), Ball(16, BLUE, (80, 34), (-6, 1))), 0.9),
}

every_scene = pytest.mark.parametrize("scene", SCENES.values(), ids=list(SCENES))
every_window = pytest.mark.parametrize("window", [CENTRED, PAST_ONLY], ids=["centred", "past"])


def judged(window: TemporalWindow) -> range:
    """The frames that have all neighbours."""
    return range(window.before, COUNT - window.after)


def around(number: int, window: TemporalWindow) -> range:
    return range(number - window.before, number + window.after + 1)


def apart(ours: Sequence[Frame], theirs: Sequence[Frame], number: int, region: Region) -> Picture:
    """Differences of a frame of two films in a region, in codes."""
    here, there = (codes(film[number])[0][..., :3][region] for film in (ours, theirs))
    return np.abs(here - there).astype(np.float64)


@pytest.mark.slow
@every_window
@every_scene
def test_a_moving_object_leaves_no_trail(device: Device, scene: Scene, window: TemporalWindow) -> None:
    """It looks as in its own frame, its edge is as sharp and where it was, and nothing of it is seen beside it."""
    film = scene.film()
    steadied = results(device, film, window=window)
    for number in judged(window):
        assert apart(steadied, film, number, scene.objects(number)).max() <= 3
        edges = apart(steadied, film, number, scene.edges(number))
        assert edges.mean() <= 0.5
        assert np.mean(edges > 2) <= 0.1
        assert apart(steadied, film, number, scene.passed(number, around(number, window))).max() <= 3


@pytest.mark.parametrize("diameter_px", [12, 16])
def test_strokes_beside_a_moving_object_stay(device: Device, diameter_px: int) -> None:
    """A background that is all but flat is painted with strokes, and its blocks beside the ball move along with it."""
    settings: dict[str, Any] = {"style": networks.contrast(10.0)}
    scene = Scene(textured(121, 127, 5), (Ball(diameter_px, plain(145, 145, 145), (30, 40), (3, 1)),))
    painted = results(device, scene.film(), window=NO_WINDOW, **settings)
    steadied = results(device, scene.film(), **settings)
    for region, codes_apart in (
        (scene.edges, 6.0),
        (lambda number: scene.passed(number, around(number, CENTRED)), 3.5),
    ):
        found = [apart(steadied, painted, number, region(number)).mean() for number in judged(CENTRED)]
        assert np.mean(found) < codes_apart


@pytest.mark.slow
@every_window
@every_scene
def test_noise_on_a_moving_object_goes_down(device: Device, scene: Scene, window: TemporalWindow) -> None:
    """And around it, and on its edge not up."""
    clean, noisy = scene.film(), scene.film(NOISE_CODES)
    steadied = results(device, noisy, window=window)

    def left(region: Callable[[int], Region]) -> float:
        return share(clean, noisy, steadied, judged(window), region)

    assert left(scene.objects) < scene.noise_left
    assert left(scene.edges) < 1.0
    assert left(lambda number: scene.passed(number, around(number, window))) < 0.9
    assert left(scene.far) < 0.5


def share(
    clean: Sequence[Frame],
    noisy: Sequence[Frame],
    steadied: Sequence[Frame],
    frames: Iterable[int],
    region: Callable[[int], Region],
) -> float:
    """How much of the noise is left, 0..1."""
    pairs = [[apart(film, clean, n, region(n)).ravel() for n in frames] for film in (steadied, noisy)]
    left, before = (float(np.concatenate(pair).mean()) for pair in pairs)
    return left / before


@pytest.mark.parametrize("name", ["24 px", "over a texture"])
def test_what_an_object_uncovers_settles(device: Device, name: str) -> None:
    """With each frame since then, where only those before it count."""
    scene = SCENES[name]
    clean, noisy = scene.film(), scene.film(NOISE_CODES)
    steadied = results(device, noisy, window=PAST_ONLY)
    at_once, later = (
        share(clean, noisy, steadied, judged(PAST_ONLY), partial(scene.uncovered, since=since)) for since in (0, 3)
    )
    assert later < 0.7
    assert later < 0.8 * at_once
