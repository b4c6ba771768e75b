"""Foreign files in every convention come out canonical: equal to the original run natively on prepared numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading.load import load_style
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import StyleError
from tests import networks
from tests.models.native import SIZE, byte, check, divided, run, styled, tail, unit
from tests.networks import Net, johnson, random_weight

pytestmark = pytest.mark.unit

MEAN, STD = np.array([0.485, 0.456, 0.406]).reshape(3, 1, 1), np.array([0.229, 0.224, 0.225]).reshape(3, 1, 1)


@pytest.mark.parametrize("opset", [7, 8, 9, 10, 11, 12, 13, 17, 18, 21])
def test_every_opset(opset: int) -> None:
    net = divided()
    johnson(net, opset=opset, up="resize")
    tail(net, "byte")
    style = check(net, byte, lambda out: out / 255, opset=opset)
    assert "input byte by its graph; output byte by its graph" in style.card.notes[0]
    assert style.card.stride == 4
    assert style.card.frame_statistics


def test_byte_without_evidence_in_the_graph_is_found_by_running() -> None:
    """The shape of PyTorch's own example: 0..255 in and out, nothing in the graph that says so."""
    net = Net([1, 3, 64, 64])
    johnson(net, up="resize")
    tail(net, "unbounded")
    style = check(net, byte, lambda out: out / 255)
    assert "input byte by trying it; output byte by trying it" in style.card.notes[0]


def test_byte_without_normalisation_is_found_by_running() -> None:
    """Fed with 0..1, this one paints a flat picture."""
    net = Net([1, 3, "H", "W"])
    kernel = np.zeros((3, 3, 3, 3), np.float32)
    kernel[range(3), range(3), 1, 1] = 0.8
    net.conv(kernel, np.full(3, 20, np.float32), pads=[1, 1, 1, 1])
    style = check(net, byte, lambda out: out / 255)
    assert "input byte by trying it; output byte by trying it" in style.card.notes[0]


def test_unit_without_normalisation_is_found_by_running() -> None:
    net = Net([1, 3, "H", "W"])
    kernel = np.zeros((3, 3, 3, 3), np.float32)
    kernel[range(3), range(3), 1, 1] = 4
    net.conv(kernel, np.full(3, -2, np.float32), pads=[1, 1, 1, 1])
    net.add("Sigmoid")
    style = check(net, unit, unit)
    assert "input unit by trying it; output unit by its graph" in style.card.notes[0]


def test_unit_range_with_sigmoid() -> None:
    net = Net([1, 3, 64, 64])
    johnson(net)
    tail(net, "unit")
    style = check(net, unit, unit)
    assert "output unit by its graph" in style.card.notes[0]


def test_signed_range() -> None:
    net = Net([1, 3, 64, 64])
    johnson(net)
    tail(net, "signed")
    check(net, lambda x: x * 2 - 1, lambda out: (out + 1) / 2, PreprocessingOverrides(input_range="signed"))


def test_caffe_means_tell_range_and_order() -> None:
    net = Net([1, 3, 64, 64])
    net.add("Sub", [net.last, net.constant(np.array([103.939, 116.779, 123.68]).reshape(1, 3, 1, 1))])
    johnson(net, norm=False)
    net.add("Mul", [net.last, net.constant(0.02)])
    tail(net, "byte")
    style = check(net, lambda x: x[::-1] * 255, lambda out: out[::-1] / 255)
    assert style.card.notes[0].endswith("order bgr by its graph")


def test_imagenet_means_in_the_graph_mean_unit() -> None:
    net = Net([1, 3, 64, 64])
    net.add("Sub", [net.last, net.constant(MEAN[None])])
    net.add("Div", [net.last, net.constant(STD[None])])
    johnson(net, norm=False)
    tail(net, "unit")
    style = check(net, unit, unit)
    assert style.card.notes[0].startswith("read as input unit by its graph")


def test_imagenet_by_override() -> None:
    net = Net([1, 3, 64, 64])
    johnson(net, norm=False)
    tail(net, "unit")
    check(net, lambda x: (x - MEAN) / STD, unit, PreprocessingOverrides(input_range="imagenet"))


def test_own_mean_and_deviation_by_override() -> None:
    net = Net([1, 3, 64, 64])
    johnson(net, norm=False)
    tail(net, "unit")
    overrides = PreprocessingOverrides(input_range="unit", mean=(0.1, 0.2, 0.3), std=(0.5, 0.6, 0.7), order="bgr")
    mean, std = np.array([0.1, 0.2, 0.3]).reshape(3, 1, 1), np.array([0.5, 0.6, 0.7]).reshape(3, 1, 1)
    check(net, lambda x: ((x - mean) / std)[::-1], lambda out: out[::-1], overrides)


def test_a_deviation_of_zero_is_refused() -> None:
    net = Net([1, 3, 64, 64])
    net.add("Sigmoid")
    with pytest.raises(StyleError, match="a standard deviation of 0 is not above 0"):
        make_style(net.model(), "net", overrides=PreprocessingOverrides(std=(0.5, 0.0, 0.5)))


def test_standard_image_metadata() -> None:
    net = Net([1, 3, 64, 64])
    johnson(net, norm=False)
    net.add("Sigmoid")
    net.add("Mul", [net.last, net.constant(255.0)])
    original = net.model()
    helper.set_model_props(
        original, {"Image.BitmapPixelFormat": "Bgr8", "Image.NominalPixelRange": "NominalRange_0_255"}
    )
    picture = sample_picture(*SIZE)
    want = run(original, (picture[::-1][None] * 255).astype(np.float32))[0][::-1] / 255
    np.testing.assert_allclose(styled(make_style(original, "net"), picture), want, atol=1e-4)


@pytest.mark.parametrize("size", [(1, 64, 64, 3), ("N", "H", "W", 3)])
def test_nhwc(size: tuple[int | str, ...]) -> None:
    net = Net(size)
    net.add("Transpose", perm=[0, 3, 1, 2])
    net.add("Div", [net.last, net.constant(255.0)])
    johnson(net)
    tail(net, "byte")
    net.add("Transpose", perm=[0, 2, 3, 1])
    style = check(net, lambda x: x.transpose(1, 2, 0) * 255, lambda out: out.transpose(2, 0, 1) / 255)
    assert (style.card.stride, style.card.frame_statistics) == (4, True)


def test_float16() -> None:
    net = Net([1, 3, 64, 64], kind=TensorProto.FLOAT16)
    net.conv(random_weight((3, 3, 3, 3), 5), np.zeros(3, np.float32), pads=[1, 1, 1, 1])
    net.add("Sigmoid")
    original, picture = net.model(), sample_picture(*SIZE)
    want = run(original, picture[None].astype(np.float16))[0]
    style = make_style(original, "half", overrides=PreprocessingOverrides(input_range="unit"))
    assert style.card.precision == "float16"
    assert styled(style, picture).dtype == np.float16
    np.testing.assert_allclose(styled(style, picture), want, atol=2e-3, rtol=0)


def test_float16_in_and_float32_out() -> None:
    net = Net([1, 3, 64, 64], kind=TensorProto.FLOAT16)
    net.add("Cast", to=TensorProto.FLOAT)
    net.kind = TensorProto.FLOAT
    net.add("Sigmoid")
    style = make_style(net.model(), "half", overrides=PreprocessingOverrides(input_range="unit"))
    picture = sample_picture(*SIZE)
    assert styled(style, picture).dtype == np.float16
    np.testing.assert_allclose(styled(style, picture), 1 / (1 + np.exp(-picture)), atol=2e-3, rtol=0)


def test_weights_listed_as_inputs() -> None:
    """Before IR version 4 every weight had to be an input as well."""
    net = divided()
    johnson(net, opset=9, up="resize")
    tail(net, "byte")
    for tensor in net.weights:
        net.inputs.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
    check(net, byte, lambda out: out / 255, opset=9, ir_version=3)


def test_resize_to_constant_sizes_becomes_free() -> None:
    net = divided()
    johnson(net, up="sizes")
    tail(net, "byte")
    check(net, byte, lambda out: out / 255)


def test_resize_of_two_axes_to_constant_sizes_becomes_free() -> None:
    net = Net([1, 3, 64, 64])
    net.conv(random_weight((3, 3, 3, 3), 1), strides=[2, 2], pads=[1, 1, 1, 1])
    net.add("Resize", [net.last, "", "", net.constant([64, 64], np.int64)], axes=[2, 3], mode="linear")
    net.add("Sigmoid")
    check(net, unit, unit, PreprocessingOverrides(input_range="unit"), opset=18)


def test_linear_upsample_keeps_its_grid() -> None:
    """Upsample samples at o / scale, Resize by default at pixel centres; the picture would move by half a pixel."""
    net = Net([1, 3, 64, 64])
    net.add("AveragePool", kernel_shape=[2, 2], strides=[2, 2])
    net.add("Upsample", [net.last, net.constant([1, 1, 2, 2])], mode="linear")
    check(net, unit, unit, PreprocessingOverrides(input_range="unit", output_range="unit"), opset=9)


@pytest.mark.parametrize("auto_pad", ["SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_automatic_padding(auto_pad: str, size: int) -> None:
    net = Net([1, 3, 64, 64])
    net.conv(random_weight((4, 3, 3, 3), 1), strides=[2, 2], auto_pad=auto_pad)
    weight = net.constant(random_weight((4, 3, size, size), 2))
    net.add("ConvTranspose", [net.last, weight], strides=[2, 2], auto_pad=auto_pad)
    net.add("Sigmoid")
    style = check(net, unit, unit, PreprocessingOverrides(input_range="unit"))
    assert "auto_pad" not in {a.name for n in onnx.load_from_string(style.model).graph.node for a in n.attribute}


@pytest.mark.parametrize("more", [0, 1])
def test_constant_output_shape_of_a_transposed_convolution(more: int) -> None:
    net = Net([1, 3, 64, 64])
    net.conv(random_weight((4, 3, 3, 3), 1), strides=[2, 2], pads=[1, 1, 1, 1])
    weight = net.constant(random_weight((4, 3, 4, 4), 2))
    net.add("ConvTranspose", [net.last, weight], strides=[2, 2], output_shape=[64, 64], output_padding=[more] * 2)
    net.add("Sigmoid")
    check(net, unit, unit, PreprocessingOverrides(input_range="unit"))


def test_crop_counted_from_the_beginning() -> None:
    """Residual blocks without padding crop the shortcut; exporters write the end as a constant."""
    net = Net([1, 3, 64, 64])
    net.add("Pad", [net.last, net.constant([0, 0, 2, 2, 0, 0, 2, 2], np.int64)], mode="reflect")
    whole = net.last
    net.conv(random_weight((3, 3, 5, 5), 1))
    conv = net.last
    ends = [net.constant(value, np.int64) for value in ([2, 2], [66, 66], [2, 3])]
    net.add("Add", [net.add("Slice", [whole, *ends]), conv])
    net.add("Sigmoid")
    check(net, unit, unit, PreprocessingOverrides(input_range="unit"))


def test_any_names_even_ours_the_wrong_way_round() -> None:
    net = Net([1, 3, 64, 64], name="styled")
    net.conv(random_weight((3, 3, 1, 1), 1))
    net.add("Sigmoid")
    model = net.model()
    model.graph.node[-1].output[0] = model.graph.output[0].name = "frame"
    picture = sample_picture(*SIZE)
    want = run(model, picture[None])[0]
    style = make_style(model, "net", overrides=PreprocessingOverrides(input_range="unit"))
    np.testing.assert_allclose(styled(style, picture), want, atol=1e-5)


def test_fixed_size() -> None:
    net = divided()
    johnson(net)
    tail(net, "byte")
    style = make_style(net.model(), "net")
    model = onnx.load_from_string(style.fixed(96, 64))
    assert [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim] == [1, 3, 64, 96]
    assert [d.dim_value for d in model.graph.output[0].type.tensor_type.shape.dim] == [1, 3, 64, 96]
    picture = sample_picture(64, 96)
    np.testing.assert_allclose(run(model, picture[None])[0], styled(style, picture), atol=1e-5)
    assert style.fixed(96, 64) == style.fixed(96, 64)
    with pytest.raises(ValueError, match="97x64 is not a multiple of 4"):
        style.fixed(97, 64)


def test_fixed_size_of_an_enlarger() -> None:
    model = onnx.load_from_string(networks.enlarger(3).fixed(20, 10))
    assert [d.dim_value for d in model.graph.output[0].type.tensor_type.shape.dim] == [1, 3, 30, 60]
    picture = sample_picture(10, 20)
    np.testing.assert_allclose(run(model, picture[None])[0], picture.repeat(3, 1).repeat(3, 2), atol=1e-6)


def test_enlarger_in_bytes() -> None:
    net = Net([1, 3, 64, 64])
    net.add("Div", [net.last, net.constant(255.0)])
    net.conv(np.concatenate([np.eye(3, dtype=np.float32)] * 4).reshape(12, 3, 1, 1))
    net.add("DepthToSpace", blocksize=2)
    net.add("Clip", [net.add("Mul", [net.last, net.constant(255.0)]), net.constant(0.0), net.constant(255.0)])
    style = make_style(net.model(), "net")
    assert "input byte by its graph; output byte by its graph" in style.card.notes[0]
    picture = sample_picture(*SIZE)
    np.testing.assert_allclose(styled(style, picture), picture.repeat(2, 1).repeat(2, 2), atol=1e-5)


def test_load_by_path_names_the_style(tmp_path: Path) -> None:
    net = divided()
    johnson(net)
    tail(net, "byte")
    path = tmp_path / "candy.onnx"
    onnx.save(net.model(), path)
    style = load_style(path, overrides=PreprocessingOverrides(title="Candy"))
    assert (style.card.name, style.card.title, style.card.paintings) == ("candy", "Candy", ("candy",))


@pytest.mark.slow
def test_weights_beside_the_file(tmp_path: Path) -> None:
    net = divided()
    johnson(net)
    tail(net, "byte")
    path = tmp_path / "net.onnx"
    onnx.save_model(net.model(), path, save_as_external_data=True, location="net.bin", size_threshold=0)
    want = styled(make_style(net.model(), "net"), sample_picture(*SIZE))
    np.testing.assert_array_equal(styled(load_style(path), sample_picture(*SIZE)), want)
    (tmp_path / "net.bin").unlink()
    with pytest.raises(StyleError, match=r"its weights are missing: put net\.bin beside it"):
        load_style(path)
