"""Crash list: requests that killed a process are not repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path

from framebrush.base.files import file_state
from framebrush.media.video import InputError


class DiedError(InputError):
    """Request that crashed the process."""


class Deadly:
    """Operations that crashed a process. Changed files count as new."""

    def __init__(self) -> None:
        self._deaths = Counter[Hashable]()
        self._words: dict[Hashable, str] = {}

    def check(self, path: Path, doing: Hashable) -> Hashable:
        """Return an operation's key for `add`. Raises DiedError for known crashes."""
        if doing is None:
            return None
        with suppress(OSError, ValueError):
            deed = (path.absolute(), file_state(path), doing)
            if self._deaths[deed] > 1:
                raise DiedError(self._words[deed])
            return deed
        return None

    def add(self, deed: Hashable, words: str, *, certain: bool) -> None:
        """Record a crash. Unless certain, only a second crash counts."""
        if deed is None:
            return
        self._deaths[deed] += 2 if certain else 1
        self._words[deed] = words
