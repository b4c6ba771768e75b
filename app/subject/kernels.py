"""The kernels in C that masks are made with (`gpu/cpu/kernels/subject.c`)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.native import Bytes2, Floats2, Floats3, Kind, Whole1, Whole2, kernel

ByteRows = Annotated[npt.NDArray[np.uint8], Kind(np.uint8, 2, dense=False)]
WordRows = Annotated[npt.NDArray[np.uint16], Kind(np.uint16, 2, dense=False)]


@kernel(scratch=lambda *_: 0)
def sample_sums_8(plane: ByteRows, rows: Whole1, columns: Whole1, shift: int, made: Floats2, y0: int, y1: int) -> None:
    """Fill rows of sums of four samples of a plane.

    Args:
        rows, columns: two of each place.
        shift: low bits without use.
    """


@kernel(scratch=lambda *_: 0)
def sample_sums_16(plane: WordRows, rows: Whole1, columns: Whole1, shift: int, made: Floats2, y0: int, y1: int) -> None:
    """Fill rows of sums of four samples, as `sample_sums_8` does."""


@kernel(scratch=lambda *_: 0)
def sums_to_rgb(sums: Floats3, matrix: Floats2, made: Floats3, y0: int, y1: int) -> None:
    """Fill rows of R'G'B', 0..1.

    Args:
        sums: four times the codes.
        matrix: (3, 4), three factors of codes and a summand.
    """


@kernel(scratch=lambda *_: 0)
def square_sums(picture: Bytes2, side: int, made: Whole2, y0: int, y1: int) -> None:
    """Fill rows of sums over squares of `side` samples a side."""


@kernel(scratch=lambda *_: 0)
def block_motion(here: Bytes2, there: Bytes2, bias: int, made: Floats3, y0: int, y1: int) -> None:
    """Fill rows of (2, rows, columns) with the motion of blocks.

    Samples down and across from each block to its match in `there`.

    Args:
        bias: by which the cost in place is less.
    """


@kernel(scratch=lambda masks, *_: 3 * masks.shape[2])
def masks_carried(masks: Floats3, way: Floats3, reach: int, made: Floats3, y0: int, y1: int) -> None:
    """Fill zeros with masks y0 to y1, advected along the motion of blocks.

    Motion: (2, rows, columns); reach samples at most.
    """


@kernel(scratch=lambda *_: 0)
def mask_glided(before: Floats2, after: Floats2, share: float, made: Bytes2, y0: int, y1: int) -> None:
    """Fill rows with codes, 0..255, of a mask that is on its way from one to another.

    Args:
        share: how far, 0..1.
    """
