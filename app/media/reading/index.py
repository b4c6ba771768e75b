"""The list of a file's frames by their timestamps, and the count of frames that never came out of the decoder."""

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
"""FFmpeg's names of the codecs in which each packet gives one frame, unless `is_shown` says otherwise."""

EMPTY_IF_SMALL = frozenset(_EMPTY_IF_SMALL.split())
"""FFmpeg's names of the codecs in which each packet gives one frame, except for some small ones, such as the VOPs of
MPEG-4 that are not coded (ISO/IEC 14496-2, 6.2.5)."""

SMALL_BYTES = 64
"""More than a header without macroblocks takes, even behind a time code of its group and a few words of user data."""

NO_PICTURE_BYTES = 8
"""Packets of at most so many bytes say "as before" in screen codecs, and are delimiters without a slice in H.264. The
codecs of `_SHORTEST` show a frame again with fewer."""

_SHORTEST = ("av1", "vp8", "vp9")


def is_shown(packet: Packet[VideoStream], codec: str) -> bool:
    """Whether a packet becomes a frame that is shown.

    Edit lists and pre-roll set the discard flag. Hidden reference frames of VP8 and VP9 may be packets of their own,
    with a time of their own; their headers say so (RFC 6386, 9.1; VP9 bitstream specification, 6.2 and annex B).
    """
    if packet.is_discard:
        return False
    if packet.size <= NO_PICTURE_BYTES and codec not in _SHORTEST:
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


def must_be_decoded(size: int, codec: str) -> bool:
    """Whether only the decoder can tell if a packet of this size gives a frame."""
    return size <= SMALL_BYTES if codec in EMPTY_IF_SMALL else codec not in A_FRAME_EACH


@dataclass(frozen=True, slots=True)
class FrameIndex:
    """Timestamps of all shown frames and of the keyframes, each in order, in the stream's time base. last_duration: how
    long the last frame is shown, 0 where the container does not say. certain: every packet is known to give a frame or
    none. missing: see `PacketTimes`."""

    pts: list[int]
    keyframes: list[int]
    last_duration: int = 0
    certain: bool = True
    missing: MissingTime = NOTHING_MISSING

    @classmethod
    def scan(cls, source: Source, first_pts: int, times: PacketTimes) -> FrameIndex | None:
        """Read every packet of a freshly opened file, decoding none: about as fast as the disk is read.

        first_pts: of the first frame that the decoder shows; what a cut file has before it cannot be decoded. None when
        the timestamps cannot tell the frames apart, and only counting from the start can. times: takes all packets.
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


class Expected:
    """Compares what was sent to the decoder with what came out, by timestamp.

    Where packets need not give a frame, a frame is missing only if the decoder failed.
    """

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self._a_frame_each = codec in A_FRAME_EACH
        self.start(None)

    def start(self, floor: int | None) -> None:
        """Forget what was sent, and ignore from now on what is shown before `floor`."""
        self._pending: list[int] = []
        self._floor = floor
        self._keyframe_pts: int | None = None
        self._joined = False
        self._packets = self._failures = 0

    def sent(self, packet: Packet[VideoStream]) -> None:
        """A packet goes to the decoder."""
        if not is_shown(packet, self._codec):
            return
        self._packets += 1
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

    def failed(self, failures: int) -> None:
        """The decoder could not decode so many packets."""
        self._failures += failures

    def any_after(self, pts: int) -> bool:
        """Whether a frame later than this one is still to come."""
        return bool(self._possible([pending for pending in self._pending if pending > pts]))

    def missing_of(self, shown: int) -> int:
        """How many frames are missing, by their number alone, where so many came."""
        missing = self._packets - shown
        return missing if self._a_frame_each else min(missing, self._failures)

    def missing_before(self, pts: int | None) -> list[int]:
        """Times of the frames that should have been shown before this one and were not, each reported once; None:
        before the end of the file."""
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
