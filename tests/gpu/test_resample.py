"""Weights of resampling filters: known values and properties.

test_parity.py compares them with ONNX Runtime's `Resize`.
"""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.gpu.stages import resample
from framebrush.gpu.stages.resample import Filter, taps

pytestmark = pytest.mark.unit

LENGTHS = [(1, 1), (1, 7), (7, 1), (10, 10), (61, 30), (30, 61), (5, 2), (1920, 640), (640, 1920), (100, 99)]


@pytest.mark.parametrize(("length", "resized"), LENGTHS)
@pytest.mark.parametrize("shape", list(Filter))
def test_weights_are_means_of_samples_of_the_picture(length: int, resized: int, shape: Filter) -> None:
    first, weights = taps(length, resized, shape)
    assert first.shape == (resized,)
    assert first.min() >= 0
    assert first.max() + weights.shape[1] <= length
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)
    mirrored = resample.resample(np.arange(length, dtype=float)[::-1][None, None].repeat(3, 0), (resized, 1), shape)
    straight = resample.resample(np.arange(length, dtype=float)[None, None].repeat(3, 0), (resized, 1), shape)
    np.testing.assert_allclose(mirrored[..., ::-1], straight, atol=1e-9)


@pytest.mark.parametrize("length", [1, 2, 9, 64])
@pytest.mark.parametrize("shape", list(Filter))
def test_the_same_length_changes_nothing(length: int, shape: Filter) -> None:
    values = np.random.default_rng(0).random((3, 1, length))
    first, weights = taps(length, length, shape)
    columns = first[:, None] + np.arange(weights.shape[1])
    np.testing.assert_allclose((values[0, 0][columns] * weights).sum(axis=1), values[0, 0], atol=1e-12)


def test_known_weights() -> None:
    """Halving by a triangle of half width 2 gives 1 3 3 1. Keys' cubic at a quarter of the way is known."""
    _, weights = taps(16, 8, Filter.LINEAR)
    row = weights[4][weights[4] > 0]
    np.testing.assert_allclose(row, np.array([1, 3, 3, 1]) / 8)
    _, weights = taps(8, 8 * 2, Filter.CATMULL_ROM)
    quarter = [-0.0703125, 0.8671875, 0.2265625, -0.0234375]  # t = 1/4: (-t + 2t^2 - t^3) / 2 and so on
    assert any(np.allclose(row[np.abs(row) > 0], quarter) for row in weights[4:12])


def test_a_reduction_has_no_aliasing() -> None:
    """The finest stripes that samples hold become even grey."""
    stripes = np.tile(np.array([0.0, 1.0]), 120)[None, None].repeat(240, 1).repeat(3, 0)
    for shape in Filter:
        small = resample.resample(stripes, (80, 80), shape)
        assert np.abs(small[:, 4:-4, 4:-4] - 0.5).max() < 0.06
