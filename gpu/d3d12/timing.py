"""Where a frame's time goes: timestamps of the compute queue around each stage, and the CPU's own two."""

from __future__ import annotations

import ctypes
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from gpu.d3d12.commands import Recorder
from gpu.d3d12.native import Keeper, Native
from gpu.d3d12.queue import Queue
from gpu.d3d12.resources import Buffer

STAGES = ("convert", "network", "tone-map")  # between the four stamps of a frame
STAMPS = len(STAGES) + 1
STAMP_BYTES = 8


class StageTimer:
    """Stamps of every slot. upload is the CPU's copy into mapped memory, fetch its wait for the planes; the others
    are the GPU's own time."""

    def __init__(self, native: Native, queue: Queue, slots: int) -> None:
        self._keeper = Keeper()
        description = D.D3D12_QUERY_HEAP_DESC()
        description.Type, description.Count = D.D3D12_QUERY_HEAP_TYPE_TIMESTAMP, STAMPS * slots
        heap = native.make("CreateQueryHeap", D.ID3D12QueryHeap, "timestamps", ctypes.byref(description))
        self._heap = self._keeper.keep(heap)
        size_bytes = STAMPS * STAMP_BYTES * slots
        self._memory = Buffer(native, size_bytes, "timestamp readback", heap=D.D3D12_HEAP_TYPE_READBACK)
        self._keeper.keep(self._memory)
        frequency = ctypes.c_uint64()
        native.check(queue.com.GetTimestampFrequency(ctypes.byref(frequency)), "GetTimestampFrequency", queue.label)
        self._ms = 1e3 / frequency.value
        self._totals: defaultdict[str, float] = defaultdict(float)
        self._counts: defaultdict[str, int] = defaultdict(int)

    def stamp(self, recorder: Recorder, slot: int, stamp: int) -> None:
        """Record the moment at which the GPU gets here; the last stamp of a frame brings all to the CPU."""
        recorder.stamp(self._heap.com, STAMPS * slot + stamp)
        if stamp == STAMPS - 1:
            recorder.resolve(self._heap.com, STAMPS * slot, STAMPS, self._memory, STAMPS * STAMP_BYTES * slot)

    def add(self, slot: int) -> None:
        """Count a frame whose stamps have arrived."""
        stamps = self._memory.mapped.view(np.uint64)[STAMPS * slot :][:STAMPS].astype(np.int64)
        for stage, ticks in zip(STAGES, np.diff(stamps), strict=True):
            self._count(stage, float(ticks) * self._ms)

    @contextmanager
    def measured(self, stage: str) -> Iterator[None]:
        """Count the CPU's time in a block."""
        start = time.perf_counter()
        yield
        self._count(stage, 1e3 * (time.perf_counter() - start))

    @property
    def mean_ms(self) -> Mapping[str, float]:
        """Mean of each stage, in the order of a frame's way."""
        order = ("upload", *STAGES, "fetch")
        return {stage: self._totals[stage] / self._counts[stage] for stage in order if self._counts[stage]}

    def _count(self, stage: str, ms: float) -> None:
        self._totals[stage] += ms
        self._counts[stage] += 1

    def close(self) -> None:
        """Release the queries. Idempotent."""
        self._keeper.close()
