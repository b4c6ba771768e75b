"""A `JobSpec` and an opened device become work: the source, the style and the pipeline that the spec describes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import FrameFormat
from framebrush.gpu.sizes import Sizes, plan_sizes
from framebrush.gpu.steady import window_of
from framebrush.jobs.spec import JobSpec, SizeSpec
from framebrush.media.frame_source import FrameSource, open_frame_source
from framebrush.media.plan import plan_output
from framebrush.media.video import InputError, VideoInfo
from framebrush.models.style import Style
from framebrush.pipeline import Pipeline, ReplaceDevice, target_aspect, video_target
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
        picture = source.info.format
        sizes = job_sizes(spec.sizes, picture, style.style)
        target = video_target(picture, spec.output.bits, sizes.target)
        plan = plan_output(at_target(source.info, sizes), Path(spec.target), spec.output, target, spec.range)
        for decision in (*plan.decisions, *_size_words(sizes), *plan.losses):
            on_message(decision)
        with job_pipeline(spec, style, device, picture, plan.frame_format, sizes, replacement) as pipeline:
            for note in pipeline.notes:
                on_message(note)
            return transcode(source, pipeline, plan, on_progress=on_progress, on_message=on_message, on_frame=on_frame)


def open_job_source(spec: JobSpec) -> FrameSource:
    """The source of a spec, at the start of its range, with the neighbours that the look needs as context.

    Raises InputError.
    """
    return open_frame_source(
        spec.source,
        spec.range,
        hwaccel=spec.decode.hwaccel,
        deinterlace=spec.decode.deinterlace,
        opening=spec.decode.opening,
        context=window_of(spec.look),
    )


def job_sizes(asked: SizeSpec, source: FrameFormat, style: Style) -> Sizes:
    """The sizes of a frame on its way. Raises ValueError for what cannot be."""
    return plan_sizes(
        (source.width, source.height), style.card, stroke=asked.stroke, size=asked.target, max_size=asked.max_size
    )


def at_target(info: VideoInfo, sizes: Sizes) -> VideoInfo:
    """The facts of a video with the sample aspect ratio that keeps its shape at the target's size."""
    return replace(info, sample_aspect=target_aspect(info.sample_aspect, sizes))


def job_pipeline(
    spec: JobSpec,
    style: OpenedStyle,
    device: Device,
    source: FrameFormat,
    target: FrameFormat,
    sizes: Sizes,
    replace_device: ReplaceDevice | None = None,
) -> Pipeline:
    """The pipeline of a spec for frames of these formats. Raises DeviceError."""
    return Pipeline(
        device,
        style.style,
        source,
        target,
        working=sizes.working,
        look=replace(spec.look, mix=style.mix),
        tiling=spec.tiling,
        window=window_of(spec.look),
        replace_device=replace_device,
    )


def _size_words(sizes: Sizes) -> list[str]:
    names = {"source": sizes.source, "network": sizes.working, "result": sizes.target}
    if len(set(names.values())) == 1:
        return []
    return ["size: " + ", ".join("{} {}x{}".format(name, *size) for name, size in names.items())]
