"""Two styles in a frame: a part of a film is painted as in the whole, and a job knows its second style."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from framebrush.base.json_values import JsonError
from framebrush.gpu.look import Look
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.prepare import job_identity, open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.styles.specs import ColourSpec, StyleSpec
from tests.app.jobs.test_faces_of_parts import PEOPLE, assert_same, painted

pytestmark = [pytest.mark.media, pytest.mark.slow]

TWO = ("--second", "ink", "--second-inside", "1")


def test_a_part_has_the_two_styles_of_the_whole(tmp_path: Path) -> None:
    """With strokes, in segments too."""
    whole = painted(tmp_path / "whole.mkv", *TWO, "--segments", "off", "--frames", "16")
    assert_same(painted(tmp_path / "part.mkv", *TWO, "--start", "9f", "--frames", "4"), whole[9:13])
    assert_same(painted(tmp_path / "joined.mkv", *TWO, "--segments", "6", "--frames", "16"), whole)
    one = painted(tmp_path / "one.mkv", "--frames", "16")
    away = np.abs(whole[12][:180].astype(int) - one[12][:180])
    assert away[100:160, 90:150].mean() > 8  # the body
    assert away[:, :30].mean() < 2


def test_keyframes_bring_the_second_style_in(tmp_path: Path) -> None:
    plain = ("--brush", "0", "--relief", "0", "--steady", "0", "--faces", "0", "--frames", "9")
    keys = ("--second", "ink", "--key", "second-inside@4f=0", "--key", "second-inside@8f=1")
    whole, one = painted(tmp_path / "whole.mkv", *plain, *keys), painted(tmp_path / "one.mkv", *plain)
    assert_same(whole[:5], one[:5])
    changes = [np.abs(a.astype(int) - b).mean() for a, b in zip(whole[5:], one[5:], strict=True)]
    assert 0 < changes[0] < changes[1] < changes[2] < changes[3]


def test_the_identity_of_a_job_knows_the_second_style() -> None:
    spec = JobSpec(str(PEOPLE), "o.mkv", Recipe(StyleSpec("great-wave"), Look(second_inside=1.0, faces=0.0)))

    def identity(second: str | None) -> JobIdentity:
        given = replace(spec, recipe=replace(spec.recipe, colours=ColourSpec(second=second)))
        found = job_identity(given, open_job_style(given, print))
        assert found is not None
        return found

    alone, ink = identity(None), identity("ink")
    assert ink.changed(alone) == {"style_sha256", "settings"}
    assert ink.changes(alone) == "the style or its colours, the settings (colours.second)"
    assert JobIdentity.from_text(ink.to_text()) == ink
    with pytest.raises(JsonError, match=r"^the record is not JSON \("):
        JobIdentity.from_text(ink.to_text()[:-1])
    assert ink.subject_sha256 != ""
