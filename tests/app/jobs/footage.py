"""Transcodes for tests, and checks of their files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

import av
import numpy as np
import pytest
from av.video.reformatter import VideoReformatter

from assets import frame_number
from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import NOBODY, Listener, Outcome, Progress
from framebrush.jobs.workers.devices import Devices
from framebrush.jobs.workers.doing import do_job
from framebrush.jobs.workers.run import OneDevice
from framebrush.media.video import TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.style import Style
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec, StyleSpec
from framebrush.styles.style_names import OpenedStyle
from tests import networks


def shown(path: Path, quarter_turns: int = 0) -> tuple[list[int | None], list[Fraction]]:
    """Return frame numbers drawn into a file, and times from the first.

    quarter_turns: counter-clockwise rotation before reading.
    """
    numbers: list[int | None] = []
    times: list[Fraction] = []
    swscale = VideoReformatter()
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            assert frame.pts is not None
            assert frame.time_base is not None
            luma = swscale.reformat(frame, format="gray").to_ndarray()
            numbers.append(frame_number.read(np.rot90(luma, quarter_turns)))
            times.append(frame.pts * frame.time_base)
    return numbers, [time - times[0] for time in times]


@dataclass(frozen=True)
class Job:
    """Spec with opened style and device."""

    spec: JobSpec
    device: Device
    style: Style
    another_device: Callable[[], Device] | None = None


def interrupt(made: Job, frames: int) -> None:
    """Stop a transcode after some frames, like Ctrl+C."""

    def stop(state: Progress) -> None:
        if state.frames == frames:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        transcode(made, Listener(progress=stop))


def job(
    source: Path | str,
    target: Path,
    device: Device,
    *,
    style: Style | None = None,
    options: OutputOptions | None = None,
    span: TimeRange | None = None,
    sizes: SizeSpec = SOURCE_SIZE,
    look: Look | None = None,
    segments: Literal["auto", "off"] | int = "auto",
    statistics: Literal["frame", "shot"] = "frame",
    another_device: Callable[[], Device] | None = None,
) -> Job:
    """Make a transcode, by default of the identity network, unfiltered."""
    spec = JobSpec(
        str(source),
        str(target),
        Recipe(StyleSpec("identity"), look or Look(steady=0.0), sizes=sizes),
        range=span or TimeRange(),
        segments=segments,
        statistics=statistics,
        output=options or OutputOptions(),
    )
    return Job(spec, device, style or networks.identity(), another_device)


def transcode(made: Job, listener: Listener = NOBODY, *, restart: bool = False) -> Outcome:
    with OneDevice(made.device, made.another_device) as painter:
        return do_job(made.spec, painter, listener, style=OpenedStyle(made.style), restart=restart)


def leftovers(folder: Path) -> list[str]:
    """Return all names in a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


def paint_in_processes(spec: JobSpec, listener: Listener = NOBODY) -> Outcome:
    return do_job(spec, Devices(spec.devices), listener)
