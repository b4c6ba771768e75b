"""Where a film shows things smaller than a stroke: there the brush leaves the painting as the network painted it.

A stroke is about ten pixels of the network's input wide. Letters and eyes that are smaller would be drawn out beyond
recognition. They are found in the film rather than in the painting, whose weave has corners everywhere: by the
smaller eigenvalue of the structure tensor of luma, which is large only where the picture changes in all directions
(J. Shi and C. Tomasi, "Good Features to Track", 1994), and not along an edge. That is found in the network's input,
whatever the target's size, in cells of CELL_PX x CELL_PX of its pixels.

Leaves, or a crowd of windows, have corners everywhere, and are no things that are smaller than a stroke, but a texture
that strokes are to draw: left as the network painted it, it would be no paint, and flicker more than the film itself.
Letters and eyes lie in what is flat beside them. So where most of what surrounds a cell is busy, strokes draw it all
the same. `corners` computes it in float64.

A face is made of small things with busy surroundings, which people look at first. Inside a mask of faces whatever
changes is kept, in one direction or in all, from a lower threshold on, and however busy its surroundings are.
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

FLAT, BUSY = 0.02, 0.05
"""The root of the sum of the eigenvalues up to which a cell is flat, and from which on it is busy."""

KEPT_LEAST, KEPT_MOST = 0.012, 0.042
"""The root of the sum of the eigenvalues up to which a cell in a face is drawn, and from which on it is kept."""

BLOCK_CELLS = 16
"""What surrounds a cell is told by means over blocks of so many cells a side, between which a cubic B-spline leads: a
bell whose standard deviation is 10 cells."""

SPARSE, DENSE = 0.475, 0.6
"""How busy what surrounds a cell is in the mean, up to which nothing is drawn for that, and from which on everything
is. Beside an eye or letters it is 0.3 to 0.5, in leaves 0.7."""

CORNERS = packed(
    ("size", *Pixels),  # of the picture before the network
    ("padded", *Pixels),  # of the planes of the network's input
    ("cells", *Pixels),  # columns and rows of cells
    ("blocks", *Pixels),  # and of blocks of them
    ("cell_px", "<u4"),  # a side of a cell
    ("least", "<f4"),  # the root of the smaller eigenvalue up to which nothing is left as it is
    ("steepness", "<f4"),  # and 1 / how much more it takes to be left altogether
    ("flat", "<f4"),  # the root of the sum of eigenvalues up to which a cell is flat
    ("per_busy", "<f4"),  # and 1 / how much more it takes to be busy
    ("sparse", "<f4"),  # how busy it may be around a cell until strokes draw it for that
    ("per_dense", "<f4"),  # and 1 / how much more it takes to be drawn altogether
    ("kept_least", "<f4"),  # the root of the sum of eigenvalues up to which nothing is kept of a face
    ("per_kept", "<f4"),  # and 1 / how much more it takes to be kept altogether
    ("weights", "<f4", (2, 4)),  # of the Gaussian, and a zero behind it
)


def cells(working: Size) -> Size:
    """Columns and rows of cells of a network's input; the last ones may be cut off, and repeat its edge."""
    return -(-working[0] // CELL_PX), -(-working[1] // CELL_PX)


def blocks(working: Size) -> Size:
    """Columns and rows of blocks of cells of a network's input; the last ones may be cut off."""
    columns, rows = cells(working)
    return -(-columns // BLOCK_CELLS), -(-rows // BLOCK_CELLS)


def cells_per_px(working: Size, target: Size) -> tuple[float, float]:
    """Cells for a pixel of the target, across and down."""
    return working[0] / (target[0] * CELL_PX), working[1] / (target[1] * CELL_PX)


def corners(working: Array, kept: Array | float = 0.0) -> Array:
    """How much of each cell is left as it is, (rows, columns), 0..1.

    working: a network's input (3, H, W), R'G'B'. kept: of `stages.masks.kept`, how much of a cell is kept at most
    because it lies in a face.
    """
    tensor = structure(working)
    xx, xy, yy = (smoothed(part, WEIGHTS) for part in tensor)
    smaller = 0.5 * (xx + yy - np.sqrt((xx - yy) ** 2 + 4.0 * xy**2))
    share = np.clip((np.sqrt(np.maximum(smaller, 0.0)) - LEAST) / (MOST - LEAST), 0.0, 1.0)
    drawn = np.clip((surroundings(block_means(tensor), smaller.shape) - SPARSE) / (DENSE - SPARSE), 0.0, 1.0)
    left: Array = share * share * (3.0 - 2.0 * share) * (1.0 - drawn)
    edges = np.clip((np.sqrt(xx + yy) - KEPT_LEAST) / (KEPT_MOST - KEPT_LEAST), 0.0, 1.0)
    return np.maximum(left, kept * edges)


def block_means(tensor: Array) -> Array:
    """(rows, columns) of blocks: how busy cells of a structure tensor (3, rows, columns) are in the mean, 0..1."""
    busy = np.clip((np.sqrt(tensor[0] + tensor[2]) - FLAT) / (BUSY - FLAT), 0.0, 1.0)
    down, over = (np.arange(0, side, BLOCK_CELLS) for side in busy.shape)

    def sums(plane: Array) -> Array:
        found: Array = np.add.reduceat(np.add.reduceat(plane, down, 0), over, 1)
        return found

    return sums(busy) / sums(np.ones(busy.shape))


def surroundings(blocks: Array, shape: tuple[int, ...]) -> Array:
    """(rows, columns) of cells: blocks of them, between whose middles a cubic B-spline leads; those at the edge are
    repeated."""
    for axis in (0, 1):
        places = (np.arange(shape[axis]) + 0.5) / BLOCK_CELLS - 0.5
        low, spread = (
            np.floor(places).astype(np.int64),
            np.zeros((*blocks.shape[:axis], shape[axis], *blocks.shape[axis + 1 :])),
        )
        for number in (low - 1, low, low + 1, low + 2):
            weights = np.expand_dims(spline(number - places), 1 - axis)
            spread += weights * blocks.take(np.clip(number, 0, blocks.shape[axis] - 1), axis)
        blocks = spread
    return blocks


def spline(away: Array) -> Array:
    """A cubic B-spline so far away from its middle, at most 2: it falls to 0 there."""
    distance = np.abs(away)
    near, far = 2.0 / 3.0 - distance**2 * (1.0 - 0.5 * distance), (2.0 - distance) ** 3 / 6.0
    found: Array = np.where(distance < 1.0, near, far)
    return found


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
    record["size"], record["padded"] = working, padded
    record["cells"], record["blocks"] = cells(working), blocks(working)
    record["cell_px"] = CELL_PX
    record["least"], record["steepness"] = LEAST, 1.0 / (MOST - LEAST)
    record["flat"], record["per_busy"] = FLAT, 1.0 / (BUSY - FLAT)
    record["sparse"], record["per_dense"] = SPARSE, 1.0 / (DENSE - SPARSE)
    record["kept_least"], record["per_kept"] = KEPT_LEAST, 1.0 / (KEPT_MOST - KEPT_LEAST)
    record["weights"].reshape(-1)[: len(WEIGHTS)] = WEIGHTS
    return record
