"""Standard output as a muxer's file."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

from framebrush.base import signals

_CLOSED = (errno.EPIPE, errno.EINVAL)
"""Errors of a pipe without reader; EINVAL on Windows."""


class PipeFile:
    """`OutputFile` for a pipe. completing: changes the first bytes."""

    name = "-"
    completing: Callable[[bytes], bytes] | None = None

    def __init__(self) -> None:
        self._descriptor: int | None = sys.stdout.fileno()
        self.size = 0
        self.failed: OSError | None = None

    @property
    def closed(self) -> bool:
        return self._descriptor is None

    @property
    def reader_is_gone(self) -> bool:
        return self.failed is not None and self.failed.errno in _CLOSED

    @signals.callback
    def write(self, data: bytes | memoryview) -> int:
        if self._descriptor is None:
            raise ValueError("standard output is closed")
        if self.completing is not None:
            data, self.completing = self.completing(bytes(data)), None
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            self.failed = error
            raise
        self.size += len(data)
        return len(data)

    def close(self) -> None:
        """Stop writing; standard output stays open."""
        self._descriptor = None

    discard = close

    def deliver(self, *, overwrite: bool) -> Path:
        """Do nothing: all is written."""
        self.close()
        return Path(self.name)
