"""A child process of this program that answers requests, one after the other, and may die of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from framebrush.base.child import Child, DiedError


class AskedProcess:
    """Started by the first request, and again by the next one after it has ended. One thread at a time makes requests;
    `send` and `end` may be called in any."""

    def __init__(self, what: str, module: str, *arguments: str) -> None:
        """what: what the process does, in words. module: what runs there."""
        self._what, self._command = what, (module, *arguments)
        self._process: Child | None = None
        self._ended = False

    def start(self) -> None:
        """Start the process, if it is not running, without waiting for it. Raises OSError."""
        if self._process is None:
            self._process = Child(*self._command)
            if self._ended:
                self._process.kill()

    @property
    def runs(self) -> bool:
        """Whether it was started and has not ended, seen or not."""
        return self._process is not None and not self._process.has_ended

    @property
    def has_ended(self) -> bool:
        """Whether it was started and has ended, seen or not."""
        return self._process is not None and self._process.has_ended

    def send(self, request: dict[str, Any]) -> None:
        """Make a request, if the process is running."""
        process = self._process
        if process is not None:
            process.send(request)

    def answer(self) -> dict[str, Any]:
        """The answer to the earliest request that has none yet. Raises RuntimeError if the process died."""
        with self._alive() as process:
            return process.answer()

    def receive(self, into: memoryview) -> None:
        """Fill a buffer with the bytes behind an answer. Raises RuntimeError if the process died."""
        with self._alive() as process:
            process.receive(into)

    @contextmanager
    def _alive(self) -> Iterator[Child]:
        assert self._process is not None
        try:
            yield self._process
        except DiedError as error:
            raise RuntimeError(f"the process that {self._what} {self.close()}") from error

    def end(self) -> None:
        """End the process for good; a request in work raises RuntimeError."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> str:
        """End the process and free what belongs to it; returns how it ended, in words. In the thread of the
        requests."""
        process, self._process = self._process, None
        return "" if process is None else str(process.close())
