"""DirectML runs the loader's additions to third-party networks like the CPU."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnxruntime as ort
import pytest
from onnx import TensorProto

from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.frame import FrameFormat, PlaneOrder, nv12
from framebrush.gpu.look import Look
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading.style_conversion import make_style
from tests.gpu.pictures import noise
from tests.models.test_foreign_forms import luma_net, normalised_picture
from tests.networks import Net, random_weight
from tests.windows.test_resident import expected, largest_difference

pytestmark = pytest.mark.windows

SOURCE = FrameFormat(96, 64, PlaneOrder.PLANAR, subsample=(1, 1))


def luma_only() -> Net:
    return luma_net(1, 1.0)


def eight_bits() -> Net:
    net = Net([1, 3, 64, 96], kind=TensorProto.UINT8)
    net.add("Cast", to=TensorProto.FLOAT)
    net.add("Conv", [net.last, net.constant(np.full((3, 3, 3, 3), 1 / 27))], pads=[1] * 4)
    net.add("Cast", to=TensorProto.UINT8)
    return net


def channel_shuffle() -> Net:
    net = Net([1, 3, 64, 96])
    net.conv(random_weight((6, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    net.add("Reshape", [net.last, net.constant([1, 2, 3, 64, 96], np.int64)])
    net.add("Transpose", perm=[0, 2, 1, 3, 4])
    net.add("Reshape", [net.last, net.constant([1, 6, 64, 96], np.int64)])
    net.conv(random_weight((3, 2, 3, 3), 2), pads=[1, 1, 1, 1], group=3)
    net.add("Sigmoid")
    return net


def zeros_by_concat() -> Net:
    net = Net([1, 3, 64, 96])
    zeros = net.constant(np.zeros((1, 3, 1, 96)))
    net.add("Concat", [zeros, net.last, zeros], axis=2)
    net.conv(random_weight((3, 3, 3, 1), 2))
    net.add("Sigmoid")
    return net


def size_that_it_reckons() -> Net:
    """Down, and up to the size that its input has at run time, which no shape in the file says."""
    net = Net([1, 3, "H", "W"])
    shape = net.add("Shape")
    size = net.add("Slice", [shape, net.constant([2], np.int64), net.constant([4], np.int64)])
    sizes = net.add("Concat", [net.constant([1, 3], np.int64), size], axis=0)
    net.last = "input"
    net.conv(random_weight((4, 3, 3, 3), 1), strides=[2, 2], pads=[1, 1, 1, 1])
    small = net.conv(random_weight((3, 4, 3, 3), 2), pads=[1, 1, 1, 1])
    net.add("Resize", [small, "", "", sizes], mode="nearest")
    net.add("Sigmoid")
    return net


def without_padding() -> Net:
    net = Net([1, 3, "H", "W"])
    for seed in (1, 2):
        net.conv(random_weight((3, 3, 3, 3), seed))
    net.add("Sigmoid")
    return net


def colouriser() -> Net:
    net = Net([1, 1, "H", "W"])
    net.conv(random_weight((3, 1, 3, 3), 1), pads=[1, 1, 1, 1])
    net.add("Sigmoid")
    return net


def matte_alone() -> Net:
    """Height and width, and nothing else."""
    net = Net([1, 3, "H", "W"])
    net.conv(random_weight((1, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    net.add("Sigmoid")
    net.add("Squeeze", [net.last, net.constant([0, 1], np.int64)])
    return net


def turned_and_without_a_batch() -> Net:
    net = Net([3, "H", "W"])
    net.add("Unsqueeze", [net.last, net.constant([0], np.int64)])
    net.conv(random_weight((3, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    net.add("Sigmoid")
    net.add("Transpose", perm=[0, 2, 3, 1])
    return net


@pytest.mark.parametrize(
    ("build", "opset"),
    [
        (luma_only, 17),
        (eight_bits, 17),
        (channel_shuffle, 17),
        (zeros_by_concat, 17),
        (normalised_picture, 22),
        (size_that_it_reckons, 17),
        (without_padding, 17),
        (colouriser, 17),
        (matte_alone, 17),
        (turned_and_without_a_batch, 17),
    ],
)
def test_as_on_the_processor(device: D3D12Device, build: Callable[[], Net], opset: int) -> None:
    said = None if build is eight_bits else PreprocessingOverrides(input_range="unit", output_range="unit")
    style = make_style(build().model(opset=opset), "net", overrides=said)
    session = ort.InferenceSession(style.model, providers=["CPUExecutionProvider"])

    def paint(rgb: np.ndarray) -> np.ndarray:
        return np.asarray(session.run(None, {"frame": rgb[None].astype(np.float32)})[0][0])

    frame, look = noise(SOURCE), Look(brush=0.0, relief=0.0)  # the picture of the network itself
    with device.stylizer(style, SOURCE, nv12(96, 64), look=look) as stylizer:
        got = stylizer.fetch(stylizer.submit(frame))
        assert largest_difference(got, expected(frame, got.format, look, paint)) <= 2
