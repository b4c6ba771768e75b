"""The float64 reference of the filter over time. The constants and what it is for: `gpu.steady`.

Motion is searched, and sources are compared, in whole numbers, so that every device finds the same. Frames are
(3, H, W) R'G'B' at the working size, paintings that at the network's output size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.steady import (
    BLOCK_PX,
    CELL_PX,
    COARSE_CELLS,
    FINE_PX,
    LIKENESS_CODES,
    REST_BIAS,
    SAMPLES,
    SIXTEENTHS,
    STEP_BIAS,
    offsets,
)

Whole = npt.NDArray[np.int64]


class Painted(NamedTuple):
    """A frame and its painting. source: (3, H, W), as the network gets it, without padding. styled: (3, H * scale,
    W * scale), the network's output."""

    source: Array
    styled: Array


def steadied(own: Painted, neighbours: Sequence[Painted], strength: float) -> Array:
    """The result of a frame: the mean of its painting, whose weight is 1, and of those of its neighbours, moved along
    the motion and weighted by `weights`, (3, H * scale, W * scale), within 0..1.

    Paintings are clipped to 0..1 first. NaN and infinity stay in a frame's own painting, and have no weight in that of
    a neighbour.
    """
    scale = own.styled.shape[1] // own.source.shape[1]
    total, weight = np.clip(own.styled, 0.0, 1.0), np.ones(own.styled.shape[1:])
    for near in neighbours:
        vectors = motion(own.source, near.source)
        here = enlarged(weights(own.source, near.source, vectors, strength), scale)
        painted = moved(near.styled, vectors, scale)
        here = np.where(np.isfinite(painted).all(axis=0), here, 0.0)
        total = total + here * np.where(here > 0.0, np.clip(painted, 0.0, 1.0), 0.0)
        weight = weight + here
    return np.where(np.isfinite(own.styled), total / weight, own.styled)


def motion(own: Array, near: Array) -> Whole:
    """Where each block of a frame is found in its neighbour: vectors (2, rows, columns), y and x in pixels.

    The neighbour's block is at the block's place plus the vector. First whole cells are tried, then pixels around the
    best, and at last whether it is better than no motion. Each step must be worth a bias, so that what is flat stays
    where it is.
    """
    fine, there = levels(own), levels(near)
    places: Whole = np.mgrid[0 : -(-own.shape[1] // BLOCK_PX), 0 : -(-own.shape[2] // BLOCK_PX)]
    still = np.zeros_like(places)
    corners = (places * BLOCK_PX - (SAMPLES * CELL_PX - BLOCK_PX) // 2) // CELL_PX
    coarse, _ = _search((cells(fine), cells(there)), corners, still, COARSE_CELLS)
    corners, step = places * BLOCK_PX, BLOCK_PX // SAMPLES
    found, cost = _search((fine, there), corners, coarse * CELL_PX, FINE_PX, step)
    _, resting = _search((fine, there), corners, still, 0, step)
    vectors: Whole = np.where(cost + REST_BIAS < resting, found, 0)
    return vectors


def sixteenths(rgb: Array) -> Whole:
    """(3, H, W), 0..4080: R'G'B' in sixteenths of a code of 8 bits."""
    found: Whole = np.floor(255.0 * SIXTEENTHS * rgb + 0.5).astype(np.int64)
    return found


def levels(rgb: Array) -> Whole:
    """(H, W), 0..1020: R' + 2 G' + B' in codes of 8 bits."""
    red, green, blue = sixteenths(rgb)
    found: Whole = (red + 2 * green + blue + SIXTEENTHS // 2) // SIXTEENTHS
    return found


def cells(plane: Whole) -> Whole:
    """Rounded means over the cells of a plane, whose edge is repeated to whole cells."""
    height, width = plane.shape
    whole = np.pad(plane, ((0, -height % CELL_PX), (0, -width % CELL_PX)), "edge")
    sums: Whole = whole.reshape(whole.shape[0] // CELL_PX, CELL_PX, -1, CELL_PX).sum(axis=(1, 3))
    means: Whole = (sums + CELL_PX**2 // 2) // CELL_PX**2
    return means


def _search(
    planes: tuple[Whole, Whole], corners: Whole, around: Whole, reach: int, step: int = 1
) -> tuple[Whole, Whole]:
    """The best vector of each block among those within a reach of `around`, and its cost.

    planes: of the frame and its neighbour, read with their edges repeated. corners: (2, rows, columns), of the squares
    that are compared. step: from sample to sample.
    """
    places = corners[:, :, :, None, None] + step * np.mgrid[0:SAMPLES, 0:SAMPLES][:, None, None]
    ours = _at(planes[0], places)
    best, found = np.full(around.shape[1:], np.iinfo(np.int64).max), around.copy()
    for y, x in offsets(reach):
        vector = around + np.array([y, x])[:, None, None]
        cost = np.abs(ours - _at(planes[1], places + vector[:, :, :, None, None])).sum(axis=(2, 3))
        cost += STEP_BIAS * (abs(y) + abs(x))
        better = cost < best
        best = np.where(better, cost, best)
        found = np.where(better, vector, found)
    return found, best


def _at(plane: Whole, places: Whole) -> Whole:
    samples: Whole = plane[np.clip(places[0], 0, plane.shape[0] - 1), np.clip(places[1], 0, plane.shape[1] - 1)]
    return samples


def moved(picture: npt.NDArray[Any], vectors: Whole, scale: int = 1) -> npt.NDArray[Any]:
    """A neighbour's picture (3, H * scale, W * scale) as the vectors of its blocks bring it to the frame's place."""
    height, width = picture.shape[1:]
    y, x = np.mgrid[0:height, 0:width]
    here = vectors[:, y // (scale * BLOCK_PX), x // (scale * BLOCK_PX)]
    found: npt.NDArray[Any] = picture[
        :, np.clip(y + scale * here[0], 0, height - 1), np.clip(x + scale * here[1], 0, width - 1)
    ]
    return found


def weights(own: Array, near: Array, vectors: Whole, strength: float) -> Array:
    """(H, W), 0..1: how alike the source is here and where the neighbour has it.

    1 where it differs by up to T / 2 codes, 0 from T on, straight between them. The difference of a pixel is that of
    the channel that differs most; what counts is its mean over 3x3 pixels, with the edge repeated, or half of the
    pixel's own where that is more: the corner of a shape is a single pixel.
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
    """(H, W) at the network's output size: each sample so many times a side."""
    return plane.repeat(scale, axis=0).repeat(scale, axis=1)
