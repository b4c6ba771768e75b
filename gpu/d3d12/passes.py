"""The executor of passes (`framebrush.gpu.passes`) on Direct3D 12: their memory, and lists that are recorded once."""

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
from framebrush.gpu.d3d12.descriptors import Table, TypedView, View
from framebrush.gpu.d3d12.kernels import Kernel
from framebrush.gpu.d3d12.queue import CommandList, Queue
from framebrush.gpu.d3d12.resources import CONSTANT_BYTES, Buffer, ConstantBuffers, Texture
from framebrush.gpu.d3d12.tensor import TensorBuffer, check_count, format_of, view_of
from framebrush.gpu.d3d12.timing import SlotStamps
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import (
    NO_RECORDS,
    Addresses,
    Constant,
    Given,
    Other,
    Parts,
    Pass,
    Step,
    Tensor,
    Work,
    side_by_side,
)
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.look import Look

CHUNK = 65536 // CONSTANT_BYTES  # a committed resource takes no less


class Memory:
    """What passes read and write, each taken when it is first needed: of each slot for what is kept, once for the
    rest."""

    def __init__(self, context: Context, label: str = "") -> None:
        self._context, self._label = context, label
        self._stack = ExitStack()
        self._views: dict[tuple[passes.Memory, int], View] = {}
        self._tensors: dict[tuple[Tensor, int], TensorBuffer] = {}
        self._uploads: dict[tuple[Constant, int], tuple[Buffer, CommandList]] = {}

    def give(self, given: Given, slot: int, view: View) -> None:
        """Have passes find under a name what a slot has of its own."""
        self._views[given, slot] = view

    def tensor(self, tensor: Tensor, slot: int) -> TensorBuffer:
        """Of a slot's, or of what all share. Raises OutOfMemoryError."""
        self.view(tensor, slot)
        return self._tensors[tensor, slot if tensor.kept else 0]

    def view(self, memory: passes.Memory, slot: int) -> View:
        """Of a slot's, or of what all share. Raises OutOfMemoryError."""
        key = memory, slot if memory.kept else 0
        if key not in self._views:
            self._views[key] = self._made(memory, slot)
        return self._views[key]

    def change(self, constant: Constant, slot: int, values: npt.NDArray[Any]) -> list[CommandList]:
        """Replace the values that a slot keeps, which the GPU no longer reads. Returns what brings them there, for a
        copy queue. Raises OutOfMemoryError."""
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

    def _named(self, memory: passes.Memory, slot: int) -> str:
        whose = f"slot {slot}" if memory.kept else self._label
        return f"{whose} {memory.name}".strip()

    def _made(self, memory: passes.Memory, slot: int) -> View:
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
            return view_of(buffer, memory.element, values.nbytes // Parts.of(memory.element).size_bytes)
        if isinstance(memory, passes.Texture):
            fmt = format_of(memory.element)
            return keep(closing(Texture(native, memory.size_px, fmt, label, unordered=True, resting=READ)))
        raise LookupError(f"slot {slot} was given no {memory.name}")

    def close(self) -> None:
        """Release it; the device has finished with it. Idempotent."""
        self._stack.close()


class _Run(NamedTuple):
    """A pass that is ready to be recorded."""

    clears: tuple[Table, ...]
    kernel: Kernel
    reads: Table
    writes: Table
    constants: int
    threads: Size


@dataclass(slots=True)
class _Given:
    """A record that is given whenever work is queued. address: where the GPU finds it."""

    memory: ConstantBuffers
    place: int
    content: bytes = b""

    @property
    def address(self) -> int:
        return self.memory.address(self.place)


class Executor:
    """What runs work for the slots of a stylizer on one queue, whose lists run one after another and share its scratch
    memory. A list is recorded when work is first run for a slot, with what others keep, and the passes that a look
    needs. memory: of the stylizer, where all queues find constants and what slots keep."""

    def __init__(self, context: Context, queue: Queue, memory: Memory, stamps: SlotStamps | None, label: str) -> None:
        """stamps: None where nothing is timed on this queue."""
        self._context, self.memory, self._stamps = context, memory, stamps
        self._stack = ExitStack()
        self._scratch = self._stack.enter_context(closing(Memory(context, label)))
        recorder = Recorder(context.native, queue.kind, label, context.descriptors)
        self._recorder = self._stack.enter_context(closing(recorder))
        self._lists: dict[tuple[object, ...], CommandList] = {}
        self._given: dict[tuple[int, str], _Given] = {}
        self._fixed: dict[bytes, _Given] = {}
        self._free: list[tuple[ConstantBuffers, int]] = []
        self._tables: dict[tuple[object, ...], Table] = {}

    def lists(
        self,
        work: Work,
        slot: int,
        look: Look | None = None,
        *,
        others: Sequence[int] = (),
        records: Mapping[str, Record] = NO_RECORDS,
    ) -> list[CommandList]:
        """The work for a slot: one list, or none where no pass runs for the look. others: the slots of `Other`.
        records: those that passes have by a name; the queue is done with what it did for this slot before, unless
        `is_given` says that they stay as they are. Raises OutOfMemoryError."""
        chosen = work.for_look(look)
        if not chosen:
            return []
        for name, record in records.items():
            self._give(slot, name, record)
        key = work, slot, tuple(others), chosen
        if key not in self._lists:
            groups = [
                [self._prepared(one, slot, others) for one in group] for group in side_by_side(chosen)
            ]  # before the list is begun: it takes memory
            self._lists[key] = self._recorded(work, slot, groups)
        return [self._lists[key]]

    def lists_of(self, step: Step) -> list[CommandList]:
        """The same of a step. Raises OutOfMemoryError."""
        return self.lists(step.work, step.slot, others=step.others, records=step.records)

    def view(self, memory: passes.Memory, slot: int) -> View:
        """What passes have under a name. Raises OutOfMemoryError."""
        return self._home(memory).view(memory, slot)

    def tensor(self, tensor: Tensor, slot: int) -> TensorBuffer:
        """The same of a tensor. Raises OutOfMemoryError."""
        return self._home(tensor).tensor(tensor, slot)

    def reads(self, memories: tuple[passes.Memory, ...], slot: int) -> Table:
        """What a kernel of the caller's reads, in its order. Raises OutOfMemoryError."""
        if (memories, slot) not in self._tables:
            table = self._context.descriptors.read(*(self.view(memory, slot) for memory in memories))
            self._tables[memories, slot] = self._stack.enter_context(closing(table))
        return self._tables[memories, slot]

    def _home(self, memory: passes.Memory) -> Memory:
        return self.memory if memory.kept or isinstance(memory, Constant) else self._scratch

    def is_given(self, slot: int, records: Mapping[str, Record]) -> bool:
        """Whether a slot's records are these already."""
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
        """The address of a record that stays as it is."""
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
            if isinstance(use, Other):
                return self.view(use.memory, others[use.number])
            if isinstance(use, Addresses):
                raise LookupError(f"{one.kernel}: kernels of HLSL have no addresses")
            return self.view(use, slot)

        views, keep = self._context.descriptors, self._stack.enter_context
        kernel = self._context.kernel(Variant(one.kernel, one.defines))
        words = []
        for buffer in one.clears:
            found = view(buffer)
            assert isinstance(found, TypedView)
            words.append(keep(closing(views.words(found))))
        given, (width, height) = one.constants, one.threads
        side = kernel.shape.group if one.groups else (1, 1)
        return _Run(
            tuple(words),
            kernel,
            keep(closing(views.read(*map(view, one.reads)))),
            keep(closing(views.write(*map(view, one.writes)))),
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
        """Release everything; the queue is done with it. Idempotent."""
        self._stack.close()
