"""Removal of a network's export size from its constants."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, NodeProto, helper

from framebrush.models import onnx_graph as g
from framebrush.models.reading import canonical, op_rewrites
from framebrush.models.reading.shape_evaluation import evaluated_shapes
from framebrush.models.style import StyleError


def free_size(model: ModelProto, label: str) -> None:
    """Free height and width of a `canonical.to_nchw` network, in place. Raises StyleError."""
    graph = model.graph
    picture = next(value for value in graph.input if value.name == canonical.INPUT)
    batch, channels, *sides = g.dims(picture)
    # any size serves for networks that were free already; this one gives exact ratios
    exported = (1, int(channels), *(side if isinstance(side, int) else 256 for side in sides))
    _explicit_padding(model, evaluated_shapes(model, {picture.name: exported}))
    shapes = evaluated_shapes(model, {picture.name: exported})
    op_rewrites.rewrite(graph, shapes)
    was_fixed = all(isinstance(side, int) for side in sides)
    constants = g.constants(graph)
    for node in list(graph.node):
        if node.op_type == "Resize":
            _free_resize(model, node, constants, shapes, label)
        elif was_fixed and node.op_type == "Slice":
            _free_slice(model, node, constants, shapes)
        elif was_fixed and node.op_type == "Reshape":
            _free_reshape(model, node, constants, shapes, label)
    g.set_dims(picture, [batch, channels, *canonical.SIDES])
    graph.output[0].type.tensor_type.ClearField("shape")
    del graph.value_info[:]
    g.drop_unused(graph)


def _explicit_padding(model: ModelProto, shapes: dict[str, g.Shape]) -> None:
    for node in model.graph.node:
        mode = g.attribute(node, "auto_pad", "NOTSET")
        wanted = g.attribute(node, "output_shape")
        if mode in ("NOTSET", "VALID") and not wanted:
            continue
        kernel = g.attribute(node, "kernel_shape") or shapes[node.input[1]][2:]
        steps = g.attribute(node, "strides") or [1] * len(kernel)
        dilations = g.attribute(node, "dilations") or [1] * len(kernel)
        extents = [dilation * (size - 1) + 1 for dilation, size in zip(dilations, kernel, strict=True)]
        extra = g.attribute(node, "output_padding") or [0] * len(kernel)
        if wanted:
            sizes = shapes[node.input[0]][2:]
            totals = [
                step * (size - 1) + more + extent - out
                for step, size, more, extent, out in zip(steps, sizes, extra, extents, wanted[-2:], strict=True)
            ]
        else:
            totals = [max(extent - step, 0) for extent, step in zip(extents, steps, strict=True)]
        if min(totals) < 0:  # the output exceeds the kernels' cover: output_padding adds rows and columns
            more = [have + max(-total, 0) for have, total in zip(extra, totals, strict=True)]
            g.set_attribute(node, "output_padding", more)
            totals = [max(total, 0) for total in totals]
        # odd padding goes to the beginning for SAME_LOWER, and for ConvTranspose unless SAME_UPPER
        lower = mode == "SAME_LOWER" or (node.op_type == "ConvTranspose" and mode != "SAME_UPPER")
        before = [(total + 1) // 2 if lower else total // 2 for total in totals]
        after = [total - begin for total, begin in zip(totals, before, strict=True)]
        g.set_attribute(node, "auto_pad", None)
        g.set_attribute(node, "output_shape", None)
        g.set_attribute(node, "pads", before + after)


def _free_resize(
    model: ModelProto, node: NodeProto, constants: dict[str, g.Array], shapes: dict[str, g.Shape], label: str
) -> None:
    if len(node.input) < 4 or node.input[3] not in constants:
        return
    before, after = shapes.get(node.input[0], ()), shapes.get(node.output[0], ())
    scales = [new / old for new, old in zip(after, before, strict=True)] if len(before) == len(after) else [0.0]
    if any(not scale.is_integer() and not (1 / scale).is_integer() for scale in scales if scale) or 0.0 in scales:
        old, new = ("x".join(map(str, sizes[-2:])) for sizes in (before, after))
        raise StyleError(f"{label}: it resizes {old} to {new}, which fits no other size; export it with free sizes")
    name = g.add_constant(model.graph, f"{node.output[0]}.scales", np.array(scales, np.float32))
    for attribute in ("axes", "keep_aspect_ratio_policy"):  # attributes of sizes
        g.set_attribute(node, attribute, None)
    del node.input[1:]
    node.input.extend(["", name])


def _free_slice(model: ModelProto, node: NodeProto, constants: dict[str, g.Array], shapes: dict[str, g.Shape]) -> None:
    shape = shapes.get(node.input[0], ())
    if len(shape) != 4 or any(name not in constants for name in node.input[1:] if name):
        return
    ends = constants[node.input[2]].astype(np.int64)
    axes = constants[node.input[3]] if len(node.input) > 3 and node.input[3] else np.arange(len(ends))
    for index, axis in enumerate(axes):
        size = shape[int(axis)]
        if int(axis) % 4 >= 1 and size > 4 and size // 2 < ends[index]:
            ends[index] = np.iinfo(np.int64).max if ends[index] >= size else ends[index] - size
    node.input[2] = g.add_constant(model.graph, f"{node.output[0]}.ends", ends)


def _free_reshape(
    model: ModelProto, node: NodeProto, constants: dict[str, g.Array], shapes: dict[str, g.Shape], label: str
) -> None:
    target = constants.get(node.input[1])
    before, after = shapes.get(node.input[0], ()), shapes.get(node.output[0], ())
    if target is None or not before or not after:
        return
    if len(before) == 4 and len(after) < 4 and after[-1] % (before[2] * before[3]) == 0 and before[2] > 1:
        freed = [*after[:-1], -1]  # (1, C, H, W) -> (1, C, H * W), and (1, G, C / G * H * W) for group normalisation
    elif len(after) == 4 and after[2] > 1 and -1 not in target[2:]:
        source = _same_shape_before(model, node, after, shapes)
        if source is None:
            size = "x".join(map(str, after))
            raise StyleError(f"{label}: it is not fully convolutional ({node.output[0]!r} is always {size}); refused")
        shape = f"{node.output[0]}.shape"
        position = list(model.graph.node).index(node)
        model.graph.node.insert(position, helper.make_node("Shape", [source], [shape]))
        node.input[1] = shape
        return
    else:
        return
    node.input[1] = g.add_constant(model.graph, f"{node.output[0]}.shape", np.array(freed, np.int64))


def _same_shape_before(model: ModelProto, node: NodeProto, wanted: g.Shape, shapes: dict[str, g.Shape]) -> str | None:
    made_by = g.producers(model.graph)
    name = node.input[0]
    while name in made_by:
        name = made_by[name].input[0] if made_by[name].input else ""
        if shapes.get(name) == wanted:
            return name
    return None
