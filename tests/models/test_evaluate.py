"""The measures of benchmarks/styles.py distinguish their intended cases."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.models.training.evaluate import Flow, Picture, lattice, moving_flicker, static_flicker, weave

pytestmark = pytest.mark.unit

ROWS, COLUMNS = np.mgrid[:160, :200].astype(np.float32)


def grey(luma: np.ndarray) -> Picture:
    return np.repeat(luma[None].astype(np.float32), 3, 0)


def noise(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 0.1, ROWS.shape)


@pytest.mark.parametrize("period", [3, 4, 8])
def test_a_grid_is_woven(period: int) -> None:
    """Strokes of the same width, long or short, and noise are not."""
    grid = 0.5 + 0.1 * np.cos(2 * np.pi * ROWS / period) * np.cos(2 * np.pi * COLUMNS / period) + 0.2 * noise(0)
    across = np.fft.fftfreq(ROWS.shape[0])[:, None]
    along = np.fft.fftfreq(ROWS.shape[1])
    band = np.exp(-((np.abs(across) - 0.7 / period) ** 2) * (6 * period) ** 2 - (12 * along) ** 2)
    strokes = np.fft.ifft2(np.fft.fft2(noise(2)) * band).real
    assert weave(grey(grid)) > 1
    assert weave(grey(0.5 + 0.1 * strokes / strokes.std() + 0.2 * noise(0))) < 0.5
    assert weave(grey(0.5 + noise(1))) < 0.5
    assert lattice(np.zeros((40, 40))) == 0


def test_flicker_of_what_stands_still() -> None:
    """Only there: half of the source moves, and the painting of that half may do anything."""
    source = [grey(0.5 + 0.1 * (n % 2) * (COLUMNS > 100)) for n in range(4)]
    painted = [grey(0.5 + 0.02 * (n % 2) * (COLUMNS <= 100) + noise(n) * (COLUMNS > 105)) for n in range(4)]
    assert static_flicker(source, painted) == pytest.approx(0.02, abs=5e-4)
    assert static_flicker(source, source) == 0
    assert np.isnan(static_flicker([grey(noise(n)) for n in range(2)], painted[:2]))


def test_flicker_along_motion() -> None:
    """Strokes that move with their objects do not flicker; strokes fixed to the screen do."""
    texture = np.sin(np.arange(240) / 3) * np.cos(np.arange(160)[:, None] / 4)

    def flow(first: int, second: int) -> Flow:
        return np.broadcast_to(np.float32([3 * (second - first), 0]), (160, 200, 2))

    carried = [grey(np.roll(texture, 3 * n, 1)[:, :200]) for n in range(3)]
    stuck = [grey(texture[:, :200])] * 3
    assert moving_flicker(carried, flow) < 1e-6
    assert moving_flicker(stuck, flow) > 0.1
    assert np.isnan(moving_flicker(stuck, lambda first, second: np.zeros((160, 200, 2), np.float32)))
