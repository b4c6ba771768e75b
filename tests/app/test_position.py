"""Places in time as a person types them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from framebrush.media.video import Position
from framebrush.position import parse_position

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", Position(Fraction(0), "s")),
        ("12.5", Position(Fraction(25, 2), "s")),
        (".1", Position(Fraction(1, 10), "s")),
        ("90", Position(Fraction(90), "s")),
        ("02:03", Position(Fraction(123), "s")),
        ("1:02:03.250", Position(Fraction(14893, 4), "s")),
        ("123f", Position(Fraction(123), "frame")),
    ],
)
def test_reads(text: str, expected: Position) -> None:
    assert parse_position(text) == expected


@pytest.mark.parametrize("text", ["", "-1", "1:2:3:4", "12s", "f", "1.5f", "1:75", "nan", "1e3", "١٢"])
def test_refuses(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a time|seconds in a minute"):
        parse_position(text)
