"""A job as data: every spec survives JSON, and JSON that is no spec is refused in one sentence."""

from __future__ import annotations

import json
import math
import random
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any, get_args

import pytest

from framebrush.base.json_values import JsonError, from_values, to_values
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.jobs.identity import settings_of
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import VERSION, DecodeOptions, JobSpec
from framebrush.media.encoding.pixels import AUTO, PIXEL_FORMATS, SOURCE
from framebrush.media.video import Deinterlace, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.preprocessing import LAYOUTS, RANGES, Order, PreprocessingOverrides
from framebrush.styles.specs import ColourSpec, SizeSpec, StyleSpec

pytestmark = pytest.mark.unit

PLAIN = JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("none")))
LETTERS = "aZ09 ._-/\\:,\"'äß漢🎨\n\t\x00\udc80"


def text(dice: random.Random) -> str:
    return "".join(dice.choices(LETTERS, k=dice.randint(1, 20)))


def maybe(dice: random.Random, value: Any) -> Any:  # noqa: ANN401
    return value if dice.random() < 0.6 else None


def position(dice: random.Random) -> Position:
    if dice.random() < 0.5:
        return Position(Fraction(dice.randrange(10**9)), "frame")
    return Position(Fraction(dice.randrange(10**12), dice.randint(1, 90_000)), "s")


def spec(seed: int) -> JobSpec:
    """Any job: each field set or not, each number anywhere in its range."""
    dice = random.Random(seed)
    triples = [tuple(dice.uniform(0, 255) for _ in range(3)) for _ in range(2)]
    overrides = PreprocessingOverrides(
        maybe(dice, dice.choice(LAYOUTS)),
        maybe(dice, dice.choice(get_args(Order))),
        maybe(dice, dice.choice(RANGES)),
        maybe(dice, dice.choice(RANGES)),
        maybe(dice, triples[0]),
        maybe(dice, triples[1]),
        maybe(dice, text(dice)),
        maybe(dice, text(dice)),
        tuple((f"{index}{text(dice)}", dice.uniform(-9, 9)) for index in range(dice.randint(0, 2))),
    )
    look = Look(
        dice.random(),
        dice.random() < 0.5,
        dice.uniform(-4, 4),
        dice.choice(list(ToneCurve)),
        dice.choice(list(ToneMap)),
        dice.uniform(0, 2),
        maybe(dice, dice.random()),
        dice.random() < 0.5,
        steady=dice.random(),
        detail=dice.random(),
        canvas=maybe(dice, dice.random()),
    )
    size = dice.choice([None, f"{dice.randint(16, 16384)}x{dice.randint(16, 16384)}", f"{dice.uniform(0.1, 16):.3f}x"])
    return JobSpec(
        text(dice),
        text(dice),
        Recipe(
            StyleSpec(dice.choice(["none", "a:0.6,b:0.4", text(dice)]), overrides),
            look,
            SizeSpec(dice.choice(["auto", 1.0, dice.uniform(0.25, 16)]), size, maybe(dice, dice.randint(16, 16384))),
            ColourSpec(*(maybe(dice, text(dice)) for _ in range(3)), lut_first=dice.random() < 0.5),
        ),
        TimeRange(maybe(dice, position(dice)), maybe(dice, position(dice)), maybe(dice, dice.randint(1, 10**9))),
        dice.choice(["auto", "off", dice.randint(64, 16384)]),
        DecodeOptions(dice.choice(get_args(Deinterlace)), maybe(dice, "cuda")),
        OutputOptions(
            text(dice),
            maybe(dice, dice.uniform(0, 63)),
            maybe(dice, text(dice)),
            dice.choice([AUTO, SOURCE, *PIXEL_FORMATS]),
            dice.choice(["copy", "none"]),
            dice.random() < 0.5,
        ),
        text(dice),
        dice.choice(["auto", "float32", "float16", "int8"]),
        dice.choice(["auto", "off", dice.randint(1, 10**6)]),
        dice.choice(["frame", "shot"]),
    )


@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.slow) for block in range(1, 10))])
def test_every_spec_survives_json(block: int) -> None:
    for seed in range(block * 300, block * 300 + 300):
        made = spec(seed)
        line = made.to_json()
        assert "\n" not in line  # a job is one line of a process's stdin
        assert JobSpec.from_json(line) == made, seed
        assert json.loads(line)["version"] == VERSION


def test_what_is_left_out_is_the_default() -> None:
    assert JobSpec.from_json('{"version":1,"source":"in.mp4","target":"out.mp4","style":{"name":"none"}}') == PLAIN


@pytest.mark.parametrize("name", ["steady", "detail"])
def test_a_job_that_says_nothing_of_a_part_of_the_look_gets_the_default(name: str) -> None:
    values = PLAIN.to_values()
    del values["look"][name]
    assert getattr(JobSpec.from_values(values).look, name) == getattr(Look(), name)


def test_a_look_without_a_style_is_kept_and_read() -> None:
    made = JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("none"), Look(strength=0.5)))
    assert JobSpec.from_json(made.to_json()).style.name == "none"
    assert from_values(Look, to_values(made.look), "look") == Look(strength=0.5)


def changed(path: str, value: object) -> str:
    """PLAIN as JSON with another value at a dotted path."""
    values: dict[str, Any] = PLAIN.to_values()
    place = values
    *folders, name = path.split(".")
    for folder in folders:
        place = place[folder]
    place[name] = value
    return json.dumps(values)


WRONG = [
    ("version", 2, "newer Framebrush"),
    ("version", 10**400, "newer Framebrush"),
    ("version", 0, "version"),
    ("version", True, "version"),
    ("version", "1", "version"),
    ("version", None, "version"),
    ("surprise", 1, "unknown field 'surprise'"),
    ("look.surprise", 1, "unknown field 'surprise'"),
    ("output.surprise", 1, "unknown field 'surprise'"),
    ("source", 5, "job.source is 5; it must be a text"),
    ("source", None, "job.source"),
    ("source", "", "no source"),
    ("source", "x" * 70_000, "at most 65536"),
    ("target", [], "job.target"),
    ("target", "", "no target"),
    ("style", "ink", "job.style"),
    ("style.name", "", "no name"),
    ("style.preprocessing.layout", "abc", "must be one of nchw, nhwc"),
    ("style.preprocessing.mean", [1, 2], "must have 3"),
    ("style.preprocessing.values", [["sigma", "1"]], "values[0][1] is '1'; it must be a number"),
    ("style.preprocessing.values", [["sigma", 1], ["sigma", 2]], "the value of an input of the network is given twice"),
    ("style.preprocessing.result", "x" * 1001, "more is said about the network"),
    ("style.preprocessing.mean", [1, 2, "x"], "mean[2]"),
    ("look", None, "job.look"),
    ("look.strength", True, "must be a number"),
    ("look.strength", "1", "must be a number"),
    ("look.strength", 2, "not between 0 and 1"),
    ("look.strength", 10**400, "finite"),
    ("look.keep_colours", 1, "true or false"),
    ("look.tone_curve", "abc", "must be one of clip"),
    ("look.tone_map", 3, "must be one of bt2390"),
    ("look.split", 1.5, "not between 0 and 1"),
    ("look.mix", [0.5, 0.5], "style's name"),
    ("look.mix", "abc", "must be a list"),
    ("range.start", 5, "job.range.start"),
    ("range.start", {"value": 5, "unit": "s"}, "must be a text such as"),
    ("range.start", {"value": "5", "unit": "m"}, "must be one of s, frame"),
    ("range.start", {"value": "1/0", "unit": "s"}, "denominator"),
    ("range.start", {"value": "9" * 40, "unit": "s"}, "must be a text such as"),
    ("range.start", {"value": "-1", "unit": "s"}, "not a position"),
    ("range.start", {"value": "1/2", "unit": "frame"}, "not a position"),
    ("range.end", {"unit": "s"}, "no field 'value'"),
    ("range.frames", 0, "not a range"),
    ("range.frames", 1.5, "whole number"),
    ("range.frames", True, "whole number"),
    ("range.frames", 1 << 60, "at most"),
    ("sizes.stroke", "large", "must be a number"),
    ("sizes.stroke", 0.1, "not between 0.25 and 16"),
    ("sizes.size", "big", "is not a size"),
    ("sizes.size", "0x0", "not between 16"),
    ("sizes.size", "0x", "not above 0x"),
    ("sizes.size", "99x", "at most 16x"),
    ("sizes.size", "1920×1080", "is not a size"),
    ("sizes.max_size", 5, "not between 16"),
    ("sizes.brush_kind", "knief", "no kind of brush called 'knief'"),
    ("sizes.brush_kind", 1, "must be a text"),
    ("sizes.brush_mark", 1, "must be a text"),
    ("sizes.brush_mark", "", "is empty"),
    ("tiling", "sometimes", "must be one of auto, off"),
    ("tiling", 7, "not between 64"),
    ("tiling", True, "must be one of auto, off"),
    ("decode.deinterlace", "yes", "must be one of auto, off"),
    ("output.bits", 12, "must be 8 or 10"),
    ("output.bits", 8.5, "must be 8 or 10"),
    ("output.bits", [8], "must be 8 or 10"),
    ("output.pix_fmt", 8, "pix_fmt"),
    ("output.pix_fmt", "yuv42p", "unknown pixel format"),
    ("output.audio", "mute", "must be one of copy, none"),
    ("device", 0, "job.device"),
]


@pytest.mark.parametrize(("path", "value", "says"), WRONG, ids=lambda value: str(value)[:30])
def test_what_is_no_job_is_refused_in_one_sentence(path: str, value: object, says: str) -> None:
    with pytest.raises(JsonError) as caught:
        JobSpec.from_json(changed(path, value))
    message = str(caught.value)
    assert says in message
    assert len(message) < 300
    assert "\n" not in message


@pytest.mark.parametrize(("bits", "pix_fmt"), [(None, "auto"), (8, "yuv420p"), (10, "yuv420p10le")])
def test_a_job_of_before_pixel_formats_is_read(bits: int | None, pix_fmt: str) -> None:
    values = json.loads(PLAIN.to_json())
    del values["output"]["pix_fmt"]
    values["output"]["bits"] = bits
    assert JobSpec.from_json(json.dumps(values)).output == replace(PLAIN.output, pix_fmt=pix_fmt)


@pytest.mark.parametrize(("whether", "mode"), [(True, "auto"), (False, "off")])
def test_a_job_of_before_the_kinds_of_deinterlacing_is_read(whether: bool, mode: str) -> None:
    values = json.loads(PLAIN.to_json())
    values["decode"]["deinterlace"] = whether
    assert JobSpec.from_json(json.dumps(values)).decode.deinterlace == mode


NO_JSON = ["", "{", "null", "[]", "5", '"text"', "[" * 100_000, "1" * 5000, "\0", '{"version":1,"version":1}']


@pytest.mark.parametrize("line", NO_JSON, ids=lambda line: line[:12])
def test_what_is_no_json_is_refused_in_one_sentence(line: str) -> None:
    with pytest.raises(JsonError) as caught:
        JobSpec.from_json(line)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e300"])
def test_numbers_that_are_not_finite_are_refused(number: str) -> None:
    line = PLAIN.to_json().replace('"crf": null', f'"crf": {number}')
    assert number in line
    with pytest.raises(JsonError, match="finite"):
        JobSpec.from_json(line)


@pytest.mark.parametrize("kind", [JobSpec, StyleSpec, SizeSpec, DecodeOptions, OutputOptions])
def test_every_field_of_a_spec_has_a_wrong_type(kind: type) -> None:
    """A field that is added is checked too: no type takes an object in a list."""
    where = {JobSpec: "", StyleSpec: "style.", SizeSpec: "sizes.", DecodeOptions: "decode.", OutputOptions: "output."}
    for field in fields(kind):
        with pytest.raises(JsonError):
            JobSpec.from_json(changed(where[kind] + field.name, [{}]))


def test_numbers_that_json_cannot_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="not between"):
        SizeSpec(math.nan)
    with pytest.raises(ValueError, match="JSON"):
        JobSpec("a", "b", Recipe(StyleSpec("c")), output=OutputOptions(crf=math.nan)).to_json()


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        ("scream:0.5,udnie:0.5", "scream:0.5,udnie:0.5"),
        ("a.onnx", "file"),
        ("/secret/a.onnx:0.5,scream:0.5", "file:0.5,scream:0.5"),
        ("C:\\secret\\a.onnx:0.25,b.jpg:0.75", "file:0.25,file:0.75"),
        ("/secret/of no ending", "file"),
    ],
)
def test_an_identity_has_the_weights_of_a_blend_and_no_paths(style: str, kept: str) -> None:
    assert settings_of(JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec(style)))).style.name == kept
