"""Threads that work on the latest request."""

from __future__ import annotations

import threading
from queue import SimpleQueue

import pytest

from framebrush.base.worker_thread import EndingWorkers, LatestWorker

pytestmark = pytest.mark.unit


class Counting(LatestWorker[int]):
    """Worker that tells each request, and whether it was the latest when it was done."""

    def __init__(self) -> None:
        self.told = SimpleQueue[tuple[int, bool]]()
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.begun = threading.Event()
        super().__init__("counting")

    def _run(self) -> None:
        for number in self._requests():
            self.begun.set()
            self.goes_on.wait(20)
            self.told.put((number, self._is_latest(number)))


def test_the_latest_request_replaces_a_waiting_one() -> None:
    worker = Counting()
    worker.goes_on.clear()
    worker.request(1)
    assert worker.begun.wait(20)
    worker.request(2)
    worker.request(3)
    worker.goes_on.set()
    assert [worker.told.get(timeout=20) for _ in range(2)] == [(1, False), (3, True)]
    worker.request(None)
    worker.request(4)
    assert worker.told.get(timeout=20) == (4, True)
    worker.close()
    assert worker.join(20)
    assert worker.told.empty()


def test_a_program_can_end_before_its_workers() -> None:
    worker = Counting()
    assert worker.thread.daemon
    worker.close()
    assert worker.join(20)


def test_a_request_that_waits_at_the_end_is_dropped() -> None:
    worker = Counting()
    worker.goes_on.clear()
    worker.request(1)
    assert worker.begun.wait(20)
    worker.request(2)
    worker.close()
    worker.goes_on.set()
    assert worker.join(20)
    assert worker.told.get(timeout=20) == (1, False)
    assert worker.told.empty()


def test_those_asked_to_end_are_waited_for_at_last() -> None:
    slow, ending = Counting(), EndingWorkers()
    slow.goes_on.clear()
    slow.request(1)
    assert slow.begun.wait(20)
    ending.end(slow, wait=False)
    assert slow.thread.is_alive()
    ending.end(None, wait=False)
    threading.Timer(0.1, slow.goes_on.set).start()
    ending.end(None, wait=True)
    assert not slow.thread.is_alive()
    assert slow.told.get(timeout=20) == (1, False)
