"""The exit statuses. Imports nothing heavy: an interruption may come while that is loaded, and has one."""

from __future__ import annotations

from enum import IntEnum

from framebrush.media.errors import DiskFullError, InputError


class Status(IntEnum):
    """The exit statuses of the command line."""

    DONE = 0
    USAGE = 1  # usage or set-up: the job never started
    UNREADABLE = 2  # the input cannot be read
    LOSSES = 3  # finished, with frames or sound lost
    INTERRUPTED = 4
    DISK_FULL = 5

    @classmethod
    def of(cls, error: BaseException) -> Status:
        """The exit status for an error."""
        if isinstance(error, KeyboardInterrupt):
            return cls.INTERRUPTED
        if isinstance(error, InputError):
            return cls.UNREADABLE
        return cls.DISK_FULL if isinstance(error, DiskFullError) else cls.USAGE
