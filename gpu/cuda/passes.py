"""The executor of passes (`framebrush.gpu.passes`) on CUDA: their memory, and launches that are packed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu import passes
from framebrush.gpu.cuda import native
from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.kernels import Argument, Arguments, Kernel
from framebrush.gpu.cuda.native import Event, PinnedMemory
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import Constant, Other, Parts, Pass, Texture, Work, element_define
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.look import Look

NO_RECORDS: Mapping[str, Record] = {}


class Memory:
    """What passes read and write, each taken when it is first needed: of each slot for what is kept, once for the
    rest."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._stack = ExitStack()
        self._pointers: dict[tuple[passes.Memory, int], Argument] = {}
        self._uploads: dict[tuple[Constant, int], tuple[PinnedMemory, Event]] = {}

    def bind(self, memory: passes.Memory, slot: int, argument: Argument) -> None:
        """Have passes find under a name what somebody else has made for a slot."""
        self._pointers[memory, slot] = argument

    def argument(self, memory: passes.Memory, slot: int) -> Argument:
        """What kernels get of a slot's, or of what all share: an address, where nothing else was bound. Raises
        OutOfMemoryError."""
        key = memory, slot if memory.kept else 0
        if key not in self._pointers:
            self._pointers[key] = self._made(memory, self._named(memory, slot))
        return self._pointers[key]

    def pointer(self, memory: passes.Memory, slot: int) -> int:
        """The address. Raises OutOfMemoryError."""
        found = self.argument(memory, slot)
        assert isinstance(found, int)
        return found

    def change(self, constant: Constant, slot: int, values: npt.NDArray[Any]) -> None:
        """Queue the copy of other values to what a slot keeps: behind all kernels that use those that are there, and
        ahead of those that will use the others. Raises OutOfMemoryError."""
        key, gpu, compute = (constant, slot), self._context.native, self._context.compute
        pointer = self.pointer(constant, slot)
        if key not in self._uploads:
            label, keep = f"{self._named(constant, slot)}: upload", self._stack.enter_context
            pinned = keep(closing(PinnedMemory(gpu, values.nbytes, label)))
            self._uploads[key] = pinned, keep(closing(Event(gpu, label)))
        pinned, copied = self._uploads[key]
        if not copied.reached:
            copied.block()  # of a frame that was let go, before the GPU had come to it
        pinned.mapped[:] = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        compute.upload(pointer, pinned, 0, pinned.size_bytes)
        compute.record(copied)

    @staticmethod
    def _named(memory: passes.Memory, slot: int) -> str:
        return f"slot {slot} {memory.name}" if memory.kept else memory.name

    def _made(self, memory: passes.Memory, label: str) -> int:
        keep = self._stack.enter_context
        if isinstance(memory, Constant):
            return keep(closing(self._context.constant(np.ascontiguousarray(memory.make()), label))).pointer
        if isinstance(memory, Texture):
            size_bytes = memory.size_px[0] * memory.size_px[1] * Parts.of(memory.element).size_bytes
        else:
            size_bytes = memory.size_bytes
        return keep(closing(native.Memory(self._context.native, size_bytes, label))).pointer

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self._stack.close()


class _Launch(NamedTuple):
    """A pass that is ready to be launched. clears: addresses and words. given: the name of its record, which is its
    last argument, where that is given whenever the work is queued."""

    clears: tuple[tuple[int, int], ...]
    kernel: Kernel
    threads: Size
    arguments: Arguments
    given: str | None


class Executor:
    """What queues work for the slots of a stylizer on the compute stream, which works in order. memory: of all of
    them."""

    def __init__(self, context: Context) -> None:
        self._context, self.memory = context, Memory(context)
        self._launches: dict[tuple[object, ...], _Launch] = {}

    def queue(
        self,
        work: Work,
        slot: int,
        look: Look | None = None,
        *,
        others: Sequence[int] = (),
        records: Mapping[str, Record] = NO_RECORDS,
    ) -> int:
        """Queue work for a slot; returns the kernels run, 0 where no pass runs for the look. others: the slots of
        `Other`. records: those that passes have by a name, which are the launches' own from then on. Raises
        OutOfMemoryError."""
        chosen, stream = work.for_look(look), self._context.compute
        for one in chosen:
            key = one, slot, tuple(others)
            if key not in self._launches:
                self._launches[key] = self._prepared(one, slot, others, records)
            clears, kernel, threads, arguments, given = self._launches[key]
            if given is not None:
                arguments.set(len(one.reads) + len(one.writes), records[given])
            for pointer, words in clears:
                stream.clear(pointer, words)
            kernel.launch(stream, threads, arguments)
        return len(chosen)

    def _prepared(self, one: Pass, slot: int, others: Sequence[int], records: Mapping[str, Record]) -> _Launch:
        def argument(use: passes.Use) -> Argument:
            if isinstance(use, Other):
                return self.memory.argument(use.memory, others[use.number])
            return self.memory.argument(use, slot)

        element = () if one.element_of is None else (element_define(one.element_of),)
        given = one.constants if isinstance(one.constants, str) else None
        record = records[given] if given is not None else one.constants
        assert not isinstance(record, str)
        return _Launch(
            tuple((self.memory.pointer(buffer, slot), buffer.size_bytes // 4) for buffer in one.clears),
            self._context.kernel(Variant(one.kernel, (*one.defines, *element))),
            one.threads,
            Arguments(*map(argument, (*one.reads, *one.writes)), record),
            given,
        )

    def close(self) -> None:
        """Release its memory; the GPU has finished with it. Idempotent."""
        self.memory.close()
