"""Colour tables of encoded R'G'B': palettes, `.cube` files, grades."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Array = npt.NDArray[np.float64]
Triple = tuple[float, float, float]

COMMON_GRID = 33
"""Grid points per axis of tables that we make; with fewer, slow gradients show the grid."""

MAX_GRID = 129
"""Most grid points per axis that we accept: the largest in use, held in every device's memory."""

MAX_CURVE = 65536
"""Most entries of a curve that we accept, Adobe's limit."""


@dataclass(frozen=True, eq=False)
class ColourTable:
    """Function of encoded R'G'B': curves, then a grid of colours. Raises ValueError.

    Attributes:
        grid: (N, N, N, 3) read-only float32, R'G'B' at [r, g, b], possibly outside 0..1; tetrahedral.
        curves: (3, M) float32, or None; linear between entries.
        domain_min, domain_max: colours of first and last point.
    """

    grid: Floats
    curves: Floats | None = None
    domain_min: Triple = (0.0, 0.0, 0.0)
    domain_max: Triple = (1.0, 1.0, 1.0)
    title: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", _frozen(self.grid))
        size = len(self.grid)
        if self.grid.shape != (size, size, size, 3) or not 2 <= size <= MAX_GRID:
            raise ValueError(f"a table of colours has 2 to {MAX_GRID} points a side, not the shape {self.grid.shape}")
        if self.curves is not None:
            object.__setattr__(self, "curves", _frozen(self.curves))
            if self.curves.ndim != 2 or len(self.curves) != 3 or not 2 <= self.curves.shape[1] <= MAX_CURVE:
                raise ValueError(f"curves of colours are 3 of 2 to {MAX_CURVE} entries, not {self.curves.shape}")
        for name in ("domain_min", "domain_max"):
            object.__setattr__(self, name, tuple(float(value) for value in getattr(self, name)))
        if not all(np.isfinite(values).all() for values in self._numbers):
            raise ValueError("a table of colours holds a number that is not finite")
        if not all(low < high for low, high in zip(self.domain_min, self.domain_max, strict=True)):
            raise ValueError(f"the domain of a table of colours is empty: {self.domain_min} to {self.domain_max}")

    @classmethod
    def identity(cls, size: int = 2) -> ColourTable:
        return cls(np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, size)] * 3, indexing="ij"), axis=-1))

    @property
    def size(self) -> int:
        return len(self.grid)

    @property
    def domain_is_unit(self) -> bool:
        return (self.domain_min, self.domain_max) == ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))

    @property
    def is_plain(self) -> bool:
        """Return whether the table is a grid over 0 to 1."""
        return self.domain_is_unit and self.curves is None

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the numbers."""
        found = hashlib.sha256()
        for values in self._numbers:
            found.update(repr(values.shape).encode())
            found.update(values.astype("<f8").tobytes())
        return found.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ColourTable) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def is_identity(self) -> bool:
        """Return whether the effect is below 1/100 16-bit code."""
        return self.is_plain and bool(np.abs(self.grid - self.identity(self.size).grid).max() < 1.5e-7)

    def on_grid(self, size: int) -> Array:
        """Evaluate on an even grid, (size, size, size, 3) float64 0..1."""
        if self.is_plain and size == self.size:  # a hundred times as fast, for mixes in every frame of a dissolve
            return np.clip(self.grid.astype(np.float64), 0.0, 1.0)
        return apply(self, self.identity(size).grid.astype(np.float64))

    def with_strength(self, strength: float) -> ColourTable:
        """Return the mix of identity (0) and table (1)."""
        if not 0.0 <= strength <= 1.0:
            raise ValueError(f"strength {strength:g} is not between 0 and 1")
        if strength == 1.0:
            return self
        return replace(mix((self, self.identity()), (strength, 1.0 - strength)), title=self.title)

    def then(self, after: ColourTable) -> ColourTable:
        """Concatenate with another table on the finer grid."""
        size = max(COMMON_GRID, self.size, after.size)
        return ColourTable(apply(after, self.on_grid(size)).astype(np.float32), title=self.title or after.title)

    @property
    def _numbers(self) -> list[npt.NDArray[np.float32 | np.float64]]:
        curves = np.empty((3, 0), np.float32) if self.curves is None else self.curves
        return [self.grid, curves, np.array(self.domain_min), np.array(self.domain_max)]


def mix(tables: Sequence[ColourTable], weights: Sequence[float]) -> ColourTable:
    """Mix tables on the finest grid. Raises ValueError for weights below 0 or not of sum 1."""
    if len(tables) != len(weights) or not tables or min(weights) < 0.0 or abs(sum(weights) - 1.0) > 1e-3:
        raise ValueError(f"{len(tables)} tables of colours cannot be mixed by the weights {tuple(weights)}")
    used = [(table, weight) for table, weight in zip(tables, weights, strict=True) if weight > 0.0]
    if len(used) == 1:
        return used[0][0]
    size = max(table.size for table, _ in used)
    size = size if all(table.is_plain for table, _ in used) else max(size, COMMON_GRID)
    return ColourTable(np.sum([weight * table.on_grid(size) for table, weight in used], axis=0).astype(np.float32))


def apply(table: ColourTable, colours: Array) -> Array:
    """Apply a table to colours (..., 3) in float64, as reference."""
    low, high = np.array(table.domain_min), np.array(table.domain_max)
    value = np.clip((colours - low) / (high - low), 0.0, 1.0)
    if table.curves is not None:
        value = np.clip(_on_curves(table.curves, value), 0.0, 1.0)
    result: Array = np.clip(_tetrahedral(table.grid, value), 0.0, 1.0)
    return result


def _on_curves(curves: Floats, value: Array) -> Array:
    places = np.linspace(0.0, 1.0, curves.shape[1])
    return np.stack([np.interp(value[..., i], places, curve) for i, curve in enumerate(curves.astype(np.float64))], -1)


def _tetrahedral(grid: Floats, value: Array) -> Array:
    place = value * (len(grid) - 1)
    corner = np.minimum(place.astype(np.intp), len(grid) - 2)
    order = np.argsort(corner - place, axis=-1, kind="stable")  # channels by fraction, largest first
    fraction = np.take_along_axis(place - corner, order, -1)
    result: Array = grid[tuple(np.moveaxis(corner, -1, 0))].astype(np.float64)
    before = result.copy()
    for step in range(3):
        np.put_along_axis(
            corner, order[..., step, None], np.take_along_axis(corner, order[..., step, None], -1) + 1, -1
        )
        after = grid[tuple(np.moveaxis(corner, -1, 0))]
        result += fraction[..., step, None] * (after - before)
        before = after.astype(np.float64)
    return result


def _frozen(values: npt.ArrayLike) -> Floats:
    with np.errstate(over="ignore"):  # values beyond float32 are refused as infinite
        kept = np.array(values, np.float32, order="C")
    kept.setflags(write=False)
    return kept
