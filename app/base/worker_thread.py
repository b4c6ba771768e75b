"""Threads that work on the latest request, and their end."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Generic, TypeVar

JOIN_S = 5.0
"""How long an end is waited for: an ending thread may still be emitting a signal, whose sender must not be deleted."""

Request = TypeVar("Request")


class Worker(ABC):
    """A thread that works until it is asked to end. What it waits for changes while `_changed` is held."""

    def __init__(self, name: str) -> None:
        """Starts the thread, so subclasses call this at the end of their own."""
        self._ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ask the thread to end. Does not block. Idempotent."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def join(self, timeout_s: float | None = None) -> bool:
        """Wait for the thread to end; whether it did in time. timeout_s: None for as long as it takes."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @abstractmethod
    def _run(self) -> None:
        """The thread; returns once `_ended` is set."""


class LatestWorker(Worker, Generic[Request]):
    """Works on the latest request; a pending one is dropped."""

    def __init__(self, name: str) -> None:
        self._wanted: Request | None = None
        self._latest: Request | None = None
        super().__init__(name)

    def ask(self, request: Request | None) -> None:
        """Make a request in place of earlier ones; None: withdraw them."""
        with self._changed:
            self._wanted = self._latest = request
            self._changed.notify()

    def _is_latest(self, request: Request) -> bool:
        """Whether nothing else is asked for since, nor the end."""
        return request is self._latest and not self._ended

    def _requests(self) -> Iterator[Request]:
        """The requests, for the thread, until it is to end."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted is not None or self._ended)
                wanted, self._wanted = self._wanted, None
            if self._ended or wanted is None:
                return
            yield wanted


class Ending:
    """Workers on their way to the end: they may still be emitting the signal of an object, which must outlive them."""

    def __init__(self) -> None:
        self._workers: list[Worker] = []

    def end(self, worker: Worker | None, *, wait: bool) -> None:
        """Ask a worker to end. wait: for this one and all earlier ones."""
        if worker is not None:
            worker.close()
            self._workers.append(worker)
        self._workers = [each for each in self._workers if not each.join(JOIN_S if wait else 0)]
