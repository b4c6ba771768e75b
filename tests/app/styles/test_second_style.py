"""A second style: which styles can share a frame, and its entry in a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import framebrush
from framebrush.gpu.look import Look
from framebrush.jobs.keyframes import parse_keys
from framebrush.jobs.prepare import open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.models.style import StyleError
from framebrush.styles.specs import ColourSpec, StyleSpec
from framebrush.styles.style_names import fitting, in_colours, open_style
from tests import networks
from tests.app.styles.test_picture_styles import png

pytestmark = pytest.mark.unit

PEOPLE: dict[str, Any] = {"device": "cpu", "brush": 0.0, "relief": 0.0, "faces": 0.0}
OWN, INK = ColourSpec(), ColourSpec(second="ink")
HALF = np.tile(np.arange(96) >= 48, (64, 1))


def picture(folder: Path) -> str:
    return str(png(folder / "picture.png", np.full((8, 8, 3), 99, np.uint8)))


def enlarging(folder: Path) -> str:
    path = folder / "larger.onnx"
    onnx.save(onnx.load_model_from_string(networks.enlarger(2).model), path)
    return str(path)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("dusk", "oil", "Oil has no network that paints, .* use --film-inside or --film-outside for the film's own"),
        ("dusk", "none", "No style has no network that paints, .* or --photo-inside or --photo-outside$"),
        ("oil", "dusk", "Oil has no network that paints"),
        ("dusk", "dusck", "style 'dusck' is unknown; did you mean 'dusk'?"),
        ("dusk", "missing/own.onnx", "missing/own.onnx: there is no such file"),
    ],
)
def test_styles_that_cannot_share_a_frame_are_refused(first: str, second: str, words: str) -> None:
    with pytest.raises(StyleError, match=words.replace("?", r"\?")):
        in_colours(open_style(first), ColourSpec(second=second))


def test_a_picture_or_a_network_that_enlarges_is_no_second_style(tmp_path: Path) -> None:
    for name, words in ((picture(tmp_path), "picture has no network"), (enlarging(tmp_path), "enlarges the frame")):
        with pytest.raises(StyleError, match=words):
            in_colours(open_style("dusk"), ColourSpec(second=name))
        with pytest.raises(StyleError, match=words):
            in_colours(open_style(name), ColourSpec(second="dusk"))


def test_a_style_that_does_not_fit_leaves_the_other_colours() -> None:
    asked = ColourSpec(palette="film", second="dusk")
    assert fitting(open_style("great-wave"), asked) == asked
    assert fitting(open_style("oil"), asked) == ColourSpec(palette="film")


def test_the_second_style_is_part_of_what_a_style_is() -> None:
    alone, ink, dusk = (
        in_colours(open_style("dusk"), ColourSpec(second=name)).digest for name in (None, "ink", "dusk")
    )
    assert len({alone, ink, dusk}) == 3
    rhone = in_colours(open_style("dusk"), ColourSpec(second="rhone"))
    assert rhone.style.second is not None
    assert rhone.style.second.mix != rhone.style.mix


@pytest.mark.parametrize(
    ("colours", "look", "keys", "words"),
    [
        (INK, Look(), (), ["--second changes nothing without --second-inside or --second-outside"]),
        (OWN, Look(second_outside=0.5), (), ["--second-inside or --second-outside changes nothing without --second"]),
        (INK, Look(), ("second-inside@3f=1",), []),
        (OWN, Look(), (), []),
    ],
)
def test_one_half_of_a_wish_is_said(colours: ColourSpec, look: Look, keys: tuple[str, ...], words: list[str]) -> None:
    said: list[str] = []
    recipe = Recipe(StyleSpec("ink"), look, colours=colours, keys=parse_keys(keys))
    open_job_style(JobSpec("in.mp4", "out.mp4", recipe), said.append)
    assert said == words


@pytest.mark.parametrize("field", ["second", "palette", "palette_from", "lut"])
def test_a_name_is_not_empty(field: str) -> None:
    with pytest.raises(ValueError, match="has no name" if field == "second" else "is empty"):
        ColourSpec(**{field: ""})


def test_python_paints_the_area_in_another_style() -> None:
    film = np.random.default_rng(4).integers(0, 256, (64, 96, 3), np.uint8)
    own, other = (framebrush.paint(film, name, **PEOPLE) for name in ("great-wave", "ink"))
    both = framebrush.paint(film, "great-wave", second="ink", second_inside=1.0, mask=HALF, **PEOPLE)
    np.testing.assert_array_equal(both[:, :40], own[:, :40])
    assert np.abs(both[:, 56:].astype(int) - other[:, 56:]).max() <= 1
