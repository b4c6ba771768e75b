"""Tables of colours. What a table does: `models.colours.table`; `coloured` does it in float64."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.kernel_sources import Defines
from framebrush.gpu.layouts import Four, Pixels, Record, packed
from framebrush.gpu.passes import FLAG, Constant, Pass, Tensor, zeros
from framebrush.gpu.sizes import Size
from framebrush.models.colours.table import ColourTable, apply

APART: Defines = (("APART", "1"),)
"""What the kernel of CUDA is compiled with for a tensor of float32 without padding, in place of the picture itself."""

NO_CURVES = Constant("no curves", "float32", zeros("float32"))

TABLE = packed(
    ("size", *Pixels),  # of the picture
    ("planes_size", *Pixels),  # of the planes that are read
    ("low", *Four),  # the colour that the first point stands for
    ("scale", *Four),  # 1 / how far the last one lies from it
    ("points", "<u4"),  # of a side of the grid
    ("curve_points", "<u4"),  # of each curve; 0: there are none
)


@dataclass(frozen=True, slots=True)
class Colours:
    """A table in a GPU's memory. grid: its points, each as four numbers. curves: those of R', G' and B', one after
    another."""

    table: ColourTable = field(repr=False)
    grid: Constant
    curves: Constant

    @classmethod
    def of(cls, table: ColourTable, label: str, *, kept: bool = False) -> Colours:
        """kept: each slot has a grid of its own, which can be changed for that of another table as large and as plain
        as this one."""
        grid = Constant(f"{label} grid", "float32x4", lambda: points(table), kept)
        curves = table.curves
        return cls(table, grid, NO_CURVES if curves is None else Constant(f"{label} curves", "float32", lambda: curves))

    def taken(self, picture: Tensor, made: Tensor, size: Size, defines: Defines = ()) -> Pass:
        """What takes a picture of that size, which is clipped to 0..1, to colours. Values that are not finite are
        flagged and count as 0."""
        reads, writes = (picture, self.grid, self.curves), (made, FLAG)
        record = constants(self.table, size, picture.size_px)
        return Pass("table", reads, writes, size, record, defines, element_of=picture)


def points(table: ColourTable) -> npt.NDArray[np.float32]:
    """(N, N, N, 4): the grid, each point as sixteen bytes, which one load moves."""
    made = np.zeros((*table.grid.shape[:3], 4), np.float32)
    made[..., :3] = table.grid
    return made


def constants(table: ColourTable, size: Size, planes_size: Size) -> Record:
    """Of table. size: (width, height) of the picture. planes_size: of the planes that are read, with their padding."""
    record = np.zeros((), TABLE)
    record["size"], record["planes_size"], record["points"] = size, planes_size, table.size
    record["curve_points"] = 0 if table.curves is None else table.curves.shape[1]
    low, high = np.array(table.domain_min), np.array(table.domain_max)
    record["low"][:3], record["scale"][:3] = low, 1.0 / (high - low)
    return record


def coloured(picture: Array, table: ColourTable) -> Array:
    """A picture (3, H, W), encoded R'G'B', through a table: the same shape, within 0..1."""
    return np.moveaxis(apply(table, np.moveaxis(picture, 0, -1)), -1, 0)
