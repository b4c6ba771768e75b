"""The file a muxer writes to."""

from __future__ import annotations

import io
import os
from pathlib import Path


class OutputFile:
    """A new file that is ours to close, whatever state the muxer is in, and whose errors are Python's.

    FFmpeg takes any write for a whole one, so `write` goes on until all is written. Unbuffered, because the muxer reads
    the file through a second handle when it moves the index to the front.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError if the file exists or cannot be made."""
        self.name = str(path)
        self.size = 0
        self._raw = io.FileIO(path, "xb")

    @property
    def closed(self) -> bool:
        return self._raw.closed

    def write(self, data: bytes | memoryview) -> int:
        rest = memoryview(data)
        while rest:
            rest = rest[self._raw.write(rest) :]
        self.size = max(self.size, self._raw.tell())
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def close(self) -> None:
        self._raw.close()
