"""Motion of blocks between two small pictures of luma."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from framebrush.subject import mask_kernels

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Whole = npt.NDArray[np.int32]

HALF = 2
"""Motion is found in pictures of half the side first."""
BLOCK = 8
"""Side of a block in samples, in both pictures."""
REACH = 3
"""Longest motion in samples of the halved picture: 1/27 of the frame's width between two frames."""
STILL = BLOCK**2 * 3 // 2
"""Cost in codes by which the match in place is favoured, so that flat blocks stay."""
FLAT = BLOCK**2
"""Bend of costs, in codes, up to which noise hides motion of less than a sample."""

CUT = 20
"""Mean change of luma in codes, of means over blocks, from which two frames are of different shots."""
ALIKE = 0.6
"""Correlation of two pictures above which they are of one shot, whatever their change: a light that is switched."""


class SmallLuma:
    """Luma of a frame, (N, N), N a multiple of 16, with reductions."""

    def __init__(self, codes: Bytes) -> None:
        self.codes = codes

    @cached_property
    def halved(self) -> Bytes:
        """Return the picture at half the side."""
        rows, columns = (length // HALF for length in self.codes.shape)
        made = np.empty((rows, columns), np.uint8)
        mask_kernels.halved_bytes(self.codes, made, 0, rows)
        return made

    @cached_property
    def means(self) -> npt.NDArray[np.float64]:
        side = HALF * BLOCK
        rows, columns = (length // side for length in self.codes.shape)
        sums = np.empty((rows, columns), np.int32)
        mask_kernels.square_sums(self.codes, side, sums, 0, rows)
        return sums / side**2


def is_cut(before: SmallLuma, after: SmallLuma) -> bool:
    """Return whether successive frames are of different shots."""
    first, second = before.means, after.means
    if float(np.abs(first - second).mean()) < CUT:
        return False
    first, second = first - first.mean(), second - second.mean()
    alike = float((first * second).sum()) / max(float(np.sqrt((first**2).sum() * (second**2).sum())), 1e-6)
    return alike < ALIKE


def motion(before: SmallLuma, after: SmallLuma) -> Floats | None:
    """Return each block's motion, (2, N / 8, N / 8), to its origin; None if still.

    All blocks are searched, as masks must not depend on others.
    """
    here, there = after.halved, before.halved
    if (np.maximum(here, there) - np.minimum(here, there)).max() <= 1:
        return None
    count = len(here) // BLOCK
    coarse = np.empty((2, count, count), np.float32)
    mask_kernels.block_motion(here, there, STILL, coarse, 0, count)
    count *= HALF
    way = np.empty((2, count, count), np.float32)
    mask_kernels.finer_motion(after.codes, before.codes, coarse, STILL, FLAT, way, 0, count)
    return way


def boxes_of(masks: Floats) -> Whole:
    """Return the smallest boxes around masks (n, N, N).

    Returns (n, 4): first row, end row, first column, end column; (N, 0, N, 0) if empty.
    """
    count, side = masks.shape[:2]
    boxes = _empty_boxes(count, side)
    for box, mask in zip(boxes, masks, strict=True):
        for low, lines in ((0, mask.any(1)), (2, mask.any(0))):
            filled = np.flatnonzero(lines)
            if len(filled):
                box[low : low + 2] = filled[0], filled[-1] + 1
    return boxes


def carried(masks: Floats, boxes: Whole, way: Floats) -> tuple[Floats, Whole]:
    """Advect masks (n, N, N) and boxes along the motion."""
    moved, found = np.empty_like(masks), _empty_boxes(*masks.shape[:2])
    mask_kernels.masks_carried(masks, way, HALF * (REACH + 1), boxes, moved, found, 0, masks.shape[1])
    return moved, found


def _empty_boxes(count: int, side: int) -> Whole:
    return np.array([[side, 0, side, 0]] * count, np.int32).reshape(count, 4)
