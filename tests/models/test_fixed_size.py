"""Networks that cannot be freed of the size for which they were exported run at that size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import onnxruntime as ort
import pytest

from framebrush.models.convert import make_style
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.probe import sample_picture
from framebrush.models.style import StyleError
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


@pytest.mark.parametrize("build", [fully_connected, odd_resize, almost_a_doubling])
def test_runs_at_its_own_size(build: Callable[[], onnx.ModelProto]) -> None:
    original = build()
    *_, height, width = (dim.dim_value for dim in original.graph.input[0].type.tensor_type.shape.dim)
    picture = sample_picture(height, width)[None]
    session = ort.InferenceSession(original.SerializeToString(), providers=["CPUExecutionProvider"])
    want = session.run(None, {"input": picture})[0]
    style = make_style(original, "net", overrides=PreprocessingOverrides(input_range="unit", output_range="unit"))
    assert style.card.fixed_size == (width, height)
    assert (style.card.stride, style.card.scale, style.card.radius_px) == (1, want.shape[2] // height, None)
    assert f"it runs at {width}x{height} px only: frames are scaled to that size" in style.card.notes
    fixed = ort.InferenceSession(style.fixed(width, height), providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(fixed.run(None, {"frame": picture})[0], want, atol=1e-5)
    with pytest.raises(ValueError, match=f"is not {width}x{height}, the only size"):
        style.fixed(width * 2, height)


def test_a_size_that_is_not_kept_is_refused_at_its_own_size_too() -> None:
    net = Net([1, 3, 16, 16])
    net.add("Flatten")
    net.add("MatMul", [net.last, net.constant(random_weight((768, 300), 1))])
    net.add("Reshape", [net.last, net.constant([1, 3, 10, 10], np.int64)])
    with pytest.raises(StyleError, match="it is not fully convolutional"):
        make_style(net.model(), "net")
