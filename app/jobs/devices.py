"""A job on several devices of this machine: a child process for each."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from framebrush.gpu.device import list_devices
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.dispatch import LONGEST_RUN, Dispatcher, Report, Reports, Seat
from framebrush.jobs.folder import JobFolder
from framebrush.jobs.prepare import open_job_source, open_job_style, prepare
from framebrush.jobs.segmented import SegmentedJob, job_folder
from framebrush.jobs.segments import Segment
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import OutputError
from framebrush.styles import OpenedStyle
from framebrush.transcode import OnMessage, OnProgress, Outcome, ignore

RESTARTS = 2
"""How often the process of a device is started anew after it crashed."""

GRACE_S = 5.0


def run_on_devices(
    spec: JobSpec,
    *,
    style: OpenedStyle | None = None,
    restart: bool = False,
    on_progress: OnProgress = ignore,
    on_message: OnMessage = ignore,
) -> Outcome:
    """Run the job of a spec on all its devices at once. The arguments and errors are those of `run_job`.

    Raises OutputError for a job that cannot be cut into segments.
    """
    style = style or open_job_style(spec, on_message)
    with open_job_source(spec) as source:
        job = prepare(spec, style, source)
        for decision in job.decisions:
            on_message(decision)
        on_cpu = _kinds(spec.devices) == {"cpu"}
        with job_folder(job, source, on_cpu=on_cpu, restart=restart, say=on_message) as folder:
            if folder is None:
                raise OutputError(
                    f"{source.name} is too short for several devices, or cannot be read from any frame; name one device"
                )
            source.close()
            segmented = SegmentedJob(job, folder, on_progress)
            if folder.missing:
                _paint(spec.devices, segmented, folder, on_message)
            return segmented.join(on_message)


def _kinds(names: tuple[str, ...]) -> set[str]:
    """The kinds of the devices of these names, as far as they are known."""
    found = list_devices()
    by_name = {str(info.index): info.kind for info in found} | {info.kind: info.kind for info in found}
    return {by_name.get(name, "") for name in names}


def _paint(names: tuple[str, ...], segmented: SegmentedJob, folder: JobFolder, on_message: OnMessage) -> None:
    dispatcher = Dispatcher(segmented, folder, on_message)
    restarts = dict.fromkeys(names, RESTARTS)

    def on_gone(seat: Seat, why: str) -> None:
        if not why and restarts[seat.name]:
            restarts[seat.name] -= 1
            on_message(f"the process of device {seat.name} crashed; started anew")
            dispatcher.add(Child(seat.name, folder.path, dispatcher.reports))
        elif not dispatcher.seats:
            raise DeviceError(why or f"the process of device {seat.name} crashed")
        else:
            on_message(f"device {seat.name} is lost ({why or 'its process crashed'}); the others go on")

    for name in names:
        dispatcher.add(Child(name, folder.path, dispatcher.reports))
    dispatcher.run(on_gone)


class Child:
    """The process of one device. A `Seat`."""

    longest_run = LONGEST_RUN

    def __init__(self, device: str, folder: Path, reports: Reports) -> None:
        self.name = device
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "framebrush.jobs.child", str(folder), device],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        threading.Thread(target=self._read, args=(reports,), name=f"device {device}", daemon=True).start()

    def give(self, run: list[Segment]) -> None:
        """As `Seat.give`."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has died, which its reader tells
            self._process.stdin.write(" ".join(str(segment.number) for segment in run) + "\n")
            self._process.stdin.flush()

    def close(self) -> None:
        """As `Seat.close`."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self, reports: Reports) -> None:
        assert self._process.stdout is not None
        last_word = False
        for line in self._process.stdout:
            try:
                values: dict[str, Any] = json.loads(line)
                told = Report(self, **values)
            except (ValueError, TypeError):
                continue  # a library that prints
            last_word |= told.kind in ("gone", "failed")
            reports.put(told)
        if not last_word:
            reports.put(Report(self, "gone"))
