"""Where one shot dissolves into the next, found from the thumbnails that cuts are found from.

In a dissolve each picture is a mix of the last one of the old shot and the first one of the new shot, whose share grows
steadily. So a stretch of film is a dissolve if its ends are unlike, if the pictures between them lie near the straight
line from one end to the other and go along it evenly, and if the film moves much slower ahead of it and behind it. A
pan, a zoom and what crosses the picture leave that line, a fade never shows both ends, and a cut takes one step. A miss
costs as little as a false find: tables of colours ease for some frames, or change with the shot.

The idea is that of Zhang, Kankanhalli and Smoliar, "Automatic partitioning of full-motion video", 1993, who compare the
ends of a slow change; the test of what lies between is the model that Fernando, Canagarajah and Bull fit to it, "Fade
and dissolve detection in uncompressed and compressed video sequences", 1999.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.analysis.cuts import ALIKE, Thumbnail, is_blank

LENGTHS = (3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48, 58, 70, 85)
"""Frames of the dissolves that are looked for. What lies between two of them is found as the nearer one."""

MOST_OFF = 0.2
"""How far pictures may lie from the line, as a root mean square, in lengths of the line. Of dissolves between shots
that move four in five stay below; with 0.27 a pan is taken for one eighteen times as often."""

MOST_UNEVEN = 0.2  # how far a picture may be ahead of its time, or behind it, in lengths of the line
MOST_ON = 0.05  # how much of the line may follow it at either end
LEAST_SPREAD = 0.2
"""The share of the picture that has to change, as (sum |d|)² / (count · sum d²): a thing that crosses a flat ground
leaves one cell of the thumbnail for the next as evenly as a dissolve, but changes no other. Between shots it is about a
half."""

MOST_AROUND = 0.5  # how far the film may move, in a quarter of the dissolve's time, ahead of it and behind it


@dataclass(frozen=True, slots=True)
class Dissolve:
    """first: the number of the first frame in which the new shot is seen. end: of the first in which it is alone."""

    first: int
    end: int

    @property
    def frames(self) -> int:
        """How many show both shots."""
        return self.end - self.first

    @property
    def middle(self) -> int:
        """The first frame that shows more of the new shot, or as much."""
        return (self.first + self.end) // 2


@dataclass(frozen=True, slots=True)
class _Picture:
    """number: of the frame. values: its thumbnail. pattern: that at mean 0 and length 1, which light does not change,
    None for a blank one."""

    number: int
    values: npt.NDArray[np.float32]
    pattern: npt.NDArray[np.float32] | None


class Dissolves:
    """For the frames of a film, which arrive one by one. A dissolve is reported some frames after its end."""

    def __init__(self) -> None:
        self._pictures: deque[_Picture] = deque(maxlen=LENGTHS[-1] + 2 + 2 * _around(LENGTHS[-1]))
        self._found: Dissolve | None = None
        self._cost = np.inf

    def add(self, number: int, thumbnail: Thumbnail, *, begins: bool) -> Dissolve | None:
        """The next frame; the dissolve that is now known to have ended before it, or before the shot that begins with
        it."""
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
        """What has been found and not yet reported, as no more frames of this shot follow."""
        told, self._found, self._cost = self._found, None, np.inf
        while told is not None and self._pictures and self._pictures[0].number < told.end:
            self._pictures.popleft()
        return told

    def _look(self, length: int) -> None:
        """Whether the last frames but those that have to follow it are a dissolve of this length."""
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
    """How many frames ahead of a dissolve and behind it are looked at."""
    return max(2, length // 4)
