"""Background work that takes too long for the window's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Signal
from shiboken6 import isValid

T = TypeVar("T")

JOIN_S = 5.0
"""How long closing the window waits for work whose owner, such as a dialog, no longer exists."""


def _forget(_: object) -> None:
    """Ignores the result."""


def _nothing() -> Any:  # noqa: ANN401 - any type of result
    """Replaces finished work."""


class Background(QObject, Generic[T]):
    """Runs a function in a thread and passes its result to the window's thread if the owner still exists; failures are
    ignored.

    Its parent is the application, not the owner: an owner that is deleted would delete the signal while the thread is
    emitting it.
    """

    _ended = Signal()

    def __init__(self, work: Callable[[], T], then: Callable[[T], None], owner: QObject) -> None:
        super().__init__(QCoreApplication.instance())
        self._ended.connect(self._hand_over)  # a bound method of this object, or it would be called in the other thread
        self._work, self._then, self._owner = work, then, owner
        self._results: list[T] = []
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)
        self._thread.start()

    @staticmethod
    def end_all() -> None:
        """Wait until all threads have ended. Results are discarded, as they might start something new while the window
        is closing."""
        application = QCoreApplication.instance()
        assert application is not None
        for background in application.findChildren(Background):
            background._then = _forget
            background._thread.join(None if isValid(background._owner) else JOIN_S)
            background._work, background._owner = _nothing, application  # so that a closed window is not kept alive
            background._results.clear()

    def _hand_over(self) -> None:
        self._thread.join()  # it may still be emitting the signal
        if isValid(self._owner):
            for result in self._results:
                self._then(result)
        self.deleteLater()

    def _run(self) -> None:
        with suppress(Exception):
            self._results.append(self._work())
        self._ended.emit()
