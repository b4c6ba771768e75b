"""Missing time: gaps between packets, or an early end.

A long gap is a loss if sound pauses too, or if it contains unknown bytes.
"""

from __future__ import annotations

from array import array
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from framebrush.media.reading.completeness import promises_duration
from framebrush.media.reading.continuous_clock import Timeline
from framebrush.media.reading.open import open_media, packets
from framebrush.media.reading.source import Source
from framebrush.media.video import USUAL_RATE, InputError, OpenOptions

FEWEST = 12
"""Minimum number of packets to establish a usual spacing."""

USUAL_SHARE = 0.95
"""Share of the shortest packet spacings that count as usual."""

TIMES_USUAL = 3
"""Multiple of the longest usual spacing from which on a gap is suspicious."""

STREAM_PROMISES = frozenset({"avi", "ivf", "mxf", "rm"})
"""FFmpeg's names of demuxers whose header has a duration per stream."""

NEAR = 3
"""Packets inspected on each side of a gap, because damage makes some times wrong."""

UNCLAIMED_SHARE, UNCLAIMED_BYTES, PACKET_BYTES = 0.25, 4096, 32
"""Container overhead allowed in a gap: a share of the usual picture bytes of that time, a minimum, and bytes per packet
of any stream.
"""

SKEW_S = 1.0
"""Maximum interleaving distance of sound and picture, in seconds."""

TOLERANCE_S, TOLERANCE_SHARE = Fraction(1, 2), Fraction(1, 100)
"""Allowed shortfall from the declared duration, in seconds: headers round and include the sound's priming. Stream
durations are exact within the share.
"""

_COLUMNS = 5
PTS, DURATION, PLACE, SIZE, CORRUPT = range(_COLUMNS)


@dataclass(frozen=True, slots=True)
class Hole:
    """Missing frames. before, after: adjacent packets' times."""

    before: int
    after: int
    frames: int

    def within(self, begin: int, end: int | None) -> int:
        """Return the number missing between times."""
        lasts = Fraction(self.after - self.before, self.frames + 1)
        first, last = max(Fraction(begin), self.before + lasts), self.after if end is None else min(end, self.after)
        return max(0, round((last - first) / lasts))


@dataclass(frozen=True, slots=True)
class MissingTime:
    """Holes of a file. to_end: the last reaches the declared end."""

    holes: tuple[Hole, ...] = ()
    to_end: bool = False

    def within(self, begin: int, end: int | None) -> int:
        """Return the number missing between times."""
        return sum(hole.within(begin, end) for hole in self.holes)


NOTHING_MISSING = MissingTime()


class PacketTimes:
    """Collector of a picture's packet times."""

    def __init__(self, path: Path, opening: OpenOptions, source: Source) -> None:
        self._path, self._opening, self._stream_index = path, opening, source.stream.index
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
        self._place = -1

    def add(self, packet: Packet[VideoStream]) -> None:
        """Record the next packet."""
        pts = packet.dts if packet.pts is None else packet.pts
        if pts is not None and not packet.is_discard:
            self._place = self._place if packet.pos is None else packet.pos
            self._values.extend((pts, packet.duration or 0, self._place, packet.size, packet.is_corrupt))

    def missing(self, *, to_end: bool = True) -> MissingTime:
        """Find the holes. to_end: the end was reached."""
        if not self._values or not self._usable:
            return NOTHING_MISSING
        rows = np.array(self._values).reshape(-1, _COLUMNS)
        rows = rows[np.argsort(rows[:, PTS], kind="stable")]
        spaces = np.diff(rows[:, PTS])
        usual = _usual(spaces) or self._tick
        pace = float(spaces[spaces <= usual].mean()) if spaces.any() else self._tick
        long = np.flatnonzero(spaces > TIMES_USUAL * np.maximum(usual, rows[:-1, DURATION]))
        gaps = [self._gap(rows, number, pace) for number in long.tolist()] if len(rows) >= FEWEST else []
        begin, last = (int(pts) for pts in rows[[0, -1], PTS])
        end = int((rows[:, PTS] + np.maximum(rows[:, DURATION], round(pace))).max())
        longest = int(np.delete(spaces, long).max(initial=0))
        short_s = self._short_s(begin, end, longest) if to_end else Fraction(0)
        if not gaps and not short_s:
            return NOTHING_MISSING
        try:
            file = _Packets(self._path, self._opening, self._stream_index)
        except InputError:  # the file was removed or changed
            return NOTHING_MISSING
        if not self._of_stream:  # another stream may be longer
            short_s = min(short_s, short_s + end * self._base - file.end_s)
        holes = [gap.hole for gap in gaps if self._is_hole(gap, file)]
        if ends_early := short_s > self._tolerance_s(longest):
            short = round(short_s / self._base)
            holes.append(Hole(last, end + short, round(short / pace)))
        return MissingTime(tuple(holes), ends_early)

    def _short_s(self, begin: int, end: int, longest: int) -> Fraction:
        short_s = self._promised_s - (end - min(begin, 0)) * self._base
        is_short = short_s > self._tolerance_s(longest)
        return short_s if is_short and promises_duration(self._path) else Fraction(0)

    def _tolerance_s(self, longest: int) -> Fraction:
        least_s = Fraction(0) if self._of_stream else TOLERANCE_S
        return max(least_s, TIMES_USUAL * longest * self._base, TOLERANCE_SHARE * self._promised_s)

    def _gap(self, rows: npt.NDArray[np.int64], number: int, pace: float) -> _Gap:
        # rows: all packets by time; pace: mean usual spacing
        before, after = (int(pts) for pts in rows[[number, number + 1], PTS])
        first, middle, last = max(0, number + 1 - NEAR), number + 1, number + 1 + NEAR
        begin, end = int(rows[first:middle, PLACE].min()), int(rows[middle:last, PLACE].max())
        corrupt = bool(rows[first:last, CORRUPT].any())
        usual_bytes = float(rows[:, SIZE].mean()) * (after - before) / pace
        return _Gap(Hole(before, after, round((after - before) / pace) - 1), begin, end, usual_bytes, corrupt)

    def _is_hole(self, gap: _Gap, file: _Packets) -> bool:
        pauses = file.sound_pauses(float(gap.hole.before * self._base), float(gap.hole.after * self._base))
        if pauses or gap.corrupt:
            return True
        # Both may be padded. For transport streams, FFmpeg flags a packet as corrupt if transport packets are missing.
        if "mpegts" in self._formats or ("mpeg" in self._formats and pauses is False):
            return False
        return file.unclaimed(gap.begin, gap.end) > max(UNCLAIMED_BYTES, UNCLAIMED_SHARE * gap.usual_bytes)


def _usual(spaces: npt.NDArray[Any]) -> float:
    return float(np.sort(spaces)[int(USUAL_SHARE * (len(spaces) - 1))]) if len(spaces) else 0


@dataclass(frozen=True, slots=True)
class _Gap:
    """Suspicious gap.

    begin, end: file offsets. usual_bytes: for its duration. corrupt: near a corrupt packet.
    """

    hole: Hole
    begin: int
    end: int
    usual_bytes: float
    corrupt: bool


class _Packets:
    def __init__(self, path: Path, opening: OpenOptions, picture: int) -> None:
        self._spans = array("q")
        self._last: dict[int, int] = {}  # position per stream
        self._sounds: dict[int, array[float]] = {}
        self.end_s = Fraction(0)
        with closing(open_media(path, opening)) as container:
            timeline = Timeline.of(container, _video_stream(container, picture))
            for packet in packets(container, list(container.streams)):
                timeline.place(packet)
                self._add(packet)
        spans = np.array(self._spans).reshape(-1, 2)
        spans = spans[np.argsort(spans[:, 0])]
        self._places, self._sums = spans[:, 0], np.concatenate([[0], spans[:, 1].cumsum()])
        self._tracks = [_Track(np.sort(np.array(times))) for times in self._sounds.values()]

    def _add(self, packet: Packet[Any]) -> None:
        place = self._last.get(packet.stream_index, -1) if packet.pos is None else packet.pos
        self._last[packet.stream_index] = place
        if place >= 0:
            self._spans.extend((place, packet.size + PACKET_BYTES))
        if packet.pts is None:
            return
        time_s = packet.pts * packet.time_base
        self.end_s = max(self.end_s, time_s + (packet.duration or 0) * packet.time_base)
        if packet.stream.type == "audio":
            self._sounds.setdefault(packet.stream_index, array("d")).append(float(time_s))

    def unclaimed(self, begin: int, end: int) -> int:
        if begin < 0:
            return 0
        first, last = np.searchsorted(self._places, (begin, end)).tolist()
        return end - begin - int(self._sums[last] - self._sums[first])

    def sound_pauses(self, begin_s: float, end_s: float) -> bool | None:
        around = [track for track in self._tracks if track.begin_s < begin_s and track.end_s > end_s]
        return any(track.pauses(begin_s, end_s) for track in around) if around else None


def _video_stream(container: InputContainer, index: int) -> VideoStream:
    for stream in container.streams.video:
        if stream.index == index:
            return stream
    raise InputError(f"{container.name} is another film by now")


class _Track:
    def __init__(self, times_s: npt.NDArray[np.float64]) -> None:
        spaces = np.diff(times_s)
        long = np.flatnonzero(spaces > TIMES_USUAL * _usual(spaces))
        self.begin_s, self.end_s = float(times_s[0]), float(times_s[-1])
        self._pauses = np.stack([times_s[long], times_s[long + 1]])

    def pauses(self, begin_s: float, end_s: float) -> bool:
        begins, ends = self._pauses
        near = (begins < end_s + SKEW_S) & (ends > begin_s - SKEW_S)
        return bool((near & (2 * (ends - begins) >= end_s - begin_s)).any())
