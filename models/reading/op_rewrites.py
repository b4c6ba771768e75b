"""Replacement of exporters' long operator sequences by single operators."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from onnx import GraphProto, NodeProto, helper

from framebrush.models import onnx_graph as g


@dataclass(slots=True)
class _Context:
    graph: GraphProto
    constants: dict[str, g.Array]
    made_by: dict[str, NodeProto]
    shapes: dict[str, g.Shape]

    def source(self, name: str, op_type: str) -> NodeProto | None:
        node = self.made_by.get(name)
        return node if node is not None and node.op_type == op_type else None


def rewrite(graph: GraphProto, shapes: dict[str, g.Shape]) -> None:
    """Replace known long forms, in place. shapes: at export size."""
    _drop_neutral(graph, shapes)
    context = _Context(graph, g.constants(graph), g.producers(graph), shapes)
    nodes: list[NodeProto] = []
    found = False
    for node in graph.node:
        new = next((made for form in _FORMS if (made := form(context, node))), None)
        found |= new is not None
        nodes.append(new or node)
    if found:
        g.replace_nodes(graph, nodes)
        g.drop_unused(graph)


def _drop_neutral(graph: GraphProto, shapes: dict[str, g.Shape]) -> None:
    constants, outputs = g.constants(graph), {value.name for value in graph.output}
    alias: dict[str, str] = {}
    nodes: list[NodeProto] = []
    for node in graph.node:
        for index, name in enumerate(node.input):
            node.input[index] = alias.get(name, name)
        neutral = {"Add": 0, "Sub": 0, "Mul": 1, "Div": 1}.get(node.op_type)
        if neutral is not None and node.output[0] not in outputs:
            places = (0, 1) if node.op_type in ("Add", "Mul") else (0,)
            kept = next((at for at in places if _is(constants.get(node.input[1 - at]), neutral)), None)
            if kept is not None and None is not shapes.get(node.input[kept]) == shapes.get(node.output[0]):
                alias[node.output[0]] = node.input[kept]
                continue
        nodes.append(node)
    if alias:
        g.replace_nodes(graph, nodes)


def _is(value: g.Array | None, number: int) -> bool:
    return value is not None and value.size > 0 and bool(np.all(value == number))


def _zero_padding(context: _Context, node: NodeProto) -> NodeProto | None:
    if node.op_type != "Concat":
        return None
    inputs = list(node.input)
    frames = [index for index, name in enumerate(inputs) if name not in context.constants]
    if len(frames) != 1 or not all(_is(context.constants[name], 0) for name in inputs if name in context.constants):
        return None
    rank, at = len(context.shapes.get(node.output[0], ())), frames[0]
    axis = int(g.attribute(node, "axis")) % rank if rank else 0
    if len(inputs) < 2 or axis == 0:
        return None
    thick = [context.constants[name].shape[axis] if name in context.constants else 0 for name in inputs]
    pads = np.zeros((2, rank), np.int64)
    pads[:, axis] = sum(thick[:at]), sum(thick[at:])
    name = g.add_constant(context.graph, f"{node.output[0]}.pads", pads.ravel())
    return helper.make_node("Pad", [inputs[at], name], list(node.output), mode="constant")


def _channel_shuffle(context: _Context, node: NodeProto) -> NodeProto | None:
    turn = context.source(node.input[0], "Transpose") if node.op_type == "Reshape" else None
    split = context.source(turn.input[0], "Reshape") if turn else None
    if not (turn and split) or list(g.attribute(turn, "perm") or ()) != [0, 2, 1, 3, 4]:
        return None
    before, parts = context.shapes.get(split.input[0], ()), context.shapes.get(split.output[0], ())
    if len(before) != 4 or parts[3:] != before[2:] or context.shapes.get(node.output[0]) != before:
        return None
    order = np.arange(before[1]).reshape(parts[1:3]).T.ravel()
    name = g.add_constant(context.graph, f"{node.output[0]}.order", order)
    return helper.make_node("Gather", [split.input[0], name], list(node.output), axis=1)


def _doubling(context: _Context, node: NodeProto) -> NodeProto | None:
    """Match doubling: twice Reshape and Concat with itself."""
    rows = context.source(node.input[0], "Concat") if node.op_type == "Reshape" else None
    middle = context.source(rows.input[0], "Reshape") if rows else None
    columns = context.source(middle.input[0], "Concat") if middle else None
    first = context.source(columns.input[0], "Reshape") if columns else None
    if not (rows and middle and columns and first):
        return None
    if len(set(rows.input)) != 1 or len(set(columns.input)) != 1 or len(rows.input) != 2 or len(columns.input) != 2:
        return None
    if any(g.attribute(concat, "axis") not in (1, -1) for concat in (rows, columns)):
        return None
    before, after = context.shapes.get(first.input[0], ()), context.shapes.get(node.output[0], ())
    if len(before) != 4 or after != (before[0], before[1], 2 * before[2], 2 * before[3]):
        return None
    flat, wide = context.shapes.get(first.output[0], ()), context.shapes.get(middle.output[0], ())
    if flat[1:] != (1,) or wide[1:] != (2 * before[3],):
        return None
    scales = g.add_constant(context.graph, f"{node.output[0]}.scales", np.array([1, 1, 2, 2], np.float32))
    return helper.make_node(
        "Resize",
        [first.input[0], "", scales],
        list(node.output),
        mode="nearest",
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )


def _pixel_shuffle(context: _Context, node: NodeProto) -> NodeProto | None:
    """Match DepthToSpace: Reshape to six dimensions, Transpose, Reshape."""
    turn = context.source(node.input[0], "Transpose") if node.op_type == "Reshape" else None
    split = context.source(turn.input[0], "Reshape") if turn else None
    if not (turn and split):
        return None
    modes = {(0, 1, 4, 2, 5, 3): ("CRD", 2), (0, 3, 4, 1, 5, 2): ("DCR", 1)}
    mode, block_at = modes.get(tuple(g.attribute(turn, "perm") or ()), ("", 0))
    before, parts = context.shapes.get(split.input[0], ()), context.shapes.get(split.output[0], ())
    if not mode or len(before) != 4 or len(parts) != 6 or parts[4:] != before[2:]:
        return None
    block = parts[block_at]
    after = (before[0], before[1] // block**2, block * before[2], block * before[3])
    if context.shapes.get(node.output[0]) != after:
        return None
    return helper.make_node("DepthToSpace", [split.input[0]], list(node.output), blocksize=block, mode=mode)


def _instance_norm(context: _Context, node: NodeProto) -> NodeProto | None:
    """Match (x - mean) / sqrt(mean((x - mean)^2) + epsilon) * scale + shift."""
    scaled = context.source(node.input[0], "Mul") if node.op_type == "Add" else None
    ratio = context.source(scaled.input[0], "Div") if scaled else None
    centred = context.source(ratio.input[0], "Sub") if ratio else None
    deviation = context.source(ratio.input[1], "Sqrt") if ratio else None
    stabilised = context.source(deviation.input[0], "Add") if deviation else None
    if not (scaled and centred and stabilised):
        return None
    mean = _mean_of(context, centred.input[1])
    squares = context.source(_mean_of(context, stabilised.input[0]) or "", "Mul")
    epsilon = context.constants.get(stabilised.input[1])
    shape = context.shapes.get(centred.input[0], ())
    scale, shift = (_per_channel(context, name, shape) for name in (scaled.input[1], node.input[1]))
    if mean != centred.input[0] or squares is None or set(squares.input) != set(centred.output):
        return None
    if epsilon is None or epsilon.size != 1 or scale is None or shift is None:
        return None
    names = [
        g.add_constant(context.graph, f"{node.output[0]}.{kind}", v) for kind, v in (("scale", scale), ("shift", shift))
    ]
    return helper.make_node(
        "InstanceNormalization", [centred.input[0], *names], list(node.output), epsilon=float(epsilon.ravel()[0])
    )


def _mean_of(context: _Context, name: str) -> str | None:
    reduction = context.source(name, "ReduceMean")
    if reduction is None:
        return None
    axes = g.attribute(reduction, "axes") or list(context.constants.get(reduction.input[-1], np.array([])).ravel())
    flat = context.shapes.get(reduction.input[0], ())
    if {int(axis) % max(len(flat), 1) for axis in axes} == {2, 3}:
        return str(reduction.input[0])
    reshape = context.source(reduction.input[0], "Reshape")
    if reshape is None:
        return None
    picture = context.shapes.get(reshape.input[0], ())
    whole = len(picture) == 4 and flat[:2] == picture[:2] and flat[-1] == picture[2] * picture[3]
    return str(reshape.input[0]) if whole and [int(axis) % len(flat) for axis in axes] == [len(flat) - 1] else None


def _per_channel(context: _Context, name: str, picture: g.Shape) -> g.Array | None:
    reshape = context.source(name, "Reshape") or context.source(name, "Unsqueeze")
    value = context.constants.get(reshape.input[0] if reshape else name)
    final = context.shapes.get(name, ())
    if value is None or len(picture) != 4 or value.size != picture[1] or final[-3:] != (picture[1], 1, 1):
        return None
    return value.ravel()


_FORMS = (_doubling, _pixel_shuffle, _channel_shuffle, _zero_padding, _instance_norm)
