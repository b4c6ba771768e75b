"""Missing time: holes between the packets of a film, and an end before the duration that the file's header promises.

A gap between two packets is suspicious where it is longer than the film's own rhythm explains, and the packet before it
is not said to last so long. A slide show and a screen recording have such gaps, too. So the file is read once more, all
its streams, and the gap is a hole where bytes lie in it that belong to no packet, or where the sound pauses as well.
Formats that are made at an even pace need no such witness.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from framebrush.media.reading.open import open_media, packets
from framebrush.media.reading.source import Source
from framebrush.media.video import OpenOptions

FEWEST = 12
"""Packets that show a rhythm."""

USUAL_SHARE = 0.95
"""Of all gaps, so many are not longer than the usual largest one."""

TIMES_USUAL = 3
"""How many times the usual largest gap is suspicious."""

EVEN_FORMATS = frozenset({"mpeg", "mpegts", "mxf"})
"""FFmpeg's names of the demuxers of formats whose pictures come at an even pace."""

STREAM_PROMISES = frozenset({"avi", "mxf"})
FILE_PROMISES = frozenset({"asf", "flv", "matroska", "webm"})
"""FFmpeg's names of the demuxers of formats with a duration in their header, of each stream and of the whole."""

UNCLAIMED_SHARE = 0.25
"""Of the bytes that a gap of its length takes in this film: fewer may be the container's own."""

TOLERANCE_S, TOLERANCE_SHARE = Fraction(1, 2), Fraction(1, 100)
"""How much shorter than promised a film may be: headers round, and count the sound's priming."""


@dataclass(frozen=True, slots=True)
class Hole:
    """Frames that a file lacks. before, after: times of the packets around them. frames: how many they are."""

    before: int
    after: int
    frames: int


@dataclass(frozen=True, slots=True)
class _Stamp:
    """Time, duration, place in the file and size of a packet; duration 0 and place -1 where unknown."""

    pts: int
    duration: int
    place: int
    size: int


@dataclass(slots=True)
class _Streams:
    """All packets of a file. spans: place and size of each, ordered. sounds: times of each track of sound, in seconds,
    ordered. end_s: when the last packet of any stream ends."""

    spans: list[tuple[int, int]] = field(default_factory=list)
    sounds: dict[int, list[Fraction]] = field(default_factory=dict)
    end_s: Fraction = Fraction(0)

    @classmethod
    def of(cls, path: Path, opening: OpenOptions) -> _Streams:
        """Read a file. Raises InputError."""
        found = cls()
        with closing(open_media(path, opening)) as container:
            for packet in packets(container, list(container.streams)):
                found._add(packet)
        found.spans.sort()
        for times in found.sounds.values():
            times.sort()
        return found

    def _add(self, packet: Packet[Any]) -> None:
        if packet.pos is not None and packet.pos >= 0:
            self.spans.append((packet.pos, packet.size))
        if packet.pts is None:
            return
        time_s = packet.pts * packet.time_base
        self.end_s = max(self.end_s, time_s + (packet.duration or 0) * packet.time_base)
        if packet.stream.type == "audio":
            self.sounds.setdefault(packet.stream_index, []).append(time_s)

    def unclaimed(self, begin: int, end: int) -> int:
        """How many bytes of a part of the file belong to no packet that begins there; 0 where it is no part."""
        if begin <= 0 or end <= begin:  # places are not known, or what is shown first comes last
            return 0
        first, last = (bisect_left(self.spans, (place, 0)) for place in (begin, end))
        return end - begin - sum(size for _, size in self.spans[first:last])

    def sound_pauses(self, begin_s: Fraction, end_s: Fraction) -> bool:
        """Whether a track has sound before and after a time, and none in the middle half of it."""
        quarter_s = (end_s - begin_s) / 4
        for times in self.sounds.values():
            first, last = bisect_left(times, begin_s + quarter_s), bisect_right(times, end_s - quarter_s)
            if first == last and 0 < first < len(times):
                return True
        return False


@dataclass(frozen=True, slots=True)
class MissingTime:
    """What a file lacks. at_end: frames between its last one and the end that its header promises."""

    holes: tuple[Hole, ...] = ()
    at_end: int = 0

    def within(self, begin: int, end: int | None) -> int:
        """How many frames are missing behind a time and before another one, None for the end that is promised."""
        inside = sum(hole.frames for hole in self.holes if hole.after > begin and (end is None or hole.after <= end))
        return inside + (self.at_end if end is None else 0)


NOTHING_MISSING = MissingTime()


class PacketTimes:
    """Times of the packets of the picture, taken from the beginning of a file to its end."""

    def __init__(self) -> None:
        self._stamps: list[_Stamp] = []

    def add(self, packet: Packet[VideoStream]) -> None:
        """Take the next packet of the file. One without a time says nothing."""
        pts = packet.dts if packet.pts is None else packet.pts
        if pts is not None and not packet.is_discard:
            place = -1 if packet.pos is None else packet.pos
            self._stamps.append(_Stamp(pts, packet.duration or 0, place, packet.size))

    def missing(self, path: Path, opening: OpenOptions, source: Source, *, to_end: bool = True) -> MissingTime:
        """Find what the file lacks. source: the open file. to_end: its end has been reached. Raises InputError."""
        stamps = sorted(self._stamps, key=lambda stamp: stamp.pts)
        if len(stamps) < FEWEST or source.is_photograph or source.timeline.jumps:
            return NOTHING_MISSING
        file = _File(path, opening, source.container)
        usual, base = _usual(stamps), source.time_base
        holes = _holes(stamps, usual, base, file)
        if not to_end:
            return MissingTime(holes)
        within = {hole.before for hole in holes}
        longest = max(after.pts - before.pts for before, after in pairwise(stamps) if before.pts not in within)
        tolerance_s = max(TOLERANCE_S, TIMES_USUAL * longest * base)
        end = max(stamp.pts + (stamp.duration or usual) for stamp in stamps)
        short_s = file.short_s(source.stream, stamps[0].pts * base, end * base, tolerance_s)
        return MissingTime(holes, round(short_s / (usual * base)))


class _File:
    """A file of which something may be missing. Its other streams are read when they are asked for."""

    def __init__(self, path: Path, opening: OpenOptions, container: InputContainer) -> None:
        self._path, self._opening = path, opening
        self._duration_s = Fraction(container.duration or 0, av.time_base)
        self._formats = frozenset(container.format.name.split(","))

    @property
    def is_even(self) -> bool:
        """Whether pictures come at an even pace in such files."""
        return not self._formats.isdisjoint(EVEN_FORMATS)

    @cached_property
    def streams(self) -> _Streams:
        """All packets. Raises InputError."""
        return _Streams.of(self._path, self._opening)

    def short_s(self, stream: VideoStream, start_s: Fraction, end_s: Fraction, tolerance_s: Fraction) -> Fraction:
        """Seconds between the end of the picture and the end that the header promises; 0 where that is tolerable.

        Some programs count durations from the first frame, others from 0. The later end counts.
        """
        base = stream.time_base
        of_stream = bool(self._formats & STREAM_PROMISES) and base is not None and bool(stream.duration)
        if not of_stream and not self._formats & FILE_PROMISES:
            return Fraction(0)
        promised_s = (stream.duration or 0) * base if of_stream and base is not None else self._duration_s
        tolerance_s = max(tolerance_s, TOLERANCE_SHARE * promised_s)
        start_s = min(start_s, Fraction(0)) if of_stream else start_s
        short_s = promised_s - max(end_s, end_s - start_s)
        if short_s > tolerance_s and not of_stream:  # another stream may be longer
            short_s = min(short_s, promised_s - max(self.streams.end_s, self.streams.end_s - start_s))
        return short_s if short_s > tolerance_s else Fraction(0)


def _holes(stamps: list[_Stamp], usual: int, base: Fraction, file: _File) -> tuple[Hole, ...]:
    """The gaps that nothing explains. base: seconds in a unit of the packets' times. Raises InputError."""
    gaps = [
        (place, Hole(before.pts, after.pts, round((after.pts - before.pts) / usual) - 1))
        for place, (before, after) in enumerate(pairwise(stamps))
        if usual and after.pts - before.pts > TIMES_USUAL * max(usual, before.duration)
    ]
    if not gaps or file.is_even:
        return tuple(hole for _, hole in gaps)
    ends = list(accumulate((stamp.place + stamp.size for stamp in stamps), max))
    begins = list(accumulate((stamp.place for stamp in reversed(stamps)), min))[::-1]
    pace = sum(stamp.size for stamp in stamps) / (usual * len(stamps))  # bytes in a unit of time
    return tuple(
        hole
        for place, hole in gaps
        if file.streams.sound_pauses(hole.before * base, hole.after * base)
        or file.streams.unclaimed(ends[place], begins[place + 1]) > UNCLAIMED_SHARE * pace * (hole.after - hole.before)
    )


def _usual(stamps: list[_Stamp]) -> int:
    """The gap that few others are larger than."""
    gaps = sorted(after.pts - before.pts for before, after in pairwise(stamps))
    return gaps[int(USUAL_SHARE * (len(gaps) - 1))]
