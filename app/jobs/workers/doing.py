"""Run of a job, repeated until its result is small enough."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from framebrush.base import signals
from framebrush.base.json_values import JsonError
from framebrush.base.signals import Ending
from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceLostError
from framebrush.jobs.cached_frames import CachedFramesChangedError
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import PreparedJob, open_job_source, open_job_style, prepare
from framebrush.jobs.segments.job_folder import JobFolder, folder_of
from framebrush.jobs.segments.segmented import SegmentedJob, in_segments, job_folder
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import NOBODY, Listener, Outcome
from framebrush.media.disk import disk_errors
from framebrush.media.live.live_sources import LiveSource
from framebrush.media.reading.reader import Reader
from framebrush.media.reading.standard_input import PipeSource
from framebrush.media.video import FrameSource, OverSizeError
from framebrush.media.writing.target_size import TooSmallError, next_aim, size_words
from framebrush.styles.style_names import OpenedStyle

MOST_TRIES = 4  # each encodes the film again, at a bit rate derived from earlier tries


class SegmentPainter(ABC):
    """Executor of a job: one device, several, a cluster."""

    workers = ""
    """Name of several workers, for which a single segment is useless; empty for one device."""

    @property
    def device(self) -> Device | None:
        """Device on which decoded frames may stay."""
        return None

    @property
    @abstractmethod
    def on_cpu(self) -> bool:
        """Whether segments are sized for a CPU."""

    @abstractmethod
    def paint_missing(self, segmented: SegmentedJob) -> None:
        """Paint the missing segments."""

    @abstractmethod
    def in_one_piece(self, job: PreparedJob, source: FrameSource, listener: Listener, *, restart: bool) -> Outcome:
        """Run a job without segments."""

    def again(self, error: CachedFramesChangedError | DeviceLostError, spec: JobSpec, listener: Listener) -> JobSpec:
        """Return the spec for another try, or raise."""
        raise error


def do_job(
    spec: JobSpec,
    painter: SegmentPainter,
    listener: Listener = NOBODY,
    *,
    style: OpenedStyle | None = None,
    restart: bool = False,
) -> Outcome:
    """Run a job: find finished segments (`restart` discards them), paint, join.

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
        except (CachedFramesChangedError, DeviceLostError) as error:
            spec, restart = painter.again(error, spec, listener), False


def _small_enough(
    spec: JobSpec, painter: SegmentPainter, listener: Listener, style: OpenedStyle, *, restart: bool
) -> Outcome:
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
            listener.message(f"size: {size_words(error.size_bytes)} in this attempt, above the limit")
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


def _try(spec: JobSpec, painter: SegmentPainter, listener: Listener, style: OpenedStyle, *, restart: bool) -> Outcome:
    with ExitStack() as stack:
        held = stack.enter_context(OpenedSource.of(spec))
        source = stack.enter_context(open_job_source(spec, painter.device, style))
        if isinstance(source, LiveSource):
            stack.enter_context(signals.deferred(source.stop))
        job = prepare(spec, style, source, held, listener.ending)
        job.announce(listener)
        if spec.output.target_bytes is not None and (source.live or isinstance(source, PipeSource)):
            listener.message("size: the limit may be exceeded, as a source that is read once cannot be encoded again")
            job = replace(job, plan=replace(job.plan, most_bytes=None))
        job.plan.ending.kept, job.plan.ending.whole = "", False
        on_cpu, workers, say = painter.on_cpu, bool(painter.workers), listener.message
        if in_segments(job, source, on_cpu=on_cpu, say=say, workers=workers):
            with job_folder(job, source, on_cpu=on_cpu, restart=restart, say=say, workers=workers) as folder:
                if folder is not None:
                    return _join(job, source, painter, folder, listener)
        with disk_errors(job.plan.target.parent, f"writing {job.plan.target.name} failed"):
            return painter.in_one_piece(job, source, listener, restart=restart)


def _join(
    job: PreparedJob, source: FrameSource, painter: SegmentPainter, folder: JobFolder, listener: Listener
) -> Outcome:
    assert isinstance(source, Reader)
    absent = source.count_absent_frames()
    source.close()
    segmented = SegmentedJob(replace(job, shots=folder.journal.shots), folder, listener, absent)
    if folder.missing:
        painter.paint_missing(segmented)
    return segmented.join()
