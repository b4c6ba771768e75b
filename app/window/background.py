"""Work that may take longer than the window can wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

T = TypeVar("T")


def _forget(_: object) -> None:
    """Nobody waits for the result."""


class Background(QObject, Generic[T]):
    """Does one thing in a thread and hands the result to the window's thread; what fails is left out."""

    done = Signal(object)

    def __init__(self, work: Callable[[], T], then: Callable[[T], None], parent: QObject) -> None:
        super().__init__(parent)
        self.done.connect(self._hand_over)  # a method of this object: else it would be called in the other thread
        self._work = work
        self._then: Callable[[T], None] = then
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Wait until the thread has ended. Its result is not handed over any more: that might begin something else,
        which the end of the window would meet in the middle."""
        self._then = _forget
        self._thread.join()

    def _hand_over(self, result: T) -> None:
        self._then(result)

    def _run(self) -> None:
        with suppress(Exception):
            result = self._work()
            self.done.emit(result)
