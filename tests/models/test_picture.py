"""Stroke measures of a picture: order of pictures with known differences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from framebrush.models.brushes import OIL, PRESETS, RANGES
from framebrush.models.picture_strokes import LENGTHS, Strokes, kind_of, strokes

PAINTINGS = Path(__file__).parents[2] / "assets" / "paintings"

pytestmark = pytest.mark.unit

HEIGHT, WIDTH = 300, 400
ROWS, COLUMNS = np.mgrid[:HEIGHT, :WIDTH] / HEIGHT


def in_colour(luma: np.ndarray) -> np.ndarray:
    return np.repeat(np.clip(luma, 0, 1)[..., None], 3, axis=2)


def dabs(breadth_px: float, contrast: float, longer: float = 3.0) -> np.ndarray:
    """Return dabs of paint in one direction, `longer` times as long as broad, over a gradient."""
    down, across = np.fft.fftfreq(HEIGHT)[:, None], np.fft.fftfreq(WIDTH)[None]
    band = np.exp(-(((np.hypot(down * longer, across) * 2 * breadth_px - 1) / 0.3) ** 2))
    noise = np.random.default_rng(0).normal(size=(HEIGHT, WIDTH))
    paint = np.fft.ifft2(np.fft.fft2(noise) * band).real
    return in_colour(0.3 + 0.4 * COLUMNS / COLUMNS.max() + contrast * paint / paint.std())


def photograph() -> np.ndarray:
    """A sky, a soft edge, and some things that are sharp."""
    ground = 1 / (1 + np.exp(-(ROWS - 0.6) / 0.01))
    things = (np.sin(COLUMNS * 60) * np.sin(ROWS * 45) > 0.7) & (ROWS > 0.8)
    noise = np.random.default_rng(1).normal(0, 0.6 / 255, ROWS.shape)
    return in_colour(0.8 - 0.2 * ROWS - 0.4 * ground + 0.2 * things + noise)


def drawing() -> np.ndarray:
    """Three flat colours with sharp edges."""
    picture = np.ones((HEIGHT, WIDTH, 3))
    picture[np.hypot(ROWS - 0.4, COLUMNS - 0.4) < 0.25] = (0.8, 0.2, 0.1)
    picture[200:280, 220:380] = (0.1, 0.2, 0.6)
    return picture


IMPASTO, THIN = strokes(dabs(2, 0.15)), strokes(dabs(2, 0.04))


def test_thick_paint_has_relief_and_thin_paint_shows_the_canvas() -> None:
    flat, seen = strokes(drawing()), strokes(photograph())
    assert IMPASTO.relief > THIN.relief + 0.3
    assert THIN.relief > 0.0
    assert flat.relief == seen.relief == 0.0
    assert THIN.canvas > IMPASTO.canvas + 0.1
    assert flat.canvas == seen.canvas == 0.0
    assert IMPASTO.brush == 1.0
    assert THIN.brush > 0.8
    assert flat.brush == seen.brush == pytest.approx(0.4)
    assert all(0.0 <= value <= 1.0 for one in (IMPASTO, THIN, flat, seen) for value in (one.brush, one.coherence))


def test_breadth_is_that_of_the_dabs() -> None:
    found = [strokes(dabs(breadth, 0.1)).breadth * HEIGHT for breadth in (4, 6, 8)]
    assert found == pytest.approx([4, 6, 8], rel=0.3)
    assert found == sorted(found)


@pytest.mark.slow
def test_a_larger_picture_of_the_same_is_measured_alike() -> None:
    large = strokes(np.repeat(np.repeat(dabs(8, 0.1), 4, axis=0), 4, axis=1))
    small = strokes(dabs(8, 0.1))
    assert large.breadth == pytest.approx(small.breadth, rel=0.15)


@pytest.mark.slow
def test_dots_are_short_and_strokes_are_long() -> None:
    found = [strokes(dabs(4, 0.15, longer)).length for longer in (1, 2, 3, 8)]
    assert found == sorted(found)
    assert found[0] < 1.5
    assert found[-1] == LENGTHS[1]
    turned = strokes(dabs(4, 0.15, 2).transpose(1, 0, 2))
    assert turned.length == pytest.approx(found[1], rel=0.1)
    stripes = strokes(in_colour(0.5 + 0.3 * np.sin(COLUMNS * 200)))
    assert stripes.length == LENGTHS[1]


def test_strokes_that_differ_more_are_told() -> None:
    found = [strokes(dabs(2, contrast)).jitter for contrast in (0.03, 0.04, 0.05)]
    assert found == sorted(set(found))


def test_what_is_not_painted_is_brushed_with_oil() -> None:
    for picture in (photograph(), drawing(), np.full((50, 50, 3), 0.5)):
        seen = strokes(picture)
        assert kind_of(seen.length, seen.jitter) == OIL


def test_paintings_differ_as_they_are_painted() -> None:
    """Of dashes, of dabs, of long flowing strokes, and a print of flat colours."""
    found = {}
    for name in ("olive-trees", "self-portrait", "starry-night", "scream", "great-wave"):
        with Image.open(PAINTINGS / f"{name}.jpg") as picture:
            found[name] = strokes(np.asarray(picture.convert("RGB"), np.float32) / 255)
    for dashes in (found["olive-trees"], found["self-portrait"]):
        assert dashes.length < found["starry-night"].length < found["scream"].length
        assert dashes.jitter > 2 * found["great-wave"].jitter


@pytest.mark.parametrize("length", [LENGTHS[0], 1.0, 2.0, 5.0, LENGTHS[1]])
def test_every_length_is_a_brush(length: float) -> None:
    kind = kind_of(length, 0.05)
    assert (kind.lengths[0], kind.jitter) == (pytest.approx(length), 0.05)
    assert kind.widths[0] <= OIL.widths[0]
    assert RANGES["lengths"][0] <= kind.lengths[-1]
    if length == LENGTHS[0]:
        assert kind.widths[0] < PRESETS["pointillist"].kind.widths[0]
        assert kind.need < OIL.need


def test_direction_is_measured() -> None:
    stripes = in_colour(0.5 + 0.3 * np.sin(COLUMNS * 200))
    noise = in_colour(0.5 + np.random.default_rng(0).normal(0, 0.1, ROWS.shape))
    assert strokes(stripes).coherence > 0.95
    assert strokes(noise).coherence < 0.5


@pytest.mark.slow
def test_grain_is_no_paint() -> None:
    """It is everywhere, as paint is, but goes no way: a photograph with the grain of a film is one all the same."""
    noise = np.random.default_rng(2).normal(size=(HEIGHT, WIDTH, 1))
    fine = noise + np.roll(noise, 1, 0) + np.roll(noise, 1, 1) + np.roll(noise, (1, 1), (0, 1))
    for grain in (noise, fine / fine.std()):
        for picture in (photograph(), np.full((HEIGHT, WIDTH, 3), 0.5)):
            seen = strokes((picture + 0.03 * grain).clip(0, 1))
            assert seen.texture > THIN.texture, "as rough as paint"
            assert seen.brush < 0.7
            assert seen.relief < 0.2
            assert seen.canvas < 0.2
    assert THIN.brush > 0.9


def test_usual_strokes_are_two_at_1080_lines() -> None:
    usual = Strokes(0.0125, 1.0, 0.5, 0.5, 0.5, 5.0)
    assert usual.stroke(1080) == 2.0
    assert usual.stroke(540) == 1.0
    assert Strokes(0.025, 1.0, 0.5, 0.5, 0.5, 5.0).stroke(1080) == 4.0


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 900, 3), (40, 7, 3), (200, 300, 3)])
def test_a_picture_without_strokes_has_usual_ones_without_body(shape: tuple[int, int, int]) -> None:
    assert strokes(np.full(shape, 0.5, np.float32)) == Strokes(0.0125, 0.4, 0.0, 0.0, 0.0, 0.0)


def test_what_is_no_picture_is_refused() -> None:
    for shape in ((0, 5, 3), (5, 5), (5, 5, 4)):
        with pytest.raises(ValueError, match="has the shape"):
            strokes(np.zeros(shape))
    with pytest.raises(ValueError, match="not finite"):
        strokes(np.where(np.arange(3) > 1, np.nan, np.zeros((50, 50, 3))))
