"""Shapes of networks that compute sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from framebrush.models import onnx_graph as g
from framebrush.models.analysis_session import session_options

_MOST_ROUNDS = 16  # of inference and evaluation; each goes one computed size deeper


def evaluated_shapes(model: ModelProto, inputs: Mapping[str, g.Shape]) -> dict[str, g.Shape]:
    """Return shapes as `graph.shapes_at`, evaluating sizes."""
    folded = g.without_weights(model)
    shapes = g.shapes_at(folded, inputs)
    for _ in range(_MOST_ROUNDS):
        nodes = _computable(folded, shapes)
        if not nodes:
            break
        _fold(folded, nodes, shapes)
        shapes = g.shapes_at(folded, inputs) | {name: shapes[name] for node in nodes for name in node.output if name}
    return shapes


def _computable(model: ModelProto, shapes: Mapping[str, g.Shape]) -> list[NodeProto]:
    known = {name for name, value in g.constants(model.graph).items() if value.size <= g.SIZES}
    found: list[NodeProto] = []
    for node in model.graph.node:
        if any(math.prod(shapes.get(name, (g.SIZES + 1,))) > g.SIZES for name in node.output if name):
            continue
        if node.input[0] in shapes if node.op_type in ("Shape", "Size") else known.issuperset(filter(None, node.input)):
            found.append(node)
            known.update(node.output)
    return found


def _fold(model: ModelProto, nodes: list[NodeProto], shapes: Mapping[str, g.Shape]) -> None:
    import onnxruntime as ort

    graph = model.graph
    values: dict[str, g.Array] = {}
    part = helper.make_graph([], "sizes", [], [])
    for node in nodes:
        if node.op_type == "Shape":
            begin, end = g.attribute(node, "start", 0), g.attribute(node, "end")
            values[node.output[0]] = np.array(shapes[node.input[0]][begin:end], np.int64)
        elif node.op_type == "Size":
            values[node.output[0]] = np.array(math.prod(shapes[node.input[0]]), np.int64)
        else:
            part.node.append(node)
            part.output.extend(helper.make_empty_tensor_value_info(name) for name in node.output if name)
    part.initializer.extend(numpy_helper.from_array(value, name) for name, value in values.items())
    wanted = {name for node in part.node for name in node.input}
    part.initializer.extend(tensor for tensor in graph.initializer if tensor.name in wanted)
    if part.node:
        options = session_options()
        options.intra_op_num_threads = 1
        runnable = helper.make_model(part, opset_imports=model.opset_import, ir_version=model.ir_version)
        session = ort.InferenceSession(runnable.SerializeToString(), options, providers=["CPUExecutionProvider"])
        names = [value.name for value in part.output]
        values.update(zip(names, session.run(names, {}), strict=True))
    graph.initializer.extend(numpy_helper.from_array(np.asarray(value), name) for name, value in values.items())
    done = {name for node in nodes for name in node.output}
    g.replace_nodes(graph, [node for node in graph.node if not done.intersection(node.output)])
