"""Do the job of a `JobSpec` on one device, in one piece or in segments from which an interrupted job resumes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace

from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceLostError
from framebrush.jobs.pictures import picture_log
from framebrush.jobs.pipeline import Pipeline
from framebrush.jobs.prepare import PreparedJob, context_of, open_job_style, replacement
from framebrush.jobs.segments.segmented import Painter, SegmentedJob, do_job
from framebrush.jobs.shots import find_shots
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.stock import Stock, StockChangedError, Unsure
from framebrush.jobs.transcode import NOBODY, FrameWriter, Listener, OnMessage, Outcome, transcode
from framebrush.media.video import FrameSource
from framebrush.media.writing.pictures import PictureWriter
from framebrush.media.writing.writer import Writer, encoder_frames
from framebrush.styles.names import OpenedStyle

StockOf = Callable[[PreparedJob, Device, str], Stock | None]
"""The painted frames of a job, a device and a `Stylizer.method`; None where there are none."""


def run_job(
    spec: JobSpec,
    device: Device,
    listener: Listener = NOBODY,
    *,
    style: OpenedStyle | None = None,
    another_device: Callable[[], Device] | None = None,
    restart: bool = False,
    stock_of: StockOf | None = None,
) -> Outcome:
    """Run the job of a spec on a device, which the caller closes.

    style: that of the spec, if it is already open. another_device: opens a replacement if `device` is lost; the frames
    that were on it are painted again. If its decoder produced them, they are lost with it, and the job starts again on
    the replacement with the completed segments, decoding on the CPU. restart: discard what an earlier run left.
    stock_of: tells where to find frames that need not be painted. The rest, and the errors, are those of `transcode`,
    StyleError, and OutputError if the remains of another job are in the way.
    """
    said, tell = set[str](), listener.message

    def say(words: str) -> None:
        if words not in said:
            said.add(words)
            tell(words)

    listener = replace(listener, message=say)  # what is begun again decides the same
    style = style or open_job_style(spec, listener.message)
    if spec.decode.hwaccel is not None:  # its frames are not in host memory, where those of a stock are
        stock_of = None
    painter = _OneDevice(spec, device, listener.message, another_device, stock_of)
    try:
        try:
            return do_job(spec, painter, listener, style=style, restart=restart)
        except StockChangedError:  # seldom: a file is damaged, or another window has deleted it
            painter.is_sure = False
            return do_job(spec, painter, listener, style=style)
    except DeviceLostError as lost:
        if not painter.begins_again(lost):
            raise
    assert painter.other is not None
    with painter.other as other:
        spec = replace(spec, decode=replace(spec.decode, hwaccel=None))
        return run_job(spec, other, listener, style=style, another_device=another_device)


class _OneDevice(Painter):
    """A device of this process. is_sure: whether what the stock says it has is relied on. other: the device on which
    the job begins again, decoding on the CPU."""

    device: Device

    def __init__(
        self,
        spec: JobSpec,
        device: Device,
        say: OnMessage,
        another_device: Callable[[], Device] | None,
        stock_of: StockOf | None,
    ) -> None:
        self.device, self.on_cpu = device, device.info.on_processor
        self._decodes_on_gpu = spec.decode.hwaccel is not None
        self._say, self._another_device, self._stock_of = say, another_device, stock_of
        self.is_sure = True
        self.other: Device | None = None

    def paint(self, segmented: SegmentedJob) -> None:
        job = segmented.job
        with job.pipeline(self.device, self._say, self._another_device) as pipeline:
            for run in segmented.missing_runs():
                segmented.paint(run, pipeline, segmented.note_kept, self._stock(job, pipeline))

    def in_one_piece(self, job: PreparedJob, source: FrameSource, listener: Listener, *, restart: bool) -> Outcome:
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
            pipeline = stack.enter_context(job.pipeline(self.device, self._say, self._another_device))
            job.check_target()  # again, now that no other job can be writing to it
            outcome = transcode(
                source,
                pipeline,
                writer,
                listener,
                begins_again=self.begins_again,
                done=done,
                context=context_of(spec, style).before,
                stock=self._stock(job, pipeline),
            )
            return replace(outcome, losses=(*job.plan.losses, *outcome.losses))

    def begins_again(self, lost: DeviceLostError) -> bool:
        """Whether the job begins again on another device, as the frames that the lost one has decoded are lost."""
        if self._decodes_on_gpu and self.other is None:
            with suppress(DeviceLostError):
                self.other = replacement(self._another_device, self._say)(lost)
        return self.other is not None

    def _stock(self, job: PreparedJob, pipeline: Pipeline) -> Stock | None:
        if self._stock_of is None or pipeline.method is None:
            return None
        stock = self._stock_of(job, self.device, pipeline.method)
        return stock if stock is None or self.is_sure else Unsure(stock)
