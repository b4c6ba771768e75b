"""Deinterlacing (bwdif) and inverse telecine (fieldmatch).

Count and times of shown frames follow from coded ones.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from av.filter import Graph
from av.video.frame import VideoFrame

from framebrush.media.filters import Filter, picture_filters, through
from framebrush.media.reading.index import FrameIndex
from framebrush.media.reading.missing_time import Hole, MissingTime
from framebrush.media.reading.weaving import Weaver, rows_of
from framebrush.media.video import Deinterlace, Position, TimeRange, VideoInfo

_BLOCK_PX = 32
"""Block size for comparing two frames, small enough for small motion. Default of FFmpeg's decimate."""


@dataclass(frozen=True, slots=True)
class Cadence:
    """Conversion from coded to shown frames.

    taken, given: frames per cycle; the time base is divided by `given`. reach: coded frames to decode before a cycle.
    """

    taken: int = 1
    given: int = 1
    filters: tuple[Filter, ...] = ()
    reach: int = 0

    def count(self, coded: int) -> int:
        """Return the shown frames' number."""
        cycles, rest = divmod(coded, self.taken)
        return cycles * self.given + rest

    def first_shown(self, coded: int) -> int:
        """Return a coded frame's first shown frame."""
        cycles, rest = divmod(coded, self.taken)
        return cycles * self.given + min(rest, self.given - 1)

    def first_coded(self, number: int) -> int:
        """Return the coded frame from which to decode a shown one."""
        return max(0, number // self.given * self.taken - self.reach)

    def times(self, cycle: Sequence[int], following: int | None, tick: int) -> list[int]:
        """Return a cycle's shown times. Arguments are in the file's time base."""
        if len(cycle) != self.taken:
            return [pts * self.given for pts in cycle]
        begin = cycle[0] * self.given
        if self.taken > 1:  # space four frames evenly over the time of five
            return [begin + number * self.taken * (cycle[-1] - cycle[0]) // self.given for number in range(self.given)]
        if self.given == 1:
            return [begin]
        second = begin + max(1, tick)
        return [begin, second if following is None else min(second, following * self.given - 1)]

    def shown(self, coded: FrameIndex, tick: int) -> FrameIndex:
        """Return the index of shown frames."""
        if (self.taken, self.given) == (1, 1):
            return coded
        pts: list[int] = []
        for begin in range(0, len(coded.pts), self.taken):
            end = begin + self.taken
            pts += self.times(coded.pts[begin:end], coded.pts[end] if end < len(coded.pts) else None, tick)
        end_pts = (coded.pts[-1] + coded.last_duration) * self.given
        last = max(1, end_pts - pts[-1]) if coded.last_duration else 0
        keyframes = [keyframe * self.given for keyframe in coded.keyframes]
        return FrameIndex(pts, keyframes, last, missing=self.missing(coded.missing))

    def missing(self, coded: MissingTime) -> MissingTime:
        """Convert holes to shown frames."""
        holes = (
            Hole(hole.before * self.given, hole.after * self.given, self.count(hole.frames)) for hole in coded.holes
        )
        return replace(coded, holes=tuple(holes))


def _bwdif(mode: str, which: str) -> Filter:
    return ("bwdif", {"mode": mode, "parity": "auto", "deint": which})


CADENCES: dict[Deinterlace, Cadence] = {
    "off": Cadence(),
    "auto": Cadence(filters=(_bwdif("send_frame", "interlaced"),), reach=1),
    "single": Cadence(filters=(_bwdif("send_frame", "all"),), reach=1),
    "double": Cadence(given=2, filters=(_bwdif("send_field", "all"),), reach=1),
    # Frames woven without a match, as at a cut within a film frame, stay flagged as interlaced. Matching, bwdif and the
    # comparison with the previous frame look one frame back each.
    "ivtc": Cadence(taken=5, given=4, filters=(_bwdif("send_frame", "interlaced"),), reach=5),
}


def as_read(info: VideoInfo, mode: Deinterlace) -> VideoInfo:
    """Convert facts from "auto" to another mode."""
    if mode == "auto":
        return info
    cadence = CADENCES[mode]
    return replace(
        info,
        time_base=info.time_base / cadence.given,
        rate=None if info.rate is None else info.rate * cadence.given / cadence.taken,
        start_pts=info.start_pts * cadence.given,
        frame_count=None if info.frame_count is None else cadence.count(info.frame_count),
        deinterlaced=None if mode == "off" else mode,
    )


def range_as_read(span: TimeRange, mode: Deinterlace) -> TimeRange:
    """Convert frame numbers from "auto" to another mode."""
    cadence = CADENCES[mode]

    def moved(place: Position | None, number: Callable[[int], int]) -> Position | None:
        counts = place is not None and place.unit == "frame"
        return Position.of_frame(number(int(place.value))) if place is not None and counts else place

    frames = None if span.frames is None else cadence.count(span.frames)
    return TimeRange(moved(span.start, cadence.first_shown), moved(span.end, cadence.count), frames)


@dataclass(frozen=True, slots=True)
class Shown:
    """Shown frame. duration: 0 until the next. missing: frames before it."""

    frame: VideoFrame
    pts: int
    duration: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class _Coded:
    number: int
    pts: int
    duration: int
    missing: int


class FieldFilter:
    """Converter from coded to shown frames, with delay."""

    def __init__(self, cadence: Cadence, time_base: Fraction, tick: int) -> None:
        self._cadence, self._time_base, self._tick = cadence, time_base, tick
        self._fields_each = cadence.given if cadence.taken == 1 else 1
        self._weaver: Weaver | None = None
        self._graph: Graph | None = None
        self._key: tuple[object, ...] = ()
        self._within: deque[_Coded] = deque()  # inside the filters, oldest first
        self._fields: list[VideoFrame] = []  # of the oldest
        self._cycle = _FilmCycle(cadence)

    def push(self, frame: VideoFrame | None, number: int = 0, missing: int = 0) -> list[Shown]:
        """Return the shown frames that are ready; None drains. missing: frames lost before."""
        if frame is not None:
            assert frame.pts is not None
            self._within.append(_Coded(number, frame.pts, frame.duration or 0, missing))
        ready: list[Shown] = []
        key = (frame.width, frame.height, frame.format.name) if frame else ()
        if key != self._key:
            ready += self._pull(None)
            self._key = key
            self._graph = picture_filters(frame, self._time_base, *self._cadence.filters) if frame else None
            self._weaver = Weaver(frame, self._time_base) if frame and self._cadence.taken > 1 else None
        ready += self._pull(frame) if frame else self._cycle.end()
        for shown in ready:
            shown.frame.pts, shown.frame.time_base = shown.pts, self._time_base / self._cadence.given
            shown.frame.duration = shown.duration
        return ready

    def _pull(self, frame: VideoFrame | None) -> list[Shown]:
        if self._graph is None:
            return []
        pictures: list[VideoFrame | None] = [frame]
        if self._weaver is not None:
            woven = self._weaver.push(frame) if frame else self._weaver.end()
            pictures = [*filter(None, [woven]), *([] if frame else [None])]
        ready: list[Shown] = []
        for picture in pictures:
            for field in through(self._graph, picture):
                self._fields.append(field)
                if len(self._fields) == self._fields_each:
                    ready += self._timed(self._within.popleft(), self._fields)
                    self._fields = []
        return ready

    def _timed(self, coded: _Coded, fields: list[VideoFrame]) -> list[Shown]:
        if self._cadence.taken > 1:
            return self._cycle.add(coded, fields[0])
        if self._cadence.given == 1:
            return [Shown(fields[0], coded.pts, coded.duration, coded.missing)]
        following = self._within[0].pts if self._within else None
        times = self._cadence.times([coded.pts], following, self._tick)
        shown = [Shown(field, time) for field, time in zip(fields, times, strict=True)]
        return [replace(shown[0], missing=coded.missing * self._cadence.given), *shown[1:]]


class _FilmCycle:
    """Telecine cycle that drops the frame most like its predecessor.

    FFmpeg's decimate counts from its own start.
    """

    def __init__(self, cadence: Cadence) -> None:
        self._cadence = cadence
        self._number = 0
        self._coded: list[_Coded] = []
        self._frames: list[VideoFrame] = []
        self._changes: list[float] = []
        self._last: VideoFrame | None = None
        self._missing: Counter[int] = Counter()  # undecodable coded frames by cycle number
        self._owed = 0

    def add(self, coded: _Coded, frame: VideoFrame) -> list[Shown]:
        taken = self._cadence.taken
        self._missing.update(number // taken for number in range(coded.number - coded.missing, coded.number))
        ready = self.end() if coded.number // taken != self._number else []
        self._number = coded.number // taken
        for cycle in [cycle for cycle in self._missing if cycle < self._number]:
            self._owed += max(0, self._missing.pop(cycle) - (taken - self._cadence.given))
        self._coded.append(coded)
        self._frames.append(frame)
        self._changes.append(float("inf") if self._last is None else _change(self._last, frame))
        self._last = frame
        return ready

    def end(self) -> list[Shown]:
        times = self._cadence.times([coded.pts for coded in self._coded], None, 0)
        if len(self._frames) == self._cadence.taken:
            del self._frames[self._changes.index(min(self._changes))]
        shown = [Shown(frame, time) for frame, time in zip(self._frames, times, strict=True)]
        if shown:
            shown[0], self._owed = replace(shown[0], missing=self._owed), 0
        self._coded, self._frames, self._changes = [], [], []
        return shown


def _change(before: VideoFrame, frame: VideoFrame) -> float:
    if (before.width, before.height, before.format.name) != (frame.width, frame.height, frame.format.name):
        return float("inf")
    difference = np.abs(_luma(before) - _luma(frame))
    rows, columns = (range(0, side, _BLOCK_PX) for side in difference.shape)
    return float(np.add.reduceat(np.add.reduceat(difference, rows, axis=0), columns, axis=1).max())


def _luma(frame: VideoFrame) -> npt.NDArray[np.int32]:
    dtype = np.uint8 if frame.format.components[0].bits == 8 else np.uint16
    return next(rows_of(frame)).view(dtype).astype(np.int32)


def top_field_first(frame: VideoFrame) -> bool:
    """Return whether the top field comes first."""
    only_top = ("select", {"expr": "eq(interlace_type,1)"})  # INTERLACE_TYPE_T of vf_select.c
    return any(through(picture_filters(frame, Fraction(1), only_top), frame))
