"""What the CPU does to a painting at the target's size: table of colours, strokes, detail, relief and canvas."""

from __future__ import annotations

import os

import numpy as np

from framebrush.gpu.cpu.stages.corners import NOTHING_KEPT, Corners
from framebrush.gpu.cpu.stages.relief import NO_STROKES, Relief
from framebrush.gpu.cpu.stages.resize import Resizer
from framebrush.gpu.cpu.stages.stroke_kernels import band_floats
from framebrush.gpu.cpu.stages.strokes import NO_PLANES, RECORD, Carriage, Guides, StrokePainter
from framebrush.gpu.cpu.stages.table import Colours
from framebrush.gpu.cpu.strips import ONE, ZERO, Floats, Tensor, Workers, is_finite
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import STROKE_HEIGHT
from framebrush.gpu.stages.resample import TO_TARGET
from framebrush.gpu.stages.strokes import Layout


def finishing_bytes(sizes: Sizes, layout: Layout) -> int:
    """Memory that strokes and relief take, less tables: a picture and heights with margins, a picture of strokes with
    their heights and covers, its pyramids, a painting that is looked at, and its pyramids; strokes: their homes, where
    they are, what they remember, and as they are drawn, one a cell in a picture that is all detail; and the bands in
    which they are drawn, one for each processor."""
    margin, (width, height) = Cells.of(sizes).cell_px, sizes.target
    with_margins = (width + 2 * margin) * (height + 2 * margin)
    planes = 4 * with_margins + (5 + 2 + 3 + 2) * width * height
    workers = os.cpu_count() or 1
    bands = workers * band_floats(width, -(-height // workers))
    return 4 * (planes + bands) + 20 * layout.strokes + (4 * 4 + 3 * 4 + 6 * RECORD) * layout.cells


class Finishing:
    """For frames of one stylizer, one at a time. Strokes and relief take memory when a look has them."""

    def __init__(self, sizes: Sizes, layout: Layout) -> None:
        width, height = sizes.target
        self._sizes, self._layout, self._strokes = sizes, layout, Cells.of(sizes)
        self._workers = Workers()
        self._margin = margin = self._strokes.cell_px
        self._painting = np.empty((3, height + 2 * margin, width + 2 * margin), np.float32)
        self._painter: StrokePainter | None = None
        self._corners: Corners | None = None
        self._relief: Relief | None = None

    def run(
        self,
        painted: Tensor,
        frame: Tensor,
        look: Look,
        fine: Floats | None,
        carriage: Carriage | None,
        colours: Colours | None = None,
        maps: Floats = NO_PLANES,
        kept: Floats = NOTHING_KEPT,
    ) -> Floats:
        """painted: (3, >=H, >=W), R'G'B' at the target's size; what is not finite counts as 0. frame: the network's
        input, (3, >=H, >=W). fine: luma of the source (H, W) that a look with relief adds. carriage: of the strokes;
        None where they are at home. colours: what the painting goes through first. maps: as `Guides.find` has them.
        kept: as `Corners.find` has it. Returns (3, H, W), valid until the next call."""
        painting, margin = self._painting, self._margin
        inner = painting[:, margin:-margin, margin:-margin]
        width, height = self._sizes.target
        self._workers.run(height, width, _take, painted, colours, inner)
        if not (look.brush or look.raises):
            return inner
        sizes, workers, made = self._sizes, self._workers, NO_STROKES
        if look.brush:
            self._painter = self._painter or StrokePainter(self._layout, sizes, workers)
            self._corners = self._corners or Corners(sizes, margin, workers)
            self._corners.find(frame, kept)
            made = self._painter.run(inner, frame, carriage, maps)
            self._corners.mix(made, look.brush, painting)
        if look.raises:
            if fine is not None:
                workers.run(height, width, add_detail, fine, look.detail, inner)
            self._relief = self._relief or Relief(self._strokes, sizes.target, margin, workers)
            self._relief.run(painting, look, made, STROKE_HEIGHT * self._layout.kind.relief * self._layout.hair_px)
        return inner

    def close(self) -> None:
        """End its threads. Idempotent."""
        self._workers.close()


class Looking:
    """Has strokes look at the paintings of one stylizer, as the network made them. For one thread at a time."""

    def __init__(self, sizes: Sizes, layout: Layout) -> None:
        width, height = sizes.target
        self._workers = Workers()
        self._guides = Guides(layout, sizes, self._workers)
        self._painting = np.empty((3, height, width), np.float32)
        resized = sizes.output != sizes.target
        self._to_target = Resizer(sizes.output, sizes.target, TO_TARGET, clip=True) if resized else None

    def run(self, styled: Tensor, frame: Tensor, carriage: Carriage, colours: Colours | None, maps: Floats) -> None:
        """styled: the network's output. frame: its input. carriage: of the frame's strokes, which remember the
        painting. colours: what the painting goes through. maps: as `Guides.find` has them."""
        painted = self._to_target.run(styled) if self._to_target else styled
        _, height, width = self._painting.shape
        self._workers.run(height, width, _take, painted, colours, self._painting)
        self._guides.look(self._painting, frame, carriage, maps)

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
