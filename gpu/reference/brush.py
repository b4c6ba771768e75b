"""The float64 reference of the brush. The constants and what it is for: `gpu.stages.brush`.

Pictures are (3, H, W) encoded R'G'B' 0..1 at the target's size. Samples outside a picture are those of its edge.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.frame import Matrix
from framebrush.gpu.stages.brush import DIRECTIONS, GRAIN, PASSES, REST_TENSOR, SHARP, Line, Strokes

Whole = npt.NDArray[np.int64]


def brushed(painted: Array, strokes: Strokes) -> Array:
    """A painting (3, H, W) drawn out to strokes, at full strength."""
    picture = painted
    for _ in range(PASSES):
        directions = direction(picture, strokes)
        picture = along(picture, directions, strokes.along)
        picture = sharpened(picture, directions, strokes)
    return along(picture, direction(picture, strokes), strokes.finish)


def direction(picture: Array, strokes: Strokes) -> Whole:
    """(H, W), 0..DIRECTIONS - 1: the direction in which the picture changes least around each pixel.

    Along the smaller eigenvector of the structure tensor of `cells`, with Scharr's derivatives (H. Scharr, "Optimal
    Operators in Digital Image Processing", 2000), smoothed, and linear between the middles of cells.
    """
    gx, gy = derivatives(cells(picture, strokes))
    size = picture.shape[1:]
    parts = (gx * gx - gy * gy, 2.0 * gx * gy)
    x, y = (
        between_cells(smoothed(part, strokes.tensor_weights) + rest, strokes.cell_px, size)
        for part, rest in zip(parts, REST_TENSOR, strict=True)
    )
    found: Whole = np.floor(np.arctan2(y, x) * DIRECTIONS / (2.0 * np.pi) + 0.5 * DIRECTIONS + 0.5).astype(np.int64)
    return found % DIRECTIONS


def derivatives(plane: Array) -> tuple[Array, Array]:
    """Scharr's, of (H, W) along x and y, with the edge repeated."""
    light = np.pad(plane, 1, "edge")
    smooth_x = 3.0 * light[:, :-2] + 10.0 * light[:, 1:-1] + 3.0 * light[:, 2:]
    smooth_y = 3.0 * light[:-2] + 10.0 * light[1:-1] + 3.0 * light[2:]
    return (smooth_y[:, 2:] - smooth_y[:, :-2]) / 32.0, (smooth_x[2:] - smooth_x[:-2]) / 32.0


def along(picture: Array, directions: Whole, line: Line) -> Array:
    """The weighted mean of the samples on the line through each pixel in its direction, to both sides."""
    total = line.centre * picture
    for index, weight in enumerate(line.weights):
        offset = np.moveaxis(line.offsets[directions, index], -1, 0)
        total = total + weight * (_at(picture, offset) + _at(picture, -offset))
    return total


def sharpened(picture: Array, directions: Whole, strokes: Strokes) -> Array:
    """A shock filter (S. Osher and L. Rudin, "Feature-oriented image enhancement using shock filters", 1990) across the
    strokes: towards the darkest pixel of `strokes.across` where smoothed luma is a valley, towards the lightest where
    it is a ridge, in full where their luma is GRAIN apart. The nearer of two that are equal is taken, and the one
    before of two at the same distance."""
    across = (directions + DIRECTIONS // 2) % DIRECTIONS
    second = second_difference(smoothed(cells(picture, strokes), strokes.luma_weights), across, strokes)
    weight = np.clip(second / SHARP, -1.0, 1.0)
    sign = np.where(weight > 0.0, 1.0, -1.0)
    luma = luma_of(picture)
    best, found = sign * luma, picture
    for index in range(strokes.across.count):
        offset = np.moveaxis(strokes.across.offsets[across, index], -1, 0)
        for here in (offset, -offset):
            value = sign * _at(luma, here)
            better = value < best
            best = np.where(better, value, best)
            found = np.where(better, _at(picture, here), found)
    weight = np.abs(weight) * np.minimum((sign * luma - best) / GRAIN, 1.0)
    return picture + weight * (found - picture)


def second_difference(light: Array, across: Whole, strokes: Strokes) -> Array:
    """(H, W): of luma of cells, linear between their middles, at `strokes.far` to both sides of each pixel."""
    y, x = np.mgrid[: across.shape[0], : across.shape[1]]
    far = strokes.far[across]
    sides = (between(light, y + sign * far[..., 0], x + sign * far[..., 1], strokes.cell_px) for sign in (1, -1))
    return sum(sides, start=-2.0 * between(light, y, x, strokes.cell_px))


def luma_of(picture: Array) -> Array:
    """(H, W): luma of BT.709."""
    return np.tensordot(colour.luma_weights(Matrix.BT709), picture, axes=1)


def cells(picture: Array, strokes: Strokes) -> Array:
    """(rows, columns): mean luma of each cell."""
    return cell_means(luma_of(picture), strokes)


def cell_means(plane: Array, strokes: Strokes) -> Array:
    """(rows, columns): means of (H, W) over the cells, with the edge repeated to whole cells."""
    side, (height, width) = strokes.cell_px, plane.shape
    whole = np.pad(plane, ((0, -height % side), (0, -width % side)), "edge")
    means: Array = whole.reshape(whole.shape[0] // side, side, -1, side).mean(axis=(1, 3))
    return means


def smoothed(plane: Array, weights: Array) -> Array:
    """(rows, columns): the weighted mean along rows, then along columns."""
    radius = len(weights) // 2
    for axis in (1, 0):
        padded = np.pad(plane, [(radius, radius) if each == axis else (0, 0) for each in (0, 1)], "edge")
        shifted = (padded.take(np.arange(plane.shape[axis]) + index, axis) for index in range(len(weights)))
        plane = sum((weight * part for weight, part in zip(weights, shifted, strict=True)), start=np.zeros(plane.shape))
    return plane


def between_cells(plane: Array, cell_px: int, size: tuple[int, ...]) -> Array:
    """A plane of cells for each pixel of (H, W), linear between the middles of cells."""
    y, x = np.mgrid[: size[0], : size[1]]
    return between(plane, y, x, cell_px)


def between(plane: Array, y: Whole, x: Whole, cell_px: int) -> Array:
    """A plane of cells at whole pixels, which may lie outside."""
    value, low_weights = [], []
    for place, length in ((y, plane.shape[0]), (x, plane.shape[1])):
        position = (place + 0.5) / cell_px - 0.5
        low = np.floor(position)
        value.append([np.clip(low + step, 0, length - 1).astype(np.int64) for step in (0, 1)])
        low_weights.append(position - low)
    (top, bottom), (left, right) = value
    down, over = low_weights
    upper = plane[top, left] * (1.0 - over) + plane[top, right] * over
    lower = plane[bottom, left] * (1.0 - over) + plane[bottom, right] * over
    found: Array = upper * (1.0 - down) + lower * down
    return found


def _at(picture: Array, offset: Whole) -> Array:
    """The samples of (..., H, W) at each pixel plus its offset (2, H, W)."""
    height, width = picture.shape[-2:]
    y, x = np.mgrid[:height, :width] + offset
    found: Array = picture[..., np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return found
