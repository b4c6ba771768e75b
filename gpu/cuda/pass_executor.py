"""Executor of `gpu/passes.py` on CUDA, with packed launches."""

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
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import (
    NO_RECORDS,
    Addresses,
    Constant,
    FromFrame,
    Part,
    Pass,
    PerFrame,
    Step,
    Work,
    element_define,
)

NOTHING = np.zeros((), np.uint32)
"""Placeholder of a record that is given when work is queued."""


class CudaResources:
    """Resources of passes, allocated at first use."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._stack = ExitStack()
        self._arguments: dict[tuple[passes.Resource, int], Argument] = {}
        self._tensors: dict[tuple[passes.Tensor, int], Tensor] = {}
        self._uploads: dict[tuple[Constant, int], tuple[PinnedMemory, Event]] = {}

    def give(self, given: PerFrame, slot: int, argument: Argument) -> None:
        """Bind a slot's address or record to a name."""
        self._arguments[given, slot] = argument

    def argument(self, memory: passes.Resource, slot: int) -> Argument:
        """Return a slot's resource as kernel argument."""
        key = memory, slot if memory.kept else 0
        if key not in self._arguments:
            self._arguments[key] = self._made(memory, slot)
        return self._arguments[key]

    def tensor(self, tensor: passes.Tensor, slot: int) -> Tensor:
        self.argument(tensor, slot)
        return self._tensors[tensor, slot if tensor.kept else 0]

    def pointer(self, memory: passes.Resource, slot: int) -> int:
        found = self.argument(memory, slot)
        assert isinstance(found, int)
        return found

    def change(self, constant: Constant, slot: int, values: npt.NDArray[Any]) -> None:
        """Queue a new value of a slot's constant after its readers."""
        key, gpu, compute = (constant, slot), self._context.native, self._context.compute
        pointer = self.pointer(constant, slot)
        if key not in self._uploads:
            label, keep = f"{self._named(constant, slot)}: upload", self._stack.enter_context
            pinned = keep(closing(PinnedMemory(gpu, values.nbytes, label)))
            self._uploads[key] = pinned, keep(closing(Event(gpu, label)))
        pinned, copied = self._uploads[key]
        if not copied.reached:
            copied.block()  # of a released frame that the GPU has not reached yet
        pinned.mapped[:] = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        compute.upload(pointer, pinned, 0, pinned.size_bytes)
        compute.record(copied)

    @staticmethod
    def _named(memory: passes.Resource, slot: int) -> str:
        return f"slot {slot} {memory.name}" if memory.kept else memory.name

    def _made(self, memory: passes.Resource, slot: int) -> int:
        gpu, keep, label = self._context.native, self._stack.enter_context, self._named(memory, slot)
        if isinstance(memory, passes.Tensor):
            tensor = keep(closing(Tensor(gpu, memory.size_px, memory.element, label)))
            self._tensors[memory, slot if memory.kept else 0] = tensor
            return tensor.pointer
        if isinstance(memory, Constant):
            return keep(closing(self._context.constant(np.ascontiguousarray(memory.make()), label))).pointer
        if isinstance(memory, PerFrame):
            raise LookupError(f"slot {slot} was given no {memory.name}")
        return keep(closing(native.DeviceMemory(gpu, memory.size_bytes, label))).pointer

    def close(self) -> None:
        self._stack.close()


class _Launch(NamedTuple):
    """Pass with packed arguments. clears: addresses, words."""

    clears: tuple[tuple[int, int], ...]
    kernel: Kernel
    arguments: Arguments
    given: str | None


class Executor:
    """Queue of passes on the compute stream."""

    def __init__(self, context: Context) -> None:
        self._context, self.memory = context, CudaResources(context)
        self._launches: dict[tuple[object, ...], _Launch] = {}

    def queue(
        self,
        work: Work,
        slot: int,
        *,
        others: Sequence[int] = (),
        records: Mapping[str, Record] = NO_RECORDS,
    ) -> int:
        """Queue a work's passes for a slot; return the number of kernels.

        others: slots for `FromFrame`. records: named constants.
        """
        stream = self._context.compute
        for one in work.passes:
            key = one, slot, tuple(others)
            if key not in self._launches:
                self._launches[key] = self._prepared(one, slot, others)
            clears, kernel, arguments, given = self._launches[key]
            if given is not None:
                arguments.set(len(one.reads) + len(one.writes), records[given])
            for pointer, words in clears:
                stream.clear(pointer, words)
            if one.groups:
                kernel.launch_groups(stream, one.threads, arguments)
            else:
                kernel.launch(stream, one.threads, arguments)
        return len(work.passes)

    def queue_step(self, step: Step) -> int:
        return self.queue(step.work, step.slot, others=step.others, records=step.records)

    def allocate(self, work: Work, slot: int) -> None:
        """Allocate memory for a slot's work."""
        for use in (use for one in work.passes for use in (*one.reads, *one.writes, *one.clears)):
            if not isinstance(use, FromFrame | Addresses | Part):
                self.memory.argument(use, slot)

    def _prepared(self, one: Pass, slot: int, others: Sequence[int]) -> _Launch:
        def argument(use: passes.Use) -> Argument:
            if isinstance(use, FromFrame):
                return self.memory.argument(use.memory, others[use.number])
            if isinstance(use, Addresses):
                record = np.zeros((len(use.memories), use.most), np.uint64)
                record[:, : len(others)] = [
                    [self.memory.pointer(one, other) for other in others] for one in use.memories
                ]
                return record
            if isinstance(use, Part):
                raise LookupError(f"{one.kernel}: kernels of CUDA read whole buffers")
            return self.memory.argument(use, slot)

        def cleared(use: passes.Buffer | PerFrame) -> tuple[int, int]:
            if isinstance(use, PerFrame):
                raise LookupError(f"{one.kernel}: nobody knows how large {use.name} is")
            return self.memory.pointer(use, slot), use.size_bytes // 4

        element = () if one.element_of is None else (element_define(one.element_of),)
        given, record = (one.constants, NOTHING) if isinstance(one.constants, str) else (None, one.constants)
        return _Launch(
            tuple(map(cleared, one.clears)),
            self._context.kernel(Variant(one.kernel, (*one.defines, *element))),
            Arguments(*map(argument, (*one.reads, *one.writes)), record),
            given,
        )

    def close(self) -> None:
        self.memory.close()
