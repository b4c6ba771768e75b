"""Where a film shows things smaller than a stroke: there the brush leaves the painting as the network painted it.

A stroke is about ten pixels of the network's input wide. Letters and eyes that are smaller would be drawn out beyond
recognition. They are found in the film rather than in the painting, whose weave has corners everywhere: by the
smaller eigenvalue of the structure tensor of luma, which is large only where the picture changes in all directions
(J. Shi and C. Tomasi, "Good Features to Track", 1994), and not along an edge. That is found in the network's input,
whatever the target's size, in cells of CELL_PX x CELL_PX of its pixels. `corners` computes it in float64.
"""

from __future__ import annotations

import numpy as np

from framebrush.gpu.colour import Array
from framebrush.gpu.layouts import Pixels, Record, packed
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.cells import derivatives, gaussian, luma_of, smoothed

CELL_PX = 4

RADIUS_CELLS = 3
WEIGHTS = gaussian(1.25, RADIUS_CELLS)
"""(2 r + 1,): of the Gaussian that smooths the structure tensor of cells, along rows and along columns."""

LEAST, MOST = 0.025, 0.07
"""The root of the smaller eigenvalue, in luma 0..1 for a pixel, up to which a cell is drawn in full, and from which on
it is left as it is. It rises smoothly in between."""

CORNERS = packed(
    ("size", *Pixels),  # of the picture before the network
    ("padded", *Pixels),  # of the planes of the network's input
    ("cells", *Pixels),  # columns and rows of cells
    ("cell_px", "<u4"),  # a side of a cell
    ("least", "<f4"),  # the root of the smaller eigenvalue up to which nothing is left as it is
    ("steepness", "<f4"),  # and 1 / how much more it takes to be left altogether
    ("weights", "<f4", (2, 4)),  # of the Gaussian, and a zero behind it
)


def cells(working: Size) -> Size:
    """Columns and rows of cells of a network's input; the last ones may be cut off, and repeat its edge."""
    return -(-working[0] // CELL_PX), -(-working[1] // CELL_PX)


def cells_per_px(working: Size, target: Size) -> tuple[float, float]:
    """Cells for a pixel of the target, across and down."""
    return working[0] / (target[0] * CELL_PX), working[1] / (target[1] * CELL_PX)


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


def constants(working: Size, padded: Size) -> Record:
    """Constants of the kernels that find what the brush leaves as it is. working: (width, height) of the picture before
    the network. padded: of the planes of the network's input."""
    record = np.zeros((), CORNERS)
    record["size"], record["padded"], record["cells"] = working, padded, cells(working)
    record["cell_px"] = CELL_PX
    record["least"], record["steepness"] = LEAST, 1.0 / (MOST - LEAST)
    record["weights"].reshape(-1)[: len(WEIGHTS)] = WEIGHTS
    return record
