"""Errors of sources and results, without heavy imports."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from framebrush.base.status import Status
from framebrush.base.text import printable
from framebrush.gpu.errors import SMALLER_RESULT


class _PlainError(Exception):
    """One printable sentence for users. exit_status: of a command that ends with it."""

    exit_status = Status.USAGE

    def __init__(self, sentence: str) -> None:
        super().__init__(printable(sentence))


class InputError(_PlainError):
    """The input cannot be read: file, problem and remedy."""

    exit_status = Status.UNREADABLE


class SourceChangedError(InputError):
    """The source has changed since its job began."""

    def __init__(self, path: Path, how: str, *, restart: bool = False) -> None:
        """Make the error. how: the change. restart: segments of the former source exist."""
        do = "run the same command again, with --restart," if restart else "run the same command again"
        super().__init__(
            f"{path}: the source changed while it was painted ({how}), so the job was not finished; {do} once nothing "
            "changes it"
        )


class RangeError(_PlainError, ValueError):
    """The range contains no frame of an intact input."""

    @classmethod
    def behind(cls, name: object, last: int) -> Self:
        """Make the error for a range after the last frame."""
        return cls(f"{name}: the range starts after the last frame ({last})")

    @classmethod
    def empty(cls, name: object) -> Self:
        """Make the error for a range that ends before it begins."""
        return cls(f"{name}: the requested range contains no frame; choose an end after its start")


class OutputError(_PlainError):
    """The output cannot be written, or is impossible."""


class BusyOutputError(OutputError):
    """Error: another job writes the output."""

    def __init__(self, target: Path) -> None:
        super().__init__(f"another job writes to {target}; wait for it or give the output another name")


class OtherNameError(OutputError):
    """The output is finished under another name."""


class KeptOutputError(OutputError):
    """Segments of another job's output exist. The message says how to start over."""


class OverSizeError(OutputError):
    """A result exceeds its size and was removed."""

    def __init__(self, name: str, size_bytes: int, most_bytes: int) -> None:
        super().__init__(
            f"{name} would take {size_bytes / 1e6:.4g} MB and may take {most_bytes / 1e6:.4g} MB; give a larger "
            f"--target-size, {SMALLER_RESULT}, or another --codec"
        )
        self.size_bytes = size_bytes


class ClosedPipeError(OutputError):
    """The reader of standard output has gone. Not a failure."""


class DiskFullError(OutputError):
    """The disk is full."""

    exit_status = Status.DISK_FULL
