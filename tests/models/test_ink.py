"""The bundled drawing against the paper's formulas, written out in float64."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from framebrush.models import ink
from framebrush.models.reading.load import load_style
from framebrush.models.reading.receptive_field import receptive_field
from framebrush.models.sample_picture import sample_picture
from tests import networks

pytestmark = pytest.mark.unit


def run(picture: np.ndarray) -> np.ndarray:
    session = networks.session(load_style("ink").model)
    return np.asarray(session.run(None, {"frame": picture[None].astype(np.float32)})[0][0])


def blur(luma: np.ndarray, sigma_px: float) -> np.ndarray:
    """Two-dimensional Gaussian by summing shifted pictures, the border reflected."""
    radius = ink.RADIUS_PX
    padded = np.pad(luma, radius, mode="reflect")
    total, weight_sum = np.zeros_like(luma), 0.0
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            weight = np.exp(-(dx * dx + dy * dy) / (2 * sigma_px**2))
            rows = slice(radius + dy, radius + dy + luma.shape[0])
            total += weight * padded[rows, radius + dx : radius + dx + luma.shape[1]]
            weight_sum += weight
    return total / weight_sum


def test_committed_file_is_what_the_script_makes() -> None:
    assert ink.FILE.read_bytes() == ink.build().SerializeToString(deterministic=True)


def test_equals_the_formulas() -> None:
    picture = sample_picture(48, 64).astype(np.float64)
    luma = np.tensordot(np.array([0.2126, 0.7152, 0.0722]), picture, axes=1)
    narrow, wide = blur(luma, ink.SIGMA_PX), blur(luma, ink.RATIO * ink.SIGMA_PX)
    sharpened = (1 + ink.SHARPEN) * narrow - ink.SHARPEN * wide
    drawn = np.where(sharpened >= ink.EPSILON, 1, 1 + np.tanh(ink.PHI * (sharpened - ink.EPSILON)))
    wash = np.where(wide >= ink.WASH_EPSILON, 1, 1 + np.tanh(ink.WASH_PHI * (wide - ink.WASH_EPSILON)))
    black = np.tanh(ink.PHI * ink.EPSILON), np.tanh(ink.WASH_PHI * ink.WASH_EPSILON)
    amount = (1 - ink.WASH_SHARE) * (1 - drawn) / black[0] + ink.WASH_SHARE * (1 - wash) / black[1]
    paper, dark = (np.array(colour).reshape(3, 1, 1) for colour in (ink.PAPER, ink.INK))
    np.testing.assert_allclose(run(picture), paper + (dark - paper) * amount, atol=2e-3)
    assert 0.05 < amount.mean() < 0.95


def test_white_is_paper_and_black_is_ink() -> None:
    white, black = run(np.ones((3, 32, 32))), run(np.zeros((3, 32, 32)))
    np.testing.assert_allclose(white, np.broadcast_to(np.reshape(ink.PAPER, (3, 1, 1)), white.shape), atol=1e-3)
    np.testing.assert_allclose(black, np.broadcast_to(np.reshape(ink.INK, (3, 1, 1)), black.shape), atol=1e-3)
    assert np.ptp(black, axis=(1, 2)).max() < 1e-5, "no frame along the border"


def test_card_tells_the_truth() -> None:
    style = load_style("ink")
    found = receptive_field(onnx.load_from_string(style.model))
    assert (found.stride, found.radius_px, found.frame_statistics) == (1, ink.RADIUS_PX, False)
    assert (style.card.stride, style.card.radius_px, style.card.frame_statistics) == (1, ink.RADIUS_PX, False)


def test_no_elementwise_operator_of_two_pictures() -> None:
    """DirectML is slow at them, and not every driver has them."""
    operators = {node.op_type for node in onnx.load_from_string(load_style("ink").model).graph.node}
    assert operators == {"Conv", "Pad", "Relu", "Tanh"}
