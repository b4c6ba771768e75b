"""A `JobSpec` becomes what work needs: the source, the style, the plan and the pipeline that the spec describes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import FrameFormat
from framebrush.gpu.sizes import Sizes, plan_sizes
from framebrush.jobs.spec import JobSpec, SizeSpec
from framebrush.media.frame_source import FrameSource, open_frame_source
from framebrush.media.live import LiveSource
from framebrush.media.plan import OutputPlan, check_target, plan_output, plan_recording
from framebrush.media.video import InputError, VideoInfo
from framebrush.models.style import Style
from framebrush.pipeline import Pipeline, ReplaceDevice, target_aspect, video_target
from framebrush.shot_styles import Shot, ShotStyles
from framebrush.styles import OpenedStyle, open_style, window_for
from framebrush.transcode import OnMessage


@dataclass(frozen=True, slots=True)
class PreparedJob:
    """A spec with all that was decided before the work. info: of the source. plan: of the whole output. shots: with
    statistics of their own; none where the spec asks for those of the frame."""

    spec: JobSpec
    style: OpenedStyle
    info: VideoInfo
    sizes: Sizes
    plan: OutputPlan
    shots: tuple[Shot, ...] = ()

    @property
    def decisions(self) -> list[str]:
        """What a person should know before the work starts, a sentence each."""
        return [*self.plan.decisions, *_size_words(self.sizes), *self.plan.losses]

    def check_target(self) -> None:
        """Raises OutputError if the finished file would destroy something unasked; see `plan.check_target`."""
        check_target(self.plan.info.path, self.plan.target, overwrite=self.plan.overwrite)

    def pipeline(self, device: Device, replace_device: ReplaceDevice | None = None) -> Pipeline:
        """The pipeline of the job. Raises DeviceError."""
        return job_pipeline(
            self.spec,
            self.style,
            device,
            self.info.format,
            self.plan.frame_format,
            self.sizes,
            shots=self.shots,
            replace_device=replace_device,
        )


def prepare(spec: JobSpec, style: OpenedStyle, source: FrameSource) -> PreparedJob:
    """Decide on sizes, encoder and streams. Raises InputError, OutputError, ValueError."""
    if not source.has_end and not source.live:
        raise InputError(f"{source.name} has no end; give --end or --frames")
    if spec.statistics == "shot" and source.live:
        raise InputError(f"{source.name} is live, and its shots are not known ahead; use --statistics frame")
    picture = source.info.format
    sizes = job_sizes(spec.sizes, picture, style.style)
    target = video_target(picture, spec.output.bits, sizes.target)
    plan = plan_output(at_target(source.info, sizes), Path(spec.target), spec.output, target, spec.range)
    if isinstance(source, LiveSource):
        plan = plan_recording(plan, source.sound, spec.output.audio)
    return PreparedJob(spec, style, source.info, sizes, plan)


def open_job_style(spec: JobSpec, on_message: OnMessage) -> OpenedStyle:
    """The style of a spec; what was guessed of it is said. Raises StyleError."""
    style = open_style(spec.style.name, spec.style.preprocessing)
    for note in style.notes:
        on_message(note)
    return style


def replacement(another_device: Callable[[], Device] | None, on_message: OnMessage) -> ReplaceDevice:
    """What a pipeline asks for a device in place of a lost one. another_device: opens it; None: there is none."""

    def replace_device(lost: DeviceLostError) -> Device:
        if another_device is None:
            raise lost
        try:
            opened = another_device()
        except DeviceError:
            raise lost from None
        on_message(f"{lost}; going on with {opened.info.name}")
        return opened

    return replace_device


def open_job_source(spec: JobSpec, device: Device | None = None) -> FrameSource:
    """The source of a spec, at the start of its range, with the neighbours that the look needs as context. device:
    where frames may stay that its decoder made.

    Raises InputError.
    """
    return open_frame_source(
        spec.source,
        spec.range,
        hwaccel=spec.decode.hwaccel,
        device=device,
        deinterlace=spec.decode.deinterlace,
        opening=spec.decode.opening,
        context=window_for(spec.style.name, spec.look),
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
    *,
    shots: tuple[Shot, ...] = (),
    replace_device: ReplaceDevice | None = None,
) -> Pipeline:
    """The pipeline of a spec for frames of these formats. Raises DeviceError, StyleError."""
    return Pipeline(
        device,
        style.style,
        source,
        target,
        working=sizes.working,
        look=replace(spec.look, mix=style.mix),
        tiling=spec.tiling,
        precision=spec.precision,
        window=window_for(spec.style.name, spec.look),
        shots=ShotStyles(style.style, shots) if shots else None,
        replace_device=replace_device,
    )


def _size_words(sizes: Sizes) -> list[str]:
    names = {"source": sizes.source, "network": sizes.working, "result": sizes.target}
    if len(set(names.values())) == 1:
        return []
    return ["size: " + ", ".join("{} {}x{}".format(name, *size) for name, size in names.items())]
