"""Process for a batch: a native crash costs one job.

`batch_child` gets settings, then jobs; closing its input interrupts. Each report has one key: "progress", "message",
"kept", "result", "ready" or "failed".
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self

from framebrush.base import signals
from framebrush.base.child import Child, Ended
from framebrush.base.json_values import from_values, to_values
from framebrush.gpu.device import Diagnosis
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.batch.results import Result
from framebrush.jobs.project import job_of_source
from framebrush.jobs.segments.leftovers import remove_leftovers
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import OnMessage, OnProgress, Progress
from framebrush.jobs.workers.runner import Cluster
from framebrush.media.video import InputError

PERIOD_S = 0.2
"""Interval of checks whether this process should end."""

GRACE_S = 8.0
"""Time for the child to end when asked, longer than its own grace for a worker (`workers/devices.py`)."""


class BatchProcess:
    """Child process of jobs, restarted if it dies."""

    def __init__(
        self, job: JobSpec, diagnosis: Diagnosis, cluster: Cluster | None, *, restart: bool, say: OnMessage
    ) -> None:
        dump = None if diagnosis.dump_shaders is None else str(diagnosis.dump_shaders)
        self._settings = {
            "job": job.to_values(),
            "diagnosis": [diagnosis.debug, diagnosis.timing, dump, diagnosis.markers],
            "cluster": None if cluster is None else to_values(cluster),
            "restart": restart,
        }
        self._job, self._say = job, say
        self._process: Child | None = None
        self._lines: SimpleQueue[dict[str, Any] | Ended] = SimpleQueue()
        """Reports of the child, and finally its end."""
        self._how_it_ended = ""

    def __enter__(self) -> Self:
        """Start. Raises DeviceError for refused settings."""
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        with signals.deferred():  # this process must not end before its child
            self._end()

    def do(self, source: Path, target: Path, *, made_here: bool, on_progress: OnProgress) -> Result:
        """Run a job; see `do_one`. Raises DeviceError, KeyboardInterrupt."""
        begin = time.monotonic()
        try:
            job = job_of_source(self._job, str(source), str(target))
        except InputError as error:
            return Result.of_error(str(source), str(target), error, time.monotonic() - begin)
        if self._process is None:
            self._start()
        assert self._process is not None
        self._process.send({"job": job.to_values(), "made_here": made_here})
        for line in self._answers():
            if "progress" in line:
                on_progress(from_values(Progress, line["progress"], "progress"))
            elif "result" in line:
                return replace(from_values(Result, line["result"], "result"), source=str(source))
        died = DeviceError(f"the process that painted it {self._how_it_ended}; {remove_leftovers(job.target)}")
        return Result.of_error(str(source), job.target, died, time.monotonic() - begin)

    def _start(self) -> None:
        for last in (False, False, True):
            lines: SimpleQueue[dict[str, Any] | Ended] = SimpleQueue()
            self._lines = lines
            self._process = Child("framebrush.jobs.batch.batch_child", take=lines.put, gone=lines.put)
            self._process.send(self._settings)
            for line in self._answers():
                if "failed" in line:
                    self._end()
                    raise DeviceError(line["failed"])
                if "ready" in line:
                    return
            words = f"the process that paints {self._how_it_ended} before it could begin"
            if last:
                raise DeviceError(words)
            self._say(f"{words}; restarting it")

    def _answers(self) -> Iterator[dict[str, Any]]:
        with signals.deferred():
            while not signals.end_requested():
                try:
                    line = self._lines.get(timeout=PERIOD_S)
                except Empty:
                    continue
                if isinstance(line, Ended):
                    self._process, self._how_it_ended = None, str(line)
                    return
                if "message" in line:
                    self._say(line["message"])
                elif "kept" in line:
                    signals.ending.kept = line["kept"]
                else:
                    yield line
            self._end()
        raise KeyboardInterrupt

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.end(GRACE_S)
        while not isinstance(line := self._lines.get(), Ended):
            signals.ending.kept = line.get("kept") or signals.ending.kept
