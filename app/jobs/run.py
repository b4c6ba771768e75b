"""A `JobSpec` and an opened device become work: the source, the style and the pipeline that the spec describes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from framebrush.gpu.device import Device, DeviceError, DeviceLostError, Tiling
from framebrush.gpu.frame import FrameFormat
from framebrush.gpu.look import Look
from framebrush.jobs.spec import JobSpec, SizeSpec
from framebrush.media.frame_source import FrameSource, open_frame_source
from framebrush.media.plan import plan_output
from framebrush.media.video import InputError
from framebrush.models.style import Style
from framebrush.pipeline import AnotherDevice, Pipeline, video_target
from framebrush.styles import OpenedStyle, open_style
from framebrush.transcode import OnFrame, OnMessage, OnProgress, Outcome, ignore, transcode


def run_job(
    spec: JobSpec,
    device: Device,
    *,
    style: OpenedStyle | None = None,
    another_device: Callable[[], Device] | None = None,
    on_progress: OnProgress = ignore,
    on_message: OnMessage = ignore,
    on_frame: OnFrame = ignore,
) -> Outcome:
    """Run the job of a spec on a device, which stays the caller's to close.

    style: that of the spec where it is open already. another_device: opens the device to go on with when `device` is
    lost; the frames that it held are painted again. on_message is also called with what was decided, before the work
    starts. The rest, and the errors, are those of `transcode` and StyleError.
    """
    if style is None:
        style = open_style(spec.style.name, spec.style.preprocessing)
        for note in style.notes:
            on_message(note)

    def replacement(lost: DeviceLostError) -> Device:
        if another_device is None:
            raise lost
        try:
            opened = another_device()
        except DeviceError:
            raise lost from None
        on_message(f"{lost}; going on with {opened.info.name}")
        return opened

    with open_job_source(spec) as source:
        if not source.has_end:
            raise InputError(f"{source.name} has no end; give --end or --frames")
        target = video_target(source.info.format, spec.output.bits)
        plan = plan_output(source.info, Path(spec.target), spec.output, target, spec.range)
        for decision in plan.decisions:
            on_message(decision)
        with job_pipeline(spec, style, device, source.info.format, target, replacement) as pipeline:
            for note in pipeline.notes:
                on_message(note)
            return transcode(source, pipeline, plan, on_progress=on_progress, on_message=on_message, on_frame=on_frame)


def open_job_source(spec: JobSpec) -> FrameSource:
    """The source of a spec, at the start of its range. Raises InputError."""
    return open_frame_source(
        spec.source,
        spec.range,
        hwaccel=spec.decode.hwaccel,
        deinterlace=spec.decode.deinterlace,
        max_size=spec.sizes.max_size,
    )


def job_pipeline(
    spec: JobSpec,
    style: OpenedStyle,
    device: Device,
    source: FrameFormat,
    target: FrameFormat,
    another_device: AnotherDevice | None = None,
) -> Pipeline:
    """The pipeline of a spec for frames of these formats. Raises DeviceError."""
    look = replace(spec.look, mix=style.mix)
    return make_pipeline(
        device, style.style, source, target, spec.sizes, look=look, tiling=spec.tiling, another_device=another_device
    )


def make_pipeline(
    device: Device,
    style: Style,
    source: FrameFormat,
    target: FrameFormat,
    sizes: SizeSpec,
    *,
    look: Look | None = None,
    tiling: Tiling = "auto",
    another_device: AnotherDevice | None = None,
) -> Pipeline:
    """The one place where the sizes that a person asked for reach a pipeline. `sizes.max_size` is the reader's work.

    Raises DeviceError.
    """
    if sizes.stroke != 1.0 or sizes.size is not None:
        raise DeviceError("this version paints at the size of the source only; leave out --stroke and --size")
    return Pipeline(device, style, source, target, look=look, tiling=tiling, another_device=another_device)
