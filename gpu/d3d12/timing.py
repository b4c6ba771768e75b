"""GPU timestamps around the stages of a frame."""

from __future__ import annotations

import ctypes
from contextlib import ExitStack, closing

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.fenced_queue import Queue
from framebrush.gpu.d3d12.native import Native
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.stage_times import StageTimes

SPANS = {
    "convert": (0, 1),
    "network": (1, 2),
    "resize": (3, 4),
    "original": (5, 6),
    "output": (7, 8),
    "steady": (9, 10),
    "detail": (11, 12),
    "brush": (13, 14),
    "relief": (15, 16),
    "carry": (17, 18),
}
"""First and last stamp of each part of a slot's work."""
STAMP_BYTES = 8


class Stamps:
    """Timestamps of a queue's clock, in sets."""

    def __init__(self, native: Native, queue: Queue, sets: int, each: int, label: str) -> None:
        self._each = each
        self._stack = ExitStack()
        description = D.D3D12_QUERY_HEAP_DESC()
        description.Type, description.Count = D.D3D12_QUERY_HEAP_TYPE_TIMESTAMP, each * sets
        heap = native.make("CreateQueryHeap", D.ID3D12QueryHeap, label, ctypes.byref(description))
        self._heap = self._stack.enter_context(closing(heap))
        try:
            heap_type, size_bytes = D.D3D12_HEAP_TYPE_READBACK, STAMP_BYTES * each * sets
            self._memory = Buffer(native, size_bytes, f"{label} readback", heap=heap_type)
            self._stack.enter_context(closing(self._memory))
            frequency = ctypes.c_uint64()
            call = queue.com.GetTimestampFrequency(ctypes.byref(frequency))
            native.check(call, "GetTimestampFrequency", queue.label)
        except BaseException:
            self._stack.close()
            raise
        self._ms = 1e3 / frequency.value

    def stamp(self, recorder: Recorder, which: int, index: int) -> None:
        recorder.stamp(self._heap.com, self._each * which + index)

    def bring(self, recorder: Recorder, which: int, first: int, count: int) -> None:
        """Copy stamps of a set to host memory."""
        place = self._each * which + first
        recorder.resolve(self._heap.com, place, count, self._memory, STAMP_BYTES * place)

    def between_ms(self, which: int, first: int, count: int) -> list[float]:
        """Return milliseconds between a copied set's stamps."""
        stamps = self._memory.mapped.view(np.int64)[self._each * which + first :][:count]
        return [float(ticks) * self._ms for ticks in np.diff(stamps)]

    def close(self) -> None:
        self._stack.close()


class SlotStamps:
    """Timestamps of slots' parts on the compute queue."""

    def __init__(self, native: Native, queue: Queue, slots: int) -> None:
        self._stamps = Stamps(native, queue, slots, 1 + max(last for _, last in SPANS.values()), "timestamps")

    def begin(self, recorder: Recorder, slot: int, part: str) -> None:
        self._stamps.stamp(recorder, slot, SPANS[part][0])

    def end(self, recorder: Recorder, slot: int, part: str) -> None:
        """Write a part's end, and copy both stamps."""
        first, last = SPANS[part]
        self._stamps.stamp(recorder, slot, last)
        self._stamps.bring(recorder, slot, first, 2)

    def ms(self, slot: int, part: str) -> float:
        """Return a part's milliseconds, after its copy."""
        return self._stamps.between_ms(slot, SPANS[part][0], 2)[0]

    def add_to(self, times: StageTimes, slot: int, parts: set[str]) -> float | None:
        """Add a slot's times; return milliseconds before a window's output."""
        ms = {part: self.ms(slot, part) for part in parts}
        times.add("convert", ms.pop("convert"))
        times.add("network", ms.pop("network"))
        for part in ("carry", "steady"):
            if part in ms:
                times.add(part, ms.pop(part))
        if "output" not in ms:
            return sum(ms.values())
        times.add("output", sum(ms.values()))
        return None

    def close(self) -> None:
        self._stamps.close()
