"""Crash list: requests that killed a process and are not repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path

from framebrush.base.files import file_state
from framebrush.media.video import InputError


class DiedError(InputError):
    """A request crashed the process."""


class Deadly:
    """Remembers operations on files that crashed a process, until the program ends.

    A changed file counts as new.
    """

    def __init__(self) -> None:
        self._deaths = Counter[Hashable]()
        self._words: dict[Hashable, str] = {}

    def check(self, path: Path, doing: Hashable) -> Hashable:
        """Return an operation's key for `add`, if it is to be remembered.

        Args:
            doing: The operation, if it is to be remembered.

        Raises: DiedError with the recorded message if the operation has crashed the process.
        """
        if doing is None:
            return None
        with suppress(OSError, ValueError):
            deed = (path.absolute(), file_state(path), doing)
            if self._deaths[deed] > 1:
                raise DiedError(self._words[deed])
            return deed
        return None

    def add(self, deed: Hashable, words: str, *, certain: bool) -> None:
        """Record a crash.

        Args:
            certain: only the operation can have caused it; else its second crash counts.
        """
        if deed is None:
            return
        self._deaths[deed] += 2 if certain else 1
        self._words[deed] = words
