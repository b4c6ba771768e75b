"""What the GPU does to a painting at the target's size before it is shown: strokes, relief and canvas."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing

from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.passes import Executor
from framebrush.gpu.d3d12.queue import CommandList, Queue
from framebrush.gpu.d3d12.slot import Slot
from framebrush.gpu.d3d12.stages.relief import Relief
from framebrush.gpu.d3d12.stages.strokes import Carrying, Drawing, rooms
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import FLAG, Buffer, Given, Pass, Work
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages import corners
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.strokes import Layout
from framebrush.gpu.stages.way import Way
from framebrush.gpu.stylizer import Settings


class Finishing:
    """What draws the paintings of a stylizer's slots on one queue, whose lists run one after another and share all
    memory but that of the slots. result: the last one drawn, at the target's size."""

    def __init__(
        self,
        context: Context,
        queue: Queue,
        settings: Settings,
        way: Way,
        executor: Executor,
        carrying: Carrying,
        *,
        reports: bool,
    ) -> None:
        """executor: of the queue. reports: whether the flag of a slot is to say what is not finite."""
        self._executor, self._carrying, self._fine = executor, carrying, way.fine
        self._stack, size = ExitStack(), settings.sizes.target
        label = f"painting as drawn by the {queue.label}"
        self.result = self._stack.enter_context(closing(TensorBuffer(context.native, size, "unorm16", label)))
        self._into = Given(label)
        painted = way.painted(way.styled if settings.window.alone else way.steadied)
        flag = FLAG if reports else Buffer("flag", "uint32", 1)
        self._drawing = Drawing(carrying.memory, painted, flag)
        self._relief = Relief(settings, painted, flag)
        self._works: dict[tuple[object, ...], Work] = {}

    def lists(self, slot: Slot, look: Look) -> list[CommandList]:
        """The work that draws a slot's painting with a look that has a brush or a relief. The queue is done with
        what it drew of this slot before. Raises OutOfMemoryError."""
        index, records, lists = slot.index, self._records(slot, look), []
        self._executor.memory.give(self._into, index, self.result.view)
        if look.brush and not (slot.carried or slot.at_home):
            lists += self._executor.lists(self._carrying.stay, index, records={"carry": self._carrying.record(0)})
            slot.at_home = True
        works = self._works_for(brushed=bool(look.brush), raised=look.raises, detailed=slot.detail is not None)
        for name, work in works.items():
            lists += self._executor.lists(work, index, records={name: records[name]})
        return lists

    def is_written(self, slot: Slot, look: Look) -> bool:
        """Whether `lists` leaves the constants of a slot as they are, so that it need not wait."""
        return self._executor.is_given(slot.index, self._records(slot, look))

    def _records(self, slot: Slot, look: Look) -> Mapping[str, Record]:
        found = {}
        if look.brush:
            found["brush"] = self._drawing.record(look, slot.place if slot.carried else 0)
        if look.raises:
            found["relief"] = self._relief.record(look)
        return found

    def _works_for(self, *, brushed: bool, raised: bool, detailed: bool) -> dict[str, Work]:
        """By the names of their records."""
        found, fine = {}, self._fine if raised and detailed else None
        if brushed:
            into = self._relief.picture if raised else self._into
            found["brush"] = self._work("brush", (raised, fine), lambda: self._drawing.passes(into, fine))
        if raised:
            body = self._drawing.body if brushed else None
            begin = () if brushed else (self._relief.begin(fine),)
            found["relief"] = self._work(
                "relief", (brushed, fine), lambda: (*begin, *self._relief.passes(body, self._into))
            )
        return found

    def _work(self, name: str, kind: tuple[object, ...], passes: Callable[[], tuple[Pass, ...]]) -> Work:
        if (name, *kind) not in self._works:
            self._works[name, *kind] = Work(name, passes())
        return self._works[name, *kind]

    def close(self) -> None:
        """Release the result; the queue is done with it. Idempotent."""
        self._stack.close()


def finishing_bytes(sizes: Sizes, layout: Layout) -> int:
    """Memory that strokes and relief take, once for all frames in flight: the result, a picture, its pyramid, the
    strokes' height and cover, and the heights; what is known of cells; and the strokes, their homes, where they are,
    how they are drawn, and the lists of tiles."""
    records, pairs = rooms(layout)
    columns, rows = Cells.of(sizes).cells(*sizes.target)
    of_pixels = (6 + 8 + 6 + 8 + 4) * math.prod(sizes.target)
    of_cells = 4 * (4 * columns * rows + 5 * math.prod(corners.cells(sizes.working)))
    return of_pixels + of_cells + 16 * layout.cells + 8 * layout.strokes + 128 * records + 8 * pairs


def drawn_with(look: Look) -> tuple[object, ...]:
    """All of a look that strokes and relief depend on."""
    return look.brush, look.relief, look.canvas, look.lamp_degrees, look.detail if look.raises else None
