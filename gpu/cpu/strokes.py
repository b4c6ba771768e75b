"""What the CPU does to a painting at the target's size: table of colours, brush, detail, relief and canvas."""

from __future__ import annotations

import numpy as np

from framebrush.gpu.brush import Strokes
from framebrush.gpu.cpu.brush import Brush, Canvas, Direction, Strip
from framebrush.gpu.cpu.relief import Relief
from framebrush.gpu.cpu.strips import ONE, ZERO, Floats, Tensor, is_finite
from framebrush.gpu.cpu.table import Colours
from framebrush.gpu.look import Look
from framebrush.gpu.relief import Drift
from framebrush.gpu.sizes import Sizes
from framebrush.models.table import ColourTable


class StrokeStage:
    """For frames of one stylizer, one at a time. Brush and relief take memory when a look first has them."""

    def __init__(self, sizes: Sizes, table: ColourTable | None = None) -> None:
        """table: of colours, which the painting goes through first."""
        strokes = Strokes.of(sizes)
        width, height = sizes.target
        self._sizes, self._strokes = sizes, strokes
        self._canvas = Canvas(sizes.target, strokes.margin_px)
        self._direction = Direction(strokes, self._canvas)
        self.use_table(table)
        self._brush: Brush | None = None
        self._relief: Relief | None = None
        self._painting = np.empty((3, height, width), np.float32)
        self._spare = np.empty((height, width), np.float32)

    def use_table(self, table: ColourTable | None) -> None:
        """Take another table of colours, or none."""
        self._colours = Colours(table) if table else None

    def run(self, painted: Tensor, look: Look, fine: Floats | None, drift: Drift | None) -> Floats:
        """painted: (3, >=H, >=W), R'G'B' at the target's size; what is not finite counts as 0. fine: luma of the source
        (H, W) that a look with relief adds. drift: of the bristles. Returns (3, H, W), valid until the next call."""
        height, width = self._painting.shape[1:]
        own = painting = self._painting
        np.copyto(own, painted[:, :height, :width], casting="same_kind")
        if not is_finite(own):
            own[~np.isfinite(own)] = ZERO
        np.clip(own, ZERO, ONE, out=own)
        if self._colours:
            colours = self._colours

            def colour(strip: Strip) -> None:
                colours.run(own[:, strip.rows], own[:, strip.rows])

            self._canvas.each_strip(colour)
        if look.brush:
            self._brush = self._brush or Brush(self._strokes, self._canvas, self._direction)
            painting = self._brush.run(painting, look.brush)
        if not look.raises:
            return painting
        if fine is not None:
            np.multiply(fine, np.float32(look.detail), out=self._spare)
            painting += self._spare
            np.clip(painting, ZERO, ONE, out=painting)
        self._relief = self._relief or Relief(self._strokes, self._canvas, self._direction, self._sizes.working)
        return self._relief.run(painting, look, drift)

    def close(self) -> None:
        """End its threads. Idempotent."""
        self._canvas.close()
