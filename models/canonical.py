"""Wrap a network so that it takes "frame" and gives "styled", R'G'B' 0..1 in NCHW, whatever it was made for."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, helper

from framebrush.models import graph as g
from framebrush.models.preprocessing import Preprocessing

INPUT, OUTPUT, MIX = "frame", "styled", "mix"


def wrap(model: ModelProto, conventions: Preprocessing) -> None:
    """Rename the ends and put a 1x1 convolution before and after where order and range differ, in place.

    The convolution does scale, offset and channel order at once and runs everywhere, whereas an elementwise operator
    with a constant would be three nodes.
    """
    graph = model.graph
    picture = next(value for value in graph.input if value.name != MIX)
    output = graph.output[0]
    _prefix_names(model, keep={MIX})
    kinds = [value.type.tensor_type.elem_type for value in (picture, output)]
    kind = helper.tensor_dtype_to_np_dtype(kinds[0])
    order = [0, 1, 2] if conventions.order == "rgb" else [2, 1, 0]
    permutation = np.eye(3)[order]  # its own inverse

    scale, offset = np.array(conventions.input.scale), np.array(conventions.input.offset)
    before: list[NodeProto] = []
    name = _convolve(model, before, INPUT, "before", permutation * scale, offset[order], kind)
    if conventions.layout == "nhwc":
        before.append(helper.make_node("Transpose", [name], ["before/nhwc"], perm=[0, 2, 3, 1]))
        name = "before/nhwc"
    for node in graph.node:
        for index, source in enumerate(node.input):
            if source == picture.name:
                node.input[index] = name

    after: list[NodeProto] = []
    name = output.name
    if kinds[0] != kinds[1]:
        after.append(helper.make_node("Cast", [name], ["after/cast"], to=kinds[0]))
        name = "after/cast"
    if conventions.layout == "nhwc":
        after.append(helper.make_node("Transpose", [name], ["after/nchw"], perm=[0, 3, 1, 2]))
        name = "after/nchw"
    scale, offset = np.array(conventions.output.scale), np.array(conventions.output.offset)
    matrix = permutation / scale[:, None]
    last = _convolve(model, after, name, "after", matrix, -offset / scale, kind)
    nodes = [*before, *graph.node, *after]
    for node in nodes:
        for index, made in enumerate(node.output):
            if made == last:
                node.output[index] = OUTPUT
        for index, source in enumerate(node.input):
            if source == last:
                node.input[index] = OUTPUT
    g.replace_nodes(graph, nodes)

    mixes = [value for value in graph.input if value.name == MIX]
    del graph.input[:], graph.output[:]
    graph.input.extend([helper.make_tensor_value_info(INPUT, kinds[0], [1, 3, "H", "W"]), *mixes])
    graph.output.append(helper.make_tensor_value_info(OUTPUT, kinds[0], None))
    graph.name = "style"
    model.doc_string = ""


def set_output_shape(model: ModelProto, scale: int) -> None:
    """Write the shape of "styled" into a wrapped model, in place."""
    sides = ("H", "W") if scale == 1 else (f"{scale}*H", f"{scale}*W")
    g.set_dims(model.graph.output[0], [1, 3, *sides])


def _convolve(
    model: ModelProto,
    nodes: list[NodeProto],
    source: str,
    name: str,
    matrix: g.Array,
    bias: g.Array,
    kind: np.dtype[Any],
) -> str:
    """Append a 1x1 convolution unless it would change nothing. Returns the name of what comes out."""
    if np.allclose(matrix, np.eye(3), atol=1e-9) and np.allclose(bias, 0, atol=1e-9):
        return source
    weight = g.add_constant(model.graph, f"{name}/weight", matrix.reshape(3, 3, 1, 1).astype(kind))
    shift = g.add_constant(model.graph, f"{name}/bias", bias.astype(kind))
    nodes.append(helper.make_node("Conv", [source, weight, shift], [f"{name}/picture"], kernel_shape=[1, 1]))
    return f"{name}/picture"


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
