"""Preparation of a job."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

from framebrush.base.files import FileState
from framebrush.base.option import Group, declared_in
from framebrush.base.signals import Ending
from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import FrameFormat, PlaneOrder
from framebrush.gpu.look import SECOND, Look, strokeless
from framebrush.gpu.settings import StylizerPlan
from framebrush.gpu.sizes import Sizes, plan_sizes
from framebrush.gpu.temporal_window import NO_WINDOW, TemporalWindow
from framebrush.jobs.frame_pipeline import UPRIGHT, FramePipeline
from framebrush.jobs.identity import JobIdentity, SourceIdentity
from framebrush.jobs.keyframes import STROKE, STYLE, LookOverTime, ShotsOfCard, Stroke, TimeOf, option_of, stroke_of
from framebrush.jobs.opened_source import BEGIN_AGAIN, RESUME, RESUME_OVER, OpenedSource
from framebrush.jobs.output_format import output_frames, target_aspect
from framebrush.jobs.pipeline import Pipeline, ReplaceDevice, shows_source
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, OnMessage, Progress, ignore
from framebrush.media.containers import container_for
from framebrush.media.encoding.result_losses import Loss, sentence
from framebrush.media.live.live_sources import LiveSource
from framebrush.media.reading.open import state_of_named
from framebrush.media.reading.standard_input import PipeSource
from framebrush.media.sources.frame_source import local_path, open_frame_source
from framebrush.media.video import FrameSource, InputError, OutputError, VideoFrame, VideoInfo
from framebrush.media.writing.output_plan import OutputPlan, check_target, plan_output, plan_recording
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.style import ModelCard, Style, StyleError
from framebrush.styles.brush_tips import brush_of, brush_tip_of
from framebrush.styles.keys_folder import is_keys, network_in
from framebrush.styles.maps import BrushMaps
from framebrush.styles.shot_styles import Shot, ShotStyles
from framebrush.styles.specs import SizeSpec
from framebrush.styles.style_names import (
    OpenedStyle,
    context_for,
    has_strokes,
    in_colours,
    open_style,
    weights_of,
    window_for,
)


@dataclass(frozen=True, slots=True)
class PreparedJob:
    """Spec with all decisions.

    identity: None without a file. held: lock on the source. shots: empty if unused.
    """

    spec: JobSpec
    style: OpenedStyle
    info: VideoInfo
    sizes: Sizes
    plan: OutputPlan
    held: OpenedSource
    identity: JobIdentity | None = None
    shots: tuple[Shot, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def decisions(self) -> list[str]:
        """Messages before the work, losses last."""
        keyed = strokes_sizes(self.spec, self.info.format, self.style.style)
        return [
            *self.plan.decisions,
            *_size_words([*dict.fromkeys(keyed.values())] or [self.sizes]),
            *self.notes,
            *filter(None, [sentence(self.plan.losses)]),
        ]

    def announce(self, listener: Listener) -> None:
        """Report decisions and losses."""
        for decision in self.decisions:
            listener.message(decision)
        frames = self.info.frame_count
        expected = None if frames is None else self.plan.before + frames
        listener.progress(Progress(0, expected, 0.0, 0, losses=self.plan.losses))

    @property
    def how_to_resume(self) -> str:
        """Advice on resuming, for messages."""
        if not self.held.resumes:
            return BEGIN_AGAIN
        is_taken = os.path.lexists(self.plan.target) and not self.plan.overwrite
        return RESUME_OVER if is_taken else RESUME

    def check_target(self) -> None:
        """Raise OutputError if the target must not be overwritten."""
        if not self.plan.container.piped:
            check_target(self.plan.info.path, self.plan.target, overwrite=self.plan.overwrite)

    def pipeline(
        self, device: Device, say: OnMessage = ignore, another_device: Callable[[], Device] | None = None
    ) -> Pipeline:
        """Create the job's pipeline. Raises DeviceError."""
        given = self.spec, self.style, device, self.info, self.plan.frame_format, self.sizes
        return job_pipeline(*given, shots=self.shots, say=say, another_device=another_device)


def prepare(
    spec: JobSpec, style: OpenedStyle, source: FrameSource, held: OpenedSource, ending: Ending | None = None
) -> PreparedJob:
    """Decide on sizes, encoder and streams. held: locked before opening `source`.

    Raises: InputError, OutputError, StyleError, ValueError.
    """
    if not source.has_end and not source.live:
        raise InputError(f"{source.name} has no end", do="give --end or --frames")
    check_inputs(spec)
    check_shots(spec, style, source)
    look_over_time(spec, style)  # refuse paintings missing from the style before any work
    brush_tip_of(spec.sizes)  # and unreadable brush tips
    notes, picture = film_notes(spec, style) + map_notes(spec, source.info), source.info.format
    sizes = job_sizes(spec.sizes, picture, style.style)
    output, path = spec.output, Path(spec.target)
    container = container_for(path, output.stream)
    painted = bool(spec.keys) or not shows_source(style.style, spec.look)
    _, target = output_frames(output, container, picture, sizes.target, painted=painted)
    check_reveal(spec, style, source, target)
    before_s = spec.reveal_s or Fraction()
    plan = plan_output(at_target(source.info, sizes), path, output, target, spec.range, before_s=before_s)
    plan = plan if ending is None else replace(plan, ending=ending)
    if isinstance(source, LiveSource):
        plan = plan_recording(plan, source.sound, spec.output.audio)
    if isinstance(source, PipeSource):
        plan = replace(plan, losses=(*plan.losses, *_left_out(source, plan, spec.output.audio)))
    if held.identity is None:
        return PreparedJob(spec, style, source.info, sizes, plan, held, notes=notes)
    identity = JobIdentity.of(spec, held.identity, style, plan.choice)
    plan = replace(plan, made_of=identity.to_text(), source_grown=held.has_only_grown)
    return PreparedJob(spec, style, source.info, sizes, plan, held, identity, notes=notes)


def _left_out(source: PipeSource, plan: OutputPlan, audio: Literal["copy", "none"]) -> Iterator[Loss]:
    # missing sound and subtitles are losses only if requested and supported
    for kind, words in source.left_out:
        if kind == "audio" and audio == "none":
            continue
        yield Loss("stream", words, incomplete=kind in ("audio", "subtitle") and not plan.container.alone)


def check_inputs(spec: JobSpec) -> None:
    """Raise OutputError if the target is an input."""
    target = Path(spec.target)
    for path in map(Path, spec.recipe.files):
        is_target = path.absolute() == target.absolute()
        with suppress(OSError):  # one of them does not exist
            is_target = is_target or path.samefile(target)
        if is_target:
            raise OutputError(f"{target} is read by the job itself; give the output another name")


def states_of(recipe: Recipe) -> tuple[FileState | None, ...]:
    """Return a recipe's files' states, None if missing."""
    return tuple(map(_state_of, recipe.files))


def _state_of(path: str) -> FileState | None:
    file = Path(path)
    try:
        return state_of_named(network_in(file) if is_keys(path) else file)
    except StyleError:
        return None


def map_notes(spec: JobSpec, info: VideoInfo) -> tuple[str, ...]:
    """Return messages about maps. Raises StyleError."""
    check_mask(spec.sizes, info.format)
    size, span = info.orientation.turned(info.format.size), spec.range
    lasts_s = info.duration_s if span.end is None and span.frames is None else None  # a range may end before the map
    is_idle = spec.sizes.mask is not None and spec.reveal_s is None and not spec.recipe.most_look.needs_area
    idle = "--mask changes nothing without --focus, or a share of its inside or outside, as --photo-outside 1"
    with BrushMaps(spec.sizes) as maps:
        notes = maps.notes(size, lasts_s)
        return (idle, *notes) if is_idle else (*notes,)


def check_mask(asked: SizeSpec, source: FrameFormat) -> None:
    """Raise StyleError for a mask by missing alpha."""
    if asked.by_alpha and not source.alpha:
        raise StyleError("the film has no alpha that could be the mask", do="give a picture or a video with --mask")


def check_reveal(spec: JobSpec, style: OpenedStyle, source: FrameSource, target: FrameFormat) -> None:
    """Raise InputError, OutputError, ValueError for an impossible reveal."""
    if spec.reveal_s is None:
        return
    check_read_again(source, "a reveal reads its first frame")
    check_strokes(spec, style)
    check_canvas(spec.target, target)


def check_read_again(source: FrameSource, what: str) -> None:
    """Raise InputError for pipes and cameras."""
    if source.live or isinstance(source, PipeSource):
        raise InputError(f"{source.name} can only be read once, and {what} twice; use a file")


def check_strokes(spec: JobSpec, style: OpenedStyle) -> None:
    """Raise ValueError for a look without strokes."""
    if not has_strokes(style.style.card, spec.recipe.most_look):
        raise strokeless()


def check_canvas(target: str, frames: FrameFormat) -> None:
    """Raise OutputError for grey output."""
    if frames.layout is PlaneOrder.GREY:
        raise OutputError(f"{Path(target).name}: the canvas has colours", do="give a --pix-fmt with colours, not grey")


def check_shots(spec: JobSpec, style: OpenedStyle, source: FrameSource) -> None:
    """Raise InputError or StyleError for impossible shots."""
    once = "is live" if source.live else "can only be read once" if isinstance(source, PipeSource) else ""
    if spec.statistics == "shot":
        if once:
            raise InputError(
                f"{source.name} {once}, so its shots are not known in advance", do="use --statistics frame"
            )
        from framebrush.models.shot_statistics import check  # slow to import

        check(style.style)
    if style.palette is not None and once:
        raise InputError(
            f"{source.name} {once}, so its colours are not known in advance", do="use --palette-from PICTURE"
        )


def job_identity(spec: JobSpec, style: OpenedStyle) -> JobIdentity | None:
    """Return a job's identity. Raises as `prepare`."""
    with OpenedSource.of(spec) as held, open_job_source(spec) as source:
        return prepare(replace(spec, output=replace(spec.output, overwrite=True)), style, source, held).identity


def open_job_style(spec: JobSpec, say: OnMessage) -> OpenedStyle:
    """Open a spec's style. Raises StyleError."""
    style = in_colours(open_style(spec.style.name, spec.style.preprocessing), spec.colours)
    for note in (*style.notes, *_idle_options(spec, style.style.card)):
        say(note)
    return style


def _idle_options(spec: JobSpec, card: ModelCard) -> Iterator[str]:
    look = spec.recipe.most_look
    if look.needs_second != (spec.colours.second is not None):
        has, needs = " or ".join(f"--{option_of(name)}" for name in SECOND), "--second"
        if spec.colours.second is not None:
            has, needs = needs, has
        yield f"{has} changes nothing without {needs}"
    if not has_strokes(card, look) and (given := _given(spec.sizes, "brush")):
        yield f"{given} nothing without strokes; give --brush a value above 0"
    if not card.paints and (given := _given(spec.style.preprocessing, "network")):
        yield f"{given} nothing without a network"


def _given(record: SizeSpec | PreprocessingOverrides, group: Group) -> str:
    options = [each for each in declared_in(type(record)) if each.option.group == group]
    given = [f"--{each.spelling}" for each in options if getattr(record, each.field) != each.default]
    return f"{' and '.join(given)} {'change' if given[1:] else 'changes'}" if given else ""


def film_notes(spec: JobSpec, style: OpenedStyle) -> tuple[str, ...]:
    """Return a message about another film's shots. Raises InputError."""
    film, path = style.style.card.film, local_path(spec.source)
    if not film or (path is not None and SourceIdentity.of(path, spec.decode.opening).sha256 == film):
        return ()
    return (
        f"{spec.style.name} was learnt for another film, or {spec.source} has changed since: its shots keep the frame "
        "numbers of that film",
    )


@contextmanager
def opened_device(another_device: Callable[[], Device], say: OnMessage) -> Iterator[Device]:
    """Open a device and report its note."""
    with another_device() as device:
        if device.note:
            say(device.note)
        yield device


def replacement(another_device: Callable[[], Device] | None, say: OnMessage) -> ReplaceDevice:
    """Return the callback that replaces a lost device."""

    def replace_device(lost: DeviceLostError) -> Device:
        if another_device is None:
            raise lost
        try:
            opened = another_device()
        except DeviceError:
            raise lost from None
        say(f"{lost}; continuing on {opened.info.name}")
        return opened

    return replace_device


def open_job_source(spec: JobSpec, device: Device | None = None, style: OpenedStyle | None = None) -> FrameSource:
    """Open a spec's source at its range. Raises InputError.

    device: receives frames, without masks. style: adds context.
    """
    if style is not None and spec.recipe.most_look.of(style.style.card).needs_masks:
        device = None
    return open_frame_source(
        spec.source,
        spec.range,
        hwaccel=spec.decode.hwaccel,
        device=device,
        deinterlace=spec.decode.deinterlace,
        opening=spec.decode.opening,
        context=NO_WINDOW if style is None else context_of(spec, style),
    )


def context_of(spec: JobSpec, style: OpenedStyle) -> TemporalWindow:
    """Return the context around a job's range."""
    return context_for(style.style.card, spec.recipe.most_look, spec.sizes)


def job_sizes(asked: SizeSpec, source: FrameFormat, style: Style) -> Sizes:
    """Return a frame's sizes per stage. Raises ValueError."""
    return asked.planned(source.size, style.card)


def stroke_sizes(asked: SizeSpec, stroke: Stroke, source: FrameFormat, style: Style) -> Sizes:
    """Return another stroke's sizes at equal target. Raises ValueError."""
    target = job_sizes(asked, source, style).target
    return plan_sizes(source.size, style.card, stroke=stroke, size=target)


def strokes_sizes(spec: JobSpec, source: FrameFormat, style: Style) -> dict[Stroke, Sizes]:
    """Return each keyframed stroke's sizes."""
    strokes: list[Stroke] = [
        "auto" if isinstance(key.value, str) else key.value
        for track in spec.keys
        if track.of == STROKE
        for key in track.keys
    ]
    return {stroke: stroke_sizes(spec.sizes, stroke, source, style) for stroke in strokes}


def at_target(info: VideoInfo, sizes: Sizes) -> VideoInfo:
    """Return facts with the target's aspect."""
    return replace(info, sample_aspect=target_aspect(info.sample_aspect, sizes))


def job_pipeline(
    spec: JobSpec,
    style: OpenedStyle,
    device: Device,
    source: VideoInfo | FrameFormat,
    target: FrameFormat,
    sizes: Sizes,
    *,
    shots: tuple[Shot, ...] = (),
    say: OnMessage = ignore,
    another_device: Callable[[], Device] | None = None,
    time_of: TimeOf | None = None,
    live: bool = False,
) -> Pipeline:
    """Create a spec's pipeline.

    source: the film, or frames' format. time_of: seconds, without a film. live: frames are shown as they arrive.
    Raises DeviceError, StyleError, ValueError for timed keyframes without times.
    """
    orientation = UPRIGHT
    if isinstance(source, VideoInfo):
        time_of, orientation = source.time_s, source.orientation
        source = source.format
    check_mask(spec.sizes, source)
    over_time = look_over_time(spec, style)
    if time_of is None and any(track.in_seconds for track in spec.keys):
        raise ValueError("keyframes are set by time, but these frames have no times; use numbers, as in strength@50f=1")

    def look_of(frame: VideoFrame) -> Look:
        return over_time.at(frame.number, time_s(frame))

    def time_s(frame: VideoFrame) -> Fraction:
        return Fraction() if time_of is None else time_of(frame)

    def sizes_of(frame: VideoFrame) -> Sizes:
        stroke = stroke_of(spec.keys, frame.number, time_s(frame))
        return sizes if stroke is None else by_stroke[stroke]

    by_stroke = strokes_sizes(spec, source, style.style)
    sizes = max(by_stroke.values(), key=lambda each: each.working, default=sizes)  # largest, for planning memory
    styles = ShotStyles(style.style, shots, style.palette) if shots else None
    plan = _stylizer_plan(spec, style.style, source, target, sizes, live=live)
    frame_pipeline = FramePipeline(
        device,
        replace(plan, style=styles.style(0) if styles else plan.style, moving=over_time.moves),
        maps=BrushMaps(spec.sizes, timed=time_of is not None),
        look_of=look_of if over_time.changes else None,
        time_of=time_of,
        orientation=orientation,
    )
    for note in frame_pipeline.notes:
        say(note)
    return Pipeline(
        frame_pipeline,
        sizes_of=sizes_of if by_stroke else None,
        shots=styles,
        replace_device=replacement(another_device, say),
    )


def _stylizer_plan(
    spec: JobSpec, style: Style, source: FrameFormat, target: FrameFormat, sizes: Sizes, *, live: bool
) -> StylizerPlan:
    look, card = spec.recipe.most_look, style.card
    return StylizerPlan(
        style,
        source,
        target,
        working=sizes.working,
        stroke_px=sizes.stroke_px,
        kind=brush_of(spec.sizes, card, brush_tip_of(spec.sizes)),
        look=look,
        tiling=spec.tiling,
        precision=spec.precision,
        engine=spec.engine,
        window=window_for(card, look, live=live),
        carries=has_strokes(card, look),
    )


def look_over_time(spec: JobSpec, style: OpenedStyle) -> LookOverTime:
    """Return each frame's look. Raises StyleError for unknown paintings."""
    texts = {str(key.value) for track in spec.keys if track.of == STYLE for key in track.keys}
    card = style.style.card
    shots = ShotsOfCard.of(card, spec.decode.deinterlace)
    return LookOverTime(spec.look, spec.keys, {text: weights_of(text, card) for text in texts}, shots)


def _size_words(every: list[Sizes]) -> list[str]:
    source, working, target = every[0].source, [sizes.working for sizes in every], every[0].target
    if {*working} == {source} == {target}:
        return []
    names = {"source": [source], "network": dict.fromkeys(working), "result": [target]}
    words = (f"{name} {' or '.join('{}x{}'.format(*size) for size in sizes)}" for name, sizes in names.items())
    return ["size: " + ", ".join(words)]
