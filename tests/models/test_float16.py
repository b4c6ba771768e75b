"""Painters in float16: what changes, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto

from framebrush.models.float16 import OPERATORS
from framebrush.models.load import load_style
from framebrush.models.probe import sample_picture
from framebrush.models.style import Style, StyleError
from tests import networks
from tests.networks import Net

pytestmark = pytest.mark.unit


def run(style: Style, picture: np.ndarray, mix: np.ndarray) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(style.model, options, providers=["CPUExecutionProvider"])
    result = session.run(None, {"frame": picture.astype(style.card.precision), "mix": mix})[0]
    assert result.dtype == np.dtype(style.card.precision)
    return np.clip(result.astype(np.float32), 0, 1)


@pytest.mark.parametrize("name", ["realtime", "quality"])
def test_a_painter_differs_by_less_than_its_card_says(name: str) -> None:
    style = load_style(name)
    half = style.as_float16()
    assert half.card == replace(style.card, precision="float16")
    assert half.card.float16_codes is not None
    mix = np.zeros((1, len(style.card.paintings)), np.float32)
    mix[0, [0, 3]] = 0.6, 0.4
    picture = sample_picture(120, 160)[None]
    apart = 255 * np.abs(run(style, picture, mix) - run(half, picture, mix))
    assert 0 < np.sqrt(np.mean(apart**2)) < half.card.float16_codes


def test_pixels_are_computed_in_float16_and_weights_blended_in_float32() -> None:
    model = onnx.load_from_string(load_style("realtime").as_float16().model)
    shapes = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
    kinds = {value.name: value.type.tensor_type.elem_type for value in (*shapes.value_info, *shapes.output)}
    for node in model.graph.node:
        expected = TensorProto.FLOAT if node.op_type == "MatMul" else TensorProto.FLOAT16
        if node.op_type in OPERATORS - {"Cast"}:
            assert {kinds[name] for name in node.output} == {expected}


def test_float16_stays_as_it_is() -> None:
    style = networks.identity(half=True)
    assert style.as_float16() is style


def test_normalisation_is_refused() -> None:
    with pytest.raises(StyleError, match="Test: InstanceNormalization may lose too much in float16; use --precision"):
        networks.instance_norm().as_float16()


def test_weights_beyond_float16_are_refused() -> None:
    net = Net([1, 3, "H", "W"], name="frame")
    net.conv(np.full((3, 3, 1, 1), 7e4, np.float32))
    with pytest.raises(StyleError, match=r"Test: .* is too large for float16; use --precision float32"):
        networks.canonical(net).as_float16()
