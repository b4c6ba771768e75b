"""Tables of colours on the CPU. What a table does: `models.table`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.strips import ONE, ZERO, Floats, strip_rows, strips
from framebrush.models.table import ColourTable


class Colours:
    """Takes pictures through one table. Any number of threads may use it.

    A grid point is kept as sixteen bytes, which one gather moves. A colour lies within a tetrahedron whose corners are
    the cell's darkest and lightest points and the two on the way that goes along the largest part of the colour first;
    which these are is known from the largest and the smallest part alone.
    """

    def __init__(self, table: ColourTable) -> None:
        size = table.size
        points = np.zeros((size, size, size, 4), np.float32)
        points[..., :3] = table.grid
        self._points: npt.NDArray[np.complex128] = points.view(np.complex128).reshape(-1)
        self._last = size - 1
        self._steps = tuple(np.intp(size**power) for power in (2, 1, 0))
        self._low = np.array(table.domain_min, np.float32)
        self._scale = (1.0 / (np.array(table.domain_max) - np.array(table.domain_min))).astype(np.float32)
        self._curves = table.curves

    def run(self, picture: Floats, into: Floats) -> None:
        """Fill (3, H, W) with what the table makes of a picture of the same size, which may be the same memory."""
        for y0, y1 in strips(picture.shape[1], strip_rows(picture.shape[2])):
            self._strip(picture[:, y0:y1], into[:, y0:y1])

    def _strip(self, picture: Floats, into: Floats) -> None:
        index = np.zeros(picture.shape[1:], np.intp)
        fractions = []
        for channel, step in enumerate(self._steps):
            place = (picture[channel] - self._low[channel]) * self._scale[channel]
            np.clip(place, ZERO, ONE, out=place)
            if self._curves is not None:
                places = np.linspace(0.0, 1.0, self._curves.shape[1])
                place = np.clip(np.interp(place, places, self._curves[channel]), 0.0, 1.0).astype(np.float32)
            place *= np.float32(self._last)
            whole = place.astype(np.intp)
            np.minimum(whole, self._last - 1, out=whole)
            place -= whole
            fractions.append(place)
            whole *= step
            index += whole
        red, green, blue = fractions
        steps = red_step, green_step, blue_step = self._steps
        largest, smallest = (function(function(red, green), blue) for function in (np.maximum, np.minimum))
        middle = red + green + blue - largest - smallest
        first = np.where(red == largest, red_step, np.where(green == largest, green_step, blue_step))
        last = np.where(blue == smallest, blue_step, np.where(green == smallest, green_step, red_step))
        total = self._points.take(index).view(np.float32).reshape(*index.shape, 4)
        total *= (ONE - largest)[..., None]
        every = sum(steps)
        for offset, weight in ((first, largest - middle), (every - last, middle - smallest), (every, smallest)):
            corner = self._points.take(index + offset).view(np.float32).reshape(*index.shape, 4)
            corner *= weight[..., None]
            total += corner
        for channel in range(3):
            np.clip(total[..., channel], ZERO, ONE, out=into[channel])
