"""File to file: decode, paint and encode overlap; progress, cancel, finish.

A thread decodes, a thread feeds the device, the caller's thread encodes. Ctrl-C reaches the caller's thread, so the
output is dropped and every thread ended before the exception goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.look import Look
from framebrush.gpu.tiles import Tiling
from framebrush.media.reader import Reader
from framebrush.media.video import InputError, TimeRange, VideoInfo
from framebrush.media.writer import OutputOptions, Writer, plan_output
from framebrush.models.style import Style
from framebrush.pipeline import PREFETCH_DEPTH, OutputFrame, Pipeline, video_target
from framebrush.prefetch import Prefetcher


class Status(IntEnum):
    """Exit statuses of the command line."""

    DONE = 0
    USAGE = 1  # usage or set-up: the job never began
    UNREADABLE = 2  # the input cannot be read
    LOSSES = 3  # finished, with frames lost
    INTERRUPTED = 4


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that one transcode is, and nothing of how it is shown.

    another_device: opens the device to go on with when `device` is lost on the way.
    """

    source: Path
    target: Path
    style: Style
    device: Device
    another_device: Callable[[], Device] | None = None
    look: Look = field(default_factory=Look)
    span: TimeRange = field(default_factory=TimeRange)
    tiling: Tiling = "auto"
    options: OutputOptions = field(default_factory=OutputOptions)
    bits: int | None = None
    deinterlace: bool = True
    hardware: str | None = None
    max_size: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """frames: written so far; expected: in all, None where the container does not tell; size_bytes: written so far."""

    frames: int
    expected: int | None
    elapsed_s: float
    size_bytes: int

    @property
    def fps(self) -> float:
        """Frames written a second of wall time."""
        return self.frames / self.elapsed_s if self.elapsed_s > 0 else 0.0

    @property
    def left_s(self) -> float | None:
        """Seconds to go at the mean speed so far, None where it cannot be known."""
        if self.expected is None or not self.frames:
            return None
        return max(0, self.expected - self.frames) / self.fps


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished job ended."""

    status: Status
    progress: Progress
    lost: int
    path: Path


def transcode(
    job: Job,
    report: Callable[[Progress], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
    watch: Callable[[OutputFrame, VideoInfo], None] = lambda *_: None,
) -> Outcome:
    """Paint `job.source` into `job.target`.

    report: told of every frame written. say: told, a sentence at a time, what was decided and what went wrong. watch:
    given every painted frame before it is written; what these do holds up the job.
    Raises InputError, OutputError, DeviceError; nothing is left under the final name then, nor after KeyboardInterrupt.
    A device lost on the way is replaced, and the frames that it held are painted again. Where that cannot be, the job
    ends early: what is encoded is kept, the status is LOSSES.
    """

    def another_device(lost: DeviceLostError) -> Device:
        if job.another_device is None:
            raise lost
        try:
            device = job.another_device()
        except DeviceError:
            raise lost from None
        say(f"{lost}; going on with {device.info.name}")
        return device

    with Reader(
        job.source, job.span, hardware=job.hardware, deinterlace=job.deinterlace, max_size=job.max_size
    ) as reader:
        target = video_target(reader.info.format, job.bits)
        plan = plan_output(reader.info, job.target, job.options, target, job.span)
        for line in plan.decisions:
            say(line)
        with Pipeline(
            job.device,
            job.style,
            reader.info.format,
            plan.frame_format,
            look=job.look,
            tiling=job.tiling,
            replace_device=another_device,
        ) as pipeline:
            for note in pipeline.notes:
                say(note)
            with (
                Writer(plan) as writer,
                Prefetcher(reader, depth=PREFETCH_DEPTH, name="decode") as decoded,
                Prefetcher(pipeline.paint(decoded, writer.allocate), depth=PREFETCH_DEPTH, name="paint") as painted,
            ):
                begin = time.perf_counter()
                written = 0

                def progress() -> Progress:
                    return Progress(written, reader.info.frame_count, time.perf_counter() - begin, writer.bytes_written)

                device_lost = False
                try:
                    for frame in painted:
                        watch(frame, reader.info)
                        writer.write(frame.frame, frame.pts, frame.duration)
                        written += 1
                        report(progress())
                except DeviceLostError as lost:
                    if not written:
                        raise
                    device_lost = True
                    say(f"{lost}; the {written} frames painted before are kept")
                if not written:
                    raise InputError(f"{job.source}: no frame in the range asked for")
                path = writer.finish().path
        for warning in reader.warnings:
            say(warning)
        lost_frames = max(reader.lost_frames, (reader.info.frame_count or 0) - written)
        status = Status.LOSSES if lost_frames or device_lost else Status.DONE
        return Outcome(status, progress(), lost_frames, path)
