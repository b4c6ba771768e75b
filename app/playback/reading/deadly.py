"""What a process has died of, so that it does not die of it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path

from framebrush.base.files import file_state
from framebrush.media.video import InputError


class DiedError(InputError):
    """The process has died of a request."""


class Deadly:
    """Remembers, for as long as this program runs, the files that ended a process, by what was done with them. A file
    that has changed is another one."""

    def __init__(self) -> None:
        self._deaths = Counter[Hashable]()
        self._words: dict[Hashable, str] = {}

    def check(self, path: Path, doing: Hashable) -> Hashable:
        """What is to be done with a file, for `add`; None where that is not to be remembered. doing: None for that.
        Raises DiedError, in the words of its death, where the process has died of it."""
        if doing is None:
            return None
        with suppress(OSError, ValueError):
            deed = (path.absolute(), file_state(path), doing)
            if self._deaths[deed] > 1:
                raise DiedError(self._words[deed])
            return deed
        return None

    def add(self, deed: Hashable, words: str, *, certain: bool) -> None:
        """Remember a death. certain: nothing else can have been its cause. Else it counts from the second time on."""
        if deed is None:
            return
        self._deaths[deed] += 2 if certain else 1
        self._words[deed] = words
