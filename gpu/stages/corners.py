"""Film details smaller than a stroke, where the network's painting is kept.

In cells of CELL_PX x CELL_PX, luma's structure tensor has a large smaller eigenvalue there (Shi and Tomasi, 1994). Busy
surroundings, such as leaves, are drawn. In faces less is needed, and any change of luma counts.
"""

from __future__ import annotations

import math

import numpy as np

from framebrush.gpu.colour import Array
from framebrush.gpu.layouts import Pixels, Record, packed
from framebrush.gpu.sizes import Size, squares
from framebrush.gpu.stages.cells import derivatives, gaussian, luma_of, smoothed

CELL_PX = 4

RADIUS_CELLS = 3
WEIGHTS = gaussian(1.25, RADIUS_CELLS)
"""Gaussian (2 r + 1,) that smooths the structure tensor of cells along rows and columns."""

LEAST, MOST = 0.025, 0.07
"""Root of the smaller eigenvalue, in luma 0..1 per pixel: up to LEAST a cell is drawn in full, from MOST it is kept.
Smooth in between."""

FLAT, BUSY = 0.02, 0.05
"""Root of the sum of the eigenvalues: up to FLAT a cell is flat, from BUSY it is busy."""

KEPT_LEAST, KEPT_MOST = 0.012, 0.042
"""Root of the sum of the eigenvalues in a face: up to KEPT_LEAST a cell is drawn, from KEPT_MOST it is kept."""

BLOCK_CELLS = 16
"""Side of the blocks of cells for means of surroundings. A cubic B-spline interpolates them: a bell with a standard
deviation of 10 cells."""

SPARSE, DENSE = 0.475, 0.6
"""Mean busyness of the surroundings: up to SPARSE details are kept, from DENSE everything is drawn. Beside an eye or
letters it is 0.3 to 0.5, in leaves 0.7."""

CORNERS = packed(
    ("size", *Pixels),  # of the network's input without padding
    ("padded", *Pixels),  # of the network's input with padding
    ("cells", *Pixels),  # columns and rows of cells
    ("blocks", *Pixels),  # columns and rows of blocks
    ("cell_px", "<u4"),  # side of a cell
    ("least", "<f4"),  # LEAST
    ("steepness", "<f4"),  # 1 / (MOST - LEAST)
    ("flat", "<f4"),  # FLAT
    ("per_busy", "<f4"),  # 1 / (BUSY - FLAT)
    ("sparse", "<f4"),  # SPARSE
    ("per_dense", "<f4"),  # 1 / (DENSE - SPARSE)
    ("kept_least", "<f4"),  # KEPT_LEAST
    ("per_kept", "<f4"),  # 1 / (KEPT_MOST - KEPT_LEAST)
    ("weights", "<f4", (2, 4)),  # of the Gaussian, padded with a zero
    ("touches", "<f4"),  # opacity of the kept film
)


def cells(working: Size) -> Size:
    """Return columns and rows, partial cells included."""
    return squares(working, CELL_PX)


def blocks(working: Size) -> Size:
    """Return columns and rows, partial blocks included."""
    return squares(cells(working), BLOCK_CELLS)


def cells_per_px(working: Size, target: Size) -> tuple[float, float]:
    """Return cells per target pixel, across and down."""
    return working[0] / (target[0] * CELL_PX), working[1] / (target[1] * CELL_PX)


def size_bytes(working: Size) -> int:
    """Return the memory of shares, tensors and surroundings."""
    return 4 * (5 * math.prod(cells(working)) + math.prod(blocks(working)))


def corners(working: Array, kept: Array | float = 0.0) -> Array:
    """Return each cell's kept share, (rows, columns), 0..1.

    kept: maximum in faces, from `stages.masks.kept`.
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
    """Return blocks' mean busyness, 0..1, of the tensor."""
    busy = np.clip((np.sqrt(tensor[0] + tensor[2]) - FLAT) / (BUSY - FLAT), 0.0, 1.0)
    down, over = (np.arange(0, side, BLOCK_CELLS) for side in busy.shape)

    def sums(plane: Array) -> Array:
        found: Array = np.add.reduceat(np.add.reduceat(plane, down, 0), over, 1)
        return found

    return sums(busy) / sums(np.ones(busy.shape))


def surroundings(blocks: Array, shape: tuple[int, ...]) -> Array:
    """Interpolate blocks at cells by a cubic B-spline."""
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
    """Return the cubic B-spline at distances to 2."""
    distance = np.abs(away)
    near, far = 2.0 / 3.0 - distance**2 * (1.0 - 0.5 * distance), (2.0 - distance) ** 3 / 6.0
    found: Array = np.where(distance < 1.0, near, far)
    return found


def structure(working: Array) -> Array:
    """Return luma's structure tensor xx, xy, yy by cell."""
    gx, gy = derivatives(luma_of(working))
    height, width = gx.shape
    whole = np.pad([gx * gx, gx * gy, gy * gy], ((0, 0), (0, -height % CELL_PX), (0, -width % CELL_PX)), "edge")
    rows, columns = whole.shape[1] // CELL_PX, whole.shape[2] // CELL_PX
    means: Array = whole.reshape(3, rows, CELL_PX, columns, CELL_PX).mean(axis=(2, 4))
    return means


def at_target(cells: Array, working: Size, target: Size) -> Array:
    """Interpolate cells linearly at target pixels, (H, W)."""
    for axis, length, here in ((0, working[1], target[1]), (1, working[0], target[0])):
        places = (np.arange(here) + 0.5) * length / (here * CELL_PX) - 0.5
        low = np.floor(places).astype(np.int64)
        first, second = (cells.take(np.clip(low + step, 0, cells.shape[axis] - 1), axis) for step in (0, 1))
        share = np.expand_dims(places - low, 1 - axis)
        cells = first + share * (second - first)
    return cells


def constants(working: Size, padded: Size, touches: float = 1.0) -> Record:
    """Make the kernels' constants. padded: the working size's. touches: opacity."""
    record = np.zeros((), CORNERS)
    record["size"], record["padded"] = working, padded
    record["cells"], record["blocks"] = cells(working), blocks(working)
    record["cell_px"] = CELL_PX
    record["least"], record["steepness"] = LEAST, 1.0 / (MOST - LEAST)
    record["flat"], record["per_busy"] = FLAT, 1.0 / (BUSY - FLAT)
    record["sparse"], record["per_dense"] = SPARSE, 1.0 / (DENSE - SPARSE)
    record["kept_least"], record["per_kept"] = KEPT_LEAST, 1.0 / (KEPT_MOST - KEPT_LEAST)
    record["weights"].reshape(-1)[: len(WEIGHTS)] = WEIGHTS
    record["touches"] = touches
    return record
