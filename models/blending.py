"""Blends of equal networks (Wang et al. 2019)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, load_model_from_string, numpy_helper

from framebrush.models import onnx_graph as g
from framebrush.models.style import Style, StyleError


@dataclass(frozen=True, slots=True)
class _Layers:
    nodes: list[NodeProto]
    constants: list[TensorProto]
    shapes: list[g.Shape]
    rows: g.Array

    @property
    def form(self) -> tuple[object, ...]:
        nodes = [node.SerializeToString(deterministic=True) for node in self.nodes]
        return nodes, [tensor.SerializeToString(deterministic=True) for tensor in self.constants], self.shapes


@lru_cache(maxsize=2)
def joined(styles: tuple[Style, ...]) -> Style:
    """Join styles of one architecture; only first paintings are mixed in. Raises StyleError."""
    alike = list[_Layers]()
    for style in styles:
        layers = _read(style)
        if layers is None or (alike and layers.form != alike[0].form):
            raise StyleError(
                f"{' and '.join(one.card.name for one in styles)} cannot be blended: only bundled paintings of one "
                "size can be, and styles that were learnt with Framebrush in that size"
            )
        alike.append(layers)
    codes = [style.card.float16_codes for style in styles]
    card = replace(
        styles[0].card,
        shots=(),  # blends are painted everywhere
        film="",
        title=" and ".join(style.card.title for style in styles),
        paintings=tuple(name for style in styles for name in _names(style)),
        float16_codes=None if None in codes else max(filter(None, codes), default=0.0),
    )
    rows = np.concatenate([layers.rows for layers in alike])
    return Style(card, _written(alike[0], rows, load_model_from_string(styles[0].model)))


def _names(style: Style) -> tuple[str, ...]:
    return style.card.paintings if len(style.card.paintings) > 1 else (style.card.name,)


def _read(style: Style) -> _Layers | None:
    """Read a network; None for another architecture, or weights beyond float16."""
    graph = load_model_from_string(style.model).graph
    try:
        weights, blending = _weights(graph, style)
    except (KeyError, IndexError, ValueError):
        return None
    names, constants = {"frame": "frame", "styled": "styled"}, g.constants(graph)
    kept, nodes, shapes, rows = list[TensorProto](), list[NodeProto](), list[g.Shape](), list[g.Array]()
    for node in graph.node:
        if any(node == one for one in blending):
            continue
        for name in node.input:
            if name in weights and name not in names:
                names[name] = f"weight{len(shapes)}"
                shapes.append(weights[name].shape[1:])
                rows.append(weights[name].reshape(len(weights[name]), -1))
            elif name in constants and name not in names:
                names[name] = f"constant{len(kept)}"
                kept.append(numpy_helper.from_array(constants[name], names[name]))
        for name in node.output:
            names.setdefault(name, f"tensor{len(nodes)}.{len(names)}")
        attributes = sorted(node.attribute, key=lambda attribute: attribute.name)
        new = NodeProto(op_type=node.op_type, attribute=attributes)
        new.input.extend(names[name] if name else "" for name in node.input)
        new.output.extend(names[name] for name in node.output)
        nodes.append(new)
    if not rows:
        return None
    joined_rows = np.concatenate(rows, axis=1).astype(np.float32)
    return _Layers(nodes, kept, shapes, joined_rows) if np.abs(joined_rows).max() <= g.LARGEST_HALF else None


def _weights(graph: GraphProto, style: Style) -> tuple[dict[str, g.Array], list[NodeProto]]:
    constants, made_by = g.constants(graph), g.producers(graph)
    names = [name for node in graph.node if node.op_type == "Conv" for name in node.input[1:]]
    if len(style.card.paintings) == 1:
        return {name: constants[name][None] for name in names}, []
    found, blending = dict[str, g.Array](), list[NodeProto]()
    for name in names:
        reshape = made_by[name]
        split = made_by[reshape.input[0]]
        product = made_by[split.input[0]]
        cast = made_by[product.input[1]]
        if [node.op_type for node in (reshape, split, product, cast)] != ["Reshape", "Split", "MatMul", "Cast"]:
            raise ValueError("weights that are blended in another way")
        at = list(split.output).index(reshape.input[0])
        ends = np.cumsum(constants[split.input[1]])
        rows = constants[cast.input[0]][:, ends[at] - constants[split.input[1]][at] : ends[at]]
        found[name] = rows.reshape(len(rows), *constants[reshape.input[1]])
        blending += [node for node in (reshape, split, product, cast) if not any(node is one for one in blending)]
    return found, blending


def _written(layers: _Layers, rows: g.Array, model: ModelProto) -> bytes:
    graph = model.graph
    pieces = [f"piece{n}" for n in range(len(layers.shapes))]
    lengths = np.array([int(np.prod(shape)) for shape in layers.shapes], np.int64)
    constants: dict[str, g.Array] = {"paintings": rows.astype(np.float16), "lengths": lengths}
    constants |= {f"{piece}.shape": np.array(shape) for piece, shape in zip(pieces, layers.shapes, strict=True)}
    blending = [
        helper.make_node("Cast", ["paintings"], ["rows"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["mix", "rows"], ["row"]),
        helper.make_node("Split", ["row", "lengths"], pieces, axis=1),
        *(helper.make_node("Reshape", [one, f"{one}.shape"], [f"weight{n}"]) for n, one in enumerate(pieces)),
    ]
    frame = next(value for value in graph.input if value.name == "frame")
    ends = [frame, helper.make_tensor_value_info("mix", TensorProto.FLOAT, [1, len(rows)])]
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    made = helper.make_graph(
        [*blending, *layers.nodes], "style", ends, list(graph.output), [*tensors, *layers.constants]
    )
    result = helper.make_model(made, opset_imports=model.opset_import, ir_version=model.ir_version)
    return bytes(result.SerializeToString(deterministic=True))
