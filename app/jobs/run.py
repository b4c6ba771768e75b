"""Do the job of a `JobSpec` on one device, in one piece or in segments from which an interrupted job resumes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace

from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceLostError
from framebrush.jobs.pictures import picture_log
from framebrush.jobs.pipeline import Pipeline, ReplaceDevice
from framebrush.jobs.prepare import PreparedJob, context_of, open_job_style, replacement
from framebrush.jobs.segments.segmented import SegmentedJob, do_job
from framebrush.jobs.shots import find_shots
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.stock import Stock, StockChangedError, Unsure
from framebrush.jobs.transcode import (
    NOBODY,
    BeginsAgain,
    FrameWriter,
    Listener,
    Outcome,
    transcode,
)
from framebrush.media.video import FrameSource
from framebrush.media.writing.pictures import PictureWriter
from framebrush.media.writing.writer import Writer, encoder_frames
from framebrush.styles.names import OpenedStyle

StockOf = Callable[[PreparedJob, Device, str], Stock | None]
"""The painted frames of a job, a device and a `Stylizer.method`; None where there are none."""


def no_stock(*_: object) -> Stock | None:
    """Everything is painted."""
    return None


def run_job(
    spec: JobSpec,
    device: Device,
    listener: Listener = NOBODY,
    *,
    style: OpenedStyle | None = None,
    another_device: Callable[[], Device] | None = None,
    restart: bool = False,
    stock_of: StockOf = no_stock,
) -> Outcome:
    """Run the job of a spec on a device, which the caller closes.

    style: that of the spec, if it is already open. another_device: opens a replacement if `device` is lost; the frames
    that were on it are painted again. If its decoder produced them, they are lost with it, and the job starts again on
    the replacement with the completed segments, decoding on the CPU. restart: discard what an earlier run left.
    stock_of: tells where to find frames that need not be painted. The rest, and the errors, are those of `transcode`,
    StyleError, and OutputError if the remains of another job are in the way.
    """
    style = style or open_job_style(spec, listener.message)
    replace_device = replacement(another_device, listener.message)
    elsewhere: list[Device] = []

    def begins_again(lost: DeviceLostError) -> bool:
        if spec.decode.hwaccel is not None and not elsewhere:
            with suppress(DeviceLostError):
                elsewhere.append(replace_device(lost))
        return bool(elsewhere)

    def unsure(job: PreparedJob, device: Device, method: str) -> Stock | None:
        stock = stock_of(job, device, method)
        return None if stock is None else Unsure(stock)

    said: set[str] = set()

    def say(words: str) -> None:
        said.add(words)
        listener.message(words)

    def say_once(words: str) -> None:
        if words not in said:
            say(words)

    first, again = replace(listener, message=say), replace(listener, message=say_once)
    try:
        try:
            return _run(spec, device, style, replace_device, begins_again, restart, first, stock_of)
        except StockChangedError:  # seldom: a file is damaged, or another window has deleted it
            return _run(spec, device, style, replace_device, begins_again, False, again, unsure)
    except DeviceLostError as lost:
        if not begins_again(lost):
            raise
    with elsewhere[0] as other:
        return run_job(
            replace(spec, decode=replace(spec.decode, hwaccel=None)),
            other,
            again,
            style=style,
            another_device=another_device,
        )


def _run(
    spec: JobSpec,
    device: Device,
    style: OpenedStyle,
    replace_device: ReplaceDevice,
    begins_again: BeginsAgain,
    restart: bool,
    listener: Listener,
    stock_of: StockOf,
) -> Outcome:
    def pipeline_of(job: PreparedJob) -> Pipeline:
        pipeline = job.pipeline(device, replace_device)
        for note in pipeline.notes:
            listener.message(note)
        return pipeline

    def stock_for(job: PreparedJob, pipeline: Pipeline) -> Stock | None:
        method = pipeline.method
        if method is None or spec.decode.hwaccel is not None:  # hwaccel: its frames are not in host memory
            return None
        return stock_of(job, device, method)

    def paint(segmented: SegmentedJob) -> None:
        with pipeline_of(segmented.job) as pipeline:
            for run in segmented.missing_runs():
                segmented.paint(run, pipeline, segmented.note_kept, stock_for(segmented.job, pipeline))

    def in_one_piece(job: PreparedJob, source: FrameSource) -> Outcome:
        job = replace(job, shots=find_shots(spec, style, job.sizes, listener.message))
        with ExitStack() as stack:
            done = 0
            if job.plan.container.pictures:
                log = stack.enter_context(picture_log(job, restart=restart, say=listener.message))
                done = log.done
                writer: FrameWriter = PictureWriter(job.plan, done, log.add)
            else:
                writer = Writer(job.plan, pictures=encoder_frames(job.plan, device))
            stack.enter_context(writer)
            pipeline = stack.enter_context(pipeline_of(job))
            job.check_target()  # again, now that no other job can be writing to it
            outcome = transcode(
                source,
                pipeline,
                writer,
                listener,
                begins_again=begins_again,
                done=done,
                context=context_of(spec, style).before,
                stock=stock_for(job, pipeline),
            )
            return replace(outcome, losses=(*job.plan.losses, *outcome.losses))

    return do_job(
        spec,
        style,
        paint=paint,
        in_one_piece=in_one_piece,
        on_cpu=device.info.on_processor,
        device=device,
        restart=restart,
        listener=listener,
    )
