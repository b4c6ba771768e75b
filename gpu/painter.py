"""Painter networks, which the kernels `conv` can run.

Convolutions from `models/training`: edge padding, optional ReLU and upscaling by two, one or two inputs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

FRAME = -1
"""Input of the first layer. Other inputs are layers, counted from 0."""

PIECE = 8  # channels are multiples of it
LAST_OUTPUTS = 12
"""Outputs of the last layer: three colours of four pixels."""

Rows = npt.NDArray[np.float32]


@dataclass(slots=True)
class Layer:
    """Convolution. inputs, outputs: channels. a, b: input tensors; b may be None.

    crop: rows and columns cropped from b. pad: rows and columns before and after. kernel, bias: offsets in a row of
    weights.
    """

    a: int
    b: int | None
    crop: int
    pad: tuple[int, int]
    side: int
    stride: int
    inputs: int
    outputs: int
    kernel: int
    bias: int
    relu: bool = False
    shuffle: bool = False


@dataclass(frozen=True, slots=True)
class Painter:
    """Painter network. rows: weights by painting."""

    layers: tuple[Layer, ...]
    rows: Rows
    mixed: bool


@dataclass(frozen=True, slots=True)
class _Value:
    layer: int
    crop: int = 0
    pad: tuple[int, int] = (0, 0)
    joined: int | None = None
    joined_crop: int = 0


@dataclass(frozen=True, slots=True)
class _Weight:
    offset: int
    shape: tuple[int, ...]


class _OtherNetworkError(Exception):
    pass


@dataclass(slots=True)
class _Reading:
    constants: dict[str, npt.NDArray[Any]]
    uses: Counter[str]
    values: dict[str, object] = field(default_factory=dict)
    layers: list[Layer] = field(default_factory=list)
    rows: Rows | None = None
    loose: list[Rows] = field(default_factory=list)
    mixed: bool = False

    def value(self, name: str) -> _Value:
        found = self.values.get(name)
        if not isinstance(found, _Value):
            raise _OtherNetworkError(name)
        return found

    def weight(self, name: str) -> _Weight:
        found = self.values.get(name)
        if isinstance(found, _Weight) and self.rows is not None:
            return found
        if name not in self.constants or self.rows is not None:
            raise _OtherNetworkError(name)
        array = self.constants[name].astype(np.float32)
        weight = _Weight(sum(one.size for one in self.loose), array.shape)
        self.loose.append(array.ravel())
        self.values[name] = weight
        return weight


def changes_nothing(model: bytes) -> bool:
    """Return whether a canonical network only clips to 0..1."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load_model_from_string(model).graph
    limits = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    if [node.op_type for node in graph.node] != ["Clip"] or len(graph.node[0].input) != 3:
        return False
    frame, low, high = graph.node[0].input
    bounds = [limits.get(low), limits.get(high)]
    return frame == "frame" and all(
        bound is not None and bound.size == 1 and bound.item() == limit
        for bound, limit in zip(bounds, (0.0, 1.0), strict=True)
    )


def read_painter(model: bytes) -> Painter | None:
    """Read a canonical network's painter, None for others."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load_model_from_string(model).graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    reading = _Reading(constants, Counter(name for node in graph.node for name in node.input))
    reading.values["frame"] = _Value(FRAME)
    if any(value.name == "mix" for value in graph.input):
        reading.values["mix"] = "mix"
    try:
        for node in graph.node:
            attributes = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
            _STEPS.get(node.op_type, _refuse)(reading, list(node.input), list(node.output), attributes)
        end = reading.value("styled")
        if end != _Value(len(reading.layers) - 1):
            return None
        rows = np.concatenate(reading.loose)[None] if reading.rows is None else reading.rows
    except (_OtherNetworkError, KeyError, ValueError, IndexError):
        return None
    painter = Painter(tuple(reading.layers), rows, reading.mixed)
    return painter if _fits(painter) else None


def _refuse(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    raise _OtherNetworkError(outputs[0])


def _cast(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    if inputs[0] in reading.values:  # the mix, or weights computed from it
        reading.values[outputs[0]] = reading.values[inputs[0]]
    else:
        reading.constants[outputs[0]] = reading.constants[inputs[0]]


def _mat_mul(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    if reading.values.get(inputs[0]) != "mix" or reading.rows is not None or reading.loose:
        raise _OtherNetworkError(outputs[0])
    reading.rows, reading.mixed = reading.constants[inputs[1]].astype(np.float32), True
    reading.values[outputs[0]] = _Weight(0, (reading.rows.shape[1],))


def _split(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    whole, lengths = reading.weight(inputs[0]), reading.constants[inputs[1]]
    if attributes.get("axis") != 1 or int(lengths.sum()) != whole.shape[0]:
        raise _OtherNetworkError(outputs[0])
    ends = np.cumsum(lengths)
    for name, end, length in zip(outputs, ends, lengths, strict=True):
        reading.values[name] = _Weight(int(end - length), (int(length),))


def _reshape(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    flat, shape = reading.weight(inputs[0]), tuple(int(one) for one in reading.constants[inputs[1]])
    if min(shape) < 1 or int(np.prod(shape)) != flat.shape[0]:
        raise _OtherNetworkError(outputs[0])
    reading.values[outputs[0]] = _Weight(flat.offset, shape)


def _pad(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    x, pads = reading.value(inputs[0]), [int(one) for one in reading.constants[inputs[1]]]
    before, after = pads[2], pads[6]
    if attributes.get("mode") != b"edge" or x.pad != (0, 0) or len(inputs) > 3 or min(before, after) < 0:
        raise _OtherNetworkError(outputs[0])
    if pads != [0, 0, before, before, 0, 0, after, after]:
        raise _OtherNetworkError(outputs[0])
    reading.values[outputs[0]] = _Value(x.layer, x.crop, (before, after), x.joined, x.joined_crop)


def _conv(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    x, kernel, bias = reading.value(inputs[0]), reading.weight(inputs[1]), reading.weight(inputs[2])
    side = kernel.shape[2]
    stride = attributes.get("strides", [1, 1])
    plain = (
        attributes.get("group", 1) == 1
        and set(attributes.get("dilations", [1])) == {1}
        and set(attributes.get("pads", [0])) == {0}
        and attributes.get("auto_pad", b"NOTSET") == b"NOTSET"
        and stride[0] == stride[1]
        and kernel.shape[2:] == (side, side)
        and bias.shape == (kernel.shape[0],)
        and x.crop == 0
    )
    if not plain:
        raise _OtherNetworkError(outputs[0])
    reading.layers.append(
        Layer(
            x.layer,
            x.joined,
            x.joined_crop,
            x.pad,
            side,
            int(stride[0]),
            kernel.shape[1],
            kernel.shape[0],
            kernel.offset,
            bias.offset,
        )
    )
    reading.values[outputs[0]] = _Value(len(reading.layers) - 1)


def _made_by(reading: _Reading, name: str) -> tuple[_Value, Layer]:
    x = reading.value(name)
    if x.layer == FRAME or x != _Value(x.layer) or reading.uses[name] != 1 or reading.layers[x.layer].shuffle:
        raise _OtherNetworkError(name)
    return x, reading.layers[x.layer]


def _relu(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    reading.values[outputs[0]], layer = _made_by(reading, inputs[0])
    layer.relu = True


def _depth_to_space(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    reading.values[outputs[0]], layer = _made_by(reading, inputs[0])
    if attributes.get("blocksize") != 2 or attributes.get("mode") != b"CRD":
        raise _OtherNetworkError(outputs[0])
    layer.shuffle = True


def _slice(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    x, (starts, ends, axes) = reading.value(inputs[0]), (reading.constants[name].tolist() for name in inputs[1:4])
    if x != _Value(x.layer) or axes != [2, 3] or starts[0] != starts[1] or starts[0] < 0 or len(inputs) > 4:
        raise _OtherNetworkError(outputs[0])
    if min(ends) < 1 << 30:
        raise _OtherNetworkError(outputs[0])
    reading.values[outputs[0]] = _Value(x.layer, crop=int(starts[0]))


def _concat(reading: _Reading, inputs: list[str], outputs: list[str], attributes: dict[str, Any]) -> None:
    a, b = (reading.value(name) for name in inputs)
    if attributes.get("axis") != 1 or a != _Value(a.layer) or b != _Value(b.layer, crop=b.crop) or b.layer == FRAME:
        raise _OtherNetworkError(outputs[0])
    reading.values[outputs[0]] = _Value(a.layer, joined=b.layer, joined_crop=b.crop)


_STEPS = {
    "Cast": _cast,
    "Concat": _concat,
    "Conv": _conv,
    "DepthToSpace": _depth_to_space,
    "MatMul": _mat_mul,
    "Pad": _pad,
    "Relu": _relu,
    "Reshape": _reshape,
    "Slice": _slice,
    "Split": _split,
}


def _channels(painter: Painter, layer: int) -> int:
    made = painter.layers[layer]
    return made.outputs // 4 if made.shuffle else made.outputs


def _fits(painter: Painter) -> bool:
    last = len(painter.layers) - 1
    for number, layer in enumerate(painter.layers):
        stem = layer.a == FRAME
        if stem != (number == 0) or (stem and (layer.inputs != 3 or layer.b is not None)):
            return False
        if not stem:
            given = _channels(painter, layer.a) + (0 if layer.b is None else _channels(painter, layer.b))
            if given != layer.inputs or given % PIECE or _channels(painter, layer.a) % PIECE:
                return False
        if number == last:
            if not layer.shuffle or layer.relu or layer.outputs != LAST_OUTPUTS:
                return False
        elif _channels(painter, number) % PIECE:
            return False
        if layer.side not in (1, 3, 5) or layer.stride not in (1, 2):
            return False
    return True
