"""Networks between a slot's tensors: whole frames or tiles."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np

from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.engine_choice import open_engine
from framebrush.gpu.d3d12.pass_executor import Executor
from framebrush.gpu.d3d12.slot import D3D12Slot
from framebrush.gpu.passes import Tensor
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.tile_copies import TileCopies
from framebrush.gpu.stylizer import Counters


class D3D12Network:
    """Engine at the tile size, with each slot's or shared tensors."""

    def __init__(
        self,
        context: Context,
        settings: Settings,
        frame: Tensor,
        painting: Tensor,
        executor: Executor,
        slots: list[D3D12Slot],
        *,
        mixes: bool = True,
    ) -> None:
        """Open the network and run it. mixes: slots have weights."""
        self._context, plan, style = context, settings.plan, settings.style
        self._count, self._stack = len(plan.tiles), ExitStack()
        size = plan.tile_width, plan.tile_height
        label = f"'{style.card.name}' at {size[0]}x{size[1]}"
        copies = None if plan.whole else TileCopies(plan, frame, painting)
        read, written = (copies.tile, copies.styled) if copies else (frame, painting)
        self._weights = None if mixes else settings.mix(settings.look)
        try:
            tensors = [(executor.tensor(read, slot.index), executor.tensor(written, slot.index)) for slot in slots]
            chosen = open_engine(
                context, style.card, style.fixed(*size), size, label, settings.engine, settings.precision
            )
            self.engine = self._stack.enter_context(closing(chosen.engine))
            self.engine_name, self.note = chosen.name, chosen.note
            mix = None
            if self._weights:
                weights = context.constant(np.array(self._weights, np.float32), f"mix of {label}", unordered=True)
                mix = self._stack.enter_context(closing(weights))
            self._runs = [
                self.engine.bind(*own, slot.mix if mixes else mix) for own, slot in zip(tensors, slots, strict=True)
            ]
            works = copies.works if copies else ()
            self._lists = [[executor.list_of(work, slot.index) for work in works] for slot in slots]
            self._runs[0](self._weights or ())
            context.compute.signal().block()
        except BaseException:
            self.close()
            raise

    def record(self, slot: D3D12Slot, counters: Counters) -> None:
        """Queue the network for a slot, after its input."""
        run, lists = self._runs[slot.index], self._lists[slot.index]
        self._context.compute.execute(*lists[:1])
        for number in range(1, self._count + 1):
            counters.dispatches += run(slot.weights if self._weights is None else self._weights)
            self._context.compute.execute(*lists[number : number + 1])
        counters.runs += self._count
        counters.dispatches += sum(commands.dispatches for commands in lists)

    def close(self) -> None:
        """Release the engine. The device must be idle."""
        self._stack.close()
