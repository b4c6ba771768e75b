"""What the CPU does to a painting at the target's size: table of colours, brush, detail, relief and canvas."""

from __future__ import annotations

import numpy as np

from framebrush.gpu.cpu.stages.brush import Brush, Cells
from framebrush.gpu.cpu.stages.corners import Corners
from framebrush.gpu.cpu.stages.relief import Relief
from framebrush.gpu.cpu.stages.table import Colours
from framebrush.gpu.cpu.strips import ONE, ZERO, Floats, Tensor, Workers, is_finite
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.brush import Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import Drift


def stroke_bytes(sizes: Sizes) -> int:
    """Memory that brush and relief take, less tables: three pictures and a plane of heights with margins, directions of
    the target's size, and five values a cell."""
    strokes, (width, height) = Strokes.of(sizes), sizes.target
    columns, rows = strokes.cells(width, height)
    with_margins = (width + 2 * strokes.margin_px) * (height + 2 * strokes.margin_px)
    return (3 * 3 + 1) * 4 * with_margins + width * height + 5 * 4 * columns * rows


class StrokeStage:
    """For frames of one stylizer, one at a time. Brush and relief take memory when a look has them."""

    def __init__(self, sizes: Sizes) -> None:
        width, height = sizes.target
        self._sizes, self._strokes = sizes, Strokes.of(sizes)
        self._workers = Workers()
        self._margin = margin = self._strokes.margin_px
        self._painting = np.empty((3, height + 2 * margin, width + 2 * margin), np.float32)
        self._plane = np.zeros_like(self._painting[0])
        self._cells: Cells | None = None
        self._brush: Brush | None = None
        self._corners: Corners | None = None
        self._relief: Relief | None = None

    def run(
        self,
        painted: Tensor,
        frame: Tensor,
        look: Look,
        fine: Floats | None,
        drift: Drift | None,
        colours: Colours | None = None,
    ) -> Floats:
        """painted: (3, >=H, >=W), R'G'B' at the target's size; what is not finite counts as 0. frame: the network's
        input, (3, >=H, >=W). fine: luma of the source (H, W) that a look with relief adds. drift: of the bristles.
        colours: what the painting goes through first. Returns (3, H, W), valid until the next call."""
        painting, margin = self._painting, self._margin
        inner = painting[:, margin:-margin, margin:-margin]
        height = inner.shape[1]
        self._workers.run(height, _take, painted, colours, inner)
        if not (look.brush or look.raises):
            return inner
        sizes, strokes, workers = self._sizes, self._strokes, self._workers
        self._cells = self._cells or Cells(strokes, sizes.target, workers)
        if look.brush:
            self._brush = self._brush or Brush(strokes, self._cells, painting, self._plane, workers)
            self._corners = self._corners or Corners(sizes, margin, workers)
            self._corners.find(frame)
            brushed = self._brush.run()
            self._corners.mix(painting, look.brush, brushed)
            painting = brushed
        if look.raises:
            if fine is not None:
                workers.run(height, add_detail, fine, look.detail, painting[:, margin:-margin, margin:-margin])
            self._relief = self._relief or Relief(strokes, self._cells, sizes, self._plane, workers)
            self._relief.run(painting, look, drift)
        return painting[:, margin:-margin, margin:-margin]

    def close(self) -> None:
        """End its threads. Idempotent."""
        self._workers.close()


def _take(painted: Tensor, colours: Colours | None, painting: Floats, y0: int, y1: int) -> None:
    rows = painting[:, y0:y1]
    np.copyto(rows, painted[:, y0:y1, : rows.shape[2]], casting="same_kind")
    if not is_finite(rows):
        rows[~np.isfinite(rows)] = ZERO
    np.clip(rows, ZERO, ONE, out=rows)
    if colours:
        colours.run(rows, rows)


def add_detail(fine: Floats, share: float, painting: Floats, y0: int, y1: int) -> None:
    """So much of the fine luma of a source to rows of a painting."""
    rows = painting[:, y0:y1]
    rows += np.float32(share) * fine[y0:y1]
    np.clip(rows, ZERO, ONE, out=rows)
