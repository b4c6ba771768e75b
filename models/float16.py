"""Conversion of networks to float16, and its effect."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    defs,
    helper,
    load_model_from_string,
    numpy_helper,
)

from framebrush.base.text import first_line
from framebrush.models import onnx_graph as g
from framebrush.models.analysis_session import session_options
from framebrush.models.sample_picture import sample_picture

Numbers = npt.NDArray[np.float32]

MOST_CODES = 4.0
"""Largest change of a network that a user requests in float16: painters flicker by as much on still pictures."""

TRIED_PX = 256
"""Side of the picture for the measurement."""

_BLEND = ("Cast", "MatMul")
"""Operators that mix the weights of paintings, before the first pixel: little work, kept in float32."""


@lru_cache(maxsize=4)
def as_float16(model: bytes) -> bytes:
    """Convert a canonical network to float16, where possible. Raises ValueError."""
    parsed = load_model_from_string(model)
    graph = parsed.graph
    writer = _Writer(parsed)
    for node in graph.node:
        writer.write(node)
    if "styled" in writer.precise:
        raise ValueError("its last operator returns float32 only")
    g.replace_nodes(graph, writer.nodes)
    graph.initializer.extend(writer.constants)
    g.drop_unused(graph)
    for value in (*graph.input, *graph.output):
        if value.name in ("frame", "styled"):
            value.type.tensor_type.elem_type = TensorProto.FLOAT16
    return bytes(parsed.SerializeToString(deterministic=True))


@lru_cache(maxsize=4)
def measured(model: bytes, stride: int, size: tuple[int, int] | None, paintings: int) -> float:
    """Measure `difference` on a synthetic photograph. Raises ValueError.

    paintings: number of weights of "mix", 0 without.
    """
    side = max(TRIED_PX // stride, 1) * stride
    width, height = size or (side, side)
    mix = np.eye(1, paintings, dtype=np.float32) if paintings else None
    try:
        return difference(model, sample_picture(height, width)[None], mix)
    except ValueError:
        raise
    except Exception as error:  # ONNX Runtime's exception types share no other base
        raise ValueError(f"it does not run in float16 ({first_line(error)})") from error


def difference(model: bytes, frame: Numbers, mix: Numbers | None = None) -> float:
    """Return a result's RMS change by float16, in 8-bit codes; NaN if not finite.

    frame: (1, 3, H, W), R'G'B' 0..1. mix: (1, N), if an input.
    """
    import onnxruntime as ort  # slow to import, and not needed by devices that only convert

    options = session_options()
    weights = {} if mix is None else {"mix": mix}

    def painted(content: bytes, picture: Numbers) -> Numbers:
        session = ort.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        result: Numbers = session.run(None, {"frame": picture, **weights})[0]
        return np.clip(result, 0, 1)

    rounded = frame.astype(np.float16).astype(np.float32)
    apart = painted(model, frame) - painted(_rounding(as_float16(model)), rounded)
    return float(255 * np.sqrt(np.mean(apart.astype(np.float64) ** 2)))


def _rounding(model: bytes) -> bytes:
    """Convert a float16 network to rounding float32, as CPUs lack float16."""
    parsed = load_model_from_string(model)
    graph, kinds = parsed.graph, g.element_types(parsed)
    for tensor in graph.initializer:
        if tensor.data_type == TensorProto.FLOAT16:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float32), tensor.name))
    for value in (*graph.input, *graph.output):
        value.type.tensor_type.elem_type = TensorProto.FLOAT
    nodes: list[NodeProto] = []
    for node in graph.node:
        nodes.append(node)
        _set_types(node, TensorProto.FLOAT16, TensorProto.FLOAT)
        for at, name in enumerate(node.output):
            if kinds.get(name) == TensorProto.FLOAT16:
                exact, rounded = f"{name}/exact", f"{name}/rounded"
                node.output[at] = exact
                nodes.append(helper.make_node("Cast", [exact], [rounded], to=TensorProto.FLOAT16))
                nodes.append(helper.make_node("Cast", [rounded], [name], to=TensorProto.FLOAT))
    g.replace_nodes(graph, nodes)
    return bytes(parsed.SerializeToString())


def _blending(graph: GraphProto) -> list[NodeProto]:
    pixels, found = {"frame"}, []
    for node in graph.node:
        if pixels.intersection(node.input):
            pixels.update(node.output)
        elif node.op_type in _BLEND:
            found.append(node)
    return found


class _Writer:
    def __init__(self, model: ModelProto) -> None:
        kinds = g.element_types(model)
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self.precise = {"mix"}  # tensors that stay float32
        self._floats = {name for name, kind in kinds.items() if kind == TensorProto.FLOAT}
        self._weights = {tensor.name: tensor for tensor in model.graph.initializer}
        self._version = g.opset(model)
        self._blending = _blending(model.graph)
        self._made: set[str] = set()

    def write(self, node: NodeProto) -> None:
        schema = defs.get_schema(node.op_type, max_inclusive_version=self._version)
        blends = node in self._blending
        halves: dict[str, bool] = {}  # by type variable of the schema
        for at, name in enumerate(node.input):
            if name in self._floats:
                formal = schema.inputs[min(at, len(schema.inputs) - 1)]
                halves[formal.type_str] = half = not blends and _takes_half(formal)
                node.input[at] = self._as_half(name) if half else self._as_single(name)
        if not blends:
            _set_types(node, TensorProto.FLOAT, TensorProto.FLOAT16)
        for at, name in enumerate(node.output):
            formal = schema.outputs[min(at, len(schema.outputs) - 1)]
            if name in self._floats and not halves.get(formal.type_str, not blends and _takes_half(formal)):
                self.precise.add(name)
        self.nodes.append(node)

    def _as_half(self, name: str) -> str:
        half = f"{name}/half"
        if name in self._weights:
            if half not in self._made:
                value = numpy_helper.to_array(self._weights[name])
                if not np.abs(value).max(initial=0) <= g.LARGEST_HALF:
                    raise ValueError(f"{name!r} is too large for float16")
                self.constants.append(numpy_helper.from_array(value.astype(np.float16), half))
        elif name not in self.precise:
            return name
        elif half not in self._made:
            self.nodes.append(helper.make_node("Cast", [name], [half], to=TensorProto.FLOAT16))
        self._made.add(half)
        return half

    def _as_single(self, name: str) -> str:
        if name in self._weights or name in self.precise:
            return name
        single = f"{name}/single"
        if single not in self._made:
            self.nodes.append(helper.make_node("Cast", [name], [single], to=TensorProto.FLOAT))
        self._made.add(single)
        return single


def _takes_half(formal: defs.OpSchema.FormalParameter) -> bool:
    return "tensor(float16)" in formal.types


def _set_types(node: NodeProto, old: int, new: int) -> None:
    if node.op_type == "Cast" and g.attribute(node, "to") == old:
        g.set_attribute(node, "to", new)
    if node.op_type == "ConstantOfShape":
        value = g.attribute(node, "value", helper.make_tensor("", TensorProto.FLOAT, [1], [0.0]))
        if value.data_type == old:
            number = numpy_helper.to_array(value).astype(helper.tensor_dtype_to_np_dtype(new))
            g.set_attribute(node, "value", numpy_helper.from_array(number))
