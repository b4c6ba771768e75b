"""Output of frames before they are fetched."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from framebrush.gpu.cpu.output import Output
from framebrush.gpu.cpu.slot import CpuSlot
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.settings import Settings


def count_ahead(settings: Settings) -> int:
    """Return the number of frames made at once."""
    return 2 if settings.carries else 1  # drawing strokes takes longest


@dataclass(slots=True, eq=False)
class _Making:
    look: Look
    output: Output | None = None  # none while all are taken
    made: Future[bool] | None = None


class OutputsAhead:
    """Threads that make frames, one `Output` each."""

    # An output stays with its frame until `let_go`, as its strokes can be read. Frames are given to threads with an
    # output only, so that no thread waits for another frame.

    def __init__(self, outputs: Sequence[Output]) -> None:
        self._spare = [*outputs]
        self._into: dict[CpuSlot, Frame] = {}
        self._making: dict[CpuSlot, _Making] = {}
        self._waiting = deque[CpuSlot]()
        self._pool = ThreadPoolExecutor(len(outputs), thread_name_prefix="framebrush-output")
        self.fetched: Output | None = None
        """Of the last fetched frame."""

    def expect(self, slot: CpuSlot, into: Frame | None) -> None:
        """See `StylizerContract`."""
        self._into.pop(slot, None)
        if into is not None:
            self._into[slot] = into
        making = self._making.pop(slot, None)
        if making is None:
            return
        if making.made is None:
            self._waiting.remove(slot)
            return
        making.made.cancel()
        wait((making.made,))
        assert making.output
        self._free(making.output)

    def start(self, slot: CpuSlot, look: Look) -> None:
        """Make a slot's frame after its `work`."""
        if slot in self._into:
            self._making[slot] = _Making(look)
            self._waiting.append(slot)
            self._start_waiting()

    def fetch(self, slot: CpuSlot, into: Frame, look: Look) -> bool | None:
        """Wait for a frame; return whether it is finite, None if not made."""
        self.let_go()
        making = self._making.get(slot)
        if making is None or making.made is None or self._into[slot] is not into or making.look != look:
            return None
        del self._making[slot]
        self.fetched = making.output
        return making.made.result()

    def let_go(self) -> None:
        """Free the last fetched frame's output."""
        if self.fetched is not None:
            self._free(self.fetched)
            self.fetched = None

    def close(self) -> None:
        self._waiting.clear()
        self._pool.shutdown(cancel_futures=True)

    def _free(self, output: Output) -> None:
        self._spare.append(output)
        self._start_waiting()

    def _start_waiting(self) -> None:
        while self._spare and self._waiting:
            slot = self._waiting.popleft()
            making = self._making[slot]
            making.output = self._spare.pop()
            making.made = self._pool.submit(_made, slot, slot.work, self._into[slot], making)


def _made(slot: CpuSlot, work: Future[None] | None, into: Frame, making: _Making) -> bool:
    assert work
    assert making.output
    work.result()
    return making.output.make(slot, into, making.look)
