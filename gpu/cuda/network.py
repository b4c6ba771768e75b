"""Networks between a slot's tensors: whole frames or tiles."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.engines import OpenRuntime, open_engine
from framebrush.gpu.cuda.pass_executor import Executor
from framebrush.gpu.cuda.slot import CudaSlot
from framebrush.gpu.passes import Tensor, Work
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.tile_copies import TileCopies


class Network:
    """Engine at the tile size, with each slot's or shared tensors."""

    def __init__(
        self,
        context: Context,
        open_runtime: OpenRuntime,
        settings: Settings,
        frame: Tensor,
        painting: Tensor,
        executor: Executor,
        slots: list[CudaSlot],
        *,
        mixes: bool = True,
    ) -> None:
        """Open the network and run it. mixes: slots have weights."""
        plan, style, self._executor = settings.plan, settings.style, executor
        self.runs = len(plan.tiles)
        self._stack = ExitStack()
        size, precision = (plan.tile_width, plan.tile_height), style.card.precision
        label = f"'{style.card.name}' at {size[0]}x{size[1]}"
        copies = None if plan.whole else TileCopies(plan, frame, painting)
        read, written = (copies.tile, copies.styled) if copies else (frame, painting)
        weights, mix = () if mixes else settings.mix(settings.look), 0
        self._works: tuple[Work, ...] = copies.works if copies else ()
        try:
            memory = executor.memory
            tensors = [(memory.tensor(read, slot.index), memory.tensor(written, slot.index)) for slot in slots]
            model = style.fixed(*size)
            engine = self.engine = self._stack.enter_context(
                closing(open_engine(context, open_runtime, model, size, precision, label))
            )
            if weights:
                constant = context.constant(np.array(weights, np.float32), f"mix of {label}")
                mix = self._stack.enter_context(closing(constant)).pointer
            self._runs = [
                engine.bind(*own, slot.mix if mixes else mix) for own, slot in zip(tensors, slots, strict=True)
            ]
            engine.blend(weights, mix)
            self._runs[0]()
            context.compute.block()
        except BaseException:
            self.close()
            raise

    def queue(self, slot: CudaSlot) -> int:
        """Queue the network for a slot; return its kernels."""
        run, queue, works = self._runs[slot.index], self._executor.queue, self._works
        kernels = queue(works[0], slot.index) if works else 0
        for number in range(1, self.runs + 1):
            kernels += run() + (queue(works[number], slot.index) if works else 0)
        return kernels

    def close(self) -> None:
        self._stack.close()
