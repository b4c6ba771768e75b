"""Maps of a brush: pictures that say where strokes are fine, and which way they lead.

A map is stretched over the frame. What it says is a function of the place alone, and so the same in each frame and in
every part of a film. A map of sizes sets limits to the need of strokes by where their cell has its home: where it is
dark finer layers are drawn whether they are needed or not, where it is light only broader ones are. A map of directions
takes the place of the structure tensor of painting and film.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE

Whole = npt.NDArray[np.int64]


def limits(sizes: bytes | None, index: int, last: int, y: Array, x: Array) -> tuple[Array, Array]:
    """The least and the most need of strokes at places, 0..1 of the frame's height and width. sizes: as a `BrushKind`
    has it. index: of their layer, of which `last` is the finest; the broadest, 0, is drawn everywhere."""
    if sizes is None or index == 0:
        return np.zeros(y.shape), np.ones(y.shape)
    codes = np.frombuffer(sizes, np.uint8).reshape(1, MAP_SIDE, MAP_SIDE).astype(np.float64)
    broader = np.clip((_read(codes, y, x)[0] - AS_NEEDED) / (255 - AS_NEEDED), -1.0, 1.0)
    coarser = index - 1
    return np.clip(-broader * last - coarser, 0.0, 1.0), np.clip((1.0 - broader) * last - coarser, 0.0, 1.0)


def tensors(directions: bytes | None, y: Array, x: Array) -> npt.NDArray[np.float32]:
    """(2, ...): the structure tensor that a map has at places, 0..1 of the frame's height and width, of a length of at
    most 1, which is how much it counts. directions: as a `BrushKind` has it."""
    if directions is None:
        return np.zeros((2, *np.broadcast_shapes(y.shape, x.shape)), np.float32)
    parts = np.frombuffer(directions, np.int8).reshape(2, MAP_SIDE, MAP_SIDE).astype(np.float64) / 127.0
    found = _read(parts, y, x)
    within: npt.NDArray[np.float32] = np.ascontiguousarray(found / np.maximum(1.0, np.hypot(*found)), np.float32)
    return within


def _read(planes: Array, y: Array, x: Array) -> Array:
    return bilinear(planes, MAP_SIDE * y - 0.5, MAP_SIDE * x - 0.5)


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
