"""Motion of painted strokes from frame to frame, to a tenth of a sample.

Pixels under a stroke are registered by a similarity (B. Lucas and T. Kanade, 1981).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from framebrush.gpu.sizes import Size
from framebrush.subject.corrections import MOST_GROWTH, STAY, Motion, Stroke

SIDE = 320
"""Rows and columns of the luma in which motion is found, stretched over the upright frame."""

LEVELS = 4, 2, 1
"""Samples that are averaged, coarse to fine."""
ROUNDS = 6
"""Refinements at each level."""
SAMPLES = 900
"""Number of samples under a stroke that are compared, about."""

AROUND = 1.25
"""Distance from the line, in radii, within which samples are compared: a stroke's surroundings hold it, too."""

PULL_STILL, PULL_STIFF = 2.0, 5.0
"""Weight, in squared codes per pixel, that holds a stroke in place where nothing is seen, and in its shape."""

Luma = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


def followed(stroke: Stroke, size: Size, lumas: Sequence[Luma], first: int) -> Stroke:
    """Return a stroke, on frames of `size`, with motions.

    lumas: (SIDE, SIDE) of the shot's frames from `first` on, upright, including the stroke's.
    """
    own = stroke.frame - first
    pyramids = [_pyramid(luma) for luma in lumas]
    under = _samples_under(stroke, size)
    later = _carried(under, size, pyramids[own:])
    earlier = _carried(under, size, pyramids[own::-1])
    motions = (*reversed(earlier), STAY, *later)
    return Stroke(stroke.frame, stroke.kind, stroke.radius, stroke.points, stroke.frame - len(earlier), motions)


def _carried(points: Floats, size: Size, pyramids: Sequence[Sequence[Floats]]) -> list[Motion]:
    total, step, found = np.array(STAY), np.array(STAY), list[Motion]()
    for before, after in pairwise(pyramids):
        step = _step(_moved(points, total), size, before, after, step)
        total = _after(total, step)
        if not 1 / MOST_GROWTH <= math.hypot(total[0], total[1]) <= MOST_GROWTH:
            break
        a, b, x, y = total
        found.append((round(float(a), 5), round(float(b), 5), round(float(x), 2), round(float(y), 2)))
    return found


def _step(points: Floats, size: Size, before: Sequence[Floats], after: Sequence[Floats], guess: Floats) -> Floats:
    """Return the similarity that takes points (n, 2) to the next picture.

    guess: the previous motion.
    """
    centre = points.mean(axis=0)
    away = points - centre
    reach = max(1.0, float(np.sqrt((away**2).sum(axis=1).mean())))
    shift = _moved(centre[None], guess)[0] - centre
    coarse = LEVELS[0], before[0], after[0]
    errors = [float((_difference(points, points + by, size, *coarse) ** 2).mean()) for by in (np.zeros(2), shift)]
    values = np.array([0.0, 0.0, *(shift if errors[1] < errors[0] else np.zeros(2))])  # growth, turn, x, y
    pull = len(points) * np.array([PULL_STIFF, PULL_STIFF, PULL_STILL, PULL_STILL])
    for level, first, second in zip(LEVELS, before, after, strict=True):
        told = _at(first, points, size, level)[0]
        for _ in range(ROUNDS):
            growth, turn = values[:2] / reach
            turned = np.stack([away[:, 0] * growth - away[:, 1] * turn, away[:, 0] * turn + away[:, 1] * growth], 1)
            seen, across, down = _at(second, points + turned + values[2:], size, level)
            error = told - seen
            error -= error.mean()  # a change of light
            slopes = np.stack(
                [
                    (across * away[:, 0] + down * away[:, 1]) / reach,
                    (down * away[:, 0] - across * away[:, 1]) / reach,
                    across,
                    down,
                ]
            )
            holds = np.array([1.0, 1.0, 0.0, 0.0]) * pull * values  # shape is held in all rounds, place in each
            change = np.linalg.solve(slopes @ slopes.T + np.diag(pull), slopes @ error - holds)
            values += change
            if np.abs(change).max() < 0.02:
                break
    growth, turn = values[:2] / reach
    a, b = 1.0 + growth, turn
    x, y = centre + values[2:] - np.array([a * centre[0] - b * centre[1], b * centre[0] + a * centre[1]])
    return np.array([a, b, x, y])


def _difference(points: Floats, moved: Floats, size: Size, level: int, first: Floats, second: Floats) -> Floats:
    return _at(first, points, size, level)[0] - _at(second, moved, size, level)[0]


def _moved(points: Floats, motion: Floats) -> Floats:
    a, b, x, y = motion
    return np.stack([a * points[:, 0] - b * points[:, 1] + x, b * points[:, 0] + a * points[:, 1] + y], 1)


def _after(first: Floats, second: Floats) -> Floats:
    (a, b, x, y), (c, d, u, v) = first, second
    return np.array([c * a - d * b, d * a + c * b, c * x - d * y + u, d * x + c * y + v])


def _pyramid(luma: Luma) -> list[Floats]:
    levels = []
    for level in LEVELS:
        count = SIDE // level
        mean = luma.reshape(count, level, count, level).mean(axis=(1, 3))
        for axis in (0, 1):
            near = [mean.take(np.clip(np.arange(count) + by, 0, count - 1), axis) for by in (-1, 1)]
            mean = 0.5 * mean + 0.25 * (near[0] + near[1])
        levels.append(mean)
    return levels


def _at(picture: Floats, points: Floats, size: Size, level: int) -> tuple[Floats, Floats, Floats]:
    count = SIDE // level
    scales = count / size[0], count / size[1]
    u, v = (np.clip(points[:, axis] * scales[axis] - 0.5, 0, count - 1.001) for axis in (0, 1))
    column, row = u.astype(np.intp), v.astype(np.intp)
    u, v = u - column, v - row
    upper, lower = picture[row], picture[row + 1]
    numbers = np.arange(len(points))
    corners = upper[numbers, column], upper[numbers, column + 1], lower[numbers, column], lower[numbers, column + 1]
    value = (1 - v) * ((1 - u) * corners[0] + u * corners[1]) + v * ((1 - u) * corners[2] + u * corners[3])
    across = (1 - v) * (corners[1] - corners[0]) + v * (corners[3] - corners[2])
    down = (1 - u) * (corners[2] - corners[0]) + u * (corners[3] - corners[1])
    return value, across * scales[0], down * scales[1]


def _samples_under(stroke: Stroke, size: Size) -> Floats:
    line, reach = np.array(stroke.points), AROUND * stroke.radius
    low = np.clip(line.min(axis=0) - reach, 0, size)
    high = np.clip(line.max(axis=0) + reach, 0, size)
    step = max(1.0, math.sqrt(float(np.prod(np.maximum(high - low, 1.0))) / SAMPLES))
    grid = np.stack(np.meshgrid(*(np.arange(a, b, step) for a, b in zip(low, high, strict=True))), -1).reshape(-1, 2)
    ends = np.concatenate([line[1:], line[-1:]])
    nearest = np.full(len(grid), np.inf)
    for begin, end in zip(line, ends, strict=True):
        along = end - begin
        share = np.clip((grid - begin) @ along / max(float(along @ along), 1e-9), 0, 1)
        nearest = np.minimum(nearest, ((grid - begin - share[:, None] * along) ** 2).sum(axis=1))
    inside = grid[nearest <= reach**2]
    return inside if len(inside) > 3 else np.clip(line, 0, size) + np.array([[0.0, 0.0]])
