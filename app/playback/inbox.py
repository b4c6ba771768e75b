"""Commands from the window to the player's thread."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

Call = Callable[[], None]


class Inbox:
    """A queue of calls in which a newer wish may replace an older one of the same kind that has not begun."""

    def __init__(self) -> None:
        self._calls: deque[tuple[str | None, Call]] = deque()
        self._arrived = threading.Condition()

    def post(self, call: Call, *, instead_of: str | None = None) -> None:
        """Queue a call. instead_of: a kind; waiting calls of the same kind are dropped: only the last seek matters."""
        with self._arrived:
            if instead_of is not None:
                self._calls = deque(entry for entry in self._calls if entry[0] != instead_of)
            self._calls.append((instead_of, call))
            self._arrived.notify()

    def take(self, timeout_s: float | None = None) -> Call | None:
        """The next call, waiting for it; None when the time is over. No time: wait for ever."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: bool(self._calls), timeout_s):
                return None
            return self._calls.popleft()[1]
