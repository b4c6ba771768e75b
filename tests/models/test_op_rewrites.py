"""Operator groups written by exporters become a single equivalent operator that fits any size."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.style import Style
from tests.models.native import check, unit
from tests.networks import Net, random_weight

pytestmark = pytest.mark.unit

UNIT = PreprocessingOverrides(input_range="unit")


def operators(style: Style) -> list[str]:
    return [node.op_type for node in onnx.load_from_string(style.model).graph.node]


def long_instance_norm(net: Net, channels: int, size: int) -> None:
    """Instance normalisation as onnx.js wanted it: means of the flattened picture."""
    x = net.last
    mean = net.add("ReduceMean", [net.add("Reshape", [x, net.constant([1, channels, 1, -1], np.int64)])], axes=[3])
    centred = net.add("Sub", [x, mean])
    flat = net.add("Reshape", [net.add("Mul", [centred, centred]), net.constant([1, channels, 1, -1], np.int64)])
    variance = net.add("ReduceMean", [flat], axes=[3])
    deviation = net.add("Sqrt", [net.add("Add", [variance, net.constant(1e-5)])])
    scale = net.add(
        "Reshape", [net.constant(np.linspace(0.5, 1.5, channels)), net.constant([-1, channels, 1, 1], np.int64)]
    )
    shift = net.add(
        "Reshape", [net.constant(np.linspace(-1, 1, channels)), net.constant([-1, channels, 1, 1], np.int64)]
    )
    net.add("Add", [net.add("Mul", [net.add("Div", [centred, deviation]), scale]), shift])


def test_almost_an_instance_normalisation_stays() -> None:
    """The mean that is taken off is of another picture."""
    net = Net([1, 3, 64, 64])
    x = net.conv(random_weight((3, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    other = net.add("ReduceMean", [net.add("Relu", [x])], axes=[2, 3])
    centred = net.add("Sub", [x, other])
    variance = net.add("ReduceMean", [net.add("Mul", [centred, centred])], axes=[2, 3])
    deviation = net.add("Sqrt", [net.add("Add", [variance, net.constant(1e-5)])])
    scaled = net.add("Mul", [net.add("Div", [centred, deviation]), net.constant(np.ones((3, 1, 1)))])
    net.add("Add", [scaled, net.constant(np.zeros((3, 1, 1)))])
    net.add("Sigmoid")
    style = check(net, unit, unit, PreprocessingOverrides(input_range="unit"))
    assert style.card.frame_statistics


def test_long_forms_become_one_operator() -> None:
    net = Net([1, 3, 64, 64])
    net.conv(random_weight((4, 3, 3, 3), 1), strides=[2, 2], pads=[1, 1, 1, 1])
    long_instance_norm(net, 4, 32)
    flat = net.add("Reshape", [net.last, net.constant([-1, 1], np.int64)])
    wide = net.add("Reshape", [net.add("Concat", [flat, flat], axis=1), net.constant([-1, 64], np.int64)])
    net.add("Reshape", [net.add("Concat", [wide, wide], axis=1), net.constant([-1, 4, 64, 64], np.int64)])
    net.conv(random_weight((12, 4, 2, 2), 2), strides=[2, 2])
    net.add("Reshape", [net.last, net.constant([1, 3, 2, 2, 32, 32], np.int64)])
    net.add("Transpose", perm=[0, 1, 4, 2, 5, 3])
    net.add("Reshape", [net.last, net.constant([1, 3, 64, 64], np.int64)])
    net.add("Sigmoid")
    style = check(net, unit, unit, PreprocessingOverrides(input_range="unit"))
    operators = [node.op_type for node in onnx.load_from_string(style.model).graph.node]
    assert operators == ["Conv", "InstanceNormalization", "Resize", "Conv", "DepthToSpace", "Sigmoid"]


def test_group_normalisation_through_a_flattened_picture() -> None:
    net = Net([1, 3, 64, 64])
    net.conv(random_weight((4, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    net.add("Reshape", [net.last, net.constant([1, 2, 8192], np.int64)])
    net.add("InstanceNormalization", [net.last, net.constant([1, 1]), net.constant([0, 0])])
    net.add("Reshape", [net.last, net.constant([1, 4, 64, 64], np.int64)])
    net.conv(random_weight((3, 4, 1, 1), 2))
    net.add("Sigmoid")
    check(net, unit, unit, PreprocessingOverrides(input_range="unit"))


def nothing(net: Net) -> None:
    """What tracing leaves: operators that change no number."""
    net.add("Add", [net.last, net.constant(0.0)])
    net.add("Mul", [net.constant(1.0), net.last])
    net.add("Div", [net.last, net.constant([1.0])])


def test_neutral_operators_do_not_hide_the_long_forms() -> None:
    net = Net([1, 3, 64, 64])
    net.conv(random_weight((4, 3, 3, 3), 1), strides=[2, 2], pads=[1, 1, 1, 1])
    x = net.last
    nothing(net)
    net.add("ReduceMean", axes=[2, 3])
    nothing(net)
    centred = net.add("Sub", [x, net.last])
    nothing(net)
    squares = net.add("Mul", [net.last, centred])
    net.add("ReduceMean", [squares], axes=[2, 3])
    nothing(net)
    deviation = net.add("Sqrt", [net.add("Add", [net.last, net.constant(1e-5)])])
    net.add("Div", [centred, deviation])
    nothing(net)
    net.add("Mul", [net.last, net.constant(np.linspace(0.5, 1.5, 4).reshape(4, 1, 1))])
    net.add("Add", [net.last, net.constant(np.linspace(-1, 1, 4).reshape(4, 1, 1))])
    flat = net.add("Reshape", [net.last, net.constant([-1, 1], np.int64)])
    net.add("Concat", [flat, flat], axis=1)
    nothing(net)
    wide = net.add("Reshape", [net.last, net.constant([-1, 64], np.int64)])
    net.add("Concat", [wide, wide], axis=1)
    nothing(net)
    net.add("Reshape", [net.last, net.constant([-1, 4, 64, 64], np.int64)])
    net.conv(random_weight((3, 4, 1, 1), 2))
    net.add("Sigmoid")
    style = check(net, unit, unit, UNIT)
    assert operators(style) == ["Conv", "InstanceNormalization", "Resize", "Conv", "Sigmoid"]


def test_adding_zeros_that_make_a_tensor_larger_stays() -> None:
    net = Net([1, 3, 64, 64])
    mean = net.add("GlobalAveragePool", [net.last])
    spread = net.add("Add", [mean, net.constant(np.zeros((1, 3, 2, 2)))])
    net.add("Add", ["input", net.add("GlobalAveragePool", [spread])])
    net.add("Sigmoid")
    assert operators(check(net, unit, unit, UNIT)).count("Add") == 2


@pytest.mark.parametrize("axis", [2, 3, -1])
def test_padding_with_zeros_by_concat(axis: int) -> None:
    net = Net([1, 3, 64, 64])
    net.conv(random_weight((4, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    before, after = ([1, 4, 64, 64] for _ in range(2))
    before[axis], after[axis] = 1, 2
    net.add("Concat", [net.constant(np.zeros(before)), net.last, net.constant(np.zeros(after))], axis=axis)
    net.conv(random_weight((3, 4, 4, 1) if axis == 2 else (3, 4, 1, 4), 2))
    net.add("Sigmoid")
    style = check(net, unit, unit, UNIT)
    assert operators(style) == ["Conv", "Pad", "Conv", "Sigmoid"]
    assert style.card.radius_px == 3


def test_channels_of_zeros_by_concat() -> None:
    net = Net([1, 3, 64, 64])
    net.add("Concat", [net.last, net.constant(np.zeros((1, 2, 64, 64)))], axis=1)
    net.conv(random_weight((3, 5, 3, 3), 2), pads=[1, 1, 1, 1])
    net.add("Sigmoid")
    assert operators(check(net, unit, unit, UNIT)) == ["Pad", "Conv", "Sigmoid"]


def test_channel_shuffle() -> None:
    net = Net([1, 3, 64, 64])
    net.conv(random_weight((6, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    net.add("Reshape", [net.last, net.constant([1, 2, 3, 64, 64], np.int64)])
    net.add("Transpose", perm=[0, 2, 1, 3, 4])
    net.add("Reshape", [net.last, net.constant([1, 6, 64, 64], np.int64)])
    net.conv(random_weight((3, 2, 3, 3), 2), pads=[1, 1, 1, 1], group=3)
    net.add("Sigmoid")
    style = check(net, unit, unit, UNIT)
    assert operators(style) == ["Conv", "Gather", "Conv", "Sigmoid"]
    assert style.card.radius_px == 2
