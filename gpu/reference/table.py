"""The float64 reference of the table of colours, on whole pictures. What a table is: `models.colours.table`."""

from __future__ import annotations

import numpy as np

from framebrush.gpu.colour import Array
from framebrush.models.colours.table import ColourTable, apply


def coloured(picture: Array, table: ColourTable) -> Array:
    """A picture (3, H, W), encoded R'G'B', through a table: the same shape, within 0..1."""
    return np.moveaxis(apply(table, np.moveaxis(picture, 0, -1)), -1, 0)
