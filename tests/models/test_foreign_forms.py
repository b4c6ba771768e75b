"""Luma-only networks, 8-bit ends, ONNX 1.0, any stride: each equal to the original run on numbers prepared here."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from framebrush.models.preprocessing import Layout, PreprocessingOverrides
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import Style, StyleError
from tests import networks
from tests.networks import Net, johnson, random_weight

pytestmark = pytest.mark.unit

UNIT = PreprocessingOverrides(input_range="unit", output_range="unit")
LUMA = np.array([0.2126, 0.7152, 0.0722])


def run(model: bytes, picture: np.ndarray) -> np.ndarray:
    session = networks.session(model)
    return np.asarray(session.run(None, {session.get_inputs()[0].name: picture})[0])


def operators(style: Style) -> list[str]:
    return [node.op_type for node in onnx.load_from_string(style.model).graph.node]


def luma_net(scale: int, peak: float, *, nhwc: bool = False) -> Net:
    net = Net([1, 32, 32, 1] if nhwc else [1, 1, 32, 32])
    if nhwc:
        net.add("Transpose", perm=[0, 3, 1, 2])
    if peak != 1:
        net.add("Div", [net.last, net.constant(peak)])
    net.conv(random_weight((4, 1, 3, 3), 1), np.full(4, 0.1, np.float32), pads=[1, 1, 1, 1])
    net.add("Relu")
    net.conv(random_weight((scale**2, 4, 3, 3), 2) * 0.5, np.full(scale**2, 0.2, np.float32), pads=[1, 1, 1, 1])
    if scale > 1:
        net.add("DepthToSpace", blocksize=scale)
    net.add("Clip", [net.last, net.constant(0.0), net.constant(1.0)])
    if peak != 1:
        net.add("Mul", [net.last, net.constant(peak)])
    if nhwc:
        net.add("Transpose", perm=[0, 2, 3, 1])
    return net


@pytest.mark.parametrize("nhwc", [False, True])
@pytest.mark.parametrize("peak", [1.0, 255.0])
@pytest.mark.parametrize("scale", [1, 2, 3])
def test_luma_only(scale: int, peak: float, nhwc: bool) -> None:
    """The network makes the luma of the result; the frame gives its colour differences."""
    original = luma_net(scale, peak, nhwc=nhwc).model()
    grey = sample_picture(32, 32)[1]
    picture = np.stack([grey + np.arange(32) / 100 * (channel - 1) for channel in range(3)]).astype(np.float32)
    luma = np.tensordot(LUMA, picture, 1).astype(np.float32)
    shape = (1, 32, 32, 1) if nhwc else (1, 1, 32, 32)
    want = run(original.SerializeToString(), luma.reshape(shape) * np.float32(peak)).reshape(32 * scale, -1) / peak
    style = make_style(original, "net", overrides=None if peak != 1 else UNIT)
    onnx.checker.check_model(style.model, full_check=True)
    assert style.card.scale == scale
    assert "luma only: the colours are the frame's" in style.card.notes[0]
    result = run(style.model, picture[None])[0]
    assert want.std() > 0.01
    np.testing.assert_allclose(np.tensordot(LUMA, result, 1), want, atol=2e-5)
    place = (np.arange(32 * scale) + 0.5) / scale - 0.5  # of the result's columns, in columns of the frame
    inner = slice(scale, -scale)
    for channel in (0, 2):
        difference = result[channel] - result[1]
        want_difference = np.broadcast_to(place * (channel - 1) / 100, difference.shape)
        np.testing.assert_allclose(difference[:, inner], want_difference[:, inner], atol=1e-5)
    assert operators(style)[-2:] == ["Concat", "Conv"], "no elementwise operator of two pictures"


def test_luma_only_sees_at_least_one_pixel_for_the_colours() -> None:
    net = Net([1, 1, "H", "W"])
    net.conv(np.ones((4, 1, 1, 1), np.float32))
    net.add("DepthToSpace", blocksize=2)
    assert make_style(net.model(), "net", overrides=UNIT).card.radius_px == 1


@pytest.mark.parametrize("nhwc", [False, True])
def test_eight_bit_ends(nhwc: bool) -> None:
    net = Net([1, 32, 32, 3] if nhwc else [1, 3, 32, 32], kind=TensorProto.UINT8)
    net.add("Cast", to=TensorProto.FLOAT)
    if nhwc:
        net.add("Transpose", perm=[0, 3, 1, 2])
    net.add("Div", [net.last, net.constant(255.0)])
    net.add("Pow", [net.last, net.constant(0.5)])
    net.add("Mul", [net.last, net.constant(255.0)])
    if nhwc:
        net.add("Transpose", perm=[0, 2, 3, 1])
    net.add("Cast", to=TensorProto.UINT8)
    original = net.model()
    picture = sample_picture(32, 32)
    codes = np.round(picture * 255).astype(np.uint8)
    want = run(original.SerializeToString(), (codes.transpose(1, 2, 0) if nhwc else codes)[None])[0]
    style = make_style(original, "net")
    assert style.card.precision == "float32"
    assert style.card.notes[0].startswith("read as input byte by its graph; output byte by its graph")
    result = run(style.model, picture[None])[0]
    np.testing.assert_allclose(result, (want.transpose(2, 0, 1) if nhwc else want) / 255, atol=1e-6)


def classic_of_2018(*, old: bool) -> Net:
    """The form of Windows ML's samples: ImageScaler, Crop, output_shape, Affine; or what that means."""
    net = Net([1, 3, 64, 64])

    def crop(name: str, size: int, scale: list[int] | None = None) -> str:
        if old:
            return net.add("Crop", [name], border=[size] * 4, **({"scale": scale} if scale else {}))
        ends = [size + side for side in scale] if scale else [-size, -size]
        return net.add("Slice", [name], starts=[size, size], ends=ends, axes=[2, 3])

    if old:
        net.add("ImageScaler", scale=1.0, bias=[-103.939, -116.779, -123.68])
    else:
        net.add("Sub", [net.last, net.constant(np.array([103.939, 116.779, 123.68]).reshape(1, 3, 1, 1))])
    net.add("Pad", mode="reflect", pads=[0, 0, 8, 8, 0, 0, 8, 8])
    net.conv(random_weight((4, 3, 3, 3), 1), strides=[2, 2], pads=[1, 1, 1, 1])
    whole = net.add(
        "InstanceNormalization",
        [net.last, net.constant(np.ones(4)), net.constant(np.zeros(4))],
        epsilon=1e-5,
        **({"is_test": 1, "spatial": 1} if old else {}),
    )
    conv = net.conv(random_weight((4, 4, 3, 3), 2), auto_pad="VALID")
    net.add("Add", [crop(whole, 1), conv])
    weight = net.constant(random_weight((4, 3, 3, 3), 3))
    # 38 samples give 77; the 78th row and column are bias alone.
    form = {"output_shape": [78, 78], "auto_pad": "VALID"} if old else {"output_padding": [1, 1]}
    net.add("ConvTranspose", [net.last, weight], strides=[2, 2], **form)
    crop(net.last, 7, [64, 64])
    net.add("Tanh")
    if old:
        net.add("Affine", alpha=150.0, beta=1.0)
        net.add("Mul", [net.last, net.constant([0.85, 0.8, 0.75])], broadcast=1, axis=1)
        net.add("Add", [net.last, net.constant([127.5, 127.5, 127.5])], broadcast=1, axis=1)
    else:
        net.add("Add", [net.add("Mul", [net.last, net.constant(150.0)]), net.constant(1.0)])
        net.add("Mul", [net.last, net.constant(np.array([0.85, 0.8, 0.75]).reshape(3, 1, 1))])
        net.add("Add", [net.last, net.constant(127.5)])
    return net


@pytest.mark.parametrize("opset", [None, 2, 6, 7, 10])
def test_operators_of_onnx_1_0(opset: int | None) -> None:
    picture = sample_picture(64, 64)
    numbers = np.ascontiguousarray(picture[::-1][None] * 255)
    want = run(classic_of_2018(old=False).model(opset=7).SerializeToString(), numbers)[0][::-1] / 255
    assert want.std() > 0.02
    style = make_style(classic_of_2018(old=True).model(opset=opset, ir_version=3), "net")
    assert style.card.fixed_size is None
    assert (style.card.stride, style.card.frame_statistics) == (2, True)
    assert "order bgr by its graph" in style.card.notes[0]
    np.testing.assert_allclose(run(style.model, picture[None])[0], want, atol=1e-4)
    assert run(style.model, sample_picture(80, 50)[None]).shape == (1, 3, 80, 50)


@pytest.mark.parametrize("mode", ["nearest", "bilinear"])
@pytest.mark.parametrize("opset", [None, 5, 7])
def test_upsample_with_a_scale_of_each_axis(opset: int | None, mode: str) -> None:
    net, modern = Net([1, 3, "H", "W"]), Net([1, 3, "H", "W"])
    net.add("Upsample", height_scale=2.0, width_scale=2.0, mode=mode)
    modern.add("Upsample", scales=[1.0, 1.0, 2.0, 2.0], mode={"bilinear": "linear"}.get(mode, mode))
    picture = sample_picture(32, 48)[None]
    style = make_style(net.model(opset=opset, ir_version=3), "net", overrides=UNIT)
    assert style.card.scale == 2
    np.testing.assert_allclose(
        run(style.model, picture), run(modern.model(opset=7).SerializeToString(), picture), atol=1e-6
    )


def test_an_old_form_that_is_not_known_is_refused() -> None:
    net = Net([1, 3, 16, 16])
    net.add("Upsample", mode="nearest")
    reason = r"^net: opset 5 cannot be converted to 17 \(required undefined attribute 'scales'\); export it again$"
    with pytest.raises(StyleError, match=reason):
        make_style(net.model(opset=5), "net")


def opset_of(model: bytes) -> int:
    return next(int(entry.version) for entry in onnx.load_from_string(model).opset_import if entry.domain == "")


def normalised_picture(*, newer: bool = False) -> Net:
    """Conv and InstanceNormalization, which are new versions since opset 22. newer: with an operator of opset 24."""
    net = Net([1, 3, "H", "W"])
    net.conv(random_weight((4, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    net.add("InstanceNormalization", [net.last, net.constant(np.ones(4)), net.constant(np.zeros(4))])
    net.add("Swish" if newer else "Relu")
    net.conv(random_weight((3, 4, 3, 3), 2), pads=[1, 1, 1, 1])
    net.add("Sigmoid")
    return net


@pytest.mark.parametrize("opset", [18, 21, 22, 23, 24, 25])
def test_a_newer_opset_becomes_one_that_every_device_knows(opset: int) -> None:
    original = normalised_picture().model(opset=opset, ir_version=10)
    picture = sample_picture(48, 64)[None]
    want = run(original.SerializeToString(), picture)
    style = make_style(original, "net", overrides=UNIT)
    assert opset_of(style.model) == min(opset, 21)
    np.testing.assert_array_equal(run(style.model, picture), want)


def test_what_only_a_newer_opset_has_stays_there() -> None:
    assert opset_of(make_style(normalised_picture(newer=True).model(opset=24, ir_version=10), "net").model) == 24


@pytest.mark.parametrize("block", [3, 5, 6, 7, 10, 12])
def test_strides_that_are_no_power_of_two(block: int) -> None:
    net = Net([1, 3, "H", "W"])
    net.add("SpaceToDepth", blocksize=block)
    net.conv(random_weight((3 * block**2, 3 * block**2, 1, 1), 1) * 0.5)
    net.add("DepthToSpace", blocksize=block)
    card = make_style(net.model(), "net", overrides=UNIT).card
    assert (card.stride, card.radius_px, card.fixed_size) == (block, block - 1, None)


@pytest.mark.parametrize("window", [6, 7, 10, 12, 24, 96, 128])
def test_strides_of_windows(window: int) -> None:
    """A picture cut into windows by Reshape with computed sizes, as networks with attention do; only trying tells."""
    net = Net([1, 3, "H", "W"])
    shape = net.add("Shape", ["input"])
    sides = [
        net.add("Slice", [shape, *(net.constant([value], np.int64) for value in (at, at + 1, 0))]) for at in (2, 3)
    ]
    size = net.constant([window], np.int64)
    counts = [net.add("Div", [side, size]) for side in sides]
    lead = net.constant([1, 3], np.int64)
    cut = net.add("Concat", [lead, counts[0], size, counts[1], size], axis=0)
    net.add("Reshape", ["input", cut])
    net.add("Transpose", perm=[0, 1, 2, 4, 3, 5])
    net.add("Softmax", axis=-1)
    net.add("Transpose", perm=[0, 1, 2, 4, 3, 5])
    net.add("Reshape", [net.last, net.add("Concat", [lead, *sides], axis=0)])
    card = make_style(net.model(), "net", overrides=UNIT).card
    assert (card.stride, card.radius_px) == (window, None)


@pytest.mark.parametrize("said", [None, "nchw"])
def test_all_dimensions_are_symbols(said: Layout | None) -> None:
    net = Net(["N", "C", "H", "W"])
    johnson(net, up="resize")
    net.add("Sigmoid")
    overrides = PreprocessingOverrides(layout=said, input_range="unit")
    style = make_style(net.model(), "net", overrides=overrides)
    assert style.card.stride == 4
    original, picture = net.model().SerializeToString(), sample_picture(64, 48)[None]
    np.testing.assert_allclose(run(style.model, picture), run(original, picture), atol=1e-5)


def test_local_functions_are_inlined() -> None:
    net = Net([1, 3, 32, 32])
    net.add("Halve")
    net.nodes[-1].domain = "local"
    net.add("Sigmoid")
    model = net.model()
    half = helper.make_node("Constant", [], ["half"], value_float=0.5)
    body = [half, helper.make_node("Mul", ["x", "half"], ["y"])]
    opset = [helper.make_opsetid("", 17)]
    model.functions.append(helper.make_function("local", "Halve", ["x"], ["y"], body, opset))
    model.opset_import.append(helper.make_opsetid("local", 1))
    picture = sample_picture(32, 32)
    style = make_style(model, "net", overrides=UNIT)
    np.testing.assert_allclose(run(style.model, picture[None])[0], 1 / (1 + np.exp(-picture / 2)), atol=1e-5)
