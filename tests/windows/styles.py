"""Styles that run on DirectML in the rig too."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from framebrush.models.style import Style
from tests.networks import Net, canonical, random_weight


def _net(precision: str = "float32") -> Net:
    kind = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}[precision]
    return Net([1, 3, "H", "W"], name="frame", kind=kind)


def blur(*, stride: int = 1, precision: str = "float32") -> Style:
    net = _net(precision)
    for step, (channels, into) in enumerate(((3, 8), (8, 3))):
        net.conv(random_weight((into, channels, 3, 3), step), pads=[1, 1, 1, 1])
        net.add("Sigmoid")
    return canonical(net, stride=stride, radius_px=2)


def brighten() -> Style:
    net = _net()
    net.conv(np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1), np.full(3, 0.25, np.float32))
    return canonical(net)


def unknown_to_directml() -> Style:
    net = _net()
    net.add("Bernoulli")
    net.add("Relu")
    return canonical(net)
