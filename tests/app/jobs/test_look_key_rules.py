"""Keys of a look: the values between them, what no job can have, and as text."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from framebrush.base.json_values import JsonError
from framebrush.base.option import declared_in
from framebrush.gpu.look import Look
from framebrush.jobs.keyframes import (
    NUMBERS,
    STROKE,
    STYLE,
    Ease,
    Key,
    LookOverTime,
    Track,
    convert_keyframes,
    most,
    parse_keys,
    stroke_of,
)
from framebrush.jobs.prepare import open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import ignore
from framebrush.media.video import Deinterlace, Position
from framebrush.models.style import StyleError
from framebrush.styles.specs import StyleSpec
from framebrush.styles.style_names import open_style, weights_of

pytestmark = pytest.mark.unit


def frame(number: int) -> Position:
    return Position(Fraction(number), "frame")


def second(seconds: float | Fraction) -> Position:
    return Position(Fraction(seconds), "s")


def ramp(of: str, *values: tuple[Position, float | str], ease: Ease = "linear") -> Track:
    return Track(of, tuple(Key(at, value, ease) for at, value in values))


def of(*tracks: Track) -> JobSpec:
    return JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("ink"), keys=tracks))


@pytest.mark.parametrize(
    ("ease", "expected"),
    [
        ("linear", [0.25, 0.25, 0.375, 0.5, 0.625, 0.75, 0.75]),
        ("ease", [0.25, 0.25, 0.328125, 0.5, 0.671875, 0.75, 0.75]),
        ("hold", [0.25, 0.25, 0.25, 0.25, 0.25, 0.75, 0.75]),
    ],
)
def test_values_between_two_keys(ease: Ease, expected: list[float]) -> None:
    track = ramp("strength", (frame(8), 0.25), (frame(16), 0.75), ease=ease)
    assert [track.number(Fraction(place)) for place in (0, 8, 10, 12, 14, 16, 99)] == expected


def test_each_key_has_its_own_way_to_the_next() -> None:
    keys = Key(second(0), 0.0, "hold"), Key(second(1), 1.0, "linear"), Key(second(3), 0.5)
    found = Track("relief", keys)
    assert [found.number(Fraction(place)) for place in ("0.99", "1", "2", "3")] == [0.0, 1.0, 0.75, 0.5]


def test_rounding_leads_beyond_no_key() -> None:
    track = ramp("strength", (frame(0), 0.1), (frame(3 << 50), 1.0))
    places = [Fraction((3 << 50) - near) for near in range(1, 40)]
    assert all(0.1 <= track.number(place) <= 1.0 for place in places)


def test_times_and_numbers_count_each_for_themselves() -> None:
    tracks = ramp("strength", (frame(0), 0.0), (frame(10), 1.0)), ramp("relief", (second(0), 0.0), (second(1), 1.0))
    found = LookOverTime(Look(detail=0.5), tracks).at(5, Fraction(1, 4))
    assert found == Look(strength=0.5, relief=0.25, detail=0.5)


def test_paintings_are_mixed_by_their_weights() -> None:
    track = ramp(STYLE, (frame(0), "a"), (frame(4), "b"))
    over_time = LookOverTime(Look(), (track,), {"a": (1.0, 0.0), "b": (0.0, 1.0)})
    assert over_time.at(1, Fraction()).mix == (0.75, 0.25)


def test_memory_and_neighbours_are_planned_for_the_largest_value() -> None:
    tracks = (ramp("relief", (frame(0), 0.0), (frame(9), 0.5), (frame(10), 0.25)),)
    assert most(Look(relief=1.0), tracks) == Look(relief=0.5)


def test_a_stroke_holds_until_its_next_key() -> None:
    tracks = ramp("strength", (frame(0), 0.5)), ramp(STROKE, (second(1), "auto"), (second(2), 4.0), ease="hold")
    found = [stroke_of(tracks, 99, Fraction(place)) for place in ("0", "1.99", "2", "9")]
    assert found == ["auto", "auto", 4.0, 4.0]
    assert stroke_of(tracks[:1], 0, Fraction()) is None
    assert most(Look(), tracks) == Look(strength=0.5)
    assert LookOverTime(Look(), tracks).at(0, Fraction(2)) == Look(strength=0.5)


@pytest.mark.parametrize(("mode", "frames"), [("auto", [0, 3, 4, 10]), ("double", [0, 6, 8, 20]), ("ivtc", [0, 3, 8])])
def test_keys_stay_where_they_are_when_fields_are_read_in_another_way(mode: Deinterlace, frames: list[int]) -> None:
    at_frames = ramp("strength", *((frame(number), number / 10) for number in (0, 3, 4, 10)))
    at_times = ramp("relief", (second(0), 0.0), (second(1), 1.0))
    moved, same = convert_keyframes((at_frames, at_times), mode)
    assert [int(key.at.value) for key in moved.keys] == frames
    assert moved.keys[-1].value == 1.0
    assert same == at_times


def test_a_job_keeps_its_keys() -> None:
    spec = of(
        Track("strength", (Key(second(Fraction(1, 3)), 0.5, "ease"), Key(second(2), 1.0, "hold"))),
        ramp(STYLE, (frame(0), "udnie"), (frame(7), "udnie:0.5,scream:0.5")),
        ramp(STROKE, (frame(0), "auto"), (frame(7), 3.0), ease="hold"),
    )
    assert JobSpec.from_json(spec.to_json()) == spec
    older = {name: value for name, value in spec.to_values().items() if name != "keys"}
    assert JobSpec.from_values(older) == replace(spec, recipe=replace(spec.recipe, keys=()))


KEY = {"at": {"value": "1", "unit": "s"}, "value": 0.5, "ease": "linear"}


@pytest.mark.parametrize(
    ("tracks", "says"),
    [
        ([{"of": "strength", "keys": []}], "strength has no keyframes"),
        ([{"of": "mix", "keys": [KEY]}], "'mix' cannot have keyframes"),
        ([{"of": "strength", "keys": [KEY, KEY]}], "two keyframes of strength are at the same position"),
        ([{"of": "strength", "keys": [KEY]}] * 2, "has keyframes twice"),
        ([{"of": "strength", "keys": [{**KEY, "value": 1.5}]}], "strength 1.5 is not between 0 and 1"),
        ([{"of": "strength", "keys": [{**KEY, "value": "ink"}]}], "'ink' is not a valid value for strength"),
        ([{"of": "style", "keys": [KEY]}], "'0.5' is not a valid value for style"),
        ([{"of": "stroke", "keys": [{**KEY, "ease": "hold", "value": 17}]}], "stroke 17 is not between 0.25 and 16"),
        (
            [{"of": "stroke", "keys": [{**KEY, "ease": "hold", "value": "broad"}]}],
            "'broad' is not a valid value for stroke",
        ),
        ([{"of": "stroke", "keys": [KEY]}], "a stroke holds until its next keyframe; leave out 'linear'"),
        ([{"of": "style", "keys": [{**KEY, "value": "a/b.onnx"}]}], "name paintings, not files"),
        ([{"of": "strength", "keys": [{**KEY, "ease": "bounce"}]}], "must be one of linear, ease, hold"),
        ([{"of": "strength", "keys": [{**KEY, "at": {"value": "-1", "unit": "s"}}]}], "-1 is not a position"),
        ([{"of": "strength", "keys": [{**KEY, "at": {"value": "1/2", "unit": "frame"}}]}], "1/2 is not a position"),
        (
            [{"of": "strength", "keys": [KEY, {**KEY, "at": {"value": "50", "unit": "frame"}}]}],
            "mix frame numbers and times",
        ),
        (
            [{"of": "strength", "keys": [{**KEY, "at": {"value": "2", "unit": "s"}}, KEY]}],
            "out of order",
        ),
    ],
)
def test_what_no_job_can_have(tracks: list[Any], says: str) -> None:
    values = json.loads(of().to_json()) | {"keys": tracks}
    with pytest.raises(JsonError, match=says):
        JobSpec.from_values(values)


def test_keys_as_text() -> None:
    found = parse_keys(
        (
            "style@0=scream:0.25,udnie:0.75,hold",
            "strength@1:02.5=1,ease",
            "strength@0=0.25",
            "lamp@12f=90",
            "exposure@3=-1.5",
            "style@2=udnie",
            "stroke@1=auto",
            "stroke@2=2.5,hold",
        )
    )
    assert found == (
        Track("strength", (Key(second(0), 0.25), Key(second(62.5), 1.0, "ease"))),
        Track("exposure_ev", (Key(second(3), -1.5),)),
        Track("lamp_degrees", (Key(frame(12), 90.0),)),
        Track(STROKE, (Key(second(1), "auto", "hold"), Key(second(2), 2.5, "hold"))),
        Track(STYLE, (Key(second(0), "scream:0.25,udnie:0.75", "hold"), Key(second(2), "udnie"))),
    )


def test_every_number_of_a_look_can_have_keys() -> None:
    assert set(NUMBERS) == {option.field for option in declared_in(Look) if option.number}


def test_paintings_of_another_network_are_refused() -> None:
    card = open_job_style(of(), ignore).style.card
    with pytest.raises(StyleError, match="scream is no painting of"):
        weights_of("scream", card)
    with pytest.raises(StyleError, match="is no painting of"):
        weights_of("ink", open_style("scream").style.card)  # a network of one painting
