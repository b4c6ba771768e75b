"""Errors about sources and results, without heavy imports."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from framebrush.base.remedy import RemediedError
from framebrush.base.status import Status
from framebrush.base.text import printable
from framebrush.gpu.errors import SMALLER_RESULT


class _PlainError(RemediedError):
    exit_status = Status.USAGE

    def __init__(self, cause: str, do: str = "") -> None:
        super().__init__(printable(cause), printable(do))


class InputError(_PlainError):
    """Unreadable input."""

    exit_status = Status.UNREADABLE


class SourceChangedError(InputError):
    """Change of the source since its job began."""

    def __init__(self, path: Path, how: str, *, restart: bool) -> None:
        again = "run the same command again, with --restart," if restart else "run the same command again"
        super().__init__(
            f"{path}: the source changed while it was painted ({how}), so the job was not finished",
            do=f"{again} once nothing changes it",
        )


class RangeError(_PlainError, ValueError):
    """Range without any frame of an intact input."""

    @classmethod
    def behind(cls, name: object, last: int) -> Self:
        """Return the error for a start after the last frame."""
        return cls(f"{name}: the range starts after the last frame ({last})")

    @classmethod
    def empty(cls, name: object) -> Self:
        """Return the error for an empty range."""
        return cls(f"{name}: the requested range contains no frame; choose a later end or an earlier start")


class NothingDecodedError(InputError):
    """Range of a damaged input without any frame that can be decoded."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: no frame in the requested range can be decoded")


class OutputError(_PlainError):
    """Output that cannot be written."""


class BusyOutputError(OutputError):
    """Output that another job is writing."""

    def __init__(self, target: Path) -> None:
        super().__init__(f"another job writes to {target}; wait for it or give the output another name")


class OtherNameError(OutputError):
    """Finished output under another name."""


class KeptOutputError(OutputError):
    """Existing segments of another job."""


class OverSizeError(OutputError):
    """Result above its size limit, already removed."""

    def __init__(self, name: str, size_bytes: int, most_bytes: int) -> None:
        super().__init__(
            f"{name} would take {size_bytes / 1e6:.4g} MB and may take {most_bytes / 1e6:.4g} MB",
            do=f"give a larger --target-size, {SMALLER_RESULT}, or another --codec",
        )
        self.size_bytes = size_bytes


class ClosedPipeError(OutputError):
    """Standard output closed by its reader."""


class DiskFullError(OutputError):
    """Full disk."""

    exit_status = Status.DISK_FULL
