"""Child process that answers requests in order, and may die."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from framebrush.base.child import Child, DiedError


class RequestProcess:
    """Child process, restarted by requests. `send` and `end` are thread-safe."""

    def __init__(self, what: str, module: str, *arguments: str) -> None:
        self._what, self._command = what, (module, *arguments)
        self.child: Child | None = None
        self._ended = False

    def start(self) -> None:
        """Start the process if it is not running. Raises OSError."""
        if self.child is None:
            self.child = Child(*self._command)
            if self._ended:
                self.child.kill()

    @property
    def runs(self) -> bool:
        return self.child is not None and not self.child.has_ended

    @property
    def has_ended(self) -> bool:
        return self.child is not None and self.child.has_ended

    def send(self, request: dict[str, Any]) -> None:
        """Send a request if the process is running."""
        process = self.child
        if process is not None:
            process.send(request)

    def answer(self) -> dict[str, Any]:
        """Return the earliest request's answer. Raises RuntimeError after a death."""
        with self._alive() as process:
            return process.answer()

    def receive(self, into: memoryview) -> None:
        """Fill a buffer with the bytes after an answer. Raises RuntimeError."""
        with self._alive() as process:
            process.receive(into)

    @contextmanager
    def _alive(self) -> Iterator[Child]:
        assert self.child is not None
        try:
            yield self.child
        except DiedError as error:
            raise RuntimeError(f"the process that {self._what} {self.close()}") from error

    def end(self) -> None:
        """End the process permanently; an open request raises RuntimeError."""
        self._ended = True
        process = self.child
        if process is not None:
            process.kill()

    def close(self) -> str:
        """End the process, in the requests' thread; return how."""
        process, self.child = self.child, None
        return "" if process is None else str(process.close())
