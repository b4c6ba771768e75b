"""A child process of this program that reports progress in lines of JSON and takes commands in lines of text."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QTimer, Signal


class ProcessRunner(QObject):
    """Runs one process at a time, without blocking. Subclasses implement `_take` and `_ended`."""

    notified = Signal(object)  # a Notification
    idle = Signal()  # no process is running any more

    def __init__(self, parent: QObject | None = None) -> None:
        """parent: the application by default; without an owner, Python's garbage collector would delete it, possibly in
        the player's thread."""
        super().__init__(parent or QCoreApplication.instance())
        self._process: QProcess | None = None

    @property
    def process_id(self) -> int | None:
        """The id of the process, None if none is running."""
        return self._process.processId() if self._process is not None else None

    @property
    def is_idle(self) -> bool:
        """Whether no process is running."""
        return self._process is None

    def _take(self, line: dict[str, Any]) -> None:
        """Handle a message from the process."""
        raise NotImplementedError

    def _ended(self, status: int, message: str, errors: str) -> None:
        """Handle the end of the process; another one may be started. status: its exit status, -1 if it crashed.
        message: the reason if it could not report one itself. errors: its standard error."""
        raise NotImplementedError

    def _run(self, python: str, module: str, first_line: str, *arguments: str) -> None:
        process = QProcess(self)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._finished)
        process.errorOccurred.connect(self._failed_to_start)
        self._process = process
        process.start(python, ["-P", "-m", module, *arguments])
        self._send(first_line)

    def _send(self, line: str) -> None:
        if self._process is not None:
            self._process.write(line.encode() + b"\n")

    def _kill_after(self, grace_ms: int) -> None:
        """Kill the process if it has not ended by then."""
        if self._process is not None:
            QTimer.singleShot(grace_ms, self._process, self._process.kill)

    def _read(self) -> None:
        process = self._process
        while process is not None and process.canReadLine():
            try:
                line = json.loads(bytes(process.readLine().data()))
            except ValueError:
                continue  # printed by a library
            if isinstance(line, dict):
                self._take(line)

    def _failed_to_start(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            self._clean_up(1, self.tr("{program} could not be started.").format(program=self._process.program()))

    def _finished(self, status: int, how: QProcess.ExitStatus) -> None:
        self._read()
        crashed = how is QProcess.ExitStatus.CrashExit
        self._clean_up(-1 if crashed else status, self.tr("Its process ended unexpectedly.") if crashed else "")

    def _clean_up(self, status: int, message: str) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        errors = bytes(process.readAllStandardError().data()).decode(errors="replace").strip()
        process.deleteLater()
        self._ended(status, message, errors)
        if self.is_idle:
            self.idle.emit()
