"""Networks that cannot be freed of the size for which they were exported run at that size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import pytest

from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading import dynamic_shapes
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import StyleError
from tests import networks
from tests.networks import Net, random_weight

pytestmark = pytest.mark.unit


def fully_connected() -> onnx.ModelProto:
    net = Net([1, 3, 16, 24])
    net.add("Flatten")
    net.add("MatMul", [net.last, net.constant(random_weight((1152, 1152), 1))])
    net.add("Reshape", [net.last, net.constant([1, 3, 16, 24], np.int64)])
    return net.model()


def odd_resize() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16])
    net.add("Resize", [net.last, "", "", net.constant([1, 3, 24, 24], np.int64)])
    net.add("Resize", [net.last, "", "", net.constant([1, 3, 16, 16], np.int64)])
    return net.model()


def almost_a_doubling() -> onnx.ModelProto:
    """The operators of the known long form, but the rows come one after the other in new channels."""
    net = Net([1, 3, 16, 16])
    flat = net.add("Reshape", [net.last, net.constant([-1, 1], np.int64)])
    wide = net.add("Reshape", [net.add("Concat", [flat, flat], axis=1), net.constant([-1, 32], np.int64)])
    net.add("Reshape", [net.add("Concat", [wide, wide], axis=1), net.constant([1, 12, 16, 16], np.int64)])
    net.conv(random_weight((3, 12, 1, 1), 1))
    return net.model()


@pytest.mark.slow
@pytest.mark.parametrize("build", [fully_connected, odd_resize, almost_a_doubling])
def test_runs_at_its_own_size(build: Callable[[], onnx.ModelProto]) -> None:
    original = build()
    *_, height, width = (dim.dim_value for dim in original.graph.input[0].type.tensor_type.shape.dim)
    picture = sample_picture(height, width)[None]
    session = networks.session(original)
    want = session.run(None, {"input": picture})[0]
    style = make_style(original, "net", overrides=PreprocessingOverrides(input_range="unit", output_range="unit"))
    assert style.card.fixed_size == (width, height)
    assert (style.card.stride, style.card.scale, style.card.radius_px) == (1, want.shape[2] // height, None)
    assert f"it runs at {width}x{height} px only: frames are scaled to that size" in style.card.notes
    fixed = networks.session(style.fixed(width, height))
    np.testing.assert_allclose(fixed.run(None, {"frame": picture})[0], want, atol=1e-5)
    with pytest.raises(ValueError, match=f"is not {width}x{height}, the only size"):
        style.fixed(width * 2, height)


def coloured_by_the_whole() -> onnx.ModelProto:
    """Colours that follow from a mean over a coarse copy of the frame, exported at a size that its stride of 8 does not
    divide."""
    net = Net([1, 3, 20, 36])
    picture = net.last
    for number in range(3):
        net.conv(random_weight((3, 3, 3, 3), number), pads=[1, 1, 1, 1], strides=[2, 2])
        net.add("Relu")
    net.add("GlobalAveragePool")
    net.add("Add", [picture, net.last])
    return net.model()


def test_a_network_is_fed_its_own_size() -> None:
    original = coloured_by_the_whole()
    picture = sample_picture(20, 36)[None]
    want = networks.session(original).run(None, {"input": picture})[0]
    style = make_style(original, "net", overrides=PreprocessingOverrides(input_range="unit", output_range="unit"))
    assert (style.card.stride, style.card.fixed_size) == (1, None)
    assert not any("exported for" in note for note in style.card.notes)
    got = networks.session(style.fixed(36, 20)).run(None, {"frame": picture})[0]
    np.testing.assert_allclose(got, want, atol=1e-5)


@pytest.mark.parametrize(("height", "width", "said"), [(18, 40, True), (20, 38, True), (20, 40, False)])
def test_a_size_that_has_to_be_extended_is_said(height: int, width: int, said: bool) -> None:
    net = Net([1, 3, height, width])
    for number in range(2):
        net.conv(random_weight((3, 3, 3, 3), number), pads=[1, 1, 1, 1], strides=[2, 2])
    net.add("Resize", [net.last, "", net.constant([1, 1, 4, 4], np.float32)], mode="nearest")
    ends = net.constant([height, width], np.int64)
    net.add("Slice", [net.last, net.constant([0, 0], np.int64), ends, net.constant([2, 3], np.int64)])
    style = make_style(net.model(), "net", overrides=PreprocessingOverrides(input_range="unit", output_range="unit"))
    note = f"it was exported for {width}x{height} px: frames of that size are extended to multiples of 4 px"
    assert (style.card.stride, style.card.fixed_size) == (4, None)
    assert (note in style.card.notes) is said


def test_a_size_that_is_not_kept_is_refused_at_its_own_size_too() -> None:
    net = Net([1, 3, 16, 16])
    net.add("Flatten")
    net.add("MatMul", [net.last, net.constant(random_weight((768, 300), 1))])
    net.add("Reshape", [net.last, net.constant([1, 3, 10, 10], np.int64)])
    with pytest.raises(StyleError, match="1 x 3 x 16 x 16 comes out as 1 x 3 x 10 x 10; a style keeps"):
        make_style(net.model(), "net")


def test_a_form_that_breaks_the_freeing_runs_at_its_own_size(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a tensor of unknown shape")

    monkeypatch.setattr(dynamic_shapes, "free_size", broken)
    net = Net([1, 3, 16, 24])
    net.add("Sigmoid")
    assert make_style(net.model(), "net").card.fixed_size == (24, 16)
    free = Net([1, 3, "H", "W"])
    free.add("Sigmoid")
    with pytest.raises(StyleError, match="net: the network is damaged or unusual"):
        make_style(free.model(), "net")


def test_output_shape_after_computed_sizes_is_freed() -> None:
    """Shape inference cannot follow Floor; the sizes are evaluated."""
    net = Net([1, 3, 32, 32])
    picture = net.last
    net.add("Cast", [net.add("Slice", [net.add("Shape"), *(net.constant([n], np.int64) for n in (2, 4, 0))])], to=1)
    net.add("Cast", [net.add("Floor", [net.add("Mul", [net.last, net.constant(0.5)])])], to=7)
    sizes = net.add("Concat", [net.constant([1, 3], np.int64), net.last], axis=0)
    net.add("Resize", [picture, "", "", sizes], mode="nearest")
    weight = net.constant(random_weight((3, 3, 4, 4), 1))
    net.add("ConvTranspose", [net.last, weight], strides=[2, 2], output_shape=[32, 32])
    style = make_style(net.model(), "net", overrides=PreprocessingOverrides(input_range="unit", output_range="unit"))
    assert style.card.fixed_size is None
    assert style.card.stride == 2
