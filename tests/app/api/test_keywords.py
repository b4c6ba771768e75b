"""The keyword arguments of `framebrush.open` and `framebrush.paint` are the options of the command line."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from framebrush.api.keywords import FilmOptions, PaintingOptions, job_of
from framebrush.cli.command_line import load, run
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import write_look
from framebrush.jobs.spec import JobSpec
from framebrush.styles.specs import ColourSpec, SizeSpec, StyleSpec

OF_THE_RESULT = {
    "codec",
    "crf",
    "target_size",
    "preset",
    "pix_fmt",
    "hdr",
    "format",
    "audio",
    "segments",
    "y",
    "n",
    "reveal",
}
OF_THE_RUN = {"restart", "spec", "save_spec", "cluster", "tls", "progress", "json"}
ARGUMENTS = {"style", "device"}
"""Of `open` and `paint` themselves."""


def options(command: str) -> set[str]:
    """The options of a command as keywords."""
    names = [parameter.opts[0] for parameter in load(command).params if parameter.param_type_name == "option"]
    return {name.lstrip("-").replace("-", "_") for name in names} - {"help"}


def test_every_option_is_a_keyword() -> None:
    transcode, frame = options("transcode"), options("frame")
    assert transcode - ARGUMENTS - OF_THE_RESULT - OF_THE_RUN == FilmOptions.__optional_keys__
    of_the_input = {"rate", "allow_playlists", "allow_dolby_vision"}
    assert frame - ARGUMENTS - of_the_input - {"at", "save_colours", "y"} == PaintingOptions.__optional_keys__


def by_command(folder: Path, *given: str) -> JobSpec:
    """The job of a command."""
    spec = folder / "job.json"
    assert run(["transcode", "in.mp4", "OUT", "--save-spec", str(spec), *given]) == 0
    job = JobSpec.from_json(spec.read_text(encoding="utf-8"))
    spec.unlink()
    return job


def by_keywords(style: str | Path | None = None, **given: object) -> JobSpec:
    """The job of keyword arguments."""
    return job_of("in.mp4", style, given, FilmOptions.__optional_keys__)  # type: ignore[arg-type]


def test_defaults_are_those_of_the_command(tmp_path: Path) -> None:
    assert by_keywords() == by_command(tmp_path)


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({"strength": 0.5, "steady": 0.25, "brush": 0.5}, "--strength 0.5 --steady 0.25 --brush 0.5"),
        ({"detail": 0.75, "relief": 0.5, "canvas": 0.25}, "--detail 0.75 --relief 0.5 --canvas 0.25"),
        ({"lamp": 90, "exposure": -1.5}, "--lamp 90 --exposure -1.5"),
        ({"keep_colours": True, "split": 0.5, "dither": False}, "--keep-colours --split 0.5 --no-dither"),
        ({"tone_curve": "hable", "tone_map": "hable"}, "--tone-curve hable --tone-map hable"),
        (
            {"palette": Path("photo.jpg"), "palette_from": "in.mp4@1", "lut": Path("a.cube"), "lut_first": True},
            "--palette photo.jpg --palette-from in.mp4@1 --lut a.cube --lut-first",
        ),
        ({"stroke": 3, "size": (640, 360), "max_size": 320}, "--stroke 3 --size 640x360 --max-size 320"),
        ({"brush_kind": "fine"}, "--brush-kind fine"),
        ({"brush_mark": Path("mark.png")}, "--brush-mark mark.png"),
        (
            {"brush_sizes": Path("fine.png"), "brush_directions": "wind.png"},
            "--brush-sizes fine.png --brush-directions wind.png",
        ),
        ({"few_strokes": True}, "--few-strokes"),
        (
            {"mask": Path("m.png"), "mask_invert": True, "mask_grow": 2, "mask_soften": 0.5},
            "--mask m.png --mask-invert --mask-grow 2 --mask-soften 0.5",
        ),
        ({"mask_corrections": Path("mask.json")}, "--mask-corrections mask.json"),
        ({"size": "2x", "tile": 128, "precision": "float16"}, "--size 2x --tile 128 --precision float16"),
        ({"engine": "shader", "statistics": "shot"}, "--engine shader --statistics shot"),
        ({"start": 1.5, "end": "0:02", "frames": 4}, "--start 1.5 --end 0:02 --frames 4"),
        ({"start": "12f", "deinterlace": "off", "hwaccel": "auto"}, "--start 12f --deinterlace off --hwaccel auto"),
        ({"start": 1e-7, "end": 2e20}, "--start 0.0000001 --end 200000000000000000000"),
        ({"size": [128, 72]}, "--size 128x72"),
        ({"rate": Fraction(24000, 1001), "allow_playlists": True}, "--rate 24000/1001 --allow-playlists"),
        ({"rate": 12.5}, "--rate 12.5"),
        ({"key": ["relief@0=0", "relief@2.5=1,ease"]}, "--key relief@0=0 --key relief@2.5=1,ease"),
        (
            {"net_layout": "nhwc", "net_order": "bgr", "net_input": "byte", "net_output": "signed"},
            "--net-layout nhwc --net-order bgr --net-input byte --net-output signed",
        ),
        (
            {"net_result": "out", "net_value": ["sigma=0.5", "a=b=2"]},
            "--net-result out --net-value sigma=0.5 --net-value a=b=2",
        ),
    ],
)
def test_values_are_those_of_the_command(tmp_path: Path, given: dict[str, object], command: str) -> None:
    expected = by_command(tmp_path, *command.split(), "--style", "scream:0.5,udnie:0.5")
    assert by_keywords("scream:0.5,udnie:0.5", **given) == expected


def test_a_saved_look_counts_less_than_what_is_given(tmp_path: Path) -> None:
    look = Look(strength=0.25, relief=0.75)
    file = tmp_path / "evening.json"
    write_look(
        Recipe(
            StyleSpec("scream"),
            look,
            SizeSpec(2.0, brush_kind="gouache", brush_mark="mark.png"),
            colours=ColourSpec(palette="film"),
        ),
        file,
    )
    expected = by_command(tmp_path, "--look", str(file), "--strength", "0.5")
    assert by_keywords(look=file, strength=0.5) == expected
    assert expected.look == replace(look, strength=0.5)
    assert expected.sizes.brush_mark == str(tmp_path / "mark.png")
    assert by_keywords("udnie", look=file).style.name == "udnie"


@pytest.mark.parametrize("rate", [0, -1, 1001])
def test_a_rate_that_cannot_be(rate: int) -> None:
    with pytest.raises(ValueError, match=f"a rate of {rate} is not above 0 and at most 1000"):
        by_keywords(rate=rate)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"strength": "x"}, "^strength is 'x'; it must be a number$"),
        ({"strength": None}, "^strength is None; it must be a number$"),
        ({"brush": [1]}, "^brush is a list; it must be a number$"),
        ({"lamp": float("nan")}, "^lamp is nan; it must be a finite number"),
        ({"keep_colours": "yes"}, "^keep_colours is 'yes'; it must be true or false$"),
        ({"tone_curve": "x"}, "^tone_curve is 'x'; it must be one of clip, "),
        ({"tone_map": 1}, "^tone_map is 1; it must be one of bt2390, hable$"),
        ({"palette": 5}, "^palette is 5; it must be a text$"),
        ({"stroke": "wide"}, "^stroke is 'wide'; it must be a number$"),
        ({"brush_kind": 1}, "^brush_kind is 1; it must be a text$"),
        ({"brush_mark": 1}, "^brush_mark is 1; it must be a text$"),
        ({"brush_mark": ""}, "^the name of the picture of a brush tip is empty$"),
        ({"brush_sizes": ""}, "^the name of the picture of a map of sizes is empty$"),
        ({"mask": ""}, "^the name of a mask is empty$"),
        ({"mask_corrections": ""}, "^the name of corrections of masks is empty$"),
        ({"mask_grow": 21}, "^mask grow 21 is not between -20 and 20 percent$"),
        ({"brush_directions": 1}, "^brush_directions is 1; it must be a text$"),
        ({"brush_kind": "hairy"}, "^there is no kind of brush called 'hairy'; "),
        ({"size": (640, "high")}, "^'640xhigh' is not a size"),
        ({"size": 640}, "^size is 640; it must be a text$"),
        ({"max_size": 640.5}, "^max_size is 640.5; it must be a whole number$"),
        ({"tile": "big"}, "^tile is 'big'; it must be"),
        ({"precision": "float64"}, "^precision is 'float64'; it must be one of auto, float32, float16, int8$"),
        ({"net_order": "grb"}, "^net_order is 'grb'; it must be one of rgb, bgr$"),
        ({"net_value": 0.5}, "^net_value is 0.5; it must be a list of texts$"),
        ({"net_value": [0.5]}, "^net_value is 0.5; it must be a text"),
        ({"net_result": 1}, "^net_result is 1; it must be a text$"),
        ({"key": 1}, "^key is 1; it must be a list of texts$"),
        ({"rate": "fast"}, "^rate is 'fast'; it must be frames per second, as a number or as a text such as"),
        ({"rate": "1/0"}, "^rate is '1/0'; it must be frames per second"),
        ({"frames": "4"}, "^frames is '4'; it must be a whole number$"),
        ({"look": 1}, "^look is 1; it must be a text or a path$"),
        ({"style": 1}, "^style is 1; it must be a text or a path$"),
    ],
)
def test_a_value_of_another_type_is_named(given: dict[str, object], reason: str) -> None:
    """Python's own message about a comparison names neither the option nor the accepted types."""
    with pytest.raises((ValueError, TypeError), match=reason):
        by_keywords(**given)


def test_numbers_of_numpy_are_numbers() -> None:
    given = {"strength": np.float32(0.5), "max_size": np.int64(320), "dither": np.bool_(False)}
    assert by_keywords(**given) == by_keywords(strength=0.5, max_size=320, dither=False)
    assert by_keywords(key="relief@0=0") == by_keywords(key=["relief@0=0"])
