"""Packets into frames: decode from the start or from a keyframe, timestamps repaired, fields merged, losses counted."""

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
from framebrush.media.planes import downloaded
from framebrush.media.reading.fields import CADENCES, FieldFilter, Shown
from framebrush.media.reading.index import Expected, FrameIndex
from framebrush.media.reading.missing_time import MissingTime, PacketTimes
from framebrush.media.reading.source import Source, open_source
from framebrush.media.video import USUAL_RATE, Deinterlace, InputError, OpenOptions

TRIES = 3  # keyframes to start from before decoding from the start of the file
MARGINS_S = (0, 1, 5, 20)  # how much earlier to seek, in turn
HEAD_PACKETS, HEAD_BYTES = 32, 1 << 24  # enough to see whether presentation and decode times differ
FORGIVEN = 2
"""Presentation times that may go backwards, more often than decode times do, before they count as unusable."""
KEYFRAMES_KEPT = 256  # more than there are frames in the decoder's threads


class Decoder:
    """One pass through a file at a time. Every frame that it yields has a `pts`, greater than that of the one before.

    source: the open file. cadence: how its frames become those that are given, whose time_base and rate these are.
    tick: how long a frame of the file lasts as a rule, in the file's own time base. coded: the list of the file's
    frames, once it is known. interlaced: a frame flagged as such was met. counted: the file's timestamps are missing or
    unusable, so that frames are told apart by counting them from the start. damaged: frames that the decoder returned
    although parts of them were missing. mended: timestamps that had to be changed so that they increase.
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
        """Whether frames pass through filters, which look at both neighbours of a frame."""
        return self.mode != "off" and (self.interlaced or self.mode != "auto")

    def close(self) -> None:
        """Release decoder and file; more than once is harmless."""
        self.frames: Iterator[VideoFrame] = iter(())
        self.source.close()

    def restart(self, hardware: str | None, floor: int | None = None) -> None:
        """Open the file again and decode from its beginning: the only way to start that works for every format."""
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
        # AVI has no presentation times: FFmpeg derives them from the order of decoding, wrongly where B-frames are.
        self.counted = self.source.container.format.name == "avi"
        self.expected = Expected(self.source.codec)
        packets = self.source.packets()
        head = _head(packets) if stream.codec_context.has_b_frames else []
        self.counted |= len(head) > 1 and _as_decoded(head, asf=self.source.container.format.name.startswith("asf"))
        self._begin(chain(head, packets), floor)

    def start_at(self, keyframe_pts: int, floor: int) -> bool:
        """Decode from a keyframe or an earlier one; False when the demuxer cannot get there.

        Both are times of the file. floor: frames shown before it are not counted as lost.
        """
        packets = None if self.source.timeline.jumps else _packets_from(self.source, keyframe_pts)
        if packets is None:
            return False
        self._begin(packets, floor)
        return True

    def frame_at(self, target: int, keyframes: Iterable[int]) -> VideoFrame | None:
        """The frame shown at a time, or the next one where it is lost; None where no other comes. `frames` continues
        after it, and what is shown before `target` is not counted as lost.

        keyframes: times of the file to start decoding from, the best first. A stream that is refreshed in parts (intra
        refresh) names places to enter it at and is whole only some frames after each: then an earlier place is tried.
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
            if before is not None:  # the first field frame has a neighbour, too
                fields.push(downloaded(before), number - 1)
                before = None
            yield from self._noted(fields.push(downloaded(frame), number, missing), last)
        yield from self._noted(fields.push(None), last)

    def _noted(self, frames: Iterable[Shown], given: int | None) -> Iterator[VideoFrame]:
        """Filtered frames. given: time of one that was given already, unfiltered."""
        for shown in frames:
            if shown.missing:
                self._missing[shown.pts] = [shown.pts] * shown.missing
            if shown.pts != given:
                yield shown.frame

    def missing_time(self, *, to_end: bool) -> MissingTime:
        """What the file lacks, as far as it was read from its beginning on; see `PacketTimes`."""
        return self.cadence.missing(self._times.missing(to_end=to_end))

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
                    begin = (self.source.stream.start_time or 0) if last is None else last + self.tick
                    self._dts_shift = frame.dts - begin
                pts = frame.dts - self._dts_shift
        if last is not None and (pts is None or pts <= last):
            self.mended += not self.counted
            doubled = pts is not None and not self.counted and last - pts < self.tick
            return last + (1 if doubled else self.tick)  # after a jump back in time it continues at the frame rate
        return pts if pts is not None else 0

    def _decoded(self, packets: Iterable[Packet[VideoStream]]) -> Iterator[VideoFrame]:
        for packet in packets:
            self.encrypted |= packet.has_sidedata("encryption_info")
            self.expected.sent(packet)
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
        """The last frames once more, if some did not come.

        At the end PyAV gives up with the first frame that fails, and the good ones that other threads hold after it are
        gone. One thread holds none.
        """
        last = self._last_pts
        if self.counted or last is None or not self.expected.any_after(last):
            return
        keyframe = max((pts for pts in self._keyframes if pts <= last), default=None)
        if keyframe is None or self.source.timeline.jumps:
            return
        try:
            source = open_source(self._path, self._opening, threads=1)
        except InputError:  # the file is gone or was changed meanwhile
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
    increase. Unlike FFmpeg, it forgives a few that do not."""

    def __init__(self) -> None:
        self._last_pts = self._last_dts = -(1 << 63)
        self._faulty = 0

    @property
    def unusable(self) -> bool:
        """Whether decode times are more reliable than presentation times."""
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


def _as_decoded(head: list[Packet[VideoStream]], *, asf: bool) -> bool:
    """Whether presentation times are those of decoding, though frames change places: they are useless then. ASF has
    no others, and where FFmpeg's parser does not say which frames change places, it adds the same delay to each."""
    if all(packet.pts == packet.dts for packet in head):
        return True
    stamped = [(packet.pts, packet.dts) for packet in head if packet.pts is not None and packet.dts is not None]
    return asf and len(stamped) == len(head) and len({pts - dts for pts, dts in stamped}) == 1


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
