"""Options and the values of a job that they become."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import pytest

from framebrush.cli.command_line import run
from framebrush.cli.groups import options_of
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import write_look
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import Position, TimeRange
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.styles.specs import ALPHA, BRUSH_PICTURES, MIN_SIDE_PX, ColourSpec, SizeSpec, StyleSpec

pytestmark = pytest.mark.unit

OTHER = Look(
    *(0.5, True, 1.0, ToneCurve.HABLE, ToneMap.HABLE, 1.5, None, False, (), 0.25, 0.5, 0.125, 0.75, 0.375),
    lamp_degrees=45.0,
    faces=0.25,
    focus=0.4,
    film_inside=0.5,
    film_outside=0.125,
    photo_inside=0.25,
    photo_outside=0.75,
    second_inside=0.5,
    second_outside=0.25,
)
"""Differs from the default in whatever a saved look holds."""


def saved_spec(tmp_path: Path, *more: str) -> JobSpec:
    made = tmp_path / "job.json"
    assert run(["transcode", "in.mp4", "out.mp4", "--save-spec", str(made), *more]) == 0
    return JobSpec.from_json(made.read_text())


@pytest.mark.slow
def test_a_saved_look_reaches_the_job_whole(tmp_path: Path) -> None:
    same = {field.name for field in fields(Look) if getattr(OTHER, field.name) == getattr(Look(), field.name)}
    assert same == {"split", "mix", "part"}
    pictures = {name: str(tmp_path / f"{name}.png") for name in BRUSH_PICTURES}
    mask = {"mask_invert": True, "mask_grow": 2.5, "mask_soften": 5.0}
    brush: dict[str, Any] = {"brush_kind": "bristle", "few_strokes": True, **pictures, **mask}
    colours = ColourSpec(second="dusk")
    write_look(Recipe(StyleSpec("ink"), OTHER, SizeSpec(2.5, **brush), colours), tmp_path / "a.look")
    for name in pictures:  # files beside it may go with it
        assert f'"{name}": "{name}.png"' in (tmp_path / "a.look").read_text()
    job = saved_spec(tmp_path, "--look", str(tmp_path / "a.look"))
    assert (job.look, job.sizes, job.style.name) == (OTHER, SizeSpec(2.5, **brush), "ink")
    assert job.colours == colours
    assert not saved_spec(tmp_path, "--look", str(tmp_path / "a.look"), "--all-strokes").sizes.few_strokes
    job = saved_spec(tmp_path, "--look", str(tmp_path / "a.look"), "--lamp", "90")
    assert job.look == replace(OTHER, lamp_degrees=90.0)


def test_the_films_own_alpha_is_no_file(tmp_path: Path) -> None:
    write_look(Recipe(StyleSpec("ink"), sizes=SizeSpec(mask=ALPHA)), tmp_path / "a.look")
    job = saved_spec(tmp_path, "--look", str(tmp_path / "a.look"))
    assert job.sizes.mask == ALPHA
    assert str(tmp_path) not in "".join(job.recipe.files)


def test_a_saved_look_says_how_its_network_is_read(tmp_path: Path) -> None:
    given = PreprocessingOverrides("nhwc", "bgr", "byte", "unit", result="out", values=(("sigma", 0.1), ("a=b", 2.0)))
    write_look(Recipe(StyleSpec("net.onnx", given)), tmp_path / "a.look")
    assert saved_spec(tmp_path, "--look", str(tmp_path / "a.look")).style.preprocessing == given
    other = saved_spec(tmp_path, "--look", str(tmp_path / "a.look"), "--net-value", "sigma=3", "--net-result", "x")
    assert other.style.preprocessing == replace(given, result="x", values=(("sigma", 3.0),))


def test_without_options_a_job_has_the_defaults_of_its_parts(tmp_path: Path) -> None:
    job = saved_spec(tmp_path)
    assert job == JobSpec("in.mp4", "out.mp4", Recipe(job.style))


@pytest.mark.parametrize(("text", "value"), [("auto", "auto"), ("off", "off"), ("1000000", 1_000_000)])
def test_a_number_or_a_word(text: str, value: object, tmp_path: Path) -> None:
    assert saved_spec(tmp_path, "--segments", text).segments == value


def test_options_of_the_output_reach_the_job(tmp_path: Path) -> None:
    job = saved_spec(tmp_path, "--target-size", "25MB", "--audio", "none", "--reveal", "2.5", "--rate", "24000/1001")
    assert (job.output.target_bytes, job.output.audio) == (25_000_000, "none")
    assert (job.reveal_s, job.decode.rate) == (Fraction(5, 2), Fraction(24000, 1001))
    job = saved_spec(tmp_path, "-y", "--start", "1f", "--end", "0:02", "--hwaccel", "cuda", "--preset", "slow")
    assert (job.output.overwrite, job.output.preset, job.decode.hwaccel) == (True, "slow", "cuda")
    assert job.range == TimeRange(Position(Fraction(1), "frame"), Position(Fraction(2), "s"))


def test_help_names_what_an_option_takes() -> None:
    shown = {option.name: get_args(option.annotation)[1] for option in options_of(SizeSpec)}
    assert (shown["max_size"].metavar, shown["max_size"].min) == ("N", MIN_SIDE_PX)
    assert (shown["mask_grow"].metavar, shown["mask_grow"].max) == ("PERCENT", 20.0)  # its unit
    assert shown["few_strokes"].metavar is None
