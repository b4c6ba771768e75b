"""The filter over time on the GPU: for each slot what motion is searched on, and lists that mix one frame into another.

All slots share the memory between the kernels, since the compute queue works in order. A list for slots is recorded
when they first meet; slots take turns, so that is soon over.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from itertools import pairwise

import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import Table, TypedView
from framebrush.gpu.d3d12.queue import CommandList
from framebrush.gpu.d3d12.resources import Buffer, ConstantBuffers, aligned
from framebrush.gpu.d3d12.slot import Slot
from framebrush.gpu.d3d12.timing import SlotStamps
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.steady import BLOCK_PX, CELL_PX, COARSE_CELLS
from framebrush.gpu.stylizer import Settings

WHOLE = X.DXGI_FORMAT_R16_FLOAT  # holds whole numbers up to 2048
FLOAT = X.DXGI_FORMAT_R32_FLOAT
ELEMENT_BYTES = {WHOLE: 2, FLOAT: 4, X.DXGI_FORMAT_R32_UINT: 4, X.DXGI_FORMAT_R32_SINT: 4}


class Steadier:
    """For the slots of one stylizer, each of which has a tensor for its result."""

    def __init__(self, context: Context, settings: Settings, slots: list[Slot], stamps: SlotStamps | None) -> None:
        self._context, self._settings, self._stamps = context, settings, stamps
        self._slots = list(slots)  # the stylizer takes its own list apart
        self._stack = ExitStack()
        self._searches: dict[tuple[int, int], CommandList] = {}
        self._additions: dict[tuple[int, int, bool], CommandList] = {}
        try:
            self._make()
            self.levels = [self._record_levels(slot) for slot in slots]
            self._begins = [self._record_mix(slot, 0) for slot in slots]
            self._ends = [self._record_mix(slot, 2) for slot in slots]
        except BaseException:
            self.close()
            raise

    def lists(self, slot: Slot, before: Sequence[Slot], after: Sequence[Slot], strength: float) -> list[CommandList]:
        """The work that makes a slot's result from its neighbours of either side, the nearest first. The device is done
        with the slot's former one."""
        self._write(slot, strength)
        lists = [self._begins[slot.index]]
        for side in (before, after) if strength else ():
            for last, near in pairwise([slot, *side]):
                lists += [self._search(last, near), self._addition(slot, near, first=last is slot)]
        return [*lists, self._ends[slot.index]]

    def _make(self) -> None:
        (width, height), (painted_width, painted_height) = self._settings.sizes.working, self._settings.plan.output_size
        self._cells = (-(-width // CELL_PX), -(-height // CELL_PX))
        self._grid = (-(-width // BLOCK_PX), -(-height // BLOCK_PX))
        blocks = self._grid[0] * self._grid[1]
        self._rows = 2 * COARSE_CELLS + 1
        self._fine = [self._view(WHOLE, width * height, f"slot {slot.index} levels") for slot in self._slots]
        cells = self._cells[0] * self._cells[1]
        self._means = [self._view(WHOLE, cells, f"slot {slot.index} cells") for slot in self._slots]
        self._ranks = self._view(X.DXGI_FORMAT_R32_UINT, blocks * self._rows, "ranks of motion")
        self._found = self._view(X.DXGI_FORMAT_R32_SINT, 2 * blocks, "motion from frame to frame")
        self._vectors = self._view(X.DXGI_FORMAT_R32_SINT, 2 * blocks, "motion")
        self._sure = self._view(FLOAT, blocks, "sureness")
        self._differences = self._view(FLOAT, width * height, "differences")
        self._likeness = self._view(FLOAT, width * height, "likeness")
        self._weights = self._view(FLOAT, painted_width * painted_height, "weights")
        memory = ConstantBuffers(self._context.native, len(self._slots), "steady constants")
        self._constants = self._stack.enter_context(closing(memory))
        for slot in self._slots:
            self._write(slot, 0.0)
        kind = D.D3D12_COMMAND_LIST_TYPE_COMPUTE
        recorder = Recorder(self._context.native, kind, "steady", self._context.descriptors)
        self._recorder = self._stack.enter_context(closing(recorder))

    def _write(self, slot: Slot, strength: float) -> None:
        record = constants.steady(self._settings.sizes, self._settings.plan, strength)
        self._constants.write(slot.index, record)

    def _view(self, fmt: int, elements: int, label: str) -> TypedView:
        size_bytes = aligned(elements * ELEMENT_BYTES[fmt], 4)
        memory = Buffer(self._context.native, size_bytes, label, heap=D.D3D12_HEAP_TYPE_DEFAULT, unordered=True)
        return TypedView(self._stack.enter_context(closing(memory)), fmt, elements)

    def _reads(self, *views: TypedView) -> Table:
        return self._stack.enter_context(closing(self._context.descriptors.read(*views)))

    def _writes(self, *views: TypedView) -> Table:
        return self._stack.enter_context(closing(self._context.descriptors.write(*views)))

    def _dispatch(self, variant: Variant, own: Slot, reads: Table, writes: Table, threads: Size) -> None:
        address = self._constants.address(own.index)
        self._recorder.dispatch(self._context.kernel(variant), reads, writes, address, threads)

    def _record_levels(self, slot: Slot) -> CommandList:
        self._recorder.begin("steady")
        reads = self._reads(slot.frame.view, slot.styled.view)
        writes = self._writes(self._fine[slot.index], self._means[slot.index])
        self._dispatch(Variant("steady_levels"), slot, reads, writes, self._cells)
        return self._recorder.end()

    def _record_mix(self, slot: Slot, stage: int) -> CommandList:
        """Begin with a frame's own painting (0), or end with its result (2)."""
        self._recorder.begin("steady")
        if self._stamps and stage == 0:
            self._stamps.begin(self._recorder, slot.index, "steady")
        self._mix(slot, slot, stage)
        if self._stamps and stage == 2:
            self._stamps.end(self._recorder, slot.index, "steady")
        return self._recorder.end()

    def _mix(self, own: Slot, other: Slot, stage: int) -> None:
        assert own.steadied is not None
        reads = self._reads(other.styled.view, self._likeness, self._vectors)
        writes = self._writes(own.steadied.view, self._weights)
        self._dispatch(Variant("steady_mix", (("STAGE", str(stage)),)), own, reads, writes, self._settings.sizes.output)

    def _search(self, last: Slot, near: Slot) -> CommandList:
        """What finds the motion from a frame to the next one."""
        key = last.index, near.index
        if key not in self._searches:
            ours, theirs = ((self._fine[slot.index], self._means[slot.index]) for slot in (last, near))
            self._recorder.begin("steady")
            reads, writes = self._reads(*ours, *theirs), self._writes(self._ranks)
            rows = (self._grid[0] * self._rows, self._grid[1])
            self._dispatch(Variant("steady_coarse"), last, reads, writes, rows)
            reads, writes = self._reads(ours[0], theirs[0], self._ranks), self._writes(self._found)
            self._dispatch(Variant("steady_motion"), last, reads, writes, self._grid)
            self._searches[key] = self._recorder.end()
        return self._searches[key]

    def _addition(self, own: Slot, other: Slot, *, first: bool) -> CommandList:
        """What adds a neighbour's painting to a frame's. first: it is the nearest of its side."""
        key = own.index, other.index, first
        if key not in self._additions:
            fine, near_fine = self._fine[own.index], self._fine[other.index]
            self._recorder.begin("steady")
            reads, writes = self._reads(fine, near_fine, self._found), self._writes(self._vectors, self._sure)
            follow = Variant("steady_follow", (("FIRST", str(int(first))),))
            self._dispatch(follow, own, reads, writes, self._grid)
            reads = self._reads(own.frame.view, other.frame.view, self._vectors)
            writes = self._writes(self._differences)
            self._dispatch(Variant("steady_difference"), own, reads, writes, self._settings.sizes.working)
            reads, writes = self._reads(self._differences, self._sure, self._vectors), self._writes(self._likeness)
            self._dispatch(Variant("steady_likeness"), own, reads, writes, self._settings.sizes.working)
            self._mix(own, other, 1)
            self._additions[key] = self._recorder.end()
        return self._additions[key]

    def close(self) -> None:
        """Release everything; the device has finished with it. Idempotent."""
        self._stack.close()
