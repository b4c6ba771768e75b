"""Index of frames by timestamp."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise

from av.packet import Packet
from av.video.stream import VideoStream

from framebrush.media.reading.missing_time import NOTHING_MISSING, MissingTime, PacketTimes
from framebrush.media.reading.source import Source
from framebrush.media.video import Position, VideoInfo

_A_FRAME_EACH = """
    apng av1 bmp cfhd dirac dnxhd dpx dvvideo exr ffv1 ffvhuff gif h264 hap hevc huffyuv jpeg2000 jpegls jpegxl jpegxs
    ljpeg magicyuv mjpeg mjpegb mpeg1video mpeg2video png prores r210 rawvideo targa tiff utvideo v210 v410 vp8 vp9 vvc
    webp
"""
_EMPTY_IF_SMALL = "flv1 h263 mpeg4 msmpeg4v1 msmpeg4v2 msmpeg4v3 theora vc1 wmv1 wmv2 wmv3"

A_FRAME_EACH = frozenset(_A_FRAME_EACH.split())
"""Codecs (FFmpeg's names) with one frame per packet, except as `is_shown` decides."""

EMPTY_IF_SMALL = frozenset(_EMPTY_IF_SMALL.split())
"""Codecs (FFmpeg's names) with one frame per packet, except for some small packets, such as uncoded VOPs of MPEG-4
(ISO/IEC 14496-2, 6.2.5).
"""

SMALL_BYTES = 64
"""Maximum size of a packet without macroblocks, including a group timecode and a few words of user data."""

NO_PICTURE_BYTES = 8
"""Maximum size of packets that repeat the previous frame in screen codecs, or are delimiters without a slice in H.264.
Codecs in `_SHORTEST` have packets of a byte, in pictures of a few pixels.
"""

_SHORTEST = ("av1", "ffv1", "rawvideo", "vp8", "vp9")


def is_shown(packet: Packet[VideoStream], codec: str) -> bool:
    """Return whether a packet gives a shown frame, unlike hidden references.

    Sources: RFC 6386, 9.1; VP9 specification, 6.2, annex B.
    """
    if packet.is_discard:
        return False
    if packet.size <= (0 if codec in _SHORTEST else NO_PICTURE_BYTES):
        return False
    if codec not in ("vp8", "vp9"):
        return True
    data = memoryview(packet)
    if codec == "vp8":
        return bool(data[0] & 0x10)
    if data[-1] >> 5 == 0b110:
        return True  # the last frame of a superframe is shown
    after_profile = data[0] << (5 if data[0] & 0x30 == 0x30 else 4) & 0xFF
    return bool(after_profile & 0x80 or after_profile & 0x20)  # show_existing_frame, show_frame


def must_be_decoded(size: int, codec: str) -> bool:
    """Return whether only decoding can tell empty packets."""
    return size <= SMALL_BYTES if codec in EMPTY_IF_SMALL else codec not in A_FRAME_EACH


@dataclass(frozen=True, slots=True)
class FrameIndex:
    """Sorted timestamps of shown frames and keyframes.

    last_duration: 0 if unknown. certain: every packet gives one frame or none.
    """

    pts: list[int]
    keyframes: list[int]
    last_duration: int = 0
    certain: bool = True
    missing: MissingTime = NOTHING_MISSING

    @classmethod
    def scan(cls, source: Source, first_pts: int, times: PacketTimes) -> FrameIndex | None:
        """Read all packets of a file; None if timestamps are not unique.

        first_pts: first decodable frame's. times: collects packets.
        """
        pts: list[int] = []
        keyframes: list[int] = []
        last, certain = (first_pts, 0), True
        for packet in source.packets():
            if packet.pts is None:
                return None
            times.add(packet)
            if packet.is_keyframe:
                keyframes.append(packet.pts)
            certain &= not must_be_decoded(packet.size, source.codec)
            if is_shown(packet, source.codec) and packet.pts >= first_pts:
                pts.append(packet.pts)
                last = max(last, (packet.pts, packet.duration or 0))
        pts.sort()
        joined = any(a >= b for a, b in pairwise(keyframes))
        doubled = certain and any(a == b for a, b in pairwise(pts))
        if not pts or joined or source.timeline.jumps or doubled:
            return None
        return cls(pts, keyframes, last[1], certain)

    def at_or_after(self, pts: int) -> int:
        """Return the frame at or after a time."""
        return bisect_left(self.pts, pts)

    def number_of(self, place: Position, info: VideoInfo) -> int:
        """Return the frame at or after a position."""
        if place.unit == "frame":
            return int(place.value)
        return self.at_or_after(info.start_pts + round(place.value / info.time_base))

    def keyframes_before(self, pts: int) -> list[int]:
        """Return keyframes to decode `pts` from, nearest first; open GOPs need the previous one."""
        return self.keyframes[: bisect_right(self.keyframes, pts)][::-1]


class Expected:
    """Comparison of packets with decoded frames.

    Where packets may be empty, only decoder errors mean missing frames.
    """

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self._a_frame_each = codec in A_FRAME_EACH
        self.start(None)

    def start(self, floor: int | None) -> None:
        """Reset, and ignore frames before `floor`."""
        self._pending: list[int] = []
        self._floor = floor
        self._keyframe_pts: int | None = None
        self._joined = False
        self._packets = self._failures = 0

    def add_packet(self, packet: Packet[VideoStream]) -> None:
        """Record a packet sent to the decoder."""
        if not is_shown(packet, self._codec):
            return
        self._packets += 1
        if packet.is_keyframe and packet.pts is not None:
            self._joined |= self._keyframe_pts is not None and packet.pts <= self._keyframe_pts
            self._keyframe_pts = packet.pts
        if self._joined:
            self._pending.clear()  # joined recordings restart their clock: times do not show the order
        if self._joined or packet.pts is None:
            return
        if self._floor is None and packet.is_keyframe:
            self._floor = packet.pts  # leading frames of a truncated file are not part of it
        if self._floor is not None and packet.pts >= self._floor:
            heapq.heappush(self._pending, packet.pts)

    def failed(self, failures: int) -> None:
        """Record undecodable packets."""
        self._failures += failures

    def any_after(self, pts: int) -> bool:
        """Return whether a later frame is expected."""
        return bool(self._possible([pending for pending in self._pending if pending > pts]))

    def missing_of(self, shown: int) -> int:
        """Return how many of the first `shown` frames are missing."""
        missing = self._packets - shown
        return missing if self._a_frame_each else min(missing, self._failures)

    def missing_before(self, pts: int | None) -> list[int]:
        """Return missing times before a time, once."""
        missing = []
        while self._pending and (pts is None or self._pending[0] < pts):
            missing.append(heapq.heappop(self._pending))
        while self._pending and self._pending[0] == pts:
            heapq.heappop(self._pending)
        missing = self._possible(missing)
        self._failures -= min(self._failures, len(missing))
        return missing

    def _possible(self, missing: list[int]) -> list[int]:
        return missing if self._a_frame_each else missing[: self._failures]
