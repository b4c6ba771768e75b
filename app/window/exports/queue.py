"""The list of exports. It is saved on every change, so that a restart finds it as it was."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from framebrush.base.files import write_whole
from framebrush.base.json_values import JsonError
from framebrush.jobs.spec import JobSpec


class State(StrEnum):
    """Where a job is. INTERRUPTED: it was running when the program ended; it is offered again."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


OVER = (State.DONE, State.FAILED, State.CANCELLED, State.INTERRUPTED)


@dataclass(slots=True)
class ExportJob:
    """One export in the queue. message: what the user should know about how it ended."""

    spec: JobSpec
    state: State = State.WAITING
    message: str = ""
    name: str = field(default_factory=lambda: uuid.uuid4().hex)

    def to_values(self) -> dict[str, Any]:
        """The entry as JSON values."""
        return {"name": self.name, "state": self.state, "message": self.message, "spec": self.spec.to_values()}

    @classmethod
    def from_values(cls, values: object) -> Self:
        """The entry of `to_values`. Raises JsonError."""
        if not isinstance(values, dict):
            raise JsonError("an export must be a JSON object")
        name, state, message = (values.get(key) for key in ("name", "state", "message"))
        if not isinstance(name, str) or not isinstance(message, str) or state not in set(State):
            raise JsonError(f"an export has name {name!r}, state {state!r} and message {message!r}")
        return cls(JobSpec.from_values(values.get("spec")), State(state), message, name)

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens with it unasked."""
        return self.state in OVER

    @property
    def can_go_on(self) -> bool:
        """Whether it paints, or can: what a failed or interrupted one has painted is kept for that."""
        return self.state not in (State.DONE, State.CANCELLED)


class ExportQueue:
    """The jobs in order. Every change is written at once, whole or not at all."""

    def __init__(self, path: Path) -> None:
        """path: the file; a damaged one is put aside and the list begins empty."""
        self._path = path
        self.jobs: list[ExportJob] = []
        try:
            self.jobs = [ExportJob.from_values(values) for values in json.loads(path.read_text(encoding="utf-8"))]
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, RecursionError):
            if path.is_file():
                path.replace(path.with_suffix(".damaged"))
        for job in self.jobs:
            if job.state in (State.RUNNING, State.PAUSED):
                job.state, job.message = State.INTERRUPTED, ""

    def __iter__(self) -> Iterator[ExportJob]:
        return iter(self.jobs)

    @property
    def targets(self) -> set[str]:
        """The files that are still to come, or may be."""
        return {job.spec.target for job in self.jobs if job.can_go_on}

    def add(self, job: ExportJob) -> None:
        """Append a job. Raises OSError as `save` does; the job is in the list all the same."""
        self.jobs.append(job)
        self.save()

    def remove(self, job: ExportJob) -> None:
        """From the list; files stay. Raises OSError as `save` does; the job is off the list all the same."""
        self.jobs.remove(job)
        self.save()

    def move(self, job: ExportJob, before: ExportJob | None) -> None:
        """Put a job before another one, or last. Raises OSError as `save` does; the order is changed all the same."""
        if job is not before:
            self.jobs.remove(job)
            self.jobs.insert(self.jobs.index(before) if before is not None else len(self.jobs), job)
            self.save()

    def next(self) -> ExportJob | None:
        """The first that waits."""
        return next((job for job in self.jobs if job.state is State.WAITING), None)

    def save(self) -> None:
        """Write the list. Raises OSError."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, json.dumps([job.to_values() for job in self.jobs], indent=1))
