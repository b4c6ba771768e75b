"""Exit statuses, without heavy imports, as interruptions while loading need them."""

from __future__ import annotations

from enum import IntEnum

from framebrush.media.errors import DiskFullError, InputError


class Status(IntEnum):
    """Exit status of the command line."""

    DONE = 0
    USAGE = 1  # usage or set-up: the job never started
    UNREADABLE = 2  # the input cannot be read
    LOSSES = 3  # finished, with frames or sound lost
    INTERRUPTED = 4
    DISK_FULL = 5

    @classmethod
    def of(cls, error: BaseException) -> Status:
        """Return the exit status for an error."""
        if isinstance(error, KeyboardInterrupt):
            return cls.INTERRUPTED
        if isinstance(error, InputError):
            return cls.UNREADABLE
        return cls.DISK_FULL if isinstance(error, DiskFullError) else cls.USAGE
