"""Brush maps: pictures, stretched over the frame, for strokes' size and direction.

A size map limits the need at the cell's home; a direction map replaces the structure tensor.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.passes import Constant, Part
from framebrush.gpu.stages.bilinear import bilinear
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, NO_MAPS, Maps

PLANES = 4
"""Channels that devices read: how much broader strokes are than needed, -1..1; two parts of the structure tensor, of
length up to 1, its weight; and an unused one.
"""


def planes(maps: Maps) -> npt.NDArray[np.float32]:
    """Return samples for devices, (PLANES, MAP_SIDE, MAP_SIDE)."""
    found = np.zeros((PLANES, MAP_SIDE, MAP_SIDE), np.float32)
    _fill(found, maps)
    return found


def pixels(maps: Maps) -> npt.NDArray[np.float32]:
    """Return `planes` for GPUs, (MAP_SIDE, MAP_SIDE, PLANES)."""
    found = np.zeros((MAP_SIDE, MAP_SIDE, PLANES), np.float32)
    _fill(np.moveaxis(found, -1, 0), maps)
    return found


def _fill(found: npt.NDArray[np.float32], maps: Maps) -> None:
    if maps.sizes is not None:
        codes = np.frombuffer(maps.sizes, np.uint8).reshape(MAP_SIDE, MAP_SIDE)
        found[0] = _BROADER[codes]
    if maps.directions is not None:
        parts = np.frombuffer(maps.directions, np.int8).reshape(2, MAP_SIDE, MAP_SIDE).astype(np.float32)
        found[1:3] = parts / np.maximum(np.float32(127), np.hypot(*parts))


_BROADER = ((np.arange(256, dtype=np.float32) - AS_NEEDED) / np.float32(255 - AS_NEEDED)).clip(-1.0, 1.0)
"""How much broader strokes are than needed for each code of a size map."""


MAPS = Constant("maps of the brush", "float32x4", lambda: pixels(NO_MAPS), kept=True)
"""Maps of a slot's frame, for CUDA."""

MAP_PLANES = Constant("planes of the brush's maps", "float32", lambda: planes(NO_MAPS), kept=True)
"""The same for HLSL and WGSL, whose kernels read some planes only."""

SIZE_MAP, DIRECTION_MAP = Part(MAP_PLANES, 0, MAP_SIDE**2), Part(MAP_PLANES, MAP_SIDE**2, 2 * MAP_SIDE**2)


def limits(broader: Array, index: int, last: int) -> tuple[Array, Array]:
    """Return a size map value's least and most need in a layer."""
    coarser = index - 1
    return np.clip(-broader * last - coarser, 0.0, 1.0), np.clip((1.0 - broader) * last - coarser, 0.0, 1.0)


def read(maps: Maps, y: Array, x: Array) -> Array:
    """Sample maps at places 0..1."""
    return bilinear(planes(maps).astype(np.float64), MAP_SIDE * y - 0.5, MAP_SIDE * x - 0.5)
