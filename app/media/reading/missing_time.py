"""Missing time: holes between the packets of a film, and an end before the duration that the file's header promises.

A gap between two pictures is suspicious where it is longer than the film's own rhythm explains, and the packet before
it is not said to last so long. A slide show and a screen recording have such gaps, too. So all streams of the file are
read once more, and the gap is a hole where the sound pauses as well, or where bytes lie in it that belong to no packet.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from av.packet import Packet
from av.video.stream import VideoStream

from framebrush.media.reading.completeness import promises_duration
from framebrush.media.reading.open import open_media, packets
from framebrush.media.reading.source import Source
from framebrush.media.video import USUAL_RATE, OpenOptions

FEWEST = 12
"""Packets that show a rhythm."""

USUAL_SHARE = 0.95
"""Share of the gaps that are usual, the shortest ones."""

TIMES_USUAL = 3
"""How many times the longest usual gap is suspicious."""

EVEN_FORMATS = frozenset({"mpeg", "mxf"})
"""FFmpeg's names of the demuxers of formats with pictures at an even pace, except for the stills of DVDs, which have
sound. They may be padded, so their bytes are no witness."""

PADDED_FORMATS = EVEN_FORMATS | {"mpegts"}
"""FFmpeg's names of the demuxers of formats that may hold bytes without a meaning between packets."""

STREAM_PROMISES = frozenset({"avi", "mxf"})
"""FFmpeg's names of the demuxers of formats with a duration of each stream in their header."""

UNCLAIMED_SHARE = 0.25
"""Of the bytes that a gap of its length takes in this film: fewer may be the container's own."""

TOLERANCE_S, TOLERANCE_SHARE = Fraction(1, 2), Fraction(1, 100)
"""How much shorter than promised a film may be: headers round, and count the sound's priming."""

_COLUMNS = 5
PTS, DURATION, PLACE, SIZE, CORRUPT = range(_COLUMNS)


@dataclass(frozen=True, slots=True)
class Hole:
    """Frames that a file lacks. before, after: times of the packets around them, or the promised end."""

    before: int
    after: int
    frames: int

    def within(self, begin: int, end: int | None) -> int:
        """Number of the frames between two times, None for the end of the film."""
        inside = (self.after if end is None else min(end, self.after)) - max(begin, self.before)
        return min(self.frames, max(0, round(Fraction(inside * (self.frames + 1), self.after - self.before))))


@dataclass(frozen=True, slots=True)
class MissingTime:
    """The holes of a file, in order. to_end: whether the last one reaches from the last frame to the promised end."""

    holes: tuple[Hole, ...] = ()
    to_end: bool = False

    def within(self, begin: int, end: int | None) -> int:
        """Number of the frames that are missing between two times, None for the end of the film."""
        return sum(hole.within(begin, end) for hole in self.holes)


NOTHING_MISSING = MissingTime()


class PacketTimes:
    """Times of the packets of the picture, taken from the beginning of a file to its end."""

    def __init__(self, path: Path, opening: OpenOptions, source: Source) -> None:
        """source: the open file."""
        self._path, self._opening, self._timeline = path, opening, source.timeline
        self._formats = frozenset(source.container.format.name.split(","))
        self._base = source.time_base
        self._usable = not source.is_photograph
        rate = source.stream.guessed_rate or source.stream.average_rate or USUAL_RATE
        self._tick = max(1, round(1 / rate / self._base))
        self._of_stream = bool(self._formats & STREAM_PROMISES) and bool(source.stream.duration)
        if self._of_stream:
            self._promised_s = (source.stream.duration or 0) * self._base
        else:
            self._promised_s = Fraction(source.container.duration or 0, av.time_base)
        self._values = array("q")

    def add(self, packet: Packet[VideoStream]) -> None:
        """Take the next packet of the file. One without a time says nothing."""
        pts = packet.dts if packet.pts is None else packet.pts
        if pts is not None and not packet.is_discard:
            place = -1 if packet.pos is None else packet.pos
            self._values.extend((pts, packet.duration or 0, place, packet.size, packet.is_corrupt))

    def missing(self, *, to_end: bool = True) -> MissingTime:
        """Find the holes between the packets so far. to_end: the end of the file was reached. Raises InputError."""
        if not self._values or not self._usable or self._timeline.jumps:
            return NOTHING_MISSING
        rows = np.array(self._values).reshape(-1, _COLUMNS)
        rows = rows[np.argsort(rows[:, PTS], kind="stable")]
        spaces = np.diff(rows[:, PTS])
        usual = int(np.sort(spaces)[int(USUAL_SHARE * (len(spaces) - 1))]) if len(spaces) else self._tick
        pace = float(spaces[spaces <= usual].mean()) if usual and len(spaces) else self._tick
        gaps = _gaps(rows, usual, pace, self._base) if len(rows) >= FEWEST and usual else []
        end = int((rows[:, PTS] + np.maximum(rows[:, DURATION], round(pace))).max())
        longest = max((int(space) for space in np.delete(spaces, [gap.number for gap in gaps])), default=0)
        short_s = self._short_s(int(rows[0, PTS]), end, longest) if to_end else Fraction(0)
        if not gaps and not short_s:
            return NOTHING_MISSING
        heard = _Witnesses(gaps)
        heard.read(self._path, self._opening)
        if not self._of_stream:  # another stream may be longer
            short_s = min(short_s, short_s + end * self._base - heard.end_s)
        holes = [gap.hole for gap in gaps if self._is_hole(gap, heard)]
        if ends_early := short_s > self._tolerance_s(longest):
            last, frames = int(rows[-1, PTS]), round(float(short_s / self._base) / pace)
            holes.append(Hole(last, end + round(short_s / self._base), frames))
        return MissingTime(tuple(holes), ends_early)

    def _short_s(self, begin: int, end: int, longest: int) -> Fraction:
        """Seconds between the end of the picture and the end that the header promises; 0 where that is tolerable.

        Some programs count durations from the first frame, others from 0. The later end counts.
        """
        short_s = self._promised_s - (end - min(begin, 0)) * self._base
        if short_s <= self._tolerance_s(longest):
            return Fraction(0)
        return short_s if self._of_stream or promises_duration(self._path) else Fraction(0)

    def _tolerance_s(self, longest: int) -> Fraction:
        return max(TOLERANCE_S, TIMES_USUAL * longest * self._base, TOLERANCE_SHARE * self._promised_s)

    def _is_hole(self, gap: _Gap, heard: _Witnesses) -> bool:
        pauses = heard.sound_pauses(gap)
        if pauses or gap.corrupt:
            return True
        if self._formats & EVEN_FORMATS:
            return pauses is None
        return not self._formats & PADDED_FORMATS and gap.unclaimed > gap.container_bytes


@dataclass(slots=True)
class _Gap:
    """A suspicious gap. number: of the packet before it. middle_s: the middle half of it, in seconds. begin, end: the
    part of the file between its packets. container_bytes: that a container may take there. corrupt: a packet beside
    it is. claimed: bytes of packets in it. sounds: tracks with sound in the middle of it."""

    number: int
    hole: Hole
    middle_s: tuple[Fraction, Fraction]
    begin: int
    end: int
    container_bytes: float
    corrupt: bool
    claimed: int = 0
    sounds: set[int] = field(default_factory=set)

    @property
    def unclaimed(self) -> int:
        """Bytes that belong to no packet; 0 where places are not known, or the packet shown first comes last."""
        return self.end - self.begin - self.claimed if 0 < self.begin < self.end else 0


def _gaps(rows: npt.NDArray[np.int64], usual: int, pace: float, base: Fraction) -> list[_Gap]:
    """The suspicious gaps. rows: of `PacketTimes`, ordered. usual, pace: the longest and the mean usual gap. base:
    seconds in a unit of the times."""
    pts, ends = rows[:, PTS], np.maximum.accumulate(rows[:, PLACE] + rows[:, SIZE])
    begins = np.minimum.accumulate(rows[::-1, PLACE])[::-1]
    per_tick = float(rows[:, SIZE].mean()) / pace
    found = []
    for number in np.flatnonzero(np.diff(pts) > TIMES_USUAL * np.maximum(usual, rows[:-1, DURATION])).tolist():
        before, after = int(pts[number]), int(pts[number + 1])
        found.append(
            _Gap(
                number,
                Hole(before, after, round((after - before) / pace) - 1),
                ((3 * before + after) * base / 4, (before + 3 * after) * base / 4),
                int(ends[number]),
                int(begins[number + 1]),
                UNCLAIMED_SHARE * per_tick * (after - before),
                bool(rows[number : number + 2, CORRUPT].any()),
            )
        )
    return found


class _Witnesses:
    """All packets of a file. end_s: when the last packet of any stream ends."""

    def __init__(self, gaps: Sequence[_Gap]) -> None:
        self._gaps = gaps
        self._begins = [gap.begin for gap in gaps]
        self._middles = [gap.middle_s[0] for gap in gaps]
        self._tracks: dict[int, tuple[Fraction, Fraction]] = {}  # first and last time of each one
        self.end_s = Fraction(0)

    def read(self, path: Path, opening: OpenOptions) -> None:
        """Read a file. Raises InputError."""
        with closing(open_media(path, opening)) as container:
            for packet in packets(container, list(container.streams)):
                self._add(packet)

    def _add(self, packet: Packet[Any]) -> None:
        if packet.pos is not None and (number := bisect_right(self._begins, packet.pos) - 1) >= 0:
            gap = self._gaps[number]
            gap.claimed += packet.size if packet.pos < gap.end else 0
        if packet.pts is None:
            return
        time_s = packet.pts * packet.time_base
        self.end_s = max(self.end_s, time_s + (packet.duration or 0) * packet.time_base)
        if packet.stream.type != "audio":
            return
        first_s, last_s = self._tracks.get(packet.stream_index, (time_s, time_s))
        self._tracks[packet.stream_index] = min(first_s, time_s), max(last_s, time_s)
        number = bisect_right(self._middles, time_s) - 1
        if number >= 0 and time_s <= self._gaps[number].middle_s[1]:
            self._gaps[number].sounds.add(packet.stream_index)

    def sound_pauses(self, gap: _Gap) -> bool | None:
        """Whether a track with sound before and after a gap has none in the middle of it; None without such a track."""
        begin_s, end_s = gap.middle_s
        around = {track for track, (first_s, last_s) in self._tracks.items() if first_s < begin_s and last_s > end_s}
        return bool(around - gap.sounds) if around else None
