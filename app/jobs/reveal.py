"""Time-lapse of one painting: strokes in a painter's order.

Frames depend on their number only; the last is the painted frame.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.stages.planes_to_tensor import PlanesToTensor
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import Frame, FrameFormat
from framebrush.gpu.look import ToneMap
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.strokes import StrokeLayout, layout_of
from framebrush.gpu.stylizer import Stylizer
from framebrush.gpu.unfinished import TIMES_SIDE, Times, Unfinished
from framebrush.jobs.film_strokes import StrokePipeline, stroke_pipeline
from framebrush.jobs.output_format import output_frames, target_aspect
from framebrush.jobs.pipeline import Allocate, OutputFrame, in_host_memory
from framebrush.jobs.prepare import PreparedJob, check_canvas, opened_device
from framebrush.jobs.spec import JobSpec, check_reveal_length
from framebrush.jobs.transcode import NOBODY, Beginning, FrameWriter, Listener, OnMessage, Progress, ignore
from framebrush.media.containers import container_for
from framebrush.media.encoding.pixels import AUTO, SOURCE
from framebrush.media.encoding.result_losses import sentence
from framebrush.media.sources.frame_source import local_path
from framebrush.media.video import MAX_RATE, OutputError, Position, RangeError, TimeRange, VideoFrame, VideoInfo
from framebrush.media.writing.file_writer import Writer, WriteResult
from framebrush.media.writing.numbered_pictures import PictureWriter, check_absent
from framebrush.media.writing.output_plan import OutputPlan, check_numbered, check_target, plan_output
from framebrush.models.soft_masks import MASK_SIDE, NO_MASKS, Masks

Floats = npt.NDArray[np.float32]

CANVAS = (0.94, 0.92, 0.87)
"""Colour of the bare canvas, encoded R'G'B'."""

BARE, WASHED = 0.02, 0.11
"""Shares of the time at which the underpainting begins and ends."""

FIRST_STROKE, LAST_STROKE = 0.10, 0.97
"""Shares of the time between which strokes are drawn."""

TOUCHES = 0.95
"""Share of the time from which letters and detail, which are no strokes, appear."""

FACE, FACE_LAYER = 2, 2
"""Number of the region of faces, after background and subject; first layer of it that is drawn last of all."""

PACE = 0.4
"""Power of the number of a group's strokes that its time grows with."""

LONGEST, SHORTEST = 0.03, 0.012
"""Shares of the time for the broadest and the finest strokes, from end to end."""

UNEVEN = 0.15
"""Share of a group's time by which strokes deviate from the even sweep over the canvas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealSpec:
    """Time-lapse of one frame. Raises ValueError.

    job: painting and output. rate: None for the film's. span: to write.
    """

    job: JobSpec
    seconds: Fraction
    rate: Fraction | None = None
    span: TimeRange = field(default_factory=TimeRange)
    transparent: bool = False

    def __post_init__(self) -> None:
        check_reveal_length(self.seconds)
        if self.rate is not None and not 0 < self.rate <= MAX_RATE:
            raise ValueError(f"a rate of {float(self.rate):g} is not above 0 and at most {MAX_RATE} frames a second")

    def frames(self, rate: Fraction) -> tuple[int, int, int]:
        """Return (first, end, total) frame numbers. Raises RangeError."""
        count = max(2, round(self.seconds * rate))

        def place(position: Position) -> int:
            return ceil(position.value * rate) if position.unit == "s" else int(position.value)

        first = 0 if self.span.start is None else place(self.span.start)
        end = count if self.span.end is None else min(count, place(self.span.end))
        end = end if self.span.frames is None else min(end, first + self.span.frames)
        if first >= end:
            raise RangeError(f"the reveal has {count} frames; the range from {first} to {end} holds none of them")
        return first, end, count


class Schedule:
    """Times of a painting's strokes, 0..1."""

    def __init__(self, layout: StrokeLayout, masks: Masks = NO_MASKS) -> None:
        """Order strokes: broad first, background before subject, faces last."""
        layers = len(layout.layers)
        number = np.arange(layers)[:, None, None]
        region = np.where(_inside(masks.faces), FACE, np.where(_inside(masks.area), 1, 0))
        is_late = (region == FACE) & (number >= FACE_LAYER)
        group = np.where(is_late, 3 * layers, 3 * number) + np.where(is_late, number, region)
        place = (np.arange(TIMES_SIDE) + 0.5) / TIMES_SIDE
        sweep = np.broadcast_to(place[:, None] + 0.4 * place, group.shape)
        cells = np.array([layer.count for layer in layout.layers]) / TIMES_SIDE**2
        groups, counts = np.unique(group, return_counts=True)
        own = [group == each for each in groups]
        of_layers = [int(where.any(axis=(1, 2)).argmax()) for where in own]
        ends = np.concatenate([[0.0], np.cumsum((cells[of_layers] * counts) ** PACE)])
        edges = FIRST_STROKE + (LAST_STROKE - FIRST_STROKE) * ends / ends[-1]
        table = np.zeros((*group.shape, 4), np.float32)
        for where, layer, begin, end in zip(own, of_layers, edges, edges[1:], strict=False):
            takes = min(LONGEST + (SHORTEST - LONGEST) * layer / max(1, layers - 1), end - begin)
            count = int(np.count_nonzero(where))
            rank = np.empty(count)
            rank[np.argsort(sweep[where], kind="stable")] = np.arange(count) / max(1, count - 1)
            spread = UNEVEN * (end - begin - takes)
            begins = begin + (end - begin - takes - spread) * rank
            table[where, :3] = np.stack([begins, np.full(count, spread), np.full(count, takes)], axis=-1)
        self._times = Times(table)

    def at(self, progress: float) -> Unfinished:
        """Return the painting at a time, below 1."""
        touches = float(np.clip((progress - TOUCHES) / (1.0 - TOUCHES), 0.0, 1.0))
        front = min(1.0, max(0.0, (progress - BARE) / (WASHED - BARE)))
        return Unfinished(self._times, progress, front, touches, CANVAS)


def _inside(mask: bytes | None) -> npt.NDArray[np.bool_]:
    if mask is None:
        return np.zeros((TIMES_SIDE, TIMES_SIDE), np.bool_)
    return np.frombuffer(mask, np.uint8).reshape(MASK_SIDE, MASK_SIDE) > 127


class Reveal:
    """Painting at any time of the reveal."""

    def __init__(
        self, opened: StrokePipeline, job: JobSpec, say: OnMessage = ignore, allocate: Allocate | None = None
    ) -> None:
        """Paint a pipeline's first frame. Raises as `StrokePipeline.paint`."""
        found = dict[int, Masks]()  # of frames before it and after it, too: masks are tracked
        with opened.masks(job, say, "background and subject are painted together") as masks_of:

            def see(frame: VideoFrame) -> None:
                found[frame.number] = masks_of(frame)

            self.painted = next(iter(opened.paint(allocate, see)))
        self._stylizer = opened.stylizer
        self._schedule = Schedule(layout_of(self._stylizer.settings), found[self.painted.number])
        self._covers: Covers | None = None

    def paint(self, progress: float, into: Frame, *, transparent: bool = False) -> Frame:
        """Paint the unfinished frame at a time, below 1."""
        part, painted = self._schedule.at(progress), self.painted.host
        if into.alpha is not None and painted.alpha is not None:
            into.alpha[...] = painted.alpha
            if transparent:
                self._covers = self._covers or Covers(self._stylizer)
                shown = painted.alpha.astype(np.float32) * self._covers.at(part)
                into.alpha[...] = shown if into.format.floating else np.rint(shown).astype(into.alpha.dtype)
                part = replace(part, front=1.0)
        return self._stylizer.fetch_part(part, into)


class Covers:
    """Opacity of unfinished paintings on a transparent canvas, painted as pictures."""

    def __init__(self, stylizer: Stylizer[Any]) -> None:
        self._stylizer, target = stylizer, stylizer.target
        self._picture = target.allocate()
        self._reader = PlanesToTensor(target, keeps_hdr=stylizer.settings.keeps_hdr)
        self._kept, self._rolled = np.empty((2, 3, target.height, target.width), np.float32)

    def at(self, part: Unfinished) -> Floats:
        """Return the opacity (H, W), valid until the next call."""
        covers = replace(part, bare=(0.0, 0.0, 0.0), covers=True)
        shift = self._stylizer.target.shift
        planes = self._stylizer.fetch_part(covers, self._picture).planes
        codes = tuple(plane >> shift for plane in planes) if shift else planes
        self._reader.run(codes, self._kept, ToneMap.BT2390, self._rolled)
        opacity: Floats = (self._rolled if self._stylizer.settings.keeps_hdr else self._kept)[1]
        return opacity


def write_reveal(spec: RevealSpec, listener: Listener = NOBODY) -> WriteResult:
    """Write the time-lapse of a job's frame.

    Raises: InputError, OutputError, StyleError, DeviceError, RangeError, ValueError.
    """
    job, plans = spec.job, list[OutputPlan]()
    target = Path(job.target)
    container = container_for(target, job.output.stream)
    if not container.piped:
        check_target(local_path(job.source), target, overwrite=job.output.overwrite)
    if container.pictures and not job.output.overwrite:
        check_absent(target)
    job = replace(job, range=replace(job.range, frames=1))

    def target_of(info: VideoInfo, sizes: Sizes) -> FrameFormat:
        plan = _plan(spec, info, sizes)
        plans.append(plan)
        return plan.frame_format

    with (
        opened_device(partial(open_device, job.devices[0]), listener.message) as device,
        stroke_pipeline(job, listener.message, target_of, device=device) as opened,
    ):
        (plan,) = plans
        first, end, count = spec.frames(_rate(spec, opened.source.info))
        for decision in (*plan.decisions, *filter(None, [sentence(plan.losses)])):
            listener.message(decision)
        writer: FrameWriter = PictureWriter(plan, 0, ignore) if container.pictures else Writer(plan)
        with writer:
            reveal = Reveal(opened, job, listener.message, writer.allocate)
            began = time.perf_counter()
            for number in range(first, end):
                frame = reveal.painted.host
                if number < count - 1:
                    allocated = writer.allocate()
                    assert isinstance(allocated, Frame)
                    frame = reveal.paint(number / (count - 1), allocated, transparent=spec.transparent)
                writer.write(frame, number - first, 1)
                elapsed_s = time.perf_counter() - began
                listener.progress(Progress(number - first + 1, end - first, elapsed_s, writer.bytes_written))
            result = writer.finish()
    return result


def beginning_of(job: PreparedJob, device: Device, say: OnMessage, *, left: int) -> Beginning | None:
    """Return the film's reveal, if any. left: unwritten frames."""
    count = job.plan.before
    if not count:
        return None

    def precede(painted: Generator[OutputFrame], allocate: Allocate) -> Generator[OutputFrame]:
        with closing(painted):
            first = next(painted, None)
            if first is None:
                return
            if left:
                yield from _before(job, device, first, range(count - left, count), allocate, say)
            yield first
            yield from painted

    return Beginning(count, precede)


def _before(
    job: PreparedJob, device: Device, first: OutputFrame, numbers: range, allocate: Allocate, say: OnMessage
) -> Iterator[OutputFrame]:
    plan, count = job.plan, numbers.stop
    spec = replace(job.spec, range=replace(job.spec.range, frames=1))
    # the job has said what the pipeline would
    with stroke_pipeline(spec, ignore, lambda *_: plan.frame_format, shots=job.shots, device=device) as opened:
        reveal = Reveal(opened, spec, say)
        for number in numbers:
            begins, ends = (first.pts - plan.ticks_of(count - each) for each in (number, number + 1))
            picture = reveal.paint(number / count, in_host_memory(allocate()))
            yield OutputFrame(first.number, begins, ends - begins, picture)


def _rate(spec: RevealSpec, info: VideoInfo) -> Fraction:
    return spec.rate or info.usual_rate


def _plan(spec: RevealSpec, info: VideoInfo, sizes: Sizes) -> OutputPlan:
    output, target = spec.job.output, Path(spec.job.target)
    check_numbered(info, target)
    rate = _rate(spec, info)
    first, end, _ = spec.frames(rate)
    info = replace(
        info,
        path=None,
        description=info.name,
        time_base=1 / rate,
        rate=rate,
        start_pts=0,
        duration_s=float((end - first) / rate),
        frame_count=end - first,
        interlaced=False,
        deinterlaced=None,
        chapters=(),
        timecode=None,
        sample_aspect=target_aspect(info.sample_aspect, sizes),
    )
    container = container_for(target, output.stream)
    picture = info.format
    if spec.transparent:
        picture = replace(picture, alpha=True)
        pix_fmt = SOURCE if output.pix_fmt == AUTO else output.pix_fmt
        codec = container.alpha_codec or output.codec if output.codec == "auto" else output.codec
        output = replace(output, pix_fmt=pix_fmt, codec=codec)
    form, frames = output_frames(output, container, picture, sizes.target)
    if spec.transparent and not frames.alpha:
        raise OutputError(
            f"{target.name}: {container.name} in {form} has no transparency",
            do="use .mov, .webp or %04d.png, or leave out --transparent",
        )
    check_canvas(spec.job.target, frames)
    return plan_output(info, target, output, frames, TimeRange())
