"""The network between a slot's tensors: the whole frame in one run, or tile by tile."""

from __future__ import annotations

from contextlib import ExitStack, closing

import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.networks.choice import open_engine
from framebrush.gpu.d3d12.queue import CommandList
from framebrush.gpu.d3d12.resources import ConstantBuffers
from framebrush.gpu.d3d12.slot import Slot
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.stages import tile_copies
from framebrush.gpu.stylizer import Counters, EngineName
from framebrush.gpu.tiles import Plan
from framebrush.models.style import Style


class Network:
    """One engine of the plan's tile size, bound to each slot's tensors, or to a tile's that all slots share.

    The compute queue works in order, so one tile at a time is in them. Making it runs the network once: a network that
    does not fit is found here and not in the middle of a film.
    """

    def __init__(self, context: Context, style: Style, plan: Plan, slots: list[Slot], engine: EngineName) -> None:
        """Raises DeviceError where no engine that was asked for runs the network, OutOfMemoryError."""
        self._context, self._plan = context, plan
        self._stack = ExitStack()
        keep = self._stack.enter_context
        size, precision = (plan.tile_width, plan.tile_height), style.card.precision
        label = f"'{style.card.name}' at {size[0]}x{size[1]}"
        enlarged = (size[0] * plan.scale, size[1] * plan.scale)
        try:
            if not plan.whole:
                tile_in = keep(closing(TensorBuffer(context.native, size, precision, "tile frame")))
                tile_out = keep(closing(TensorBuffer(context.native, enlarged, precision, "tile styled")))
            chosen = open_engine(context, style.card, style.fixed(*size), size, label, engine)
            self.engine, self.engine_name, self.note = keep(closing(chosen.engine)), chosen.name, chosen.note
            self._lists: list[list[CommandList]] = [[] for _ in slots]
            if plan.whole:
                self._runs = [self.engine.bind(slot.frame, slot.styled, slot.mix) for slot in slots]
            else:
                self._runs = [self.engine.bind(tile_in, tile_out, slot.mix) for slot in slots]
                self._lists = self._record(slots, tile_in, tile_out)
            self._runs[0](())
            context.compute.signal().block()
        except BaseException:
            self.close()
            raise

    def paint(self, slot: Slot, counters: Counters) -> None:
        """Queue the network on a slot whose source tensor is queued before."""
        run = self._runs[slot.index]
        if self._plan.whole:
            counters.dispatches += run(slot.weights)
            counters.runs += 1
            return
        first, *others = self._lists[slot.index]
        self._context.compute.execute(first)
        for commands in others:
            counters.dispatches += run(slot.weights)
            self._context.compute.execute(commands)
        counters.runs += len(others)
        counters.dispatches += sum(commands.dispatches for commands in self._lists[slot.index])

    def close(self) -> None:
        """Release the engine and the tensors; the device is idle. Idempotent."""
        self._stack.close()

    def _record(self, slots: list[Slot], tile_in: TensorBuffer, tile_out: TensorBuffer) -> list[list[CommandList]]:
        """For each slot: bring the first tile in; between two runs swap one out for the next; take the last out."""
        context, plan, keep = self._context, self._plan, self._stack.enter_context
        kernel = context.kernel(Variant("copy_window"))
        memory = keep(closing(ConstantBuffers(context.native, 2 * len(plan.tiles), "tile constants")))
        windows = [
            [memory.write(2 * number + way, record) for way, record in enumerate(tile_copies.tile_windows(plan, tile))]
            for number, tile in enumerate(plan.tiles)
        ]
        kind = D.D3D12_COMMAND_LIST_TYPE_COMPUTE
        recorder = keep(closing(Recorder(context.native, kind, "tiles", context.descriptors)))
        tile_reads = keep(closing(context.descriptors.read(tile_out.view)))
        tile_writes = keep(closing(context.descriptors.write(tile_in.view)))
        result = []
        for slot in slots:
            slot_reads = keep(closing(context.descriptors.read(slot.frame.view)))
            slot_writes = keep(closing(context.descriptors.write(slot.styled.view)))
            lists = []
            for index in range(len(plan.tiles) + 1):
                recorder.begin("tile")
                if index:
                    tile = plan.tiles[index - 1]
                    kept = (plan.scale * (tile.right - tile.left), plan.scale * (tile.bottom - tile.top))
                    recorder.dispatch(kernel, tile_reads, slot_writes, windows[index - 1][1], kept)
                if index < len(plan.tiles):
                    size = (plan.tile_width, plan.tile_height)
                    recorder.dispatch(kernel, slot_reads, tile_writes, windows[index][0], size)
                lists.append(recorder.end())
            result.append(lists)
        return result
