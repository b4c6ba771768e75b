"""Smooth displacements in Oklab, fitted to sampled colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from framebrush.models.colours import oklab
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.colours.oklab import Floats

Indices = npt.NDArray[np.intp]

SHAPE = (15, 13, 13)
SPACING = np.array([1 / 12, 0.06, 0.06], np.float32)
ORIGIN = np.array([1, 6, 6], np.float32)
"""The lattice: points along L, a and b, their distance, and the point of black. Finer lattices follow single colours
and posterise; this one covers sRGB with a margin of one point."""

SLOPE, CURVE = 0.5, 0.25
"""Costs of slope and curvature; all samples together weigh WEIGHT."""

FADE = 0.1
"""Cost of displacements without samples nearby."""

WEIGHT = 1000.0

PASSES = 2
"""Fits; the second fits the residue of the first. Sharper than one, smoother than less stiffness."""

MIN_SLOPE, MAX_SLOPE = 0.35, 2.0
"""Range of the slope of the result's luma over the film's: flatter, ten bits become bands; steeper, noise and blocks
show."""

BLACK_LIFT = 0.08
"""Largest encoded grey that the film's black may become."""

CALM_CHROMA, VIVID_CHROMA = 0.1, 0.22
"""Chroma of the film up to which the bounds below have their first value (greys, walls, skin), and from which on their
second. They limit slopes in Oklab; 0 leaves the film's colours."""

TINT_TURN = 0.25, 0.5
"""Slopes of a and b along lightness: ramps of greys or skin keep their hue, or change it slowly."""

CHROMA_GAIN = 0.5, 1.5
"""Slopes of a along a and of b along b: steeper ones separate greys and colour a codec's blocks."""

HUE_TURN = 0.2, 0.6
"""Slopes of a along b and of b along a: adjacent hues turn together."""

LIGHT_BY_HUE = 0.35, 0.8
"""Slopes of lightness along a and b: no channel falls where grey rises."""

DARK = 0.3
"""Lightness below which the tint of greys fades; black has none."""

SWEEPS = 60
"""Passes over the lattice, until the bounds hold within a hundredth or two."""


@dataclass(frozen=True, eq=False)
class ColourField:
    """Lattice for displacement fields (P, C) of B-spline weights.

    places: (P, 3), Oklab of the lattice. colours: (N, 3), Oklab of a table's grid points, r before g before b.
    """

    places: Floats
    colours: Floats
    _taps: list[tuple[Indices, Floats]]
    _used: Indices
    _cost: Floats

    def fitted(self, samples: Floats, displacements: Floats) -> Floats:
        """Fit a field (P, 3) to displacements (M, 3) of samples (M, 3), in Oklab."""
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
        """Evaluate a field at `colours`, (N, C)."""
        return _gathered(self._taps, field)

    def calmed(self, displacements: Floats, tint: float) -> Floats:
        """Limit differences of adjacent displacements (P, 3). tint: greys' largest chroma."""
        moved = displacements.reshape(*SHAPE, 3).copy()
        places = self.places.reshape(*SHAPE, 3)
        bounds = [_bounds(np.moveaxis(places, axis, 0), axis) for axis in range(3)]
        neutral = np.s_[:, int(ORIGIN[1]), int(ORIGIN[2])]
        most = tint * np.clip(places[neutral][:, :1] / DARK, 0.0, 1.0)
        for _ in range(SWEEPS):
            for axis, (low, high) in enumerate(bounds):
                along = np.moveaxis(moved, axis, 0)
                for first in (0, 1):  # disjoint pairs of adjacent points
                    one, other = along[first:-1:2], along[first + 1 :: 2]
                    step = other - one
                    half = 0.5 * (np.clip(step, low[first::2], high[first::2]) - step)
                    one -= half
                    other += half
            grey = moved[neutral][:, 1:]
            grey *= np.minimum(1.0, most / np.maximum(np.linalg.norm(grey, axis=-1, keepdims=True), 1e-9))
        return moved.reshape(-1, 3)

    def rising(self, lightness: Floats, fixed: float) -> Floats:
        """Make lightness (P,) rise with the film's."""
        light = np.clip(lightness.reshape(SHAPE)[1:-1], 0.0, 1.0)
        light = oklab.lightness_of(
            rising(oklab.grey(light), oklab.grey(self.places.reshape(*SHAPE, 3)[1:-1, 0, 0, 0]), fixed)
        )
        first, last = 2 * light[:1] - light[1:2], 2 * light[-1:] - light[-2:-1]  # splines then end at the outer points
        return np.concatenate([first, light, last]).reshape(-1)


def _bounds(places: Floats, axis: int) -> tuple[Floats, Floats]:
    chroma = np.linalg.norm(0.5 * (places[1:] + places[:-1])[..., 1:], axis=-1)
    tint, gain, turn, light = (
        np.interp(chroma, (CALM_CHROMA, VIVID_CHROMA), pair)
        for pair in (TINT_TURN, CHROMA_GAIN, HUE_TURN, LIGHT_BY_HUE)
    )
    free = np.full_like(tint, np.inf)  # `rising` bounds lightness along itself
    most = np.stack([(free, tint, tint), (light, gain, turn), (light, turn, gain)][axis], axis=-1)
    least = -most
    if axis:
        least[..., axis] = -1.0  # all colours may become one
    return np.asarray(least * SPACING[axis], np.float32), np.asarray(most * SPACING[axis], np.float32)


def rising(values: Floats, own: Floats, fixed: float) -> Floats:
    """Make values (K, ...) rise by MIN_SLOPE to MAX_SLOPE of `own` (K,), within 0..1.

    fixed: position in `own` before which only bounds change values; after it, slopes add up.
    """
    steps = np.diff(own).reshape(-1, *[1] * (values.ndim - 1))
    middle = int(np.clip(np.searchsorted(own, fixed), 1, len(own) - 2))
    rise = np.clip(np.diff(values, axis=0), MIN_SLOPE * steps, MAX_SLOPE * steps)
    above, below = np.cumsum(rise[middle:], axis=0), np.cumsum(rise[:middle][::-1], axis=0)
    start = np.clip(values[middle], 0.02, 0.98)
    above *= np.minimum(1.0, (1.0 - start) / above[-1])
    below *= np.minimum(1.0, start / below[-1])
    risen = np.concatenate([(start - below)[::-1], start[None], start + above])
    from_black = (own - own[0]).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(np.minimum(risen, np.clip(values[0], 0.0, BLACK_LIFT) + MAX_SLOPE * from_black), np.float32)


@lru_cache(maxsize=2)
def colour_field(size: int) -> ColourField:
    """Return the field for a table of `size` points per axis."""
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
    step = np.eye(3, dtype=np.int64)[axis]
    number = np.full(np.add(SHAPE, len(weights)), -1)
    number[tuple(points.T)] = np.arange(len(points))
    members = np.stack([number[tuple((points + i * step).T)] for i in range(len(weights))], axis=-1)
    members = members[(members >= 0).all(axis=-1)]
    matrix = np.zeros((len(members), len(points)), np.float32)
    np.put_along_axis(matrix, members, np.array([weights], np.float32), axis=1)
    return matrix


def _taps(lab: Floats) -> Iterator[tuple[Indices, Floats]]:
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
