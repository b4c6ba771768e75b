"""Painting of pictures as a film."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from framebrush.api.array_frames import Samples, copy_samples, format_of, frame_of
from framebrush.gpu.device import Device
from framebrush.gpu.frame import FrameFormat, rgba8
from framebrush.gpu.sizes import Sizes
from framebrush.jobs.job_shots import shots_in
from framebrush.jobs.prepare import job_pipeline, job_sizes, open_job_style
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import OnMessage
from framebrush.media.video import VideoFrame
from framebrush.styles.style_names import OpenedStyle


def plan_of(job: JobSpec, style: OpenedStyle, form: FrameFormat, *, keeps_alpha: bool) -> tuple[Sizes, FrameFormat]:
    """Return sizes and format of painted pictures. Raises ValueError."""
    sizes = job_sizes(job.sizes, form, style.style)
    if keeps_alpha and sizes.target != sizes.source:
        raise ValueError("alpha is kept at the size of the picture alone; give (height, width, 3) for another size")
    target = rgba8(*sizes.target) if form.bits == 8 else format_of(*sizes.target, np.dtype(form.dtype))
    return sizes, replace(target, alpha=keeps_alpha)


def painted_sequence(
    samples: Samples,
    job: JobSpec,
    device: Device,
    say: OnMessage,
    on_picture: Callable[[int], None],
    another_device: Callable[[], Device] | None = None,
) -> Samples:
    """Paint a batch (N, H, W, 3 or 4) as a film.

    on_picture: called with the number of finished pictures. another_device: replaces a lost one.

    Raises StyleError, DeviceError, ValueError.
    """

    def frames() -> Iterator[VideoFrame]:
        return (VideoFrame(number, number, 1, frame_of(one)) for number, one in enumerate(samples))

    style, form = open_job_style(job, say), frame_of(samples[0]).format
    keeps_alpha = samples.shape[3] == 4
    sizes, target = plan_of(job, style, form, keeps_alpha=keeps_alpha)
    shots = () if style.palette is None else shots_in(frames(), form, job, style, sizes, say)
    width, height = sizes.target
    made = np.empty((len(samples), height, width, samples.shape[3]), samples.dtype)
    with job_pipeline(
        job, style, device, form, target, sizes, shots=shots, say=say, another_device=another_device
    ) as pipeline:
        for painted in pipeline.frames(frames()):
            copy_samples(painted.host, made[painted.number])
            on_picture(painted.number + 1)
        for warning in pipeline.frame_pipeline.warnings:
            say(warning)
    if keeps_alpha:
        made[..., 3] = samples[..., 3]
    return made
