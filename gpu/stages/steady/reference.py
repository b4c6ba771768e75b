"""Reference of the temporal filter in whole numbers.

Frames are (3, H, W) R'G'B' at the working size, paintings at the network's output size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.stages.steady import (
    BLOCK_PX,
    CELL_PX,
    COARSE_CELLS,
    FINE_PX,
    LIKENESS_CODES,
    REST_BIAS,
    SAMPLES,
    SIXTEENTHS,
    STEP_BIAS,
    SURE_NOISE,
    SURE_SHARE,
    TOGETHER_PX,
    offsets,
)

Whole = npt.NDArray[np.int64]


class Painted(NamedTuple):
    """Frame (3, H, W) and its painting (3, H * scale, W * scale)."""

    source: Array
    styled: Array


def steadied(own: Painted, before: Sequence[Painted], after: Sequence[Painted], strength: float) -> Array:
    """Compute a frame's result, (3, H * scale, W * scale), 0..1.

    The mean of the frame's painting (weight 1) and the neighbours', moved along the motion, weighted by `weights` and
    `match_confidence`. Lost blocks are not followed further. Non-finite values remain in the own painting, and weigh 0
    in others. before, after: nearest first.
    """
    scale = own.styled.shape[1] // own.source.shape[1]
    total, weight = np.clip(own.styled, 0.0, 1.0), np.ones(own.styled.shape[1:])
    for side in (before, after):
        last, vectors, sure = own, np.zeros((2, *_grid(own.source)), np.int64), np.ones(_grid(own.source))
        for near in side:
            vectors = followed(vectors, motion(levels(last), levels(near)))
            sure = np.minimum(sure, match_confidence(levels(own), levels(near), vectors))
            here = weights(own.source, near.source, vectors, strength)
            here = enlarged(here * between_blocks(sure, vectors, here.shape), scale)
            painted = moved(near.styled, vectors, scale)
            here = np.where(np.isfinite(painted).all(axis=0), here, 0.0)
            total = total + here * np.where(here > 0.0, np.clip(painted, 0.0, 1.0), 0.0)
            weight = weight + here
            last = near
    return np.where(np.isfinite(own.styled), total / weight, own.styled)


def motion(own: Whole, near: Whole) -> Whole:
    """Find each block in a neighbour; return vectors (2, rows, columns) in pixels.

    Tried in turn: whole cells, pixels around the best, rest; each must be better. own, near: `levels`.
    """
    places: Whole = np.mgrid[0 : -(-own.shape[0] // BLOCK_PX), 0 : -(-own.shape[1] // BLOCK_PX)]
    still = np.zeros_like(places)
    corners = (places * BLOCK_PX - (SAMPLES * CELL_PX - BLOCK_PX) // 2) // CELL_PX
    coarse, _ = search((cells(own), cells(near)), corners, still, COARSE_CELLS)
    corners, step = places * BLOCK_PX, BLOCK_PX // SAMPLES
    found, cost = search((own, near), corners, coarse * CELL_PX, FINE_PX, step)
    _, resting = search((own, near), corners, still, 0, step)
    vectors: Whole = np.where(cost + REST_BIAS < resting, found, 0)
    return vectors


def followed(vectors: Whole, on: Whole) -> Whole:
    """Concatenate vectors with those at the block's new middle."""
    rows, columns = vectors.shape[1:]
    y, x = np.mgrid[0:rows, 0:columns] + (vectors + BLOCK_PX // 2) // BLOCK_PX
    there: Whole = vectors + on[:, np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)]
    return there


def match_confidence(own: Whole, near: Whole, vectors: Whole) -> Array:
    """Return how well blocks match, (rows, columns), 0..1.

    Differences are compared with both blocks' deviations from their means.
    """
    places = np.mgrid[0 : vectors.shape[1], 0 : vectors.shape[2]] * BLOCK_PX
    corners = places[:, :, :, None, None] + BLOCK_PX // SAMPLES * np.mgrid[0:SAMPLES, 0:SAMPLES][:, None, None]
    ours, theirs = at(own, corners), at(near, corners + vectors[:, :, :, None, None])
    difference = np.abs(ours - theirs).sum(axis=(2, 3))
    variation = SURE_NOISE + deviation(ours) + deviation(theirs)
    sure: Array = np.clip(2.0 - difference / (SURE_SHARE * variation), 0.0, 1.0)
    return sure


def deviation(samples: Whole) -> Whole:
    means = (samples.sum(axis=(2, 3), keepdims=True) + SAMPLES**2 // 2) // SAMPLES**2
    deviation: Whole = np.abs(samples - means).sum(axis=(2, 3))
    return deviation


def between_blocks(sure: Array, vectors: Whole, size: tuple[int, ...]) -> Array:
    """Interpolate `match_confidence` between block middles, (H, W).

    Adjacent blocks that move differently count as its negative.
    """
    y, x = (np.expand_dims(np.arange(length), 1 - axis) for axis, length in enumerate(size))
    row, column = y // BLOCK_PX, x // BLOCK_PX
    far_y, far_x = ((place % BLOCK_PX + 0.5) / BLOCK_PX - 0.5 for place in (y, x))
    beside = np.clip(row + np.sign(far_y), 0, sure.shape[0] - 1).astype(np.int64)
    next_ = np.clip(column + np.sign(far_x), 0, sure.shape[1] - 1).astype(np.int64)
    found = np.zeros(size)
    for rows, part_y in ((row, 1.0 - np.abs(far_y)), (beside, np.abs(far_y))):
        for columns, part_x in ((column, 1.0 - np.abs(far_x)), (next_, np.abs(far_x))):
            apart = np.abs(vectors[:, rows, columns] - vectors[:, row, column]).sum(axis=0)
            found += part_y * part_x * np.where(apart > TOGETHER_PX, -sure[row, column], sure[rows, columns])
    return np.maximum(found, 0.0)


def _grid(source: Array) -> tuple[int, int]:
    return -(-source.shape[1] // BLOCK_PX), -(-source.shape[2] // BLOCK_PX)


def sixteenths(rgb: Array) -> Whole:
    """Convert R'G'B' to sixteenths of an 8-bit code."""
    found: Whole = np.floor(255.0 * SIXTEENTHS * rgb + 0.5).astype(np.int64)
    return found


def levels(frame: Painted) -> Whole:
    """Return the mean `luma` of source and painting; 0 for non-finite."""
    scale = frame.styled.shape[1] // frame.source.shape[1]
    painted = frame.styled[:, scale // 2 :: scale, scale // 2 :: scale]
    clean = np.clip(np.where(np.isfinite(painted), painted, 0.0), 0.0, 1.0)
    found: Whole = (luma(frame.source) + luma(clean) + 1) // 2
    return found


def luma(rgb: Array) -> Whole:
    """Return R' + 2 G' + B' in 8-bit codes, 0..1020."""
    found: Whole = np.floor(255.0 * (rgb[0] + 2.0 * rgb[1] + rgb[2]) + 0.5).astype(np.int64)
    return found


def cells(plane: Whole) -> Whole:
    """Return rounded means of cells, with the edge repeated."""
    height, width = plane.shape
    whole = np.pad(plane, ((0, -height % CELL_PX), (0, -width % CELL_PX)), "edge")
    sums: Whole = whole.reshape(whole.shape[0] // CELL_PX, CELL_PX, -1, CELL_PX).sum(axis=(1, 3))
    means: Whole = (sums + CELL_PX**2 // 2) // CELL_PX**2
    return means


def search(
    planes: tuple[Whole, Whole], corners: Whole, around: Whole, reach: int, step: int = 1
) -> tuple[Whole, Whole]:
    """Find each block's best vector within `reach` of `around`, and its cost.

    corners: (2, rows, columns), of compared squares.
    """
    places = corners[:, :, :, None, None] + step * np.mgrid[0:SAMPLES, 0:SAMPLES][:, None, None]
    ours = at(planes[0], places)
    best, found = np.full(around.shape[1:], np.iinfo(np.int64).max), around.copy()
    for y, x in offsets(reach):
        vector = around + np.array([y, x])[:, None, None]
        cost = np.abs(ours - at(planes[1], places + vector[:, :, :, None, None])).sum(axis=(2, 3))
        cost += STEP_BIAS * (abs(y) + abs(x))
        better = cost < best
        best = np.where(better, cost, best)
        found = np.where(better, vector, found)
    return found, best


def at(plane: Whole, places: Whole) -> Whole:
    samples: Whole = plane[np.clip(places[0], 0, plane.shape[0] - 1), np.clip(places[1], 0, plane.shape[1] - 1)]
    return samples


def moved(picture: npt.NDArray[Any], vectors: Whole, scale: int = 1) -> npt.NDArray[Any]:
    """Move a neighbour's picture along its blocks' vectors."""
    height, width = picture.shape[1:]
    y, x = np.mgrid[0:height, 0:width]
    here = vectors[:, y // (scale * BLOCK_PX), x // (scale * BLOCK_PX)]
    found: npt.NDArray[Any] = picture[
        :, np.clip(y + scale * here[0], 0, height - 1), np.clip(x + scale * here[1], 0, width - 1)
    ]
    return found


def weights(own: Array, near: Array, vectors: Whole, strength: float) -> Array:
    """Return the sources' agreement along the motion, (H, W), 0..1.

    1 for differences to T / 2 codes, 0 from T; a difference is the mean over 3x3 pixels, or half the pixel's if larger.
    """
    limit = LIKENESS_CODES * strength
    if not limit:
        return np.zeros(own.shape[1:])
    here = sixteenths(own)
    difference = np.abs(here - moved(sixteenths(near), vectors)).max(axis=0) / SIXTEENTHS
    height, width = difference.shape
    around = np.pad(difference, 1, "edge")
    mean = sum(around[y : y + height, x : x + width] for y in range(3) for x in range(3)) / 9.0
    weight: Array = np.clip((limit - np.maximum(mean, difference / 2.0)) / (limit / 2.0), 0.0, 1.0)
    return weight


def enlarged(plane: Array, scale: int) -> Array:
    """Repeat each sample at the network's output size."""
    return plane.repeat(scale, axis=0).repeat(scale, axis=1)
