"""How far the bristles of frames have come with the film, on the GPU. The reference is `gpu.reference.relief.Drift`."""

from __future__ import annotations

from framebrush.gpu.d3d12.descriptors import TypedView
from framebrush.gpu.d3d12.passes import Executor
from framebrush.gpu.d3d12.queue import CommandList
from framebrush.gpu.d3d12.slot import Slot
from framebrush.gpu.passes import Buffer, Other, Pass, Use, Work
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.brush import Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.steady import BLOCK_PX


class Drifting:
    """Of the slots of one stylizer."""

    def __init__(self, executor: Executor, sizes: Sizes, slots: list[Slot], found: Buffer) -> None:
        """found: the motion that was searched last."""
        self._executor = executor
        columns, rows = (-(-side // BLOCK_PX) for side in sizes.working)
        self._record = constants.relief(sizes.target, sizes.working, Strokes.of(sizes), Look())
        ways = Buffer("ways of bristles", "int32x4", 2 * columns * rows, kept=True)

        def work(before: Use, first: str) -> Work:
            one = Pass("relief_drift", (found, before), (ways,), (columns, rows), "drift", (("FIRST", first),))
            return Work("steady", (one,), begins=False, ends=False)

        self._first = work(found, "1")  # nothing is read, and the motion stands in for the ways before
        self._next = work(Other(ways), "0")
        for slot in slots:
            view = executor.view(ways, slot.index)
            assert isinstance(view, TypedView)
            slot.ways = view

    def lists(self, slot: Slot, last: Slot | None, place: int) -> list[CommandList]:
        """What moves a slot's bristles on from those of the frame before it, where that has such. place: of the frame
        in the film."""
        others: tuple[int, ...] = ()
        if last is None or last.drift is None:
            work, slot.drift = self._first, place
        else:
            work, slot.drift, others = self._next, last.drift + 1, (last.index,)
        records = {"drift": constants.drifting_relief(self._record, slot.drift)}
        return self._executor.lists(work, slot.index, others=others, records=records)
