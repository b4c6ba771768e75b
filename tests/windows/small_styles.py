"""Small networks that keep the contract of models/style.py, made here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from models.style import Card, Style

Weights = npt.NDArray[np.floating]
TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}


def style(
    nodes: Sequence[onnx.NodeProto],
    initialisers: Sequence[tuple[str, Weights]] = (),
    *,
    name: str = "test",
    stride: int = 1,
    precision: str = "float32",
    radius_px: int | None = 0,
    paintings: tuple[str, ...] = ("one",),
) -> Style:
    """A style from nodes that lead from "frame" to "styled"; "mix" is an input where there are several paintings."""
    kind = TYPES[precision]
    shape = [1, 3, "H", "W"]
    inputs = [helper.make_tensor_value_info("frame", kind, shape)]
    if len(paintings) > 1:
        inputs.append(helper.make_tensor_value_info("mix", TensorProto.FLOAT, [1, len(paintings)]))
    outputs = [helper.make_tensor_value_info("styled", kind, shape)]
    tensors = [numpy_helper.from_array(np.asarray(value), key) for key, value in initialisers]
    graph = helper.make_graph(list(nodes), name, inputs, outputs, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    card = Card(name, name, paintings, stride=stride, radius_px=radius_px, precision=precision)
    return Style(card, model.SerializeToString())


def identity(*, stride: int = 1, precision: str = "float32") -> Style:
    """Gives what it gets, through a convolution that really runs."""
    weights = np.eye(3, dtype=precision).reshape(3, 3, 1, 1)
    node = helper.make_node("Conv", ["frame", "w"], ["styled"])
    return style([node], [("w", weights)], name="identity", stride=stride, precision=precision)


def blur(*, stride: int = 1, precision: str = "float32", seed: int = 3) -> Style:
    """A 3x3 convolution over all channels, a sigmoid between, and another: every pixel depends on its neighbours."""
    random = np.random.default_rng(seed)
    first = random.normal(0, 0.3, (8, 3, 3, 3)).astype(precision)
    second = random.normal(0, 0.3, (3, 8, 3, 3)).astype(precision)
    pads = [1, 1, 1, 1]
    nodes = [
        helper.make_node("Conv", ["frame", "a"], ["x"], pads=pads),
        helper.make_node("Sigmoid", ["x"], ["y"]),
        helper.make_node("Conv", ["y", "b"], ["z"], pads=pads),
        helper.make_node("Sigmoid", ["z"], ["styled"]),
    ]
    return style(nodes, [("a", first), ("b", second)], name="blur", stride=stride, precision=precision, radius_px=2)


def brighten() -> Style:
    """Adds a quarter to everything."""
    weights = np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1)
    node = helper.make_node("Conv", ["frame", "w", "b"], ["styled"])
    return style([node], [("w", weights), ("b", np.full(3, 0.25, np.float32))], name="brighten")


def poison() -> Style:
    """The logarithm of the frame less a tenth: NaN where it is dark."""
    weights = np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1)
    nodes = [
        helper.make_node("Conv", ["frame", "w", "b"], ["x"]),
        helper.make_node("Log", ["x"], ["styled"]),
    ]
    return style(nodes, [("w", weights), ("b", np.full(3, -0.1, np.float32))], name="poison")


def two_paintings() -> Style:
    """The frame and its negative; weights and bias of the convolution are those of the mix."""
    eye = np.eye(3, dtype=np.float32)
    weights = np.stack([eye.ravel(), -eye.ravel()])
    biases = np.array([[0, 0, 0], [1, 1, 1]], np.float32)
    nodes = [
        helper.make_node("Gemm", ["mix", "weights"], ["w"]),
        helper.make_node("Reshape", ["w", "w_shape"], ["kernel"]),
        helper.make_node("Gemm", ["mix", "biases"], ["b"]),
        helper.make_node("Reshape", ["b", "b_shape"], ["bias"]),
        helper.make_node("Conv", ["frame", "kernel", "bias"], ["styled"]),
    ]
    shapes = [("w_shape", np.array([3, 3, 1, 1], np.int64)), ("b_shape", np.array([3], np.int64))]
    tensors = [("weights", weights), ("biases", biases), *shapes]
    return style(nodes, tensors, name="two", paintings=("frame", "negative"))
