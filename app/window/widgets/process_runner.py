"""Child process (see `base/child.py`) of a window."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Signal
from shiboken6 import isValid

from framebrush.base.child import Child, Ended


@dataclass(slots=True, eq=False)
class Attempt:
    """Process and its reports. process: None if it failed to start."""

    process: Child | None = None


AttemptT = TypeVar("AttemptT", bound=Attempt)


class _Relay(QObject):
    """Calls functions in the window's thread.

    It lives as long as the application: deleting an object while another thread emits its signal crashes.
    """

    called = Signal(object)

    def __init__(self, application: QCoreApplication) -> None:
        super().__init__(application)
        self.called.connect(self._call)

    def _call(self, call: Callable[[], object]) -> None:
        call()


class ProcessRunner(QObject, Generic[AttemptT]):
    """Runs one process at a time. Subclasses implement `_take` and `_ended`."""

    notified = Signal(object)  # a Notification
    idle = Signal()  # no process is running any more

    def __init__(self, parent: QObject | None = None) -> None:
        """Create it, owned by the application: the player's thread must not collect it."""
        application = QCoreApplication.instance()
        assert application is not None
        super().__init__(parent or application)
        self._relay = application.findChild(_Relay) or _Relay(application)
        self._attempt: AttemptT | None = None

    @property
    def process_id(self) -> int | None:
        """Id of the running process, else None."""
        process = self._attempt.process if self._attempt is not None else None
        return process.pid if process is not None else None

    @property
    def is_idle(self) -> bool:
        return self._attempt is None

    def _take(self, attempt: AttemptT, line: dict[str, Any]) -> None:
        raise NotImplementedError

    def _ended(self, attempt: AttemptT, how: Ended, message: str) -> None:
        """Handle the end. message: reason if the process could not report one."""
        raise NotImplementedError

    def _run(self, attempt: AttemptT, module: str, *arguments: str, python: str = sys.executable) -> None:

        def later(handle: Callable[[AttemptT, Any], None], said: object) -> None:
            self._relay.called.emit(partial(self._hear, handle, attempt, said))

        self._attempt = attempt
        take, gone = partial(later, self._take), partial(later, self._gone)
        try:
            attempt.process = Child(module, *arguments, take=take, gone=gone, python=python, keeps_errors=True)
        except OSError:
            text = self.tr("{program} could not be started.").format(program=python)
            later(partial(self._gone, message=text), Ended(1, "", killed=False))

    def _hear(self, handle: Callable[[AttemptT, Any], None], attempt: AttemptT, said: object) -> None:
        if isValid(self) and attempt is self._attempt:
            handle(attempt, said)

    def _send(self, order: object) -> None:
        if self._attempt is not None and self._attempt.process is not None:
            self._attempt.process.send(order)

    def _end(self, grace_s: float) -> None:
        if self._attempt is not None and self._attempt.process is not None:
            self._attempt.process.end(grace_s)

    def _gone(self, attempt: AttemptT, how: Ended, message: str = "") -> None:
        self._attempt = None
        crashed = self.tr("Its process ended unexpectedly.") if how.crashed else ""
        self._ended(attempt, how, message or crashed)
        if self.is_idle:
            self.idle.emit()
