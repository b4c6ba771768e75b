"""Make a network canonical: "frame" in, "styled" out, R'G'B' 0..1 in NCHW (see `models.style`).

Two steps, as range and order are determined by running the result of the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper

from framebrush.models import graph as g
from framebrush.models.preprocessing import Layout, Preprocessing

INPUT, OUTPUT, MIX = "frame", "styled", "mix"

LUMA = np.array([0.2126, 0.7152, 0.0722])
"""Weights of R', G' and B' in the luma of BT.709."""


def to_nchw(model: ModelProto, layout: Layout) -> None:
    """Rename the ends to "frame" and "styled", both NCHW and of the input's float type, in place.

    Values, order and number of channels stay the network's own. 8-bit ends get casts: such a network then takes and
    returns 0..255 in float32.
    """
    graph = model.graph
    picture = next(value for value in graph.input if value.name != MIX)
    output = graph.output[0]
    _prefix_names(model, keep={MIX})
    kinds = [value.type.tensor_type.elem_type for value in (picture, output)]
    kind = TensorProto.FLOAT16 if kinds[0] == TensorProto.FLOAT16 else TensorProto.FLOAT

    before: list[NodeProto] = []
    name = INPUT
    if kinds[0] == TensorProto.UINT8:
        bounds = [g.add_constant(graph, f"before/{end:g}", np.array(end, np.float32)) for end in (0.0, 255.0)]
        before.append(helper.make_node("Clip", [name, *bounds], ["before/clipped"]))
        before.append(helper.make_node("Round", ["before/clipped"], ["before/rounded"]))
        before.append(helper.make_node("Cast", ["before/rounded"], ["before/cast"], to=TensorProto.UINT8))
        name = "before/cast"
    if layout == "nhwc":
        before.append(helper.make_node("Transpose", [name], ["before/nhwc"], perm=[0, 2, 3, 1]))
        name = "before/nhwc"
    _rename(graph.node, picture.name, name)

    after: list[NodeProto] = []
    name = output.name
    if kinds[1] != kind:
        after.append(helper.make_node("Cast", [name], ["after/cast"], to=kind))
        name = "after/cast"
    if layout == "nhwc":
        after.append(helper.make_node("Transpose", [name], ["after/nchw"], perm=[0, 3, 1, 2]))
        name = "after/nchw"
    nodes = [*before, *graph.node, *after]
    _rename(nodes, name, OUTPUT)
    g.replace_nodes(graph, nodes)

    sizes = g.dims(picture)
    channels, *sides = sizes[1:] if layout == "nchw" else (sizes[3], *sizes[1:3])
    mixes = [value for value in graph.input if value.name == MIX]
    del graph.input[:], graph.output[:]
    shape = [1, channels, *(side or symbol for side, symbol in zip(sides, ("H", "W"), strict=True))]
    graph.input.extend([helper.make_tensor_value_info(INPUT, kind, shape), *mixes])
    graph.output.append(helper.make_tensor_value_info(OUTPUT, kind, None))
    graph.name = "style"
    model.doc_string = ""


def add_preprocessing(model: ModelProto, preprocessing: Preprocessing, scale: int) -> None:
    """Put 1x1 convolutions before and after a network of `to_nchw` where its order and ranges differ, in place.

    A convolution does scale, offset and channel order at once and runs everywhere, whereas an elementwise operator
    with a constant would be three nodes. A network of one channel is given the luma and its result takes the place of
    the luma of the frame, which is enlarged bilinearly where scale is above 1.
    """
    graph = model.graph
    frame = graph.input[0].type.tensor_type
    kind = helper.tensor_dtype_to_np_dtype(frame.elem_type)
    coding_in, coding_out = preprocessing.input, preprocessing.output
    luma_only = frame.shape.dim[1].dim_value == 1
    permutation = np.eye(3)[[0, 1, 2] if preprocessing.order == "rgb" else [2, 1, 0]]  # its own inverse

    before: list[NodeProto] = []
    scales, offsets = np.array(coding_in.scale), np.array(coding_in.offset)
    if luma_only:
        matrix, bias = LUMA[None] * scales[0], offsets[:1]
    else:
        matrix, bias = permutation * scales, permutation @ offsets
    name = _convolve(model, before, INPUT, "before", matrix, bias, kind)
    _rename(graph.node, INPUT, name, outputs=False)

    after: list[NodeProto] = []
    scales, offsets = np.array(coding_out.scale), np.array(coding_out.offset)
    name = OUTPUT
    if luma_only:
        colours = INPUT
        if scale > 1:
            factors = g.add_constant(graph, "after/scales", np.array([1, 1, scale, scale], np.float32))
            after.append(helper.make_node("Resize", [INPUT, "", factors], ["after/enlarged"], mode="linear"))
            colours = "after/enlarged"
        after.append(helper.make_node("Concat", [colours, OUTPUT], ["after/joined"], axis=1))
        matrix = np.hstack([np.eye(3) - LUMA, np.full((3, 1), 1 / scales[0])])
        bias, name = np.full(3, -offsets[0] / scales[0]), "after/joined"
    else:
        matrix, bias = permutation / scales[:, None], -offsets / scales
    last = _convolve(model, after, name, "after", matrix, bias, kind)
    if last != OUTPUT:
        _rename([*graph.node, *after], OUTPUT, "net/styled")
        _rename(after, last, OUTPUT)
    g.replace_nodes(graph, [*before, *graph.node, *after])
    sides = [_times(scale, dim.dim_value or dim.dim_param) for dim in frame.shape.dim[2:]]
    frame.shape.dim[1].dim_value = 3
    g.set_dims(graph.output[0], [1, 3, *sides])


def _times(scale: int, side: int | str) -> int | str:
    if isinstance(side, int):
        return scale * side
    return side if scale == 1 else f"{scale}*{side}"


def _convolve(
    model: ModelProto,
    nodes: list[NodeProto],
    source: str,
    name: str,
    matrix: g.Array,
    bias: g.Array,
    kind: np.dtype[Any],
) -> str:
    """Append a 1x1 convolution, (out, in) and (out,), unless it would change nothing. Returns its output's name."""
    if matrix.shape == (3, 3) and np.allclose(matrix, np.eye(3), atol=1e-9) and np.allclose(bias, 0, atol=1e-9):
        return source
    weight = g.add_constant(model.graph, f"{name}/weight", matrix[:, :, None, None].astype(kind))
    shift = g.add_constant(model.graph, f"{name}/bias", bias.astype(kind))
    nodes.append(helper.make_node("Conv", [source, weight, shift], [f"{name}/picture"], kernel_shape=[1, 1]))
    return f"{name}/picture"


def _rename(nodes: Iterable[NodeProto], old: str, new: str, *, outputs: bool = True) -> None:
    """Another name for a tensor, where it is read and, with `outputs`, where it is made."""
    for node in nodes:
        for names in (node.input, node.output) if outputs else (node.input,):
            for index, name in enumerate(names):
                if name == old:
                    names[index] = new


def _prefix_names(model: ModelProto, keep: set[str]) -> None:
    """Give the network's tensors names of their own, so that ours cannot meet them."""

    def rename(name: str) -> str:
        return name if not name or name in keep else f"net/{name}"

    graph = model.graph
    for node in graph.node:
        node.input[:] = [rename(name) for name in node.input]
        node.output[:] = [rename(name) for name in node.output]
        node.name = ""
    for item in (*graph.initializer, *graph.input, *graph.output):
        item.name = rename(item.name)
