"""Background work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Signal
from shiboken6 import isValid

T = TypeVar("T")

JOIN_S = 5.0
"""How long closing the window waits for all work that need not end: a disk, a camera or an encoder's driver may not
answer for minutes."""


def _forget(_: object) -> None: ...


def _nothing() -> Any:  # noqa: ANN401 - any type of result
    ...


class Background(QObject, Generic[T]):
    """Runs a function in a thread and passes its result to the window's thread.

    Failures, and results for a deleted owner, are ignored. The parent is the application, which outlives the thread.
    """

    _ended = Signal()

    def __init__(
        self, work: Callable[[], T], then: Callable[[T], None], owner: QObject, *, must_end: bool = False
    ) -> None:
        """Start the work. must_end: closing the window waits for it."""
        super().__init__(QCoreApplication.instance())
        self._ended.connect(self._hand_over)  # a bound method of this object, or it would be called in the other thread
        self._work, self._then, self._owner, self._must_end = work, then, owner, must_end
        self._results: list[T] = []
        self.worker = threading.Thread(target=self._run, name="background", daemon=True)
        self.worker.start()

    @staticmethod
    def end_all() -> None:
        """Wait for all threads, at most JOIN_S for those without `must_end`; drop results."""
        application = QCoreApplication.instance()
        assert application is not None
        until_s = time.monotonic() + JOIN_S
        for background in application.findChildren(Background):
            background._then = _forget
            waited_for = background._must_end and isValid(background._owner)
            background.worker.join(None if waited_for else max(0.0, until_s - time.monotonic()))
            background._work, background._owner = _nothing, application  # so that a closed window is not kept alive
            background._results.clear()

    def _hand_over(self) -> None:
        self.worker.join()  # the worker may still be emitting the signal
        if isValid(self._owner):
            for result in self._results:
                self._then(result)
        self.deleteLater()

    def _run(self) -> None:
        with suppress(Exception):
            self._results.append(self._work())
        self._ended.emit()


class Latest(Generic[T]):
    """Answers the latest question in the background; earlier answers are dropped."""

    def __init__(self, then: Callable[[T], None], owner: QObject) -> None:
        self._then, self._owner = then, owner
        self._asked: object = None
        self.is_waiting = False
        """Whether the latest question has no answer yet."""

    def ask(self, question: object, find: Callable[[], T]) -> bool:
        """Ask, and return True, unless the question equals the last one.

        question: all values that determine the result of `find`.
        """
        if question == self._asked:
            return False
        self._asked, self.is_waiting = question, True
        Background(find, partial(self._take, question), self._owner)
        return True

    def _take(self, question: object, answer: T) -> None:
        if question == self._asked and self.is_waiting:
            self.is_waiting = False
            self._then(answer)
