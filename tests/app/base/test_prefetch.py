"""Prefetcher: order, bounds, errors, ends."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Iterator

import pytest

from framebrush.base.prefetch import Prefetcher

pytestmark = pytest.mark.unit


def test_gives_every_item_once_in_order() -> None:
    with Prefetcher(range(1000), depth=3, name="count") as items:
        assert list(items) == list(range(1000))
        assert list(items) == []  # and stays ended


def test_runs_ahead_by_no_more_than_its_depth() -> None:
    made: list[int] = []

    def items() -> Iterator[int]:
        for number in range(100):
            made.append(number)
            yield number

    with Prefetcher(items(), depth=4, name="count") as ahead:
        assert next(ahead) == 0
        deadline = time.monotonic() + 60
        while len(made) < 6 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)
        assert len(made) == 6  # one taken, four in the queue, one in the thread's hand


def test_an_error_comes_after_the_items_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise OSError("the disk went away")

    with Prefetcher(items(), depth=4, name="fail") as ahead:
        assert next(ahead) == 1
        with pytest.raises(OSError, match="the disk went away"):
            next(ahead)
        with pytest.raises(StopIteration):
            next(ahead)


@pytest.mark.parametrize(("fails", "first"), [(False, "the end"), (True, "an item")])
def test_an_error_of_closing_comes_unless_there_was_one_before(fails: bool, first: str) -> None:
    class Items:
        def __iter__(self) -> Iterator[int]:
            return self

        def __next__(self) -> int:
            if fails:
                raise OSError("an item")
            raise StopIteration

        def close(self) -> None:
            raise OSError("the end")

    with Prefetcher(Items(), depth=1, name="fail") as ahead, pytest.raises(OSError, match=first):
        next(ahead)


def test_close_ends_the_thread_and_the_items() -> None:
    ended = threading.Event()

    def items() -> Iterator[int]:
        try:
            yield from range(1_000_000)
        finally:
            ended.set()

    before = threading.active_count()
    ahead = Prefetcher(items(), depth=2, name="endless")
    assert next(ahead) == 0
    ahead.close()
    ahead.close()
    assert ended.is_set()
    assert threading.active_count() == before
    assert list(ahead) == []


def test_a_chain_ends_with_the_first_error() -> None:
    def source() -> Iterator[int]:
        yield from range(10)
        raise ValueError("frame 10 is broken")

    before = threading.active_count()
    with (
        Prefetcher(source(), depth=2, name="source") as first,
        Prefetcher((2 * item for item in first), depth=2, name="double") as second,
    ):
        got = []
        with pytest.raises(ValueError, match="frame 10 is broken"):
            got.extend(item for item in second)
        assert threading.active_count() == before


def test_a_thread_that_waits_for_room_sleeps_until_there_is_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is woken by a close, too: one that looks again from time to time would hold up each seek by as long."""
    tries: list[object] = []

    class Watched(queue.Queue[object]):
        def put(self, item: object, block: bool = True, timeout: float | None = None) -> None:
            tries.append(item)
            super().put(item, block, timeout)

    monkeypatch.setattr("framebrush.base.prefetch.queue.Queue", Watched)
    ahead = Prefetcher(itertools.count(), depth=2, name="count")
    while len(tries) < 3:
        time.sleep(0.001)
    time.sleep(0.3)
    assert tries == [0, 1, 2]
    assert ahead.ready == 2
    ahead.close()
    assert not ahead.thread.is_alive()
