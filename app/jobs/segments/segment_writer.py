"""Writer of painted frames to segments."""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

from av.packet import Packet
from av.video.stream import VideoStream

from framebrush.base.closing import Closing
from framebrush.gpu.device import Device
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.jobs.segments.job_folder import JobFolder, SegmentRecord
from framebrush.jobs.segments.segment_plan import LEAST_PART, LONG_S, LONGEST_S, Segment
from framebrush.media.containers import segment_container
from framebrush.media.disk import disk_errors
from framebrush.media.encoding.encoder_frames import EncoderFrames
from framebrush.media.encoding.encoders import segment_settings
from framebrush.media.video import FrameSource, TimeRange
from framebrush.media.writing.file_writer import Writer, WriteResult, encoder_frames
from framebrush.media.writing.output_plan import OutputPlan

OnSegment = Callable[[Segment], None]

MOST_CHANGE = 1.5
"""Largest factor of a file's share of the size, and its divisor, for even quality."""


class SegmentWriter(Closing):
    """`FrameWriter` of consecutive segments, completed in a thread."""

    resumable = True

    def __init__(
        self,
        folder: JobFolder,
        plan: OutputPlan,
        segments: Sequence[Segment],
        source: FrameSource,
        on_segment: OnSegment = lambda _: None,
        device: Device | None = None,
        warnings: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        """Prepare. on_segment: receives each part on disk, in another thread."""
        self._folder, self._plan, self._source = folder, plan, source
        self._on_segment, self._warnings = on_segment, warnings
        self._segments = list(segments)
        self._pictures = encoder_frames(plan, device)
        self._run = uuid.uuid4().hex[:8]
        self._frames = self._finished_bytes = self._lost = 0
        self._file = self._next_file()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="segment")
        self._finishing: Future[None] | None = None

    def close(self) -> None:
        self._file.abort()
        self._thread.shutdown()

    @property
    def bytes_written(self) -> int:
        return self._finished_bytes + self._file.size

    @property
    def incomplete(self) -> bool:
        """False: the join adds other streams."""
        return False

    @property
    def damage(self) -> list[str]:
        return []

    def allocate(self) -> Frame | DeviceFrame:
        """See `Writer.allocate`."""
        return self._pictures.allocate()

    def write(self, frame: Frame | DeviceFrame, pts: int, duration: int) -> None:
        """Write a frame to its segment. Raises OutputError, ValueError."""
        while self._file.segment.end_pts is not None and pts >= self._file.segment.end_pts and self._segments:
            self._end_file(last=False)
            self._file = self._next_file()
        all_are_counted = self._file.segment.frames is None or self._source.lost_frames == self._lost
        if self._file.takes_long and all_are_counted:
            with suppress(ValueError):  # the next frame does not belong to it
                rest = self._file.segment.behind(self._file.frames, pts)
                self._end_file(last=False, goes_on=(self._file.frames, pts))
                self._file = self._file_of(rest)
        self._file.write(frame, pts, duration)
        self._frames += 1

    def finish(self, lost: Iterable[str] = ()) -> WriteResult:
        """Write the last segments. Raises OutputError, InputError."""
        self._end_file(last=True)
        while self._segments:  # segments without frames
            self._file = self._next_file()
            self._end_file(last=True)
        self._wait()
        return WriteResult(self._folder.path, self._frames, self._finished_bytes)

    def _next_file(self) -> _SegmentFile:
        return self._file_of(self._segments.pop(0))

    def _file_of(self, segment: Segment) -> _SegmentFile:
        choice = self._plan.choice
        if choice.rate is not None:
            choice = replace(choice, rate=replace(choice.rate, mean=self._mean(choice.rate.mean)))
        return _SegmentFile(self._folder, replace(self._plan, choice=choice), segment, self._pictures)

    def _mean(self, planned: int) -> int:
        folder = self._folder
        frames = [segment.frames for segment in folder.journal.segments]
        done = folder.frames_done
        left = sum(filter(None, frames)) - done
        if None in frames or left <= 0:
            return planned
        frame_bits = planned / float(self._plan.info.usual_rate)
        over_bits = 8 * folder.bytes_done - done * frame_bits
        share = 1 - over_bits / (left * frame_bits)
        return round(planned * min(max(share, 1 / MOST_CHANGE), MOST_CHANGE))

    def _end_file(self, *, last: bool, goes_on: tuple[int, int] | None = None) -> None:
        self._wait()
        file = self._file
        planned = file.segment.frames if goes_on is None else goes_on[0]
        lost = 0 if planned is None else planned - file.frames
        # Containers may announce frames that their index lacks, so at the end, and without an index, the source's count
        # applies.
        if (last and not self._segments) or file.segment.frames is None:
            lost = max(lost, self._source.lost_frames - self._lost)
        self._lost += lost
        if file.segment.frames is None:  # otherwise the plan's index knows it
            lost += self._source.absent_frames if last else 0
        found = SegmentRecord(
            lost=max(0, lost),
            cut_off=self._source.cut_off,
            warnings=(*self._source.warnings, *self._warnings()),
            run=self._run,
            goes_on=goes_on,
        )
        self._finishing = self._thread.submit(self._complete, file, found)

    def _complete(self, file: _SegmentFile, found: SegmentRecord) -> None:
        file.complete(found)
        self._finished_bytes += file.size
        self._on_segment(file.segment)

    def _wait(self) -> None:
        if self._finishing is not None:
            self._finishing.result()
            self._finishing = None


class _SegmentFile:
    def __init__(self, folder: JobFolder, plan: OutputPlan, segment: Segment, pictures: EncoderFrames) -> None:
        self.segment, self._folder, self._pictures = segment, folder, pictures
        self._plan = replace(
            plan,
            info=replace(plan.info, path=None),
            target=folder.media(segment),
            container=segment_container(plan.choice.encoder.codec),
            choice=segment_settings(plan.choice, plan.frames.size),
            items=(),
            span=TimeRange(),
            zero_s=segment.start_pts * plan.info.time_base,
            overwrite=True,
            losses=(),
            made_of="",
            source_grown=lambda: False,
            most_bytes=None,
            part_of=plan.target,
            before=0,
        )
        self._source_grown = plan.source_grown
        self._writer: Writer | None = None
        self._packets: list[tuple[int, int]] = []
        self._end: tuple[int, int] = (0, 0)
        self._begun = 0.0
        self.frames = 0

    @property
    def takes_long(self) -> bool:
        took = time.monotonic() - self._begun
        return bool(self.frames) and (took >= LONGEST_S or (took >= LONG_S and self.frames >= LEAST_PART))

    @property
    def size(self) -> int:
        return 0 if self._writer is None else self._writer.bytes_written

    def write(self, frame: Frame | DeviceFrame, pts: int, duration: int) -> None:
        if self._writer is None:
            self._writer = Writer(self._plan, pictures=self._pictures, on_packet=self._note)
            self._begun = time.monotonic()
        self._writer.write(frame, pts, duration)
        self._end = pts - self.segment.start_pts, duration
        self.frames += 1

    def _note(self, packet: Packet[VideoStream]) -> None:
        assert packet.pts is not None
        self._packets.append((packet.pts, packet.duration or 0))

    def abort(self) -> None:
        if self._writer is not None:
            self._writer.abort()

    def complete(self, found: SegmentRecord) -> None:
        record, result = found, self._plan.result
        if self._writer is not None:
            header, light = self._writer.header.hex(), self._writer.light
            record = replace(found, size_bytes=self._writer.finish().bytes, header=header, light=light)
        with disk_errors(result.parent, f"writing {result.name} failed"):
            if record.size_bytes:
                with self._folder.media(self.segment).open("rb") as file:
                    record = replace(record, sha256=hashlib.file_digest(file, "sha256").hexdigest())
            durations = dict(self._packets)
            last, said = self._end
            end_pts = self.segment.end_pts if found.goes_on is None else found.goes_on[1]
            if self.frames and said <= 0 and end_pts is not None:  # a frame lasts until the next one is shown
                durations[last] = end_pts - self.segment.start_pts - last
            pts = tuple(begin for begin, _ in self._packets)
            record = replace(record, pts=pts, durations=tuple(durations[begin] for begin in pts))
            self._source_grown()  # the record must be about the planned source
            self._folder.record(self.segment, record)
            self._folder.add(self.segment, record)
