"""Tables of colours on the CPU, as loops that numba compiles. What a table does: `models.colours.table`."""

from __future__ import annotations

from typing import cast

import numpy as np

from framebrush.gpu.cpu.compiled import Floats1, Floats2, Planes, Row, Whole2, compiled
from framebrush.gpu.cpu.strips import Floats
from framebrush.models.colours.table import ColourTable

ZERO, ONE = (cast(float, np.float32(value)) for value in (0.0, 1.0))


class Colours:
    """Takes pictures through one table. Any number of threads may use it."""

    def __init__(self, table: ColourTable) -> None:
        low, high = np.array(table.domain_min), np.array(table.domain_max)
        self._size = table.size
        points = np.zeros((table.size**3, 4), np.float32)  # of four values, so that none lies across two cache lines
        points[:, :3] = table.grid.reshape(-1, 3)
        self._points = points.reshape(-1)
        self._low, self._scale = low.astype(np.float32), (1.0 / (high - low)).astype(np.float32)
        curves = np.empty((3, 0)) if table.curves is None else table.curves
        self._curves = np.array(curves, np.float32)

    def run(self, picture: Floats, into: Floats) -> None:
        """Fill (3, H, W) with what the table makes of a picture of the same size, which may be the same memory."""
        through_table(picture, self._points, self._size, self._low, self._scale, self._curves, into)


@compiled
def on_axis(values: Row, low: float, scale: float, curve: Floats1, places: Floats1) -> None:
    """Where values lie on their axis of the grid, 0..1."""
    for x in range(len(places)):
        places[x] = min(max((values[x] - low) * scale, ZERO), ONE)
    steps = len(curve) - 1
    if steps <= 0:
        return
    for x in range(len(places)):
        along = places[x] * np.float32(steps)
        before = max(0, min(int(along), steps - 1))
        share = along - np.float32(before)
        places[x] = min(max(curve[before] + share * (curve[before + 1] - curve[before]), ZERO), ONE)


@compiled
def corners(places: Floats2, size: int, at: Whole2, shares: Floats2) -> None:
    """A colour lies within a tetrahedron whose corners are its cell's darkest and lightest points, and the two on the
    way that goes along the largest part of the colour first and along the smallest one last. at: where the first three
    are among the values of the points. shares: of all four.

    Without branches and with numbers of 32 bits alone, so that the compiler makes vectors of it."""
    end, last = np.float32(size - 1), np.int32(size - 2)
    red_step, green_step, blue_step = np.int32(4 * size * size), np.int32(4 * size), np.int32(4)
    whole = red_step + green_step + blue_step
    for x in range(places.shape[1]):
        red, green, blue = places[0, x] * end, places[1, x] * end, places[2, x] * end
        r, g, b = min(np.int32(red), last), min(np.int32(green), last), min(np.int32(blue), last)
        red, green, blue = red - np.float32(r), green - np.float32(g), blue - np.float32(b)
        corner = np.int32(r * red_step + g * green_step + b * blue_step)
        large, small = max(red, max(green, blue)), min(red, min(green, blue))
        middle = max(min(red, green), min(max(red, green), blue))
        first = red_step if red == large else (green_step if green == large else blue_step)
        left_out = blue_step if blue == small else (green_step if green == small else red_step)
        at[0, x], at[1, x], at[2, x] = corner, np.int32(corner + first), np.int32(corner + whole - left_out)
        shares[0, x], shares[1, x], shares[2, x], shares[3, x] = ONE - large, large - middle, middle - small, small


@compiled
def between(points: Floats1, size: int, channel: int, at: Whole2, shares: Floats2, made: Row) -> None:
    """One channel of the colours between four points. Unsigned places, as others may count from the end."""
    first, opposite = np.uint32(channel), np.uint32(4 * (size * size + size + 1) + channel)
    for x in range(len(made)):
        corner, one, two = np.uint32(at[0, x]), np.uint32(at[1, x]), np.uint32(at[2, x])
        value = points[corner + first] * shares[0, x] + points[one + first] * shares[1, x]
        value += points[two + first] * shares[2, x] + points[corner + opposite] * shares[3, x]
        made[x] = min(max(value, ZERO), ONE)


@compiled
def through_table(
    picture: Planes, points: Floats1, size: int, low: Floats1, scale: Floats1, curves: Floats2, made: Planes
) -> None:
    """Row by row, which stays in the processor's cache between the steps."""
    width = picture.shape[2]
    places, shares = np.empty((3, width), np.float32), np.empty((4, width), np.float32)
    at = np.empty((3, width), np.int32)
    for y in range(picture.shape[1]):
        for channel in range(3):
            on_axis(picture[channel, y], low[channel], scale[channel], curves[channel], places[channel])
        corners(places, size, at, shares)
        for channel in range(3):
            between(points, size, channel, at, shares, made[channel, y])
