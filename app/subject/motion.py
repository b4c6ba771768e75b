"""Motion between two small pictures of luma, by blocks, and masks carried along it."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

HALF = 2
"""Motion is found in pictures of half the side."""
BLOCK = 8
"""Samples a side of a block, of the halved picture."""
REACH = 3
"""Samples of the halved picture that a block is searched away: 1/27 of the frame's width between two frames."""
STILL = 0.004
"""What the match in place is favoured by, in luma a sample: flat blocks stay."""

CUT = 0.08
"""Mean change of luma, of means over blocks, from which two frames are of different shots."""
ALIKE = 0.6
"""Correlation of two pictures above which they are of one shot, whatever their change: a light that is switched."""


def is_cut(before: Floats, after: Floats) -> bool:
    """Return whether two successive frames, (N, N) luma 0..1, are of different shots."""
    first, second = (_means(picture, HALF * BLOCK) for picture in (before, after))
    if float(np.abs(first - second).mean()) < CUT:
        return False
    first, second = first - first.mean(), second - second.mean()
    alike = float((first * second).sum()) / max(float(np.sqrt((first**2).sum() * (second**2).sum())), 1e-6)
    return alike < ALIKE


def motion(before: Floats, after: Floats) -> Floats | None:
    """Return where each block of `after` came from; None if nothing moved.

    All blocks are searched, wherever masks are: what is carried of one look must not depend on another one.

    Args:
        before, after: (N, N), luma 0..1.

    Returns: (2, N / 16, N / 16), samples down and across of the pictures given, from a place in `after` to its place in
    `before`.
    """
    small, other = _means(after, HALF), _means(before, HALF)
    if float(np.abs(small - other).max()) < STILL:
        return None
    steps, count = 2 * REACH + 1, len(small) // BLOCK
    place = np.pad(other, REACH, "edge")
    away = np.abs(np.lib.stride_tricks.sliding_window_view(place, small.shape) - small)
    along = away.reshape(-1, count * BLOCK) @ np.repeat(np.eye(count, dtype=np.float32), BLOCK, 0)
    costs = along.reshape(steps * steps, count, BLOCK, count).sum(2).reshape(steps, steps, -1) / np.float32(BLOCK**2)
    costs[REACH, REACH] -= STILL
    best = costs.reshape(steps * steps, -1).argmin(0)
    y, x = np.divmod(best, steps)
    blocks = np.arange(len(best))
    found = np.stack([y - REACH + _parabola(costs[:, x, blocks], y), x - REACH + _parabola(costs[y, :, blocks].T, x)])
    found[:, (y == REACH) & (x == REACH)] = 0.0
    way: Floats = (found * HALF).reshape(2, count, count).astype(np.float32)
    return way


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


def _means(picture: Floats, side: int) -> Floats:
    """Means over blocks of `side` samples a side."""
    count = len(picture) // side
    sums: Floats = picture.reshape(count, side, -1).sum(1).reshape(count, count, side).sum(2)
    means: Floats = sums / np.float32(side * side)
    return means


def _parabola(costs: Floats, best: npt.NDArray[np.intp]) -> Floats:
    """(blocks,): how far beside the best step the least cost lies, -0.5..0.5. costs: (steps, blocks)."""
    blocks = np.arange(costs.shape[1])
    inner = np.clip(best, 1, len(costs) - 2)
    low, middle, high = (costs[inner + step, blocks] for step in (-1, 0, 1))
    bend = low + high - 2 * middle
    away = np.where(bend > 1e-6, 0.5 * (low - high) / np.maximum(bend, 1e-6), 0.0)
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
