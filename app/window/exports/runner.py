"""Runs the queue, one job at a time, each in a separate process, without blocking."""

from __future__ import annotations

import base64
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QImage

from framebrush.jobs.segments.folder import discard
from framebrush.media.output_file import remove_left
from framebrush.media.video import OutputError
from framebrush.playback.events import Notification
from framebrush.window.exports.queue import ExportJob, ExportQueue, State
from framebrush.window.widgets.process_runner import ProcessRunner

GRACE_MS = 8000
"""How long a cancelled job may take to remove its half-written file before it is killed."""


class ExportRunner(ProcessRunner):
    """Runs the jobs and updates their states, emitting every change."""

    changed = Signal(object)  # an ExportJob, new or with a new state
    removed = Signal(object)
    ordered = Signal()
    finished = Signal(object)  # an ExportJob whose file is complete
    progressed = Signal(object, dict)  # job; frame, frames, fps, left_s
    previewed = Signal(object, QImage)
    counted = Signal(int)  # jobs that have not ended
    _unsaved = Signal(object)  # an OSError

    def __init__(self, queue: ExportQueue, parent: QObject | None = None) -> None:
        """parent: the application by default."""
        super().__init__(parent)
        self.queue = queue
        self._unsaved.connect(self._tell_unsaved)
        queue.on_failure = self._unsaved.emit
        self.renders_folder: Path | None = None
        """Where frames are that a window has painted ahead."""
        self._job: ExportJob | None = None
        self._cancelled: ExportJob | None = None
        self._stopping = False

    def begin(self) -> None:
        """Emit `changed` for every job and start the first waiting one."""
        for job in self.queue:
            self.changed.emit(job)
        self._count()
        interrupted = sum(job.state is State.INTERRUPTED for job in self.queue)
        if interrupted:
            text = self.tr("%n export(s) did not finish last time; start them again under Exports.", "", interrupted)
            self.notified.emit(Notification(text))
        self._start_next()

    def add(self, job: ExportJob) -> None:
        """Queue a job, and start it if nothing else is running."""
        self.queue.add(job)
        self.changed.emit(job)
        self._start_next()
        self._count()

    def again(self, job: ExportJob) -> None:
        """Queue a job that has ended again."""
        job.message = ""
        self._set(job, State.WAITING)
        self._start_next()

    def remove(self, job: ExportJob) -> None:
        """Remove a job that has ended or is waiting from the list, and the files of an unfinished one from the disk."""
        if job is not self._job:
            if job.state is not State.DONE:
                with suppress(OutputError):  # another program is running it
                    discard(Path(job.spec.target))
            self.queue.remove(job)
            self.removed.emit(job)
            self._count()

    def move(self, job: ExportJob, before: ExportJob | None) -> None:
        """Move a job before another one, or to the end."""
        self.queue.move(job, before)
        self.ordered.emit()

    def clear(self) -> None:
        """Remove all jobs that cannot continue from the list, without deleting files."""
        for job in [job for job in self.queue if not job.can_go_on]:
            self.remove(job)

    def pause(self, job: ExportJob, on: bool) -> None:
        """Pause the running job between two frames, or resume it."""
        if job is self._job:
            self._send("pause" if on else "resume")
            self._set(job, State.PAUSED if on else State.RUNNING)

    def cancel(self, job: ExportJob) -> None:
        """Cancel a job and delete its unfinished file."""
        if job is self._job:
            self._cancelled = job
            self._send("cancel")
            self._end_process()
        elif job.state is State.WAITING:
            self._set(job, State.CANCELLED)

    def open_file(self, path: Path) -> None:
        """Open a file or folder with the desktop's default program, or show its path."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            text = self.tr("This desktop has no program to open {path} with.").format(path=path)
            self.notified.emit(Notification(text))

    def stop(self) -> None:
        """When the window closes, end the running job and mark it as interrupted; its complete segments are kept."""
        self._stopping = True
        self._end_process()

    def _start_next(self) -> None:
        job = self.queue.next()
        if self._job is not None or job is None or self._stopping:
            return
        self._job = job
        job.message = ""
        self._set(job, State.RUNNING)
        painted = [] if self.renders_folder is None else [str(self.renders_folder)]
        self._run(sys.executable, "framebrush.window.exports.worker", job.spec.to_json(), *painted)

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.closeWriteChannel()
            self._kill_after(GRACE_MS)

    def _take(self, line: dict[str, Any]) -> None:
        job = self._job
        if job is None:
            return
        if "preview" in line:
            self.previewed.emit(job, QImage.fromData(base64.b64decode(line["preview"])))
        elif "frame" in line:
            self.progressed.emit(job, line)
        elif "message" in line:
            job.message = str(line["message"])
        elif "lost" in line:
            job.message = self.tr("%n frame(s) could not be read; all others were written.", "", int(line["lost"]))

    def _ended(self, status: int, message: str, errors: str) -> None:
        job, self._job = self._job, None
        if job is None:
            return
        if self._stopping and status != 0:
            state = State.INTERRUPTED
        else:
            state = {0: State.DONE, 3: State.DONE, 4: State.CANCELLED}.get(status, State.FAILED)
        if state is State.FAILED and job is self._cancelled:  # it did not react, and was killed
            state, message, job.message = State.CANCELLED, "", ""
            remove_left(Path(job.spec.target))
            with suppress(OutputError):
                discard(Path(job.spec.target))
        job.message = message or ("" if status in (0, 4) else job.message)
        self._set(job, state)
        name = job.spec.target.replace("\\", "/").rpartition("/")[2]
        if state is State.DONE:
            self.finished.emit(job)
        if state is State.FAILED:
            reason = job.message or self.tr("Its process ended with status {status}.").format(status=status)
            text = self.tr("Exporting {name} failed: {reason}").format(name=name, reason=reason)
            self.notified.emit(Notification(text, errors, "problem"))
        self._start_next()
        self._count()

    def _set(self, job: ExportJob, state: State) -> None:
        job.state = state
        self.queue.save()
        self.changed.emit(job)
        self._count()

    def _tell_unsaved(self, error: OSError) -> None:
        self.notified.emit(Notification.of(self.tr("The list of exports could not be saved."), error))

    def _count(self) -> None:
        self.counted.emit(sum(not job.is_over for job in self.queue))
