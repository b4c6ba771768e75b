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
        """Queue a call. instead_of: a kind; it takes the place of the last call where that is of the same kind, since
        only the last seek of many matters. Calls of other kinds between them keep both."""
        with self._arrived:
            if instead_of is not None and self._calls and self._calls[-1][0] == instead_of:
                self._calls.pop()
            self._calls.append((instead_of, call))
            self._arrived.notify()

    def take(self, timeout_s: float | None = None) -> Call | None:
        """The next call, waiting for it; None when the time is over. No time: wait for ever."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: bool(self._calls), timeout_s):
                return None
            return self._calls.popleft()[1]
