"""Executor of `gpu/passes.py` on WebGPU, elements in 32 bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu import passes
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
    Work,
)
from framebrush.gpu.sizes import Size
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.context import Context
from framebrush.gpu.webgpu.native import USAGE, Buffer, Texture
from framebrush.gpu.webgpu.pipelines import Bindings, Bound, Kernel

TEXTURES = {1: "r32float", 2: "rg32float", 4: "rgba32float"}
"""Texture formats that kernels can write, by components."""

HALVES = "rgba16float"
"""Texture format for four components of 16 bits: every adapter writes it, and none of fewer components."""

NUMBERS = {"float": np.float32, "unorm": np.float32, "int": np.int32, "uint": np.uint32}


def stored_bytes(element: passes.Element, count: int) -> int:
    """Return the bytes of a number of elements."""
    parts = ElementType.of(element)
    return count * (parts.size_bytes if parts.kind == "struct" else 4 * parts.lanes)


def _texture_format(element: passes.Element) -> str:
    parts = ElementType.of(element)
    return HALVES if (parts.bits, parts.lanes) == (16, 4) else TEXTURES[parts.lanes]


def stored(element: passes.Element, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert a constant's values for a buffer."""
    parts = ElementType.of(element)
    if parts.kind == "struct" or parts.bits == 32:
        return np.ascontiguousarray(values)
    return np.ascontiguousarray(values, NUMBERS[parts.kind])


class WebGpuResources:
    """Resources of passes, allocated at first use."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._stack = ExitStack()
        self._given: dict[tuple[PerFrame, int], Bound] = {}
        self._taken: dict[tuple[passes.Resource, int], Buffer | Texture] = {}

    def give(self, given: PerFrame, slot: int, bound: Bound) -> None:
        """Bind a slot's resource to a name."""
        self._given[given, slot] = bound

    def bound(self, memory: passes.Resource, slot: int) -> Bound:
        """Return a slot's binding."""
        if isinstance(memory, PerFrame):
            return self._given[memory, slot]
        return self._of(memory, slot).bound()

    def buffer(self, memory: passes.Buffer | Constant, slot: int) -> Buffer:
        found = self._of(memory, slot)
        assert isinstance(found, Buffer)
        return found

    def change(self, constant: Constant, slot: int, values: npt.NDArray[Any]) -> None:
        """Replace a slot's constant after queued commands."""
        self.buffer(constant, slot).write(stored(constant.element, values))

    def _of(self, memory: passes.Buffer | passes.Texture | Constant, slot: int) -> Buffer | Texture:
        key = memory, slot if memory.kept else 0
        if key not in self._taken:
            label = f"slot {slot} {memory.name}" if memory.kept else memory.name
            self._taken[key] = self._stack.enter_context(closing(self._made(memory, label)))
        return self._taken[key]

    def _made(self, memory: passes.Buffer | passes.Texture | Constant, label: str) -> Buffer | Texture:
        native = self._context.native
        if isinstance(memory, Constant):
            return self._context.constant(stored(memory.element, memory.make()), label)
        if isinstance(memory, passes.Texture):
            return Texture(native, memory.size_px, _texture_format(memory.element), label)
        return Buffer(native, stored_bytes(memory.element, memory.count), label)

    def close(self) -> None:
        self._stack.close()


class _Run(NamedTuple):
    clears: tuple[Bound, ...]
    kernel: Kernel
    bindings: Bindings
    groups: Size


class Executor:
    """Recorder of passes, with bindings per slot and neighbours."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._stack = ExitStack()
        self.memory = self._stack.enter_context(closing(WebGpuResources(context)))
        self._runs: dict[tuple[object, ...], list[_Run]] = {}
        self._given: dict[tuple[int, str], tuple[Buffer, bytes]] = {}
        self._fixed: dict[bytes, Buffer] = {}

    def allocate(
        self,
        work: Work,
        slot: int,
        *,
        others: Sequence[int] = (),
        records: Mapping[str, Record] = NO_RECORDS,
    ) -> list[_Run]:
        """Allocate memory for a slot's work. records: placeholders."""
        for name, record in records.items():
            self._give(slot, name, record)
        key = work, slot, tuple(others)
        if key not in self._runs:
            self._runs[key] = [self._prepared(one, slot, others) for one in work.passes]
        return self._runs[key]

    def record(
        self,
        recorder: Recorder,
        work: Work,
        slot: int,
        *,
        others: Sequence[int] = (),
        records: Mapping[str, Record] = NO_RECORDS,
    ) -> None:
        """Record a slot's passes. others: slots of `FromFrame`."""
        for clears, kernel, bindings, groups in self.allocate(work, slot, others=others, records=records):
            for cleared in clears:
                recorder.clear(cleared)
            recorder.dispatch(kernel, bindings, groups)

    def allocate_step(self, step: Step) -> None:
        self.allocate(step.work, step.slot, others=step.others, records=step.records)

    def record_step(self, recorder: Recorder, step: Step) -> None:
        self.record(recorder, step.work, step.slot, others=step.others, records=step.records)

    def _give(self, slot: int, name: str, record: Record) -> None:
        content = record.tobytes()
        if (slot, name) not in self._given:
            self._given[slot, name] = self._uniform(content, f"slot {slot} {name}"), content
            return
        memory, there = self._given[slot, name]
        if content != there:
            memory.write(np.frombuffer(content, np.uint8))
            self._given[slot, name] = memory, content

    def _constant(self, record: Record) -> Buffer:
        content = record.tobytes()
        if content not in self._fixed:
            self._fixed[content] = self._uniform(content, "constants")
        return self._fixed[content]

    def _uniform(self, content: bytes, label: str) -> Buffer:
        return self._stack.enter_context(closing(uniform(self._context, content, label)))

    def _prepared(self, one: Pass, slot: int, others: Sequence[int]) -> _Run:
        def bound(use: passes.Use) -> Bound:
            if isinstance(use, FromFrame):
                return self.memory.bound(use.memory, others[use.number])
            if isinstance(use, Part):
                element, whole = use.memory.element, self.memory.buffer(use.memory, slot)
                return whole.bound(stored_bytes(element, use.first), stored_bytes(element, use.count))
            if isinstance(use, Addresses):
                raise LookupError(f"{one.kernel}: kernels of WGSL have no addresses")
            return self.memory.bound(use, slot)

        kernel = self._context.kernel(Variant(one.kernel, one.defines))
        given = one.constants
        record = self._given[slot, given][0] if isinstance(given, str) else self._constant(given)
        return _Run(
            tuple(map(bound, one.clears)),
            kernel,
            kernel.bind([*map(bound, one.reads)], [*map(bound, one.writes)], record.bound()),
            one.threads if one.groups else kernel.groups(one.threads),
        )

    def close(self) -> None:
        self._stack.close()


def uniform(context: Context, content: bytes, label: str) -> Buffer:
    """Upload a kernel's constants, which the caller closes."""
    buffer = Buffer(context.native, len(content), label, USAGE.UNIFORM | USAGE.COPY_DST)
    buffer.write(np.frombuffer(content, np.uint8))
    return buffer
