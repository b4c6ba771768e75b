"""Waveform and vectorscope of displayed R'G'B' (BT.709)."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from framebrush.models.colours.luma import LUMA

Pixels = npt.NDArray[np.uint8]

LEVELS, COLUMNS, SIDE = 128, 256, 128
"""Rows and columns of a waveform, and the side of a vectorscope."""

BAR = 0.75
"""Amplitude of the colours at the vectorscope's targets: 75 % colour bars."""

GRID, MARK = 58, 110
STRENGTH, FAINTEST = 25.0, 16
"""How fast brightness grows with the number of samples at a point, and the least brightness of a single one."""


def waveform(picture: Pixels) -> Pixels:
    """Draw the levels of red, green and blue of a (H, W, 3) uint8 R'G'B' picture.

    Returns (LEVELS, COLUMNS, 3) uint8, 255 in the uppermost row.
    """
    height, width = picture.shape[:2]
    count = min(width, COLUMNS)  # a narrow picture has fewer, which are stretched
    columns = np.broadcast_to(np.arange(width) * count // width, (height, width)).ravel()
    stretched = np.arange(COLUMNS) * count // COLUMNS
    drawn = np.zeros((LEVELS, COLUMNS, 3), np.uint8)
    drawn[[0, LEVELS // 4, LEVELS // 2, 3 * LEVELS // 4, LEVELS - 1]] = GRID
    share = count / (height * width)  # the share of one sample in its column
    for channel in range(3):
        rows = LEVELS - 1 - picture[..., channel].ravel().astype(np.intp) * LEVELS // 256
        counts = np.bincount(rows * count + columns, minlength=LEVELS * count).reshape(LEVELS, count)
        drawn[..., channel] = np.maximum(drawn[..., channel], _bright(counts * share)[:, stretched])
    return drawn


def vectorscope(picture: Pixels) -> Pixels:
    """Draw the distribution of colours of a (H, W, 3) uint8 R'G'B' picture.

    Returns (SIDE, SIDE, 3) uint8: grey in the centre, blue on the right, red at the top.
    """
    rows, columns = _place(picture.reshape(-1, 3).astype(np.float64) / 255)
    counts = np.bincount(rows * SIDE + columns, minlength=SIDE * SIDE).reshape(SIDE, SIDE)
    bright = _bright(4 * counts * SIDE / counts.sum())[..., None]
    return np.maximum(_graticule(), (bright * _hues()).astype(np.uint8))


def _bright(density: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(density > 0, FAINTEST + (255 - FAINTEST) * (1 - np.exp(-STRENGTH * density)), 0.0)


def _place(colours: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    luma = colours @ LUMA
    cb, cr = (colours[:, 2] - luma) / 1.8556, (colours[:, 0] - luma) / 1.5748
    rows, columns = (np.clip((0.5 + chroma) * SIDE, 0, SIDE - 1).astype(np.intp) for chroma in (-cr, cb))
    return rows, columns


@cache
def _hues() -> npt.NDArray[np.float64]:
    middle = (np.arange(SIDE) + 0.5) / SIDE - 0.5
    cb, cr = middle[None, :], -middle[:, None]
    red, blue = 1.5748 * cr + 0 * cb, 1.8556 * cb + 0 * cr
    green = -(LUMA[0] * red + LUMA[2] * blue) / LUMA[1]
    colours: npt.NDArray[np.float64] = np.stack([red, green, blue], axis=-1)
    colours += 0.62 - 0.5 * (colours.max(axis=-1, keepdims=True) + colours.min(axis=-1, keepdims=True))
    return np.clip(colours, 0.0, 1.0)


@cache
def _graticule() -> Pixels:
    drawn = np.zeros((SIDE, SIDE, 3), np.uint8)
    drawn[SIDE // 2] = drawn[:, SIDE // 2] = GRID
    angles = np.linspace(0, 2 * np.pi, 8 * SIDE)
    around = [np.rint((SIDE - 1) / 2 * (1 + turn)).astype(int) for turn in (np.sin(angles), np.cos(angles))]
    drawn[around[0], around[1]] = GRID
    bars = np.array([(red, green, blue) for red in (0, 1) for green in (0, 1) for blue in (0, 1)][1:-1])
    for row, column in zip(*_place(BAR * bars), strict=True):
        drawn[row - 3 : row + 4, column - 3 : column + 4] = MARK
        drawn[row - 2 : row + 3, column - 2 : column + 3] = 0
    return drawn
