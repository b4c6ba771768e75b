"""Places in time as a person types them."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import pytest

from framebrush.media.reading.position import frame_named, parse_position, position_text
from framebrush.media.reading.timecode import Timecode
from framebrush.media.video import Position

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


def test_a_minute_has_sixty_seconds() -> None:
    assert parse_position("1:59.9") == Position(Fraction(1199, 10), "s")
    with pytest.raises(ValueError, match="seconds must be below 60 after minutes"):
        parse_position("1:60")


FILM, NTSC, NTSC_60 = Fraction(24_000, 1001), Fraction(30_000, 1001), Fraction(60_000, 1001)


@pytest.mark.parametrize(
    ("text", "rate", "frame"),
    [
        ("00:00:00:00", Fraction(25), 0),
        ("1:02:03:04", Fraction(25), 93_079),
        ("00:00:59:23", FILM, 1439),
        ("00:01:00:00", FILM, 1440),
        ("00:01:00:00", NTSC, 1800),
        ("00:00:59;29", NTSC, 1799),
        ("00:01:00;02", NTSC, 1800),
        ("00:10:00;00", NTSC, 17_982),
        ("01:00:00;00", NTSC, 107_892),
        ("00:01:00;04", NTSC_60, 3600),
        ("01:00:00;00", NTSC_60, 215_784),
        ("00:01:00:00", Fraction(3001, 100), 1800),  # as telephones record: somewhat more than they say
    ],
)
def test_reads_timecodes(text: str, rate: Fraction, frame: int) -> None:
    assert parse_position(text, rate) == Position(Fraction(frame), "frame")


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("00:00:00:25", Fraction(25)),
        ("00:00:60:00", Fraction(25)),
        ("00:60:00:00", Fraction(25)),
        ("00:00:00;00", Fraction(25)),
        ("00:00:00;00", FILM),
        ("00:01:00;01", NTSC),
        ("00:11:00;03", NTSC_60),
    ],
)
def test_refuses_timecodes_that_no_frame_has(text: str, rate: Fraction) -> None:
    with pytest.raises(ValueError, match=r"timecode|drops frames") as refused:
        parse_position(text, rate)
    assert ("dropped numbers (;)" in str(refused.value)) is (";" in text)


def test_a_timecode_needs_a_rate() -> None:
    with pytest.raises(ValueError, match="is not a time"):
        parse_position("00:00:00:01")


def test_the_other_forms_are_the_same_with_a_rate() -> None:
    for text in ("12.5", "02:03", "1:02:03.250", "123f"):
        assert parse_position(text, NTSC) == parse_position(text)


@pytest.mark.parametrize(
    ("text", "start", "count", "frame"),
    [
        ("10:00:01:00", "10:00:00:00", 100, 30),
        ("00:00:01:00", "10:00:00:00", 100, 30),  # the film has no such timecode: from its first frame
        ("10:00:03:10", "10:00:00:00", 100, 1_080_100),  # behind its end: from its first frame, which is behind it, too
        ("09:59:59:29", "10:00:00:00", None, 1_079_999),
        ("00:00:00:05", "23:59:59:20", 100, 15),  # over midnight
        ("01:00:00:02", "00:59:59:20", None, 12),
        ("00:59:59:20", "00:59:59:20", None, 0),
        ("01:01:00:02", "01:00:59;28", 100, 2),  # typed with a colon, counted as the film does
        ("01:01:00;02", "01:00:59;28", 100, 2),
        ("00:01:00;02", "00:00:00:00", 1801, 1800),  # of another kind than the film's
    ],
)
def test_reads_a_timecode_of_the_film(text: str, start: str, count: int | None, frame: int) -> None:
    first = Timecode.parsed(start, NTSC)
    assert first is not None
    assert parse_position(text, NTSC, first, count) == Position(Fraction(frame), "frame")


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("3", "s", "3"),
        ("0", "s", "0"),
        ("100", "s", "100"),
        ("1/8", "s", "0.125"),
        ("1/3", "s", "0.333333333"),
        ("100", "frame", "100f"),
    ],
)
def test_a_position_is_written_as_a_person_would(value: str, unit: Literal["s", "frame"], text: str) -> None:
    assert position_text(Position(Fraction(value), unit)) == text
    assert parse_position(text).unit == unit


def test_a_frame_of_a_film_is_named_by_its_position() -> None:
    assert frame_named("film@home.mp4@1:02.5") == ("film@home.mp4", "1:02.5")
    assert frame_named("film.mp4@123f") == ("film.mp4", "123f")
    for text in ("film.mp4", "film@home.mp4", "film.mp4@", "12.5", ""):
        assert frame_named(text) is None
