"""Where a frame's time goes: timestamps of the GPU's queues around each stage, and the CPU's own two."""

from __future__ import annotations

import ctypes
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.native import Keeper, Native
from framebrush.gpu.d3d12.queue import Queue
from framebrush.gpu.d3d12.resources import Buffer

PAINTING = ("convert", "network")  # between the first three stamps of a slot
DRAWING = "tone-map"  # between the last two
STAMP_BYTES = 8


class Stamps:
    """Moments of a queue's own clock, in sets of `each`."""

    def __init__(self, native: Native, queue: Queue, sets: int, each: int, label: str) -> None:
        self._each = each
        self._keeper = Keeper()
        description = D.D3D12_QUERY_HEAP_DESC()
        description.Type, description.Count = D.D3D12_QUERY_HEAP_TYPE_TIMESTAMP, each * sets
        heap = native.make("CreateQueryHeap", D.ID3D12QueryHeap, label, ctypes.byref(description))
        self._heap = self._keeper.keep(heap)
        self._memory = Buffer(native, STAMP_BYTES * each * sets, f"{label} readback", heap=D.D3D12_HEAP_TYPE_READBACK)
        self._keeper.keep(self._memory)
        frequency = ctypes.c_uint64()
        native.check(queue.com.GetTimestampFrequency(ctypes.byref(frequency)), "GetTimestampFrequency", queue.label)
        self._ms = 1e3 / frequency.value

    def stamp(self, recorder: Recorder, which: int, index: int) -> None:
        """Record the moment at which the GPU gets here."""
        recorder.stamp(self._heap.com, self._each * which + index)

    def bring(self, recorder: Recorder, which: int, first: int, count: int) -> None:
        """Record that stamps of a set come to the CPU."""
        place = self._each * which + first
        recorder.resolve(self._heap.com, place, count, self._memory, STAMP_BYTES * place)

    def between_ms(self, which: int, first: int, count: int) -> list[float]:
        """Milliseconds between consecutive stamps of a set, once the GPU has brought them."""
        stamps = self._memory.mapped.view(np.int64)[self._each * which + first :][:count]
        return [float(ticks) * self._ms for ticks in np.diff(stamps)]

    def close(self) -> None:
        """Release the queries. Idempotent."""
        self._keeper.close()


class StageTimer:
    """Means of every stage. upload is the CPU's copy into mapped memory, fetch its wait for the planes; the others
    are the GPU's own time."""

    def __init__(self, native: Native, queue: Queue, slots: int) -> None:
        self._stamps = Stamps(native, queue, slots, len(PAINTING) + 3, "timestamps")
        self._totals: defaultdict[str, float] = defaultdict(float)
        self._counts: defaultdict[str, int] = defaultdict(int)

    def stamp_painting(self, recorder: Recorder, slot: int, stamp: int) -> None:
        """Record one of the three moments around convert and network; the last brings them to the CPU."""
        self._stamps.stamp(recorder, slot, stamp)
        if stamp == len(PAINTING):
            self._stamps.bring(recorder, slot, 0, len(PAINTING) + 1)

    def stamp_drawing(self, recorder: Recorder, slot: int, stamp: int) -> None:
        """Record one of the two moments around the output of a slot; the last brings them to the CPU."""
        first = len(PAINTING) + 1
        self._stamps.stamp(recorder, slot, first + stamp)
        if stamp == 1:
            self._stamps.bring(recorder, slot, first, 2)

    def add(self, slot: int, *, drawn: bool) -> None:
        """Count a frame whose stamps have arrived. drawn: also those of its output."""
        for stage, ms in zip(PAINTING, self._stamps.between_ms(slot, 0, len(PAINTING) + 1), strict=True):
            self.count(stage, ms)
        if drawn:
            self.count(DRAWING, *self._stamps.between_ms(slot, len(PAINTING) + 1, 2))

    @contextmanager
    def measured(self, stage: str) -> Iterator[None]:
        """Count the CPU's time in a block."""
        start = time.perf_counter()
        yield
        self.count(stage, 1e3 * (time.perf_counter() - start))

    def count(self, stage: str, ms: float) -> None:
        """Count a stage that was measured elsewhere."""
        self._totals[stage] += ms
        self._counts[stage] += 1

    @property
    def mean_ms(self) -> Mapping[str, float]:
        """Mean of each stage, in the order of a frame's way."""
        order = ("upload", *PAINTING, DRAWING, "fetch")
        return {stage: self._totals[stage] / self._counts[stage] for stage in order if self._counts[stage]}

    def close(self) -> None:
        """Release the queries. Idempotent."""
        self._stamps.close()
