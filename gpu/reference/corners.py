"""The float64 reference of where the brush leaves a painting as it is. What it is for: `gpu.stages.corners`."""

from __future__ import annotations

import numpy as np

from framebrush.gpu.colour import Array
from framebrush.gpu.reference.cells import derivatives, luma_of, smoothed
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.corners import CELL_PX, LEAST, MOST, WEIGHTS


def corners(working: Array) -> Array:
    """(rows, columns), 0..1: how much of each cell of a network's input (3, H, W), R'G'B', is left as it is."""
    xx, xy, yy = (smoothed(part, WEIGHTS) for part in structure(working))
    smaller = 0.5 * (xx + yy - np.sqrt((xx - yy) ** 2 + 4.0 * xy**2))
    share = np.clip((np.sqrt(np.maximum(smaller, 0.0)) - LEAST) / (MOST - LEAST), 0.0, 1.0)
    left: Array = share * share * (3.0 - 2.0 * share)
    return left


def structure(working: Array) -> Array:
    """(3, rows, columns): the structure tensor of cells, xx, xy and yy, of Scharr's derivatives of luma."""
    gx, gy = derivatives(luma_of(working))
    height, width = gx.shape
    whole = np.pad([gx * gx, gx * gy, gy * gy], ((0, 0), (0, -height % CELL_PX), (0, -width % CELL_PX)), "edge")
    rows, columns = whole.shape[1] // CELL_PX, whole.shape[2] // CELL_PX
    means: Array = whole.reshape(3, rows, CELL_PX, columns, CELL_PX).mean(axis=(2, 4))
    return means


def at_target(cells: Array, working: Size, target: Size) -> Array:
    """(H, W) of the target: cells of the network's input, linear between their middles."""
    for axis, length, here in ((0, working[1], target[1]), (1, working[0], target[0])):
        places = (np.arange(here) + 0.5) * length / (here * CELL_PX) - 0.5
        low = np.floor(places).astype(np.int64)
        first, second = (cells.take(np.clip(low + step, 0, cells.shape[axis] - 1), axis) for step in (0, 1))
        share = np.expand_dims(places - low, 1 - axis)
        cells = first + share * (second - first)
    return cells
