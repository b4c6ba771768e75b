"""Paints segments of a job in a child process or in a worker of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self

from framebrush.gpu.device import Device, open_device
from framebrush.jobs.held import HeldSource
from framebrush.jobs.prepare import open_job_source, open_job_style, prepare, replacement
from framebrush.jobs.segments.folder import JobFolder
from framebrush.jobs.segments.plan import Segment
from framebrush.jobs.segments.segmented import SegmentedJob
from framebrush.jobs.segments.writer import OnSegment
from framebrush.jobs.transcode import NOBODY, Listener, ignore
from framebrush.media.video import OutputError


class SegmentPainter:
    """The device, the style and the pipeline of a job, kept open between its segments."""

    def __init__(self, folder: JobFolder, device_name: str, listener: Listener = NOBODY) -> None:
        """folder: contains the plan; segments are written to it. device_name: one device, as for `--device`.

        Raises OutputError if source, style, settings or versions differ from the plan; InputError, DeviceError,
        StyleError.
        """
        spec = folder.journal.job
        with ExitStack() as stack:
            device: Device = stack.enter_context(open_device(device_name))
            style = open_job_style(spec, listener.message)
            held = stack.enter_context(HeldSource.of(spec, folder.journal.identity.source))
            with open_job_source(spec, device) as source:
                job = prepare(spec, style, source, held)
            assert job.identity is not None
            if job.identity != folder.journal.identity:
                changes = job.identity.changes(folder.journal.identity)
                raise OutputError(f"unlike where the job was planned, {changes} differ here")
            job = replace(job, shots=folder.journal.shots)
            another: Callable[[], Device] = partial(open_device, device_name)
            self._pipeline = stack.enter_context(job.pipeline(device, replacement(another, listener.message)))
            self._segmented = SegmentedJob(job, folder, listener)
            self._stack = stack.pop_all()

    def paint(self, run: list[Segment], on_segment: OnSegment = ignore) -> None:
        """Paint consecutive segments; see `SegmentedJob.paint`."""
        self._segmented.paint(run, self._pipeline, on_segment=on_segment)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)
