"""A picture's palette on a film: resulting colours, and protection of greys, skin and dark scenes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from framebrush.models.colours import oklab, palette
from framebrush.models.colours.colour_table import ColourTable, apply
from framebrush.models.colours.oklab import Floats
from framebrush.models.colours.palette import sample

pytestmark = pytest.mark.unit

LUMA = np.array([0.2126, 0.7152, 0.0722])
WHITE, BLUE, YELLOW = (1.0, 1.0, 1.0), (0.1, 0.2, 0.6), (0.95, 0.85, 0.3)
Colour = tuple[float, float, float]


def cloud(*parts: tuple[Colour, float, int], seed: int = 0) -> Floats:
    """Colours around some: (colour, deviation in Oklab, how many)."""
    rng = np.random.default_rng(seed)
    found = [
        oklab.from_rgb(np.array([colour], np.float32)) + rng.normal(0, deviation, (count, 3)).astype(np.float32)
        for colour, deviation, count in parts
    ]
    return oklab.to_rgb(np.clip(np.concatenate(found), [0, -0.4, -0.4], [1, 0.4, 0.4]).astype(np.float32))


def greys(noise: float = 0.003) -> Floats:
    rng = np.random.default_rng(2)
    return np.clip(rng.random((8000, 1)) ** 1.5 + rng.normal(0, noise, (8000, 3)), 0, 1).astype(np.float32)


FILMS = {
    "greys": greys(),
    "face": cloud(((0.8, 0.6, 0.5), 0.04, 3000), ((0.35, 0.25, 0.2), 0.05, 2000), ((0.75, 0.78, 0.8), 0.05, 3000)),
    "clipped": np.concatenate([np.ones((3000, 3), np.float32), np.zeros((2000, 3), np.float32), greys(0.02)]),
    "fog": cloud(((0.6, 0.62, 0.65), 0.02, 8000)),
    "red": cloud(((0.9, 0.25, 0.1), 0.05, 8000)),
    "night": cloud(((0.02, 0.03, 0.06), 0.04, 7000), ((0.9, 0.7, 0.3), 0.03, 300)),
}
PICTURES = {
    "starry": cloud((BLUE, 0.06, 4000), (YELLOW, 0.04, 1000), ((0.08, 0.1, 0.2), 0.05, 2000)),
    "poster": cloud(((0.9, 0.1, 0.1), 0.002, 2000), ((0.05, 0.05, 0.05), 0.002, 2000), ((0.95, 0.9, 0.8), 0.002, 2000)),
    "one": np.full((10, 3), (0.2, 0.5, 0.4), np.float32),
    "everything": np.random.default_rng(3).random((8000, 3)).astype(np.float32),
}
PAIRS = [
    *[("greys", picture) for picture in PICTURES],
    *[(film, "starry") for film in FILMS if film != "greys"],
    ("night", "poster"),
    ("fog", "everything"),
]


@cache
def table(film: str, picture: str, tone: float = palette.TONE) -> ColourTable:
    return palette.palette(FILMS[film], PICTURES[picture], tone=tone)


FLAT_DRAWING = (0.35, 0.66, 0.9), (0.24, 0.63, 0.24), (0.98, 0.86, 0.24), (0.86, 0.24, 0.2), (0.24, 0.16, 0.12)
CALM_FILMS = {
    "face": FILMS["face"],
    "wall": cloud(((0.6, 0.59, 0.57), 0.08, 6000), ((0.75, 0.55, 0.45), 0.03, 1500), ((0.2, 0.2, 0.22), 0.04, 1500)),
    "codes 0 to 68": np.random.default_rng(5).random((8000, 1)).astype(np.float32) ** 3
    * np.float32([66, 68, 62])
    / 255,
}
LOUD = {
    "drawing": cloud(*((colour, 0.001, 1600) for colour in FLAT_DRAWING)),
    "poster": PICTURES["poster"],
    "starry": PICTURES["starry"],
    "everything": PICTURES["everything"],
}


@cache
def loud(film: str, picture: str) -> ColourTable:
    return palette.palette(CALM_FILMS[film], LOUD[picture])


@pytest.mark.slow
@pytest.mark.parametrize("picture", LOUD)
@pytest.mark.parametrize("film", CALM_FILMS)
def test_greys_and_skin_are_not_torn(film: str, picture: str) -> None:
    found, lightest = loud(film, picture), CALM_FILMS[film].max()
    ramp = np.linspace(0.0, lightest, 256)[:, None]
    greys = oklab.from_rgb(apply(found, np.repeat(ramp, 3, axis=1)).astype(np.float32))
    assert np.hypot(greys[:, 1], greys[:, 2]).max() < 0.09
    for ratios in ((1, 1, 1), (1, 0.75, 0.62), (1, 0.7, 0.55), (1, 0.94, 0.86), (0.9, 0.95, 1)):
        own, made = (
            oklab.from_rgb(colours.astype(np.float32)) for colours in (ramp * ratios, apply(found, ramp * ratios))
        )
        seen = own[1:, 0] > 0.3
        rise = np.diff(apply(found, ramp * ratios), axis=0)[seen]
        assert rise.min() * 255 > -0.8 * lightest, "a channel falls where grey rises"
        turn = np.linalg.norm(np.diff((made - own)[:, 1:], axis=0), axis=1) / np.diff(own[:, 0])
        assert np.median(turn[seen]) < 0.5, "hues change along one hue"


@pytest.mark.parametrize("picture", LOUD)
@pytest.mark.parametrize("film", CALM_FILMS)
def test_a_code_of_film_stays_a_few_codes(film: str, picture: str) -> None:
    found, colours = loud(film, picture), CALM_FILMS[film].astype(np.float64)
    own = apply(found, colours)
    gains = [np.linalg.norm(apply(found, colours + step) - own, axis=1) * 255 for step in np.eye(3) / 255]
    assert np.median(np.max(gains, axis=0)) < 2.7
    assert np.quantile(np.max(gains, axis=0), 0.99) < 4.5


@pytest.mark.parametrize("picture", LOUD)
def test_night_stays_night(picture: str) -> None:
    found = loud("codes 0 to 68", picture)
    codes = apply(found, CALM_FILMS["codes 0 to 68"].astype(np.float64)) @ LUMA * 255
    assert codes.min() < 24
    assert np.median(codes) < 60
    assert codes.max() < 160
    assert apply(found, np.zeros(3)).max() * 255 < 30


@pytest.mark.slow
@pytest.mark.parametrize("film", ["face", "red", "night", "clipped"])
def test_a_picture_without_colours_makes_the_film_grey(film: str) -> None:
    tinted = np.random.default_rng(6).random((4000, 1)).astype(np.float32) * np.float32([1.0, 0.995, 0.98])
    for picture in (greys(), tinted, np.zeros((100, 3), np.float32)):
        made = apply(palette.palette(FILMS[film], picture), np.random.default_rng(7).random((4000, 3)))
        assert np.ptp(made, axis=1).max() * 255 < 0.5


@pytest.mark.parametrize("colour", [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.12, 0.47, 0.78)])
def test_a_picture_of_one_shade_leaves_the_film_its_light(colour: Colour) -> None:
    one = np.full((100, 3), colour, np.float32)
    film = FILMS["face"].astype(np.float64)
    made = apply(palette.palette(FILMS["face"], one), film)
    own, light = (oklab.from_rgb(values.astype(np.float32))[:, 0] for values in (film, made))
    assert np.abs(light - own).mean() < 0.04
    assert np.corrcoef(light, own)[0, 1] > 0.98


def test_colours_of_vivid_pictures_arrive() -> None:
    for film, picture, least in (("face", "starry", 0.05), ("wall", "drawing", 0.045), ("face", "poster", 0.04)):
        colours = CALM_FILMS[film].astype(np.float64)
        made = oklab.from_rgb(apply(loud(film, picture), colours).astype(np.float32))
        assert np.hypot(made[:, 1], made[:, 2]).mean() > least


def test_two_normal_distributions_become_each_other() -> None:
    mixing = np.array([[0.11, 0, 0], [0.01, 0.03, 0], [-0.01, 0.01, 0.025]])
    wanted = np.array([[0.08, 0, 0], [-0.01, 0.038, 0], [0.01, -0.003, 0.032]])
    rng = np.random.default_rng(0)
    film = (rng.normal(size=(8000, 3)) @ mixing.T + [0.55, 0.01, 0.02]).astype(np.float32)
    picture = (rng.normal(size=(8000, 3)) @ wanted.T + [0.6, 0.0, -0.02]).astype(np.float32)
    result = palette.palette(oklab.to_rgb(film), oklab.to_rgb(picture), tone=1.0)
    root = np.linalg.cholesky(mixing @ mixing.T)
    values, vectors = np.linalg.eigh(root.T @ wanted @ wanted.T @ root)
    linear = np.linalg.inv(root.T) @ (vectors * np.sqrt(values)) @ vectors.T @ np.linalg.inv(root)
    near = film[(np.abs(np.linalg.solve(mixing, (film - [0.55, 0.01, 0.02]).T)) < 1.5).all(axis=0)]
    exact = (near - [0.55, 0.01, 0.02]) @ linear.T + [0.6, 0.0, -0.02]
    found = oklab.from_rgb(apply(result, oklab.to_rgb(near).astype(np.float64)).astype(np.float32))
    assert np.abs(found - exact).mean() < 0.004
    assert np.abs(found - exact).max() < 0.03


@pytest.mark.parametrize("film", FILMS)
def test_a_film_stays_as_it_is_under_its_own_picture(film: str) -> None:
    """Other samples of the film, and more of them, differ by chance only, and change nothing."""
    dice = np.random.default_rng(4)
    drawn = [FILMS[film][dice.integers(0, len(FILMS[film]), count)] for count in (2048, 8192)]
    made = apply(palette.palette(*drawn), FILMS[film].astype(np.float64))
    apart = np.abs(made - FILMS[film]).max(axis=1) * 255
    assert np.quantile(apart, 0.95) <= 2.0
    assert apart.mean() <= 1.0


def test_warm_stays_warmer_than_cold() -> None:
    skin, wall = apply(table("face", "starry"), np.array([[0.8, 0.6, 0.5], [0.62, 0.65, 0.68]]))
    assert skin[0] - skin[2] > wall[0] - wall[2] + 0.15
    assert wall[2] > wall[0] + 0.1


@pytest.mark.slow
@pytest.mark.parametrize(("film", "picture"), PAIRS)
def test_lightness_rises_with_the_films(film: str, picture: str) -> None:
    ramp = np.repeat(np.linspace(0, 1, 1024)[:, None], 3, axis=1)
    luma = apply(table(film, picture), ramp) @ LUMA * 1023
    assert np.diff(luma).min() > 0.25
    longest = np.diff(np.flatnonzero(np.diff(np.rint(luma), prepend=-1, append=2000))).max()
    assert longest <= 4, "ten bits become bands"
    for a, b in ((0.03, 0.03), (-0.03, 0.02), (0.01, -0.04)):  # and at one chroma, lightness does
        column = np.linspace(0.35, 0.8, 60, dtype=np.float32)
        colours = oklab.to_rgb(np.stack([column, np.full(60, a), np.full(60, b)], axis=-1).astype(np.float32))
        found = oklab.from_rgb(apply(table(film, picture), colours.astype(np.float64)).astype(np.float32))
        assert np.diff(found[:, 0]).min() > 0.0


@pytest.mark.parametrize(("film", "picture"), PAIRS)
def test_no_colours_are_torn_apart(film: str, picture: str) -> None:
    grid = table(film, picture).grid
    assert max(np.abs(np.diff(grid, axis=axis)).max() for axis in range(3)) * 32 < 14.0
    assert max(np.quantile(np.abs(np.diff(grid, axis=axis)), 0.99) for axis in range(3)) * 32 < 6.0
    assert max(np.abs(np.diff(grid, 2, axis=axis)).max() for axis in range(3)) * 32 < 18.0
    neutral = grid[tuple(np.arange(33) for _ in range(3))]
    assert np.abs(np.diff(neutral, axis=0)).max() * 32 < 10.0


@pytest.mark.parametrize("picture", PICTURES)
def test_a_grey_film_stays_calm(picture: str) -> None:
    # a grey has one colour: noise of a code becomes noise of some codes, not two colours of the picture
    noise = np.random.default_rng(4).normal(0, 1 / 255, (500, 3))
    for grey in (0.2, 0.5, 0.8):
        found = apply(table("greys", picture), np.full((500, 3), grey) + noise)
        assert found.std(axis=0).max() < 5 / 255


@pytest.mark.slow
@pytest.mark.parametrize("film", FILMS)
def test_a_film_with_its_own_colours_stays_as_it_is(film: str) -> None:
    colours = FILMS[film]
    whole = palette.palette(colours, colours)
    assert np.abs(whole.grid - ColourTable.identity(33).grid).max() < 0.1 / 255
    other = palette.palette(colours[::2], colours[1::2])
    assert np.quantile(np.abs(apply(other, colours.astype(np.float64)) - colours), 0.99) < 5 / 255


def test_unseen_colours_are_displaced_like_the_nearest_seen_ones() -> None:
    found, seen = table("fog", "one"), np.array([0.6, 0.62, 0.65])
    moved = apply(found, seen) - seen
    for far in ((0.75, 0.5, 0.5), (0.5, 0.7, 0.6), (0.85, 0.85, 0.9)):
        here = apply(found, np.array(far)) - far
        assert here @ moved > 0.3 * moved @ moved
        assert np.linalg.norm(here) < 2.5 * np.linalg.norm(moved)


@pytest.mark.slow
def test_tone_keeps_or_takes_the_light() -> None:
    ramp = np.repeat(np.linspace(0.1, 0.9, 50)[:, None], 3, axis=1)
    lightness = [
        oklab.from_rgb(apply(table("greys", "starry", tone), ramp).astype(np.float32))[:, 0] for tone in (0.0, 0.5, 1.0)
    ]
    own = oklab.from_rgb(ramp.astype(np.float32))[:, 0]
    np.testing.assert_allclose(lightness[0], own, atol=0.015)
    assert np.abs(lightness[2] - own).max() > 0.1
    np.testing.assert_allclose(lightness[1], (lightness[0] + lightness[2]) / 2, atol=0.03)


@pytest.mark.slow
def test_the_table_follows_from_the_colours_alone() -> None:
    first, again = (palette.palette(FILMS["face"], PICTURES["starry"], title=title) for title in ("a", "b"))
    assert first == again
    assert first.title == "a"
    assert palette.palette(FILMS["face"], PICTURES["starry"], size=17).size == 17


@pytest.mark.slow
def test_what_has_no_colours_is_refused() -> None:
    good = FILMS["fog"]
    for bad in (np.zeros((0, 3)), np.zeros((4, 4)), np.zeros(3), np.full((4, 3), np.nan), np.full((4, 3), np.inf)):
        with pytest.raises(ValueError, match="the film's colours"):
            palette.palette(bad.astype(np.float32), good)
        with pytest.raises(ValueError, match="the picture's colours"):
            palette.palette(good, bad.astype(np.float32))
    for tone in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="tone"):
            palette.palette(good, good, tone=tone)
    one = np.full((1, 3), 0.5, np.float32)
    assert apply(palette.palette(one, one), one) == pytest.approx(0.5, abs=1e-3)
    palette.palette(one * 0, one * 9)  # beyond 0..1 is clipped


def test_samples_are_spread_over_the_picture_within_the_bars() -> None:
    frame = np.zeros((200, 300, 3))
    frame[40:160, :, 0] = np.linspace(0.2, 0.8, 300)
    frame[40:160, :, 1] = np.linspace(0.1, 0.9, 120)[:, None]
    frame[170:174, 100:101] = 1.0  # a speck in a bar
    found = sample([frame])
    assert 0.8 * palette.FRAME_SAMPLES < len(found) <= palette.FRAME_SAMPLES
    assert found.dtype == np.float32
    assert found[:, 0].min() >= 0.2 - 1e-6
    for channel, low, high in ((0, 0.2, 0.8), (1, 0.1, 0.9)):
        counts = np.histogram(found[:, channel], 10, (low, high))[0] / len(found)
        np.testing.assert_allclose(counts, 0.1, atol=0.02)
    np.testing.assert_array_equal(sample([frame]), found)
    dark = frame * 0.0 + 0.01
    np.testing.assert_array_equal(sample([dark, frame, dark]), sample([frame]))
    np.testing.assert_allclose(sample([dark]), 0.01)


def test_every_frame_of_a_shot_counts_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(palette, "MAX_SAMPLES", 40_000)
    frames = [np.full((120, 160, 3), 0.1 + 0.02 * number) for number in range(40)]
    found = sample(iter(frames))
    assert len(found) <= 40_000
    counts = np.unique(found[:, 0], return_counts=True)[1]
    assert len(counts) == 40
    assert counts.max() <= counts.min() + 1


def test_grain_is_no_colour_and_small_pictures_are_read() -> None:
    grain = 0.5 + np.random.default_rng(0).normal(0, 0.05, (1080, 1920, 3))
    assert sample([grain.astype(np.float32)]).std() < 0.02
    for shape in ((1, 1, 3), (1, 500, 3), (7, 3, 3)):
        np.testing.assert_allclose(sample([np.full(shape, 0.25)]), 0.25)
    with pytest.raises(ValueError, match="no frame"):
        sample([])
