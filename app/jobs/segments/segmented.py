"""Job in segments: find, paint, join."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from framebrush.base.json_values import MAX_NUMBER, JsonError
from framebrush.base.status import Status
from framebrush.base.text import count_of, first_line
from framebrush.jobs.cached_frames import CachedFrames
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.job_shots import find_shots
from framebrush.jobs.pipeline import Pipeline
from framebrush.jobs.prepare import PreparedJob, open_job_source
from framebrush.jobs.reveal import beginning_of
from framebrush.jobs.segments.job_folder import VERSION, FolderLock, JobFolder, Journal, folder_of
from framebrush.jobs.segments.join import join
from framebrush.jobs.segments.segment_plan import Segment, consecutive, is_short, plan_segments, segment_frames
from framebrush.jobs.segments.segment_writer import OnSegment, SegmentWriter
from framebrush.jobs.transcode import NOBODY, Listener, OnMessage, Outcome, PictureLosses, Progress, ignore, paint_into
from framebrush.media.disk import disk_errors
from framebrush.media.encoding.result_losses import damage_of
from framebrush.media.reading.reader import Reader
from framebrush.media.reading.standard_input import PipeSource
from framebrush.media.video import (
    FrameSource,
    KeptOutputError,
    OtherNameError,
    OutputError,
    OverSizeError,
    Position,
    TimeRange,
)

SLOW_FRAMES = 60
"""One minute with a slow third-party network (1 frame/s): longer jobs are kept, however fast the network."""


def in_segments(job: PreparedJob, source: FrameSource, *, on_cpu: bool, say: OnMessage, workers: bool = False) -> bool:
    """Return whether a job has segments, now or from an earlier run.

    source: at its start. say: receives a message if a long job cannot resume. workers: several.
    """
    if not job.plan.container.is_one_file:  # pictures need no folder, and a pipe cannot resume
        return False
    with disk_errors(job.plan.target.parent, f"the segments of {job.plan.target.name} failed"):
        if folder_of(job.plan.target).exists() or _cut(job, source, on_cpu=on_cpu, workers=workers) is not None:
            return True
    frames = source.info.expected_frames
    short = frames is not None and is_short(frames, job.sizes.working, on_cpu=on_cpu)
    if not (short or workers) and (why := _why_nothing_is_kept(job, source)):
        say(f"{why}: if this job is interrupted, all of it is lost")
    return False


@contextmanager
def job_folder(
    job: PreparedJob, source: FrameSource, *, on_cpu: bool, restart: bool, say: OnMessage, workers: bool = False
) -> Iterator[JobFolder | None]:
    """Open and lock a job's folder; yield None without segments.

    Args: as for `in_segments`. Raises: InputError; OutputError if in use, or another job's.
    """
    target, ending = job.plan.target, job.plan.ending
    with disk_errors(target.parent, f"the segments of {target.name} failed"), FolderLock(target, ending) as lock:
        folder = _found_or_made(lock, job, source, restart, say, on_cpu=on_cpu, workers=workers)
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
                words = f"{lock.path} was removed while its job ran"
                raise OutputError(words, do="run the same command again") from error
            raise
        ending.kept = f"{target.name} is complete"
        try:
            lock.clear()
        finally:
            lock.clear()  # and again if that was interrupted
        ending.kept = ""


def _kept_words(folder: JobFolder, job: PreparedJob) -> str:
    folder.look_again()
    if not folder.frames_done:
        return ""
    return folder.share_words("kept") + job.how_to_resume


def plan_folder(job: PreparedJob, source: FrameSource, *, on_cpu: bool, say: OnMessage) -> JobFolder | None:
    """Plan a job's folder for other processes. Raises as `job_folder`."""
    if not in_segments(job, source, on_cpu=on_cpu, say=say, workers=True):
        return None
    target = job.plan.target
    with disk_errors(target.parent, f"planning {target.name} failed"), FolderLock(target) as lock:
        return _found_or_made(lock, job, source, False, say, on_cpu=on_cpu, workers=True)


def _found_or_made(
    lock: FolderLock,
    job: PreparedJob,
    source: FrameSource,
    restart: bool,
    say: OnMessage,
    *,
    on_cpu: bool,
    workers: bool,
) -> JobFolder | None:
    target = job.plan.target
    identity = job.identity
    folder = None if restart else _former(lock.path, identity, say)
    if folder is None:
        segments = _cut(job, source, on_cpu=on_cpu, workers=workers)
        if restart or segments is None:
            lock.clear()
        if segments is None or identity is None:
            return None
        spec = replace(job.spec, source=job.info.source, target=str(target))
        shots = find_shots(job.spec, job.style, job.sizes, say)
        journal = Journal(VERSION, identity, spec, segments, shots, job.info.time_base)
        job.held.has_only_grown()  # raises if the file was replaced
        folder = JobFolder.create(lock.path, journal)
    elif folder.journal.job.owner != job.spec.owner:
        its = replace(folder.journal.job, owner=job.spec.owner)
        folder = JobFolder.create(lock.path, replace(folder.journal, job=its))
    damaged = folder.find_whole()
    if damaged:
        say(f"{count_of(len(damaged), 'segment')} of {target.name} damaged: painting again")
    if folder.frames_done:
        say(f"resuming {target.name}: {folder.share_words('done')}")
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
    if not folder.frames_done:
        return None
    changes = "the source" if identity is None else identity.changes(folder.journal.identity)
    kept = count_of(len({part.number for part, _ in folder.parts}), "segment")
    raise KeptOutputError(
        f"{path} contains {kept} of an unfinished job, and since then {changes} changed",
        do="undo that to resume it, or start over with --restart",
    )


def _cut(job: PreparedJob, source: FrameSource, *, on_cpu: bool, workers: bool) -> tuple[Segment, ...] | None:
    """Return a job's segments; one if decoding begins at the start."""
    asked = job.spec.segments
    if asked == "off" or not isinstance(source, Reader) or _why_nothing_is_kept(job, source):
        return None
    length = asked if isinstance(asked, int) else segment_frames(job.sizes.working, on_cpu=on_cpu)
    expected = source.info.expected_frames

    def needs_one(frames: int) -> bool:
        if asked == "auto":
            is_known = job.style.style.card.speed == "realtime"
            return is_short(frames, job.sizes.working, on_cpu=on_cpu) and (is_known or frames <= SLOW_FRAMES)
        return workers and frames <= length + length // 2

    if expected is not None and needs_one(expected):
        return None
    indexed = source.indexed_range()
    if indexed is None or max(map(abs, (indexed[0].pts[0], indexed[0].pts[-1]))) > MAX_NUMBER:
        return None if workers else (_begun(job, Segment(0, 0, None, source.info.start_pts, None)),)
    if needs_one(len(indexed[1])):
        return None
    first, *others = plan_segments(*indexed, length)
    return (_begun(job, first), *others)


def _begun(job: PreparedJob, first: Segment) -> Segment:
    return first.after(job.plan.before, job.plan.ticks_of(job.plan.before))


def _why_nothing_is_kept(job: PreparedJob, source: FrameSource) -> str:
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
    """Job in segments, and its progress."""

    def __init__(self, job: PreparedJob, folder: JobFolder, listener: Listener = NOBODY, absent: int = 0) -> None:
        self.job, self.folder, self.listener = job, folder, listener
        self._absent = absent
        self._resumed = folder.frames_done
        self._begin = time.perf_counter()
        planned = sum(segment.frames or 0 for segment in folder.journal.segments)
        known = job.info.frame_count
        self._expected = max(planned, 0 if known is None else job.plan.before + known) or None

    def missing_runs(self) -> list[list[Segment]]:
        """Missing segments in contiguous runs."""
        return consecutive(self.folder.missing)

    def paint_segments(
        self, run: list[Segment], pipeline: Pipeline, on_segment: OnSegment = ignore, stock: CachedFrames | None = None
    ) -> None:
        """Paint consecutive segments; complete ones survive an error.

        on_segment: receives each one on disk.
        """
        before = self.folder.frames_done, self.folder.bytes_done
        spec = self.job.spec

        def progress(state: Progress) -> None:
            self.show(before[0] + state.frames, before[1] + state.size_bytes)

        style = self.job.style
        with open_job_source(replace(spec, range=self._range_of(run)), pipeline.device, style) as source:
            self.job.held.has_only_grown()  # before frames of a changed file arrive
            output = SegmentWriter(
                self.folder,
                self.job.plan,
                run,
                source,
                on_segment,
                pipeline.device,
                lambda: pipeline.frame_pipeline.warnings,
            )
            listener = Listener(progress=progress, frame=self.listener.frame)
            beginning = beginning_of(self.job, pipeline.device, self.listener.message, left=run[0].before)
            paint_into(source, pipeline, output, listener, stock=stock, beginning=beginning)

    def _range_of(self, run: list[Segment]) -> TimeRange:
        first, last = run[0], run[-1]
        if last.frames is not None:
            start, end = (Position.of_frame(number) for number in (first.first, last.behind_last))
            return TimeRange(start, end)
        whole, info = self.job.spec.range, self.job.info
        if not first.first:
            return whole
        start = Position((first.start_pts - info.start_pts) * info.time_base, "s")
        return replace(whole, start=start, frames=None if whole.frames is None else whole.frames - first.first)

    def note_kept(self, _: Segment) -> None:
        self.job.plan.ending.kept = self.folder.kept_words

    def show(self, frames: int, size_bytes: int) -> None:
        """Report the whole job's progress."""
        self.listener.progress(self._state(frames, size_bytes))

    def _state(self, frames: int, size_bytes: int) -> Progress:
        return Progress(frames, self._expected, time.perf_counter() - self._begin, size_bytes, self._resumed)

    def join(self) -> Outcome:
        """Write the output. Raises OutputError, InputError."""
        plan, info, records = self.job.plan, self.job.info, [record for _, record in self.folder.parts]
        expected = plan.before + (info.frame_count or 0)
        lost = max(sum(record.lost for record in records), expected - self.folder.frames_done)
        cut_off = any(record.cut_off for record in records)
        estimated = self._absent > 0 or (cut_off and info.frame_count is None)
        losses = PictureLosses(lost + self._absent, cut_off, estimated)
        lost_words = losses.sentences
        written, damage = join(self.folder, plan, lost_words)
        self.show(written.frames, written.bytes)
        warnings = {record.run: record.warnings for record in records}  # a run's last segment has all of its warnings
        for warning in dict.fromkeys([*(line for lines in warnings.values() for line in lines), *damage]):
            self.listener.message(warning)
        found = damage_of([*lost_words, *damage])
        status = Status.LOSSES if found or plan.incomplete else Status.DONE
        state = self._state(written.frames, written.bytes)
        return Outcome(status, state, losses.frames, written.path, (*plan.losses, *found), losses.estimated)
