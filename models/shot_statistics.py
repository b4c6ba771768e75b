"""Instance normalisation by constants of a shot: steady, exact in tiles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, load_model_from_string

from framebrush.base.text import first_line
from framebrush.models import onnx_graph as g
from framebrush.models.analysis_session import session_options
from framebrush.models.style import Style, StyleError

Numbers = npt.NDArray[np.float32]

AXES = [0, 2, 3]  # frames, rows, columns


def check(style: Style) -> None:
    networks = [each for each in (style, style.second) if each is not None and each.card.frame_statistics]
    for network in networks or [style]:
        _norms(network, load_model_from_string(network.model).graph)


def measure(style: Style, frames: Numbers) -> Numbers:
    """Measure instance normalisations' inputs over frames (N, 3, H, W).

    Returns a float32 row: means (C,), then variances (C,), of each in graph order. Raises StyleError.
    """
    import onnxruntime as ort  # slow to import

    model = load_model_from_string(style.model)
    names = _pool(model, _norms(style, model.graph))
    g.set_dims(model.graph.input[0], [*frames.shape])
    options = session_options()
    options.enable_cpu_mem_arena = False
    try:
        session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        found = session.run(names, {"frame": np.ascontiguousarray(frames, np.float32)})
    except Exception as error:  # ONNX Runtime's exception types share no other base
        raise StyleError(
            f"{style.card.title}: its statistics cannot be taken over several frames ({first_line(error)})",
            do="use --statistics frame",
        ) from error
    row = np.concatenate([np.asarray(value, np.float32).ravel() for value in found])
    if not np.isfinite(row).all():
        raise StyleError(f"{style.card.title}: its statistics are not finite", do="use --statistics frame")
    return row


def folded(style: Style, statistics: Numbers) -> Style:
    """Replace instance normalisations by `measure`'s constants. Raises StyleError."""
    model = load_model_from_string(style.model)
    graph = model.graph
    norms, constants, readers = _norms(style, graph), g.constants(graph), g.consumers(graph)
    producers, nodes, place = g.producers(graph), list(graph.node), 0
    for node in norms:
        scale, shift = (np.asarray(constants[name], np.float64) for name in node.input[1:3])
        mean, variance = (statistics[at : at + scale.size] for at in (place, place + scale.size))
        place += 2 * scale.size
        if place > statistics.size:
            raise StyleError(f"{style.card.title}: the statistics are those of another network")
        gain = scale / np.sqrt(variance.astype(np.float64) + float(g.attribute(node, "epsilon", 1e-5)))
        offset = shift - gain * mean
        conv = producers.get(node.input[0])
        if conv is not None and len(readers[node.input[0]]) == 1 and _is_own(conv, constants, readers):
            _scale_output(graph, conv, constants, gain, offset)
            conv.output[0] = node.output[0]
            nodes.remove(node)
        else:
            nodes[nodes.index(node)] = _each_channel(graph, node, gain, offset)
    if place != statistics.size:
        raise StyleError(f"{style.card.title}: the statistics are those of another network")
    g.replace_nodes(graph, nodes)
    g.drop_unused(graph)
    card = replace(style.card, frame_statistics=False)
    return replace(style, card=card, model=bytes(model.SerializeToString(deterministic=True)))


def _norms(style: Style, graph: GraphProto) -> list[NodeProto]:
    title, constants = style.card.title, g.constants(graph)
    if not style.card.frame_statistics:
        raise StyleError(f"{title} takes no statistics of the frame", do="leave --statistics out")
    found = [node for node in graph.node if node.op_type == "InstanceNormalization"]
    if not found or not all(name in constants for node in found for name in node.input[1:3]):
        raise StyleError(f"{title} takes statistics of the frame in an unknown way", do="use --statistics frame")
    if style.card.fixed_size or style.card.precision != "float32":
        raise StyleError(
            f"{title} runs at one size or in float16, so no shot has statistics", do="leave --statistics out"
        )
    return found


def _pool(model: ModelProto, norms: list[NodeProto]) -> list[str]:
    graph, names, nodes = model.graph, [], []
    for node in graph.node:
        if node not in norms:
            nodes.append(node)
            continue
        base = f"{node.output[0]}/shot"
        epsilon = g.add_constant(graph, f"{base}/epsilon", np.array(g.attribute(node, "epsilon", 1e-5), np.float32))
        channel = g.add_constant(graph, f"{base}/channel", np.array([1, -1, 1, 1]))
        x, scale, shift = node.input[:3]
        y = node.output[0]
        nodes += [
            _mean(model, x, f"{base}/mean"),
            helper.make_node("Sub", [x, f"{base}/mean"], [f"{base}/centred"]),
            helper.make_node("Mul", [f"{base}/centred", f"{base}/centred"], [f"{base}/squares"]),
            _mean(model, f"{base}/squares", f"{base}/variance"),
            helper.make_node("Add", [f"{base}/variance", epsilon], [f"{base}/raised"]),
            helper.make_node("Sqrt", [f"{base}/raised"], [f"{base}/deviation"]),
            helper.make_node("Reshape", [scale, channel], [f"{base}/scale"]),
            helper.make_node("Reshape", [shift, channel], [f"{base}/shift"]),
            helper.make_node("Div", [f"{base}/scale", f"{base}/deviation"], [f"{base}/gain"]),
            helper.make_node("Mul", [f"{base}/centred", f"{base}/gain"], [f"{base}/scaled"]),
            helper.make_node("Add", [f"{base}/scaled", f"{base}/shift"], [y]),
        ]
        names += [f"{base}/mean", f"{base}/variance"]
    g.replace_nodes(graph, nodes)
    del graph.output[:]
    graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    g.drop_unused(graph)
    return names


def _mean(model: ModelProto, x: str, y: str) -> NodeProto:
    if g.opset(model) < 18:
        return helper.make_node("ReduceMean", [x], [y], axes=AXES, keepdims=1)
    axes = g.add_constant(model.graph, f"{y}/axes", np.array(AXES))
    return helper.make_node("ReduceMean", [x, axes], [y], keepdims=1)


def _is_own(conv: NodeProto, constants: dict[str, g.Array], readers: dict[str, list[NodeProto]]) -> bool:
    return conv.op_type == "Conv" and all(name in constants and len(readers[name]) == 1 for name in conv.input[1:])


def _scale_output(
    graph: GraphProto, conv: NodeProto, constants: dict[str, g.Array], gain: g.Array, offset: g.Array
) -> None:
    kernel = constants[conv.input[1]]
    bias = constants[conv.input[2]] if len(conv.input) > 2 else np.zeros(len(kernel))
    values = {
        "kernel": kernel.astype(np.float64) * gain[:, None, None, None],
        "bias": bias.astype(np.float64) * gain + offset,
    }
    names = [
        g.add_constant(graph, f"{conv.output[0]}/{key}", value.astype(np.float32)) for key, value in values.items()
    ]
    conv.input[:] = [conv.input[0], *names]


def _each_channel(graph: GraphProto, node: NodeProto, gain: g.Array, offset: g.Array) -> NodeProto:
    """Return a 1x1 convolution per channel, which DirectML supports."""
    kernel = g.add_constant(graph, f"{node.output[0]}/kernel", gain.astype(np.float32)[:, None, None, None])
    bias = g.add_constant(graph, f"{node.output[0]}/bias", offset.astype(np.float32))
    inputs, outputs = [node.input[0], kernel, bias], list(node.output)
    return helper.make_node("Conv", inputs, outputs, kernel_shape=[1, 1], group=len(gain))
