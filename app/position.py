"""Positions in a video as the command line takes them."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction

from framebrush.media.video import Position

_CLOCK = re.compile(r"(?:(?:(?P<hours>\d+):)?(?P<minutes>\d{1,2}):)?(?P<seconds>\d+(?:\.\d*)?|\.\d+)", re.ASCII)


def frame_named(text: str) -> tuple[str, str] | None:
    """The file and the place of "film.mp4@12.5", by the text alone; None for other texts."""
    path, at, place = text.rpartition("@")
    with suppress(ValueError):
        parse_position(place)
        return (path, place) if at else None
    return None


def parse_position(text: str) -> Position:
    """Seconds ("12.5"), a clock ("1:02:03.250", "02:03") or a frame ("123f").

    Exact: a decimal fraction stays one. Raises ValueError saying what is allowed.
    """
    if re.fullmatch(r"[0-9]+f", text):
        return Position(Fraction(int(text[:-1])), "frame")
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a time: give seconds, hh:mm:ss.mmm, or a frame such as 123f")
    seconds = Fraction(match["seconds"])
    if match["minutes"] and seconds >= 60:
        raise ValueError(f"'{text}' is not a time: seconds must be below 60 after minutes")
    return Position(int(match["hours"] or 0) * 3600 + int(match["minutes"] or 0) * 60 + seconds, "s")
