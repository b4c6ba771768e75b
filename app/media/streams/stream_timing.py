"""Range ends, frame durations and chapters."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from framebrush.base.text import count_of
from framebrush.media.containers import Container
from framebrush.media.reading.fields import CADENCES
from framebrush.media.reading.listing import index_of
from framebrush.media.video import OutputError, TimeRange, VideoInfo

if TYPE_CHECKING:
    from av.container.core import Chapter  # only in the stub


def expected_end(info: VideoInfo, span: TimeRange, zero_s: Fraction) -> Fraction | None:
    """Return the range's end in output seconds, None for the file's.

    zero_s: source time that becomes 0.
    """
    first_s = info.start_s
    ends = []
    if span.end is not None:
        ends.append(first_s + info.seconds_of(span.end) - zero_s)
    if span.frames is not None:
        begins = Fraction(0) if span.start is not None else first_s - zero_s
        ends.append(begins + span.frames / info.usual_rate)
    return min(ends, default=None)


def chapters_within(chapters: Iterable[Chapter], zero_s: Fraction, end_s: Fraction | None) -> list[Chapter]:
    """Return the output's chapters, cut to it."""
    kept = []
    for chapter in chapters:
        base = chapter["time_base"]
        if not base:
            continue
        shift = round(zero_s / base)
        start, end = max(0, chapter["start"] - shift), chapter["end"] - shift
        if end_s is not None:
            end = min(end, round(end_s / base))
        if start < end:
            kept.append(chapter | {"start": start, "end": end})
    return kept


def later(chapters: Iterable[Chapter], by_s: Fraction) -> list[Chapter]:
    """Return chapters delayed by seconds."""
    moved = []
    for chapter in chapters:
        base = chapter["time_base"]
        ticks = round(by_s / base) if base else 0
        moved.append(chapter | {"start": chapter["start"] + ticks, "end": chapter["end"] + ticks})
    return moved


def repeated(info: VideoInfo, span: TimeRange, container: Container) -> int:
    """Return the frames repeated for a constant rate. Raises OutputError, InputError."""
    rate, cadence = info.usual_rate, CADENCES[info.deinterlaced or "off"]
    if info.path is None or cadence.given != cadence.taken:
        return 0  # fields are evenly spaced
    index = index_of(info.path, info.opening, info.start_pts)
    if index is None:
        return 0
    begin = 0 if span.start is None else index.number_of(span.start, info)
    ends = [len(index.pts)] if span.end is None else [index.number_of(span.end, info)]
    ends += [] if span.frames is None else [begin + span.frames]
    shown = index.pts[begin : min(ends)]
    if not shown:
        return 0  # a still at the last frame, or refused by the reader
    ticks = [round((pts - shown[0]) * info.time_base * rate) for pts in shown]
    for number, (before, tick) in enumerate(pairwise(ticks), begin + 1):
        if tick <= before:
            raise OutputError(
                f"{container.name} shows {count_of(float(rate), 'frame')} a second at an even pace, and frame "
                f"{number} of {info.name} follows sooner; use .mkv, .mov or .mp4, which keep the time of each frame"
            )
    return ticks[-1] - len(ticks) + 1


class Durations:
    """Frame durations in source ticks, for the encoder's packets."""

    def __init__(self, usual: int) -> None:
        self._usual = max(1, usual)
        self._waiting: dict[int, int] = {}
        self._last: int | None = None
        self._last_is_guess = False

    def add(self, pts: int, duration: int) -> None:
        """Add a displayed frame. duration: 0 if unknown. Raises OutputError."""
        if self._last is None:
            self._first = pts
        else:
            gap = pts - self._last
            if gap <= 0:
                raise OutputError(f"the frame at {pts} does not come after the one at {self._last}")
            if self._last_is_guess:
                self._usual = gap
                if self._last in self._waiting:
                    self._waiting[self._last] = gap
        self._last, self._last_is_guess = pts, duration <= 0
        self._waiting[pts] = duration if duration > 0 else self._usual
        self._end = pts + self._waiting[pts]

    @property
    def end(self) -> int:
        """End of the last frame."""
        return self._end

    @property
    def earliest_dts(self) -> int:
        """Lower bound of the first decode time."""
        return self._first - (self.end - self._first)

    def pop(self, pts: int) -> int:
        """Remove and return the duration of a frame."""
        return self._waiting.pop(pts, self._usual)
