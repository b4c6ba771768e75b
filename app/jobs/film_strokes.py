"""Strokes of a film, read on the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import FrameFormat, rgba8
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.strokes.drawn import DrawnStrokes
from framebrush.gpu.stylizer import Stylizer
from framebrush.jobs.job_shots import find_shots
from framebrush.jobs.look_masks import LookMasks
from framebrush.jobs.pipeline import Allocate, OutputFrame, Pipeline
from framebrush.jobs.prepare import (
    check_inputs,
    check_shots,
    check_strokes,
    film_notes,
    job_pipeline,
    job_sizes,
    look_over_time,
    open_job_source,
    open_job_style,
)
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.stroke_array import StrokeArray
from framebrush.jobs.transcode import OnLosses, OnMessage, PictureLosses, ignore
from framebrush.media.reading.standard_input import PipeSource
from framebrush.media.video import FrameSource, InputError, VideoFrame, VideoInfo
from framebrush.models.soft_masks import Masks
from framebrush.styles.maps import BrushMaps
from framebrush.styles.shot_styles import Shot
from framebrush.styles.style_names import OpenedStyle

DEVICE = "cpu"

KEPT_TIMES = 1000
"""Frames with kept times: more than a stroke lives, and frames are read ahead."""

TargetOf = Callable[[VideoInfo, Sizes], FrameFormat]


@dataclass(frozen=True, slots=True)
class PaintedStrokes:
    """Strokes of a painted frame. time_s: from the first frame."""

    number: int
    time_s: float
    info: VideoInfo
    sizes: Sizes
    strokes: StrokeArray


class StrokePipeline:
    """Pipeline for a frame's strokes. source: at the range."""

    def __init__(self, source: FrameSource, style: OpenedStyle, sizes: Sizes, pipeline: Pipeline) -> None:
        self.source, self.style, self.sizes = source, style, sizes
        self._pipeline = pipeline

    @property
    def stylizer(self) -> Stylizer[Any]:
        return self._pipeline.stylizer

    @property
    def on_cpu(self) -> CpuStylizer:
        stylizer = self.stylizer
        assert isinstance(stylizer, CpuStylizer)
        return stylizer

    def paint(
        self, allocate: Allocate | None = None, see: Callable[[VideoFrame], object] = ignore
    ) -> Iterator[OutputFrame]:
        """Yield painted frames; `read` returns the latest strokes.

        see: called with decoded frames, ahead. Raises InputError.
        """
        none_yet = True
        for painted in self._pipeline.frames(_shown_to(see, self.source), allocate):
            none_yet = False
            yield painted
        if none_yet:
            raise InputError(f"{self.source.name}: there is no frame at that position")

    def read(self) -> DrawnStrokes:
        """Return the last frame's strokes."""
        return self.on_cpu.read_strokes()

    @contextmanager
    def masks(self, spec: JobSpec, say: OnMessage, otherwise: str) -> Iterator[Callable[[VideoFrame], Masks]]:
        """Yield a function that returns masks of frames in order.

        The area is the job's, else the subject. otherwise: effect of missing networks, for `say`.
        """
        look, info = self._pipeline.frame_pipeline.masks.look, self.source.info
        found = LookMasks(look.with_area.with_values(faces=look.faces or 1.0), info.orientation)
        with BrushMaps(spec.sizes.with_area_for(look)) as maps:
            found.tracked(maps)  # loads networks, and sets `problem`
            if found.problem:
                say(f"{found.problem}; {otherwise}")
            yield lambda frame: found.of(frame, maps, info.time_s(frame))


def _shown_to(see: Callable[[VideoFrame], object], frames: Iterable[VideoFrame]) -> Iterator[VideoFrame]:
    for frame in frames:
        see(frame)
        yield frame


@contextmanager
def stroke_pipeline(
    spec: JobSpec,
    say: OnMessage,
    target_of: TargetOf = lambda _, sizes: rgba8(*sizes.target),
    *,
    shots: tuple[Shot, ...] | None = None,
    device: Device | None = None,
    on_losses: OnLosses = ignore,
) -> Iterator[StrokePipeline]:
    """Open a job's source and a pipeline on the CPU.

    target_of: returns the painted format. shots: None to find them. device: paints instead, without `read`.
    on_losses: called at the end.

    Raises: InputError, OutputError, StyleError, DeviceError, ValueError without strokes.
    """
    if device is None and spec.device not in ("auto", DEVICE):
        say(f"strokes are computed on the processor in place of {spec.device}, with the same result")
    style = open_job_style(spec, say)
    check_inputs(spec)
    for note in film_notes(spec, style):
        say(note)
    check_strokes(spec, style)
    with ExitStack() as stack:
        used = device or stack.enter_context(open_device(DEVICE))
        source = stack.enter_context(open_job_source(spec, style=style))
        if source.live or not source.has_end:
            raise InputError(f"{source.name} has no end", do="give --frames, or a file")
        check_shots(spec, style, source)
        _check_drawn(spec, style, source)
        info = source.info
        sizes = job_sizes(spec.sizes, info.format, style.style)
        shots = find_shots(spec, style, sizes, say) if shots is None else shots
        with job_pipeline(spec, style, used, info, target_of(info, sizes), sizes, shots=shots, say=say) as pipeline:
            yield StrokePipeline(source, style, sizes, pipeline)
            losses = PictureLosses.of(source)
            for note in (*source.warnings, *losses.count_words):
                say(note)
            on_losses(losses)


def _check_drawn(spec: JobSpec, style: OpenedStyle, source: FrameSource) -> None:
    """Raise ValueError for a range without strokes."""
    over_time, info, numbers = look_over_time(spec, style), source.info, list[int]()
    if not over_time.changes or isinstance(source, PipeSource):  # a pipe is read once
        return
    with open_job_source(spec) as frames:
        for frame in frames:
            if over_time.at(frame.number, info.time_s(frame)).of(style.style.card).draws:
                return
            numbers.append(frame.number)
    if numbers:
        one = f"frame {numbers[0]} has no strokes, as its"
        several = f"frames {numbers[0]} to {numbers[-1]} have no strokes, as their"
        raise ValueError(f"{source.name}: {several if numbers[1:] else one} brush is at 0")


def film_strokes(spec: JobSpec, say: OnMessage, on_losses: OnLosses = ignore) -> Iterator[PaintedStrokes]:
    """Yield the strokes of a job's range. on_losses: as of `stroke_pipeline`, as are errors."""
    with stroke_pipeline(spec, say, on_losses=on_losses) as opened:
        info, times_s = opened.source.info, dict[int, float]()

        def see(frame: VideoFrame) -> None:
            times_s[frame.number] = float(info.time_s(frame))
            times_s.pop(frame.number - KEPT_TIMES, None)

        for painted in opened.paint(see=see):
            number = painted.number
            strokes = StrokeArray.of(opened.read(), number, times_s, float(info.usual_rate))
            yield PaintedStrokes(number, times_s[number], info, opened.sizes, strokes)
