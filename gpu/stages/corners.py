"""Where a film shows things smaller than a stroke: there the brush leaves the painting as the network painted it.

A stroke is about ten pixels of the network's input wide. Letters and eyes that are smaller would be drawn out beyond
recognition. They are found in the film rather than in the painting, whose weave has corners everywhere: by the
smaller eigenvalue of the structure tensor of luma, which is large only where the picture changes in all directions
(J. Shi and C. Tomasi, "Good Features to Track", 1994), and not along an edge. That is found in the network's input,
whatever the target's size, in cells of CELL_PX x CELL_PX of its pixels. `gpu.reference.corners` computes it in
float64.
"""

from __future__ import annotations

from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.cells import gaussian

CELL_PX = 4

RADIUS_CELLS = 3
WEIGHTS = gaussian(1.25, RADIUS_CELLS)
"""(2 r + 1,): of the Gaussian that smooths the structure tensor of cells, along rows and along columns."""

LEAST, MOST = 0.025, 0.07
"""The root of the smaller eigenvalue, in luma 0..1 for a pixel, up to which a cell is drawn in full, and from which on
it is left as it is. It rises smoothly in between."""


def cells(working: Size) -> Size:
    """Columns and rows of cells of a network's input; the last ones may be cut off, and repeat its edge."""
    return -(-working[0] // CELL_PX), -(-working[1] // CELL_PX)


def cells_per_px(working: Size, target: Size) -> tuple[float, float]:
    """Cells for a pixel of the target, across and down."""
    return working[0] / (target[0] * CELL_PX), working[1] / (target[1] * CELL_PX)
