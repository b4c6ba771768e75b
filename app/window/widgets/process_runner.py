"""A process of this program's own, which tells how far it is in lines of JSON and takes commands in lines of text."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QTimer, Signal


class ProcessRunner(QObject):
    """Runs one process at a time, without blocking. A kind of work gives `_take` and `_ended`."""

    notified = Signal(object)  # a Notification
    idle = Signal()  # no process runs any more

    def __init__(self, parent: QObject | None = None) -> None:
        """parent: the application where none is given; without an owner Python's collector would end it, and that may
        run in the player's thread."""
        super().__init__(parent or QCoreApplication.instance())
        self._process: QProcess | None = None

    @property
    def process_id(self) -> int | None:
        """Of the process, None while none runs."""
        return self._process.processId() if self._process is not None else None

    @property
    def is_idle(self) -> bool:
        """Whether no process runs."""
        return self._process is None

    def _take(self, line: dict[str, Any]) -> None:
        """The process said something."""
        raise NotImplementedError

    def _ended(self, status: int, message: str, errors: str) -> None:
        """The process is over, and another one may be run. status: its exit status, -1 where it crashed. message: why
        there is none of its own. errors: what it wrote to its standard error."""
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
        """End the process by force where it has not ended by then."""
        if self._process is not None:
            QTimer.singleShot(grace_ms, self._process, self._process.kill)

    def _read(self) -> None:
        process = self._process
        while process is not None and process.canReadLine():
            try:
                line = json.loads(bytes(process.readLine().data()))
            except ValueError:
                continue  # a library that prints
            if isinstance(line, dict):
                self._take(line)

    def _failed_to_start(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            self._over(1, self.tr("{program} could not be started.").format(program=self._process.program()))

    def _finished(self, status: int, how: QProcess.ExitStatus) -> None:
        self._read()
        crashed = how is QProcess.ExitStatus.CrashExit
        self._over(-1 if crashed else status, self.tr("Its process ended unexpectedly.") if crashed else "")

    def _over(self, status: int, message: str) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        errors = bytes(process.readAllStandardError().data()).decode(errors="replace").strip()
        process.deleteLater()
        self._ended(status, message, errors)
        if self.is_idle:
            self.idle.emit()
