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

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.strokes import noise, share
from framebrush.gpu.stages.strokes.drawn import DrawnStrokes, Unfinished
from framebrush.jobs.output_format import output_frames, target_aspect
from framebrush.jobs.pipeline import Allocate, OutputFrame
from framebrush.jobs.prepare import PreparedJob, check_canvas
from framebrush.jobs.spec import JobSpec, check_reveal_length
from framebrush.jobs.strokes import StrokePipeline, stroke_pipeline
from framebrush.jobs.transcode import NOBODY, Beginning, FrameWriter, Listener, OnMessage, Progress, ignore
from framebrush.media.containers import container_for
from framebrush.media.encoding.pixels import AUTO, SOURCE
from framebrush.media.sources.frame_source import local_path
from framebrush.media.video import MAX_RATE, OutputError, Position, RangeError, TimeRange, VideoFrame, VideoInfo
from framebrush.media.writing.pictures import PictureWriter
from framebrush.media.writing.plan import OutputPlan, check_target, plan_output
from framebrush.media.writing.writer import Writer, WriteResult
from framebrush.models.masks import MASK_SIDE, NO_MASKS, Masks

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.float64]

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

LONGEST, SHORTEST = 0.03, 0.012
"""Shares of the time for the broadest and the finest strokes, from end to end."""

UNEVEN = 0.2
"""Deviation of strokes from the even sweep over the canvas, in its height."""

WASH_ROWS, WASH_SOFT, WASH_RAGGED = 9, 0.08, 0.25
"""Rows of the underpainting's broad brush; width of its soft front, and the front's hairs, in rows."""


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

    def __init__(self, strokes: DrawnStrokes, masks: Masks = NO_MASKS) -> None:
        """Order strokes: broad first, background before subject, faces last."""
        layout, layers = strokes.canvas.layout, strokes.layers
        x, y = _middles(strokes.records, layout.size)
        region = np.where(_inside(masks.faces, x, y), FACE, np.where(_inside(masks.area, x, y), 1, 0))
        is_late = (region == FACE) & (layers >= FACE_LAYER)
        group = np.where(is_late, 3 * len(layout.layers), 3 * layers) + np.where(is_late, layers, region)
        sweep = y + 0.4 * x + UNEVEN * share(strokes.records["seed"])
        self.begins: Floats = np.zeros(len(layers), np.float32)
        self.takes: Floats = np.zeros(len(layers), np.float32)
        groups, counts = np.unique(group, return_counts=True)
        ends = np.cumsum(np.sqrt(counts))
        edges = FIRST_STROKE + (LAST_STROKE - FIRST_STROKE) * np.concatenate([[0.0], ends / ends[-1:].sum()])
        finest = max(1, len(layout.layers) - 1)
        for number, begin, end in zip(groups, edges, edges[1:], strict=False):
            own = np.nonzero(group == number)[0]
            usual = LONGEST + (SHORTEST - LONGEST) * layers[own[0]] / finest
            takes = min(usual, end - begin)
            rank = np.empty(len(own))
            rank[np.argsort(sweep[own], kind="stable")] = np.arange(len(own)) / max(1, len(own) - 1)
            self.begins[own], self.takes[own] = begin + (end - begin - takes) * rank, takes

    def at(self, progress: float, *, transparent: bool = False) -> Unfinished:
        """Return the painting at a time, below 1."""
        shares = np.clip((np.float32(progress) - self.begins) / self.takes, 0.0, 1.0)
        touches = float(np.clip((progress - TOUCHES) / (1.0 - TOUCHES), 0.0, 1.0))
        front = max(0.0, (progress - BARE) / (WASHED - BARE))
        laid = None if front >= 1.0 else partial(wash, front)
        return Unfinished(shares, laid, touches, None if transparent else CANVAS)


def _middles(records: npt.NDArray[np.void], size: Size) -> tuple[Places, Places]:
    row, middle = np.arange(len(records)), records["points"] // 2
    return records["x"][row, middle] / float(size[0]), records["y"][row, middle] / float(size[1])


def _inside(mask: bytes | None, x: Places, y: Places) -> npt.NDArray[np.bool_]:
    if mask is None:
        return np.zeros(len(x), np.bool_)
    rows = np.frombuffer(mask, np.uint8).reshape(MASK_SIDE, MASK_SIDE)
    column, row = (np.clip(MASK_SIDE * place, 0, MASK_SIDE - 1).astype(np.int64) for place in (x, y))
    return rows[row, column] > 127


def wash(front: float, size: Size) -> Floats:
    """Return an underpainting's opacity (rows, columns), in broad rows.

    front: finished share, 0..1.
    """
    columns, rows = size
    x = ((np.arange(columns) + 0.5) / columns)[None]
    wavy = np.interp(x * 24.0, np.arange(32), noise()[:32]) - 0.5
    y = ((np.arange(rows) + 0.5) / rows)[:, None] * WASH_ROWS + 0.3 * wavy
    row = np.clip(np.floor(y), 0, WASH_ROWS - 1)
    hairs = noise()[np.floor((y + 8.0) * 40.0).astype(np.int64) % len(noise())]
    along = np.where(row % 2, 1.0 - x, x)
    # from 0 to 1: every place in the order in which the brush comes by
    place = (row + along * (1.0 - WASH_RAGGED) + WASH_RAGGED * hairs) / WASH_ROWS
    reach = front * (1.0 + WASH_SOFT / WASH_ROWS) - place
    opacity = np.clip(reach * WASH_ROWS / WASH_SOFT, 0.0, 1.0)
    return (opacity * opacity * (3.0 - 2.0 * opacity)).astype(np.float32)


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
        self._schedule = Schedule(opened.read(), found[self.painted.number])

    def paint(self, progress: float, into: Frame, *, transparent: bool = False) -> Frame:
        """Paint the unfinished frame at a time, below 1."""
        cover = self._stylizer.fetch_part(into, self._schedule.at(progress, transparent=transparent))
        painted = self.painted.host
        if into.alpha is not None and painted.alpha is not None:
            if transparent:
                shown = painted.alpha.astype(np.float32) * cover
                into.alpha[...] = shown if into.format.floating else np.rint(shown).astype(into.alpha.dtype)
            else:
                into.alpha[...] = painted.alpha
        return into


def write_reveal(spec: RevealSpec, listener: Listener = NOBODY) -> WriteResult:
    """Write the time-lapse of a job's frame.

    Raises: InputError, OutputError, StyleError, DeviceError, RangeError, ValueError.
    """
    job, plans = spec.job, list[OutputPlan]()
    target = Path(job.target)
    container = container_for(target, job.output.stream)
    if not container.piped:
        check_target(local_path(job.source), target, overwrite=job.output.overwrite)
    job = replace(job, range=replace(job.range, frames=1))

    def target_of(info: VideoInfo, sizes: Sizes) -> FrameFormat:
        plans.append(_plan(spec, info, sizes))
        return plans[0].frame_format

    with stroke_pipeline(job, listener.message, target_of) as opened:
        plan = plans[0]
        first, end, count = spec.frames(_rate(spec, opened.source.info))
        for decision in plan.decisions:
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


def beginning_of(job: PreparedJob, say: OnMessage, *, left: int) -> Beginning | None:
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
                yield from _before(job, first, range(count - left, count), allocate, say)
            yield first
            yield from painted

    return Beginning(count, precede)


def _before(
    job: PreparedJob, first: OutputFrame, numbers: range, allocate: Allocate, say: OnMessage
) -> Iterator[OutputFrame]:
    plan, count = job.plan, numbers.stop
    spec = replace(job.spec, range=replace(job.spec.range, frames=1))
    with stroke_pipeline(spec, say, lambda *_: plan.frame_format, shots=job.shots) as opened:
        reveal = Reveal(opened, spec, say)
        for number in numbers:
            into = allocate()
            if isinstance(into, DeviceFrame):  # an encoder's on a device, which takes frames of the host as well
                into.release()
                into = into.format.allocate()
            begins, ends = (first.pts - plan.ticks_of(count - each) for each in (number, number + 1))
            yield OutputFrame(first.number, begins, ends - begins, reveal.paint(number / count, into))


def _rate(spec: RevealSpec, info: VideoInfo) -> Fraction:
    return spec.rate or info.usual_rate


def _plan(spec: RevealSpec, info: VideoInfo, sizes: Sizes) -> OutputPlan:
    output, target = spec.job.output, Path(spec.job.target)
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
            f"{target.name}: {container.name} with {output.codec} and {form} has no transparency; use .mov, .webp or "
            "%04d.png, or leave out --transparent"
        )
    check_canvas(spec.job.target, frames)
    return plan_output(info, target, output, frames, TimeRange())
