"""Timecode: the number of a frame as hours, minutes, seconds and frames, with and without dropped numbers.

Source: SMPTE ST 12-1. Drop-frame counts of 30000/1001 frames a second skip the numbers 0 and 1 in every minute but each
tenth, those of 60000/1001 skip four, so that the count keeps pace with a clock.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

_TEXT = re.compile(r"(\d\d):([0-5]\d):([0-5]\d)([:;.,])(\d\d\d?)", re.ASCII)
_BASE = 30
"""Frames a second of which a count drops numbers, or a multiple; two of each 30."""


@dataclass(frozen=True, slots=True)
class Timecode:
    """frames: since 00:00:00:00. rate: of the frames, which are counted in the nearest whole number a second. drop:
    whether numbers are dropped."""

    frames: int
    rate: Fraction
    drop: bool = False

    @classmethod
    def parsed(cls, text: str, rate: Fraction) -> Self | None:
        """The timecode of a text such as "01:00:00:12", or "01:00:00;12" with dropped numbers; None where it is none of
        this rate."""
        match = _TEXT.fullmatch(text)
        if match is None or not 0 < rate < 1000:
            return None
        hours, minutes, seconds, frames = (int(match[group]) for group in (1, 2, 3, 5))
        base, drop = round(rate), match[4] != ":"
        skipped = _skipped(rate) if drop else 0
        if base < 1 or frames >= base or hours > 23 or (drop and not skipped):
            return None
        if frames < skipped and not seconds and minutes % 10:
            return None  # a number that is not there
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
        """The frames of a day that would have passed if no number were dropped."""
        base, skipped = round(self.rate), _skipped(self.rate) if self.drop else 0
        ten_minutes = 600 * base - 9 * skipped
        tens, rest = divmod(self.frames % (24 * 6 * ten_minutes), ten_minutes)
        begun = (rest - skipped) // (60 * base - skipped)  # minutes of the ten that dropped some; the first did not
        return tens * 600 * base + rest + skipped * max(0, begun)

    def after(self, frames: int) -> Timecode:
        """That of the frame so many later."""
        return Timecode(self.frames + frames, self.rate, self.drop)

    def at(self, rate: Fraction) -> Timecode:
        """The same hours, minutes and seconds where frames come at another rate. Numbers are dropped where both rates
        may."""
        drop = self.drop and bool(_skipped(rate))
        frames = self.frames if drop == self.drop else self._number
        return Timecode(int(frames * rate / self.rate), rate, drop)


def _skipped(rate: Fraction) -> int:
    """How many numbers are dropped a minute at a rate; 0 where none may be."""
    base = round(rate)
    near = base and abs(rate - Fraction(base * 1000, 1001)) < Fraction(base, 10_000)
    return 2 * base // _BASE if near and base % _BASE == 0 else 0
