"""Job of a batch, and its outcome."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

from framebrush.base.json_values import JsonError
from framebrush.base.status import Status
from framebrush.base.text import first_line, printable
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.segments.job_folder import JobFolder, folder_of
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import NOBODY, Listener, Outcome
from framebrush.jobs.workers.runner import Runner
from framebrush.media.encoding.result_losses import Loss
from framebrush.media.streams.provenance import Provenance, read_made_of
from framebrush.media.video import BusyOutputError, InputError, OutputError

State = Literal["done", "losses", "skipped", "differs", "failed"]

FAILURES = (InputError, OutputError, DeviceError, ValueError, OSError, MemoryError)
"""Errors that end one job of a batch only."""


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a job.

    state: "differs" if an existing one has other settings. message: reason, unless "done". busy: another job wrote
    to it.
    """

    source: str
    target: str
    state: State
    message: str = ""
    frames: int = 0
    lost: int = 0
    seconds: float = 0.0
    status: int = 0
    losses: tuple[Loss, ...] = ()
    busy: bool = False

    @classmethod
    def of(cls, job: JobSpec, outcome: Outcome, seconds: float) -> Self:
        lossy = outcome.status is Status.LOSSES
        message = _incomplete_words(outcome.losses)
        state: State = "losses" if lossy else "done"
        frames, status = outcome.progress.frames, int(outcome.status)
        return cls(job.source, job.target, state, message, frames, outcome.lost, seconds, status, outcome.losses)

    @classmethod
    def of_error(cls, source: str, target: str, error: BaseException, seconds: float) -> Self:
        own = isinstance(error, InputError | OutputError | DeviceError)
        message = printable(str(error)) if own else first_line(error)
        return cls(source, target, "failed", message, seconds=seconds, status=int(Status.of(error)))


def do_one(job: JobSpec, run: Runner, listener: Listener = NOBODY, *, restart: bool, made_here: bool) -> Result:
    """Run a job unless its target has the same source and settings.

    made_here: this batch made the target.
    """
    begin = time.monotonic()
    try:
        if os.path.lexists(job.target):
            record = read_made_of(Path(job.target))
            again = restart and job.output.overwrite
            left = None if again else _why_left(job, run, record, made_here=made_here)
            if left is not None:
                return _left(job, *left, () if record is None else record.lost)
            job = replace(job, output=replace(job.output, overwrite=True))
        Path(job.target).parent.mkdir(parents=True, exist_ok=True)
        listener.message(f"{job.source}:")
        outcome = run(job, listener, restart=restart or _has_grown(job, run))
    except BusyOutputError:
        seconds = time.monotonic() - begin
        return Result(job.source, job.target, "skipped", "another job is writing to it", seconds=seconds, busy=True)
    except FAILURES as error:
        return Result.of_error(job.source, job.target, error, time.monotonic() - begin)
    for line in outcome.words:
        listener.message(line)
    return Result.of(job, outcome, time.monotonic() - begin)


def _incomplete_words(losses: Iterable[Loss]) -> str:
    return "; ".join(loss.text for loss in losses if loss.incomplete)


def _left(job: JobSpec, state: State, message: str, lost: tuple[Loss, ...]) -> Result:
    if state == "differs":
        return Result(job.source, job.target, state, message, status=int(Status.USAGE))
    incomplete = _incomplete_words(lost)
    if incomplete:
        message = f"{message}; it is incomplete: {incomplete}"
    return Result(job.source, job.target, state, message, status=int(Status.LOSSES if incomplete else 0), losses=lost)


def _has_grown(job: JobSpec, run: Runner) -> bool:  # since its segments were painted
    try:
        former = JobFolder.read(folder_of(Path(job.target).absolute())).journal.identity
    except (OSError, JsonError):
        return False
    now = run.identity(job)
    return now is not None and now.changed(former) == {"source"} and former.source.may_have_become(Path(job.source))


def _why_left(job: JobSpec, run: Runner, record: Provenance | None, *, made_here: bool) -> tuple[State, str] | None:
    anew = job.output.overwrite
    if record is None:
        message = "already exists, and does not record what it was made from; use -y to paint it again"
        return None if anew else ("differs", message)
    now = run.identity(job)
    try:
        former = JobIdentity.from_text(record.text)
    except JsonError:
        return None if anew else ("skipped", "already exists, made by another version; use -y to paint it again")
    changed = set() if now is None else now.changed(former)
    if now is None or not changed:
        return "skipped", "already exists"
    if anew:
        return None
    if "source" in changed:
        grown = made_here or former.source.may_have_become(Path(job.source))
        if grown and changed <= {"source", "versions"}:
            return None
        if not grown:
            return (
                "differs",
                "already exists, made from another video or an earlier version of this one; use -y to paint it again",
            )
    if changed == {"versions"}:
        return "skipped", f"already exists; since then {now.changes(former)} changed; use -y to paint it again"
    words = f"made with other settings; since then {now.changes(former)} changed"
    return "differs", f"already exists, {words}; use -y to paint it again"
