"""Run a job in segments: find earlier results, paint the missing segments, join."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from framebrush.base import signals
from framebrush.base.json_values import MAX_NUMBER, JsonError
from framebrush.base.signals import Ending
from framebrush.base.text import count_of, first_line
from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceLostError
from framebrush.jobs.held import HeldSource
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.pipeline import Pipeline
from framebrush.jobs.prepare import PreparedJob, open_job_source, open_job_style, prepare
from framebrush.jobs.segments.folder import VERSION, FolderLock, JobFolder, Journal, folder_of
from framebrush.jobs.segments.join import join
from framebrush.jobs.segments.plan import Segment, consecutive, is_short, plan_segments, segment_frames
from framebrush.jobs.segments.writer import OnSegment, SegmentWriter
from framebrush.jobs.shots import find_shots
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.stock import Stock, StockChangedError
from framebrush.jobs.transcode import (
    NOBODY,
    Listener,
    OnMessage,
    Outcome,
    Progress,
    Status,
    ignore,
    picture_lost,
    transcode,
)
from framebrush.media.disk import disk_errors
from framebrush.media.encoding.losses import damage_of
from framebrush.media.live.sources import LiveSource
from framebrush.media.reading.pipe import PipeSource
from framebrush.media.reading.reader import Reader
from framebrush.media.video import (
    FrameSource,
    KeptOutputError,
    OtherNameError,
    OutputError,
    OverSizeError,
    Position,
    TimeRange,
    VideoInfo,
)
from framebrush.media.writing.target_size import TooSmallError, next_aim, size_words
from framebrush.styles.names import OpenedStyle


class Painter(ABC):
    """Executor of a job: one device, several workers, or a cluster."""

    seats = ""
    """Name of several workers, for which a single segment is useless; empty for one device."""

    @property
    def device(self) -> Device | None:
        """Device on which decoded frames may stay."""
        return None

    @property
    @abstractmethod
    def on_cpu(self) -> bool:
        """Return whether segments are sized for a CPU."""

    @abstractmethod
    def paint(self, segmented: SegmentedJob) -> None:
        """Paint the missing segments."""

    @abstractmethod
    def in_one_piece(self, job: PreparedJob, source: FrameSource, listener: Listener, *, restart: bool) -> Outcome:
        """Run a job without segments."""

    def again(self, error: StockChangedError | DeviceLostError, spec: JobSpec, listener: Listener) -> JobSpec:
        """Return the spec for another try, or raise the error."""
        raise error


def do_job(
    spec: JobSpec,
    painter: Painter,
    listener: Listener = NOBODY,
    *,
    style: OpenedStyle | None = None,
    restart: bool = False,
) -> Outcome:
    """Run a job on any executor.

    Finds earlier results, or discards them by `restart`, paints, and joins.

    Raises: as `prepare`, `job_folder` and the painter; StyleError.
    """
    said, tell = set[str](), listener.message

    def say(words: str) -> None:
        if words not in said:  # a second try decides the same
            said.add(words)
            tell(words)

    listener = replace(listener, message=say, ending=listener.ending or Ending())
    style = style or open_job_style(spec, say)
    while True:
        try:
            return _small_enough(spec, painter, listener, style, restart=restart)
        except (StockChangedError, DeviceLostError) as error:
            spec, restart = painter.again(error, spec, listener), False


def _small_enough(spec: JobSpec, painter: Painter, listener: Listener, style: OpenedStyle, *, restart: bool) -> Outcome:
    """Repeat a job at a lower bit rate while its result exceeds the size limit."""
    spec, over = _aimed(spec), None
    tries: list[tuple[int, int]] = []  # target and actual size of each
    while len(tries) < MOST_TRIES:
        output = spec.output
        try:
            return _try(spec, painter, listener, style, restart=restart)
        except OverSizeError as error:
            over = error
            assert output.target_bytes is not None
            tries.append((output.aim_bytes or output.target_bytes, error.size_bytes))
            listener.message(f"size: {size_words(error.size_bytes)} in this try, which is too much")
            spec = replace(spec, output=replace(output, aim_bytes=next_aim(tries, output.target_bytes)))
        except TooSmallError as error:
            if not tries or error.exact_bytes >= tries[-1][0]:
                raise over or error from None
            spec = replace(spec, output=replace(output, aim_bytes=error.exact_bytes))
    assert over is not None
    raise over


def _aimed(spec: JobSpec) -> JobSpec:
    with suppress(OSError, JsonError):
        former = JobFolder.read(folder_of(Path(spec.target).absolute())).journal.job.output
        if former == replace(spec.output, aim_bytes=former.aim_bytes):
            return replace(spec, output=former)
    return spec


def _try(spec: JobSpec, painter: Painter, listener: Listener, style: OpenedStyle, *, restart: bool) -> Outcome:
    with ExitStack() as stack:
        held = stack.enter_context(HeldSource.of(spec))
        source = stack.enter_context(open_job_source(spec, painter.device, style))
        if isinstance(source, LiveSource):
            stack.enter_context(signals.deferred(source.stop))
        job = prepare(spec, style, source, held, listener.ending)
        job.announce(listener)
        if spec.output.target_bytes is not None and (source.live or isinstance(source, PipeSource)):
            listener.message("size: not sure to stay below it, as what is read once cannot be tried again")
            job = replace(job, plan=replace(job.plan, most_bytes=None))
        seats = bool(painter.seats)
        with job_folder(
            job, source, on_cpu=painter.on_cpu, restart=restart, say=listener.message, seats=seats
        ) as folder:
            if folder is None:
                return painter.in_one_piece(job, source, listener, restart=restart)
            assert isinstance(source, Reader)
            absent = source.count_absent_frames()
            source.close()
            segmented = SegmentedJob(replace(job, shots=folder.journal.shots), folder, listener, absent)
            if folder.missing:
                painter.paint(segmented)
            return segmented.join()


MOST_TRIES = 4  # each encodes the film again, at a bit rate derived from earlier tries

SLOW_FRAMES = 60
"""One minute with a slow third-party network (1 frame/s): longer jobs are kept, however fast the network."""


@contextmanager
def job_folder(
    job: PreparedJob, source: FrameSource, *, on_cpu: bool, restart: bool, say: OnMessage, seats: bool = False
) -> Iterator[JobFolder | None]:
    """Open a job's locked folder, with plan and complete segments; None for a job in one piece.

    Args:
        source: at its start.
        on_cpu: size segments for a CPU.
        say: receives a message on the parts that an interruption keeps or loses.
        seats: segments are for several workers.

    Raises: InputError, OutputError if another process runs this job or segments of another job exist.
    """
    target, ending = job.plan.target, job.plan.ending
    ending.kept, ending.whole = "", False
    with disk_errors(target.parent, f"the segments of {target.name} failed"):
        if not _in_segments(job, source, on_cpu=on_cpu, seats=seats):
            frames = _expected(source.info)
            short = frames is not None and is_short(frames, job.sizes.working, on_cpu=on_cpu)
            silent = short or seats or not job.plan.container.is_one_file
            if not silent and (why := _why_nothing_is_kept(job, source)):
                say(f"{why}: if this job is interrupted, all of it is lost")
            yield None
            return
        with FolderLock(target, ending) as lock:
            folder = _found_or_made(lock, job, source, restart, say, on_cpu=on_cpu, seats=seats)
            if folder is None:
                yield None
                return
            ending.kept = folder.kept_words
            try:
                job.check_target()  # again, now that no other job can be writing to it
                yield folder
            except BaseException as error:
                useless = isinstance(error, OverSizeError | OtherNameError)
                ending.kept = "" if useless else _kept_words(folder, job)
                job.held.something_is_kept = bool(ending.kept)
                if not ending.kept:
                    lock.clear()
                elif not isinstance(error, KeyboardInterrupt):
                    say(ending.kept)
                if isinstance(error, Exception) and target.parent.is_dir() and not lock.path.is_dir():
                    words = f"{lock.path} was removed while its job ran; run the same command again"
                    raise OutputError(words) from error
                raise
            ending.kept = f"{target.name} is complete"
            try:
                lock.clear()
            finally:
                lock.clear()  # and again if that was interrupted
            ending.kept = ""


def _in_segments(job: PreparedJob, source: FrameSource, *, on_cpu: bool, seats: bool) -> bool:
    # pictures need no folder, and a pipe cannot resume
    if not job.plan.container.is_one_file:
        return False
    return folder_of(job.plan.target).exists() or _cut(job, source, on_cpu=on_cpu, seats=seats) is not None


def _kept_words(folder: JobFolder, job: PreparedJob) -> str:
    folder.look_again()
    if not folder.parts:
        return ""
    return folder.kept_part + job.how_to_resume


def plan_folder(job: PreparedJob, source: FrameSource, *, on_cpu: bool, say: OnMessage) -> JobFolder | None:
    """Plan a job's folder for other processes; None for one piece. Raises as `job_folder`."""
    if not _in_segments(job, source, on_cpu=on_cpu, seats=True):
        return None
    with FolderLock(job.plan.target) as lock:
        return _found_or_made(lock, job, source, False, say, on_cpu=on_cpu, seats=True)


def _found_or_made(
    lock: FolderLock, job: PreparedJob, source: FrameSource, restart: bool, say: OnMessage, *, on_cpu: bool, seats: bool
) -> JobFolder | None:
    target = job.plan.target
    identity = job.identity
    folder = None if restart else _former(lock.path, identity, say)
    if folder is None:
        segments = _cut(job, source, on_cpu=on_cpu, seats=seats)
        if restart or segments is None:
            lock.clear()
        if segments is None or identity is None:
            return None
        spec = replace(job.spec, source=job.info.source, target=str(target))
        shots = find_shots(job.spec, job.style, job.sizes, say)
        journal = Journal(VERSION, identity, spec, segments, shots, job.info.time_base)
        job.held.grown()  # raises if the file was replaced
        folder = JobFolder.create(lock.path, journal)
    elif folder.journal.job.owner != job.spec.owner:
        its = replace(folder.journal.job, owner=job.spec.owner)
        folder = JobFolder.create(lock.path, replace(folder.journal, job=its))
    damaged = folder.find_whole()
    if damaged:
        say(f"{count_of(len(damaged), 'segment')} of {target.name} damaged: painting again")
    if folder.parts:
        say(f"resuming {target.name}: {folder.done_words} are done")
    return folder


def _former(path: Path, identity: JobIdentity | None, say: OnMessage) -> JobFolder | None:
    try:
        folder = JobFolder.read(path)
    except FileNotFoundError:
        return None
    except (OSError, JsonError) as error:  # segments with names of the new plan are still found
        say(f"the plan of an unfinished job cannot be used ({first_line(error)}): planning again")
        return None
    if folder.journal.identity == identity:
        return folder
    folder.find_whole()
    if not folder.parts:
        return None
    changes = "the source" if identity is None else identity.changes(folder.journal.identity)
    kept = count_of(len({part.number for part, _ in folder.parts}), "segment")
    raise KeptOutputError(
        f"{path} contains {kept} of an unfinished job, and since then "
        f"{changes} changed; undo that to resume it, or start over with --restart"
    )


def _cut(job: PreparedJob, source: FrameSource, *, on_cpu: bool, seats: bool) -> tuple[Segment, ...] | None:
    """Return the segments of a job.

    A single one, kept in parts, if its source cannot be decoded from any frame.
    """
    asked = job.spec.segments
    if asked == "off" or not isinstance(source, Reader) or _why_nothing_is_kept(job, source):
        return None
    length = asked if isinstance(asked, int) else segment_frames(job.sizes.working, on_cpu=on_cpu)
    expected = _expected(source.info)

    def needs_one(frames: int) -> bool:
        if asked == "auto":
            is_known = job.style.style.card.speed == "realtime"
            return is_short(frames, job.sizes.working, on_cpu=on_cpu) and (is_known or frames <= SLOW_FRAMES)
        return seats and frames <= length + length // 2

    if expected is not None and needs_one(expected):
        return None
    indexed = source.indexed_range()
    if indexed is None or max(map(abs, (indexed[0].pts[0], indexed[0].pts[-1]))) > MAX_NUMBER:
        return None if seats else (Segment(0, 0, None, source.info.start_pts, None),)
    return None if needs_one(len(indexed[1])) else plan_segments(*indexed, length)


def _expected(info: VideoInfo) -> int | None:
    if info.frame_count is None and info.duration_s and info.rate:
        return round(info.duration_s * float(info.rate))
    return info.frame_count


def _why_nothing_is_kept(job: PreparedJob, source: FrameSource) -> str:
    """Return why an interruption would lose the whole job.

    Empty if segments are kept or switched off.
    """
    if job.spec.segments == "off":
        return ""
    if source.live:
        return f"{source.name} is live and cannot be repeated"
    if isinstance(source, PipeSource):
        return "standard input can only be read once"
    if not isinstance(source, Reader):
        return f"{source.name} is generated on the fly"
    if job.spec.decode.playlists:
        return f"{source.name} is a playlist, whose files may change"
    encoder = job.plan.choice.encoder
    return "" if encoder.header_first else f"{encoder.name} produces the file's header too late"


class SegmentedJob:
    """A job in segments and its progress."""

    def __init__(self, job: PreparedJob, folder: JobFolder, listener: Listener = NOBODY, absent: int = 0) -> None:
        """Prepare. absent: see `FrameSource.absent_frames`."""
        self.job, self.folder, self.listener = job, folder, listener
        self._absent = absent
        self._resumed = folder.frames_done
        self._begin = time.perf_counter()
        planned = sum(segment.frames or 0 for segment in folder.journal.segments)
        self._expected = max(planned, job.info.frame_count or 0) or None

    def missing_runs(self) -> list[list[Segment]]:
        """Return the missing segments in contiguous runs."""
        return consecutive(self.folder.missing)

    def paint(
        self,
        run: list[Segment],
        pipeline: Pipeline,
        on_segment: OnSegment = ignore,
        stock: Stock | None = None,
    ) -> None:
        """Paint consecutive segments. Complete ones are kept after an error.

        Args:
            on_segment: receives each segment when it is on disk.
        """
        before = self.folder.frames_done, self.folder.bytes_done
        spec = self.job.spec

        def progress(state: Progress) -> None:
            self.show(before[0] + state.frames, before[1] + state.size_bytes)

        style = self.job.style
        with open_job_source(replace(spec, range=self._range_of(run)), pipeline.device, style) as source:
            self.job.held.grown()  # before frames of a changed file arrive
            output = SegmentWriter(
                self.folder, self.job.plan, run, source, on_segment, pipeline.device, lambda: pipeline.warnings
            )
            listener = Listener(progress=progress, frame=self.listener.frame)
            transcode(source, pipeline, output, listener, stock=stock)

    def _range_of(self, run: list[Segment]) -> TimeRange:
        first, last = run[0], run[-1]
        if last.frames is not None:
            start, end = (Position(Fraction(number), "frame") for number in (first.first, last.first + last.frames))
            return TimeRange(start, end)
        whole, info = self.job.spec.range, self.job.info
        if not first.first:
            return whole
        start = Position((first.start_pts - info.start_pts) * info.time_base, "s")
        return replace(whole, start=start, frames=None if whole.frames is None else whole.frames - first.first)

    def note_kept(self, _: Segment) -> None:
        """Update the owner's message about kept work."""
        self.job.plan.ending.kept = self.folder.kept_words

    def show(self, frames: int, size_bytes: int) -> None:
        """Report the progress of the whole job."""
        self.listener.progress(self._state(frames, size_bytes))

    def _state(self, frames: int, size_bytes: int) -> Progress:
        return Progress(frames, self._expected, time.perf_counter() - self._begin, size_bytes, self._resumed)

    def join(self) -> Outcome:
        """Write the output and report all warnings. Raises OutputError, InputError."""
        plan, info, records = self.job.plan, self.job.info, [record for _, record in self.folder.parts]
        lost = max(sum(record.lost for record in records), (info.frame_count or 0) - self.folder.frames_done)
        lost += self._absent
        lost_words = picture_lost(lost, cut_off=any(record.cut_off for record in records))
        written, damage = join(self.folder, plan, lost_words)
        self.show(written.frames, written.bytes)
        warnings = {record.run: record.warnings for record in records}  # a run's last segment has all of its warnings
        for warning in dict.fromkeys([*(line for lines in warnings.values() for line in lines), *damage]):
            self.listener.message(warning)
        found = damage_of([*lost_words, *damage])
        status = Status.LOSSES if found or plan.incomplete else Status.DONE
        state = self._state(written.frames, written.bytes)
        return Outcome(status, state, lost, written.path, (*plan.losses, *found))
