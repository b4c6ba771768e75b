"""Positions in a video as text."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction

from framebrush.base.text import count_of
from framebrush.media.reading.timecode import Timecode
from framebrush.media.video import Position

_CLOCK = re.compile(r"(?:(?:(?P<hours>\d+):)?(?P<minutes>\d{1,2}):)?(?P<seconds>\d+(?:\.\d*)?|\.\d+)", re.ASCII)


def frame_named(text: str) -> tuple[str, str] | None:
    """Split "film.mp4@12.5" into file and position, if possible."""
    path, at, place = text.rpartition("@")
    with suppress(ValueError):
        parse_position(place)
        return (path, place) if at else None
    return None


def parse_position(
    text: str, rate: Fraction | None = None, start: Timecode | None = None, count: int | None = None
) -> Position:
    """Parse seconds, a clock, a frame, or a timecode. Raises ValueError.

    Examples: "12.5", "1:02:03.250", "123f", "00:01:02:03", "00:01:02;03" (drop-frame).

    rate: for timecodes. start: first frame's timecode. count: of frames, if known.
    """
    if rate and (";" in text or text.count(":") == 3):
        if start is not None and start.drop and ";" not in text:
            text = ";".join(text.rsplit(":", 1))
        timecode = Timecode.parsed(re.sub(r"\d+", lambda digits: digits[0].zfill(2), text), rate)
        if timecode is None:
            rule = "; dropped numbers (;) go with 29.97 and 59.94 alone" if ";" in text else ""
            raise ValueError(f"'{text}' is no timecode of {count_of(float(rate), 'frame')} a second{rule}")
        number = timecode.frames
        if start is not None and start.drop == timecode.drop:
            own = timecode.since(start)
            has_it = own < count if count is not None else number >= start.frames
            number = own if has_it else number
        return Position.of_frame(number)
    if re.fullmatch(r"[0-9]+f", text):
        return Position.of_frame(int(text[:-1]))
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a time: give seconds, hh:mm:ss.mmm, or a frame such as 123f")
    seconds = Fraction(match["seconds"])
    if match["minutes"] and seconds >= 60:
        raise ValueError(f"'{text}' is not a time: seconds must be below 60 after minutes")
    return Position(int(match["hours"] or 0) * 3600 + int(match["minutes"] or 0) * 60 + seconds, "s")


def position_text(position: Position) -> str:
    """Format a position for `parse_position`."""
    return f"{position.value}f" if position.unit == "frame" else f"{float(position.value):.9f}".rstrip("0").rstrip(".")
