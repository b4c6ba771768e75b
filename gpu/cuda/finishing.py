"""Strokes, detail, relief and canvas at the target's size."""

from __future__ import annotations

import math

from framebrush.gpu.cuda.pass_executor import Executor
from framebrush.gpu.look import Look
from framebrush.gpu.passes import Tensor, Texture
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Sizes, StageBytes
from framebrush.gpu.stages import corners
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.masks import masks_bytes
from framebrush.gpu.stages.relief.cuda import Relief
from framebrush.gpu.stages.strokes import StrokeLayout, carriage_bytes, coverage, layout_of
from framebrush.gpu.stages.strokes.cuda import Carrier, CudaStrokeMemory, CudaStrokePainter
from framebrush.gpu.stages.strokes.laying import Laying


def stage_bytes(settings: Settings) -> StageBytes:
    sizes, look = settings.sizes, settings.shown
    finishing = finishing_bytes(sizes, layout_of(settings)) if look.finishes else 0
    return StageBytes(carriage_bytes(settings), finishing + masks_bytes(sizes, look, in_place=True))


def finishing_bytes(sizes: Sizes, layout: StrokeLayout) -> int:
    columns, rows = Cells.of(sizes).cells(*sizes.target)
    pictures = 2 * (8 + 4) * math.prod(sizes.target)
    of_cells = 16 * columns * rows + corners.size_bytes(sizes.working)
    return pictures + CudaStrokeMemory(layout, sizes.working).size_bytes + of_cells


class Finishing:
    """Strokes and relief of a stylizer, last result cached."""

    def __init__(self, executor: Executor, settings: Settings, way: FramePasses) -> None:
        self._executor = executor
        self.carrier, self._painter = Carrier(settings, way), CudaStrokePainter(settings, way)
        self._relief = Relief(self._painter, settings.sizes)
        self.laying = Laying(way, settings.sizes.target)
        self._painting: object = None  # input of the cached pictures
        self._lit: object = None

    def queue(self, slot: int, frame: object, painted: Tensor, look: Look, *, carried: bool) -> int:
        """Queue strokes and relief; return the number of kernels.

        frame: key of the slot's content and stroke positions. carried: strokes were advected.
        """
        detail = look.raised_detail
        painting = frame, coverage(look), detail, look.part
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
        """Queue sampling by a slot's strokes; return its kernels."""
        return self._executor.queue(self._painter.looking(painted), slot)

    def picture(self, look: Look) -> Texture:
        """Return the queued picture for a look."""
        return self._relief.lit if look.raises else self._painter.picture

    def forget(self) -> None:
        """Drop the cached result, as its content is unknown."""
        self._painting = self._lit = None
