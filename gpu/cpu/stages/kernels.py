"""Relief, what strokes leave as it is, and the filter over time, on the CPU, as kernels over rows y0 to y1 of a
picture, or of its cells: those of `corners.c`, `relief.c` and `steady.c` in `gpu/cpu/kernels`. The references are of
the same names.

A picture is (3, H + 2 margin, W + 2 margin), so that no loop has to check whether a sample is inside it.
"""

from __future__ import annotations

from typing import NamedTuple

from framebrush.gpu.cpu.native import (
    Bytes2,
    Floats1,
    Floats2,
    Floats3,
    Planes,
    Shorts2,
    Shorts3,
    Whole1,
    Whole3,
    kernel,
)


class Grid(NamedTuple):
    """How cells lie in pictures. low, high, share: (W + 2 margin,), of each column of a picture the cells between whose
    middles it lies, and how far it is from the first to the second."""

    cell_px: int
    margin: int
    low: Whole1
    high: Whole1
    share: Floats1


class Places(NamedTuple):
    """Where the pixels of an axis lie among cells. low, high, share: of each pixel the cells between whose middles it
    lies, and how far it is from the first to the second."""

    low: Whole1
    high: Whole1
    share: Floats1


@kernel(scratch=lambda picture, margin, y0, y1: 0)
def repeat_edge(picture: Floats3, margin: int, y0: int, y1: int) -> None:
    """Fill the margins beside rows; those above the first row, and below the last, with it."""


@kernel(scratch=lambda picture, grid, light, y0, y1: light.shape[1] * grid.cell_px)
def cell_means(picture: Floats3, grid: Grid, light: Floats2, y0: int, y1: int) -> None:
    """Mean luma of rows of cells."""


@kernel(scratch=lambda plane, weights, made, y0, y1: plane.shape[1] + len(weights))
def blur(plane: Floats2, weights: Floats1, made: Floats2, y0: int, y1: int) -> None:
    """Rows of a plane of cells, smoothed."""


@kernel(scratch=lambda frame, columns, rows, tensor, y0, y1: 3 * columns)
def corner_structure(frame: Planes, columns: int, rows: int, tensor: Floats3, y0: int, y1: int) -> None:
    """Rows of cells of the structure tensor, xx, xy and yy, of a network's input that shows so many columns and rows of
    pixels."""


@kernel(scratch=lambda *_: 0)
def corner_blocks(tensor: Floats3, blocks: Floats2, y0: int, y1: int) -> None:
    """Rows of blocks of cells: how busy these are in the mean, 0..1."""


@kernel(
    scratch=lambda tensor, weights, blocks, kept, left, y0, y1: 4 * tensor.shape[2] + len(weights) + blocks.shape[1]
)
def corners(tensor: Floats3, weights: Floats1, blocks: Floats2, kept: Floats2, left: Floats2, y0: int, y1: int) -> None:
    """Fill rows of how much of each cell is left as it is, 0..1.

    kept: how much at most because it lies in a face; of no rows where there is none.
    """


@kernel(scratch=lambda strokes, strength, left, down, across, margin, picture, y0, y1: left.shape[1])
def mix(
    strokes: Floats3,
    strength: float,
    left: Floats2,
    down: Places,
    across: Places,
    margin: int,
    picture: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Rows of a picture that strokes (5, H, W) replace by so much, but where cells are left as they are. The last two
    planes of the strokes come to be the height of the paint in the picture, and how far they replace it."""


@kernel(scratch=lambda light, broad, weights, relief, thick, y0, y1: light.shape[1] + len(weights))
def thickness(
    light: Floats2, broad: Floats2, weights: Floats1, relief: Floats1, thick: Floats2, y0: int, y1: int
) -> None:
    """How thick paint is in rows of cells, by how far luma lies from its broad mean around each."""


@kernel(
    scratch=lambda picture, strokes, broad, thick, grid, relief, warp, weft, heights, y0, y1: (
        broad.shape[1] + 3 * warp.shape[1]
    )
)
def raise_paint(
    picture: Floats3,
    strokes: Floats3,
    broad: Floats2,
    thick: Floats2,
    grid: Grid,
    relief: Floats1,
    warp: Floats2,
    weft: Floats2,
    heights: Floats2,
    y0: int,
    y1: int,
) -> None:
    """Heights in pixels, of paint, and of the canvas where it is thin. strokes: (5, H, W) as `mix` leaves them; of no
    rows where there are none. warp, weft: of `relief.threads` along x and y. heights: with margins, of which one pixel
    to each side is filled."""


@kernel(scratch=lambda heights, relief, to_light, from_light, margin, picture, y0, y1: 4 * picture.shape[2])
def shine(
    heights: Floats2,
    relief: Floats1,
    to_light: Floats1,
    from_light: Floats1,
    margin: int,
    picture: Floats3,
    y0: int,
    y1: int,
) -> None:
    """A picture under the lamp. to_light, from_light: between encoded and linear, 0..1."""


@kernel(scratch=lambda *_: 0)
def keep_painting(
    frame: Planes, styled: Planes, scale: int, source: Shorts3, clean: Floats3, fine: Shorts2, y0: int, y1: int
) -> None:
    """Rows of the working size of what neighbours need of a network's input and output. source: the film in sixteenths
    of a code. clean: the painting (3, H * scale, W * scale) within 0..1, and 0 where it is not finite. fine: R' + 2 G'
    + B' in codes of 8 bits, the mean of both."""


@kernel(scratch=lambda *_: 0)
def steady_motion(
    fine: Shorts2, cells: Shorts2, near_fine: Shorts2, near_cells: Shorts2, vectors: Whole3, y0: int, y1: int
) -> None:
    """Rows of blocks: where each is found in a neighbour, (2, rows, columns), y and x in pixels. cells: means of
    CELL_PX a side."""


@kernel(scratch=lambda *_: 0)
def sureness(fine: Shorts2, near_fine: Shorts2, vectors: Whole3, sure: Floats2, y0: int, y1: int) -> None:
    """Rows of blocks: how much of each is found where its vector leads, 0..1."""


@kernel(scratch=lambda *_: 0)
def sure_between(sure: Floats2, vectors: Whole3, made: Floats3, y0: int, y1: int) -> None:
    """Rows of blocks: how sure they are at each column, (3, rows, W), in their middle row; and what is added to that
    towards the middle row of the one above, and below."""


@kernel(
    scratch=lambda own, other, painted, bad, vectors, sure, scale, per_likeness, total, weights, first, y0, y1: (
        7 * own.shape[2] + painted.shape[2]
    )
)
def add_neighbour(
    own: Shorts3,
    other: Shorts3,
    painted: Floats3,
    bad: Bytes2,
    vectors: Whole3,
    sure: Floats3,
    scale: int,
    per_likeness: float,
    total: Floats3,
    weights: Floats2,
    first: int,
    y0: int,
    y1: int,
) -> None:
    """Add a neighbour's painting, moved to a frame's place, to rows of a total, and its weights to those of the rows
    from `first` on. own, other: the film of both, (3, H, W) in sixteenths of a code. painted, total: (3, H * scale,
    W * scale). bad: (H * scale, W * scale), 1 where the painting counts for nothing, or of no rows. vectors: (2, rows,
    columns) of blocks, y and x in pixels. sure: (3, rows of blocks, W), of the middle row of each, and what is added to
    it towards the one above and below. per_likeness: below 0, what a sample's nearness is multiplied by."""
