"""Conversion of networks to canonical form, in two steps around a trial run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper

from framebrush.models import onnx_graph as g
from framebrush.models.colours.luma import LUMA
from framebrush.models.preprocessing import Preprocessing
from framebrush.models.reading.interface import Ends

INPUT, OUTPUT, MIX = "frame", "styled", "mix"

SIDES = ("H", "W")
"""Symbols of free height and width."""


def to_nchw(model: ModelProto, ends: Ends) -> None:
    """Rename input and output to "frame" and "styled", NCHW of one type, in place."""
    graph = model.graph
    picture = next(value for value in graph.input if value.name != MIX)
    output = graph.output[0]
    _prefix_names(model, keep={MIX})
    is_half = picture.type.tensor_type.elem_type == TensorProto.FLOAT16
    kind = TensorProto.FLOAT16 if is_half else TensorProto.FLOAT

    before = _Chain(model, INPUT, "before")
    if ends.input.is_byte:
        bounds = [before.constant(f"{end:g}", np.array(end, np.float32)) for end in (0.0, 255.0)]
        before.add("clipped", "Clip", *bounds)
        before.add("rounded", "Round")
        before.add("cast", "Cast", to=TensorProto.UINT8)
    if ends.input.layout == "nhwc":
        before.add("nhwc", "Transpose", perm=[0, 2, 3, 1])
    if ends.input.rank == 3:
        before.add("alone", "Squeeze", before.constant("batch", np.array([0])))
    _rename(graph.node, picture.name, before.last)

    after = _Chain(model, output.name, "after")
    if output.type.tensor_type.elem_type != kind:
        after.add("cast", "Cast", to=kind)
    if ends.output.rank < 4:
        after.add("whole", "Unsqueeze", after.constant("lost", np.arange(4 - ends.output.rank)))
    if ends.output.layout == "nhwc":
        after.add("nchw", "Transpose", perm=[0, 3, 1, 2])
    nodes = [*before.nodes, *graph.node, *after.nodes]
    _rename(nodes, after.last, OUTPUT)
    g.replace_nodes(graph, nodes)

    dims = g.dims(picture)[-3:]
    channels, *sides = dims if ends.input.layout == "nchw" else (dims[2], *dims[:2])
    mixes = [value for value in graph.input if value.name == MIX]
    del graph.input[:], graph.output[:]
    shape = [1, channels, *(side or symbol for side, symbol in zip(sides, SIDES, strict=True))]
    graph.input.extend([helper.make_tensor_value_info(INPUT, kind, shape), *mixes])
    graph.output.append(helper.make_tensor_value_info(OUTPUT, kind, None))
    graph.name = "style"
    model.doc_string = ""


def add_preprocessing(model: ModelProto, preprocessing: Preprocessing, scale: int, channels: int) -> None:
    """Add 1x1 convolutions for channel order and ranges around a network, in place.

    One input channel gets luma. channels: of the result; 1 is luma, or grey.
    """
    graph = model.graph
    frame = graph.input[0].type.tensor_type
    kind = helper.tensor_dtype_to_np_dtype(frame.elem_type)
    coding_in, coding_out = preprocessing.input, preprocessing.output
    takes_luma = frame.shape.dim[1].dim_value == 1
    permutation = np.eye(3)[[0, 1, 2] if preprocessing.order == "rgb" else [2, 1, 0]]  # inverse of itself

    before = _Chain(model, INPUT, "before")
    scales, offsets = np.array(coding_in.scale), np.array(coding_in.offset)
    if takes_luma:
        before.convolve(LUMA[None] * scales[0], offsets[:1], kind)
    else:
        before.convolve(permutation * scales, permutation @ offsets, kind)
    _rename(graph.node, INPUT, before.last, outputs=False)

    after = _Chain(model, OUTPUT, "after")
    scales, offsets = np.array(coding_out.scale), np.array(coding_out.offset)
    if channels == 3:
        after.convolve(permutation / scales[:, None], -offsets / scales, kind)
    elif takes_luma:
        after.last = INPUT
        if scale > 1:
            factors = after.constant("scales", np.array([1, 1, scale, scale], np.float32))
            after.add("enlarged", "Resize", "", factors, mode="linear")
        after.add("joined", "Concat", OUTPUT, axis=1)
        matrix = np.hstack([np.eye(3) - LUMA, np.full((3, 1), 1 / scales[0])])
        after.convolve(matrix, np.full(3, -offsets[0] / scales[0]), kind)
    else:
        after.convolve(np.full((3, 1), 1 / scales[0]), np.full(3, -offsets[0] / scales[0]), kind)
    if after.last != OUTPUT:
        _rename([*graph.node, *after.nodes], OUTPUT, "net/styled")
        _rename(after.nodes, after.last, OUTPUT)
    g.replace_nodes(graph, [*before.nodes, *graph.node, *after.nodes])
    sides = [_times(scale, dim.dim_value or dim.dim_param) for dim in frame.shape.dim[2:]]
    frame.shape.dim[1].dim_value = 3
    g.set_dims(graph.output[0], [1, 3, *sides])


Pair = tuple[int, int]
"""Pixels before and after."""


def wrap(model: ModelProto, pads: tuple[Pair, Pair], cuts: tuple[Pair, Pair]) -> None:
    """Pad a network's input by its edge, and crop its result, in place.

    pads, cuts: (before, after) of rows, then columns.
    """
    graph = model.graph
    (top, bottom), (left, right) = pads
    before = _Chain(model, INPUT, "edge")
    before.add(
        "extended", "Pad", before.constant("pads", np.array([0, 0, top, left, 0, 0, bottom, right])), mode="edge"
    )
    _rename(graph.node, INPUT, before.last, outputs=False)
    after = _Chain(model, OUTPUT, "edge")
    if any(map(any, cuts)):
        ends = np.array([-after or np.iinfo(np.int64).max for _, after in cuts])
        starts = np.array([before for before, _ in cuts])
        places = {"starts": starts, "ends": ends, "axes": np.array([2, 3])}
        after.add("cut", "Slice", *(after.constant(name, value) for name, value in places.items()))
        _rename([*graph.node, *after.nodes], OUTPUT, "net/wrapped")
        _rename(after.nodes, after.last, OUTPUT)
    g.replace_nodes(graph, [*before.nodes, *graph.node, *after.nodes])


def _times(scale: int, side: int | str) -> int | str:
    if isinstance(side, int):
        return scale * side
    return side if scale == 1 else f"{scale}*{side}"


class _Chain:
    def __init__(self, model: ModelProto, source: str, name: str) -> None:
        self.nodes: list[NodeProto] = []
        self.last = source
        self._model, self._name = model, name

    def constant(self, name: str, value: g.Array) -> str:
        return g.add_constant(self._model.graph, f"{self._name}/{name}", value)

    def add(self, name: str, op: str, *more: str, **attributes: Any) -> None:  # noqa: ANN401 - of any kind
        made = f"{self._name}/{name}"
        self.nodes.append(helper.make_node(op, [self.last, *more], [made], **attributes))
        self.last = made

    def convolve(self, matrix: g.Array, bias: g.Array, kind: np.dtype[Any]) -> None:
        if matrix.shape == (3, 3) and np.allclose(matrix, np.eye(3), atol=1e-9) and np.allclose(bias, 0, atol=1e-9):
            return
        weight = self.constant("weight", matrix[:, :, None, None].astype(kind))
        self.add("picture", "Conv", weight, self.constant("bias", bias.astype(kind)), kernel_shape=[1, 1])


def _rename(nodes: Iterable[NodeProto], old: str, new: str, *, outputs: bool = True) -> None:
    for node in nodes:
        for names in (node.input, node.output) if outputs else (node.input,):
            for index, name in enumerate(names):
                if name == old:
                    names[index] = new


def _prefix_names(model: ModelProto, keep: set[str]) -> None:
    def rename(name: str) -> str:
        return name if not name or name in keep else f"net/{name}"

    graph = model.graph
    for node in graph.node:
        node.input[:] = [rename(name) for name in node.input]
        node.output[:] = [rename(name) for name in node.output]
        node.name = ""
    for item in (*graph.initializer, *graph.input, *graph.output):
        item.name = rename(item.name)
