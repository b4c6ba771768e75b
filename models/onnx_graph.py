"""Tools for ONNX graphs: constants, attributes, shapes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import GraphProto, ModelProto, NodeProto, helper, numpy_helper

LARGEST_HALF = float(np.finfo(np.float16).max)

Array = npt.NDArray[Any]
Shape = tuple[int, ...]

OPSET = 17
NEWEST_OPSET = 21
"""Newest opset with all operators in DirectML. The next one has versions of Conv, ConvTranspose and
InstanceNormalization that it lacks; the arithmetic is the same."""

SIZES = 64
"""Most numbers of a tensor of sizes, scales or axes."""


def opset(model: ModelProto) -> int:
    """Return the opset; 1 if unspecified."""
    return int(next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), 1))


def attribute(node: NodeProto, name: str, default: Any = None) -> Any:  # noqa: ANN401
    """Return an attribute, strings as str."""
    for candidate in node.attribute:
        if candidate.name == name:
            value = helper.get_attribute_value(candidate)
            return value.decode() if isinstance(value, bytes) else value
    return default


def set_attribute(node: NodeProto, name: str, value: object) -> None:
    """Set or replace an attribute; None removes it."""
    kept = [candidate for candidate in node.attribute if candidate.name != name]
    del node.attribute[:]
    node.attribute.extend(kept)
    if value is not None:
        node.attribute.append(helper.make_attribute(name, value))


def constants(graph: GraphProto) -> dict[str, Array]:
    """Return initialisers as arrays by name."""
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}


def add_constant(graph: GraphProto, name: str, value: Array) -> str:
    """Add an initialiser under an unused name; return the name."""
    taken = {tensor.name for tensor in graph.initializer} | {out for node in graph.node for out in node.output}
    unique = name
    while unique in taken:
        unique += "_"
    graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value), unique))
    return unique


def producers(graph: GraphProto) -> dict[str, NodeProto]:
    return {output: node for node in graph.node for output in node.output if output}


def consumers(graph: GraphProto) -> dict[str, list[NodeProto]]:
    found: dict[str, list[NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            found.setdefault(name, []).append(node)
    return found


def depending_on(graph: GraphProto, names: Iterable[str]) -> set[str]:
    """Return tensors and all others that depend on their numbers, not only sizes."""
    found = set(names)
    for node in graph.node:
        if node.op_type not in ("Shape", "Size") and found.intersection(node.input):
            found.update(filter(None, node.output))
    return found


def replace_nodes(graph: GraphProto, nodes: Iterable[NodeProto]) -> None:
    """Replace the nodes; drop shape information."""
    kept = list(nodes)
    del graph.node[:]
    graph.node.extend(kept)
    del graph.value_info[:]


def drop_unused(graph: GraphProto) -> None:
    """Remove unneeded nodes and initialisers."""
    needed = {output.name for output in graph.output}
    kept: list[NodeProto] = []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    replace_nodes(graph, reversed(kept))
    initialisers = [tensor for tensor in graph.initializer if tensor.name in needed]
    del graph.initializer[:]
    graph.initializer.extend(initialisers)


def dims(value: onnx.ValueInfoProto) -> list[int | str]:
    """Return a value's dimensions: positive ints, symbols, or ""."""
    shape = value.type.tensor_type.shape
    return [dim.dim_value if dim.dim_value > 0 else dim.dim_param for dim in shape.dim]


def set_dims(value: onnx.ValueInfoProto, sizes: Iterable[int | str]) -> None:
    """Replace a value's dimensions; "" for unknown."""
    shape = value.type.tensor_type.shape
    shape.ClearField("dim")
    for size in sizes:
        dim = shape.dim.add()
        if isinstance(size, int):
            dim.dim_value = size
        elif size:
            dim.dim_param = size


def without_weights(model: ModelProto) -> ModelProto:
    """Copy a model with large tensors as inputs, for fast inference."""
    copy = ModelProto(ir_version=model.ir_version, opset_import=model.opset_import)
    graph = copy.graph
    graph.name = "shapes"
    graph.node.extend(model.graph.node)
    graph.input.extend(model.graph.input)
    graph.output.extend(model.graph.output)
    for tensor in model.graph.initializer:
        if math.prod(tensor.dims) <= SIZES:
            graph.initializer.append(tensor)
        else:
            graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
    return copy


def shapes_at(model: ModelProto, inputs: Mapping[str, Shape]) -> dict[str, Shape]:
    """Infer shapes of all tensors, weights included."""
    fixed = without_weights(model)
    for value in fixed.graph.input:
        if value.name in inputs:
            set_dims(value, inputs[value.name])
    for value in fixed.graph.output:
        value.type.tensor_type.ClearField("shape")
    inferred = onnx.shape_inference.infer_shapes(fixed, data_prop=True).graph
    found: dict[str, Shape] = {tensor.name: tuple(tensor.dims) for tensor in inferred.initializer}
    for value in (*inferred.input, *inferred.value_info, *inferred.output):
        if value.type.tensor_type.HasField("shape"):
            sizes = [dim.dim_value if dim.HasField("dim_value") else -1 for dim in value.type.tensor_type.shape.dim]
            if min(sizes, default=0) >= 0:
                found[value.name] = tuple(sizes)
    return found


def element_types(model: ModelProto) -> dict[str, int]:
    """Return tensors' types (`TensorProto.DataType`)."""
    inferred = onnx.shape_inference.infer_shapes(without_weights(model)).graph
    found = {tensor.name: int(tensor.data_type) for tensor in inferred.initializer}
    for value in (*inferred.input, *inferred.value_info, *inferred.output):
        found[value.name] = int(value.type.tensor_type.elem_type)
    return found


def peak_elements(model: ModelProto, shapes: Mapping[str, Shape]) -> int:
    """Return the peak elements of live results."""
    graph = model.graph
    last_use = {name: index for index, node in enumerate(graph.node) for name in node.input}
    made = {name for node in graph.node for name in node.output}
    live = peak = 0
    for index, node in enumerate(graph.node):
        live += sum(math.prod(shapes.get(name, (0,))) for name in node.output)
        peak = max(peak, live)
        done = {name for name in (*node.input, *node.output) if last_use.get(name, index) == index}
        live -= sum(math.prod(shapes.get(name, (0,))) for name in done if name in made)
    return peak
