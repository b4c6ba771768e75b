"""Detection of dissolves from the thumbnails of `analysis.cuts`.

Pictures move evenly between both ends, and much slower around them (Zhang, Kankanhalli and Smoliar, 1993; Fernando,
Canagarajah and Bull, 1999).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.analysis.cuts import ALIKE, Thumbnail, is_blank

LENGTHS = (3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48, 58, 70, 85)
"""Lengths of dissolves to look for. Others are found as the nearest one."""

MOST_OFF = 0.2
"""Largest RMS distance of pictures from the line, in its lengths. Four of five dissolves between moving shots stay
below; with 0.27 pans are mistaken eighteen times as often."""

MOST_UNEVEN = 0.2  # how far a picture may lead or lag, in lengths of the line
MOST_ON = 0.05  # how much of the line may continue at either end
LEAST_SPREAD = 0.2
"""Least share of the picture that changes, as (sum |d|)² / (count · sum d²). An object on a flat background moves as
evenly but changes few cells. Between shots it is about a half."""

MOST_AROUND = 0.5  # largest motion within a quarter of the dissolve's time before and after


@dataclass(frozen=True, slots=True)
class Dissolve:
    """Dissolve. first: of the new shot. end: first frame of that shot alone."""

    first: int
    end: int

    @property
    def frames(self) -> int:
        """Return the number of frames showing both shots."""
        return self.end - self.first

    @property
    def middle(self) -> int:
        """Return the first frame with half of the new shot."""
        return (self.first + self.end) // 2


@dataclass(frozen=True, slots=True)
class _Picture:
    number: int
    values: npt.NDArray[np.float32]
    pattern: npt.NDArray[np.float32] | None


class Dissolves:
    """Detector of dissolves in consecutive frames."""

    def __init__(self) -> None:
        self._pictures: deque[_Picture] = deque(maxlen=LENGTHS[-1] + 2 + 2 * _around(LENGTHS[-1]))
        self._found: Dissolve | None = None
        self._cost = np.inf

    def add(self, number: int, thumbnail: Thumbnail, *, begins: bool) -> Dissolve | None:
        """Add the next frame; return a completed dissolve."""
        told = self.rest() if begins else None
        pictures = self._pictures
        if begins or (pictures and thumbnail.size != pictures[-1].values.size):
            pictures.clear()
        centred = (thumbnail - thumbnail.mean()).ravel()
        pattern = None if is_blank(thumbnail) else centred / np.linalg.norm(centred)
        pictures.append(_Picture(number, thumbnail.ravel(), pattern))
        for length in LENGTHS:
            self._look(length)
        found = self._found
        if found is not None and number >= found.end + max(4, found.frames // 2):  # a longer one would be known by now
            told = self.rest()
        return told

    def rest(self) -> Dissolve | None:
        """Return an unreported dissolve at a shot's end."""
        told, self._found, self._cost = self._found, None, np.inf
        while told is not None and self._pictures and self._pictures[0].number < told.end:
            self._pictures.popleft()
        return told

    def _look(self, length: int) -> None:
        pictures, around = self._pictures, _around(length)
        end = len(pictures) - 1 - around
        begin = end - length - 1
        if begin < around:
            return
        one, other = pictures[begin], pictures[end]
        if one.pattern is None or other.pattern is None or float(one.pattern @ other.pattern) >= ALIKE:
            return
        line = other.values - one.values
        long = float(line @ line)
        if float(np.abs(line).sum()) ** 2 < LEAST_SPREAD * line.size * long:
            return
        before, behind = pictures[begin - around].values - one.values, pictures[-1].values - other.values
        if max(float(before @ before), float(behind @ behind)) > MOST_AROUND**2 * long:
            return
        if min(float(before @ line), -float(behind @ line)) < -MOST_ON * long:
            return
        way = np.stack([pictures[index].values for index in range(begin + 1, end)]) - one.values
        share = way @ line / long
        off = float(np.sqrt(((way - share[:, None] * line) ** 2).sum(1).mean() / long))
        uneven = float(np.abs(share - np.arange(1, length + 1) / (length + 1)).max())
        if off > MOST_OFF or uneven > MOST_UNEVEN or off + uneven >= self._cost:
            return
        self._found, self._cost = Dissolve(pictures[begin + 1].number, other.number), off + uneven


def _around(length: int) -> int:
    return max(2, length // 4)
