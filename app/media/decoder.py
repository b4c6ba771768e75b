"""Packets into frames: decode from the start or from a keyframe, timestamps mended, fields merged, losses counted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path

import av
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from framebrush.gpu.device import Device
from framebrush.media.deinterlace import Deinterlacer
from framebrush.media.index import Expected
from framebrush.media.planes import downloaded
from framebrush.media.source import Source, open_source
from framebrush.media.video import InputError, OpenOptions

TRIES = 3  # keyframes to start from before decoding from the start of the file
MARGINS_S = (0, 1, 5, 20)  # how much earlier to seek, in turn
HEAD_PACKETS, HEAD_BYTES = 32, 1 << 24  # enough to see whether presentation and decode times differ
FORGIVEN = 2
"""Presentation times that may go backwards, more often than decode times do, before they count as unusable."""
KEYFRAMES_KEPT = 256  # more than there are frames in the decoder's threads


class Decoder:
    """One pass through a file at a time. Every frame that it gives has a `pts`, greater than that of the one before.

    source: the open file. interlaced: a frame flagged as such was met. counted: the file's timestamps are missing or
    unusable, so that frames are told apart by counting them from the start. damaged: frames that the decoder gave
    although parts of them were missing. mended: timestamps that had to be changed to increase.
    """

    def __init__(
        self,
        path: Path,
        opening: OpenOptions,
        *,
        hardware: str | None,
        device: Device | None = None,
        threads: int,
        deinterlace: bool,
    ) -> None:
        self._path = path
        self._opening = opening
        self._device = device
        self._threads = threads
        self._deinterlace = deinterlace
        self.interlaced = False
        self.damaged = 0
        self.mended = 0
        self.encrypted = False
        self.restart(hardware)

    @property
    def deinterlacing(self) -> bool:
        """Whether frames pass through the filter, which looks at both neighbours of a frame."""
        return self.interlaced and self._deinterlace

    def close(self) -> None:
        """Release decoder and file; more than once is harmless."""
        self.frames: Iterator[VideoFrame] = iter(())
        self.source.close()

    def restart(self, hardware: str | None, floor: int | None = None) -> None:
        """Open the file afresh and decode from its beginning: the one way to start that works for every format."""
        if hasattr(self, "source"):
            self.close()
        self.source = open_source(
            self._path, self._opening, hardware=hardware, device=self._device, threads=self._threads
        )
        stream = self.source.stream
        self.time_base = self.source.time_base
        self.rate = stream.guessed_rate or stream.average_rate
        self._tick = max(1, round(1 / (self.rate or Fraction(25)) / self.time_base))
        # AVI has no presentation times: FFmpeg derives them from the order of decoding, wrongly where B-frames are.
        self.counted = self.source.container.format.name == "avi"
        self.expected = Expected(stream.codec_context.name)
        packets = self.source.packets()
        head = _head(packets) if stream.codec_context.has_b_frames else []
        # Presentation times that are those of decoding, though frames change places: they tell nothing.
        self.counted |= len(head) > 1 and all(packet.pts == packet.dts for packet in head)
        self._begin(chain(head, packets), floor)

    def start_at(self, keyframe_pts: int, floor: int) -> bool:
        """Decode from a keyframe or an earlier one; False when the demuxer cannot get there.

        floor: frames shown before it are not counted as lost.
        """
        packets = None if self.source.timeline.jumps else _packets_from(self.source, keyframe_pts)
        if packets is None:
            return False
        self._begin(packets, floor)
        return True

    def frame_at(self, target: int, keyframes: Iterable[int]) -> VideoFrame | None:
        """The frame shown at a time, or the next one where it is lost; None where no other comes. `frames` goes on
        behind it, and what is shown before `target` is not counted as lost.

        keyframes: times to start decoding from, the best first. A stream that is refreshed in parts (intra refresh)
        names places to enter it at and is whole only some frames after each: then an earlier place is tried.
        """
        started, found = False, None
        for keyframe in islice(keyframes, TRIES):
            started = self.start_at(keyframe, target)
            found = self._next_at(target) if started else None
            if found is not None and found.pts == target:
                return found
        if not started:
            self.restart(self.source.hardware, target)
            found = self._next_at(target)
        return found

    def _next_at(self, target: int) -> VideoFrame | None:
        return next((frame for frame in self.frames if frame.pts is not None and frame.pts >= target), None)

    def _begin(self, packets: Iterable[Packet[VideoStream]], floor: int | None) -> None:
        self.expected.start(floor)
        self._last_pts: int | None = None
        self._dts_shift: int | None = None
        self._best = BestEffort()
        self._missing: dict[int, list[int]] = {}
        self._keyframes: deque[int] = deque(maxlen=KEYFRAMES_KEPT)
        self.frames = self._progressive(self._timed(packets))

    def _progressive(self, frames: Iterator[VideoFrame]) -> Iterator[VideoFrame]:
        filtered = Deinterlacer(self.time_base)
        for frame in frames:
            self.interlaced |= frame.interlaced_frame
            if self.deinterlacing:
                yield from filtered.push(downloaded(frame))
            else:
                yield frame
        yield from filtered.push(None)

    def missing_before(self, frame: VideoFrame) -> list[int]:
        """Times of the frames that should have been shown between the one before and this one."""
        return self._missing.pop(frame.pts or 0, [])

    def _timed(self, packets: Iterable[Packet[VideoStream]]) -> Iterator[VideoFrame]:
        for frame in chain(self._decoded(packets), self._tail()):
            self.damaged += frame.is_corrupt
            pts = self._best.time_of(frame)
            self.counted |= self._best.unusable or (pts is None and self._last_pts is None)
            missing = [] if self.counted or pts is None else self.expected.missing_before(pts)
            frame.pts = self._last_pts = self._increasing(frame, pts)
            if missing:
                self._missing[frame.pts] = missing
            yield frame

    def _increasing(self, frame: VideoFrame, pts: int | None) -> int:
        """The time of a frame, later than the last one."""
        last = self._last_pts
        if self.counted:
            pts = None
            if frame.dts is not None:  # keeps the gaps of dropped frames; its delay is that of the decoder
                if self._dts_shift is None:
                    begin = (self.source.stream.start_time or 0) if last is None else last + self._tick
                    self._dts_shift = frame.dts - begin
                pts = frame.dts - self._dts_shift
        if last is not None and (pts is None or pts <= last):
            self.mended += not self.counted
            doubled = pts is not None and not self.counted and last - pts < self._tick
            return last + (1 if doubled else self._tick)  # a jump back in time goes on at the frame rate
        return pts if pts is not None else 0

    def _decoded(self, packets: Iterable[Packet[VideoStream]]) -> Iterator[VideoFrame]:
        for packet in packets:
            self.encrypted |= packet.has_sidedata("encryption_info")
            self.expected.sent(packet)
            if packet.is_keyframe and packet.pts is not None:
                self._keyframes.append(packet.pts)
            yield from self.source.decode(packet)
        yield from self.source.decode(None)

    def _tail(self) -> Iterator[VideoFrame]:
        """The last frames once more, if some did not come.

        At the end PyAV gives up with the first frame that fails, and the good ones that other threads hold behind it
        are gone. One thread holds none.
        """
        last = self._last_pts
        if self.counted or last is None or not self.expected.any_after(last):
            return
        keyframe = max((pts for pts in self._keyframes if pts <= last), default=None)
        if keyframe is None or self.source.timeline.jumps:
            return
        try:
            source = open_source(self._path, self._opening, threads=1)
        except InputError:  # the file has gone or changed meanwhile
            return
        try:
            packets = _packets_from(source, keyframe)
            for packet in chain(packets or (), (None,)):
                for frame in source.decode(packet):
                    if frame.pts is not None and frame.pts > last:
                        yield frame
        finally:
            source.close()


class BestEffort:
    """FFmpeg's choice between presentation and decode times (libavcodec/decode.c, guess_correct_pts), by which of them
    increase. Unlike FFmpeg, a few that do not are forgiven."""

    def __init__(self) -> None:
        self._last_pts = self._last_dts = -(1 << 63)
        self._faulty = 0

    @property
    def unusable(self) -> bool:
        """Whether decode times tell more than presentation times."""
        return self._faulty > FORGIVEN

    def time_of(self, frame: VideoFrame) -> int | None:
        """The presentation time of a frame as it came out of the decoder."""
        pts, dts = frame.pts, frame.dts
        if dts is not None:
            self._faulty -= dts <= self._last_dts
            self._last_dts = dts
        if pts is not None:
            self._faulty += pts <= self._last_pts
            self._last_pts = pts
        return pts


def _head(packets: Iterator[Packet[VideoStream]]) -> list[Packet[VideoStream]]:
    """The first few packets, taken from the iterator."""
    head: list[Packet[VideoStream]] = []
    held_bytes = 0
    for packet in islice(packets, HEAD_PACKETS):
        head.append(packet)
        held_bytes += packet.size
        if held_bytes > HEAD_BYTES:
            break
    return head


def _packets_from(source: Source, keyframe_pts: int) -> Iterator[Packet[VideoStream]] | None:
    """The packets from a keyframe or from an earlier one; None when the demuxer cannot get there.

    Formats without an index land behind the time asked for, as they look for the decoding time: they are asked again
    for earlier ones. Frames that lead an open GOP come out before its keyframe, maybe broken; they are earlier than
    what is looked for.
    """
    for margin_s in MARGINS_S:
        try:
            source.seek(keyframe_pts - round(margin_s / source.time_base))
        except (av.error.FFmpegError, OSError):
            return None
        packets = source.packets()
        first = next((packet for packet in packets if packet.is_keyframe), None)
        if first is not None and first.pts is not None and first.pts <= keyframe_pts:
            return chain([first], packets)
    return None
