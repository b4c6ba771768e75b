"""A job in segments: what is left of an earlier run, what is to be painted, and the join."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from framebrush import signals
from framebrush.jobs.folder import VERSION, FolderLock, JobFolder, Journal, folder_of
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.join import join
from framebrush.jobs.json_values import MAX_NUMBER, JsonError
from framebrush.jobs.prepare import PreparedJob, open_job_source
from framebrush.jobs.segment_writer import OnSegment, SegmentWriter
from framebrush.jobs.segments import Segment, consecutive, is_short, plan_segments, segment_frames
from framebrush.jobs.shots import find_shots
from framebrush.media.frame_source import FrameSource
from framebrush.media.plan import FULL, full
from framebrush.media.reader import Reader
from framebrush.media.video import OutputError, Position, TimeRange
from framebrush.models.text import count_of, first_line
from framebrush.pipeline import Pipeline
from framebrush.transcode import OnFrame, OnMessage, OnProgress, Outcome, Progress, Status, ignore, transcode


@contextmanager
def job_folder(
    job: PreparedJob, source: FrameSource, *, on_cpu: bool, restart: bool, say: OnMessage
) -> Iterator[JobFolder | None]:
    """The folder of a job, held for this process, with its plan and the segments that are whole; None for a job that
    is done in one piece.

    source: that of the job, at its start. on_cpu: what the segments are sized for. restart: drop what is left of an
    earlier run. say: told what was found. Where the block ends by an error, `signals.kept` and `say` tell what is kept.
    Raises OutputError: another process does this job, or segments of another job are there; InputError.
    """
    target = job.plan.target
    signals.kept, signals.whole = "", False
    try:
        with _opened(job, source, on_cpu=on_cpu, restart=restart, say=say) as folder:
            yield folder
    except OSError as error:
        if error.errno in FULL:
            raise full(target.parent) from error
        raise OutputError(f"the segments of {target.name} failed: {first_line(error)}") from error


@contextmanager
def _opened(
    job: PreparedJob, source: FrameSource, *, on_cpu: bool, restart: bool, say: OnMessage
) -> Iterator[JobFolder | None]:
    if not folder_of(job.plan.target).exists() and _cut(job, source, on_cpu=on_cpu) is None:
        yield None
        return
    with FolderLock(job.plan.target) as lock:
        folder = _found_or_made(lock, job, source, on_cpu=on_cpu, restart=restart, say=say)
        if folder is None:
            yield None
            return
        signals.kept = folder.kept_words
        try:
            job.check_target()  # once more: now no other job writes to it
            yield folder
        except BaseException as error:
            if not folder.parts:
                lock.clear()
            elif not isinstance(error, KeyboardInterrupt):
                say(folder.kept_words)
            raise
        signals.kept = f"{job.plan.target.name} is whole"
        try:
            lock.clear()
        finally:
            lock.clear()  # also what an interruption left
        signals.kept = ""


def plan_folder(job: PreparedJob, source: FrameSource, *, on_cpu: bool, say: OnMessage) -> JobFolder | None:
    """The folder of a job with its plan, for others to paint; None for a job that is done in one piece. The arguments
    and errors are those of `job_folder`."""
    if not folder_of(job.plan.target).exists() and _cut(job, source, on_cpu=on_cpu) is None:
        return None
    with FolderLock(job.plan.target) as lock:
        return _found_or_made(lock, job, source, on_cpu=on_cpu, restart=False, say=say)


def _found_or_made(
    lock: FolderLock, job: PreparedJob, source: FrameSource, *, on_cpu: bool, restart: bool, say: OnMessage
) -> JobFolder | None:
    target = job.plan.target
    identity = job.identity
    folder = None if restart else _former(lock.path, identity)
    if folder is None:
        segments = _cut(job, source, on_cpu=on_cpu)
        if restart or segments is None:
            lock.clear()
        if segments is None or identity is None:
            return None
        spec = replace(job.spec, source=job.info.source, target=str(target))
        journal = Journal(VERSION, identity, spec, segments, find_shots(job.spec, job.style, job.sizes, say))
        folder = JobFolder.create(lock.path, journal)
    damaged = folder.find_whole()
    if damaged:
        say(f"{count_of(len(damaged), 'segment')} of {target.name} damaged: made again")
    if folder.parts:
        of = count_of(len(folder.journal.segments), "segment")
        there = str(len(folder.whole) or f"{count_of(folder.frames_done, 'frame')} of the first")
        say(f"going on with {target.name}: {there} of {of} are there")
    return folder


def _former(path: Path, identity: JobIdentity | None) -> JobFolder | None:
    """What an earlier run has left, if it was the same job. Raises OutputError where segments would be lost."""
    try:
        folder = JobFolder.read(path)
    except (OSError, JsonError):
        return None  # segments whose names fit the plan are found all the same
    if folder.journal.identity == identity:
        return folder
    folder.find_whole()
    if not folder.parts:
        return None
    changes = "the source" if identity is None else identity.changes(folder.journal.identity)
    kept = count_of(len({part.number for part, _ in folder.parts}), "segment")
    raise OutputError(
        f"{path} holds {kept} of an unfinished job, and since then "
        f"{changes} changed; undo that to go on with it, or begin anew with --restart"
    )


def _cut(job: PreparedJob, source: FrameSource, *, on_cpu: bool) -> tuple[Segment, ...] | None:
    """The segments of a job, None where it is better done in one piece: it is short, or of the length that was asked
    for, the source cannot be read from any frame or is of several files, or the encoder says its header only with the
    first picture."""
    asked = job.spec.segments
    if asked == "off" or not isinstance(source, Reader) or job.spec.decode.playlists:
        return None
    if not job.plan.choice.encoder.header_first:
        return None
    length = asked if isinstance(asked, int) else segment_frames(job.sizes.working, on_cpu=on_cpu)
    expected = source.info.frame_count
    if expected is None and source.info.duration_s and source.info.rate:
        expected = round(source.info.duration_s * float(source.info.rate))

    def needs_one(frames: int) -> bool:
        if asked == "auto":
            return is_short(frames, job.sizes.working, on_cpu=on_cpu)
        return frames <= length + length // 2

    if expected is not None and needs_one(expected):
        return None
    indexed = source.indexed_range()
    if indexed is None or max(map(abs, (indexed[0].pts[0], indexed[0].pts[-1]))) > MAX_NUMBER:
        return None
    return None if needs_one(len(indexed[1])) else plan_segments(*indexed, length)


class SegmentedJob:
    """The work on a job in segments, and how far it is."""

    def __init__(self, job: PreparedJob, folder: JobFolder, on_progress: OnProgress = ignore) -> None:
        self._job, self._folder, self._on_progress = job, folder, on_progress
        self._resumed = folder.frames_done
        self._begin = time.perf_counter()
        planned = sum(segment.frames for segment in folder.journal.segments)
        self._expected = max(planned, job.info.frame_count or 0)

    def missing_runs(self) -> list[list[Segment]]:
        """What is to be painted, in runs without a gap."""
        return consecutive(self._folder.missing)

    def paint(
        self,
        run: list[Segment],
        pipeline: Pipeline,
        on_frame: OnFrame = ignore,
        on_segment: OnSegment = ignore,
    ) -> None:
        """Paint segments that follow each other. on_segment: called with each that is on the disk. Raises what
        `transcode` raises; segments that are whole stay."""
        before = self._folder.frames_done, self._folder.bytes_done
        spec = self._job.spec

        def progress(state: Progress) -> None:
            self.show(before[0] + state.frames, before[1] + state.size_bytes)

        first, last = run[0], run[-1]
        start, end = (Position(Fraction(number), "frame") for number in (first.first, last.first + last.frames))
        with open_job_source(replace(spec, range=TimeRange(start, end)), pipeline.device) as source:
            output = SegmentWriter(self._folder, self._job.plan, run, source, on_segment, pipeline.device)
            transcode(source, pipeline, output, on_progress=progress, on_frame=on_frame)

    def note_kept(self, _: Segment) -> None:
        """Let an interruption say what is whole by now; for the process whose job it is."""
        signals.kept = self._folder.kept_words

    def show(self, frames: int, size_bytes: int) -> None:
        """Tell how far the whole job is."""
        self._on_progress(self._state(frames, size_bytes))

    def _state(self, frames: int, size_bytes: int) -> Progress:
        return Progress(frames, self._expected, time.perf_counter() - self._begin, size_bytes, self._resumed)

    def join(self, on_message: OnMessage) -> Outcome:
        """Write the output. on_message: told what went wrong in all segments. Raises OutputError, InputError."""
        written, damage = join(self._folder, self._job.plan)
        self.show(written.frames, written.bytes)
        records = [record for _, record in self._folder.parts]
        warnings = {record.run: record.warnings for record in records}  # the last segment of a run counted all of it
        for warning in dict.fromkeys([*(line for lines in warnings.values() for line in lines), *damage]):
            on_message(warning)
        promised = self._job.info.frame_count or 0
        lost = max(sum(record.lost for record in records), promised - written.frames)
        lossy = lost or damage or self._job.plan.incomplete or any(record.cut_off for record in records)
        state = self._state(written.frames, written.bytes)
        return Outcome(Status.LOSSES if lossy else Status.DONE, state, lost, written.path, self._job.plan.losses)
