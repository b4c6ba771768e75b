"""Undo on the user's settings: parts that belong to a film stay with another one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from framebrush.gpu.look import Look
from framebrush.jobs.project import Marker
from framebrush.jobs.recipe import Recipe
from framebrush.styles.keys_folder import SUFFIX
from framebrush.styles.specs import StyleSpec
from framebrush.window.state.current_settings import Choice

pytestmark = pytest.mark.unit

PAINTED = ((3, "3.png"),)
MARKERS = (Marker(4, "here"),)


def choice(film: str, style: str, strength: float, **more: object) -> Choice:
    return Choice(film, Recipe(StyleSpec(style), Look(strength=strength)), **more)  # type: ignore[arg-type]


def test_all_of_one_film_comes_back() -> None:
    now = choice("a.mp4", "ink", 1.0)
    former = choice("a.mp4", "oil", 0.5, painted=PAINTED, markers=MARKERS)
    assert now.back_at(former) == former


@pytest.mark.parametrize(("former_style", "style"), [("oil", "oil"), (f"a{SUFFIX}", "ink")])
def test_painted_frames_markers_and_painted_style_stay_with_another_film(former_style: str, style: str) -> None:
    now = choice("b.mp4", "ink", 1.0, painted=PAINTED, markers=MARKERS)
    back = now.back_at(choice("a.mp4", former_style, 0.5))
    assert back == replace(choice("b.mp4", style, 0.5), painted=PAINTED, markers=MARKERS)
