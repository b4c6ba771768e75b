"""Painters in int8 for ONNX Runtime on the CPU.

Strided layers and the last stay float32: a tenth of the work, most of the loss.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from framebrush.gpu.c_kernels import has_dot_products
from framebrush.gpu.cpu.graph_rewrites import shuffled_by_rows
from framebrush.gpu.painter import FRAME, Layer, Painter, read_painter
from framebrush.models.style import Style, StyleError

Numbers = npt.NDArray[np.float32]

FILE = Path(__file__).with_name("int8.json")
"""By file and painting, the digest of its weights and the largest values after each layer but the last.

Written by `benchmarks/int8.py tops`.
"""

CODES = np.float32(255)
"""Largest code of an activation; 0 is zero."""

WEIGHT_CODES = np.float32(127)
"""Largest code of a weight."""

LEAST = np.float32(1e-6)
"""Least top: a layer may be always zero."""

OPSET = 17
IR_VERSION = 8

END = 1 << 31  # of a slice
WEIGHTS: Mapping[bool, tuple[int, type[np.int8] | type[np.uint8]]] = {True: (0, np.int8), False: (128, np.uint8)}
"""Zero and type of weights, by `has_dot_products`: without these, signed weights saturate in sums of 16 bits."""


@lru_cache(maxsize=1)
def known_tops() -> Mapping[str, tuple[float, ...]]:
    """Return bundled paintings' tops by `digest`."""
    files = json.loads(FILE.read_text(encoding="utf-8"))
    return {one["weights"]: tuple(one["tops"]) for paintings in files.values() for one in paintings.values()}


def digest(row: Numbers) -> str:
    return hashlib.sha256(row.astype("<f4").tobytes()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Int8Painter:
    """Quantisable painter. tops: by painting, layers' largest values."""

    painter: Painter
    tops: Numbers

    @classmethod
    def of(cls, style: Style) -> Int8Painter:
        """Read a style. Raises StyleError unless a bundled painter."""
        painter = read_painter(style.model)
        tops = [known_tops().get(digest(row)) for row in painter.rows] if painter else [None]
        if painter is None or None in tops:
            raise StyleError(
                f"{style.card.title} cannot be painted in int8, as only bundled paintings can",
                do="use --precision float32",
            )
        return cls(painter, np.array(tops, np.float32))

    def network(self, mix: tuple[float, ...], size: tuple[int, int]) -> ModelProto:
        """Make the network of a mix for a frame size."""
        shares = np.array(mix or (1.0,), np.float32)
        used = np.flatnonzero(shares)
        tops: Numbers = self.tops[used].max(axis=0)
        return quantised(self.painter, shares[used] @ self.painter.rows[used], tops, size)


def quantised(
    painter: Painter, row: Numbers, tops: Numbers, size: tuple[int, int], *, signed: bool | None = None
) -> ModelProto:
    """Make a network in int8. row: all weights. size: (width, height).

    signed: type of weights, default: faster here, with equal results.
    """
    writer = _Writer(painter, row, tops, has_dot_products() if signed is None else signed)
    for number in range(len(painter.layers)):
        writer.write(number)
    width, height = size
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3, height, width]) for name in ("frame", "styled")
    ]
    graph = helper.make_graph(writer.nodes, "int8", ends[:1], ends[1:], writer.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    shuffled_by_rows(model)
    return model


def stays_float(painter: Painter, number: int) -> bool:
    """Return whether a layer is computed in float32."""
    return painter.layers[number].stride > 1 or number == len(painter.layers) - 1


class _Writer:
    def __init__(self, painter: Painter, row: Numbers, tops: Numbers, signed: bool) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._painter, self._row = painter, row
        self._steps = np.maximum(tops, LEAST) / CODES
        self._zero, self._type = WEIGHTS[signed]
        self._made: set[str] = set()
        self._constant("zero", np.array(0, np.uint8))
        self._constant("one", np.array(1, np.float32))

    def write(self, number: int) -> None:
        layer, in_float = self._painter.layers[number], stays_float(self._painter, number)
        kind = "float" if in_float else "codes"
        source = self._input(number, layer, kind)
        kernel, bias = self._weights(layer)
        sides = {"kernel_shape": [layer.side] * 2, "strides": [layer.stride] * 2}
        result = f"{kind} {number}"
        made = f"sum {number}" if layer.shuffle else result
        if in_float:
            given = [source, self._constant(f"kernel {number}", kernel), self._constant(f"bias {number}", bias)]
            made = self._node("Conv", given, f"conv {number}" if layer.relu else made, **sides)
            if layer.relu:
                made = self._node("Relu", [made], f"sum {number}" if layer.shuffle else result)
        else:
            given = self._quantised_weights(number, layer, kernel, bias)
            made = self._node("QLinearConv", [source, "one", "zero", *given], made, **sides)
        if layer.shuffle:
            last = number == len(self._painter.layers) - 1
            self._node("DepthToSpace", [made], "styled" if last else result, blocksize=2, mode="CRD")
        self._made.add(result)

    def _input(self, number: int, layer: Layer, kind: str) -> str:
        source = "frame" if layer.a == FRAME else self._result(layer.a, kind)
        if layer.b is not None:
            other = self._result(layer.b, kind)
            if layer.crop:
                bounds = {"starts": [layer.crop] * 2, "ends": [END] * 2, "axes": [2, 3]}
                named = [self._constant(f"{name} {number}", np.array(value)) for name, value in bounds.items()]
                other = self._node("Slice", [other, *named], f"cropped {number}")
            source = self._node("Concat", [source, other], f"joined {number}", axis=1)
        if any(layer.pad):
            before, after = layer.pad
            pads = self._constant(f"pads {number}", np.array([0, 0, before, before, 0, 0, after, after]))
            source = self._node("Pad", [source, pads], f"padded {number}", mode="edge")
        return source

    def _result(self, number: int, kind: str) -> str:
        name = f"{kind} {number}"
        if name not in self._made:
            step = self._constant(f"step of {kind} {number}", np.asarray(self._steps[number]))
            convert, other = ("QuantizeLinear", "float") if kind == "codes" else ("DequantizeLinear", "codes")
            self._node(convert, [f"{other} {number}", step, "zero"], name)
            self._made.add(name)
        return name

    def _weights(self, layer: Layer) -> tuple[Numbers, Numbers]:
        shape = layer.outputs, layer.inputs, layer.side, layer.side
        kernel = self._row[layer.kernel : layer.kernel + int(np.prod(shape))].reshape(shape)
        return kernel, self._row[layer.bias : layer.bias + layer.outputs]

    def _quantised_weights(self, number: int, layer: Layer, kernel: Numbers, bias: Numbers) -> list[str]:
        joined = 0 if layer.b is None else self._channels(layer.b)
        steps = np.full(layer.inputs, self._steps[layer.a])
        if layer.b is not None:
            steps[-joined:] = self._steps[layer.b]
        scaled = kernel * steps[:, None, None]
        step = np.maximum(np.abs(scaled).max(axis=(1, 2, 3)) / WEIGHT_CODES, np.finfo(np.float32).tiny)
        codes = np.round(scaled / step[:, None, None, None]) + self._zero
        values = {
            "kernel": codes.astype(self._type),
            "factors": (step / self._steps[number]).astype(np.float32),
            "zeros": np.full(layer.outputs, self._zero, self._type),
        }
        bounds = np.iinfo(np.int32)
        rounded = np.clip(np.round(bias.astype(np.float64) / step), bounds.min, bounds.max).astype(np.int32)
        named = [self._constant(f"{name} {number}", value) for name, value in values.items()]
        return [*named, "one", "zero", self._constant(f"bias {number}", rounded)]

    def _channels(self, number: int) -> int:
        layer = self._painter.layers[number]
        return layer.outputs // 4 if layer.shuffle else layer.outputs

    def _constant(self, name: str, value: npt.NDArray[np.generic]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value).reshape(value.shape), name))
        return name

    def _node(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:  # noqa: ANN401 - as onnx takes
        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output
