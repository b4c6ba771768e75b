"""Executor of `gpu/passes.py` on Direct3D 12; lists are recorded once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu import passes
from framebrush.gpu.d3d12.commands import READ, Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import BufferView, Table, View
from framebrush.gpu.d3d12.fenced_queue import CommandList, Queue
from framebrush.gpu.d3d12.kernels import Kernel
from framebrush.gpu.d3d12.resources import CONSTANT_BYTES, Buffer, ConstantBuffers, Texture
from framebrush.gpu.d3d12.tensor import TensorBuffer, check_count, format_of, view_of
from framebrush.gpu.d3d12.timing import SlotStamps
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import (
    NO_RECORDS,
    Addresses,
    Constant,
    ElementType,
    FromFrame,
    Part,
    Pass,
    PerFrame,
    Step,
    Tensor,
    Work,
    side_by_side,
)
from framebrush.gpu.sizes import Size

CHUNK = 65536 // CONSTANT_BYTES  # the smallest committed resource


class D3D12Resources:
    """Resources of passes, allocated at first use."""

    def __init__(self, context: Context, label: str = "") -> None:
        self._context, self._label = context, label
        self._stack = ExitStack()
        self._views: dict[tuple[passes.Resource, int], View] = {}
        self._tensors: dict[tuple[Tensor, int], TensorBuffer] = {}
        self._uploads: dict[tuple[Constant, int], tuple[Buffer, CommandList]] = {}

    def give(self, given: PerFrame, slot: int, view: View) -> None:
        """Bind a slot's resource to a name."""
        self._views[given, slot] = view

    def tensor(self, tensor: Tensor, slot: int) -> TensorBuffer:
        self.view(tensor, slot)
        return self._tensors[tensor, slot if tensor.kept else 0]

    def view(self, memory: passes.Resource, slot: int) -> View:
        key = memory, slot if memory.kept else 0
        if key not in self._views:
            self._views[key] = self._made(memory, slot)
        return self._views[key]

    def change(self, constant: Constant, slot: int, values: npt.NDArray[Any]) -> list[CommandList]:
        """Replace a slot's constant that the GPU no longer reads; return copy lists."""
        key, native = (constant, slot), self._context.native
        view = self.view(constant, slot)
        if key not in self._uploads:
            label, keep = f"{self._named(constant, slot)} upload", self._stack.enter_context
            memory = keep(closing(Buffer(native, values.nbytes, label, heap=D.D3D12_HEAP_TYPE_UPLOAD)))
            recorder = keep(closing(Recorder(native, D.D3D12_COMMAND_LIST_TYPE_COPY, label)))
            recorder.begin().copy_whole(view.com, memory)
            self._uploads[key] = memory, recorder.end()
        memory, commands = self._uploads[key]
        memory.mapped[:] = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        return [commands]

    def _named(self, memory: passes.Resource, slot: int) -> str:
        whose = f"slot {slot}" if memory.kept else self._label
        return f"{whose} {memory.name}".strip()

    def _made(self, memory: passes.Resource, slot: int) -> View:
        native, keep, label = self._context.native, self._stack.enter_context, self._named(memory, slot)
        if isinstance(memory, Tensor):
            tensor = keep(closing(TensorBuffer(native, memory.size_px, memory.element, label)))
            self._tensors[memory, slot if memory.kept else 0] = tensor
            return tensor.view
        if isinstance(memory, passes.Buffer):
            check_count(memory.count, f"'{label}'")
            heap = D.D3D12_HEAP_TYPE_DEFAULT
            buffer = keep(closing(Buffer(native, memory.size_bytes, label, heap=heap, unordered=True)))
            return view_of(buffer, memory.element, memory.count)
        if isinstance(memory, Constant):
            values = np.ascontiguousarray(memory.make())
            buffer = keep(closing(self._context.constant(values, label)))
            return view_of(buffer, memory.element, values.nbytes // ElementType.of(memory.element).size_bytes)
        if isinstance(memory, passes.Texture):
            fmt = format_of(memory.element)
            return keep(closing(Texture(native, memory.size_px, fmt, label, unordered=True, resting=READ)))
        raise LookupError(f"slot {slot} was given no {memory.name}")

    def close(self) -> None:
        self._stack.close()


class _Run(NamedTuple):
    clears: tuple[Table, ...]
    kernel: Kernel
    reads: Table
    writes: Table
    constants: int
    threads: Size


@dataclass(slots=True)
class _Given:
    memory: ConstantBuffers
    place: int
    content: bytes = b""

    @property
    def address(self) -> int:
        return self.memory.address(self.place)


class Executor:
    """Recorder of work for slots on one queue. stamps: None if untimed.

    Lists run in order and share scratch memory; each is for a work, slot and neighbours.
    """

    def __init__(
        self, context: Context, queue: Queue, memory: D3D12Resources, stamps: SlotStamps | None, label: str
    ) -> None:
        self._context, self.memory, self._stamps = context, memory, stamps
        self._stack = ExitStack()
        self._scratch = self._stack.enter_context(closing(D3D12Resources(context, label)))
        recorder = Recorder(context.native, queue.kind, label, context.descriptors)
        self._recorder = self._stack.enter_context(closing(recorder))
        self._lists: dict[tuple[object, ...], CommandList] = {}
        self._given: dict[tuple[int, str], _Given] = {}
        self._fixed: dict[bytes, _Given] = {}
        self._free: list[tuple[ConstantBuffers, int]] = []
        self._tables: dict[tuple[object, ...], Table] = {}

    def list_of(
        self, work: Work, slot: int, *, others: Sequence[int] = (), records: Mapping[str, Record] = NO_RECORDS
    ) -> CommandList:
        """Return a work's list for a slot. others: slots for `FromFrame`.

        records: named constants. The slot's previous work must be finished, unless `is_given` confirms them.
        """
        for name, record in records.items():
            self._give(slot, name, record)
        key = work, slot, tuple(others)
        if key not in self._lists:
            groups = [
                [self._prepared(one, slot, others) for one in group] for group in side_by_side(work.passes)
            ]  # before the list begins, as it allocates
            self._lists[key] = self._recorded(work, slot, groups)
        return self._lists[key]

    def lists_of(self, *steps: Step) -> list[CommandList]:
        return [self.list_of(step.work, step.slot, others=step.others, records=step.records) for step in steps]

    def view(self, memory: passes.Resource, slot: int) -> View:
        return self._home(memory).view(memory, slot)

    def tensor(self, tensor: Tensor, slot: int) -> TensorBuffer:
        return self._home(tensor).tensor(tensor, slot)

    def reads(self, memories: tuple[passes.Resource, ...], slot: int) -> Table:
        """Return the table of a kernel's inputs."""
        if (memories, slot) not in self._tables:
            table = self._context.descriptors.read(*(self.view(memory, slot) for memory in memories))
            self._tables[memories, slot] = self._stack.enter_context(closing(table))
        return self._tables[memories, slot]

    def _home(self, memory: passes.Resource) -> D3D12Resources:
        return self.memory if memory.kept or isinstance(memory, Constant) else self._scratch

    def is_given(self, slot: int, records: Mapping[str, Record]) -> bool:
        """Return whether a slot's records are unchanged."""
        there = (self._given.get((slot, name)) for name in records)
        return all(
            one is not None and one.content == record.tobytes()
            for one, record in zip(there, records.values(), strict=True)
        )

    def _give(self, slot: int, name: str, record: Record) -> None:
        given, content = self._place(slot, name), record.tobytes()
        if content != given.content:
            given.memory.write(given.place, record)
            given.content = content

    def _place(self, slot: int, name: str) -> _Given:
        if (slot, name) not in self._given:
            self._given[slot, name] = self._taken()
        return self._given[slot, name]

    def _constant(self, record: Record) -> int:
        content = record.tobytes()
        if content not in self._fixed:
            self._fixed[content] = made = self._taken()
            made.memory.write(made.place, record)
        return self._fixed[content].address

    def _taken(self) -> _Given:
        if not self._free:
            memory = ConstantBuffers(self._context.native, CHUNK, f"{self._recorder.label} constants")
            self._stack.enter_context(closing(memory))
            self._free = [(memory, place) for place in range(CHUNK)]
        return _Given(*self._free.pop())

    def _prepared(self, one: Pass, slot: int, others: Sequence[int]) -> _Run:
        def view(use: passes.Use) -> View:
            if isinstance(use, FromFrame):
                return self.view(use.memory, others[use.number])
            if isinstance(use, Part):
                whole = self.view(use.memory, slot)
                assert isinstance(whole, BufferView)
                return whole.part(use.first, use.count)
            if isinstance(use, Addresses):
                raise LookupError(f"{one.kernel}: kernels of HLSL have no addresses")
            return self.view(use, slot)

        views, keep = self._context.descriptors, self._stack.enter_context
        reads, writes = (
            keep(closing(views.read(*map(view, one.reads)))),
            keep(closing(views.write(*map(view, one.writes)))),
        )
        kernel = self._context.kernel(Variant(one.kernel, one.defines), reads, writes)
        words = []
        for buffer in one.clears:
            found = view(buffer)
            assert isinstance(found, BufferView)
            words.append(keep(closing(views.words(found))))
        given, (width, height) = one.constants, one.threads
        side = kernel.shape.group if one.groups else (1, 1)
        return _Run(
            tuple(words),
            kernel,
            reads,
            writes,
            self._place(slot, given).address if isinstance(given, str) else self._constant(given),
            (width * side[0], height * side[1]),
        )

    def _recorded(self, work: Work, slot: int, groups: list[list[_Run]]) -> CommandList:
        recorder, stamps = self._recorder.begin(work.name), self._stamps
        if stamps and work.begins:
            stamps.begin(recorder, slot, work.name)
        for group in groups:
            for words in (words for one in group for words in one.clears):
                recorder.clear(words)
            recorder.prepare(*((one.reads, one.writes) for one in group))
            for _, kernel, reads, writes, address, threads in group:
                recorder.dispatch(kernel, reads, writes, address, threads)
        if stamps and work.ends:
            stamps.end(recorder, slot, work.name)
        return recorder.end()

    def close(self) -> None:
        self._stack.close()
