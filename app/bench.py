"""Measure each stage alone and the whole, in one run, so that the figures can be compared.

The whole cannot be faster than its slowest stage; how near it comes shows how well the stages overlap. On a device that
shares the processor with the codecs the stages also compete for cores: the second bound is their processor time over
the cores.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

from framebrush.gpu.device import Device
from framebrush.jobs.prepare import at_target, job_pipeline, job_sizes, open_job_source
from framebrush.jobs.run import run_job
from framebrush.jobs.spec import JobSpec
from framebrush.media.plan import plan_output
from framebrush.media.video import RangeError, VideoFrame
from framebrush.media.writer import Writer
from framebrush.models.text import count_of
from framebrush.pipeline import video_target
from framebrush.styles import OpenedStyle
from framebrush.transcode import Progress

KEPT = 48
"""Decoded frames held in memory to feed the stages that are measured alone."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Wall and processor seconds of a stage for all frames."""

    wall_s: float
    processor_s: float


def measure(spec: JobSpec, style: OpenedStyle, device: Device, *, frames: int, console: Console) -> None:
    """Print decode, paint and encode of `frames` frames, each alone, then a whole transcode of as many.

    spec: its range holds that many frames; its target is not written. style: that of the spec. Raises RangeError where
    the video is shorter.
    """
    with open_job_source(spec) as source, tempfile.TemporaryDirectory(prefix="framebrush-bench-") as folder:
        info = source.info
        sizes = job_sizes(spec.sizes, info.format, style.style)
        target = video_target(info.format, size=sizes.target)
        plan = plan_output(at_target(info, sizes), Path(folder) / "encode.mp4", spec.output, target, spec.range)
        kept: list[VideoFrame] = []
        count = 0
        with _cost() as decode:
            for frame in source:
                count += not frame.context
                if count <= KEPT and not frame.context:
                    kept.append(frame)
        if count < frames:
            raise RangeError(f"{source.name} has {count_of(count, 'frame')}, less than --frames {frames}")
        with job_pipeline(spec, style, device, info.format, target, sizes) as pipeline:
            # The warm-up (kernels, memory, clocks) also gives the encoder real paintings to work on.
            painted = [(item.pts - info.start_pts, item.frame) for item in pipeline.paint(iter(kept))]
            with _cost() as paint:
                for _ in pipeline.paint(islice(cycle(kept), frames)):
                    pass
            stage_ms = dict(pipeline.stage_ms)
        period = kept[-1].pts - info.start_pts + max(1, kept[-1].duration)
        with _cost() as encode, Writer(plan) as writer:
            for number in range(frames):
                lap, index = divmod(number, len(painted))
                offset, frame_painted = painted[index]
                writer.write(frame_painted, info.start_pts + lap * period + offset, 0)
            writer.finish()
        whole = _Steady()
        whole_spec = replace(spec, target=str(Path(folder) / "whole.mp4"), segments="off")
        run_job(whole_spec, device, style=style, on_progress=whole.on_progress)
    _print(console, {"decode": decode(), "paint": paint(), "encode": encode()}, whole.cost(frames), stage_ms, frames)


class _Steady:
    """Measures a transcode from its first written frame on, as the stages are measured: without opening and set-up."""

    def __init__(self) -> None:
        self._begin: tuple[float, float] | None = None

    def on_progress(self, _: Progress) -> None:
        if self._begin is None:
            self._begin = time.perf_counter(), time.process_time()

    def cost(self, frames: int) -> Cost:
        """What all frames cost, extrapolated from all but the first."""
        assert self._begin is not None
        wall, processor = self._begin
        share = frames / (frames - 1)
        return Cost((time.perf_counter() - wall) * share, (time.process_time() - processor) * share)


@contextmanager
def _cost() -> Iterator[Callable[[], Cost]]:
    """Give a function that returns, after the block, what the block cost."""
    wall, processor = time.perf_counter(), time.process_time()
    cost = Cost(0.0, 0.0)
    yield lambda: cost
    cost = Cost(time.perf_counter() - wall, time.process_time() - processor)


def _print(
    console: Console, stages: Mapping[str, Cost], whole: Cost, stage_ms: Mapping[str, float], frames: int
) -> None:
    table = Table("stage", "ms a frame", "fps", "processor ms a frame", box=None, header_style="bold")
    for name, cost in [*stages.items(), ("transcode", whole)]:
        per_frame_ms = 1e3 * cost.wall_s / frames
        table.add_row(
            name, f"{per_frame_ms:.2f}", f"{1e3 / per_frame_ms:.1f}", f"{1e3 * cost.processor_s / frames:.2f}"
        )
    console.print(table)
    if stage_ms:
        console.print("on the device: " + ", ".join(f"{name} {ms:.2f} ms" for name, ms in stage_ms.items()))
    slowest = max(stages, key=lambda name: stages[name].wall_s)
    console.print(f"transcode against its slowest stage alone ({slowest}): {stages[slowest].wall_s / whole.wall_s:.2f}")
    cores = os.cpu_count() or 1
    bound_s = max(stages[slowest].wall_s, sum(cost.processor_s for cost in stages.values()) / cores)
    console.print(f"transcode against what {cores} cores can do: {bound_s / whole.wall_s:.2f}")
