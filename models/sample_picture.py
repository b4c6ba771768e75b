"""Synthetic picture for trials of networks."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt


@lru_cache(maxsize=4)
def sample_picture(height: int, width: int) -> npt.NDArray[np.float32]:
    """Make (3, height, width) R'G'B' 0..1 with photographs' statistics."""
    random = np.random.default_rng(20120816)
    frequency = np.hypot(np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None, :])
    frequency[0, 0] = 1.0
    noise = np.fft.irfft2(np.fft.rfft2(random.standard_normal((3, height, width))) / frequency, s=(height, width))
    noise /= noise.std()
    y, x = np.mgrid[0:height, 0:width] / np.array([height, width]).reshape(2, 1, 1)
    disc = np.hypot(y - 0.4, x - 0.35) < 0.2
    roof = (y > 0.55) & (np.abs(x - 0.65) < 0.25)
    picture = 0.5 + 0.12 * noise + np.array([0.1, 0.0, -0.1]).reshape(3, 1, 1) * (0.5 - y)
    picture += disc * np.array([0.3, 0.1, -0.2]).reshape(3, 1, 1)
    picture -= roof * np.array([0.1, 0.2, 0.3]).reshape(3, 1, 1)
    return np.asarray(np.clip(picture, 0, 1), np.float32)
