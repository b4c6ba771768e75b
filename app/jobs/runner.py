"""The way in which jobs are done: on one device, which stays open from job to job, or on several."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from framebrush.gpu.device import NO_DIAGNOSIS, Device, Diagnosis, open_device
from framebrush.gpu.errors import DeviceLostError
from framebrush.jobs.devices import run_on_devices
from framebrush.jobs.prepare import open_job_style
from framebrush.jobs.run import run_job
from framebrush.jobs.spec import JobSpec
from framebrush.styles import OpenedStyle
from framebrush.transcode import OnFrame, OnMessage, OnProgress, Outcome, ignore


class Runner(Protocol):
    """Does a job; see `run_job`. on_frame is called where one device of this process paints."""

    def __call__(
        self,
        spec: JobSpec,
        *,
        restart: bool = False,
        on_progress: OnProgress = ignore,
        on_message: OnMessage = ignore,
        on_frame: OnFrame = ignore,
    ) -> Outcome: ...


@contextmanager
def job_runner(spec: JobSpec, diagnosis: Diagnosis = NO_DIAGNOSIS, on_message: OnMessage = ignore) -> Iterator[Runner]:
    """What does jobs in the style and on the devices of a spec.

    Raises StyleError, DeviceError, ValueError.
    """
    style = open_job_style(spec, on_message)
    if len(spec.devices) > 1:
        yield _Several(style)
        return
    with ExitStack() as stack:
        yield _One(spec.device, style, diagnosis, stack, on_message)


class _Several:
    def __init__(self, style: OpenedStyle) -> None:
        self._style = style

    def __call__(
        self,
        spec: JobSpec,
        *,
        restart: bool = False,
        on_progress: OnProgress = ignore,
        on_message: OnMessage = ignore,
        on_frame: OnFrame = ignore,
    ) -> Outcome:
        return run_on_devices(spec, style=self._style, restart=restart, on_progress=on_progress, on_message=on_message)


class _One:
    def __init__(
        self, name: str, style: OpenedStyle, diagnosis: Diagnosis, stack: ExitStack, on_message: OnMessage
    ) -> None:
        self._open: Callable[[], Device] = lambda: stack.enter_context(open_device(name, diagnosis))
        self._again: Callable[[], Device] = lambda: open_device(name, diagnosis)
        self._style = style
        self._device: Device | None = self._open()
        if self._device.note:
            on_message(self._device.note)

    def __call__(
        self,
        spec: JobSpec,
        *,
        restart: bool = False,
        on_progress: OnProgress = ignore,
        on_message: OnMessage = ignore,
        on_frame: OnFrame = ignore,
    ) -> Outcome:
        self._device = self._device or self._open()
        try:
            return run_job(
                spec,
                self._device,
                style=self._style,
                another_device=self._again,
                restart=restart,
                on_progress=on_progress,
                on_message=on_message,
                on_frame=on_frame,
            )
        except DeviceLostError:
            self._device = None  # the next job opens it anew
            raise
