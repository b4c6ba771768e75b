"""Jobs on several devices of this machine, one process each."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from framebrush.base.child import Child, Ended
from framebrush.base.json_values import to_values
from framebrush.gpu.device import Device, list_devices, open_device
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.prepare import PreparedJob
from framebrush.jobs.segments.segment_plan import Segment
from framebrush.jobs.segments.segmented import SegmentedJob
from framebrush.jobs.transcode import Listener, Outcome
from framebrush.jobs.workers.dispatch import Dispatcher, Report, Reports, Worker
from framebrush.jobs.workers.doing import SegmentPainter
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import FrameSource

GRACE_S = 5.0  # to finish a frame; processes that hang in a driver are killed, complete segments stay

LONGEST_RUN = 8
"""Segments that a process paints in one run. Each run costs a seek, and advecting strokes through the frames before it;
incomplete segments are lost if it dies."""


class SeveralWorkers(SegmentPainter):
    """Several workers; jobs without segments use one device."""

    instead: str
    """Description of that fall-back."""

    def in_one_piece(self, job: PreparedJob, source: FrameSource, listener: Listener, *, restart: bool) -> Outcome:
        source.close()
        listener.message(f"{_why_one_piece(job, source, self.workers)}: {self.instead}")

        def say(text: str) -> None:
            if text not in job.decisions:  # not said yet
                listener.message(text)

        with ExitStack() as stack:
            opened: list[Device] = []
            for name in job.spec.devices:
                try:
                    opened.append(stack.enter_context(open_device(name)))
                except DeviceError as error:
                    if len(job.spec.devices) == 1:
                        raise
                    listener.message(f"device {name} is lost ({error})")
            if not opened:
                raise DeviceError(f"none of the devices {job.spec.device} is available")
            listener.message(f"painting on {opened[0].info.name}")
            return run_job(job.spec, opened[0], replace(listener, message=say), style=job.style, restart=restart)


def _why_one_piece(job: PreparedJob, source: FrameSource, workers: str) -> str:
    if job.plan.container.pictures:
        return f"numbered pictures cannot be split among {workers}"
    if job.plan.container.piped:
        return f"standard output cannot be written by {workers}"
    return f"{source.name} is too short for {workers}, or cannot be decoded from an arbitrary frame"


class Devices(SeveralWorkers):
    """Several devices of this machine, by `--device` names."""

    workers, instead = "several devices", "only one is used"

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    @property
    def on_cpu(self) -> bool:
        """See `SegmentPainter`."""
        kinds = {name: info.kind for info in list_devices() for name in (str(info.index), info.kind)}
        return {kinds.get(name, "") for name in self._names} == {"cpu"}

    def paint_missing(self, segmented: SegmentedJob) -> None:
        dispatcher = Dispatcher(segmented)

        def on_gone(worker: Worker, why: DeviceError) -> None:
            if not dispatcher.workers:
                raise why
            segmented.listener.message(f"{worker.name} is lost ({why}); the others continue")

        for name in self._names:
            dispatcher.add(DeviceWorker(name, segmented.folder.path, dispatcher.reports))
        dispatcher.run(on_gone)


class DeviceWorker:
    """`Worker` for one device, in a process."""

    longest_run = LONGEST_RUN

    def __init__(self, device: str, folder: Path, reports: Reports) -> None:
        self.name = f"device {device}"
        self._device, self._folder, self._reports = device, folder, reports
        self.begin_again()

    def begin_again(self) -> None:
        """See `Worker.begin_again`."""
        spoke = Event()
        take, gone = partial(self._take, spoke), partial(self._gone, spoke)
        arguments = str(self._folder), self._device
        self._process = Child("framebrush.jobs.workers.worker_child", *arguments, take=take, gone=gone)

    def give(self, run: list[Segment]) -> None:
        """See `Worker.give`."""
        self._process.send(to_values(tuple(run)))

    def close(self) -> None:
        """See `Worker.close`."""
        self._process.end(GRACE_S)
        self._process.wait()

    def _take(self, spoke: Event, said: dict[str, Any]) -> None:
        with suppress(TypeError):  # printed by a library
            told = Report(self, **said)
            if told.kind in ("gone", "failed"):
                spoke.set()
            self._reports.put(told)

    def _gone(self, spoke: Event, how: Ended) -> None:
        if not spoke.is_set():
            self._reports.put(Report(self, "crashed", text=str(how)))
