"""Unfinished paintings as data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

TIMES_SIDE = 160
"""Rows and columns of a layer's times."""


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """Times of strokes by layer and place, 0..1.

    table: (layers, TIMES_SIDE, TIMES_SIDE, 4): first beginning, its spread by seed, duration, 0.
    """

    table: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """State of an unfinished painting.

    Attributes:
        progress: time of the strokes, 0..1.
        front: laid share of the underpainting, complete from 1.
        touches: 0..1, opacity of letters, detail and other pixels without strokes.
        bare: encoded R'G'B' of the canvas.
        covers: whether the canvas's opacity is painted, white on black.
    """

    times: Times
    progress: float
    front: float
    touches: float
    bare: tuple[float, float, float]
    covers: bool = False
