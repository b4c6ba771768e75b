"""Brush and relief on the CPU, as kernels over rows y0 to y1 of a picture, or of its cells: those of `brush.c` and
`relief.c` in `gpu/cpu/kernels`. The references are `gpu.reference.brush` and `gpu.reference.relief`.

A picture is (3, H + 2 margin, W + 2 margin), so that no loop has to check whether a sample is inside it.
"""

from __future__ import annotations

from typing import NamedTuple

from framebrush.gpu.cpu.native import Bytes2, Floats1, Floats2, Floats3, Planes, Whole1, Whole2, Whole4, kernel


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


class Samples(NamedTuple):
    """Of a line through a pixel. offsets: (DIRECTIONS, n), of the sample in the middle and then of those to one side of
    it, in samples of a plane in memory. weights: (n,)."""

    offsets: Whole2
    weights: Floats1


class Ways(NamedTuple):
    """Where bristles look up their noise. far: (2, 2, rows, columns), how far away, for both ways y and x, at the
    middle of a block. down, over: (3, H) and (3, W), for each pixel the two blocks that it lies between, and its share
    of the second, in BLOCK_PX. rows, columns: in the noise, for y and x plus how far away."""

    far: Whole4
    down: Whole2
    over: Whole2
    rows: Whole1
    columns: Whole1


@kernel(scratch=lambda picture, margin, y0, y1: 0)
def repeat_edge(picture: Floats3, margin: int, y0: int, y1: int) -> None:
    """Fill the margins beside rows; those above the first row, and below the last, with it."""


@kernel(scratch=lambda picture, grid, light, y0, y1: light.shape[1] * grid.cell_px)
def cell_means(picture: Floats3, grid: Grid, light: Floats2, y0: int, y1: int) -> None:
    """Mean luma of rows of cells."""


@kernel(scratch=lambda plane, weights, made, y0, y1: plane.shape[1] + len(weights))
def blur(plane: Floats2, weights: Floats1, made: Floats2, y0: int, y1: int) -> None:
    """Rows of a plane of cells, smoothed."""


@kernel(scratch=lambda light, weights, tensor, y0, y1: (2 * len(weights) + 1) * light.shape[1] + len(weights))
def structure_tensor(light: Floats2, weights: Floats1, tensor: Floats3, y0: int, y1: int) -> None:
    """Its two components gx² - gy² and 2 gx gy for rows of cells, smoothed, plus what is added where the picture is
    flat."""


@kernel(scratch=lambda cells, grid, made, y0, y1: cells.shape[1])
def enlarge(cells: Floats2, grid: Grid, made: Floats2, y0: int, y1: int) -> None:
    """Rows of a plane of cells at the size of the picture, with its margins."""


@kernel(
    scratch=lambda picture, tensor, grid, samples, directions, made, y0, y1: tensor.shape[2] + 2 * directions.shape[1]
)
def mean_along(
    picture: Floats3, tensor: Floats3, grid: Grid, samples: Samples, directions: Bytes2, made: Floats3, y0: int, y1: int
) -> None:
    """The weighted mean of the samples on the line through each pixel in its direction, which is found first."""


@kernel(scratch=lambda picture, directions, light, far, offsets, margin, made, y0, y1: 0)
def sharpen(
    picture: Floats3,
    directions: Bytes2,
    light: Floats2,
    far: Whole2,
    offsets: Whole2,
    margin: int,
    made: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Towards the darkest pixel across the direction where smoothed luma is a valley, towards the lightest where it is
    a ridge. light: that luma, with margins. far: (DIRECTIONS, 1), how far across its second difference reaches.
    offsets: of the samples to one side."""


@kernel(scratch=lambda frame, columns, rows, tensor, y0, y1: 3 * columns)
def corner_structure(frame: Planes, columns: int, rows: int, tensor: Floats3, y0: int, y1: int) -> None:
    """Rows of cells of the structure tensor, xx, xy and yy, of a network's input that shows so many columns and rows of
    pixels."""


@kernel(scratch=lambda tensor, weights, left, y0, y1: 4 * tensor.shape[2] + len(weights))
def corners(tensor: Floats3, weights: Floats1, left: Floats2, y0: int, y1: int) -> None:
    """Rows of what is left of each cell as it is, 0..1."""


@kernel(scratch=lambda before, strength, left, down, across, margin, picture, y0, y1: left.shape[1])
def mix(
    before: Floats3,
    strength: float,
    left: Floats2,
    down: Places,
    across: Places,
    margin: int,
    picture: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Rows of a brushed picture, with what it was before where cells are left as they are, and so much everywhere."""


@kernel(scratch=lambda light, broad, weights, thick, y0, y1: light.shape[1] + len(weights))
def thickness(light: Floats2, broad: Floats2, weights: Floats1, thick: Floats2, y0: int, y1: int) -> None:
    """How thick paint is in rows of cells, by how far luma lies from its broad mean around each."""


@kernel(
    scratch=lambda tensor, grid, noise, samples, ways, first, made, y0, y1: (
        tensor.shape[2] + 5 * ways.over.shape[1] + 2 * ways.far.shape[3]
    )
)
def bristles(
    tensor: Floats3,
    grid: Grid,
    noise: Floats1,
    samples: Samples,
    ways: Ways,
    first: float,
    made: Floats2,
    y0: int,
    y1: int,
) -> None:
    """Noise averaged along the strokes, looked up where both ways lead. first: the weight of the first one. made: with
    margins."""


@kernel(
    scratch=lambda picture, broad, thick, grid, height, ground, warp, weft, heights, y0, y1: (
        broad.shape[1] + 2 * warp.shape[1]
    )
)
def raise_paint(
    picture: Floats3,
    broad: Floats2,
    thick: Floats2,
    grid: Grid,
    height: float,
    ground: float,
    warp: Floats2,
    weft: Floats2,
    heights: Floats2,
    y0: int,
    y1: int,
) -> None:
    """Heights in pixels, of paint with the bristles that they are before, and of the canvas where paint is thin. warp,
    weft: of `relief.threads` along x and y. heights: with margins, of which one pixel to each side is filled."""


@kernel(scratch=lambda heights, lamp, gleam, rest, to_light, from_light, margin, picture, y0, y1: 4 * picture.shape[2])
def shine(
    heights: Floats2,
    lamp: Floats2,
    gleam: float,
    rest: float,
    to_light: Floats1,
    from_light: Floats1,
    margin: int,
    picture: Floats3,
    y0: int,
    y1: int,
) -> None:
    """A picture under the lamp. lamp: (2, 3), the directions to it and half-way between it and the eye. gleam: its
    brightness. rest: what it is where the picture is level. to_light, from_light: between encoded and linear, 0..1."""
