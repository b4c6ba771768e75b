"""Tables of colours on the CPU, as a loop that numba compiles. What a table does: `models.table`."""

from __future__ import annotations

from typing import cast

import numpy as np

from framebrush.gpu.cpu.compiled import Floats1, Floats2, Planes, compiled
from framebrush.gpu.cpu.strips import Floats
from framebrush.models.table import ColourTable

ZERO, ONE = (cast(float, np.float32(value)) for value in (0.0, 1.0))


class Colours:
    """Takes pictures through one table. Any number of threads may use it."""

    def __init__(self, table: ColourTable) -> None:
        low, high = np.array(table.domain_min), np.array(table.domain_max)
        self._size = table.size
        self._points = np.array(table.grid, np.float32).reshape(-1, 3)
        self._low, self._scale = low.astype(np.float32), (1.0 / (high - low)).astype(np.float32)
        curves = np.empty((3, 0)) if table.curves is None else table.curves
        self._curves = np.array(curves, np.float32)

    def run(self, picture: Floats, into: Floats) -> None:
        """Fill (3, H, W) with what the table makes of a picture of the same size, which may be the same memory."""
        through_table(picture, self._points, self._size, self._low, self._scale, self._curves, into)


@compiled
def place_of(value: float, low: float, scale: float, curve: Floats1) -> float:
    """Where a value lies on its axis of the grid, 0..1."""
    place = min(max((value - low) * scale, ZERO), ONE)
    steps = len(curve) - 1
    if steps <= 0:
        return place
    along = place * np.float32(steps)
    before = max(0, min(int(along), steps - 1))
    share = along - np.float32(before)
    return min(max(curve[before] + share * (curve[before + 1] - curve[before]), ZERO), ONE)  # type: ignore[no-any-return]


@compiled
def through_table(
    picture: Planes, points: Floats2, size: int, low: Floats1, scale: Floats1, curves: Floats2, made: Planes
) -> None:
    """A colour lies within a tetrahedron whose corners are its cell's darkest and lightest points, and the two on the
    way that goes along the largest part of the colour first and along the smallest one last."""
    end, last = np.float32(size - 1), size - 2
    red_step, green_step, blue_step = size * size, size, 1
    of_red, of_green, of_blue = curves[0], curves[1], curves[2]
    for y in range(picture.shape[1]):
        for x in range(picture.shape[2]):
            red = place_of(picture[0, y, x], low[0], scale[0], of_red) * end
            green = place_of(picture[1, y, x], low[1], scale[1], of_green) * end
            blue = place_of(picture[2, y, x], low[2], scale[2], of_blue) * end
            r, g, b = max(0, min(int(red), last)), max(0, min(int(green), last)), max(0, min(int(blue), last))
            red, green, blue = red - np.float32(r), green - np.float32(g), blue - np.float32(b)
            corner = r * red_step + g * green_step + b
            if red >= green:
                if green >= blue:
                    first, second, large, middle, small = red_step, red_step + green_step, red, green, blue
                elif red >= blue:
                    first, second, large, middle, small = red_step, red_step + blue_step, red, blue, green
                else:
                    first, second, large, middle, small = blue_step, blue_step + red_step, blue, red, green
            elif red >= blue:
                first, second, large, middle, small = green_step, green_step + red_step, green, red, blue
            elif green >= blue:
                first, second, large, middle, small = green_step, green_step + blue_step, green, blue, red
            else:
                first, second, large, middle, small = blue_step, blue_step + green_step, blue, green, red
            one, two = corner + first, corner + second
            opposite = corner + red_step + green_step + blue_step
            whole, some, few = ONE - large, large - middle, middle - small
            for channel in range(3):
                value = points[corner, channel] * whole + points[one, channel] * some
                value += points[two, channel] * few + points[opposite, channel] * small
                made[channel, y, x] = min(max(value, ZERO), ONE)
