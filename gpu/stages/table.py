"""Colour tables (`models.colours.colour_table`) as passes; reference: `coloured`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.kernel_sources import Defines
from framebrush.gpu.layouts import Four, Pixels, Record, packed
from framebrush.gpu.passes import FLAG, Constant, Pass, Tensor, zeros
from framebrush.gpu.sizes import Size
from framebrush.models.colours.colour_table import ColourTable, apply

APART: Defines = (("APART", "1"),)
"""Define of the CUDA kernel for an unpadded float32 result, in place of the picture itself."""

NO_CURVES = Constant("no curves", "float32", zeros("float32"))

TABLE = packed(
    ("size", *Pixels),  # of the picture
    ("planes_size", *Pixels),  # of the input planes
    ("low", *Four),  # colour of the first grid point
    ("scale", *Four),  # 1 / distance to the last grid point
    ("points", "<u4"),  # grid points per axis
    ("curve_points", "<u4"),  # points of each curve, 0 without curves
)


@dataclass(frozen=True, slots=True)
class Colours:
    """Colour table in GPU memory. grid: points as four numbers."""

    table: ColourTable = field(repr=False)
    grid: Constant
    curves: Constant

    @classmethod
    def of(cls, table: ColourTable, label: str, *, kept: bool = False) -> Colours:
        """Put a table in GPU memory. kept: per slot."""
        grid = Constant(f"{label} grid", "float32x4", lambda: points(table), kept)
        curves = table.curves
        return cls(table, grid, NO_CURVES if curves is None else Constant(f"{label} curves", "float32", lambda: curves))

    def taken(self, picture: Tensor, made: Tensor, size: Size, defines: Defines = ()) -> Pass:
        """Return the pass that applies the table; non-finite values set the flag."""
        reads, writes = (picture, self.grid, self.curves), (made, FLAG)
        record = constants(self.table, size, picture.size_px)
        return Pass("table", reads, writes, size, record, defines, element_of=picture)


def points(table: ColourTable) -> npt.NDArray[np.float32]:
    """Return the grid (N, N, N, 4) for single loads."""
    made = np.zeros((*table.grid.shape[:3], 4), np.float32)
    made[..., :3] = table.grid
    return made


def constants(table: ColourTable, size: Size, planes_size: Size) -> Record:
    """Make the constants for sizes and padded sizes."""
    record = np.zeros((), TABLE)
    record["size"], record["planes_size"], record["points"] = size, planes_size, table.size
    record["curve_points"] = 0 if table.curves is None else table.curves.shape[1]
    low, high = np.array(table.domain_min), np.array(table.domain_max)
    record["low"][:3], record["scale"][:3] = low, 1.0 / (high - low)
    return record


def coloured(picture: Array, table: ColourTable) -> Array:
    """Apply a table to (3, H, W) R'G'B' 0..1."""
    return np.moveaxis(apply(table, np.moveaxis(picture, 0, -1)), -1, 0)
