"""Relief and canvas as CUDA passes for a stroke width."""

from __future__ import annotations

import math

from framebrush.gpu.look import Look
from framebrush.gpu.passes import Buffer, Pass, Step, Texture, Work
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.relief import broad_weights, gpu_record
from framebrush.gpu.stages.strokes.cuda import CudaStrokePainter

THICK, COVERED = ("THICK", "1"), ("COVERED", "1")

ROWS_OF_A_THREAD = 4
"""Rows per thread: a group of 32x8 threads blurs 32x32 cells."""


class Relief:
    """Relief and canvas of a stylizer."""

    def __init__(self, painter: CudaStrokePainter, sizes: Sizes) -> None:
        self._painter, self._sizes = painter, sizes
        self.lit = Texture("painting under a lamp", "float16x4", sizes.target)
        self.height = Buffer("height", "float32", math.prod(sizes.target))
        self._works = {covered: self._described(covered=covered) for covered in (False, True)}

    def _described(self, *, covered: bool) -> Work:
        size, paint, picture = self._sizes.target, Cells.of(self._sizes), self._painter.picture
        columns, rows = paint.cells(*size)
        count = columns * rows
        light, broad = Buffer("luma of cells", "float32", count), Buffer("surroundings", "float32", count)
        thick = Buffer("thickness", "float32x2", count)
        radius, cell = ("RADIUS", str(len(broad_weights(paint)) // 2)), ("CELL_PX", str(paint.cell_px))
        threads = columns, -(-rows // ROWS_OF_A_THREAD)
        strokes = (self._painter.height, self._painter.left) if covered else ()
        raised = (cell, COVERED) if covered else (cell,)
        return Work(
            "relief",
            (
                Pass("relief_cells", (picture,), (light,), (columns, rows), "relief", (cell,)),
                Pass("relief_smooth", (light, light), (broad,), threads, "relief", (radius,)),
                Pass("relief_smooth", (light, broad), (thick,), threads, "relief", (THICK, radius)),
                Pass("relief_height", (picture, thick, *strokes), (self.height,), size, "relief", raised),
                Pass("relief_light", (picture, self.height), (self.lit,), size, "relief"),
            ),
        )

    def step(self, slot: int, look: Look) -> Step:
        """Return the step that makes `lit`."""
        record = gpu_record(self._sizes, self._painter.memory.layout, self._sizes.target, look)
        return Step(self._works[look.draws], slot, (), {"relief": record})
