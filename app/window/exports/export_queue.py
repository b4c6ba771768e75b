"""Export queue that survives a restart."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from framebrush.base.files import place_of, write_whole
from framebrush.base.json_values import JsonError, from_values, to_values
from framebrush.jobs.segments.job_folder import KeptWork
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import ignore


class State(StrEnum):
    """State of a job. INTERRUPTED: the program ended while it ran."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


ENDED_EARLY = (State.FAILED, State.CANCELLED, State.INTERRUPTED)
OVER = (State.DONE, *ENDED_EARLY)

LISTS = "exports*.json"
"""The names of the lists in a folder, one for each window."""


@dataclass(slots=True)
class ExportJob:
    """Export in the queue.

    Attributes:
        message: about its end, for the user.
        size_bytes, took_s: file size and working time; 0 if unknown.
        kept: finished part, of this or another job; None while running.
        picture: last painted frame, a small JPEG in base64, or "".
    """

    spec: JobSpec
    state: State = State.WAITING
    message: str = ""
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    size_bytes: int = 0
    took_s: float = 0.0
    kept: KeptWork | None = None
    picture: str = ""

    def to_values(self) -> dict[str, Any]:
        """Return the entry as JSON values."""
        return {**to_values(self), "spec": self.spec.to_values()}

    @classmethod
    def from_values(cls, values: object) -> Self:
        """Invert `to_values`. Raises JsonError."""
        if not isinstance(values, dict):
            raise JsonError("an export must be a JSON object")
        spec = JobSpec.from_values(values.get("spec"))  # of any version
        return from_values(cls, {**values, "spec": to_values(spec)}, "export")

    @property
    def owned_spec(self) -> JobSpec:
        """Return the spec, marked as owned by this entry."""
        return replace(self.spec, owner=self.name)

    @property
    def is_over(self) -> bool:
        """Whether the job has ended, successfully or not."""
        return self.state in OVER

    @property
    def has_kept(self) -> bool:
        """Whether the job ended early with a finished part."""
        return self.state in ENDED_EARLY and self.kept is not None and self.kept.owner == self.name

    @property
    def can_go_on(self) -> bool:
        """Whether the job is running or may resume."""
        return self.has_kept or self.state not in (State.DONE, State.CANCELLED)

    @property
    def will_write(self) -> bool:
        """Whether the job is running, waiting, paused or interrupted."""
        return self.state not in (State.DONE, State.FAILED, State.CANCELLED)


class ExportQueue:
    """Jobs in order, saved atomically in a thread at each change."""

    def __init__(self, path: Path, *, goes_on: bool = False) -> None:
        """Load the list. A damaged file is renamed.

        goes_on: restart interrupted exports.
        """
        self._path = path
        self._latest: list[ExportJob] = []  # as the list was when it was last saved
        self._saving: Future[None] | None = None
        self._saver = ThreadPoolExecutor(1, thread_name_prefix="exports")  # Python waits for it when it ends
        self.on_failure: Callable[[OSError], None] = ignore
        """Called in that thread if the list could not be saved; its changes remain in effect."""
        self.jobs: list[ExportJob] = []
        try:
            self.jobs = _read(path)
        except (OSError, ValueError, TypeError, RecursionError):
            with suppress(OSError):  # there is none, or it cannot be moved
                path.replace(path.with_suffix(".damaged"))
        for job in self.jobs:
            if job.state in (State.RUNNING, State.PAUSED):
                waits = goes_on and job.state is State.RUNNING
                job.state, job.message = State.WAITING if waits else State.INTERRUPTED, ""

    def __iter__(self) -> Iterator[ExportJob]:
        return iter(self.jobs)

    @property
    def of_all_windows(self) -> list[ExportJob]:
        """Return these jobs and other windows' saved ones."""
        jobs = list(self.jobs)
        for path in self._path.parent.glob(LISTS):
            if path != self._path:
                with suppress(OSError, ValueError, TypeError, RecursionError):
                    jobs += _read(path)
        return jobs

    def targets(self) -> set[str]:
        """Return all windows' targets by `place_of`."""
        return {place_of(job.spec.target) for job in self.of_all_windows if job.will_write}

    def unfinished(self) -> list[JobSpec]:
        """Return all windows' jobs that run, wait, or may resume."""
        return [job.spec for job in self.of_all_windows if job.can_go_on]

    def add(self, *jobs: ExportJob) -> None:
        self.jobs += jobs
        self.save()

    def remove(self, job: ExportJob) -> None:
        """Remove a job, without deleting files."""
        self.jobs.remove(job)
        self.save()

    def move(self, job: ExportJob, before: ExportJob | None) -> None:
        if job is not before:
            self.jobs.remove(job)
            self.jobs.insert(self.jobs.index(before) if before is not None else len(self.jobs), job)
            self.save()

    def next(self) -> ExportJob | None:
        """The first waiting job."""
        return next((job for job in self.jobs if job.state is State.WAITING), None)

    def save(self) -> None:
        """Save the list in the background."""
        self._latest = [replace(job) for job in self.jobs]
        self._saving = self._saver.submit(self._write, self._latest)

    def flush(self) -> None:
        """Wait until the list is saved."""
        if self._saving is not None:
            self._saving.result()

    def _write(self, jobs: list[ExportJob]) -> None:
        if jobs is not self._latest:
            return  # a later list follows
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, json.dumps([job.to_values() for job in jobs], indent=1))
        except OSError as error:
            self.on_failure(error)


def _read(path: Path) -> list[ExportJob]:
    return [ExportJob.from_values(values) for values in json.loads(path.read_text(encoding="utf-8"))]
