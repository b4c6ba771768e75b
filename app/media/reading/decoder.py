"""Decoding from any keyframe, with repaired timestamps."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

import av
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from framebrush.gpu.device import Device
from framebrush.media.ffmpeg_planes import downloaded
from framebrush.media.reading.fields import CADENCES, FieldFilter, Shown
from framebrush.media.reading.index import Expected, FrameIndex
from framebrush.media.reading.missing_time import MissingTime, PacketTimes
from framebrush.media.reading.source import Source, open_source
from framebrush.media.video import USUAL_RATE, Deinterlace, InputError, OpenOptions

TRIES = 3  # keyframes tried before decoding from the start of the file
MARGINS_S = (0, 1, 5, 20)  # seconds to seek earlier, on successive tries
HEAD_PACKETS, HEAD_BYTES = 32, 1 << 24  # enough to see whether presentation and decode times differ
FORGIVEN = 2
"""Presentation times that may decrease, in excess of decode times, before they count as unusable."""
KEYFRAMES_KEPT = 256  # more than the decoder's threads hold


class Decoder:
    """Decoder of frames with strictly increasing `pts`, for one pass at a time.

    Attributes:
        tick: usual frame duration, in the time base.
        counted: timestamps are unusable, so frames are counted.
        damaged: number of incomplete frames.
        mended: number of corrected timestamps.
    """

    def __init__(
        self,
        path: Path,
        opening: OpenOptions,
        *,
        hardware: str | None,
        device: Device | None = None,
        threads: int,
        deinterlace: Deinterlace,
    ) -> None:
        self._path = path
        self._opening = opening
        self._device = device
        self._threads = threads
        self.mode = deinterlace
        self.cadence = CADENCES[deinterlace]
        self.coded: FrameIndex | None = None
        self.interlaced = False
        self.damaged = 0
        self.mended = 0
        self.encrypted = False
        self.restart(hardware)

    @property
    def deinterlacing(self) -> bool:
        """Whether filters need both neighbours of frames."""
        return self.mode != "off" and (self.interlaced or self.mode != "auto")

    def close(self) -> None:
        """Release decoder and file."""
        self.frames: Iterator[VideoFrame] = iter(())
        self.source.close()

    def restart(self, hardware: str | None, floor: int | None = None) -> None:
        """Reopen the file, and decode from its beginning."""
        if hasattr(self, "source"):
            self.close()
        self.source = open_source(
            self._path, self._opening, hardware=hardware, device=self._device, threads=self._threads
        )
        stream = self.source.stream
        rate = stream.guessed_rate or stream.average_rate
        self.tick = max(1, round(1 / (rate or USUAL_RATE) / self.source.time_base))
        self.time_base = self.source.time_base / self.cadence.given
        self.rate = None if rate is None else rate * self.cadence.given / self.cadence.taken
        # AVI has no presentation times: FFmpeg derives them from decoding order, wrongly with B-frames.
        self.counted = self.source.container.format.name == "avi"
        self.expected = Expected(self.source.codec)
        packets = self.source.packets()
        form, reorders = self.source.container.format.name, stream.codec_context.has_b_frames
        is_matroska = form.startswith("matroska")
        least = HEAD_PACKETS if reorders else int(is_matroska)
        head = _head(packets, least, to_time=is_matroska) if least else []
        if reorders and len(head) > 1:
            self.counted |= _as_decoded(head, asf=form.startswith("asf"))
        untimed = sum(map(_is_untimed, head)) if is_matroska else 0  # Matroska has no times below 0
        self._start_pts = (stream.start_time or 0) - (0 if untimed == len(head) else untimed) * self.tick
        self._begin(chain(head, packets), floor)

    def start_at(self, keyframe_pts: int, floor: int) -> bool:
        """Start at or before a keyframe, if possible. floor: ignore earlier losses."""
        packets = None if self.source.timeline.jumps else _packets_from(self.source, keyframe_pts)
        if packets is None:
            return False
        self._begin(packets, floor)
        return True

    def frame_at(self, target: int, keyframes: Iterable[int]) -> VideoFrame | None:
        """Return the frame shown at a time, or the next if lost.

        keyframes: times to try, best first, as intra refresh needs earlier ones.
        """
        started, found, floor = False, None, target // self.cadence.given
        for keyframe in islice(keyframes, TRIES):
            started = self.start_at(keyframe, floor)
            found = self._next_at(target) if started else None
            if found is not None and found.pts == target:
                return found
        if not started:
            self.restart(self.source.hardware, floor)
            found = self._next_at(target)
        return found

    def _next_at(self, target: int) -> VideoFrame | None:
        return next((frame for frame in self.frames if frame.pts is not None and frame.pts >= target), None)

    def _begin(self, packets: Iterable[Packet[VideoStream]], floor: int | None) -> None:
        self.expected.start(floor)
        self._times = PacketTimes(self._path, self._opening, self.source)
        self._last_pts: int | None = None
        self._dts_shift: int | None = None
        self._best = BestEffort()
        self._missing: dict[int, list[int]] = {}
        self._keyframes: deque[int] = deque(maxlen=KEYFRAMES_KEPT)
        self.frames = self._shown(self._timed(packets))

    def _shown(self, frames: Iterator[VideoFrame]) -> Iterator[VideoFrame]:
        fields = FieldFilter(self.cadence, self.source.time_base, self.tick)
        number, before, last = -1, None, None
        for frame in frames:
            assert frame.pts is not None
            self.interlaced |= frame.interlaced_frame
            if not self.deinterlacing:
                before, last = frame, frame.pts
                yield frame
                continue
            missing = len(self._missing.pop(frame.pts, ()))
            number = number + missing + 1 if self.coded is None else bisect_left(self.coded.pts, frame.pts)
            if before is not None:  # the first interlaced frame needs its neighbour, too
                fields.push(downloaded(before), number - 1)
                before = None
            yield from self._noted(fields.push(downloaded(frame), number, missing), last)
        yield from self._noted(fields.push(None), last)

    def _noted(self, frames: Iterable[Shown], given: int | None) -> Iterator[VideoFrame]:
        for shown in frames:
            if shown.missing:
                self._missing[shown.pts] = [shown.pts] * shown.missing
            if shown.pts != given:
                yield shown.frame

    def missing_time(self, *, to_end: bool) -> MissingTime:
        """Return the holes so far."""
        return self.cadence.missing(self._times.missing(to_end=to_end))

    def missing_before(self, frame: VideoFrame) -> list[int]:
        """Return times of frames missing before one."""
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
        last = self._last_pts
        if self.counted:
            pts = None
            if frame.dts is not None:  # keeps the gaps of dropped frames; decoder delay included
                if self._dts_shift is None:
                    begin = self._start_pts if last is None else last + self.tick
                    self._dts_shift = frame.dts - begin
                pts = frame.dts - self._dts_shift
        if last is not None and (pts is None or pts <= last):
            self.mended += not self.counted
            doubled = pts is not None and not self.counted and last - pts < self.tick
            return last + (1 if doubled else self.tick)  # after a jump back in time, continue at the frame rate
        return pts if pts is not None else self._start_pts

    def _decoded(self, packets: Iterable[Packet[VideoStream]]) -> Iterator[VideoFrame]:
        for packet in packets:
            self.encrypted |= packet.has_sidedata("encryption_info")
            self.expected.add_packet(packet)
            self._times.add(packet)
            if packet.is_keyframe and packet.pts is not None:
                self._keyframes.append(packet.pts)
            yield from self._sent(packet)
        yield from self._sent(None)

    def _sent(self, packet: Packet[VideoStream] | None) -> list[VideoFrame]:
        frames = self.source.decode(packet)
        self.expected.failed(len(self.source.failures))
        self.source.failures.clear()
        return frames

    def _tail(self) -> Iterator[VideoFrame]:
        """Decode the end again in one thread: PyAV drops frames held by others."""
        last = self._last_pts
        if self.counted or last is None or not self.expected.any_after(last):
            return
        keyframe = max((pts for pts in self._keyframes if pts <= last), default=None)
        if keyframe is None or self.source.timeline.jumps:
            return
        try:
            source = open_source(self._path, self._opening, threads=1)
        except InputError:  # the file was removed or changed
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
    """Choice between presentation and decode times, like FFmpeg's guess_correct_pts."""

    def __init__(self) -> None:
        self._last_pts = self._last_dts = -(1 << 63)
        self._faulty = 0

    @property
    def unusable(self) -> bool:
        """Whether decode times are more reliable."""
        return self._faulty > FORGIVEN

    def time_of(self, frame: VideoFrame) -> int | None:
        """Return a frame's presentation time."""
        pts, dts = frame.pts, frame.dts
        if dts is not None:
            self._faulty -= dts <= self._last_dts
            self._last_dts = dts
        if pts is not None:
            self._faulty += pts <= self._last_pts
            self._last_pts = pts
        return pts


def _head(packets: Iterator[Packet[VideoStream]], least: int, *, to_time: bool) -> list[Packet[VideoStream]]:
    head: list[Packet[VideoStream]] = []
    held_bytes = 0
    for packet in packets:
        head.append(packet)
        held_bytes += packet.size
        is_enough = len(head) >= least and not (to_time and _is_untimed(packet))
        if is_enough or held_bytes > HEAD_BYTES:
            break
    return head


def _is_untimed(packet: Packet[VideoStream]) -> bool:
    return packet.pts is None and packet.dts is None


def _as_decoded(head: list[Packet[VideoStream]], *, asf: bool) -> bool:
    if all(packet.pts == packet.dts for packet in head):
        return True
    stamped = [(packet.pts, packet.dts) for packet in head if packet.pts is not None and packet.dts is not None]
    return asf and len(stamped) == len(head) and len({pts - dts for pts, dts in stamped}) == 1


def _packets_from(source: Source, keyframe_pts: int) -> Iterator[Packet[VideoStream]] | None:
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
