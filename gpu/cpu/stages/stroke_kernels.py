"""Kernels in C for strokes, from row y0 to y1.

Pyramid levels are (4, rows, columns): R, G, B, luma of the film.
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
    Whole2,
    Whole3,
    kernel,
)


class Carried(NamedTuple):
    """Sizes for advection, in pixels. cell: in UNITS."""

    width: int
    height: int
    working_width: int
    working_height: int
    cell: int


class Steps(NamedTuple):
    """Numbers of a layer. half_steps: of a path, to each side. last: finest layer.

    first: 1 for the layer that is drawn everywhere.
    """

    half_steps: int
    colour_level: int
    around_level: int
    need_level: int
    direction_level: int
    first: int
    last: int
    width: int
    height: int


class LayerStrokes(NamedTuple):
    """Strokes of a layer in frame `place`, see `carry_strokes`."""

    homes: Whole2
    offsets: Shorts3
    looks: Whole3
    place: int


class LayerGuides(NamedTuple):
    """Planes for a layer's strokes. around: of surroundings."""

    need: Floats2
    level: Floats3
    around: Floats3
    direction: Floats3


@kernel(
    scratch=lambda painting, width, height, frame, film_columns, film_rows, level, y0, y1: (
        2 * film_columns + 6 * level.shape[2]
    )
)
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
    """Compute the first pyramid level, with the film's luma."""


@kernel(scratch=lambda *_: 0)
def next_level(level: Floats3, made: Floats3, y0: int, y1: int) -> None:
    """Compute the next pyramid level by means."""


@kernel(scratch=lambda *_: 0)
def stroke_need(fine: Floats3, coarse: Floats3, need: Floats2, y0: int, y1: int) -> None:
    """Compute a level's difference from the next coarser."""


@kernel(scratch=lambda level, tensor, y0, y1: 6 * (level.shape[2] + 2))
def stroke_tensor(level: Floats3, tensor: Floats3, y0: int, y1: int) -> None:
    """Compute a level's structure tensor (gx² - gy², 2 gx gy)."""


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
    """Compute directions from three structure tensors, or a map.

    maps: `gpu.stages.strokes.brush_maps.planes`. down, across: steps in frame sizes.
    """


@kernel(scratch=lambda *_: 0)
def film_levels(frame: Planes, fine: Shorts2, y0: int, y1: int) -> None:
    """Compute R' + 2 G' + B' in 8-bit codes."""


@kernel(scratch=lambda *_: 0)
def film_cells(fine: Shorts2, side: int, cells: Shorts2, y0: int, y1: int) -> None: ...


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
    """Match rows of blocks in the next frame.

    (4, rows, columns): y, x in UNITS, cost, flags.
    """


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
    """Settle block motion with the camera's, in UNITS."""


@kernel(scratch=lambda *_: 0)
def agree_motion(
    fine: Shorts2, next_fine: Shorts2, vectors: Whole3, step: int, agreed: Whole3, y0: int, y1: int
) -> None:
    """Make adjacent blocks' motion agree. step: in UNITS."""


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
    """Advect a layer's strokes, and mark covered cells.

    before, after: offsets (cells, slots, 2) in UNITS. remembered, looks: samples. fresh: 1 to begin anew.
    """


@kernel(scratch=lambda *_: 0)
def fill_gaps(homes: Whole2, place: int, cell: int, covered: Bytes2, after: Shorts3, y0: int, y1: int) -> None:
    """Start strokes in bare cells of a layer."""


@kernel(scratch=lambda *_: 0)
def look_at_painting(
    homes: Whole2,
    offsets: Shorts3,
    guides: LayerGuides,
    steps: Steps,
    per_need: float,
    looks: Whole3,
    y0: int,
    y1: int,
) -> None:
    """Sample the painting for a layer's strokes."""


@kernel(scratch=lambda *_: 0)
def pick_strokes(
    strokes: LayerStrokes,
    maps: Floats3,
    need: Floats2,
    steps: Steps,
    per_need: float,
    reach: float,
    width: int,
    height: int,
    picked: Whole1,
    shown: Floats1,
    y0: int,
    y1: int,
) -> None:
    """Pick cells' drawn strokes, a bit each. reach: in pixels.

    shown: shares (cells * slots).
    """


@kernel(scratch=lambda *_: 0)
def list_strokes(picked: Whole1, slots: int, listed: Whole1, y0: int, y1: int) -> None:
    """List picked strokes, bottom to top: count, cells and slots."""


@kernel(scratch=lambda *_: 0)
def trace_strokes(
    strokes: LayerStrokes,
    guides: LayerGuides,
    steps: Steps,
    shown: Floats1,
    brush: Floats1,
    width: float,
    length: float,
    listed: Whole1,
    first: int,
    drawn: Floats2,
    y0: int,
    y1: int,
) -> None:
    """Trace listed strokes to rows of `drawn` from `first`."""


PIXELS, EIGHT, BAND_PIXELS = 2048, 8, 262144
"""Pixels of a stroke that are drawn together, columns that are checked together, and pixels of a band of rows, as in
`strokes.c`."""


def band_floats(width: int, rows: int) -> int:
    """Return the floats for drawing rows."""
    columns = -(-width // EIGHT) * EIGHT
    band = min(max(BAND_PIXELS // columns, 1), rows)
    return 64 + 8 * band * columns + 6 * columns + -(-band * columns // 32)


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
    """Draw rows over the ground: red, green, blue, height, visible ground.

    mark: brush tip (MARK_ROWS, MARK_COLUMNS), without rows for hairs.
    """


@kernel(
    scratch=lambda drawn, count, brush, hair_px, noise, mark, ids, y0, y1: (
        9 * PIXELS + band_floats(ids.shape[1], y1 - y0)
    )
)
def stroke_numbers(
    drawn: Floats2,
    count: int,
    brush: Floats1,
    hair_px: float,
    noise: Floats1,
    mark: Floats2,
    ids: Whole2,
    y0: int,
    y1: int,
) -> None:
    """Find the uppermost stroke that covers half of each pixel.

    ids: rows of `drawn` from 1 on, 0 for none.
    """
