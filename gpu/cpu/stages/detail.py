"""Fine luma of the source."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.cpu.stages.resize import Resizer
from framebrush.gpu.cpu.stages.strips import ZERO, Floats, Tensor, dot, strip_rows, strips
from framebrush.gpu.frame import Matrix
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.detail import EDGE_VARIANCE, NOISE_VARIANCE
from framebrush.gpu.stages.resample import TO_DETAIL


class Detail:
    """Fine luma at one size."""

    def __init__(self, size: Size, coarse: Size) -> None:
        width, height = size
        self._down = Resizer(size, coarse, TO_DETAIL, channels=2)
        self._up = Resizer(coarse, size, TO_DETAIL, channels=2)
        self._rows = strip_rows(width)
        self._weights = colour.luma_weights(Matrix.BT709).astype(np.float32)
        self._moments = np.empty((2, height, width), np.float32)
        self._fine = np.empty((height, width), np.float32)
        self._source = np.empty((3, self._rows, width), np.float32)
        self._spare = np.empty((2, self._rows, width), np.float32)

    def run(self, source: Tensor) -> Floats:
        """Compute (H, W) from (3, >=H, >=W)."""
        height, width = self._fine.shape
        for y0, y1 in strips(height, self._rows):
            picture = self._source[:, : y1 - y0]
            np.copyto(picture, source[:, y0:y1, :width])
            luma, square = self._moments[:, y0:y1]
            dot(self._weights, picture, luma, self._spare[0, : y1 - y0])
            np.multiply(luma, luma, out=square)
        low = self._up.run(self._down.run(self._moments))
        for y0, y1 in strips(height, self._rows):
            mean, variance = low[:, y0:y1]
            product, weight = self._spare[:, : y1 - y0]
            fine = self._fine[y0:y1]
            np.multiply(mean, mean, out=product)
            variance -= product
            np.maximum(variance, ZERO, out=variance)
            np.subtract(self._moments[0, y0:y1], mean, out=fine)
            np.multiply(variance, variance, out=weight)  # v^2 e / ((v^2 + n^2) (v + e))
            np.add(weight, np.float32(NOISE_VARIANCE**2), out=product)
            weight /= product
            variance += np.float32(EDGE_VARIANCE)
            weight /= variance
            weight *= np.float32(EDGE_VARIANCE)
            fine *= weight
        return self._fine
