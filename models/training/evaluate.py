"""Measures of a painting: woven grid and flicker."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
"""(3, H, W), encoded R'G'B' 0..1."""
Flow = NDArray[np.float32]
"""Motion (H, W, 2): distance across and down to each pixel's place in another frame."""

WINDOW_PX = 40
DETAIL_PX = 9  # wider structures are no grid
PERIODS_PX = (2, 10)
STILL = 2 / 255  # largest change of a channel in still areas, averaged over 3x3 pixels
MOVING_PX = 0.5


def weave(picture: Picture) -> float:
    """Return a picture's weave, 0 to 2, by `lattice`."""
    luma = np.tensordot(np.array([0.299, 0.587, 0.114]), picture, 1)
    detail = luma - _mean(luma, DETAIL_PX)
    places = (range(0, side - WINDOW_PX + 1, WINDOW_PX // 2) for side in detail.shape)
    windows = [detail[y : y + WINDOW_PX, x : x + WINDOW_PX] for y, x in itertools.product(*places)]
    return float(np.mean([lattice(window) for window in windows]))


def lattice(window: NDArray[np.float64]) -> float:
    """Return how much a pattern (S, S) repeats in two directions, as a grid does.

    The lower of the autocorrelation's two highest peaks within PERIODS_PX, at least 30 degrees apart.
    """
    shortest, longest = PERIODS_PX
    found = _autocorrelation(window, longest + 1)
    middle = longest + 1
    neighbours = [np.roll(found, (y, x), (0, 1)) for y, x in itertools.product((-1, 0, 1), repeat=2) if y or x]
    peaks = np.argwhere((found > np.max(neighbours, 0))[1:-1, 1:-1]) + 1
    rises = []
    for y, x in peaks - middle:
        distance = float(np.hypot(y, x))
        if (y, x) > (0, 0) and shortest <= distance <= longest and found[middle + y, middle + x] > 0.05:
            way = np.linspace(0, 1, 16)[1:, None] * (y, x) + middle
            rises.append((float(found[middle + y, middle + x] - _between(found, way).min()), float(np.arctan2(y, x))))
    best = [
        min(first, second)
        for (first, one), (second, other) in itertools.combinations(rises, 2)
        if abs(np.sin(one - other)) > 0.5
    ]
    return max(best, default=0.0)


def static_flicker(sources: list[Picture], painted: list[Picture]) -> float:
    """Return the mean change in the source's still areas, 0..1."""
    changes: list[NDArray[np.float32]] = []
    for (before, after), (first, second) in zip(itertools.pairwise(sources), itertools.pairwise(painted), strict=True):
        still = _mean(np.abs(after - before).max(0), 3) < STILL
        changes.append(np.abs(second - first).mean(0)[still])
    return _mean_of(changes)


def moving_flicker(painted: list[Picture], flow: Callable[[int, int], Flow]) -> float:
    """Return the mean change along the motion, 0..1. flow: by frame numbers."""
    changes: list[NDArray[np.float32]] = []
    for n, (first, second) in enumerate(itertools.pairwise(painted)):
        back, forth = flow(n + 1, n), flow(n, n + 1)
        height, width = back.shape[:2]
        rows, columns = np.mgrid[:height, :width]
        way = np.stack([rows + back[..., 1], columns + back[..., 0]], -1)
        returned = np.stack([_between(forth[..., k], way) for k in (0, 1)], -1) + back
        inside = (way >= 1).all(-1) & (way[..., 0] < height - 2) & (way[..., 1] < width - 2)
        seen = inside & (np.hypot(*np.moveaxis(returned, -1, 0)) < 0.5)
        seen &= np.hypot(back[..., 0], back[..., 1]) > MOVING_PX
        followed = np.stack([_between(channel, way) for channel in first])
        changes.append(np.abs(second - followed).mean(0)[seen].astype(np.float32))
    return _mean_of(changes)


def _mean_of(changes: list[NDArray[np.float32]]) -> float:
    together = np.concatenate(changes)
    return float(together.mean()) if together.size else float("nan")


def _mean(x: NDArray[np.floating], side: int) -> NDArray[np.float64]:
    for axis in (0, 1):
        pads = [(0, 0), (0, 0)]
        pads[axis] = (side // 2 + 1, side // 2)
        sums = np.cumsum(np.pad(np.asarray(x, np.float64), pads, "edge"), axis)
        upper, lower = (np.take(sums, range(start, start + x.shape[axis]), axis) for start in (side, 0))
        x = (upper - lower) / side
    return np.asarray(x, np.float64)


def _autocorrelation(window: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    side = len(window)
    hann = np.outer(*[np.hanning(side + 2)[1:-1]] * 2)
    size = (2 * side, 2 * side)
    power = [np.abs(np.fft.rfft2(x, size)) ** 2 for x in ((window - window.mean()) * hann, hann)]
    picture, own = (np.fft.irfft2(spectrum, size) for spectrum in power)
    found = picture / np.maximum(own, 1e-9) / max(picture[0, 0] / own[0, 0], 1e-12)
    return np.asarray(np.roll(found, (reach, reach), (0, 1))[: 2 * reach + 1, : 2 * reach + 1])


def _between(picture: NDArray[np.floating], places: NDArray[np.floating]) -> NDArray[np.float64]:
    limit = np.array(picture.shape) - 1
    places = np.clip(places, 0, limit - 1e-6)
    corner = places.astype(int)
    (y, x), (v, u) = np.moveaxis(corner, -1, 0), np.moveaxis(places - corner, -1, 0)
    upper = picture[y, x] * (1 - u) + picture[y, x + 1] * u
    lower = picture[y + 1, x] * (1 - u) + picture[y + 1, x + 1] * u
    return np.asarray(upper * (1 - v) + lower * v, np.float64)
