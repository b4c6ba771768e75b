"""Relief and canvas."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.cpu.stages import kernels
from framebrush.gpu.cpu.stages.kernels import Grid
from framebrush.gpu.cpu.stages.strips import Floats, Workers
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.relief import broad_weights, relief_record, weave_pitch_px

TABLE_SIZE = 65536
"""Entries of the tables between encoded and linear light."""

NO_STROKES = np.empty((5, 0, 0), np.float32)


class Relief:
    """Lighting at one size."""

    def __init__(self, strokes: Cells, size: Size, margin: int, workers: Workers) -> None:
        self._workers, self._size, self._strokes = workers, size, strokes
        columns, rows = strokes.cells(*size)
        side = strokes.cell_px
        places = (np.arange(-margin, size[0] + margin) + 0.5) / side - 0.5
        low = np.floor(places).astype(np.int32)
        first, second = (np.clip(low + step, 0, columns - 1) for step in (0, 1))
        self._grid = Grid(side, margin, first, second, floats(places - low))
        self._light = np.empty((rows, columns), np.float32)
        self._around, self._thick = np.empty_like(self._light), np.empty_like(self._light)
        self._heights = np.empty((size[1] + 2 * margin, size[0] + 2 * margin), np.float32)
        pitch = weave_pitch_px(size)
        self._threads = threads(size[0], pitch), threads(size[1], pitch)
        self._broad = floats(broad_weights(strokes))
        steps = np.linspace(0.0, 1.0, TABLE_SIZE)
        self._tables = floats(colour.srgb_to_linear(steps)), floats(colour.linear_to_srgb(steps))

    def run(self, painting: Floats, look: Look, strokes: Floats, stroke_height: float) -> None:
        """Add relief and canvas to a painting (3, H, W) with margins.

        strokes: from `Corners.mix`, or NO_STROKES. stroke_height: in pixels at relief 1.
        """
        grid, heights, size, run = self._grid, self._heights, self._size[::-1], self._workers.run
        record = relief_record(self._size, self._size, self._strokes, look, stroke_height)
        light, around, thick, relief = self._light, self._around, self._thick, np.frombuffer(record, np.float32)
        run(size[0], 1, kernels.repeat_edge, painting, grid.margin)
        run(*light.shape, kernels.cell_means, painting, grid, light)
        run(*light.shape, kernels.blur, light, self._broad, around)
        run(*light.shape, kernels.thickness, light, around, self._broad, relief, thick)
        run(*size, kernels.raise_paint, painting, strokes, around, thick, grid, relief, *self._threads, heights)
        run(*size, kernels.shine, heights, relief, *self._tables, grid.margin, painting)


def floats(values: Array) -> Floats:
    return values.astype(np.float32)


def threads(length: int, pitch_px: float) -> Floats:
    """Return one axis of `relief.weave`, (3, length): height, then factors."""
    places = (np.arange(length) + 0.5) / pitch_px
    thread = np.floor(places)
    rise = np.sin(np.pi * (places - thread))
    return floats(np.stack([0.6 * rise, 0.4 * np.where(thread % 2, -rise, rise), np.sin(np.pi * places)]))
