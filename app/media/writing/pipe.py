"""Standard output as the file that a muxer writes to."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

from framebrush.base import signals

_CLOSED = (errno.EPIPE, errno.EINVAL)
"""What a pipe reports whose reader is gone; EINVAL on Windows."""


class PipeFile:
    """As `OutputFile`, with nothing to be renamed: what was written is gone. A file without `seek` is a stream to
    FFmpeg. failed: the error of a write, if there was one. completing: what the first bytes become, None where they
    stay."""

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
    def was_left(self) -> bool:
        """Whether the reader is gone."""
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
        """Write no more; standard output itself stays open. Idempotent."""
        self._descriptor = None

    discard = close

    def deliver(self, *, overwrite: bool) -> Path:
        """All is written. overwrite: of no meaning here."""
        self.close()
        return Path(self.name)
