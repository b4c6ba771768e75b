"""Export of folded painters to ONNX, several as a float16 matrix times "mix"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from framebrush.base.files import write_whole
from framebrush.models.model_card import write_card
from framebrush.models.onnx_graph import OPSET
from framebrush.models.style import ModelCard
from framebrush.models.training.painter_network import (
    STRIDE,
    PainterModule,
    Shape,
    Weights,
    layers,
    painter_forward,
    radius_px,
)


class _Graph:
    """`network.Operations` that write ONNX nodes."""

    def __init__(self, shape: Shape, paintings: Sequence[Weights], kind: np.dtype[np.floating]) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self._kind = kind
        self._layers = layers(shape)
        self._sides = {name: kernel.shape[-1] for name, (kernel, _) in paintings[0].items()}
        self._weights: dict[str, tuple[str, str]] = {}
        if len(paintings) == 1:
            for name, (kernel, bias) in paintings[0].items():
                self._weights[name] = (
                    self.constant(f"{name}.kernel", kernel.astype(kind)),
                    self.constant(f"{name}.bias", bias.astype(kind)),
                )
        else:
            self._blend(paintings)

    def _blend(self, paintings: Sequence[Weights]) -> None:
        rows = [np.concatenate([part.ravel() for pair in weights.values() for part in pair]) for weights in paintings]
        matrix = self.constant("paintings", np.stack(rows).astype(np.float16))
        mix = "mix"
        if self._kind == np.float32:
            matrix = self.node("Cast", [matrix], to=TensorProto.FLOAT)
        else:
            mix = self.node("Cast", [mix], to=TensorProto.FLOAT16)
        row = self.node("MatMul", [mix, matrix])
        shapes = [(name, part.shape) for name, pair in paintings[0].items() for part in pair]
        lengths = self.constant("lengths", np.array([int(np.prod(shape)) for _, shape in shapes]))
        pieces = [f"piece{n}" for n in range(len(shapes))]
        self.nodes.append(helper.make_node("Split", [row, lengths], pieces, axis=1))
        parts = [
            self.node("Reshape", [piece, self.constant(f"{piece}.shape", np.array(shape))])
            for piece, (_, shape) in zip(pieces, shapes, strict=True)
        ]
        for n, name in enumerate(paintings[0]):
            self._weights[name] = parts[2 * n], parts[2 * n + 1]

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, inputs: Sequence[str], name: str = "", **attributes: Any) -> str:  # noqa: ANN401 - as onnx takes them
        output = name or f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def conv(self, name: str, x: str) -> str:
        layer = self._layers[name]
        stride = [layer.stride, layer.stride]
        side = [self._sides[name]] * 2
        y = self.node("Conv", [x, *self._weights[name]], name, kernel_shape=side, strides=stride)
        y = self.node("Relu", [y]) if layer.relu else y
        return self.node("DepthToSpace", [y], blocksize=2, mode="CRD") if layer.enlarge else y

    def pad(self, x: str, before: int, after: int) -> str:
        pads = self.constant(f"{x}.pads", np.array([0, 0, before, before, 0, 0, after, after]))
        return self.node("Pad", [x, pads], mode="edge")

    def crop(self, x: str, before: int) -> str:
        bounds = ("starts", [before, before]), ("ends", [2**31 - 1, 2**31 - 1]), ("axes", [2, 3])
        return self.node("Slice", [x, *(self.constant(f"{x}.{key}", np.array(value)) for key, value in bounds)])

    def join(self, a: str, b: str) -> str:
        return self.node("Concat", [a, b], axis=1)


def to_onnx(shape: Shape, paintings: Sequence[Weights], card: ModelCard) -> onnx.ModelProto:
    """Make the checked model of painters of one shape. Raises ValueError."""
    if len(paintings) != len(card.paintings):
        raise ValueError(f"{len(paintings)} networks and {len(card.paintings)} names of paintings")
    half = card.precision == "float16"
    graph = _Graph(shape, paintings, np.dtype(np.float16 if half else np.float32))
    kind = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    painter_forward(shape, graph, "frame")
    graph.nodes[-1].output[0] = "styled"
    size: list[str | int | None] = [1, 3, "height", "width"]
    inputs = [helper.make_tensor_value_info("frame", kind, size)]
    if len(paintings) > 1:
        inputs.append(helper.make_tensor_value_info("mix", TensorProto.FLOAT, [1, len(paintings)]))
    model = helper.make_model(
        helper.make_graph(
            graph.nodes, card.name, inputs, [helper.make_tensor_value_info("styled", kind, size)], graph.constants
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=8,
        producer_name="framebrush",
    )
    write_card(model, replace(card, stride=STRIDE, radius_px=radius_px(shape)))
    onnx.checker.check_model(model, full_check=True)
    return model


def stored(path: Path, shape: Shape) -> list[Weights]:
    """Read the networks of a file of several paintings."""
    model = onnx.load(str(path))
    matrix = next(numpy_helper.to_array(tensor) for tensor in model.graph.initializer if tensor.name == "paintings")
    return [_cut(row.astype(np.float32), shape) for row in matrix]


def _cut(row: NDArray[np.float32], shape: Shape) -> Weights:
    found, start = {}, 0
    for name, (kernel, bias) in PainterModule(shape).folded().items():
        middle, end = start + kernel.size, start + kernel.size + bias.size
        found[name] = row[start:middle].reshape(kernel.shape), row[middle:end]
        start = end
    return found


def write(model: onnx.ModelProto, path: Path) -> None:
    write_whole(path, model.SerializeToString())
