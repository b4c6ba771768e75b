"""A frame's number drawn into its picture, readable after encoding, scaling and stylising.

Two rows of eight blocks, each row a full width and half the height of a band at the top of the picture. The blocks hold
the Gray code of the number (12 bits, most significant first) and a checksum of four bits. White is 1, black is 0;
every block has a dark frame of one sixth around its core, and only the middle of the core is read, against the mean of
all cores, so that neither ringing nor a change of contrast matters.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

BITS = 12
MAX_NUMBER = (1 << BITS) - 1
COLUMNS, ROWS = 8, 2
BAND = 0.5  # share of the picture's height that the pattern takes
BLACK, WHITE = 0.08, 0.92  # of the range of the array, away from the ends, where filters clip


def _checksum(code: int) -> int:
    """Four bits that change with any single bit of the code, and are not all zero for the code 0."""
    return 0b1010 ^ (code & 15) ^ (code >> 4 & 15) * 3 % 16 ^ (code >> 8 & 15) * 7 % 16


def _cells(height: int, width: int, margin: float) -> list[tuple[slice, slice]]:
    """Rows and columns of each block, less a margin (share of the block) on each side."""
    high, wide = height * BAND / ROWS, width / COLUMNS
    return [
        (
            slice(round((row + margin) * high), round((row + 1 - margin) * high)),
            slice(round((column + margin) * wide), round((column + 1 - margin) * wide)),
        )
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]


def draw(picture: npt.NDArray[np.uint8], number: int) -> None:
    """Draw a number into the top half of a picture, in place.

    picture: (H, W) or (H, W, channels) uint8, at least 64x32. Raises ValueError when the number is not 0..4095.
    """
    if not 0 <= number <= MAX_NUMBER:
        raise ValueError(f"frame number {number} is not within 0..{MAX_NUMBER}")
    height, width = picture.shape[:2]
    gray = number ^ number >> 1
    word = gray << 4 | _checksum(gray)
    picture[: round(height * BAND)] = round(255 * BLACK)
    for index, (rows, columns) in enumerate(_cells(height, width, 1 / 12)):
        if word >> (BITS + 3 - index) & 1:
            picture[rows, columns] = round(255 * WHITE)


def read(luma: npt.NDArray[np.generic]) -> int | None:
    """The number in a picture, or None when it holds none.

    luma: (H, W) of any size and type, as shown upright; only the contrast matters. None when the blocks are not of two
    clearly different levels, or the checksum does not fit.
    """
    height, width = luma.shape
    levels = np.array([luma[rows, columns].mean() for rows, columns in _cells(height, width, 1 / 3)])
    low, high = levels.min(), levels.max()
    middle = (low + high) / 2
    bright = levels > middle
    spread = max(np.ptp(levels[bright]), np.ptp(levels[~bright])) if high > low else 0.0
    if high <= low or spread > (high - low) / 2:
        return None
    word = int("".join("1" if bit else "0" for bit in bright), 2)
    code, check = word >> 4, word & 15
    if check != _checksum(code):
        return None
    number = code
    while code := code >> 1:
        number ^= code
    return number
