"""The list of exports, which is on disk at every moment: a restart finds it as it was."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from framebrush.window.look_json import look_of


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


KINDS = {str: "source target style device codec audio message name", int | None: "start end crf bits"}


@dataclass(slots=True)
class ExportJob:
    """One export, with all that its process needs. start, end: frame numbers, the end not included; None: the video's
    own. style: as the command line takes it, weights included. message: what a person should know of its end."""

    source: str
    target: str
    style: str
    device: str = "auto"
    look: dict[str, Any] = field(default_factory=dict)
    start: int | None = None
    end: int | None = None
    codec: str = "auto"
    crf: int | None = None
    bits: int | None = None
    audio: str = "copy"
    state: State = State.WAITING
    message: str = ""
    name: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        """Raises ValueError and TypeError: the values may come from a file."""
        self.state = State(self.state)
        look_of(self.look)
        for kinds, names in KINDS.items():
            for name in names.split():
                if not isinstance(getattr(self, name), kinds):
                    raise TypeError(f"{name} of an export is {getattr(self, name)!r}")

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens with it by itself."""
        return self.state in OVER


class ExportQueue:
    """The jobs in order. Every change is written at once, whole or not at all."""

    def __init__(self, path: Path) -> None:
        """path: the file; a damaged one is put aside and the list begins empty."""
        self._path = path
        self.jobs: list[ExportJob] = []
        try:
            self.jobs = [_job(values) for values in json.loads(path.read_text(encoding="utf-8"))]
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            if path.is_file():
                path.replace(path.with_suffix(".damaged"))
        for job in self.jobs:
            if job.state in (State.RUNNING, State.PAUSED):
                job.state, job.message = State.INTERRUPTED, ""

    def __iter__(self) -> Iterator[ExportJob]:
        return iter(self.jobs)

    @property
    def targets(self) -> set[str]:
        """The files that are still to come."""
        return {job.target for job in self.jobs if not job.is_over}

    def add(self, job: ExportJob) -> None:
        """At the end. Raises OSError as `save` does; the job is in the list all the same."""
        self.jobs.append(job)
        self.save()

    def remove(self, job: ExportJob) -> None:
        """From the list; files stay. Raises OSError as `save` does; the job is off the list all the same."""
        self.jobs.remove(job)
        self.save()

    def next(self) -> ExportJob | None:
        """The first that waits."""
        return next((job for job in self.jobs if job.state is State.WAITING), None)

    def save(self) -> None:
        """Write the list. Raises OSError."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps([asdict(job) for job in self.jobs], indent=1), encoding="utf-8")
        part.replace(self._path)


def _job(values: dict[str, Any]) -> ExportJob:
    known = {entry.name for entry in fields(ExportJob)}
    return ExportJob(**{key: value for key, value in values.items() if key in known})
