"""GPU timestamps around the parts of each slot's frame."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np
import numpy.typing as npt
import wgpu
from wgpu.backends.wgpu_native import lib

from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.native import USAGE, Buffer, Native, native_errors

PARTS = ("convert", "network", "steady", "output")
STAMP_BYTES = 8  # one count of nanoseconds, 64 bits
STAMPS = 2 * len(PARTS)
SIZE_BYTES = STAMP_BYTES * STAMPS


class SlotStamps:
    """Begin and end timestamps of a slot's parts."""

    def __init__(self, native: Native, label: str) -> None:
        self._stack = ExitStack()
        with native_errors(label):
            self._queries: wgpu.GPUQuerySet = native.device.create_query_set(
                label=label, type="timestamp", count=STAMPS
            )
        self.resolved = self._stack.enter_context(
            closing(Buffer(native, SIZE_BYTES, label, USAGE.QUERY_RESOLVE | USAGE.COPY_SRC))
        )
        self._ns: float = lib.wgpuQueueGetTimestampPeriod(native.queue._internal)  # nanoseconds a tick

    def begin(self, recorder: Recorder, part: str) -> None:
        """Write a part's beginning."""
        recorder.stamp(self._queries, 2 * PARTS.index(part))

    def end(self, recorder: Recorder, part: str) -> None:
        """Write a part's end."""
        recorder.stamp(self._queries, 2 * PARTS.index(part) + 1)

    def bring(self, recorder: Recorder) -> None:
        """Copy all timestamps to `resolved`."""
        recorder.resolve(self._queries, 0, STAMPS, self.resolved)

    def ms(self, stamps: npt.NDArray[np.uint8], part: str) -> float:
        """Return a part's milliseconds. stamps: host copy of `resolved`."""
        begin, end = stamps[:SIZE_BYTES].view(np.int64)[2 * PARTS.index(part) :][:2]
        return float(end - begin) * self._ns * 1e-6

    def close(self) -> None:
        self._stack.close()
