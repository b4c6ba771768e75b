"""Threads that work on the latest request."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Generic, TypeVar

JOIN_S = 5.0
"""Longest wait for an end: an ending thread may be emitting a signal, whose sender must not be deleted."""

Request = TypeVar("Request")


class Worker(ABC):
    """Thread that works until asked to end."""

    def __init__(self, name: str) -> None:
        """Start the thread; subclasses call this last."""
        self._ended = False
        self._changed = threading.Condition()
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Ask the thread to end; returns at once."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def join(self, timeout_s: float | None = None) -> bool:
        """Wait for the thread; return whether it ended."""
        self.thread.join(timeout_s)
        return not self.thread.is_alive()

    @abstractmethod
    def _run(self) -> None: ...


class LatestWorker(Worker, Generic[Request]):
    """Worker on the latest request; a pending one is dropped."""

    def __init__(self, name: str) -> None:
        self._wanted: Request | None = None
        self._latest: Request | None = None
        super().__init__(name)

    def request(self, request: Request | None) -> None:
        with self._changed:
            self._wanted = self._latest = request
            self._changed.notify()

    def _is_latest(self, request: Request) -> bool:
        return request is self._latest and not self._ended

    def _requests(self) -> Iterator[Request]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted is not None or self._ended)
                wanted, self._wanted = self._wanted, None
            if self._ended or wanted is None:
                return
            yield wanted


class EndingWorkers:
    """Workers asked to end, which may still emit signals."""

    def __init__(self) -> None:
        self._workers: list[Worker] = []

    def end(self, worker: Worker | None, *, wait: bool) -> None:
        """Ask a worker to end. wait: for all."""
        if worker is not None:
            worker.close()
            self._workers.append(worker)
        self._workers = [each for each in self._workers if not each.join(JOIN_S if wait else 0)]
