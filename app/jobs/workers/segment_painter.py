"""Painter of segments in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from framebrush.gpu.device import open_device
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import open_job_source, open_job_style, prepare
from framebrush.jobs.segments.job_folder import JobFolder
from framebrush.jobs.segments.segmented import SegmentedJob
from framebrush.jobs.transcode import NOBODY, Listener, ignore
from framebrush.media.video import OutputError


@contextmanager
def segment_painter(folder: JobFolder, device_name: str, listener: Listener = NOBODY) -> Iterator[Callable[..., None]]:
    """Yield a painter of segments, with device and style open.

    Raises: OutputError if something differs from the plan; InputError, DeviceError, StyleError.
    """
    spec, planned = folder.journal.job, folder.journal.identity
    another = partial(open_device, device_name)
    with another() as device, OpenedSource.of(spec, planned.source) as held:
        style = open_job_style(spec, ignore)  # the dispatcher has shown the style's messages
        with open_job_source(spec, device) as source:
            job = prepare(spec, style, source, held, listener.ending)
        assert job.identity is not None
        if job.identity != planned:
            raise OutputError(f"here differ from the machine that planned the job: {job.identity.changes(planned)}")
        job = replace(job, shots=folder.journal.shots)
        with job.pipeline(device, listener.message, another) as pipeline:
            yield partial(SegmentedJob(job, folder, listener).paint_segments, pipeline=pipeline)
