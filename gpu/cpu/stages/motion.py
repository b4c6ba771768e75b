"""Motion search of the temporal filter (reference: `gpu.stages.steady.reference`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.stages import kernels
from framebrush.gpu.cpu.stages.strips import Floats
from framebrush.gpu.cpu.stages.stroke_kernels import film_cells
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.steady import BLOCK_PX, CELL_PX

Shorts = npt.NDArray[np.int16]
Vectors = npt.NDArray[np.int32]
"""Vectors of blocks (2, rows, columns), y and x in pixels."""


@dataclass(slots=True)
class Levels:
    """Planes for the motion search. fine: (H, W). cells: means."""

    fine: Shorts
    cells: Shorts

    def average(self) -> None:
        """Compute the means from `fine`."""
        film_cells(self.fine, CELL_PX, self.cells, 0, len(self.cells))


class Search:
    """Block matching between frames."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._places = np.mgrid[: -(-size[1] // BLOCK_PX), : -(-size[0] // BLOCK_PX)].astype(np.int32)

    def allocate(self) -> Levels:
        """Allocate a frame's planes. The caller fills `fine`."""
        width, height = self._size
        cells = -(-height // CELL_PX), -(-width // CELL_PX)
        return Levels(np.empty((height, width), np.int16), np.empty(cells, np.int16))

    def motion(self, own: Levels, near: Levels) -> Vectors:
        """Return the motion from a frame to another."""
        vectors = np.empty_like(self._places)
        kernels.steady_motion(own.fine, own.cells, near.fine, near.cells, vectors, 0, vectors.shape[1])
        return vectors

    def followed(self, vectors: Vectors, on: Vectors) -> Vectors:
        """Concatenate vectors to one frame and the next."""
        rows, columns = vectors.shape[1:]
        y, x = self._places + (vectors + BLOCK_PX // 2) // BLOCK_PX
        further: Vectors = on[:, np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)]
        return vectors + further

    def match_confidence(self, own: Levels, near: Levels, vectors: Vectors) -> Floats:
        """Return how well blocks match, (rows, columns), 0..1."""
        sure = np.empty(vectors.shape[1:], np.float32)
        kernels.match_confidence(own.fine, near.fine, vectors, sure, 0, len(sure))
        return sure

    def interpolate_confidence(self, sure: Floats, vectors: Vectors) -> Floats:
        """Interpolate blocks' confidence to (3, rows of blocks, W), see `sure_between`."""
        made = np.empty((3, len(sure), self._size[0]), np.float32)
        kernels.sure_between(sure, vectors, made, 0, len(sure))
        return made
