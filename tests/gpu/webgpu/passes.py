"""Executor for tests, with arrays as memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

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
    Texture,
    Work,
)
from tests.gpu.webgpu.harness import Array, Gpu, Picture

NUMBERS = {"float": np.float32, "unorm": np.float32, "int": np.int32, "uint": np.uint32, "struct": np.uint32}
"""NumPy types of elements; buffers of WGSL have four bytes for all."""

IN_TEXTS = "DEVIATION", "RAISED"
"""Defines with separate WGSL files; other defines are override constants."""


class Playing:
    """Executor with arbitrary initial memory."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu, self._memory = gpu, dict[tuple[passes.Resource, int], Array]()
        self.ran: set[Variant] = set()

    def array(self, memory: passes.Resource, slot: int) -> Array:
        """Return a buffer as (count * lanes,), or a texture as (H, W, lanes)."""
        key = memory, slot if memory.kept else 0
        if key not in self._memory:
            self._memory[key] = self._made(memory)
        return self._memory[key]

    def give(self, memory: PerFrame, values: Array) -> None:
        self._memory[memory, 0] = values

    @staticmethod
    def _made(memory: passes.Resource) -> Array:
        if isinstance(memory, Constant):
            return np.ascontiguousarray(memory.make())
        if isinstance(memory, PerFrame):
            return np.zeros(1, np.uint32)
        parts = ElementType.of(memory.element)
        lanes = parts.bits // 32 if parts.kind == "struct" else parts.lanes
        if isinstance(memory, Texture):
            kind = np.float16 if (parts.bits, lanes) == (16, 4) else np.float32
            return np.full((*memory.size_px[::-1], *([lanes] if lanes > 1 else [])), 77, kind)
        return np.full(memory.count * lanes, 77, NUMBERS[parts.kind])

    def run(
        self, work: Work, slot: int, others: Sequence[int] = (), records: Mapping[str, Record] = NO_RECORDS
    ) -> None:
        for one in work.passes:
            self._run(one, slot, others, records)

    def _run(self, one: Pass, slot: int, others: Sequence[int], records: Mapping[str, Record]) -> None:
        def array(use: passes.Use) -> Array:
            assert not isinstance(use, Addresses)
            if isinstance(use, Part):
                whole, parts = self.array(use.memory, slot), ElementType.of(use.memory.element)
                lanes = parts.bits // 32 if parts.kind == "struct" else parts.lanes
                return whole.reshape(-1)[lanes * use.first : lanes * (use.first + use.count)]
            return self.array(use.memory, others[use.number]) if isinstance(use, FromFrame) else self.array(use, slot)

        def resource(use: passes.Use) -> Array | Picture:
            return Picture(array(use)) if isinstance(use, Texture) else array(use)

        for cleared in one.clears:
            array(cleared)[:] = 0
        record = records[one.constants] if isinstance(one.constants, str) else one.constants
        variant = Variant(one.kernel, tuple(each for each in one.defines if each[0] in IN_TEXTS))
        options = {name: int(value) for name, value in one.defines if name not in IN_TEXTS}
        group = self._gpu.group(variant) if one.groups else (1, 1)
        threads = one.threads[0] * group[0], one.threads[1] * group[1]
        reads, writes = ([resource(use) for use in uses] for uses in (one.reads, one.writes))
        for use, made in zip(
            one.writes, self._gpu.run(variant, record, reads, writes, threads, **options), strict=True
        ):
            array(use)[...] = made
        self.ran.add(variant)
