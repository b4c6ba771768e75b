"""What a look makes of a painting at the target's size: strokes, detail, relief and canvas."""

from __future__ import annotations

import math

from framebrush.gpu.cuda.passes import Executor
from framebrush.gpu.passes import Tensor, Texture
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages import corners
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief.cuda import Relief
from framebrush.gpu.stages.strokes import Layout
from framebrush.gpu.stages.strokes.cuda import Carrier, Memory, Painter
from framebrush.gpu.stages.way import Way
from framebrush.gpu.stylizer import Settings


def finishing_bytes(sizes: Sizes, layout: Layout) -> int:
    """Memory that strokes and relief take, once for all frames in flight: pictures before and under the lamp and
    heights of both, what strokes are drawn by, and cells of the picture and of `gpu.stages.corners`."""
    columns, rows = Cells.of(sizes).cells(*sizes.target)
    of_corners = 5 * math.prod(corners.cells(sizes.working)) + math.prod(corners.blocks(sizes.working))
    pictures = 2 * (8 + 4) * math.prod(sizes.target)
    return pictures + Memory(layout, sizes.working).size_bytes + 4 * (4 * columns * rows + of_corners)


class Finishing:
    """Of one stylizer. Its pictures are those of the frame and the look that were queued last, whichever slot's: what
    is asked for again is not computed again. carrier: of its strokes."""

    def __init__(self, executor: Executor, settings: Settings, way: Way) -> None:
        self._executor = executor
        self.carrier, self._painter = Carrier(settings, way), Painter(settings, way)
        self._relief = Relief(self._painter, settings.sizes)
        self._painting: object = None  # what its pictures were made of
        self._lit: object = None

    def queue(self, slot: int, frame: object, painted: Tensor, look: Look, *, carried: bool) -> int:
        """Queue what a look, which has a brush or raises something, makes of a painting; returns the kernels run.

        slot: the number of the frame's. frame: equal for the same content of the slot, and for strokes in the same
        places. painted: at the target's size. carried: whether the slot's strokes were; else they are at home. Raises
        OutOfMemoryError where memory is taken for the first time.
        """
        detail = look.detail if look.raises else 0.0  # of a painting without relief the output adds it
        painting = frame, look.brush, detail
        kernels = 0
        if painting != self._painting:
            self.forget()
            kernels = self._executor.queue_step(self._painter.step(slot, painted, look, detail, carried=carried))
            self._painting = painting
        if look.raises:
            step = self._relief.step(slot, look)
            lit = painting, {name: record.tobytes() for name, record in step.records.items()}
            if lit != self._lit:
                self._lit = None
                kernels += self._executor.queue_step(step)
                self._lit = lit
        return kernels

    def queue_looking(self, slot: int, painted: Tensor) -> int:
        """Have the strokes of a slot, which were carried, look at a painting at the target's size; returns the kernels
        run. Raises OutOfMemoryError where memory is taken for the first time."""
        return self._executor.queue(self._painter.looking(painted), slot)

    def picture(self, look: Look) -> Texture:
        """What was queued for a look."""
        return self._relief.lit if look.raises else self._painter.picture

    def forget(self) -> None:
        """Recompute everything the next time: nobody knows what the pictures are of."""
        self._painting = self._lit = None
