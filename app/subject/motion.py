"""Motion between two small pictures of luma, by blocks, and masks carried along it."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

HALF = 2
"""Motion is found in pictures of half the side."""
BLOCK = 8
"""Samples a side of a block, of the halved picture."""
REACH = 3
"""Samples of the halved picture that a block is searched away: 1/27 of the frame's width between two frames."""
STILL = 1
"""Codes a sample by which the match in place is favoured: flat blocks stay."""

CUT = 20
"""Mean change of luma in codes, of means over blocks, from which two frames are of different shots."""
ALIKE = 0.6
"""Correlation of two pictures above which they are of one shot, whatever their change: a light that is switched."""


def is_cut(before: Bytes, after: Bytes) -> bool:
    """Return whether two successive frames, luma of (N, N), are of different shots."""
    side = HALF * BLOCK
    first, second = (_sums(picture, side) / side**2 for picture in (before, after))
    if float(np.abs(first - second).mean()) < CUT:
        return False
    first, second = first - first.mean(), second - second.mean()
    alike = float((first * second).sum()) / max(float(np.sqrt((first**2).sum() * (second**2).sum())), 1e-6)
    return alike < ALIKE


def motion(before: Bytes, after: Bytes) -> Floats | None:
    """Return where each block of `after` came from; None if nothing moved.

    All blocks are searched, wherever masks are: what is carried of one look must not depend on another one. Costs are
    whole numbers, so that the same motion is found on every processor.

    Args:
        before, after: luma of (N, N), N a multiple of 16.

    Returns: (2, N / 16, N / 16), samples down and across of the pictures given, from a place in `after` to its place in
    `before`.
    """
    here, there = (((_sums(picture, HALF) + 2) >> 2).astype(np.uint8) for picture in (after, before))
    if (np.maximum(here, there) - np.minimum(here, there)).max() <= STILL:
        return None
    steps, count = 2 * REACH + 1, len(here) // BLOCK
    costs = _differences(here, np.pad(there, REACH, "edge"), steps, count).astype(np.int32)
    costs[REACH, REACH] -= STILL * BLOCK**2
    best = costs.reshape(steps * steps, -1).argmin(0)
    y, x = np.divmod(best, steps)
    blocks = np.arange(len(best))
    found = np.stack([y - REACH + _parabola(costs[:, x, blocks], y), x - REACH + _parabola(costs[y, :, blocks].T, x)])
    found[:, (y == REACH) & (x == REACH)] = 0.0
    way: Floats = (found * HALF).reshape(2, count, count).astype(np.float32)
    return way


def _differences(here: Bytes, there: Bytes, steps: int, count: int) -> npt.NDArray[np.uint16]:
    """(steps, steps, blocks): sums over each block of how far its samples are from those so many rows and columns on.

    there: REACH wider than `here` at each side.
    """
    moved = np.lib.stride_tricks.sliding_window_view(there, here.shape)
    sums = np.zeros((steps, steps, count, here.shape[1]), np.uint16)
    for k in range(BLOCK):
        other, own = moved[:, :, k::BLOCK], here[k::BLOCK]
        sums += np.maximum(other, own) - np.minimum(other, own)
    while sums.shape[-1] > count:
        sums = sums[..., ::2] + sums[..., 1::2]
    return sums.reshape(steps, steps, -1)


def carried(masks: Floats, way: Floats) -> Floats:
    """Return masks (n, N, N) carried along the motion that `motion` found."""
    side = masks.shape[-1]
    moved = np.zeros_like(masks)
    rows, columns = _around(masks.max((0, 2))), _around(masks.max((0, 1)))
    grid = np.arange(side, dtype=np.float32)
    spread_y, spread_x = (_spread(part, side)[rows, columns] for part in way)
    y, x = np.clip(grid[rows, None] + spread_y, 0, side - 1), np.clip(grid[columns] + spread_x, 0, side - 1)
    top, left = np.minimum(y.astype(np.intp), side - 2), np.minimum(x.astype(np.intp), side - 2)
    down, over = y - top, x - left
    first = top * side + left
    for mask, result in zip(masks.reshape(len(masks), -1), moved, strict=True):
        if mask.any():
            upper = mask.take(first)
            upper += over * (mask.take(first + 1) - upper)
            lower = mask.take(first + side)
            lower += over * (mask.take(first + side + 1) - lower)
            result[rows, columns] = upper + down * (lower - upper)
    return moved


def _around(inside: Floats) -> slice:
    """From the first to the last place that is inside, and as far beyond as anything is carried."""
    places, reach = np.flatnonzero(inside), HALF * (REACH + 1)
    return slice(max(0, int(places[0]) - reach), int(places[-1]) + reach + 1) if places.size else slice(0)


def _sums(picture: Bytes, side: int) -> npt.NDArray[np.uint16]:
    """Sums over squares of `side` samples a side, 16 at most."""
    sums: npt.NDArray[np.uint16] = picture.astype(np.uint16)
    for _axis in range(2):
        sums = np.add.reduce([sums[k::side] for k in range(side)]).T
    return np.ascontiguousarray(sums)


def _parabola(costs: npt.NDArray[np.int32], best: npt.NDArray[np.intp]) -> Floats:
    """(blocks,): how far beside the best step the least cost lies, -0.5..0.5. costs: (steps, blocks)."""
    blocks = np.arange(costs.shape[1])
    inner = np.clip(best, 1, len(costs) - 2)
    low, middle, high = (costs[inner + step, blocks] for step in (-1, 0, 1))
    bend = low + high - 2 * middle
    away = np.where(bend > 0, 0.5 * (low - high) / np.maximum(bend, 1), 0.0)
    away = np.where(best == inner, np.clip(away, -0.5, 0.5), 0.0)
    return away.astype(np.float32)


def _spread(blocks: Floats, side: int) -> Floats:
    """Values of blocks at each of (side, side) places, linear between their middles."""
    weights = _weights(len(blocks), side)
    spread: Floats = np.matmul(np.matmul(weights, blocks), weights.T)
    return spread


@cache
def _weights(count: int, side: int) -> Floats:
    """(side, count): what each of some blocks in a row counts at each of some places."""
    places = np.clip((np.arange(side) + 0.5) * count / side - 0.5, 0, count - 1)
    away = np.abs(places[:, None] - np.arange(count)[None, :])
    weights: Floats = np.maximum(1.0 - away, 0.0).astype(np.float32)
    return weights
