"""Contrast that is folded into a learnt network: luma around its mean, and no change of chroma."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from framebrush.models.colours.luma import LUMA
from framebrush.models.style import ModelCard
from framebrush.models.training.contrast import with_contrast
from framebrush.models.training.export import to_onnx
from framebrush.models.training.painter_network import SHAPES, PainterModule, Weights
from tests import networks

pytestmark = pytest.mark.unit

SHAPE = SHAPES["realtime"]


def painted(weights: Weights) -> np.ndarray:
    """(3, 32, 40): a picture of noise as a network with these weights paints it."""
    model = to_onnx(SHAPE, [weights], ModelCard("test", "test", ("test",), licence="MIT", source="test"))
    frame = np.random.default_rng(1).random((1, 3, 32, 40), np.float32)
    return np.asarray(networks.session(model.SerializeToString()).run(None, {"frame": frame})[0][0])


def test_luma_moves_away_from_its_mean_and_chroma_stays() -> None:
    torch.manual_seed(3)
    weights = PainterModule(SHAPE).folded()
    plain, changed = painted(weights), painted(with_contrast(weights, 1.8, 0.4))
    before, after = (np.tensordot(LUMA, picture, 1) for picture in (plain, changed))
    assert np.ptp(before) > 1e-3
    np.testing.assert_allclose(after, 0.4 + 1.8 * (before - 0.4), atol=1e-4)
    np.testing.assert_allclose(changed - after, plain - before, atol=1e-4)


def test_a_gain_of_one_changes_nothing() -> None:
    weights = PainterModule(SHAPE).folded()
    kept = with_contrast(weights, 1.0, 0.4)
    assert all(np.array_equal(kept[name][n], weights[name][n]) for name in weights for n in (0, 1))
