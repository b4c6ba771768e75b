"""From bytes of unknown origin to a modern ONNX graph of one picture in and one picture out, or a reason why not."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Literal

import numpy as np
import onnx
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import ModelProto, TensorProto

from framebrush.models import graph as g
from framebrush.models.style import StyleError
from framebrush.models.text import first_line

MAX_BYTES = 512 << 20  # the largest style network in use has 100 MB

# Operators that run other graphs, draw random numbers or hold no pictures: a style needs none of them, and a hostile
# file could loop for ever in them.
_REFUSED = {
    "Loop",
    "If",
    "Scan",
    "Bernoulli",
    "Multinomial",
    "NonZero",
    "Unique",
    "TfIdfVectorizer",
}
_REFUSED_PREFIXES = ("Random", "Sequence", "Optional")

_CONSTANT_TYPES: dict[str, type | None] = {
    "value": None,
    "value_float": np.float32,
    "value_floats": np.float32,
    "value_int": np.int64,
    "value_ints": np.int64,
}

_FLOATS: dict[int, Literal["float32", "float16"]] = {TensorProto.FLOAT: "float32", TensorProto.FLOAT16: "float16"}


def read_model(path: Path) -> ModelProto:
    """Parse a file with all of its weights.

    Raises StyleError for a missing, empty, huge or broken file and for weights outside of it that are missing or lie
    outside its folder.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise StyleError(f"{path}: {size >> 20} MB are more than a style network has ({MAX_BYTES >> 20} MB)")
        data = path.read_bytes()
    except OSError as error:
        raise StyleError(f"{path}: cannot be read: {error.strerror or error}") from error
    if not data:
        raise StyleError(f"{path}: the file is empty; copy or download it again")
    model = parse(data, str(path))
    _load_external(model, path)
    return model


def parse(data: bytes, label: str) -> ModelProto:
    """Parse a model without touching its external data. Raises StyleError where it is not one."""
    model = ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError as error:
        raise StyleError(f"{label}: not an ONNX file, or damaged; styles are .onnx networks") from error
    if not model.graph.node:
        raise StyleError(f"{label}: not an ONNX file, or damaged: it holds no network")
    return model


def _load_external(model: ModelProto, path: Path) -> None:
    files: dict[Path, int] = {}
    for tensor in model.graph.initializer:
        if tensor.data_location != TensorProto.EXTERNAL:
            continue
        location = next((entry.value for entry in tensor.external_data if entry.key == "location"), "")
        file = path.parent / location
        # Both flavours: a file made to harm Windows must not pass on Linux either. resolve() sees through links.
        parts = {*PurePosixPath(location).parts, *PureWindowsPath(location).parts}
        rooted = PurePosixPath(location).is_absolute() or PureWindowsPath(location).anchor
        if not location or rooted or ".." in parts or not file.resolve().is_relative_to(path.parent.resolve()):
            raise StyleError(f"{path}: its weights point outside its folder ({location!r}); refused")
        if not file.is_file():
            raise StyleError(f"{path}: its weights are missing: put {location} beside it")
        files[file] = file.stat().st_size
        if sum(files.values()) > MAX_BYTES:
            raise StyleError(f"{path}: its weights beside it are more than {MAX_BYTES >> 20} MB")
        try:
            onnx.external_data_helper.load_external_data_for_tensor(tensor, str(path.parent))
        except (ValueError, OSError, RuntimeError, onnx.checker.ValidationError) as error:
            raise StyleError(f"{path}: its weights in {location} cannot be read: {error}") from error
        tensor.data_location = TensorProto.DEFAULT
        del tensor.external_data[:]


def modernise(model: ModelProto, label: str) -> None:
    """Bring a network to opset 17 or newer in place: weights are initialisers and no inputs, no Constant nodes.

    Raises StyleError for what no conversion can help: no opset, opset below 7, operators of other domains.
    """
    _check_operators(model, label)
    graph = model.graph
    weights = {tensor.name for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in weights]  # before IR 4 weights were inputs as well
    del graph.input[:]
    graph.input.extend(inputs)
    model.ir_version = max(model.ir_version, 8)
    version = _opset(model, label)
    if version < g.OPSET:
        try:
            converted = onnx.version_converter.convert_version(model, g.OPSET)
        except (RuntimeError, ValueError) as error:
            raise StyleError(
                f"{label}: opset {version} cannot be converted to {g.OPSET} ({first_line(error)}); export it anew"
            ) from error
        model.CopyFrom(converted)
    graph = model.graph  # the conversion made another one
    _fold_constants(graph)
    if version < 11:
        # Upsample and Resize-10 sampled at o / scale; the converter leaves Resize-11's (o + 0.5) / scale - 0.5.
        for node in graph.node:
            if node.op_type == "Resize":
                g.set_attribute(node, "coordinate_transformation_mode", "asymmetric")
                g.set_attribute(node, "nearest_mode", "floor")
    g.drop_unused(graph)


def check_interface(model: ModelProto, label: str) -> None:
    """See that there is one picture in, one out, and at most a vector of style weights called "mix" besides.

    Raises StyleError with what was found instead.
    """
    graph = model.graph
    pictures = [value for value in graph.input if value.name != "mix"]
    if len(pictures) != 1 or len(graph.output) != 1:
        names = ", ".join(value.name for value in graph.input) or "none"
        raise StyleError(
            f"{label}: a style has one picture in and one out; this network has {len(pictures)} inputs ({names}) "
            f"and {len(graph.output)} outputs"
        )
    for value, role in ((pictures[0], "input"), (graph.output[0], "output")):
        tensor = value.type.tensor_type
        if tensor.elem_type not in _FLOATS:
            kind = TensorProto.DataType.Name(tensor.elem_type).lower()
            raise StyleError(f"{label}: {role} {value.name!r} is {kind}; export it with a float32 or float16 picture")
        if role == "input" and len(tensor.shape.dim) != 4:
            raise StyleError(
                f"{label}: {role} {value.name!r} has {len(tensor.shape.dim)} dimensions; "
                "a style takes (1, 3, height, width) or (1, height, width, 3)"
            )
    sizes = g.dims(pictures[0])
    if isinstance(sizes[0], int) and sizes[0] != 1:
        raise StyleError(f"{label}: it takes {sizes[0]} pictures at once; export it for one")
    if sizes[1] != 3 and sizes[3] != 3:
        shape = "x".join(str(size or "?") for size in sizes)
        raise StyleError(f"{label}: input {pictures[0].name!r} is {shape}, not a picture of 3 channels")


def precision(value: onnx.ValueInfoProto) -> Literal["float32", "float16"]:
    """The type of a picture that `check_interface` has let pass."""
    return _FLOATS[value.type.tensor_type.elem_type]


def _opset(model: ModelProto, label: str) -> int:
    versions = [entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")]
    if not versions:
        raise StyleError(f"{label}: it does not say which operator set it uses; export it anew with opset 7 or newer")
    if versions[0] < 7:
        raise StyleError(f"{label}: opset {versions[0]} is too old; export it anew with opset 7 or newer")
    if versions[0] > onnx.defs.onnx_opset_version():
        newest = onnx.defs.onnx_opset_version()
        raise StyleError(f"{label}: opset {versions[0]} is newer than this program knows ({newest}); export it lower")
    return int(versions[0])


def _check_operators(model: ModelProto, label: str) -> None:
    version = _opset(model, label)
    if model.functions:
        raise StyleError(f"{label}: it holds functions of its own; export it with plain ONNX operators")
    for node in model.graph.node:
        known = node.domain in ("", "ai.onnx") and onnx.defs.has(node.op_type, max_inclusive_version=version)
        if not known or node.op_type in _REFUSED or node.op_type.startswith(_REFUSED_PREFIXES):
            name = f"{node.domain}.{node.op_type}" if node.domain else node.op_type
            raise StyleError(f"{label}: operator {name!r} is not one that a style may have; export it without")


def _fold_constants(graph: onnx.GraphProto) -> None:
    """Constant nodes become initialisers and Identity nodes vanish, so that later steps look in one place."""
    nodes = []
    alias: dict[str, str] = {}
    outputs = {value.name for value in graph.output}
    for node in graph.node:
        for index, name in enumerate(node.input):
            node.input[index] = alias.get(name, name)
        if node.op_type == "Constant" and node.attribute[0].name in _CONSTANT_TYPES:
            kind = _CONSTANT_TYPES[node.attribute[0].name]
            value = onnx.helper.get_attribute_value(node.attribute[0])
            array = onnx.numpy_helper.to_array(value) if kind is None else np.asarray(value, kind)
            graph.initializer.append(onnx.numpy_helper.from_array(array, node.output[0]))
        elif node.op_type == "Identity" and node.output[0] not in outputs:
            alias[node.output[0]] = node.input[0]
        else:
            nodes.append(node)
    g.replace_nodes(graph, nodes)
