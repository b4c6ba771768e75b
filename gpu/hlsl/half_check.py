"""Painters in native 16 bits: refusals and errors of drivers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError, RefusedKernelError, WrongResultError
from framebrush.gpu.hlsl.painter_dispatches import Dispatch, Tile, plan_dispatches
from framebrush.gpu.painter import Painter
from framebrush.gpu.painter_reference import Picture, computed

Paint: TypeAlias = Callable[[Painter, Sequence[Dispatch], Picture, Sequence[float]], Picture]
"""Function that paints a frame (3, H, W) in 16 bits."""

CHECKED_SIZE = 64, 48
TOLERANCE = 2 / 255
"""Largest difference in a picture 0..1. Painters of the package differ by 0.8 / 255 at most."""

E = TypeVar("E")


def opened_in_halves(make: Callable[[], E]) -> E:
    """Open an engine. Raises RefusedKernelError if the driver refuses."""
    try:
        return make()
    except (OutOfMemoryError, DeviceLostError):
        raise
    except DeviceError as error:
        raise RefusedKernelError(str(error)) from error


def check_halves(adapter: str, painter: Painter, dispatches: Sequence[Dispatch], painted: Paint) -> None:
    """Compare kernels with float64, in a small picture.

    Raises WrongResultError, DeviceError.
    """
    tiles = [one.tile for one in dispatches]
    pieces, lines = max(tile.pieces for tile in tiles), max(tile.lines for tile in tiles)
    most = Tile(pieces, lines, any(tile.filtered for tile in tiles), native=True)
    planned = plan_dispatches(painter, CHECKED_SIZE, most)
    if planned is None:
        raise DeviceError("the network does not fit the picture for the check of 16-bit kernels")
    off = off_by(painter, planned, painted)
    if not off <= TOLERANCE:
        raise WrongResultError(f"the driver of {adapter} computes wrong in 16 bits, by {off:.3g} of 1")


def off_by(painter: Painter, dispatches: Sequence[Dispatch], painted: Paint) -> float:
    """Return the largest difference of a picture of CHECKED_SIZE from float64."""
    width, height = CHECKED_SIZE
    frame = np.random.default_rng(0).uniform(0.0, 1.0, (3, height, width))
    mix = [1.0, *[0.0] * (len(painter.rows) - 1)]
    got = painted(painter, dispatches, frame, mix)
    return float(np.max(np.abs(np.clip(got, 0.0, 1.0) - np.clip(computed(painter, frame, mix), 0.0, 1.0))))
