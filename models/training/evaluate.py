"""What is measured of a painting when the eye is done: flicker and grid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
"""(3, H, W), encoded R'G'B' 0..1."""
Paint = Callable[[Picture], Picture]


def flicker(paint: Paint, photo: Picture, frames: int = 6, seed: int = 0) -> float:
    """Mean absolute change between successive paintings of a window that pans over a photograph, after the pan is taken
    back, in 0..1. The window moves by 3 pixels down and 5 across a frame, with noise of 2/255, as of a camera."""
    dice = np.random.default_rng(seed)
    height, width = (side - shift * (frames - 1) for side, shift in zip(photo.shape[1:], (3, 5), strict=True))
    height, width = height // 8 * 8, width // 8 * 8
    changes: list[float] = []
    before: Picture | None = None
    for n in range(frames):
        window = photo[:, 3 * n : 3 * n + height, 5 * n : 5 * n + width]
        noisy = np.clip(window + dice.normal(0, 2 / 255, window.shape), 0, 1).astype(np.float32)
        after = np.clip(paint(noisy), 0, 1)
        if before is not None:
            changes.append(float(np.abs(before[:, 3:, 5:] - after[:, :-3, :-5]).mean()))
        before = after
    return float(np.mean(changes))


def grid(picture: Picture) -> float:
    """Energy at the periods of 2 and 4 pixels, across and down, over the energy of their neighbours: about 1 without a
    grid. picture: sides multiples of 8."""
    luma = np.tensordot(np.array([0.299, 0.587, 0.114]), picture, 1)
    window = np.outer(np.hanning(luma.shape[0]), np.hanning(luma.shape[1]))
    energy = np.abs(np.fft.fft2((luma - luma.mean()) * window)) ** 2
    return float(np.mean([_peak(energy), _peak(energy.T)]))


def _peak(energy: NDArray[np.float64]) -> float:
    """Of one direction: the lines at a quarter and a half of the sampling rate against those six to twelve beside."""
    size = len(energy)
    lines = energy.sum(1)
    ratios = []
    for centre in (size // 4, size // 2):
        near = lines[centre - 1 : centre + 2].mean()
        beside = np.concatenate([lines[centre - 12 : centre - 5], lines[centre + 6 : centre + 13]]).mean()
        ratios.append(near / beside)
    return float(np.mean(ratios))
