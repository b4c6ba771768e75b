"""What can go wrong with films and files of results. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from framebrush.base.text import printable


class _PlainError(Exception):
    """One sentence for the user. It contains names and other strings from files, so it is made printable."""

    def __init__(self, sentence: str) -> None:
        super().__init__(printable(sentence))


class InputError(_PlainError):
    """The input cannot be read: which file, what is wrong with it, what to do. Exit status 2."""


class SourceChangedError(InputError):
    """The source is no longer what it was when its job began."""

    def __init__(self, path: Path, how: str, *, restart: bool = False) -> None:
        """how: it changed, a clause. restart: segments of the former source are kept, which are not mixed with others'
        unasked."""
        do = "run the same command again, with --restart," if restart else "run the same command again"
        super().__init__(
            f"{path}: the source changed while it was painted ({how}), so the job was not finished; {do} once nothing "
            "changes it"
        )


class RangeError(_PlainError, ValueError):
    """The requested range contains no frame of the input, which itself is sound. Exit status 1."""

    @classmethod
    def behind(cls, name: object, last: int) -> Self:
        """For a range that begins after the last frame. last: the number of that."""
        return cls(f"{name}: the range starts after the last frame ({last})")

    @classmethod
    def empty(cls, name: object) -> Self:
        """For a range that ends before it begins."""
        return cls(f"{name}: the requested range contains no frame; choose an end after its start")


class OutputError(_PlainError):
    """The output cannot be written or is not possible as asked. Exit status 1."""


class BusyOutputError(OutputError):
    """Another job writes to the output."""

    def __init__(self, target: Path) -> None:
        super().__init__(f"another job writes to {target}; wait for it or give the output another name")


class OtherNameError(OutputError):
    """The output is finished, but could not get its name; the sentence says which one it has."""


class KeptOutputError(OutputError):
    """Another job has left segments of the output, which would be lost; it says how to start over."""


class OverSizeError(OutputError):
    """A result came out larger than it may be. size_bytes: what it would have been; nothing is left of it."""

    def __init__(self, name: str, size_bytes: int, most_bytes: int) -> None:
        super().__init__(
            f"{name} would take {size_bytes / 1e6:.4g} MB and may take {most_bytes / 1e6:.4g} MB; give a larger "
            "--target-size, a smaller --size, or another --codec"
        )
        self.size_bytes = size_bytes


class ClosedPipeError(OutputError):
    """The reader of standard output has gone, as `head` does when it has enough: nothing went wrong."""


class DiskFullError(OutputError):
    """There is no room for the output. Exit status 5."""
