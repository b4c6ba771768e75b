"""Strokes on the CPU, as kernels of `strokes.c` in `gpu/cpu/kernels`. The reference is `gpu.stages.strokes.reference`.

Levels of the painting's pyramid are (4, rows, columns): red, green, blue, and the luma of the film. Homes and offsets
of strokes are those of one layer (`gpu.stages.strokes`).
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
    Whole2,
    Whole3,
    kernel,
)


class Carried(NamedTuple):
    """Sizes that strokes are carried in, in pixels; cell: side of a cell, in UNITS."""

    width: int
    height: int
    working_width: int
    working_height: int
    cell: int


class Steps(NamedTuple):
    """A layer's numbers. half_steps: of a path, to either side. colour_level, around_level, need_level,
    direction_level: of the pyramids that are read. first: 1 for the layer that is drawn everywhere. last: index of
    the finest layer. width, height: of the target."""

    half_steps: int
    colour_level: int
    around_level: int
    need_level: int
    direction_level: int
    first: int
    last: int
    width: int
    height: int


@kernel(scratch=lambda painting, width, height, frame, film_columns, film_rows, level, y0, y1: 2 * film_columns)
def first_level(
    painting: Planes,
    width: int,
    height: int,
    frame: Planes,
    film_columns: int,
    film_rows: int,
    level: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Rows of the first level: means of 2x2 pixels of a painting of that width and height, and the luma of the film,
    which so many columns and rows of a network's input show."""


@kernel(scratch=lambda *_: 0)
def next_level(level: Floats3, made: Floats3, y0: int, y1: int) -> None:
    """Rows of the next level of a pyramid: means of 2x2 samples."""


@kernel(scratch=lambda *_: 0)
def stroke_need(fine: Floats3, coarse: Floats3, need: Floats2, y0: int, y1: int) -> None:
    """Rows of what a level says that the one above it does not, as means of 2x2 of its samples."""


@kernel(scratch=lambda level, tensor, y0, y1: 6 * (level.shape[2] + 2))
def stroke_tensor(level: Floats3, tensor: Floats3, y0: int, y1: int) -> None:
    """Rows of the structure tensor (gx² - gy², 2 gx gy) of a level."""


@kernel(scratch=lambda *_: 0)
def stroke_direction(
    near: Floats3,
    far: Floats3,
    farther: Floats3,
    maps: Floats3,
    down: float,
    across: float,
    made: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Rows of the structure tensor near each of its samples, and that of wide surroundings, two and four levels up; or
    that of a map of directions. maps: `gpu.stages.strokes.maps.planes`. down, across: from row to row and from column
    to column, in heights and widths of the frame."""


@kernel(scratch=lambda *_: 0)
def film_levels(frame: Planes, fine: Shorts2, y0: int, y1: int) -> None:
    """Rows of R' + 2 G' + B' in codes of 8 bits."""


@kernel(scratch=lambda *_: 0)
def film_cells(fine: Shorts2, side: int, cells: Shorts2, y0: int, y1: int) -> None:
    """Rows of their means over cells of so many a side, rounded."""


@kernel(scratch=lambda *_: 0)
def film_motion(
    fine: Shorts2,
    cells: Shorts2,
    far_cells: Shorts2,
    next_fine: Shorts2,
    next_cells: Shorts2,
    next_far_cells: Shorts2,
    found: Whole3,
    y0: int,
    y1: int,
) -> None:
    """Rows of blocks as they are found in the next frame, (4, rows, columns): y and x in UNITS, what that costs, and
    DISTINCT, MOVES, LOST."""


@kernel(scratch=lambda *_: 0)
def settle_motion(
    fine: Shorts2,
    next_fine: Shorts2,
    found: Whole3,
    camera_y: int,
    camera_x: int,
    vectors: Whole3,
    y0: int,
    y1: int,
) -> None:
    """Rows of blocks: where each goes in the next frame, (2, rows, columns), y and x in UNITS. camera_y, camera_x:
    where the camera goes."""


@kernel(scratch=lambda *_: 0)
def agree_motion(
    fine: Shorts2, next_fine: Shorts2, vectors: Whole3, step: int, agreed: Whole3, y0: int, y1: int
) -> None:
    """Rows of blocks: where each goes that agrees better with those beside it, (2, rows, columns), by so many UNITS
    more or less."""


@kernel(scratch=lambda *_: 0)
def carry_strokes(
    homes: Whole2,
    motion: Whole3,
    sizes: Carried,
    place: int,
    fresh: int,
    before: Shorts3,
    after: Shorts3,
    remembered: Whole3,
    looks: Whole3,
    covered: Bytes2,
    y0: int,
    y1: int,
) -> None:
    """Cells of a layer: how far from home its strokes are, which the film has carried from where they were before, and
    which cells of the layer are covered. before, after: (cells, slots, 2) in UNITS. remembered, looks: (cells, slots,
    4), what strokes remember (`gpu.stages.strokes.looks`) before and after. fresh: 1 where all begin anew."""


@kernel(scratch=lambda *_: 0)
def fill_gaps(homes: Whole2, place: int, cell: int, covered: Bytes2, after: Shorts3, y0: int, y1: int) -> None:
    """Cells of a layer: a stroke is born where a cell is bare when it looks."""


@kernel(scratch=lambda *_: 0)
def look_at_painting(
    homes: Whole2,
    offsets: Shorts3,
    need: Floats2,
    level: Floats3,
    around: Floats3,
    direction: Floats3,
    steps: Steps,
    per_need: float,
    looks: Whole3,
    y0: int,
    y1: int,
) -> None:
    """Cells of a layer: its strokes look at the painting and remember the mean of their looks."""


@kernel(scratch=lambda *_: 0)
def pick_strokes(
    homes: Whole2,
    offsets: Shorts3,
    looks: Whole3,
    place: int,
    maps: Floats3,
    need: Floats2,
    steps: Steps,
    per_need: float,
    reach: float,
    width: int,
    height: int,
    picked: Whole1,
    y0: int,
    y1: int,
) -> None:
    """Cells of a layer: a bit for each stroke that is drawn, those that grow or shrink before those that are grown.
    reach: how far outside of the picture they are seen, in pixels."""


@kernel(scratch=lambda *_: 0)
def list_strokes(picked: Whole1, slots: int, listed: Whole1, y0: int, y1: int) -> None:
    """How many strokes are picked, and of as many as fit, bottom to top, the cell and the slot."""


@kernel(scratch=lambda *_: 0)
def trace_strokes(
    homes: Whole2,
    offsets: Shorts3,
    looks: Whole3,
    place: int,
    maps: Floats3,
    need: Floats2,
    level: Floats3,
    around: Floats3,
    direction: Floats3,
    steps: Steps,
    per_need: float,
    brush: Floats1,
    width: float,
    length: float,
    listed: Whole1,
    first: int,
    drawn: Floats2,
    y0: int,
    y1: int,
) -> None:
    """Listed strokes of a layer, as they are drawn: rows of `drawn` from `first` on. brush: its FIGURES."""


PIXELS, EIGHT, BAND_PIXELS = 2048, 8, 262144
"""Pixels of a stroke that are drawn together, columns that are looked at together, and pixels of a band of rows: as
`strokes.c` has them."""


def band_floats(width: int, rows: int) -> int:
    """What so many rows take to be drawn: of each row of a band 2 floats, six rows, and of each pixel of a band 8
    floats and a bit."""
    columns = -(-width // EIGHT) * EIGHT
    band = min(max(BAND_PIXELS // columns, 1), rows)
    return band * (8 * columns + 2) + 6 * columns + -(-band * columns // 32)


@kernel(
    scratch=lambda drawn, count, painting, ground, ground_level, brush, hair_px, noise, mark, made, y0, y1: (
        9 * PIXELS + band_floats(made.shape[2], y1 - y0)
    )
)
def draw_strokes(
    drawn: Floats2,
    count: int,
    painting: Planes,
    ground: Floats3,
    ground_level: int,
    brush: Floats1,
    hair_px: float,
    noise: Floats1,
    mark: Floats2,
    made: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Rows of a picture of strokes over a level of the painting's pyramid: (5, H, W), red, green, blue, the height of
    the paint, and how much of the ground is seen. mark: (MARK_ROWS, MARK_COLUMNS), or of no rows where strokes have
    hairs."""
