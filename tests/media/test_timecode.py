"""Timecode: every number of a day in order, with dropped numbers as the standard drops them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from framebrush.media.reading.timecode import Timecode

NTSC, NTSC_DOUBLE, FILM, PAL = (
    Fraction(30000, 1001),
    Fraction(60000, 1001),
    Fraction(24000, 1001),
    Fraction(25),
)


def numbers(base: int, skipped: int) -> Iterator[str]:
    """Yield the timecodes of 22 minutes by SMPTE ST 12-1, with `skipped` numbers dropped.

    A minute begins with the number `skipped`, except each tenth.
    """
    for minute in range(22):
        for second in range(60):
            for frame in range(base):
                if second or not minute % 10 or frame >= skipped:
                    yield f"00:{minute:02}:{second:02}{';' if skipped else ':'}{frame:02}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rate", "base", "skipped"), [(NTSC, 30, 2), (NTSC_DOUBLE, 60, 4), (NTSC, 30, 0), (PAL, 25, 0)]
)
def test_every_frame_has_its_number(rate: Fraction, base: int, skipped: int) -> None:
    for count, text in enumerate(numbers(base, skipped)):
        made = Timecode(count, rate, bool(skipped))
        assert str(made) == text
        if text.endswith(("00", "02", "04", "29")):
            assert Timecode.parsed(text, rate) == made


def test_dropped_numbers_keep_pace_with_a_clock_and_a_day_ends() -> None:
    hour = Timecode.parsed("01:00:00;00", NTSC)
    assert hour is not None
    assert hour.frames == 107_892  # of 108,000 numbers
    assert str(hour.after(107_892 * 22)) == "23:00:00;00"
    assert str(hour.after(107_892 * 23)) == "00:00:00;00"
    assert str(hour.after(-1)) == "00:59:59;29"
    assert str(Timecode.parsed("00:00:59;29", NTSC).after(1)) == "00:01:00;02"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "rate", "at", "becomes"),
    [
        ("01:00:00:12", PAL, Fraction(50), "01:00:00:24"),
        ("01:00:00;15", NTSC, NTSC_DOUBLE, "01:00:00;30"),
        ("01:00:00;15", NTSC, FILM, "01:00:00:12"),
        ("01:00:00:15", NTSC, FILM, "01:00:00:12"),
        ("10:11:12:13", PAL, PAL, "10:11:12:13"),
        ("10:11:12:119", Fraction(120), Fraction(120), "10:11:12:119"),
        ("10:11:12.13", NTSC, NTSC, "10:11:12;13"),  # as MXF has dropped numbers
    ],
)
def test_another_rate_counts_from_the_same_second(text: str, rate: Fraction, at: Fraction, becomes: str) -> None:
    parsed = Timecode.parsed(text, rate)
    assert parsed is not None
    assert str(parsed.at(at)) == becomes


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("01:00:00:25", PAL),
        ("01:00:00;00", PAL),
        ("01:00:00;00", Fraction(30)),
        ("01:01:00;00", NTSC),
        ("01:01:00;01", NTSC),
        ("24:00:00:00", PAL),
        ("01:60:00:00", PAL),
        ("01:00:60:00", PAL),
        ("1:00:00:00", PAL),
        ("٠1:00:00:00", PAL),
        ("01:00:00:00\n", PAL),
        ("", PAL),
        ("01:00:00:00", Fraction(1, 10**9)),
        ("01:00:00:00", Fraction(10**9)),
        ("01:00:00:00", Fraction(0)),
    ],
)
def test_what_counts_no_frames_of_the_rate_is_no_timecode(text: str, rate: Fraction) -> None:
    assert Timecode.parsed(text, rate) is None


@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_are_dropped_near_the_rate_of_television(sign: int) -> None:
    off = sign * Fraction(30, 10_000)
    assert Timecode.parsed("01:01:00;02", NTSC + off * Fraction(99, 100)) is not None
    assert Timecode.parsed("01:01:00;02", NTSC + off) is None


@pytest.mark.parametrize(
    ("text", "rate", "frames"),
    [
        ("23:59:59:24", PAL, 24 * 3600 * 25 - 1),
        ("24:00:00:00", PAL, None),
        ("00:00:00:25", PAL, None),
        ("00:60:00:00", PAL, None),
        ("00:00:01:00", Fraction(1), 1),
        ("00:00:00:01", Fraction(1), None),
        ("00:00:00:00", Fraction(1, 2), None),  # rounded, no frame a second
        ("00:00:00:00", Fraction(2, 3), 0),
        ("00:00:00:00", Fraction(0), None),
        ("00:00:00:998", Fraction(999), 998),
        ("00:00:00:00", Fraction(1000), None),
        ("00:00:00;00", PAL, None),  # drops no frames
        ("00:01:00;01", NTSC, None),
        ("00:01:00;02", NTSC, 1800),
        ("00:01:00.02", NTSC, 1800),
        ("00:01:01;00", NTSC, 1828),
        ("00:10:00;00", NTSC, 17_982),
        ("00:01:00;03", NTSC_DOUBLE, None),
        ("00:01:00;04", NTSC_DOUBLE, 3600),
        ("00:00:00;00", Fraction(30), None),
        ("00:00:00;00", Fraction(2997, 100), 0),  # as some files have the rate
    ],
)
def test_a_timecode_is_one_of_a_day(text: str, rate: Fraction, frames: int | None) -> None:
    found = Timecode.parsed(text, rate)
    assert (None if found is None else found.frames) == frames
    if found is not None:
        assert str(found) == text.replace(".", ";")


def test_a_timecode_is_so_many_frames_behind_another() -> None:
    one, other = Timecode(10, PAL), Timecode(24 * 3600 * 25 - 5, PAL)
    assert (one.since(other), other.since(one), one.since(one)) == (15, 24 * 3600 * 25 - 15, 0)
    dropped = Timecode(3, NTSC, drop=True)
    assert dropped.since(Timecode(4, NTSC, drop=True)) == 24 * 107_892 - 1
