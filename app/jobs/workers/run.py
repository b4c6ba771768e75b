"""Run of a job on one device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace

from framebrush.base.closing import Closing
from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceLostError
from framebrush.jobs.cached_frames import CachedFrames, CachedFramesChangedError, UnverifiedFrames
from framebrush.jobs.job_shots import find_shots
from framebrush.jobs.pipeline import Pipeline
from framebrush.jobs.prepare import PreparedJob, context_of, replacement
from framebrush.jobs.reveal import beginning_of
from framebrush.jobs.segments.picture_log import picture_log
from framebrush.jobs.segments.segmented import SegmentedJob
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import NOBODY, FrameWriter, Listener, Outcome, paint_into
from framebrush.jobs.workers.doing import SegmentPainter, do_job
from framebrush.media.video import FrameSource
from framebrush.media.writing.file_writer import Writer, encoder_frames
from framebrush.media.writing.numbered_pictures import PictureWriter
from framebrush.styles.style_names import OpenedStyle

StockOf = Callable[[PreparedJob, Device, str], CachedFrames | None]
"""Function from a job, a device and a `Stylizer.method` to its cached frames, or None."""


def run_job(
    spec: JobSpec,
    device: Device,
    listener: Listener = NOBODY,
    *,
    style: OpenedStyle | None = None,
    restart: bool = False,
) -> Outcome:
    """Run a job on a device, which stays open; see `do_job`."""
    with OneDevice(device) as painter:
        return do_job(spec, painter, listener, style=style, restart=restart)


class OneDevice(SegmentPainter, Closing):
    """Device of this process, for consecutive jobs.

    Its loss takes decoded frames along: the job restarts with CPU decoding. another_device: opens its replacement.
    """

    def __init__(
        self, device: Device, another_device: Callable[[], Device] | None = None, stock_of: StockOf | None = None
    ) -> None:
        self._device: Device | None = device
        self._another_device, self._stock_of = another_device, stock_of
        self._opened = ExitStack()
        self._lost: DeviceLostError | None = None
        self._is_sure = True
        """Whether the cache's list of frames is trusted."""

    @property
    def device(self) -> Device:
        """Device, or a lost one's replacement. Raises DeviceError."""
        if self._device is None:
            assert self._another_device is not None
            self._device = self._opened.enter_context(self._another_device())
        return self._device

    @property
    def on_cpu(self) -> bool:
        """See `SegmentPainter`."""
        return self.device.info.on_processor

    def close(self) -> None:
        """Close replacement devices."""
        self._opened.close()

    def paint_missing(self, segmented: SegmentedJob) -> None:
        """See `SegmentPainter`."""
        job = segmented.job
        with self._pipeline(job, segmented.listener) as pipeline:
            for run in segmented.missing_runs():
                segmented.paint_segments(run, pipeline, segmented.note_kept, self._stock(job, pipeline))

    def in_one_piece(self, job: PreparedJob, source: FrameSource, listener: Listener, *, restart: bool) -> Outcome:
        """See `SegmentPainter`."""
        spec, style = job.spec, job.style
        job = replace(job, shots=find_shots(spec, style, job.sizes, listener.message))
        with ExitStack() as stack:
            done = 0
            if job.plan.container.pictures:
                log = stack.enter_context(picture_log(job, restart=restart, say=listener.message))
                done = log.done
                writer: FrameWriter = PictureWriter(job.plan, done, log.add)
            else:
                writer = Writer(job.plan, pictures=encoder_frames(job.plan, self.device))
            stack.enter_context(writer)
            pipeline = stack.enter_context(self._pipeline(job, listener))
            job.check_target()  # again, as no other job can be writing it now
            outcome = paint_into(
                source,
                pipeline,
                writer,
                listener,
                begins_again=lambda lost: self._begins_again(lost, spec, listener),
                done=done,
                context=context_of(spec, style).before,
                stock=self._stock(job, pipeline),
                beginning=beginning_of(job, pipeline.device, listener.message, left=max(0, job.plan.before - done)),
            )
            return replace(outcome, losses=(*job.plan.losses, *outcome.losses))

    def again(self, error: CachedFramesChangedError | DeviceLostError, spec: JobSpec, listener: Listener) -> JobSpec:
        """See `SegmentPainter`."""
        if isinstance(error, DeviceLostError):
            if self._begins_again(error, spec, listener):
                return replace(spec, decode=replace(spec.decode, hwaccel=None))
        elif self._is_sure:  # rarely: a file is damaged, or another window has deleted it
            self._is_sure = False
            return spec
        raise error

    def _begins_again(self, lost: DeviceLostError, spec: JobSpec, listener: Listener) -> bool:
        if self._another_device is None:
            return False
        if lost is not self._lost:  # otherwise it was answered before
            self._lost, self._device = lost, None
            if spec.decode.hwaccel is not None:
                with suppress(DeviceLostError):
                    other = replacement(self._another_device, listener.message)(lost)
                    self._device = self._opened.enter_context(other)
        return self._device is not None

    @contextmanager
    def _pipeline(self, job: PreparedJob, listener: Listener) -> Iterator[Pipeline]:
        device = self.device
        with job.pipeline(device, listener.message, self._another_device) as pipeline:
            try:
                yield pipeline
            finally:
                if self._device is device is not pipeline.device:  # lost; its replacement ends with the pipeline
                    self._device = None

    def _stock(self, job: PreparedJob, pipeline: Pipeline) -> CachedFrames | None:
        # frames of a device's decoder are not in host memory; the cache's are
        if self._stock_of is None or pipeline.stylizer.method is None or job.spec.decode.hwaccel is not None:
            return None
        stock = self._stock_of(job, self.device, pipeline.stylizer.method)
        return stock if stock is None or self._is_sure else UnverifiedFrames(stock)
