"""Checks for operations that crash the process or exhaust memory.

ONNX Runtime dies of the least integer divided by -1.
"""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper

from framebrush.models import onnx_graph as g
from framebrush.models.reading import operators
from framebrush.models.style import StyleError

_FLOATS = frozenset((TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE))


def refuse_hazards(model: ModelProto, label: str) -> None:
    """Refuse hazards and limit divisors, in place. Raises StyleError."""
    graph = model.graph
    shown = g.depending_on(graph, {value.name for value in graph.input})
    for node in graph.node:
        deciding = {node.input[at] for at in operators.SIZING.get(node.op_type, ()) if at < len(node.input)}
        if shown.intersection(deciding):
            raise StyleError(
                f"{label}: the size of its {node.op_type} {node.output[0]!r} depends on what the picture shows; refused"
            )
    if any(node.op_type in ("Div", "Mod") for node in graph.node):
        _check_divisions(model, shown, label)


def _check_divisions(model: ModelProto, shown: set[str], label: str) -> None:
    graph = model.graph
    constants, kinds = g.constants(graph), g.element_types(model)
    nodes: list[NodeProto] = []
    for node in graph.node:
        nodes.append(node)
        if node.op_type not in ("Div", "Mod") or kinds.get(node.input[0]) in _FLOATS:
            continue
        where = f"{label}: its {node.op_type} {node.output[0]!r} divides integers"
        if shown.intersection(node.input):
            raise StyleError(f"{where} that depend on what the picture shows; export it with a division of floats")
        divisor = constants.get(node.input[1])
        if divisor is None:  # computed from sizes, which are positive
            one = g.add_constant(graph, f"{node.output[0]}.one", np.array(1, _numpy_type(kinds, node)))
            nodes.insert(-1, helper.make_node("Max", [node.input[1], one], [f"{one}.or_more"]))
            node.input[1] = f"{one}.or_more"
        elif np.isin(divisor, (0, -1)).any():
            raise StyleError(f"{where} by {'0' if (divisor == 0).any() else '-1'}; refused")
    g.replace_nodes(graph, nodes)


def _numpy_type(kinds: dict[str, int], node: NodeProto) -> np.dtype[np.generic]:
    return helper.tensor_dtype_to_np_dtype(kinds.get(node.input[0], TensorProto.INT64))
