"""Canvas of unfinished paintings, and times of their strokes."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from framebrush.gpu.layouts import Four, Pixels, packed
from framebrush.gpu.passes import Constant, Pass, Step, Work
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.strokes import StrokeLayout, noise
from framebrush.gpu.unfinished import TIMES_SIDE, Unfinished

Floats = npt.NDArray[np.float32]
FloatT = TypeVar("FloatT", np.float32, np.float64)

WASH_ROWS, WASH_SOFT, WASH_RAGGED = 9, 0.08, 0.25
"""Rows of the underpainting's broad brush; width of its soft front, and the front's hairs, in rows."""

LAYING = packed(
    ("size", *Pixels),  # of the target
    ("padded", *Pixels),  # of the source's planes
    ("bare", *Four),  # R'G'B' of the canvas
    ("front", "<f4"),  # laid share of the underpainting
)

NOISE = Constant("noise of the underpainting", "float32", noise)


def wash(front: float, size: Size) -> Floats:
    """Return an underpainting's opacity (rows, columns), in broad rows.

    front: finished share, 0..1.
    """
    columns, rows = size
    x = ((np.arange(columns) + 0.5) / columns)[None]
    wavy = np.interp(x * 24.0, np.arange(32), noise()[:32]) - 0.5
    y = ((np.arange(rows) + 0.5) / rows)[:, None] * WASH_ROWS + 0.3 * wavy
    row = np.clip(np.floor(y), 0, WASH_ROWS - 1)
    hairs = noise()[np.floor((y + 8.0) * 40.0).astype(np.int64) % len(noise())]
    along = np.where(row % 2, 1.0 - x, x)
    # from 0 to 1: every place in the order in which the brush comes by
    place = (row + along * (1.0 - WASH_RAGGED) + WASH_RAGGED * hairs) / WASH_ROWS
    reach = front * (1.0 + WASH_SOFT / WASH_ROWS) - place
    opacity = np.clip(reach * WASH_ROWS / WASH_SOFT, 0.0, 1.0)
    return (opacity * opacity * (3.0 - 2.0 * opacity)).astype(np.float32)


def laid(picture: npt.NDArray[FloatT], part: Unfinished) -> npt.NDArray[FloatT]:
    """Return a picture (3, H, W) partly laid on the canvas."""
    if part.front >= 1.0:
        return picture
    bare = np.array(part.bare, picture.dtype)[:, None, None]
    rows, columns = picture.shape[1:]
    found: npt.NDArray[FloatT] = bare + wash(part.front, (columns, rows)) * (picture - bare)
    return found


def times_of(layout: StrokeLayout) -> Constant:
    """Return the resource of a slot's times of strokes."""
    size = len(layout.layers), TIMES_SIDE, TIMES_SIDE, 4
    return Constant("times of strokes", "float32x4", lambda: np.zeros(size, np.float32), kept=True)


class Laying:
    """Pass that lays the source on the canvas."""

    def __init__(self, way: FramePasses, target: Size) -> None:
        self._original, self._target = way.original, target
        made = Pass("source_laid", (way.original, NOISE), (way.laid,), target, "laying", element_of=way.original)
        self._work = Work("original", (made,), begins=False, ends=False)

    def step(self, slot: int, part: Unfinished) -> Step:
        """Return the step for a slot."""
        record = np.zeros((), LAYING)
        record["size"], record["padded"] = self._target, self._original.size_px
        record["bare"][:3], record["front"] = part.bare, part.front
        return Step(self._work, slot, (), {"laying": record})
