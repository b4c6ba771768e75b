"""Iteration in a thread ahead of the reader, by a queue."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from framebrush.base.closing import Closing

T = TypeVar("T")

_END = object()


class Prefetcher(Closing, Generic[T]):
    """Iterate over `items` in the background, at most `depth` ahead.

    Errors follow earlier items. `close` waits for the current item and closes `items`.
    """

    def __init__(self, items: Iterable[T], *, depth: int, name: str) -> None:
        self._items = items
        self._queue: queue.Queue[object] = queue.Queue(depth)
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._ended = False
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            for item in self._items:
                self._queue.put(item)
                if self._stop.is_set():
                    break
        except BaseException as error:
            self._error = error
        finally:
            self._close_items()
            if not self._stop.is_set():
                self._queue.put(_END)

    def _close_items(self) -> None:
        close = getattr(self._items, "close", None)
        if close is not None:
            try:
                close()
            except BaseException as error:
                self._error = self._error or error

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        if self._ended:
            raise StopIteration
        item = self._queue.get()
        if item is not _END:
            return item  # type: ignore[return-value]
        self._ended = True
        self.thread.join()
        if self._error is not None:
            raise self._error
        raise StopIteration

    @property
    def ready(self) -> int:
        """Return the number of available items, end included."""
        return self._queue.qsize()

    def close(self) -> None:
        self._ended = True
        self._stop.set()
        with contextlib.suppress(queue.Empty):  # makes room for the waiting thread, which adds no more
            while True:
                self._queue.get_nowait()
        self.thread.join()
