"""Runs the export queue in a process."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QImage

from framebrush.base.child import Ended
from framebrush.base.remedy import cause_of
from framebrush.gpu.errors import reported_error
from framebrush.jobs.segments.job_folder import KeptWork, discard, kept_work, remove_empty
from framebrush.media.output_file import remove_leftover
from framebrush.media.video import OutputError
from framebrush.playback.events import Notification, advice_of
from framebrush.window.exports.export_queue import ENDED_EARLY, ExportJob, ExportQueue, State
from framebrush.window.picture.picture_messages import with_advice
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.process_runner import Attempt, ProcessRunner

GRACE_S = 8.0
"""How long a cancelled job may take to remove its half-written file before it is killed."""


@dataclass(slots=True, eq=False)
class JobAttempt(Attempt):
    """Run of a job. refused: "busy" or "kept" if the target is another job's."""

    job: ExportJob = field(kw_only=True)
    cancelled: bool = False
    refused: str = ""
    took_s: float = 0.0


class ExportRunner(ProcessRunner[JobAttempt]):
    """Runs jobs, updates their states and emits changes."""

    changed = Signal(object)  # an ExportJob, new or with a new state
    removed = Signal(object)
    ordered = Signal()
    finished = Signal(object)  # an ExportJob whose file is complete
    progressed = Signal(object, dict)  # job; frame, frames, fps, left_s
    previewed = Signal(object, QImage)
    withdrawn = Signal(str)  # the text of a failure that is tried again or removed
    counted = Signal(int)  # jobs that are not finished: running, waiting, or interrupted
    _unsaved = Signal(object)  # an OSError

    def __init__(self, queue: ExportQueue) -> None:
        super().__init__()
        self.queue = queue
        self._unsaved.connect(self._tell_unsaved)
        queue.on_failure = self._unsaved.emit
        self.renders_folder: Path | None = None
        """Where frames are that a window has painted ahead."""
        self.stopping = False
        self._failures: dict[str, str] = {}  # as told, by the job's name

    def begin(self) -> None:
        """Emit `changed` for every job and start the first."""
        for job in self.queue:
            self.changed.emit(job)
            if job.state in ENDED_EARLY:
                self._look_for_kept(job, job.kept is None or job.kept.owner == job.name)
        self._count()
        interrupted = sum(job.state is State.INTERRUPTED for job in self.queue)
        if interrupted:
            text = self.tr("%n export(s) did not finish last time; start them again under Exports.", "", interrupted)
            self.notified.emit(Notification(text))
        self._start_next()

    def add(self, *jobs: ExportJob) -> None:
        """Queue jobs, and start the first if none runs."""
        self.queue.add(*jobs)
        for job in jobs:
            self.changed.emit(job)
        self._start_next()
        self._count()

    def again(self, job: ExportJob) -> None:
        """Queue an ended job again, to resume."""
        job.message = ""
        self._withdraw_failure(job)
        self._set(job, State.WAITING)
        self._start_next()

    def start_over(self, job: ExportJob) -> None:
        """Delete all work kept for an ended job's file, and queue it again."""
        if not job.is_over or job not in self.queue.jobs:
            return  # the job was resumed or removed while the user was asked
        try:
            discard(Path(job.spec.target))
        except OutputError:
            job.message = self._refusal("busy")
            self._set(job, State.FAILED)
            return
        self.again(job)

    def remove(self, job: ExportJob) -> None:
        """Remove a job that is not running, with unfinished files."""
        if not self._runs(job) and job in self.queue.jobs:  # the list may have been cleared meanwhile
            if job.state is not State.DONE:
                _discard_own(job)
            self._forget(job)

    def _forget(self, job: ExportJob) -> None:
        self.queue.remove(job)
        self._withdraw_failure(job)
        self.removed.emit(job)
        self._count()

    def move(self, job: ExportJob, before: ExportJob | None) -> None:
        self.queue.move(job, before)
        self.ordered.emit()

    def clear(self) -> None:
        """Remove jobs that cannot continue, without deleting files."""
        for job in [job for job in self.queue if not job.can_go_on]:
            self._forget(job)

    def pause(self, job: ExportJob, on: bool) -> None:
        """Pause the running job between frames, or resume."""
        if self._runs(job):
            self._send("pause" if on else "resume")
            self._set(job, State.PAUSED if on else State.RUNNING)

    def cancel(self, job: ExportJob) -> None:
        """Cancel a job; its finished segments are kept."""
        if self._attempt is not None and self._runs(job):
            self._attempt.cancelled = True
            self._end(GRACE_S)
        elif job.state is State.WAITING:
            self._set(job, State.CANCELLED)
            self._look_for_kept(job)

    def open_file(self, path: Path) -> None:
        """Open a file or folder, or show its path."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            text = self.tr("This desktop has no program to open {path} with.").format(path=path)
            self.notified.emit(Notification(text))

    def stop(self) -> None:
        """Interrupt the running job; complete segments are kept."""
        self.stopping = True
        self._end(GRACE_S)

    def _runs(self, job: ExportJob) -> bool:
        return self._attempt is not None and self._attempt.job is job

    def _start_next(self) -> None:
        job = self.queue.next()
        if self._attempt is not None or job is None or self.stopping:
            return
        job.message = ""
        painted = [] if self.renders_folder is None else [str(self.renders_folder)]
        self._run(JobAttempt(job=job), "framebrush.window.exports.export_worker", *painted)
        self._send(job.owned_spec.to_values())
        self._set(job, State.RUNNING)

    def _take(self, attempt: JobAttempt, line: dict[str, Any]) -> None:
        job = attempt.job
        if "preview" in line:
            job.picture = str(line["preview"])
            self.previewed.emit(job, picture_of(job))
        elif "frame" in line:
            attempt.took_s = float(line["elapsed_s"])
            self.progressed.emit(job, line)
        elif "refused" in line:
            attempt.refused = str(line["refused"])
        elif "message" in line:
            job.message = str(line["message"])
        elif "problem" in line:
            error = reported_error(line)
            job.message = with_advice(cause_of(error), advice_of(error))
        elif "lost" in line:
            job.message = self.tr("%n frame(s) could not be read; all others were written.", "", int(line["lost"]))

    def _ended(self, attempt: JobAttempt, how: Ended, message: str) -> None:
        job, status = attempt.job, how.status
        state = {0: State.DONE, 3: State.DONE, 4: State.CANCELLED}.get(status, State.FAILED)
        if how.crashed:  # or did not react and was killed
            remove_leftover(Path(job.spec.target))
            remove_empty(Path(job.spec.target))
        if state is State.FAILED and attempt.cancelled:
            state = State.CANCELLED
        elif state is not State.DONE and self.stopping and not attempt.cancelled:
            state = State.INTERRUPTED
        said = self._refusal(attempt.refused) or message or ("" if status in (0, 4) else job.message)
        job.message = "" if state is State.CANCELLED else said
        if state is State.DONE:
            job.took_s = attempt.took_s
            with suppress(OSError):
                job.size_bytes = Path(job.spec.target).stat().st_size
        job.kept = None
        self._set(job, state)
        if state is State.DONE:
            self.finished.emit(job)
        else:
            self._look_for_kept(job, attempt.refused != "kept")
        if state is State.FAILED:
            reason = job.message or self.tr("Its process ended with status {status}.").format(status=status)
            text = self.tr("Exporting {name} failed: {reason}").format(name=Path(job.spec.target).name, reason=reason)
            self._failures[job.name] = text
            self.notified.emit(Notification(text, how.errors, "problem"))
        self._start_next()

    def _look_for_kept(self, job: ExportJob, may_resume: bool = True) -> None:
        find = partial(kept_work, Path(job.spec.target))
        Background(find, partial(self._take_kept, job, may_resume), self)

    def _take_kept(self, job: ExportJob, may_resume: bool, kept: KeptWork | None) -> None:
        if kept is not None and not may_resume:
            kept = replace(kept, owner="")
        if job.state in ENDED_EARLY and job in self.queue.jobs and kept != job.kept:
            job.kept = kept
            self._set(job, job.state)

    def _refusal(self, kind: str) -> str:
        words = {
            "busy": self.tr("Another window or program is writing this file."),
            "kept": self.tr(
                "Another export to this file was not finished, and what it has painted is kept. Start over to discard "
                "it, or choose another name."
            ),
        }
        return words.get(kind, "")

    def _set(self, job: ExportJob, state: State) -> None:
        job.state = state
        self.queue.save()
        self.changed.emit(job)
        self._count()

    def _withdraw_failure(self, job: ExportJob) -> None:
        if job.name in self._failures:
            self.withdrawn.emit(self._failures.pop(job.name))

    def _tell_unsaved(self, error: OSError) -> None:
        self.notified.emit(Notification.of(self.tr("The list of exports could not be saved."), error))

    def _count(self) -> None:
        self.counted.emit(sum(job.will_write for job in self.queue))


def picture_of(job: ExportJob) -> QImage:
    """Return a job's last painted frame, or a null image."""
    return QImage.fromData(QByteArray.fromBase64(QByteArray(job.picture.encode())))


def _discard_own(job: ExportJob) -> None:
    with suppress(OutputError):  # another program is running it
        discard(Path(job.spec.target), job.name)
