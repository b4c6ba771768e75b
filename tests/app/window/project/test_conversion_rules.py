"""Settings of the window as a project, and back."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from framebrush.jobs.keyframes import Key, Track
from framebrush.jobs.project import Marker
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import Position, TimeRange
from framebrush.playback.events import InOutChanged, InOutPoint
from framebrush.styles.specs import StyleSpec
from framebrush.window.project.conversion import choice_of, project_of
from framebrush.window.state.current_settings import Choice

pytestmark = pytest.mark.unit

IN, OUT = InOutPoint(12, 0.48), InOutPoint(24, 0.96)
ACTIVE, WAITING = (Track(of, (Key(Position(Fraction(3), "frame"), 0.5),)) for of in ("strength", "relief"))


@pytest.mark.parametrize("marked", [InOutChanged(IN, OUT), InOutChanged(IN, None), InOutChanged(None, OUT)])
def test_what_is_set_comes_back(marked: InOutChanged, tmp_path: Path) -> None:
    recipe = Recipe(StyleSpec("none"), keys=(ACTIVE, WAITING))
    choice = Choice("film", recipe, markers=(Marker(7, "here"),), range=marked)
    made = project_of(tmp_path / "film.mp4", None, choice, (ACTIVE,), None, {"sound": 50, "subtitles": -100})
    assert (made.sound_ms, made.subtitles_ms) == (50, -100)
    assert (made.job.keys, made.waiting) == ((ACTIVE,), (WAITING,))
    assert made.job.source == str(tmp_path / "film.mp4")
    first, last = made.job.range.start, made.job.range.end
    assert (first and first.value, last and last.value) == (marked.first and 12, marked.last and 25)  # behind the last
    assert choice_of(made, made.job.recipe, Choice("film")) == choice


def test_points_in_seconds_are_none_of_the_window(tmp_path: Path) -> None:
    made = project_of(tmp_path / "film.mp4", None, Choice("film"), (), None, {"sound": 0, "subtitles": 0})
    for span, expected in (
        (TimeRange(Position(Fraction(1), "s"), Position(Fraction(2), "s")), InOutChanged(None, None)),
        (TimeRange(None, Position(Fraction(0), "frame")), InOutChanged(None, InOutPoint(0, 0.0))),
    ):
        ranged = replace(made, job=replace(made.job, range=span))
        assert choice_of(ranged, made.job.recipe, Choice("film")).range == expected


def test_an_export_s_target_and_sizes_are_kept(tmp_path: Path) -> None:
    exported = JobSpec("film", "out.mp4", Recipe(StyleSpec("none")), statistics="shot")
    exported = replace(exported, recipe=replace(exported.recipe, sizes=replace(exported.sizes, size="640x360")))
    made = project_of(tmp_path / "film.mp4", None, Choice("film"), (), exported, {"sound": 0, "subtitles": 0})
    assert (made.job.target, made.job.statistics, made.job.sizes.size) == ("out.mp4", "shot", "640x360")
