"""Records as JSON: numbers, texts and records at their limits."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

import pytest

from framebrush.base.json_values import INLINE, MAX_NUMBER, MAX_TEXT, JsonError, from_values, to_text

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("kind", [int, float])
def test_a_number_is_read_up_to_its_limit(kind: type[int] | type[float], sign: int) -> None:
    assert from_values(kind, sign * MAX_NUMBER, "n") == sign * MAX_NUMBER
    for beyond in (sign * (MAX_NUMBER + 1), sign * math.inf, math.nan):
        with pytest.raises(JsonError):
            from_values(kind, beyond, "n")


class Kind(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    """Record with its fields among the outer record's."""

    width: int = 3
    word: Literal["on", "off", 2] = "on"


@dataclass(frozen=True)
class Record:
    text: str
    share: Fraction
    inner: Inner = field(default_factory=Inner, metadata=INLINE)
    flag: bool = False
    kind: Kind = Kind.RED
    pair: tuple[int, float] = (1, 2.0)
    many: tuple[str, ...] = ()
    maybe: int | str | None = None
    beside: Inner | None = None

    def __post_init__(self) -> None:
        if self.text == "bad":
            raise ValueError("bad is no text")


LEAST: dict[str, Any] = {"text": "t", "share": "1/3"}
WHOLE = Record("t", Fraction(-1, 3), Inner(5, 2), True, Kind.BLUE, (-4, 0.5), ("a", "b"), 7, Inner(1, "off"))


def test_a_record_is_read_as_it_is_written() -> None:
    values = json.loads(to_text(WHOLE))
    assert values == {
        "text": "t",
        "share": "-1/3",
        "width": 5,
        "word": 2,
        "flag": True,
        "kind": "blue",
        "pair": [-4, 0.5],
        "many": ["a", "b"],
        "maybe": 7,
        "beside": {"width": 1, "word": "off"},
    }
    assert from_values(Record, values, "r") == WHOLE
    assert from_values(Record, LEAST, "r") == Record("t", Fraction(1, 3))
    assert from_values(Record, LEAST | {"maybe": "x", "beside": None}, "r").maybe == "x"
    assert to_text(WHOLE, indent=1).count("\n") > 10


def test_text_that_is_no_unicode_is_written_once_escaped() -> None:
    assert json.loads(to_text(Record("\udcff", Fraction(1), many=("\udc80",))))["text"] == "\\udcff"
    assert json.loads(to_text(("\udcff", Record("ä", Fraction(2)))))[0] == "\\udcff"


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([], "r is a list; it must be an object"),
        ({"text": "t"}, "r has no field 'share'"),
        (LEAST | {"colour": 1}, "r has an unknown field 'colour'"),
        (LEAST | {"inner": {}}, "r has an unknown field 'inner'"),
        (LEAST | {"text": "bad"}, "r: bad is no text"),
        (LEAST | {"text": 1}, "r.text is 1; it must be a text"),
        (LEAST | {"text": "x" * (MAX_TEXT + 1)}, f"r.text has {MAX_TEXT + 1} characters; at most {MAX_TEXT} are"),
        (LEAST | {"text": {}}, "r.text is an object; it must be a text"),
        (LEAST | {"text": ["y" * 99]}, "r.text is a list; it must be a text"),
        (LEAST | {"flag": "y" * 59}, f"r.flag is '{'y' * 56}…; it must be true or false"),
        (LEAST | {"flag": "y" * 58}, f"r.flag is '{'y' * 58}'; it must be true or false"),
        (LEAST | {"flag": 1}, "r.flag is 1; it must be true or false"),
        (LEAST | {"width": True}, "r.width is True; it must be a whole number"),
        (LEAST | {"width": 1.0}, "r.width is 1.0; it must be a whole number"),
        (LEAST | {"width": 1 << 80}, "r.width is a number of 81 bits; it must be at most "),
        (LEAST | {"word": "no"}, "r.word is 'no'; it must be one of on, off, 2"),
        (LEAST | {"word": 2.0}, "r.word is 2.0; it must be one of on, off, 2"),
        (LEAST | {"kind": "green"}, "r.kind is 'green'; it must be one of red, blue"),
        (LEAST | {"kind": 1}, "r.kind is 1; it must be one of red, blue"),
        (LEAST | {"pair": [1]}, "r.pair has 1 value; it must have 2"),
        (LEAST | {"pair": "ab"}, "r.pair is 'ab'; it must be a list"),
        (LEAST | {"pair": [1, "b"]}, "r.pair[1] is 'b'; it must be a number"),
        (LEAST | {"many": ["a", 2]}, "r.many[1] is 2; it must be a text"),
        (LEAST | {"maybe": 0.5}, "r.maybe is 0.5; it must be a whole number"),
        (LEAST | {"beside": {"wide": 1}}, "r.beside has an unknown field 'wide'"),
        (LEAST | {"share": 0.5}, "r.share is 0.5; it must be a text such as '5' or '3/25'"),
        (LEAST | {"share": "1/0"}, "r.share is 1/0; its denominator must not be 0"),
        (LEAST | {"share": "1" * 31}, "it must be a text such as '5' or '3/25'"),
        (LEAST | {"share": "1/" + "1" * 31}, "it must be a text such as '5' or '3/25'"),
    ],
)
def test_what_does_not_fit_is_said_with_its_field(values: object, says: str) -> None:
    with pytest.raises(JsonError) as refused:
        from_values(Record, values, "r")
    assert says in str(refused.value)


def test_text_and_fractions_are_read_up_to_their_limits() -> None:
    assert from_values(Record, LEAST | {"text": "x" * MAX_TEXT}, "r").text == "x" * MAX_TEXT
    assert from_values(Fraction, f"{'9' * 30}/{'7' * 30}", "n") == Fraction(int("9" * 30), int("7" * 30))
