"""Rewrites of networks that make ONNX Runtime faster on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from framebrush.gpu.tiles import with_shapes


def shuffled_by_rows(model: ModelProto) -> None:
    """Replace DepthToSpace of mode CRD by transpositions, in place."""
    graph = model.graph
    if not any(map(_moves_pixels, graph.node)):
        return
    found = with_shapes(model, data_prop=True)
    sizes = {
        value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        for value in (*found.input, *found.value_info, *found.output)
    }
    nodes: list[NodeProto] = []
    for node in graph.node:
        size = sizes.get(node.input[0], []) if _moves_pixels(node) else []
        if len(size) == 4 and size[0] == 1 and all(size):
            nodes.extend(_by_rows(graph, node, size))
        else:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)


def blended_outside(model: ModelProto) -> NDArray[np.floating[Any]]:
    """Remove the product of "mix" and weights from a network, in place.

    Returns the weights (N, K), or else the identity; "mix" becomes their sum (1, K).
    """
    graph = model.graph
    mix = _mix(graph)
    makers = {node.output[0]: node for node in graph.node}
    readers = [node for node in graph.node if "mix" in node.input]
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    if len(readers) == 1 and readers[0].op_type == "MatMul" and readers[0].input[0] == "mix":
        product, name = readers[0], readers[0].input[1]
        cast = makers.get(name)
        held = tensors.get(cast.input[0] if cast is not None and cast.op_type == "Cast" else name)
        if held is not None and len(held.dims) == 2:
            rows = numpy_helper.to_array(held)
            graph.node.remove(product)
            for node in graph.node:
                node.input[:] = ["mix" if source == product.output[0] else source for source in node.input]
            if cast is not None and not _reads(graph, name):
                graph.node.remove(cast)
            if not _reads(graph, held.name):
                graph.initializer.remove(held)
            mix.type.tensor_type.shape.dim[1].dim_value = rows.shape[1]
            return rows
    return np.eye(mix.type.tensor_type.shape.dim[1].dim_value, dtype=np.float32)


def made_constant(model: ModelProto) -> TensorProto:
    """Make "mix" a constant, in place; return its float32 tensor."""
    graph = model.graph
    mix = _mix(graph)
    graph.input.remove(mix)
    dims = [dim.dim_value for dim in mix.type.tensor_type.shape.dim]
    constant: TensorProto = graph.initializer.add(name="mix", data_type=TensorProto.FLOAT, dims=dims)
    return constant


def _mix(graph: GraphProto) -> ValueInfoProto:
    found: ValueInfoProto = next(value for value in graph.input if value.name == "mix")
    return found


def _reads(graph: GraphProto, name: str) -> bool:
    return any(name in node.input for node in graph.node)


def _moves_pixels(node: NodeProto) -> bool:
    return node.op_type == "DepthToSpace" and any(entry.s == b"CRD" for entry in node.attribute)


def _by_rows(graph: GraphProto, node: NodeProto, size: list[int]) -> list[NodeProto]:
    name, block = node.output[0], next(entry.i for entry in node.attribute if entry.name == "blocksize")
    _, channels, height, width = size
    channels //= block * block

    def reshaped(source: str, target: str, *shape: int) -> NodeProto:
        graph.initializer.append(numpy_helper.from_array(np.array(shape), f"{target}/shape"))
        return helper.make_node("Reshape", [source, f"{target}/shape"], [target])

    def swapped(source: str, target: str, *order: int) -> NodeProto:
        return helper.make_node("Transpose", [source], [target], perm=order)

    columns, lines = f"{name}/columns", f"{name}/lines"
    return [
        reshaped(node.input[0], columns, channels * block, block, height * width),
        swapped(columns, f"{columns}/side by side", 0, 2, 1),
        reshaped(f"{columns}/side by side", lines, channels, block, height, width * block),
        swapped(lines, f"{lines}/in turn", 0, 2, 1, 3),
        reshaped(f"{lines}/in turn", name, 1, channels, height * block, width * block),
    ]
