"""Commands from the window to the player's thread."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

Call = Callable[[], None]
Amount = TypeVar("Amount")

MOVES = frozenset({"open", "seek", "skip", "step"})
"""Kinds of commands whose mutual order matters. Commands of other kinds set independent values."""


class _Entry(NamedTuple):
    kind: str | None
    call: Call
    lasting: bool = False


class CommandQueue:
    """Queue of calls; pending ones of a kind are merged."""

    def __init__(self) -> None:
        self._calls: deque[_Entry] = deque()
        self._woken = False
        self._arrived = threading.Condition()

    def post(self, call: Call, *, instead_of: str | None = None, lasting: bool = False) -> None:
        """Queue a call.

        instead_of: kind of pending calls to replace. lasting: with an effect such as a file.
        """
        with self._arrived:
            self._take_pending(instead_of)
            self._append(_Entry(instead_of, call, lasting))

    def post_last(self, call: Call) -> None:
        """Queue the final call, after the last lasting one."""
        with self._arrived:
            while self._calls and not self._calls[-1].lasting:
                self._calls.pop()
            self._append(_Entry(None, call))

    def post_sum(self, kind: str, amount: Amount, call: Callable[[Amount], None]) -> None:
        """Queue a call, adding a pending call's amount."""
        with self._arrived:
            pending = self._take_pending(kind)
            if pending is not None:
                (former,) = pending.call.args  # type: ignore[attr-defined]  # the partial made below
                amount = former + amount
            self._append(_Entry(kind, partial(call, amount)))

    def next_call(self, timeout_s: float | None = None) -> Call | None:
        """Return the next call; None after timeout_s or `wake`."""
        with self._arrived:
            self._arrived.wait_for(lambda: bool(self._calls) or self._woken, timeout_s)
            if self._calls:
                return self._calls.popleft().call  # being woken is still to be answered
            self._woken = False
            return None

    def wake(self) -> None:
        """End the current or next `next_call`."""
        with self._arrived:
            self._woken = True
            self._arrived.notify()

    def _take_pending(self, kind: str | None) -> _Entry | None:
        for at in range(len(self._calls) - 1, -1, -1):
            entry = self._calls[at]
            if kind is None or entry.kind is None:
                break
            if entry.kind == kind:
                del self._calls[at]
                return entry
            if kind in MOVES and entry.kind in MOVES:
                break
        return None

    def _append(self, entry: _Entry) -> None:
        self._calls.append(entry)
        self._arrived.notify()
