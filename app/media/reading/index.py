"""Which frames a file has: a list of their timestamps, and the count of those that never came out of the decoder."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from av.packet import Packet
from av.video.stream import VideoStream

from framebrush.base.files import FileState, file_state
from framebrush.media.reading.source import Source, open_source
from framebrush.media.video import OpenOptions, Position, VideoInfo

NO_CHANGE_BYTES = 8
"""Screen codecs write packets of at most so many bytes that say "as before", for which decoders return no frame."""


def is_shown(packet: Packet[VideoStream], codec: str) -> bool:
    """Whether a packet becomes a frame that is shown.

    Edit lists and pre-roll set the discard flag. Hidden reference frames of VP8 and VP9 may be packets of their own,
    with a time of their own; their headers say so (RFC 6386, 9.1; VP9 bitstream specification, 6.2 and annex B).
    """
    if packet.is_discard:
        return False
    if codec not in ("vp8", "vp9"):
        return True
    data = memoryview(packet)
    if codec == "vp8":
        return bool(data[0] & 0x10)
    if data[-1] >> 5 == 0b110:
        return True  # a superframe ends with the frame that is shown
    after_profile = data[0] << (5 if data[0] & 0x30 == 0x30 else 4) & 0xFF
    return bool(after_profile & 0x80 or after_profile & 0x20)  # show_existing_frame, show_frame


@dataclass(frozen=True, slots=True)
class FrameIndex:
    """Timestamps of all shown frames and of the keyframes, each in order, in the stream's time base. last_duration: how
    long the last frame is shown, 0 where the container does not say."""

    pts: list[int]
    keyframes: list[int]
    last_duration: int = 0

    @classmethod
    def scan(cls, source: Source, first_pts: int) -> FrameIndex | None:
        """Read every packet of a freshly opened file, decoding none: about as fast as the disk is read.

        first_pts: of the first frame that the decoder shows; what a cut file has before it cannot be decoded. None when
        the timestamps cannot tell the frames apart, and only counting from the start can.
        """
        pts: list[int] = []
        keyframes: list[int] = []
        last = (first_pts, 0)
        codec = source.stream.codec_context.name
        for packet in source.packets():
            if packet.pts is None:
                return None
            if packet.is_keyframe:
                keyframes.append(packet.pts)
            if is_shown(packet, codec) and packet.pts >= first_pts:
                pts.append(packet.pts)
                last = max(last, (packet.pts, packet.duration or 0))
        pts.sort()
        joined = any(a >= b for a, b in pairwise(keyframes))
        if not pts or joined or source.timeline.jumps or any(a == b for a, b in pairwise(pts)):
            return None
        return cls(pts, keyframes, last[1])

    def at_or_after(self, pts: int) -> int:
        """Number of the first frame at or after a time; the count of frames when there is none."""
        return bisect_left(self.pts, pts)

    def number_of(self, place: Position, info: VideoInfo) -> int:
        """Number of the first frame at or after a place of the video of `info`, which may be behind the last one."""
        if place.unit == "frame":
            return int(place.value)
        return self.at_or_after(info.start_pts + round(place.value / info.time_base))

    def keyframes_before(self, pts: int) -> list[int]:
        """Times of the keyframes from which the frame at `pts` can be decoded, the nearest first.

        Only the presentation time decides: frames shown before an open GOP's keyframe come after it in the file but
        need the GOP before.
        """
        return self.keyframes[: bisect_right(self.keyframes, pts)][::-1]


def index_of(path: Path, opening: OpenOptions, first_pts: int) -> FrameIndex | None:
    """The index of a file; see `FrameIndex.scan`. That of the file read last is kept, for the next range of it.

    Raises InputError.
    """
    try:
        state = file_state(path)
    except (OSError, ValueError):  # numbered pictures have no file of that name
        return _scanned.__wrapped__(path, opening, first_pts, None)
    return _scanned(path.absolute(), opening, first_pts, state)


@lru_cache(maxsize=1)
def _scanned(path: Path, opening: OpenOptions, first_pts: int, _: FileState | None) -> FrameIndex | None:
    source = open_source(path, opening)
    try:
        return FrameIndex.scan(source, first_pts)
    finally:
        source.close()


class Expected:
    """Compares what was sent to the decoder with what came out, by timestamp."""

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self.start(None)

    def start(self, floor: int | None) -> None:
        """Forget what was sent, and ignore from now on what is shown before `floor`."""
        self._pending: list[int] = []
        self._floor = floor
        self._keyframe_pts: int | None = None
        self._joined = False
        self.packets = 0

    def sent(self, packet: Packet[VideoStream]) -> None:
        """A packet goes to the decoder."""
        if packet.size <= NO_CHANGE_BYTES or not is_shown(packet, self._codec):
            return
        self.packets += 1
        if packet.is_keyframe and packet.pts is not None:
            self._joined |= self._keyframe_pts is not None and packet.pts <= self._keyframe_pts
            self._keyframe_pts = packet.pts
        if self._joined:
            self._pending.clear()  # recordings that were joined start another count: times do not show the order
        if self._joined or packet.pts is None:
            return
        if self._floor is None and packet.is_keyframe:
            self._floor = packet.pts  # what a cut file has before its first keyframe is not part of it
        if self._floor is not None and packet.pts >= self._floor:
            heapq.heappush(self._pending, packet.pts)

    def any_after(self, pts: int) -> bool:
        """Whether a frame later than this one is still to come."""
        return any(pending > pts for pending in self._pending)

    def missing_before(self, pts: int | None) -> list[int]:
        """Times of the frames that should have been shown before this one and were not, each reported once; None:
        before the end of the file."""
        missing = []
        while self._pending and (pts is None or self._pending[0] < pts):
            missing.append(heapq.heappop(self._pending))
        while self._pending and self._pending[0] == pts:
            heapq.heappop(self._pending)
        return missing
