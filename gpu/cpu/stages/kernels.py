"""Kernels in C for relief, corners and the temporal filter, named as references.

They compute rows y0 to y1. Pictures are (3, H + 2 margin, W + 2 margin), without bounds checks.
"""

from __future__ import annotations

from typing import NamedTuple

from framebrush.gpu.c_kernels import (
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
    """Cells by column (W + 2 margin,): two, and the second's share."""

    cell_px: int
    margin: int
    low: Whole1
    high: Whole1
    share: Floats1


class Places(NamedTuple):
    """Cells by pixel: two, and the second's share."""

    low: Whole1
    high: Whole1
    share: Floats1


class ChromaTaps(NamedTuple):
    """Pixels that a chroma sample sums. wide: 1 for columns [1 2 1], else [1 1]."""

    first: int
    rows: int
    step: int
    wide: int


class Phases(NamedTuple):
    """Linear interpolation by phase: first sample, shares of both."""

    factor: int
    reach: Whole1
    own: Floats1
    next: Floats1


@kernel(scratch=lambda *_: 0)
def plane_codes(
    shown: Planes, weights: Floats1, thresholds: Floats2, top: float, codes: Floats2, y0: int, y1: int
) -> None:
    """Compute unrounded codes. weights: of R'G'B' and 1."""


@kernel(scratch=lambda shown, taps, weights, thresholds, top, codes, y0, y1: 5 * codes.shape[2] + 2)
def chroma_codes(
    shown: Planes,
    taps: ChromaTaps,
    weights: Floats2,
    thresholds: Floats2,
    top: float,
    codes: Planes,
    y0: int,
    y1: int,
) -> None:
    """Compute Cb and Cr, unrounded."""


@kernel(scratch=lambda luma, chroma, first, matrix, down, across, colours, y0, y1: 6 * (chroma.shape[2] + 2))
def film_colours(
    luma: Floats2,
    chroma: Planes,
    first: int,
    matrix: Floats2,
    down: Phases,
    across: Phases,
    colours: Planes,
    y0: int,
    y1: int,
) -> None:
    """Compute unclipped R'G'B'. first: chroma row of row 0."""


@kernel(scratch=lambda *_: 0)
def take_painting(painted: Planes, made: Planes, finite: Whole1, y0: int, y1: int) -> None:
    """Copy rows as 0..1; non-finite values become 0 and clear `finite`."""


@kernel(scratch=lambda picture, margin, y0, y1: 0)
def repeat_edge(picture: Floats3, margin: int, y0: int, y1: int) -> None:
    """Fill the margins around rows."""


@kernel(scratch=lambda picture, grid, light, y0, y1: light.shape[1] * grid.cell_px)
def cell_means(picture: Floats3, grid: Grid, light: Floats2, y0: int, y1: int) -> None:
    """Compute mean luma by rows of cells."""


@kernel(scratch=lambda plane, weights, made, y0, y1: plane.shape[1] + len(weights))
def blur(plane: Floats2, weights: Floats1, made: Floats2, y0: int, y1: int) -> None:
    """Smooth rows of a plane of cells."""


@kernel(scratch=lambda frame, columns, rows, tensor, y0, y1: 3 * columns)
def corner_structure(frame: Planes, columns: int, rows: int, tensor: Floats3, y0: int, y1: int) -> None:
    """Compute rows of cells' structure tensor."""


@kernel(scratch=lambda *_: 0)
def corner_blocks(tensor: Floats3, blocks: Floats2, y0: int, y1: int) -> None:
    """Compute rows of blocks' mean busyness, 0..1."""


@kernel(
    scratch=lambda tensor, weights, blocks, kept, left, y0, y1: 4 * tensor.shape[2] + len(weights) + blocks.shape[1]
)
def corners(tensor: Floats3, weights: Floats1, blocks: Floats2, kept: Floats2, left: Floats2, y0: int, y1: int) -> None:
    """Fill rows with each cell's kept share, 0..1.

    kept: maximum in faces; without rows if none.
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
    """Mix strokes (5, H, W; height, cover last) into rows, except at kept cells."""


@kernel(scratch=lambda light, broad, weights, relief, thick, y0, y1: light.shape[1] + len(weights))
def thickness(
    light: Floats2, broad: Floats2, weights: Floats1, relief: Floats1, thick: Floats2, y0: int, y1: int
) -> None:
    """Compute paint's thickness from luma and its mean."""


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
    """Compute heights in pixels of paint, and of canvas where paint is thin.

    strokes: from `mix`, or without rows. warp, weft: `relief.threads`. heights: margins' innermost pixels are filled
    too.
    """


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
    """Light a picture. to_light, from_light: tables of encoded and linear light."""


@kernel(scratch=lambda *_: 0)
def keep_painting(
    frame: Planes,
    styled: Planes,
    scale: int,
    source: Shorts3,
    clean: Floats3,
    fine: Shorts2,
    finite: Whole1,
    y0: int,
    y1: int,
) -> None:
    """Prepare rows of a network's input and output for neighbours.

    source: film in sixteenths of a code. clean, finite: see `take_painting`. fine: mean R' + 2 G' + B' in 8-bit
    codes.
    """


@kernel(scratch=lambda *_: 0)
def steady_motion(
    fine: Shorts2, cells: Shorts2, near_fine: Shorts2, near_cells: Shorts2, vectors: Whole3, y0: int, y1: int
) -> None:
    """Match rows of blocks in a neighbour, in pixels."""


@kernel(scratch=lambda *_: 0)
def match_confidence(fine: Shorts2, near_fine: Shorts2, vectors: Whole3, sure: Floats2, y0: int, y1: int) -> None:
    """Compute how well rows of blocks match, 0..1."""


@kernel(scratch=lambda *_: 0)
def sure_between(sure: Floats2, vectors: Whole3, made: Floats3, y0: int, y1: int) -> None:
    """Interpolate blocks' confidence at columns: middle rows and differences."""


@kernel(
    scratch=lambda own, other, painted, bad, vectors, sure, scale, per_likeness, total, weights, y0, y1: (
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
    y0: int,
    y1: int,
) -> None:
    """Add a neighbour's moved painting and weights.

    Args:
        own, other: films (3, H, W) in sixteenths of a code.
        painted, total: (3, H * scale, W * scale), weights alike.
        bad: 1 at non-finite values, or without rows.
        vectors: in pixels.
        sure: (3, rows of blocks, W).
    """
