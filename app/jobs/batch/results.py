"""What became of a job, as data, and the one job of a batch: painted, or left because of what is there already."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

from framebrush.base.json_values import JsonError
from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.runner import Runner
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import NOBODY, Listener, Outcome, Status
from framebrush.media.video import BusyOutputError, InputError, OutputError
from framebrush.media.writing.losses import Loss
from framebrush.media.writing.made_of import read_made_of

State = Literal["done", "losses", "skipped", "differs", "failed"]

FAILURES = (InputError, OutputError, DeviceError, ValueError, OSError, MemoryError)
"""What ends one job of a batch and no other."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one job. state: "differs" is a result that is there and was made otherwise than asked for.
    message: why, where it did not simply go well. status: the exit status that the job alone would have. losses: what
    the result lacks of the source, as it was known before the work."""

    source: str
    target: str
    state: State
    message: str = ""
    frames: int = 0
    lost: int = 0
    seconds: float = 0.0
    status: int = 0
    losses: tuple[Loss, ...] = ()

    @classmethod
    def of(cls, job: JobSpec, outcome: Outcome, seconds: float) -> Self:
        """That of a job that was done."""
        lossy = outcome.status is Status.LOSSES
        message = "something was lost; see above" if lossy else ""
        state: State = "losses" if lossy else "done"
        frames, status = outcome.progress.frames, int(outcome.status)
        return cls(job.source, job.target, state, message, frames, outcome.lost, seconds, status, outcome.losses)

    @classmethod
    def of_error(cls, job: JobSpec, error: BaseException, seconds: float) -> Self:
        """That of a job which an error ended."""
        message = first_line(error) or type(error).__name__
        return cls(job.source, job.target, "failed", message, seconds=seconds, status=int(Status.of(error)))


def do_one(job: JobSpec, run: Runner, listener: Listener = NOBODY, *, restart: bool, made_here: bool) -> Result:
    """Do one job of a batch, unless its target was made of the same.

    restart: as of `run_job`; a target that may be overwritten is then painted in any case. made_here: this batch has
    made the target of this source, which may have changed since.
    """
    begin = time.monotonic()
    try:
        if os.path.lexists(job.target):
            left = None if restart and job.output.overwrite else _why_left(job, run, made_here=made_here)
            if left is not None:
                state, message = left
                status = Status.USAGE if state == "differs" else Status.DONE
                return Result(job.source, job.target, state, message, status=int(status))
            job = replace(job, output=replace(job.output, overwrite=True))
        Path(job.target).parent.mkdir(parents=True, exist_ok=True)
        listener.message(f"{job.source}:")
        outcome = run(job, listener, restart=restart)
    except BusyOutputError:
        seconds = time.monotonic() - begin
        return Result(job.source, job.target, "skipped", "another job writes to it", seconds=seconds)
    except FAILURES as error:
        return Result.of_error(job, error, time.monotonic() - begin)
    for line in outcome.words:
        listener.message(line)
    return Result.of(job, outcome, time.monotonic() - begin)


def _why_left(job: JobSpec, run: Runner, *, made_here: bool) -> tuple[State, str] | None:
    """The state and the message for a target that is there and stays, None where it is painted anew. Raises what
    `prepare` raises."""
    record = read_made_of(Path(job.target))
    anew = job.output.overwrite
    if record is None:
        message = "is there already, and does not say what it was made of; -y paints it anew"
        return None if anew else ("differs", message)
    now = run.identity(job)
    try:
        former = JobIdentity.from_text(record)
    except JsonError:
        return None if anew else ("skipped", "is there already, made by another version; -y paints it anew")
    changed = set() if now is None else now.changed(former)
    if now is None or not changed:
        return "skipped", "is there already"
    if anew:
        return None
    if "source" in changed:
        grown = made_here or former.source.may_have_become(Path(job.source))
        if grown and changed <= {"source", "versions"}:
            return None
        if not grown:
            return "differs", "is there already, made of another video, or of this one as it was; -y paints it anew"
    if changed == {"versions"}:
        return "skipped", f"is there already; since then {now.changes(former)} changed; -y paints it anew"
    words = f"made with other settings; since then {now.changes(former)} changed"
    return "differs", f"is there already, {words}; -y paints it anew"
