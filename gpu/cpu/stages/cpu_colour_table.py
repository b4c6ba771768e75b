"""Colour tables (`models.colours.colour_table`)."""

from __future__ import annotations

from typing import Self

import numpy as np

from framebrush.gpu.c_kernels import Floats1, Floats2, Planes, kernel
from framebrush.gpu.cpu.stages.strips import Floats
from framebrush.models.colours.colour_table import ColourTable


class Colours:
    """Colour table for pictures. Thread-safe."""

    def __init__(self, table: ColourTable) -> None:
        low, high = np.array(table.domain_min), np.array(table.domain_max)
        self._size = table.size
        points = np.zeros((table.size**3, 4), np.float32)  # four values, so that no point crosses a cache line
        points[:, :3] = table.grid.reshape(-1, 3)
        self._points = points.reshape(-1)
        self._low, self._scale = low.astype(np.float32), (1.0 / (high - low)).astype(np.float32)
        curves = np.empty((3, 0)) if table.curves is None else table.curves
        self._curves = np.array(curves, np.float32)

    @classmethod
    def of(cls, table: ColourTable | None) -> Self | None:
        return None if table is None else cls(table)

    def run(self, picture: Floats, into: Floats) -> None:
        """Apply the table to (3, H, W); `into` may be `picture`."""
        rows = picture.shape[1]
        through_table(picture, self._points, self._size, self._low, self._scale, self._curves, into, 0, rows)


@kernel(scratch=lambda picture, points, size, low, scale, curves, made, y0, y1: 10 * picture.shape[2])
def through_table(
    picture: Planes,
    points: Floats1,
    size: int,
    low: Floats1,
    scale: Floats1,
    curves: Floats2,
    made: Planes,
    y0: int,
    y1: int,
) -> None:
    """Apply a table to rows; `made` may be `picture`."""
