"""Colour table, strokes, detail, relief and canvas."""

from __future__ import annotations

import os
from functools import cached_property

import numpy as np

from framebrush.gpu.cpu.stages.corners import NOTHING_KEPT, Corners
from framebrush.gpu.cpu.stages.cpu_colour_table import Colours
from framebrush.gpu.cpu.stages.kernels import take_painting
from framebrush.gpu.cpu.stages.relief import NO_STROKES, Relief
from framebrush.gpu.cpu.stages.resize import Resizer
from framebrush.gpu.cpu.stages.strips import ONE, ZERO, Floats, Tensor, Workers
from framebrush.gpu.cpu.stages.stroke_kernels import band_floats
from framebrush.gpu.cpu.stages.strokes import NO_PLANES, RECORD, Carriage, Guides, StrokePainter
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.resample import TO_TARGET
from framebrush.gpu.stages.strokes import StrokeLayout, coverage
from framebrush.gpu.stages.strokes.drawn import DrawnStrokes


def finishing_bytes(sizes: Sizes, layout: StrokeLayout) -> int:
    """Return the bytes for strokes and relief without tables."""
    margin, (width, height) = Cells.of(sizes).cell_px, sizes.target
    with_margins = (width + 2 * margin) * (height + 2 * margin)
    planes = 4 * with_margins + (5 + 2 + 3 + 2) * width * height
    workers = os.cpu_count() or 1
    bands = workers * band_floats(width, -(-height // workers))
    return 4 * (planes + bands) + 20 * layout.strokes + (4 * 4 + 3 * 4 + 6 * RECORD) * layout.cells


class Finishing:
    """Draws frames; allocates at first use."""

    def __init__(self, sizes: Sizes, layout: StrokeLayout, workers: Workers) -> None:
        width, height = sizes.target
        self._sizes, self._layout, self._strokes = sizes, layout, Cells.of(sizes)
        self._workers = workers
        self._margin = margin = self._strokes.cell_px
        self._painting = np.empty((3, height + 2 * margin, width + 2 * margin), np.float32)
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
    ) -> tuple[Floats, bool]:
        """Draw strokes and relief. Returns (3, H, W), and whether `painted` is finite.

        An unfinished look takes the last call's strokes.

        Args:
            painted: (3, >=H, >=W); non-finite values count as 0.
            frame: network input (3, >=H, >=W).
            fine: luma (H, W), for a relief.
            carriage: None for strokes at home.
            maps, kept: see `Guides.find`, `Corners.find`.
        """
        painting, margin = self._painting, self._margin
        inner = painting[:, margin:-margin, margin:-margin]
        width, height = self._sizes.target
        finite = _take(painted, colours, self._workers, inner)
        if not look.finishes:
            return inner, finite
        sizes, workers, made = self._sizes, self._workers, NO_STROKES
        if look.draws:
            self._corners = self._corners or Corners(sizes, margin, workers)
            self._corners.find(frame, kept)
            if part := look.part:
                made = self._painter.run_part(inner, part)
                self._corners.fade(part.touches)
            else:
                made = self._painter.run(inner, frame, carriage, maps)
            self._corners.mix(made, coverage(look), painting)
        if look.raises:
            if fine is not None:
                workers.run(height, width, add_detail, fine, look.raised_detail, inner)
            self._relief = self._relief or Relief(self._strokes, sizes.target, margin, workers)
            self._relief.run(painting, look, made, self._layout.raised_px)
        return inner, finite

    @cached_property
    def _painter(self) -> StrokePainter:
        return StrokePainter(self._layout, self._sizes, self._workers)

    @property
    def height_px(self) -> Floats:
        """Copy strokes' height, (H, W), in pixels at relief 1."""
        scale = self._layout.raised_px
        return self._painter.height * np.float32(scale)

    def read(
        self,
        painted: Tensor,
        frame: Tensor,
        look: Look,
        carriage: Carriage | None,
        colours: Colours | None,
        maps: Floats,
    ) -> DrawnStrokes:
        """Return the strokes that `run` drew last, none without a brush."""
        margin = self._margin
        inner = self._painting[:, margin:-margin, margin:-margin]
        _take(painted, colours, self._workers, inner)
        found = self._painter.read(inner, frame, carriage, maps)
        return found if look.draws else found.none


class Looking:
    """Sampling of paintings by strokes."""

    def __init__(self, sizes: Sizes, layout: StrokeLayout, workers: Workers) -> None:
        width, height = sizes.target
        self._workers, self._guides = workers, Guides(layout, sizes, workers)
        self._painting = np.empty((3, height, width), np.float32)
        resized = sizes.output != sizes.target
        self._to_target = Resizer(sizes.output, sizes.target, TO_TARGET, top=1.0) if resized else None

    def run(self, styled: Tensor, frame: Tensor, carriage: Carriage, colours: Colours | None, maps: Floats) -> None:
        """Sample a painting for `carriage`. frame: network input."""
        painted = self._to_target.run(styled) if self._to_target else styled
        _take(painted, colours, self._workers, self._painting)
        self._guides.sample(self._painting, frame, carriage, maps)


def _take(painted: Tensor, colours: Colours | None, workers: Workers, painting: Floats) -> bool:
    finite, (_, rows, columns) = np.ones(1, np.int32), painting.shape
    workers.run(rows, columns, take_painting, painted.astype(np.float32, copy=False), painting, finite)
    if colours:
        workers.run(rows, columns, _recolour, colours, painting)
    return bool(finite[0])


def _recolour(colours: Colours, painting: Floats, y0: int, y1: int) -> None:
    rows = painting[:, y0:y1]
    colours.run(rows, rows)


def add_detail(fine: Floats, share: float, painting: Floats, y0: int, y1: int) -> None:
    """Add a share of fine luma to a painting's rows."""
    rows = painting[:, y0:y1]
    rows += np.float32(share) * fine[y0:y1]
    np.clip(rows, ZERO, ONE, out=rows)
