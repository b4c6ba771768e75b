"""Exit statuses of commands and of processes that paint."""

from __future__ import annotations

from enum import IntEnum


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
        if isinstance(error, KeyboardInterrupt):
            return cls.INTERRUPTED
        return cls(getattr(error, "exit_status", cls.USAGE))
