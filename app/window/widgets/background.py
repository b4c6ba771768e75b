"""Work that may take longer than the window can wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Signal
from shiboken6 import isValid

T = TypeVar("T")

JOIN_S = 5.0
"""How long the end of the window waits for what was looked for on behalf of a dialog that is gone."""


def _forget(_: object) -> None:
    """Nobody waits for the result."""


def _nothing() -> Any:  # noqa: ANN401 - of whatever kind the result would be
    """In the place of work that is over."""


class Background(QObject, Generic[T]):
    """Does one thing in a thread and hands the result to the window's thread, where its owner is still there; what
    fails is left out.

    The application is its parent, not the owner: one that goes would take the signal along while the thread is in it.
    """

    _ended = Signal()

    def __init__(self, work: Callable[[], T], then: Callable[[T], None], owner: QObject) -> None:
        super().__init__(QCoreApplication.instance())
        self._ended.connect(self._hand_over)  # a method of this object: else it would be called in the other thread
        self._work, self._then, self._owner = work, then, owner
        self._results: list[T] = []
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)
        self._thread.start()

    @staticmethod
    def end_all() -> None:
        """Wait until all threads have ended. No result is handed over any more: that might begin something else, which
        the end of the window would meet in the middle."""
        application = QCoreApplication.instance()
        assert application is not None
        for background in application.findChildren(Background):
            background._then = _forget
            background._thread.join(None if isValid(background._owner) else JOIN_S)
            background._work, background._owner = _nothing, application  # a window that has ended is not kept
            background._results.clear()

    def _hand_over(self) -> None:
        self._thread.join()  # it may still be inside the signal
        if isValid(self._owner):
            for result in self._results:
                self._then(result)
        self.deleteLater()

    def _run(self) -> None:
        with suppress(Exception):
            self._results.append(self._work())
        self._ended.emit()
