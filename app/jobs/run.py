"""Does the job of a `JobSpec` on a device: in one piece, or in segments that an interrupted job resumes with."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace

from framebrush import signals
from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceLostError
from framebrush.jobs.prepare import PreparedJob, open_job_source, open_job_style, prepare, replacement
from framebrush.jobs.segmented import SegmentedJob, job_folder
from framebrush.jobs.shots import find_shots
from framebrush.jobs.spec import JobSpec
from framebrush.media.live import LiveSource
from framebrush.media.writer import Writer, encoder_frames
from framebrush.pipeline import Pipeline, ReplaceDevice
from framebrush.styles import OpenedStyle
from framebrush.transcode import BeginsAgain, OnFrame, OnMessage, OnProgress, Outcome, ignore, transcode


def run_job(
    spec: JobSpec,
    device: Device,
    *,
    style: OpenedStyle | None = None,
    another_device: Callable[[], Device] | None = None,
    restart: bool = False,
    on_progress: OnProgress = ignore,
    on_message: OnMessage = ignore,
    on_frame: OnFrame = ignore,
) -> Outcome:
    """Run the job of a spec on a device, which stays the caller's to close.

    style: that of the spec where it is open already. another_device: opens the device to go on with when `device` is
    lost; the frames that it held are painted again. Where they came from its decoder and were lost with it, the job
    begins again there, keeps the segments that are whole, and decodes on the processor. restart: drop what an earlier
    run of the job has left. on_message is also called with what was decided, before the work starts. The rest, and the
    errors, are those of `transcode`, StyleError, and OutputError for what is left of another job.
    """
    style = style or open_job_style(spec, on_message)
    replace_device = replacement(another_device, on_message)
    elsewhere: list[Device] = []

    def begins_again(lost: DeviceLostError) -> bool:
        if spec.decode.hwaccel is not None and not elsewhere:
            with suppress(DeviceLostError):
                elsewhere.append(replace_device(lost))
        return bool(elsewhere)

    try:
        return _run(spec, device, style, replace_device, begins_again, restart, on_progress, on_message, on_frame)
    except DeviceLostError as lost:
        if not begins_again(lost):
            raise
    with elsewhere[0] as other:
        return run_job(
            replace(spec, decode=replace(spec.decode, hwaccel=None)),
            other,
            style=style,
            another_device=another_device,
            on_progress=on_progress,
            on_message=on_message,
            on_frame=on_frame,
        )


def _run(
    spec: JobSpec,
    device: Device,
    style: OpenedStyle,
    replace_device: ReplaceDevice,
    begins_again: BeginsAgain,
    restart: bool,
    on_progress: OnProgress,
    on_message: OnMessage,
    on_frame: OnFrame,
) -> Outcome:
    def pipeline_of(job: PreparedJob) -> Pipeline:
        pipeline = job.pipeline(device, replace_device)
        for note in pipeline.notes:
            on_message(note)
        return pipeline

    with ExitStack() as stack:
        source = stack.enter_context(open_job_source(spec, device))
        if isinstance(source, LiveSource):
            stack.enter_context(signals.deferred(source.stop))
        job = prepare(spec, style, source)
        job.announce(on_message, on_progress)
        with job_folder(
            job, source, on_cpu=device.info.kind == "cpu" or device.info.software, restart=restart, say=on_message
        ) as folder:
            if folder is None:
                job = replace(job, shots=find_shots(spec, style, job.sizes, on_message))
                with (
                    pipeline_of(job) as pipeline,
                    Writer(job.plan, pictures=encoder_frames(job.plan, device)) as writer,
                ):
                    job.check_target()  # once more: now no other job writes to it
                    outcome = transcode(
                        source,
                        pipeline,
                        writer,
                        on_progress=on_progress,
                        on_message=on_message,
                        on_frame=on_frame,
                        begins_again=begins_again,
                    )
                    return replace(outcome, losses=job.plan.losses)
            source.close()
            job = replace(job, shots=folder.journal.shots)
            segmented = SegmentedJob(job, folder, on_progress)
            if folder.missing:
                with pipeline_of(job) as pipeline:
                    for run in segmented.missing_runs():
                        segmented.paint(run, pipeline, on_frame, segmented.note_kept)
            return segmented.join(on_message)
