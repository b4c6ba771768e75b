"""Last stages of frames."""

from __future__ import annotations

from contextlib import ExitStack, closing

from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.fenced_queue import CommandList, Queue
from framebrush.gpu.d3d12.pass_executor import Executor
from framebrush.gpu.d3d12.slot import D3D12Slot
from framebrush.gpu.hlsl.finishing import Finishing
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.passes import Step, Tensor
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.masks import Photograph
from framebrush.gpu.stages.output import Unlit, output_look
from framebrush.gpu.stages.strokes.passes import Carrying
from framebrush.gpu.unfinished import Unfinished


class Finishings:
    """Strokes, relief and kept film, on the compute or the direct queue."""

    def __init__(
        self, context: Context, settings: Settings, way: FramePasses, carrying: Carrying, executor: Executor
    ) -> None:
        self._context, self._settings, self._way, self._carrying = context, settings, way, carrying
        self._executor = executor
        self._photograph = Photograph(settings, way, "hlsl")
        self._made: dict[Queue, tuple[Finishing, Executor]] = {}
        self._stack = ExitStack()

    def lists(self, slot: D3D12Slot, look: Look, queue: Queue, *, lit: bool = True) -> list[CommandList]:
        finishing, executor = self._on(queue)
        steps = []
        if look.finishes:
            at_home, detailed = slot.at_home, look.needs_detail
            steps = finishing.steps(slot.index, look, slot.place, at_home=at_home, detailed=detailed, lit=lit)
            slot.at_home |= look.draws and slot.place is None
        if photograph := self._photographed(slot, look, finishing):
            steps.append(photograph)
        return executor.lists_of(*steps)

    def records(self, slot: D3D12Slot, look: Look, queue: Queue) -> dict[str, Record]:
        finishing, _ = self._on(queue)
        records = dict(finishing.records(look, slot.place))
        photograph = self._photographed(slot, look, finishing)
        return {**records, **photograph.records} if photograph else records

    def lay(self, slot: D3D12Slot, part: Unfinished, queue: Queue) -> list[CommandList]:
        finishing, executor = self._on(queue)
        return executor.lists_of(finishing.laying.step(slot.index, part))

    def picture(self, slot: D3D12Slot, look: Look, queue: Queue) -> Tensor | None:
        """Return the tensor that `lists` draw to."""
        if any(slot.photo_shares(look)):
            return self._photograph.picture
        return self._on(queue)[0].result if look.finishes else None

    def unlit(self, look: Look, queue: Queue) -> Unlit:
        return self._on(queue)[0].unlit(look)

    def executor(self, queue: Queue) -> Executor:
        return self._on(queue)[1]

    def close(self) -> None:
        self._stack.close()

    def _photographed(self, slot: D3D12Slot, look: Look, finishing: Finishing) -> Step | None:
        shares = slot.photo_shares(look)
        if not any(shares):
            return None
        painted = finishing.result if look.finishes else slot.painted
        return self._photograph.step(slot.index, output_look(look), shares, painted)

    def _on(self, queue: Queue) -> tuple[Finishing, Executor]:
        if queue not in self._made:
            context, executor = self._context, self._executor
            reports = queue is context.compute
            if not reports:  # the direct queue, untimed
                executor = Executor(context, queue, executor.memory, None, f"{queue.label}'s")
                self._stack.enter_context(closing(executor))
            self._made[queue] = Finishing(self._settings, self._way, self._carrying, reports=reports), executor
        return self._made[queue]
