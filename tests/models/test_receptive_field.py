"""The walk against the truth: change one pixel and see how far the output changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import pytest
from onnx import helper

from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading.receptive_field import ReceptiveField, receptive_field
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from tests import networks
from tests.networks import Net, johnson, random_weight

pytestmark = pytest.mark.unit

UNIT = PreprocessingOverrides(input_range="unit", output_range="unit")


def frame() -> Net:
    return Net([1, 3, "H", "W"], name="frame")


def kernel(out: int, into: int, *size: int) -> np.ndarray:
    """All positive, so that no way through the network cancels out."""
    return np.abs(random_weight((out, into, *size), 3)) + 0.05


def seen_radius(model: bytes, stride: int, side: int) -> int:
    """The farthest that a change of one pixel reaches, over every phase of the stride."""
    session = networks.session(model)
    picture = sample_picture(side, side)[None]
    scale = session.run(None, {"frame": picture})[0].shape[2] // side
    before = session.run(None, {"frame": picture})[0]
    farthest = 0
    middle = side // 2 // stride * stride
    for phase in range(stride):
        y, x = middle + phase, middle + (phase * 3) % stride
        changed = picture.copy()
        changed[0, :, y, x] += 8.0
        rows, columns = np.nonzero(np.abs(session.run(None, {"frame": changed})[0] - before).max(axis=(0, 1)) > 1e-5)
        farthest = max(farthest, int(np.abs(rows // scale - y).max()), int(np.abs(columns // scale - x).max()))
    return farthest


def plain() -> Net:
    net = frame()
    net.conv(kernel(4, 3, 5, 3), pads=[2, 1, 2, 1])
    net.conv(kernel(3, 4, 3, 3), pads=[2, 2, 2, 2], dilations=[2, 2])
    return net


def strided() -> Net:
    net = frame()
    net.conv(kernel(4, 3, 3, 3), pads=[1, 1, 1, 1], strides=[2, 2])
    net.conv(kernel(4, 4, 3, 3), pads=[1, 1, 1, 1], strides=[2, 2])
    net.conv(kernel(4, 4, 3, 3), pads=[1, 1, 1, 1])
    net.add("ConvTranspose", [net.last, net.constant(kernel(4, 4, 4, 4))], strides=[2, 2], pads=[1, 1, 1, 1])
    net.add("ConvTranspose", [net.last, net.constant(kernel(4, 3, 2, 2))], strides=[2, 2])
    return net


def shuffled() -> Net:
    net = frame()
    net.add("SpaceToDepth", blocksize=4)
    net.conv(kernel(48, 48, 3, 3), pads=[1, 1, 1, 1])
    net.add("DepthToSpace", blocksize=4)
    return net


def pooled() -> Net:
    net = frame()
    net.add("AveragePool", kernel_shape=[2, 2], strides=[2, 2])
    net.conv(kernel(3, 3, 3, 3), pads=[1, 1, 1, 1])
    scales = net.constant([1, 1, 2, 2])
    net.add("Resize", [net.last, "", scales], mode="linear")
    return net


def joined() -> Net:
    net = frame()
    net.add("Pad", [net.last, net.constant([0, 0, 3, 3, 0, 0, 3, 3], np.int64)], mode="reflect")
    whole = net.last
    near = net.conv(kernel(3, 3, 7, 7))
    crop = [net.constant(value, np.int64) for value in ([3, 3], [-3, -3], [2, 3])]
    net.add("Concat", [near, net.add("Slice", [whole, *crop])], axis=1)
    net.conv(kernel(3, 6, 1, 1))
    return net


def turned() -> Net:
    net = frame()
    net.add("Transpose", perm=[0, 2, 3, 1])
    net.add("Relu")
    net.add("Transpose", perm=[0, 3, 1, 2])
    net.conv(kernel(3, 3, 3, 3), pads=[1, 1, 1, 1])
    return net


def quantised() -> Net:
    """As tools for int8 write it: every tensor through QuantizeLinear and DequantizeLinear."""
    net = frame()
    for seed in (1, 2):
        for _ in range(2):
            numbers = [net.constant(1 / 64), net.constant(128, np.uint8)]
            net.add("QuantizeLinear", [net.last, *numbers])
            net.add("DequantizeLinear", [net.last, *numbers])
        net.conv(kernel(3, 3, 3, 3) / (seed * 4), pads=[1, 1, 1, 1])
    return net


def gated() -> Net:
    """The channels in two halves, one a softmax that weights the other."""
    net = frame()
    net.conv(kernel(6, 3, 3, 3), pads=[1, 1, 1, 1])
    net.nodes.append(helper.make_node("Split", [net.last], ["values", "gates"], axis=1))
    net.add("Mul", ["values", net.add("Softmax", ["gates"], axis=1)])
    return net


# (network, stride, radius): what a person works out by hand; slack is how much farther the walk may claim to see,
# as it rounds what falls between samples outwards.
CASES: list[tuple[Callable[[], Net], int, int, int]] = [
    (plain, 1, 4, 0),
    (strided, 4, 12, 2),
    (shuffled, 4, 7, 0),
    (pooled, 2, 5, 2),
    (joined, 1, 3, 0),
    (turned, 1, 1, 0),
    (quantised, 1, 2, 0),
    (gated, 1, 1, 0),
]


@pytest.mark.parametrize(("build", "stride", "radius", "slack"), CASES)
def test_radius_and_stride(build: Callable[[], Net], stride: int, radius: int, slack: int) -> None:
    style = networks.canonical(build())
    found = receptive_field(onnx.load_from_string(style.model))
    seen = seen_radius(style.model, stride, 64)
    assert found == ReceptiveField(stride, radius, False)
    assert seen <= radius <= seen + slack


def test_classic_network_by_its_convolutions() -> None:
    """Without its instance normalisation the classic network sees as far as the walk says."""
    with_norm, without = Net([1, 3, 64, 64]), Net([1, 3, 64, 64])
    johnson(with_norm)
    johnson(without, norm=False)
    norm = make_style(with_norm.model(), "norm", overrides=UNIT)
    plain = make_style(without.model(), "plain", overrides=UNIT)
    assert (norm.card.frame_statistics, plain.card.frame_statistics) == (True, False)
    assert norm.card.radius_px == plain.card.radius_px
    assert plain.card.radius_px is not None
    seen = seen_radius(plain.model, 4, 128)
    assert seen <= plain.card.radius_px <= seen + 4


def test_statistics_of_the_frame() -> None:
    net = frame()
    picture = net.last
    net.add("GlobalAveragePool")
    net.conv(kernel(3, 3, 1, 1))
    gate = net.add("Sigmoid")
    net.add("Mul", [picture, gate])
    assert receptive_field(onnx.load_from_string(networks.canonical(net).model)) == ReceptiveField(1, 0, True)


@pytest.mark.parametrize("squeezes", ["GlobalAveragePool", "ReduceMean"])
def test_a_branch_that_ends_in_a_mean_asks_for_no_stride(squeezes: str) -> None:
    """CSRNet has one: its colours depend on the whole frame."""
    net = frame()
    for _ in range(3):
        net.conv(kernel(3, 3, 3, 3), pads=[1, 1, 1, 1], strides=[2, 2])
    net.add(squeezes, **({"axes": [2, 3]} if squeezes == "ReduceMean" else {}))
    net.conv(kernel(3, 3, 1, 1))
    net.add("Mul", ["frame", net.last])
    assert receptive_field(onnx.load_from_string(networks.canonical(net).model)) == ReceptiveField(1, 0, True)


def test_a_branch_that_also_returns_to_the_picture_asks_for_its_stride() -> None:
    net = frame()
    coarse = net.conv(kernel(3, 3, 3, 3), pads=[1, 1, 1, 1], strides=[4, 4])
    gate = net.add("GlobalAveragePool")
    net.add("Mul", [coarse, gate])
    net.add("Resize", [net.last, "", net.constant([1, 1, 4, 4], np.float32)], mode="nearest")
    assert receptive_field(onnx.load_from_string(networks.canonical(net).model)).stride == 4


def different_scales() -> Net:
    net = frame()
    net.conv(kernel(3, 3, 2, 2), strides=[2, 2])
    net.add("Add", ["frame", net.last])
    return net


def joined_side_by_side() -> Net:
    net = frame()
    net.add("Concat", [net.last, net.last], axis=3)
    return net


def sampled_from_the_end() -> Net:
    net = frame()
    net.add("Slice", [net.last, *(net.constant(value, np.int64) for value in ([-9], [1 << 40], [2]))])
    return net


@pytest.mark.parametrize("build", [different_scales, joined_side_by_side, sampled_from_the_end])
def test_what_moves_the_picture_has_no_radius(build: Callable[[], Net]) -> None:
    assert receptive_field(onnx.load_from_string(networks.canonical(build()).model)).radius_px is None


def test_unknown_operator_has_no_radius_but_a_stride() -> None:
    """The stride is then found by trying."""
    net = Net([1, 3, "H", "W"])
    net.add("SpaceToDepth", blocksize=2)
    net.add("LRN", size=3)
    net.add("DepthToSpace", blocksize=2)
    style = make_style(net.model(), "net", overrides=UNIT)
    assert (style.card.stride, style.card.radius_px) == (2, None)


@pytest.mark.parametrize(
    "style", [networks.identity(), networks.strided_identity(), networks.box_blur(), networks.instance_norm()]
)
def test_test_networks_tell_the_truth(style: networks.Style) -> None:
    found = receptive_field(onnx.load_from_string(style.model))
    assert found == ReceptiveField(style.card.stride, style.card.radius_px, style.card.frame_statistics)


def shuffled_up(scale: int) -> Net:
    net = frame()
    net.conv(kernel(3 * scale**2, 3, 5, 5), pads=[2, 2, 2, 2])
    net.add("DepthToSpace", blocksize=scale, mode="CRD")
    net.conv(kernel(3, 3, 3, 3), pads=[1, 1, 1, 1])
    return net


def looking_down(scale: int) -> Net:
    """The last of an input pixel's output pixels sees farther than the first."""
    net = frame()
    net.conv(kernel(3 * scale**2, 3, 3, 3), pads=[0, 0, 2, 2])
    net.add("DepthToSpace", blocksize=scale, mode="CRD")
    net.conv(kernel(3, 3, 2, 2), pads=[0, 0, 1, 1])
    return net


def resized_up(scale: int) -> Net:
    net = frame()
    net.add("Resize", [net.last, "", net.constant([1, 1, scale, scale])], mode="linear")
    net.conv(kernel(3, 3, 3, 3), pads=[1, 1, 1, 1])
    return net


def transposed_up(scale: int) -> Net:
    """At half the size first, so that a stride and a scale meet."""
    net = frame()
    net.conv(kernel(4, 3, 2, 2), strides=[2, 2])
    net.add("ConvTranspose", [net.last, net.constant(kernel(4, 3, 2 * scale, 2 * scale))], strides=[2 * scale] * 2)
    return net


@pytest.mark.parametrize("scale", [2, 3, 4])
@pytest.mark.parametrize(
    ("build", "stride", "slack"), [(shuffled_up, 1, 0), (looking_down, 1, 0), (resized_up, 1, 1), (transposed_up, 2, 0)]
)
def test_enlargers(build: Callable[[int], Net], stride: int, slack: int, scale: int) -> None:
    """The radius is in pixels of the input, whatever the scale."""
    model = onnx.load_from_string(networks.canonical(build(scale)).model)
    card = make_style(model, "net", overrides=UNIT).card
    assert (card.scale, card.stride) == (scale, stride)
    assert card.radius_px is not None
    seen = seen_radius(networks.canonical(build(scale)).model, stride, 64)
    assert seen <= card.radius_px <= seen + slack


@pytest.mark.parametrize("scale", [2, 3, 4])
@pytest.mark.parametrize("radius_px", [0, 2])
def test_the_enlarger_of_the_tests(scale: int, radius_px: int) -> None:
    style = networks.enlarger(scale, radius_px=radius_px)
    assert receptive_field(onnx.load_from_string(style.model)) == ReceptiveField(1, radius_px, False, scale)
    assert seen_radius(style.model, 1, 32) == radius_px
