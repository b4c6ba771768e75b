"""Reading of ONNX files of unknown origin."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np
import onnx
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import ModelProto, TensorProto

from framebrush.base.files import read_bounded
from framebrush.base.text import first_line
from framebrush.models import onnx_graph as g
from framebrush.models.onnx_metadata import MAX_BYTES
from framebrush.models.reading import functions, operators
from framebrush.models.style import StyleError

_CONSTANT_TYPES: dict[str, type | None] = {
    "value": None,
    "value_float": np.float32,
    "value_floats": np.float32,
    "value_int": np.int64,
    "value_ints": np.int64,
}


def read_model(path: Path) -> ModelProto:
    """Parse a file with weights. Raises StyleError, also for weights outside its folder."""
    try:
        data = read_bounded(path, MAX_BYTES)
    except OSError as error:
        raise StyleError(f"{path}: cannot be read: {first_line(error)}") from error
    if not data:
        raise StyleError(f"{path}: the file is empty; copy or download it again")
    model = parse(data, str(path))
    _load_external(model, path)
    return model


def parse(data: bytes, label: str) -> ModelProto:
    """Parse a self-contained model. Raises StyleError."""
    model = ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError as error:
        raise StyleError(
            f"{label}: not an ONNX file, or damaged; a style is an ONNX network, a picture (PNG, JPEG, WebP, TIFF, "
            "BMP, GIF, HEIC or AVIF), or a frame of a film or an animation, as in clip.mp4@0"
        ) from error
    if not model.graph.node:
        raise StyleError(f"{label}: not an ONNX file, or damaged: it holds no network")
    return model


def _load_external(model: ModelProto, path: Path) -> None:
    """Read tensors from files in the model's folder or below."""
    total = 0
    for tensor in _tensors(model):
        if tensor.data_location != TensorProto.EXTERNAL:
            continue
        said = {entry.key: entry.value for entry in tensor.external_data}
        location = said.get("location", "")
        file = path.parent / location
        # Check both systems' rules: files made to harm Windows must fail on Linux, too. resolve() follows links.
        parts = {*PurePosixPath(location).parts, *PureWindowsPath(location).parts}
        # colons: drives, addresses, NTFS streams
        rooted = PurePosixPath(location).is_absolute() or PureWindowsPath(location).anchor or {":", "\0"} & {*location}
        if not location or rooted or ".." in parts or not file.resolve().is_relative_to(path.parent.resolve()):
            raise StyleError(f"{path}: its weights point outside its folder ({location!r}); refused")
        if not file.is_file():
            raise StyleError(f"{path}: its weights are missing: put {location} beside it")
        try:
            # per read: many tensors may share one file
            total += int(said["length"]) if "length" in said else file.stat().st_size
            if total > MAX_BYTES:
                raise StyleError(f"{path}: its weights beside it are more than {MAX_BYTES >> 20} MB")
            onnx.external_data_helper.load_external_data_for_tensor(tensor, str(path.parent))
        except (ValueError, OSError, RuntimeError, onnx.checker.ValidationError) as error:
            if isinstance(error, StyleError):
                raise
            raise StyleError(f"{path}: its weights in {location} cannot be read: {first_line(error)}") from error
        tensor.data_location = TensorProto.DEFAULT
        del tensor.external_data[:]


def _tensors(model: ModelProto) -> Iterator[TensorProto]:
    nodes = [node for function in model.functions for node in function.node]
    graphs = [model.graph]
    while graphs or nodes:
        if graphs:
            graph = graphs.pop()
            yield from graph.initializer
            for sparse in graph.sparse_initializer:
                yield from (sparse.values, sparse.indices)
            nodes.extend(graph.node)
            continue
        for attribute in nodes.pop().attribute:
            graphs.extend([attribute.g] if attribute.HasField("g") else attribute.graphs)
            yield from ([attribute.t] if attribute.HasField("t") else attribute.tensors)
            for sparse in [attribute.sparse_tensor, *attribute.sparse_tensors]:
                yield from (sparse.values, sparse.indices)


def modernise(model: ModelProto, label: str) -> None:
    """Convert to opset 17 to 21, with weights as initialisers, in place. Raises StyleError."""
    functions.expand(model, label)
    if model.graph.sparse_initializer:
        raise StyleError(f"{label}: it holds sparse weights; export it with dense ones")
    declared = _opset(model, label)
    operators.replace_legacy(model, declared)
    if declared < operators.OLDEST:
        del model.opset_import[:]
        model.opset_import.append(onnx.helper.make_opsetid("", operators.OLDEST))
    _check_operators(model, label)
    graph = model.graph
    weights = {tensor.name for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in weights]  # before IR 4 weights were inputs, too
    del graph.input[:]
    graph.input.extend(inputs)
    model.ir_version = max(model.ir_version, 8)
    version = _opset(model, label)
    if version < g.OPSET:
        try:
            converted = onnx.version_converter.convert_version(model, g.OPSET)
        except (RuntimeError, ValueError) as error:
            reason = first_line(error).rpartition(" failed: ")[2]  # after a C++ assertion
            raise StyleError(
                f"{label}: opset {declared} cannot be converted to {g.OPSET} ({reason}); export it again"
            ) from error
        model.CopyFrom(converted)
    elif version > g.NEWEST_OPSET:
        with suppress(RuntimeError, ValueError):
            model.CopyFrom(onnx.version_converter.convert_version(model, g.NEWEST_OPSET))
    graph = model.graph  # conversion made a new graph
    _fold_constants(graph)
    if version < 11:
        # Upsample and Resize-10 sampled at o / scale; the converter leaves Resize-11's (o + 0.5) / scale - 0.5
        for node in graph.node:
            if node.op_type == "Resize":
                g.set_attribute(node, "coordinate_transformation_mode", "asymmetric")
                g.set_attribute(node, "nearest_mode", "floor")
    g.drop_unused(graph)


def _opset(model: ModelProto, label: str) -> int:
    version, newest = g.opset(model), onnx.defs.onnx_opset_version()
    if version > newest:
        raise StyleError(f"{label}: opset {version} is newer than this program knows ({newest}); export it lower")
    return version


def _check_operators(model: ModelProto, label: str) -> None:
    version = _opset(model, label)
    for node in model.graph.node:
        known = node.domain in ("", "ai.onnx") and onnx.defs.has(node.op_type, max_inclusive_version=version)
        if not known or node.op_type not in operators.ALLOWED:
            name = f"{node.domain}.{node.op_type}" if node.domain else node.op_type
            raise StyleError(f"{label}: operator {name!r} is not one that a style may have; export it without")


def _fold_constants(graph: onnx.GraphProto) -> None:
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
