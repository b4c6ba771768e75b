"""Film details that the brush keeps."""

from __future__ import annotations

import numpy as np

from framebrush.gpu.cpu.stages import kernels
from framebrush.gpu.cpu.stages.kernels import Places
from framebrush.gpu.cpu.stages.strips import Floats, Tensor, Workers
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.corners import BLOCK_CELLS, WEIGHTS, blocks, cells, cells_per_px

NOTHING_KEPT = np.empty((0, 0), np.float32)


class Corners:
    """Detection in frames of a stylizer."""

    def __init__(self, sizes: Sizes, margin: int, workers: Workers) -> None:
        columns, rows = cells(sizes.working)
        self._size, self._margin, self._workers = sizes.working, margin, workers
        self._tensor = np.empty((3, rows, columns), np.float32)
        self._blocks = np.empty(blocks(sizes.working)[::-1], np.float32)
        self._left = np.empty((rows, columns), np.float32)
        self._weights = WEIGHTS.astype(np.float32)
        across, down = cells_per_px(sizes.working, sizes.target)
        width, height = sizes.target
        self._across, self._down = _places(width, across, columns), _places(height, down, rows)

    def find(self, frame: Tensor, kept: Floats = NOTHING_KEPT) -> None:
        """Find details of (3, >=H, >=W). kept: from `gpu.stages.masks.kept`."""
        shown, (columns, rows) = frame.astype(np.float32, copy=False), self._size
        self._workers.run(len(self._left), columns, kernels.corner_structure, shown, columns, rows, self._tensor)
        self._workers.run(
            len(self._blocks), BLOCK_CELLS * self._tensor.shape[2], kernels.corner_blocks, self._tensor, self._blocks
        )
        self._workers.run(
            *self._left.shape, kernels.corners, self._tensor, self._weights, self._blocks, kept, self._left
        )

    def fade(self, opacity: float) -> None:
        """Multiply details by an opacity, 0..1."""
        self._left *= np.float32(opacity)

    def mix(self, strokes: Floats, strength: float, picture: Floats) -> None:
        """Mix strokes (5, H, W; height, cover last) into a picture, except at details."""
        places = self._down, self._across
        size = len(self._down.low), len(self._across.low)
        self._workers.run(*size, kernels.mix, strokes, strength, self._left, *places, self._margin, picture)


def _places(length: int, cells_per_px: float, count: int) -> Places:
    places = (np.arange(length) + 0.5) * cells_per_px - 0.5
    low = np.floor(places).astype(np.int32)
    first, second = (np.clip(low + step, 0, count - 1) for step in (0, 1))
    return Places(first, second, (places - low).astype(np.float32))
