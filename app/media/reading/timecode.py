"""Timecode with and without drop-frame (SMPTE ST 12-1).

At 30000/1001 fps, nine of ten minutes skip numbers 0 and 1; at 60000/1001, four.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from av.container import InputContainer
from av.stream import Stream

from framebrush.media.reading.fields import CADENCES
from framebrush.media.video import VideoInfo

_TEXT = re.compile(r"(\d\d):([0-5]\d):([0-5]\d)([:;.,])(\d\d\d?)", re.ASCII)
_BASE = 30
"""Frame rate of drop-frame counts, or its divisor; two numbers per 30."""


@dataclass(frozen=True, slots=True)
class Timecode:
    """Timecode. frames: since 00:00:00:00. rate: rounded."""

    frames: int
    rate: Fraction
    drop: bool = False

    @classmethod
    def parsed(cls, text: str, rate: Fraction) -> Self | None:
        """Parse "01:00:00:12", or "01:00:00;12" with drop-frame."""
        match = _TEXT.fullmatch(text)
        if match is None or not 0 < rate < 1000:
            return None
        hours, minutes, seconds, frames = (int(match[group]) for group in (1, 2, 3, 5))
        base, drop = round(rate), match[4] != ":"
        skipped = _skipped(rate) if drop else 0
        if base < 1 or frames >= base or hours > 23 or (drop and not skipped):
            return None
        if frames < skipped and not seconds and minutes % 10:
            return None  # a dropped number
        passed = hours * 60 + minutes
        count = (passed * 60 + seconds) * base + frames - skipped * (passed - passed // 10)
        return cls(count, rate, drop)

    def __str__(self) -> str:
        base = round(self.rate)
        seconds, number = divmod(self._number, base)
        minutes, hours = seconds // 60 % 60, seconds // 3600
        digits = max(2, len(str(base - 1)))
        return f"{hours:02}:{minutes:02}:{seconds % 60:02}{';' if self.drop else ':'}{number:0{digits}}"

    @property
    def _number(self) -> int:
        base, skipped = round(self.rate), _skipped(self.rate) if self.drop else 0
        ten_minutes = self._ten_minutes
        tens, rest = divmod(self.frames % (24 * 6 * ten_minutes), ten_minutes)
        begun = (rest - skipped) // (60 * base - skipped)  # dropping minutes of ten; the first drops none
        return tens * 600 * base + rest + skipped * max(0, begun)

    @property
    def _ten_minutes(self) -> int:
        return 600 * round(self.rate) - (9 * _skipped(self.rate) if self.drop else 0)

    def after(self, frames: int) -> Timecode:
        """Return the timecode some frames later."""
        return Timecode(self.frames + frames, self.rate, self.drop)

    def since(self, earlier: Timecode) -> int:
        """Return frames since an earlier timecode, within 24 hours."""
        return (self.frames - earlier.frames) % (24 * 6 * self._ten_minutes)

    def at(self, rate: Fraction) -> Timecode:
        """Return the same time at another rate."""
        drop = self.drop and bool(_skipped(rate))
        frames = self.frames if drop == self.drop else self._number
        return Timecode(int(frames * rate / self.rate), rate, drop)


def first_timecode(info: VideoInfo) -> Timecode | None:
    """Return the first frame's timecode, if valid."""
    rate, cadence = info.usual_rate, CADENCES[info.deinterlaced or "off"]
    found = None if info.timecode is None else Timecode.parsed(info.timecode, rate * cadence.taken / cadence.given)
    return None if found is None else found.at(rate)


def _skipped(rate: Fraction) -> int:
    base = round(rate)
    near = base and abs(rate - Fraction(base * 1000, 1001)) < Fraction(base, 10_000)
    return 2 * base // _BASE if near and base % _BASE == 0 else 0


def timecode_of(source: InputContainer, picture: Stream) -> str | None:
    """Return the file's first timecode, "01:00:00:00"."""
    for metadata in (picture.metadata, source.metadata, *(stream.metadata for stream in source.streams.data)):
        for key, value in metadata.items():
            if key.lower() == "timecode" and value:
                return value
    return None
