"""Transcoding: decoding, painting and encoding in three threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol, Self

from framebrush.base.prefetch import Prefetcher
from framebrush.base.signals import Ending
from framebrush.base.status import Status as Status
from framebrush.base.text import count_of, data_size
from framebrush.gpu.errors import DeviceLostError
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.jobs.cached_frames import CachedFrames, with_cached_frames
from framebrush.jobs.pipeline import PREFETCH_DEPTH, Allocate, OutputFrame, Pipeline
from framebrush.media.encoding.result_losses import Loss, damage_of
from framebrush.media.reading.reader import Reader
from framebrush.media.video import FrameSource, NothingDecodedError, VideoFrame, VideoInfo
from framebrush.media.writing.file_writer import WriteResult


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a job.

    expected: total, if known. resumed: frames from earlier runs. losses: in the first state.
    """

    frames: int
    expected: int | None
    elapsed_s: float
    size_bytes: int
    resumed: int = 0
    losses: tuple[Loss, ...] | None = None

    @property
    def fps(self) -> float:
        """Frames written per second."""
        return (self.frames - self.resumed) / self.elapsed_s if self.elapsed_s > 0 else 0.0

    @property
    def remaining_s(self) -> float | None:
        """Seconds left at the mean speed."""
        if self.expected is None or not self.fps:
            return None
        return max(0, self.expected - self.frames) / self.fps


@dataclass(frozen=True, slots=True)
class PictureLosses:
    """Lost frames of a source. cut_off: truncated. estimated: frames."""

    frames: int
    cut_off: bool = False
    estimated: bool = False

    @classmethod
    def of(cls, source: FrameSource, missing: int = 0) -> Self:
        """Return a read source's losses. missing: announced frames."""
        absent, cut_off = source.absent_frames, source.cut_off
        estimated = absent > 0 or (cut_off and source.info.frame_count is None)
        return cls(max(source.lost_frames, missing) + absent, cut_off, estimated)

    @property
    def count_words(self) -> list[str]:
        # without the truncation, which the source's warnings have
        about = "about " if self.estimated else ""
        return [f"{about}{count_of(self.frames, 'frame', 'was/were')} lost"] if self.frames else []

    @property
    def sentences(self) -> list[str]:
        cut = ["the source is truncated: frames after its last complete one are missing"] if self.cut_off else []
        return self.count_words + cut

    @property
    def status(self) -> Status:
        return Status.LOSSES if self.sentences else Status.DONE


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a job. lost: undecodable frames."""

    status: Status
    progress: Progress
    lost: int
    path: Path
    losses: tuple[Loss, ...] = ()
    estimated: bool = False

    @property
    def words(self) -> list[str]:
        """Lines that describe the outcome."""
        state = self.progress
        lost = PictureLosses(self.lost, estimated=self.estimated).count_words
        size, speed = data_size(state.size_bytes), f"{state.fps:.1f} fps"
        return [*lost, f"{self.path}: {count_of(state.frames, 'frame')}, {size}, {speed}"]


OnMessage = Callable[[str], None]
OnLosses = Callable[[PictureLosses], None]
OnProgress = Callable[[Progress], None]
OnFrame = Callable[[OutputFrame, VideoInfo], None]


def ignore(*_: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Listener:
    """Callbacks of a job, which waits for them.

    message: receives decisions and problems. progress: called per frame. frame: receives frames painted here.
    """

    message: OnMessage = ignore
    progress: OnProgress = ignore
    frame: OnFrame = ignore
    ending: Ending | None = None


NOBODY = Listener()

BeginsAgain = Callable[[DeviceLostError], bool]


class FrameWriter(AbstractContextManager["FrameWriter"], Protocol):
    """Destination of painted frames: file or segments."""

    resumable: bool
    """Whether complete parts are kept if the job ends early; it then ends with the error, and any frame may be
    missing."""

    @property
    def bytes_written(self) -> int: ...

    @property
    def incomplete(self) -> bool:
        """Whether streams that the file could hold are missing."""

    @property
    def damage(self) -> list[str]:
        """Sentences about losses while writing."""

    def allocate(self) -> Frame | DeviceFrame:
        """Allocate a painted frame. Thread-safe."""

    def write(self, frame: Frame | DeviceFrame, pts: int, duration: int) -> None: ...

    def finish(self, lost: Iterable[str] = ()) -> WriteResult:
        """Complete the output. lost: sentences about losses."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """Reveal ahead of a film. precede: yields its remaining frames first."""

    frames: int
    precede: Callable[[Generator[OutputFrame], Allocate], Generator[OutputFrame]]


def paint_into(
    source: FrameSource,
    pipeline: Pipeline,
    output: FrameWriter,
    listener: Listener = NOBODY,
    *,
    begins_again: BeginsAgain = lambda _: False,
    done: int = 0,
    context: int = 0,
    stock: CachedFrames | None = None,
    beginning: Beginning | None = None,
) -> Outcome:
    """Paint `source` through `pipeline` into `output`; a failed file is removed.

    An unreplaced device loss ends the job early with status LOSSES.

    Args:
        begins_again: called on a loss; True raises DeviceLostError for a restart.
        done, context: frames of an earlier run, reveal included, and how many of these to decode.

    Raises: InputError, OutputError, DeviceError, CachedFramesChangedError.
    """
    depth = 1 if source.live else PREFETCH_DEPTH  # a live frame that waits is outdated
    before = 0 if beginning is None else beginning.frames
    film_done = max(0, done - before)
    known = iter if stock is None else _with_stock(source, pipeline, stock, film_done)
    with (
        output as writer,
        Prefetcher(_behind(source, film_done, context) if film_done else source, depth=depth, name="decode") as decoded,
        Prefetcher(_preceded(pipeline, known(decoded), writer, beginning), depth=depth, name="paint") as painted,
    ):
        begin, written, device_lost = time.perf_counter(), 0, False

        def progress() -> Progress:
            elapsed_s = time.perf_counter() - begin
            expected = None if source.info.frame_count is None else before + source.info.frame_count
            return Progress(done + written, expected, elapsed_s, writer.bytes_written, resumed=done)

        try:
            for frame in painted:
                listener.frame(frame, source.info)
                writer.write(frame.frame, frame.pts, frame.duration)
                written += 1
                listener.progress(progress())
        except DeviceLostError as error:
            if not written or writer.resumable or begins_again(error):
                raise
            device_lost = True
            listener.message(f"{error}; the {count_of(written, 'frame')} painted before are kept")
        if not written and not writer.resumable:
            raise NothingDecodedError(source.name)
        missing = before + (source.info.frame_count or 0) - done - written
        lost = PictureLosses.of(source, missing)
        lost_words = lost.sentences + (["frames after the loss of a device are missing"] if device_lost else [])
        path = writer.finish(lost_words).path
    for warning in (*source.warnings, *pipeline.frame_pipeline.warnings, *writer.damage):
        listener.message(warning)
    found = damage_of([*lost_words, *writer.damage])
    status = Status.LOSSES if found or writer.incomplete else Status.DONE
    return Outcome(status, progress(), lost.frames, path, found, lost.estimated)


def _preceded(
    pipeline: Pipeline, decoded: Iterable[VideoFrame], writer: FrameWriter, beginning: Beginning | None
) -> Generator[OutputFrame]:
    frames = pipeline.frames(decoded, writer.allocate)
    return frames if beginning is None else beginning.precede(frames, writer.allocate)


def _with_stock(
    source: FrameSource, pipeline: Pipeline, stock: CachedFrames, done: int
) -> Callable[[Iterable[VideoFrame]], Iterator[VideoFrame]]:
    first, end = source.bounds() if isinstance(source, Reader) else (0, None)
    return partial(with_cached_frames, pipeline, stock, first + done, end)


def _behind(frames: Iterable[VideoFrame], done: int, context: int) -> Iterator[VideoFrame]:
    """Yield frames after the first `done`, with context."""
    passed = 0
    for frame in frames:
        if passed >= done:
            yield frame
            continue
        before = frame.context  # the range
        passed += not before
        if done < context if before else passed > done - context:
            yield replace(frame, context=True)
