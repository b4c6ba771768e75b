"""Measurement of stages and of the whole."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

from framebrush.base.text import count_of
from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size
from framebrush.jobs.output_format import video_target
from framebrush.jobs.prepare import at_target, job_pipeline, job_sizes, open_job_source
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Progress
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import RangeError, VideoFrame
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import plan_output
from framebrush.styles.style_names import OpenedStyle

KEPT = 48
"""Decoded frames in memory for stages measured alone: 150 MB of 1080p in 4:2:0."""


STANDARD = ("lavfi:testsrc2=size=1280x720:rate=25", "lavfi:testsrc2=size=1920x1080:rate=25")
"""Default sources, the same everywhere."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Wall and processor seconds for all frames."""

    wall_s: float
    processor_s: float


@dataclass(frozen=True, slots=True)
class Stage:
    """Wall and processor seconds per frame."""

    name: str
    frame_ms: float
    processor_ms: float

    @property
    def fps(self) -> float:
        return 1e3 / self.frame_ms


@dataclass(frozen=True, slots=True)
class Measurement:
    """Measured decoding, painting and encoding alone, and transcode. device_ms: timed steps."""

    source: Size
    working: Size
    target: Size
    pix_fmt: str
    look: Look
    encoder: str
    frames: int
    stages: tuple[Stage, ...]
    device_ms: tuple[tuple[str, float], ...] = ()

    @property
    def transcode(self) -> Stage:
        """Return the measurement of the whole transcode."""
        return self.stages[-1]

    @property
    def slowest(self) -> Stage:
        """Return the slowest stage, which bounds the whole."""
        return max(self.stages[:-1], key=lambda stage: stage.frame_ms)

    @property
    def of_slowest(self) -> float:
        """Return the speed relative to the slowest stage, 0..1."""
        return self.slowest.frame_ms / self.transcode.frame_ms

    def of_cores(self, cores: int) -> float:
        """Return the speed relative to the cores' bound, 0..1."""
        processor_ms = sum(stage.processor_ms for stage in self.stages[:-1]) / cores
        return max(self.slowest.frame_ms, processor_ms) / self.transcode.frame_ms


def measure(spec: JobSpec, style: OpenedStyle, device: Device, *, frames: int) -> Measurement:
    """Measure each stage in the range of `spec`. Raises RangeError."""
    with open_job_source(spec) as source, tempfile.TemporaryDirectory(prefix="framebrush-bench-") as folder:
        info = source.info
        sizes = job_sizes(spec.sizes, info.format, style.style)
        target = video_target(info.format, size=sizes.target)
        plan = plan_output(at_target(info, sizes), Path(folder) / "encode.mp4", spec.output, target, spec.range)
        kept: list[VideoFrame] = []
        count = 0
        with _cost() as decode:
            for frame in source:
                count += 1
                if count <= KEPT:
                    kept.append(frame)
        if count < frames:
            raise RangeError(f"{source.name} has {count_of(count, 'frame')}, less than --frames {frames}")
        with job_pipeline(spec, style, device, info, target, sizes) as pipeline:
            # the warm-up (kernels, memory, clocks) also gives the encoder real paintings
            painted = [(item.pts - info.start_pts, item.frame) for item in pipeline.frames(iter(kept))]
            with _cost() as paint:
                for _ in pipeline.frames(islice(cycle(kept), frames)):
                    pass
            stage_ms = dict(pipeline.stylizer.stage_ms)
        period = kept[-1].pts - info.start_pts + max(1, kept[-1].duration)
        with _cost() as encode, Writer(plan) as writer:
            for number in range(frames):
                lap, index = divmod(number, len(painted))
                offset, frame_painted = painted[index]
                writer.write(frame_painted, info.start_pts + lap * period + offset, 0)
            writer.finish()
        whole = _Steady()
        whole_spec = replace(spec, target=str(Path(folder) / "whole.mp4"), segments="off")
        run_job(whole_spec, device, Listener(progress=whole.on_progress), style=style)
    costs = {"decode": decode(), "paint": paint(), "encode": encode(), "transcode": whole.cost(frames)}
    return Measurement(
        sizes.source,
        sizes.working,
        sizes.target,
        info.pix_fmt,
        spec.look,
        plan.choice.encoder.name,
        frames,
        tuple(Stage(name, 1e3 * cost.wall_s / frames, 1e3 * cost.processor_s / frames) for name, cost in costs.items()),
        tuple(stage_ms.items()),
    )


class _Steady:
    def __init__(self) -> None:
        self._begin: tuple[float, float] | None = None

    def on_progress(self, _: Progress) -> None:
        if self._begin is None:
            self._begin = time.perf_counter(), time.process_time()

    def cost(self, frames: int) -> Cost:
        assert self._begin is not None
        wall, processor = self._begin
        share = frames / (frames - 1)
        return Cost((time.perf_counter() - wall) * share, (time.process_time() - processor) * share)


@contextmanager
def _cost() -> Iterator[Callable[[], Cost]]:
    wall, processor = time.perf_counter(), time.process_time()
    cost = Cost(0.0, 0.0)
    yield lambda: cost
    cost = Cost(time.perf_counter() - wall, time.process_time() - processor)


def printed(found: Measurement, cores: int, console: Console) -> None:
    """Print a measurement. cores: of the processor."""
    table = Table("stage", "ms a frame", "fps", "processor ms a frame", box=None, header_style="bold")
    for stage in found.stages:
        table.add_row(stage.name, f"{stage.frame_ms:.2f}", f"{stage.fps:.1f}", f"{stage.processor_ms:.2f}")
    console.print("{}x{}".format(*found.source), highlight=False)
    console.print(table)
    if found.device_ms:
        console.print("on the device: " + ", ".join(f"{name} {ms:.2f} ms" for name, ms in found.device_ms))
    console.print(f"transcode against its slowest stage alone ({found.slowest.name}): {found.of_slowest:.2f}")
    console.print(f"transcode against what {count_of(cores, 'core')} can do: {found.of_cores(cores):.2f}")
