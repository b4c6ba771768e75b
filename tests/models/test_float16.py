"""Painters in float16: differences and refusals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading.load import load_style
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import Style, StyleError
from tests import networks
from tests.networks import Net, johnson

pytestmark = pytest.mark.unit


def run(style: Style, picture: np.ndarray, mix: np.ndarray | None = None) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(style.model, options, providers=["CPUExecutionProvider"])
    weights = {} if mix is None else {"mix": mix}
    result = session.run(None, {"frame": picture.astype(style.card.precision), **weights})[0]
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
        if node.op_type not in ("Cast", "Shape"):
            assert {kinds[name] for name in node.output} == {expected}


def test_float16_stays_as_it_is() -> None:
    style = networks.identity(half=True)
    assert style.as_float16() is style


def classic(*, up: str = "resize") -> Style:
    """Of the shape of most third-party networks: normalised, with residuals, enlarged, 0..255 inside."""
    net = Net([1, 3, "H", "W"])
    net.add("Mul", [net.last, net.constant(255.0)])
    johnson(net, up=up)
    net.add("Sigmoid")
    return make_style(net.model(), "classic", overrides=PreprocessingOverrides(input_range="unit", output_range="unit"))


def dynamic() -> Style:
    """Return a style with computed sizes, a Range and scales of Resize, none of them float16."""
    net = Net([1, 3, "H", "W"])
    zero, one = net.constant(0.0), net.constant(1.0)
    ramp = net.add(
        "Range",
        [
            zero,
            net.add("Cast", [net.add("Gather", [net.add("Shape", ["input"]), net.constant(3, np.int64)])], to=1),
            one,
        ],
    )
    net.add("Add", ["input", net.add("Mul", [ramp, net.constant(1e-3)])])
    shape = net.add("Shape", [net.last])
    blank = net.add("ConstantOfShape", [shape], value=helper.make_tensor("v", TensorProto.FLOAT, [1], [0.1]))
    net.add("Add", [net.nodes[-3].output[0], blank])
    net.add("Mul", [net.last, net.constant(0.4)])
    return make_style(net.model(), "dynamic", overrides=PreprocessingOverrides(input_range="unit", output_range="unit"))


@pytest.mark.parametrize("build", [networks.instance_norm, classic, lambda: classic(up="transposed"), dynamic])
def test_third_party_networks_are_measured(build: Callable[[], Style]) -> None:
    style = build()
    assert style.card.float16_codes is None
    half = style.as_float16()
    onnx.checker.check_model(half.model, full_check=True)
    picture = sample_picture(128, 192)[None]
    apart = 255 * (run(style, picture) - run(half, picture))
    assert half.card.float16_codes is not None
    assert 0 < np.sqrt(np.mean(apart**2)) < 1.5 * half.card.float16_codes < 1.5


def overflowing() -> Style:
    net = Net([1, 3, "H", "W"], name="frame")
    for factor in (6e4, 6e4, 1 / 6e4, 1 / 6e4):
        net.conv(factor * np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1))
    return networks.canonical(net)


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        (networks.amplified, r"Test: in float16 it changes by \d+\.\d of 255 codes; use --precision float32"),
        (
            overflowing,
            r"Test: in float16 it (changes by \d+\.\d of 255 codes|gives no finite numbers); use --precision",
        ),
    ],
)
def test_what_loses_too_much_is_refused(build: Callable[[], Style], reason: str) -> None:
    with pytest.raises(StyleError, match=reason):
        build().as_float16()


def test_weights_beyond_float16_are_refused() -> None:
    net = Net([1, 3, "H", "W"], name="frame")
    net.conv(np.full((3, 3, 1, 1), 7e4, np.float32))
    with pytest.raises(StyleError, match=r"Test: .* is too large for float16; use --precision float32"):
        networks.canonical(net).as_float16()
