"""Copies of planes in host memory on several threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

import numpy as np

from framebrush.gpu.frame import Plane

BAND_BYTES = 512 << 10
"""Bytes of a band, by default."""

HELPERS = 2
"""Threads besides the caller's. One thread copies about 10 GB/s; more than three contend for memory and Python's
lock."""

Band = tuple[Plane, Plane]
Copied: TypeAlias = "SimpleQueue[Exception | None]"


class Copier:
    """Copier of planes by bands of rows, with helper threads."""

    def __init__(self, band_bytes: int = BAND_BYTES) -> None:
        self._band_bytes = band_bytes
        self._jobs: SimpleQueue[tuple[deque[Band], Copied] | None] = SimpleQueue()
        self._threads = [Thread(target=self._help, name="framebrush-copy", daemon=True) for _ in range(HELPERS)]
        for thread in self._threads:
            thread.start()

    def copy(self, to: Sequence[Plane], source: Sequence[Plane]) -> None:
        """Copy planes of equal shapes and types."""
        bands: deque[Band] = deque()
        for into, plane in zip(to, source, strict=True):
            rows = max(1, self._band_bytes // max(1, plane[:1].nbytes))
            bands.extend((into[at : at + rows], plane[at : at + rows]) for at in range(0, len(plane), rows))
        left, copied = len(bands), SimpleQueue[Exception | None]()
        for _ in range(HELPERS if left > len(to) else 0):
            self._jobs.put((bands, copied))
        with suppress(IndexError):
            while True:
                copy_band(bands.popleft())
                left -= 1
        for _ in range(left):
            error = copied.get()
            if error is not None:
                raise error

    def _help(self) -> None:
        while (job := self._jobs.get()) is not None:
            bands, copied = job
            with suppress(IndexError):
                while True:
                    band = bands.popleft()
                    try:
                        copy_band(band)
                    except Exception as error:
                        copied.put(error)
                    else:
                        copied.put(None)
            del job, bands, copied  # these hold views of the caller's planes

    def close(self) -> None:
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()


def copy_band(band: Band) -> None:
    """Copy one band of rows."""
    np.copyto(*band, casting="no")
