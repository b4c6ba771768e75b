"""Which networks the painter kernel runs, and what it needs of them. Pure: tested without a GPU.

The kernel `conv` runs chains of convolutions as `models/training` writes them: each pads by repeating the edge at most,
has a bias, perhaps ReLU, perhaps an enlargement by two, and reads one or two tensors. Any other network is ONNX
Runtime's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu.sizes import Size

FRAME = -1
"""The input of the first layer; other inputs are layers, counted from 0."""

PIECE = 8  # channels that lie together: 16 bytes of half
WARP_PIXELS, WARPS = 16, 4
LAST_OUTPUTS = 12
"""Outputs of the last layer: three colours of four pixels each."""

Rows = npt.NDArray[np.float32]


@dataclass(slots=True)
class Layer:
    """One convolution. a, b: its inputs, b None where there is one. crop: what is cut off b above and left. pad: rows
    and columns before and after. inputs, outputs: channels. kernel, bias: where they begin in a row of weights."""

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
    """A network that the kernel runs. rows: weights, a row for each painting. mixed: it has the input "mix"."""

    layers: tuple[Layer, ...]
    rows: Rows
    mixed: bool


@dataclass(frozen=True, slots=True)
class _Value:
    """A tensor in the graph: what a layer makes, perhaps cropped, padded, or joined with another."""

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
    """The network is not of this kind."""


@dataclass(slots=True)
class _Reading:
    """The walk through a graph. weights: constants that were met outside the matrix of paintings, in order."""

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


def read_painter(model: bytes) -> Painter | None:
    """The painter in a canonical network; None where it holds anything else."""
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
    if inputs[0] in reading.values:  # the mix, or the weights that were made of it
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
    """The layer whose result this is, where nothing else reads it and nothing was done to it."""
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
    """Channels of what a layer makes."""
    made = painter.layers[layer]
    return made.outputs // 4 if made.shuffle else made.outputs


def _fits(painter: Painter) -> bool:
    """Whether the kernel can run every layer."""
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


@dataclass(frozen=True, slots=True)
class Launch:
    """How a layer runs at a size. a_channels, b_channels: channels read of each input, padded to whole pieces. outputs:
    padded to whole pieces. group_outputs: of them, those of one group. tiles: of 16 pixels for each warp. in_size,
    out_size: width and height of the input before its padding, and of the output before it is enlarged. b_width: of the
    second input. shared_bytes: of an SM's own memory for a group."""

    layer: Layer
    a_channels: int
    b_channels: int
    outputs: int
    group_outputs: int
    tiles: int
    in_size: Size
    out_size: Size
    b_width: int
    shared_bytes: int

    @property
    def pieces(self) -> int:
        """Pieces along the product's inner dimension."""
        return self.layer.side**2 * (self.a_channels + self.b_channels) // PIECE

    @property
    def groups_of_outputs(self) -> int:
        """How many groups share a tile."""
        return self.outputs // self.group_outputs

    @property
    def tile_counts(self) -> tuple[int, int]:
        """Tiles across and down."""
        return -(-self.out_size[0] // WARP_PIXELS), -(-self.out_size[1] // (WARPS * self.tiles))

    @property
    def made_size(self) -> Size:
        """Width and height of what the layer makes."""
        enlarged = 2 if self.layer.shuffle else 1
        return self.out_size[0] * enlarged, self.out_size[1] * enlarged

    @property
    def made_channels(self) -> int:
        """Channels of what the layer makes."""
        return self.outputs // 4 if self.layer.shuffle else self.outputs


WEIGHTS_BYTES = 41 << 10  # of a group, so that two groups share an SM
GROUP_OUTPUTS = 64


def plan_launches(painter: Painter, size: Size, shared_limit_bytes: int) -> tuple[Launch, ...] | None:
    """How each layer runs for frames of a size; None where a group needs more of an SM's memory than there is."""
    launches: list[Launch] = []
    for number, layer in enumerate(painter.layers):
        in_size = size if layer.a == FRAME else launches[layer.a].made_size
        a_channels = PIECE if layer.a == FRAME else launches[layer.a].made_channels
        b_channels, b_width = 0, 0
        if layer.b is not None:
            other = launches[layer.b]
            b_channels, b_width = other.made_channels, other.made_size[0]
            if (other.made_size[0] - layer.crop, other.made_size[1] - layer.crop) != in_size:
                return None
        width, height = ((side + sum(layer.pad) - layer.side) // layer.stride + 1 for side in in_size)
        if min(width, height) < 1:
            return None
        outputs = -(-layer.outputs // PIECE) * PIECE
        fitting = _shape(layer, a_channels + b_channels, outputs, shared_limit_bytes)
        if fitting is None:
            return None
        launches.append(
            Launch(layer, a_channels, b_channels, outputs, *fitting[:2], in_size, (width, height), b_width, fitting[2])
        )
        if number == len(painter.layers) - 1 and launches[-1].made_size != size:
            return None
    return tuple(launches)


def _shape(layer: Layer, channels: int, outputs: int, shared_limit_bytes: int) -> tuple[int, int, int] | None:
    """Outputs of a group, tiles of a warp, and the memory that both take."""
    pieces = channels // PIECE
    weight_bytes = layer.side**2 * channels * 2
    fitting = [n for n in range(PIECE, min(outputs, GROUP_OUTPUTS) + 1, PIECE) if outputs % n == 0]
    group_outputs = max((n for n in fitting if n * weight_bytes <= WEIGHTS_BYTES), default=PIECE)
    for tiles in (4, 2, 1):
        across = (WARP_PIXELS - 1) * layer.stride + layer.side
        down = (WARPS * tiles - 1) * layer.stride + layer.side
        shared_bytes = group_outputs * weight_bytes + across * down * (pieces | 1) * 16
        if shared_bytes <= shared_limit_bytes and (tiles == 1 or tiles * group_outputs <= 4 * 32):
            return group_outputs, tiles, shared_bytes
    return None


def packed(painter: Painter, launches: Sequence[Launch]) -> tuple[npt.NDArray[np.float16], list[int], list[int]]:
    """The weights as the kernel reads them, a row for each painting: those of all layers, then the biases; and where
    those of each layer begin, in elements, the biases counted from the first of them."""
    parts, biases, weight_offsets, bias_offsets = [], [], [], []
    at = bias_at = 0
    for number, launch in enumerate(launches):
        layer = launch.layer
        source = _source_of_outputs(launch, last=number == len(launches) - 1)
        n, tap, c = np.ogrid[: launch.outputs, : layer.side**2, : launch.a_channels + launch.b_channels]
        index = layer.kernel + (source[n] * layer.inputs + c) * layer.side**2 + tap
        index = np.where((source[n] >= 0) & (c < layer.inputs), index, -1)
        # Groups of outputs, pieces, outputs of the group, channels of the piece.
        index = index.reshape(launch.groups_of_outputs, launch.group_outputs, launch.pieces, PIECE)
        index = index.transpose(0, 2, 1, 3).ravel()
        weight_offsets.append(at)
        bias_offsets.append(bias_at)
        at, bias_at = at + index.size, bias_at + launch.outputs
        parts.append(_taken(painter.rows, index))
        biases.append(_taken(painter.rows, np.where(source >= 0, layer.bias + source, -1)))
    return np.concatenate([*parts, *biases], axis=1), weight_offsets, bias_offsets


def _source_of_outputs(launch: Launch, *, last: bool) -> npt.NDArray[np.int64]:
    """For each output of the kernel the network's; -1 for none."""
    outputs = np.arange(launch.outputs)
    if last:
        return np.where(outputs < launch.layer.outputs, outputs, -1)
    if launch.layer.shuffle:
        channels = launch.outputs // 4
        return outputs % channels * 4 + outputs // channels
    return outputs


def _taken(rows: Rows, index: npt.NDArray[np.int64]) -> npt.NDArray[np.float16]:
    values = np.take(rows, np.maximum(index, 0), axis=1)
    return np.where(index >= 0, values, 0).astype(np.float16)
