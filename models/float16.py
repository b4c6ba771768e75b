"""A network in float16: half the memory traffic, and twice the arithmetic or more where a device has 16-bit units.

A painter of ours moves then by half a code on average, and by some codes at strokes on smooth bright ground, which hang
on next to nothing. A network that normalises, or whose numbers were never measured, can differ by any amount or leave
the range of float16, so `Device.stylizer` chooses float16 by itself only where `ModelCard.float16_codes` says what was
measured.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from onnx import GraphProto, NodeProto, TensorProto, helper, load_model_from_string, numpy_helper

from framebrush.models import graph as g

Numbers = npt.NDArray[np.float32]

OPERATORS = frozenset(
    ("Cast", "Concat", "Conv", "DepthToSpace", "MatMul", "Pad", "Relu", "Reshape", "Slice", "Split"),
)
"""Of the painters. None of them makes large numbers of small ones, or differences of large ones, by itself."""

LARGEST = float(np.finfo(np.float16).max)

_BLEND = ("Cast", "MatMul")
"""What mixes the weights of paintings, before the first pixel: so little work that it stays in float32."""


@lru_cache(maxsize=4)
def as_float16(model: bytes) -> bytes:
    """A canonical network of float32 (see `models.style`) with float16 tensors and weights.

    "frame" and "styled" are float16 then; "mix" stays float32. Raises ValueError, part of a sentence, for an operator
    that is not one of OPERATORS, and for a weight that float16 cannot hold.
    """
    parsed = load_model_from_string(model)
    graph = parsed.graph
    others = sorted({node.op_type for node in graph.node} - OPERATORS)
    if others:
        raise ValueError(f"{others[0]} may lose too much in float16")
    blending = _blending(graph)
    kept = {name for node in blending for name in node.input}
    for tensor in graph.initializer:
        if tensor.data_type == TensorProto.FLOAT and tensor.name not in kept:
            value = numpy_helper.to_array(tensor)
            if not np.abs(value).max(initial=0) <= LARGEST:
                raise ValueError(f"{tensor.name!r} is too large for float16")
            tensor.CopyFrom(numpy_helper.from_array(value.astype(np.float16), tensor.name))
    g.replace_nodes(graph, _with_casts(list(graph.node), blending))
    for value in (*graph.input, *graph.output):
        if value.name in ("frame", "styled"):
            value.type.tensor_type.elem_type = TensorProto.FLOAT16
    return bytes(parsed.SerializeToString(deterministic=True))


def difference(model: bytes, frame: Numbers, mix: Numbers | None = None) -> float:
    """How far a network's output moves in float16, on the CPU, which rounds after each operator: root mean square, in
    codes of 8 bits.

    frame: (1, 3, H, W) float32, R'G'B' 0..1. mix: (1, N) float32 where the network has that input.
    """
    import onnxruntime as ort  # here: loading it takes time, and a device that only converts has its own

    options = ort.SessionOptions()
    options.log_severity_level = 4
    weights = {} if mix is None else {"mix": mix}

    def painted(content: bytes, kind: str) -> Numbers:
        session = ort.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        result = session.run(None, {"frame": frame.astype(kind), **weights})[0]
        return np.clip(np.asarray(result, np.float32), 0, 1)

    apart = painted(model, "float32") - painted(as_float16(model), "float16")
    return float(255 * np.sqrt(np.mean(apart.astype(np.float64) ** 2)))


def _blending(graph: GraphProto) -> list[NodeProto]:
    """The arithmetic that depends on the input "mix" and constants alone."""
    pixels, found = {"frame"}, []
    for node in graph.node:
        if pixels.intersection(node.input):
            pixels.update(node.output)
        elif node.op_type in _BLEND:
            found.append(node)
    return found


def _with_casts(nodes: list[NodeProto], blending: list[NodeProto]) -> list[NodeProto]:
    """The nodes, with a cast after each result of the blending that others read."""
    made = {name for node in blending for name in node.output}
    others = [node for node in nodes if node not in blending]
    needed = made.intersection(name for node in others for name in node.input)
    result = []
    for node in nodes:
        result.append(node)
        if node in blending:
            cast = [name for name in node.output if name in needed]
            result.extend(helper.make_node("Cast", [name], [f"{name}/half"], to=TensorProto.FLOAT16) for name in cast)
            continue
        if node.op_type == "Cast" and g.attribute(node, "to") == TensorProto.FLOAT:
            g.set_attribute(node, "to", TensorProto.FLOAT16)
        node.input[:] = [f"{name}/half" if name in needed else name for name in node.input]
    return result
