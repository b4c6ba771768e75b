"""A smooth field of displacements over Oklab, from displacements of samples: what a palette's table is made through.

The field is a sum of quadratic B-splines around the points of a lattice. It minimises the squared distance to the
samples, and, as a plate and a membrane do, the curvature and the slope; so it continues evenly where there is no
sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from framebrush.models.colours import oklab
from framebrush.models.colours.oklab import Floats
from framebrush.models.colours.table import ColourTable

Indices = npt.NDArray[np.intp]

SHAPE = (15, 13, 13)
SPACING = np.array([1 / 12, 0.06, 0.06], np.float32)
ORIGIN = np.array([1, 6, 6], np.float32)
"""The lattice: its points along L, a and b, the distance between them, and the point that black has. Finer ones follow
single colours, and posterise; this one holds sRGB and a point around it."""

SLOPE, CURVE = 0.5, 0.25
"""What slope and curvature cost, where all samples together weigh WEIGHT."""

FADE = 0.1
"""Towards no displacement, where no sample is near."""

WEIGHT = 1000.0

PASSES = 2
"""The second fits what the first one left: sharper than one, and smoother than less stiffness."""

MIN_SLOPE, MAX_SLOPE = 0.35, 3.0
"""Of the result's luma by the film's: flatter, ten bits become bands; steeper, noise is seen."""


@dataclass(frozen=True, eq=False)
class ColourField:
    """places: (P, 3) Oklab of the lattice's points. colours: (N, 3) Oklab of the grid points of a table, r before g
    before b, that the field is wanted at. Fields are (P, C), weights of the B-splines.
    """

    places: Floats
    colours: Floats
    _taps: list[tuple[Indices, Floats]]
    _used: Indices
    _cost: Floats

    def fitted(self, samples: Floats, displacements: Floats) -> Floats:
        """The field (P, 3) for displacements (M, 3) of samples (M, 3), in Oklab."""
        taps = list(_taps(samples))
        points, share = len(self.places), WEIGHT / len(samples)
        weight = np.sum([np.bincount(point, part, points) for point, part in taps], axis=0)[self._used] * share
        system = self._cost + np.diag(weight.astype(np.float32))
        field = np.zeros((points, 3), np.float32)
        for _ in range(PASSES):
            left = displacements - _gathered(taps, field)
            pull = np.stack(
                [sum(np.bincount(point, part * left[:, i], points) for point, part in taps) for i in range(3)], axis=-1
            )
            field[self._used] += np.linalg.solve(system, (pull[self._used] * share).astype(np.float32))
        return field

    def at_colours(self, field: Floats) -> Floats:
        """The field at `colours`, (N, C)."""
        return _gathered(self._taps, field)

    def rising(self, lightness: Floats, fixed: float) -> Floats:
        """Lightness (P,) at `places` that rises with the film's everywhere, as `rising` does for its greys."""
        light = np.clip(lightness.reshape(SHAPE)[1:-1], 0.0, 1.0)
        light = oklab.lightness_of(
            rising(oklab.grey(light), oklab.grey(self.places.reshape(*SHAPE, 3)[1:-1, 0, 0, 0]), fixed)
        )
        first, last = 2 * light[:1] - light[1:2], 2 * light[-1:] - light[-2:-1]  # a spline then ends as the points do
        return np.concatenate([first, light, last]).reshape(-1)


def rising(values: Floats, own: Floats, fixed: float) -> Floats:
    """Values (K, ...) that rise along the first axis by MIN_SLOPE to MAX_SLOPE of what `own` (K,) does, within 0..1.

    Values that do so stay as they are. fixed: where in `own` they change only as far as to come within 0..1; from there
    on the rises are added up.
    """
    steps = np.diff(own).reshape(-1, *[1] * (values.ndim - 1))
    middle = int(np.clip(np.searchsorted(own, fixed), 1, len(own) - 2))
    rise = np.clip(np.diff(values, axis=0), MIN_SLOPE * steps, MAX_SLOPE * steps)
    start = np.clip(values[middle], 0.02, 0.98)
    above, below = np.cumsum(rise[middle:], axis=0), np.cumsum(rise[:middle][::-1], axis=0)
    above *= np.minimum(1.0, (1.0 - start) / above[-1])
    below *= np.minimum(1.0, start / below[-1])
    return np.concatenate([(start - below)[::-1], start[None], start + above])


@lru_cache(maxsize=2)
def colour_field(size: int) -> ColourField:
    """The field for a table of `size` grid points a side. It takes a tenth of a second for the first time."""
    colours = oklab.from_rgb(ColourTable.identity(size).grid.reshape(-1, 3))
    indices = np.indices(SHAPE).reshape(3, -1).T
    places = np.asarray((indices - ORIGIN) * SPACING, np.float32)
    taps = list(_taps(colours))
    used = np.unique(np.concatenate([np.unique(point) for point, _ in taps]))
    cost = np.eye(len(used), dtype=np.float32) * FADE
    for axis in range(3):
        slope = _differences(indices[used], axis, (-1.0, 1.0))
        curve = _differences(indices[used], axis, (1.0, -2.0, 1.0))
        cost += SLOPE * (slope.T @ slope) + CURVE * (curve.T @ curve)
    return ColourField(places, colours, taps, used, cost)


def _differences(points: npt.NDArray[np.int64], axis: int, weights: tuple[float, ...]) -> Floats:
    """(M, P): each row one difference of neighbours along the axis, of all that are whole among the points."""
    step = np.eye(3, dtype=np.int64)[axis]
    number = np.full(np.add(SHAPE, len(weights)), -1)
    number[tuple(points.T)] = np.arange(len(points))
    members = np.stack([number[tuple((points + i * step).T)] for i in range(len(weights))], axis=-1)
    members = members[(members >= 0).all(axis=-1)]
    matrix = np.zeros((len(members), len(points)), np.float32)
    np.put_along_axis(matrix, members, np.array([weights], np.float32), axis=1)
    return matrix


def _taps(lab: Floats) -> Iterator[tuple[Indices, Floats]]:
    """The 27 points around each colour, by their numbers (N,), and the weights (N,) of their splines there."""
    place = lab / SPACING + ORIGIN
    near = np.clip(np.rint(place), 1, np.array(SHAPE) - 2).astype(np.intp)
    off = np.clip(place - near, -0.5, 0.5).astype(np.float32)
    weights = 0.5 * (0.5 - off) ** 2, 0.75 - off**2, 0.5 * (0.5 + off) ** 2
    for i, j, k in product(range(3), repeat=3):
        point = np.ravel_multi_index(tuple((near + np.array([i - 1, j - 1, k - 1])).T), SHAPE)
        yield point, weights[i][:, 0] * weights[j][:, 1] * weights[k][:, 2]


def _gathered(taps: list[tuple[Indices, Floats]], field: Floats) -> Floats:
    total = np.zeros((len(taps[0][0]), field.shape[1]), np.float32)
    for point, weight in taps:
        total += weight[:, None] * field[point]
    return total
