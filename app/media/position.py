"""Positions in a video as the command line takes them."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction

from framebrush.media.video import Position

_TIMECODE = re.compile(r"(\d+):(\d{1,2}):(\d{1,2})([:;])(\d{1,3})", re.ASCII)
_CLOCK = re.compile(r"(?:(?:(?P<hours>\d+):)?(?P<minutes>\d{1,2}):)?(?P<seconds>\d+(?:\.\d*)?|\.\d+)", re.ASCII)


def frame_named(text: str) -> tuple[str, str] | None:
    """The file and the place of "film.mp4@12.5", by the text alone; None for other texts."""
    path, at, place = text.rpartition("@")
    with suppress(ValueError):
        parse_position(place)
        return (path, place) if at else None
    return None


def parse_position(text: str, rate: Fraction | None = None) -> Position:
    """Seconds ("12.5"), a clock ("1:02:03.250", "02:03") or a frame ("123f"); where the frames a second are known, also
    a timecode ("00:01:02:03", with drop frames "00:01:02;03"), counted from the first frame.

    Exact: a decimal fraction stays one. Raises ValueError saying what is allowed.
    """
    if rate and (timecode := _TIMECODE.fullmatch(text)):
        return Position(Fraction(_frame_of(timecode, rate)), "frame")
    if re.fullmatch(r"[0-9]+f", text):
        return Position(Fraction(int(text[:-1])), "frame")
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a time: give seconds, hh:mm:ss.mmm, or a frame such as 123f")
    seconds = Fraction(match["seconds"])
    if match["minutes"] and seconds >= 60:
        raise ValueError(f"'{text}' is not a time: seconds must be below 60 after minutes")
    return Position(int(match["hours"] or 0) * 3600 + int(match["minutes"] or 0) * 60 + seconds, "s")


def _frame_of(timecode: re.Match[str], rate: Fraction) -> int:
    """The frame that a timecode counts. With drop frames, which 29.97 and 59.94 frames a second alone have, the first
    two or four numbers of each minute are left out, but for every tenth minute. Raises ValueError. Source: SMPTE 12-1.
    """
    hours, minutes, seconds, frames = (int(timecode[group]) for group in (1, 2, 3, 5))
    counted = -(-rate.numerator // rate.denominator)
    dropped = 0
    if timecode[4] == ";":
        if rate not in (Fraction(30_000, 1001), Fraction(60_000, 1001)):
            raise ValueError(f"'{timecode[0]}' drops frames, which goes with 29.97 and 59.94 frames a second alone")
        dropped = counted // 15
    is_left_out = seconds == 0 and minutes % 10 and frames < dropped
    if minutes >= 60 or seconds >= 60 or frames >= counted or is_left_out:
        raise ValueError(f"'{timecode[0]}' is no timecode of {counted} frames a second")
    minutes += 60 * hours
    return (60 * minutes + seconds) * counted + frames - dropped * (minutes - minutes // 10)
