"""Allowed operators, and replacements of experimental ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, defs, helper

from framebrush.models import onnx_graph as g

# Operators of convolutional networks and window attention. Excluded: loops, branches, random numbers, sequences,
# and operators whose output size depends on values (NonZero, NonMaxSuppression, MaxUnpool, ...).
# fmt: off
ALLOWED = frozenset((
    "Abs", "Acos", "Add", "And", "ArgMax", "ArgMin", "Asin", "Atan", "AveragePool", "BatchNormalization", "Cast",
    "CastLike", "Ceil", "Celu", "Clip", "Concat", "Constant", "ConstantOfShape", "Conv", "ConvInteger",
    "ConvTranspose", "Cos", "Cosh", "CumSum", "DepthToSpace", "DequantizeLinear", "Div", "Dropout",
    "DynamicQuantizeLinear", "Einsum", "Elu", "Equal", "Erf", "Exp", "Expand", "Flatten", "Floor", "Gather",
    "GatherElements", "GatherND", "Gelu", "Gemm", "GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool", "Greater",
    "GreaterOrEqual", "GridSample", "GroupNormalization", "HardSigmoid", "HardSwish", "Identity",
    "InstanceNormalization", "IsInf", "IsNaN", "LRN", "LayerNormalization", "LeakyRelu", "Less", "LessOrEqual", "Log",
    "LogSoftmax", "LpNormalization", "LpPool", "MatMul", "MatMulInteger", "Max", "MaxPool", "Mean",
    "MeanVarianceNormalization", "Min", "Mish", "Mod", "Mul", "Neg", "Not", "Or", "PRelu", "Pad", "Pow",
    "QLinearConv", "QLinearMatMul", "QuantizeLinear", "RMSNormalization", "Range", "Reciprocal", "ReduceL1",
    "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum",
    "ReduceSumSquare", "Relu", "Reshape", "Resize", "Round", "ScatterElements", "ScatterND", "Selu", "Shape",
    "Shrink", "Sigmoid", "Sign", "Sin", "Sinh", "Size", "Slice", "Softmax", "Softplus", "Softsign", "SpaceToDepth",
    "Split", "Sqrt", "Squeeze", "Sub", "Sum", "Swish", "Tan", "Tanh", "ThresholdedRelu", "Tile", "Transpose", "Trilu",
    "Unsqueeze", "Upsample", "Where", "Xor",
))
# fmt: on

GROWING = frozenset(("ConstantOfShape", "Expand", "Pad", "Range", "Resize", "Tile", "Upsample"))
"""Operators with an output size that is a number in an input."""

SIZING = {
    "ConstantOfShape": (0,), "Expand": (1,), "Pad": (1, 3), "Range": (0, 1, 2), "Reshape": (1,),
    "Resize": (1, 2, 3), "Slice": (1, 2, 3, 4), "Split": (1,), "Squeeze": (1,), "Tile": (1,), "Unsqueeze": (1,),
    "Upsample": (1,),
    **{op_type: (1,) for op_type in ALLOWED if op_type.startswith("Reduce")},
}  # fmt: skip
"""Inputs of operators that determine output sizes or axes."""

OLDEST = 7
"""Oldest opset that onnx converts completely; `replace_legacy` handles older files."""


_EXPERIMENTAL = frozenset(("Affine", "Crop", "ImageScaler"))
_OLD_ATTRIBUTES = frozenset(("broadcast", "consumed_inputs", "height_scale", "is_test"))


def replace_legacy(model: ModelProto, version: int) -> None:
    """Replace operators and attributes of ONNX 1.0 by current ones, in place.

    ImageScaler is x * scale + bias[channel], Affine alpha * x + beta; Upsample had scales per axis; `broadcast` and
    `axis` placed Add's vectors.
    """
    if version >= OLDEST and not any(_is_old(node) for node in model.graph.node):
        return
    version = max(version, OLDEST)
    shapes = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
    nodes: list[NodeProto] = []
    for node in model.graph.node:
        if node.op_type == "ImageScaler":
            bias = np.array(g.attribute(node, "bias") or [0.0], np.float32).reshape(1, -1, 1, 1)
            nodes += _affine(model.graph, node, np.array(g.attribute(node, "scale", 1.0), np.float32), bias)
        elif node.op_type == "Affine":
            alpha, beta = (
                np.array(g.attribute(node, name, usual), np.float32) for name, usual in (("alpha", 1.0), ("beta", 0.0))
            )
            nodes += _affine(model.graph, node, alpha, beta)
        elif node.op_type == "Crop":
            nodes.append(_crop(model.graph, node, version))
        else:
            if g.attribute(node, "broadcast") and len(shapes.get(node.input[1], ())) == 1:
                nodes.append(_aligned(model.graph, node, int(g.attribute(node, "axis", -1))))
            if node.op_type == "Upsample" and g.attribute(node, "height_scale"):
                _join_scales(node)
            _drop_unknown_attributes(node, version)
            nodes.append(node)
    g.replace_nodes(model.graph, nodes)


def _is_old(node: NodeProto) -> bool:
    return node.op_type in _EXPERIMENTAL or any(attribute.name in _OLD_ATTRIBUTES for attribute in node.attribute)


def _affine(graph: GraphProto, node: NodeProto, scale: g.Array, shift: g.Array) -> list[NodeProto]:
    names = [g.add_constant(graph, f"{node.output[0]}.{key}", value) for key, value in (("a", scale), ("b", shift))]
    scaled = f"{node.output[0]}.scaled"
    return [
        helper.make_node("Mul", [node.input[0], names[0]], [scaled]),
        helper.make_node("Add", [scaled, names[1]], [node.output[0]]),
    ]


def _crop(graph: GraphProto, node: NodeProto, version: int) -> NodeProto:
    left, top, right, bottom = (int(size) for size in g.attribute(node, "border"))
    kept = g.attribute(node, "scale")
    ends = [top + int(kept[0]), left + int(kept[1])] if kept else [-bottom or 1 << 31, -right or 1 << 31]
    place: dict[str, Any] = {"starts": [top, left], "ends": ends, "axes": [2, 3]}
    if version < 10:
        return helper.make_node("Slice", [node.input[0]], [node.output[0]], **place)
    names = [g.add_constant(graph, f"{node.output[0]}.{key}", np.array(value)) for key, value in place.items()]
    return helper.make_node("Slice", [node.input[0], *names], [node.output[0]])


def _aligned(graph: GraphProto, node: NodeProto, axis: int) -> NodeProto:
    name = f"{node.output[0]}.aligned"
    shape = g.add_constant(graph, f"{name}.shape", np.array([-1, *(1 for _ in range(axis + 1, 4) if axis >= 0)]))
    reshape = helper.make_node("Reshape", [node.input[1], shape], [name])
    node.input[1] = name
    return reshape


def _join_scales(node: NodeProto) -> None:
    height, width = (float(g.attribute(node, f"{axis}_scale", 1.0)) for axis in ("height", "width"))
    g.set_attribute(node, "scales", [1.0, 1.0, height, width])
    if g.attribute(node, "mode") == "bilinear":
        g.set_attribute(node, "mode", "linear")


def _drop_unknown_attributes(node: NodeProto, version: int) -> None:
    if not defs.has(node.op_type, max_inclusive_version=version):
        return
    known = defs.get_schema(node.op_type, max_inclusive_version=version).attributes
    kept = [attribute for attribute in node.attribute if attribute.name in known]
    del node.attribute[:]
    node.attribute.extend(kept)
