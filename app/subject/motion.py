"""Motion between two small pictures of luma, by blocks, and masks carried along it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.subject import kernels

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

HALF = 2
"""Motion is found in pictures of half the side."""
BLOCK = 8
"""Samples a side of a block, of the halved picture."""
REACH = 3
"""Samples of the halved picture that a block is searched away: 1/27 of the frame's width between two frames."""
STILL = 1
"""Codes a sample by which the match in place is favoured: flat blocks stay."""

CUT = 20
"""Mean change of luma in codes, of means over blocks, from which two frames are of different shots."""
ALIKE = 0.6
"""Correlation of two pictures above which they are of one shot, whatever their change: a light that is switched."""


def is_cut(before: Bytes, after: Bytes) -> bool:
    """Return whether two successive frames, luma of (N, N), are of different shots."""
    side = HALF * BLOCK
    first, second = (_sums(picture, side) / side**2 for picture in (before, after))
    if float(np.abs(first - second).mean()) < CUT:
        return False
    first, second = first - first.mean(), second - second.mean()
    alike = float((first * second).sum()) / max(float(np.sqrt((first**2).sum() * (second**2).sum())), 1e-6)
    return alike < ALIKE


def motion(before: Bytes, after: Bytes) -> Floats | None:
    """Return where each block of `after` came from; None if nothing moved.

    All blocks are searched, wherever masks are: what is carried of one look must not depend on another one. Costs are
    whole numbers, so that the same motion is found on every processor.

    Args:
        before, after: luma of (N, N), N a multiple of 16.

    Returns: (2, N / 16, N / 16), samples down and across of the pictures given, from a place in `after` to its place in
    `before`.
    """
    here, there = (((_sums(picture, HALF) + 2) >> 2).astype(np.uint8) for picture in (after, before))
    if (np.maximum(here, there) - np.minimum(here, there)).max() <= STILL:
        return None
    count = len(here) // BLOCK
    way = np.empty((2, count, count), np.float32)
    kernels.block_motion(here, there, STILL * BLOCK**2, way, 0, count)
    way *= HALF
    return way


def carried(masks: Floats, way: Floats) -> Floats:
    """Return masks (n, N, N) carried along the motion that `motion` found."""
    moved = np.zeros_like(masks)
    kernels.masks_carried(masks, way, HALF * (REACH + 1), moved, 0, len(masks))
    return moved


def _sums(picture: Bytes, side: int) -> npt.NDArray[np.int32]:
    """Sums over squares of `side` samples a side."""
    rows, columns = (length // side for length in picture.shape)
    sums = np.empty((rows, columns), np.int32)
    kernels.square_sums(picture, side, sums, 0, rows)
    return sums
