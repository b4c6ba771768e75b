"""Maps of a brush: pictures that say where strokes are fine, and which way they lead.

A map is stretched over the frame. What it says of a frame is a function of the place alone, and so the same in every
part of a film. A map of sizes sets limits to the need of strokes by where their cell has its home: where it is dark
finer layers are drawn whether they are needed or not, where it is light only broader ones are. A map of directions
takes the place of the structure tensor of painting and film.

Each frame has maps of its own. They count when strokes look at it and when they are drawn: nothing of them is needed
of frames that are followed alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.passes import Constant
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, NO_MAPS, Maps

Whole = npt.NDArray[np.int64]

PLANES = 4
"""Of what devices read: how much broader strokes are than needed, -1..1; both parts of the structure tensor, of a
length of at most 1, which is how much it counts; and nothing."""


def planes(maps: Maps) -> npt.NDArray[np.float32]:
    """(PLANES, MAP_SIDE, MAP_SIDE): the samples of maps as devices read them, between the middles of samples and
    beyond those at the rim."""
    found = np.zeros((PLANES, MAP_SIDE, MAP_SIDE), np.float32)
    if maps.sizes is not None:
        codes = np.frombuffer(maps.sizes, np.uint8).reshape(MAP_SIDE, MAP_SIDE).astype(np.float32)
        np.clip((codes - AS_NEEDED) / np.float32(255 - AS_NEEDED), -1.0, 1.0, out=found[0])
    if maps.directions is not None:
        parts = np.frombuffer(maps.directions, np.int8).reshape(2, MAP_SIDE, MAP_SIDE).astype(np.float32)
        found[1:3] = parts / np.maximum(np.float32(127), np.hypot(*parts))
    return found


def pixels(maps: Maps) -> npt.NDArray[np.float32]:
    """(MAP_SIDE, MAP_SIDE, PLANES): the same for GPUs, each sample as sixteen bytes."""
    return np.ascontiguousarray(np.moveaxis(planes(maps), 0, -1))


MAPS = Constant("maps of the brush", "float32x4", lambda: pixels(NO_MAPS), kept=True)
"""Those of a slot's frame."""


def limits(broader: Array, index: int, last: int) -> tuple[Array, Array]:
    """The least and the most need of strokes where a map says how much broader they are, -1..1. index: of their layer,
    of which `last` is the finest; the broadest, 0, is drawn everywhere."""
    coarser = index - 1
    return np.clip(-broader * last - coarser, 0.0, 1.0), np.clip((1.0 - broader) * last - coarser, 0.0, 1.0)


def read(maps: Maps, y: Array, x: Array) -> Array:
    """(PLANES, ...): what maps say at places, 0..1 of the frame's height and width."""
    return bilinear(planes(maps).astype(np.float64), MAP_SIDE * y - 0.5, MAP_SIDE * x - 0.5)


def bilinear(planes: Array, y: Array | float, x: Array | float) -> Array:
    """(planes, ...): planes (n, rows, columns) at places between samples, their edges repeated."""
    (top, bottom, down), (left, right, over) = (
        _between(place, length) for place, length in ((y, planes.shape[1]), (x, planes.shape[2]))
    )
    upper = planes[:, top, left] + over * (planes[:, top, right] - planes[:, top, left])
    lower = planes[:, bottom, left] + over * (planes[:, bottom, right] - planes[:, bottom, left])
    found: Array = upper + down * (lower - upper)
    return found


def _between(place: Array | float, length: int) -> tuple[Whole, Whole, Array]:
    low = np.floor(np.asarray(place, np.float64))
    first, second = (np.clip(low + step, 0, length - 1).astype(np.int64) for step in (0, 1))
    return first, second, np.asarray(place) - low
