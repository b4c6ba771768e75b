"""Kernels in C for masks (`gpu/cpu/kernels/subject.c`)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from framebrush.gpu.c_kernels import Bytes2, Floats2, Floats3, Kind, Whole1, Whole2, kernel

ByteRows = Annotated[npt.NDArray[np.uint8], Kind(np.uint8, 2, dense=False)]
WordRows = Annotated[npt.NDArray[np.uint16], Kind(np.uint16, 2, dense=False)]


@kernel(scratch=lambda plane, rows, columns, *_: plane.shape[1] + len(columns) // 2)
def sample_luma_8(
    plane: ByteRows, rows: Whole1, columns: Whole1, shift: int, table: Bytes2, made: Bytes2, y0: int, y1: int
) -> None:
    """Fill rows of luma by a table of sums of four samples.

    rows, columns: two per position. shift: number of unused low bits. table: (1, n); the last entry also for higher
    sums.
    """


@kernel(scratch=lambda plane, rows, columns, *_: plane.shape[1] + len(columns) // 2)
def sample_luma_16(
    plane: WordRows, rows: Whole1, columns: Whole1, shift: int, table: Bytes2, made: Bytes2, y0: int, y1: int
) -> None:
    """Fill rows of luma, as `sample_luma_8` does."""


@kernel(scratch=lambda one, two, three, *values: max(one.shape[1], two.shape[1], three.shape[1]) + 3 * len(values[1]))
def sample_rgb_8(
    one: ByteRows,
    two: ByteRows,
    three: ByteRows,
    rows: Whole1,
    columns: Whole1,
    other_rows: Whole1,
    other_columns: Whole1,
    shift: int,
    matrix: Floats2,
    made: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Fill rows of R'G'B', 0..1, from three planes.

    rows, columns: two per position in the first plane; other_rows, other_columns in others. shift: number of unused low
    bits. matrix: (3, 4), factors and a summand.
    """


@kernel(scratch=lambda one, two, three, *values: max(one.shape[1], two.shape[1], three.shape[1]) + 3 * len(values[1]))
def sample_rgb_16(
    one: WordRows,
    two: WordRows,
    three: WordRows,
    rows: Whole1,
    columns: Whole1,
    other_rows: Whole1,
    other_columns: Whole1,
    shift: int,
    matrix: Floats2,
    made: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Fill rows of R'G'B', as `sample_rgb_8` does."""


@kernel(scratch=lambda *_: 0)
def square_sums(picture: Bytes2, side: int, made: Whole2, y0: int, y1: int) -> None:
    """Fill rows of sums over squares of `side` samples."""


@kernel(scratch=lambda *_: 0)
def halved_bytes(picture: Bytes2, made: Bytes2, y0: int, y1: int) -> None:
    """Fill rows of a picture at half the side."""


@kernel(scratch=lambda *_: 0)
def block_motion(here: Bytes2, there: Bytes2, bias: int, made: Floats3, y0: int, y1: int) -> None:
    """Fill rows of (2, rows, columns) with whole samples, down and across, to a block's match.

    bias: subtracted from still blocks' cost.
    """


@kernel(scratch=lambda *_: 0)
def finer_motion(
    here: Bytes2, there: Bytes2, coarse: Floats3, bias: int, flat: int, made: Floats3, y0: int, y1: int
) -> None:
    """Fill rows of (2, rows, columns) with the motion of blocks of half the side.

    coarse: (2, rows / 2, columns / 2), of `block_motion`. bias: subtracted from still blocks' cost. flat: bend of costs
    up to which motion is whole.
    """


@kernel(scratch=lambda masks, way, *_: (7 + len(masks)) * masks.shape[2] + 2 * way.shape[2])
def masks_carried(
    masks: Floats3, way: Floats3, reach: int, boxes: Whole2, made: Floats3, found: Whole2, y0: int, y1: int
) -> None:
    """Fill rows of masks advected along the motion `way`, (2, rows, columns).

    reach: largest motion in samples. boxes: per mask: first row, end row, first column, end column. found: boxes of
    `made`; initially (rows, 0, columns, 0).
    """


@kernel(scratch=lambda *_: 0)
def mask_glided(before: Floats2, after: Floats2, share: float, made: Bytes2, y0: int, y1: int) -> None:
    """Fill rows with a mask between two others, 0..255. share: 0..1."""


@kernel(scratch=lambda mask, low, weights, made, *_: 2 * made.shape[1])
def mask_enlarged(mask: Bytes2, low: Whole1, weights: Whole2, made: Bytes2, y0: int, y1: int) -> None:
    """Fill rows of an enlarged square mask.

    low: sample before each row or column of `made`. weights: (n, 2), of that sample and the next, in 1 / 2^22.
    """


@kernel(scratch=lambda *_: 0)
def sizes_asked(
    face: Bytes2, subject: Bytes2, of_face: Whole1, of_subject: Whole1, made: Bytes2, y0: int, y1: int
) -> None:
    """Fill rows with sums of two masks' table entries, 0..255."""
