"""Inputs and outputs of a third-party network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import onnx
from onnx import GraphProto, ModelProto, TensorProto, ValueInfoProto, numpy_helper

from framebrush.base.text import count_of
from framebrush.models import onnx_graph as g
from framebrush.models.preprocessing import LAYOUTS, Layout, PreprocessingOverrides
from framebrush.models.reading.shape_evaluation import evaluated_shapes
from framebrush.models.style import StyleError

_FLOATS: dict[int, Literal["float32", "float16"]] = {TensorProto.FLOAT: "float32", TensorProto.FLOAT16: "float16"}

_NUMBERS = frozenset((
    *_FLOATS, TensorProto.DOUBLE, TensorProto.BOOL,
    TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64,
    TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64,
))  # fmt: skip

NAMES_SHOWN, NAME_CHARS = 12, 60

FREE_PX = (256, 384)
"""Height and width for analysing networks of free size; strides have exact ratios there."""


@dataclass(frozen=True, slots=True)
class End:
    """Picture input or output. channels: 3, or 1 for luma."""

    layout: Layout
    channels: int
    rank: int
    is_byte: bool


@dataclass(frozen=True, slots=True)
class Ends:
    """Input and output of a network. size: (width, height) if fixed."""

    input: End
    output: End
    size: tuple[int, int] | None


def choose(model: ModelProto, overrides: PreprocessingOverrides, label: str) -> None:
    """Keep one output, and make given inputs constant, in place. Raises StyleError."""
    graph = model.graph
    for name, number in overrides.values:
        _bind(graph, name, number, label)
    names = [value.name for value in graph.output]
    if overrides.result is None and len(names) > 1:
        raise StyleError(
            f"{label}: it has {len(names)} outputs ({_shown(names)})",
            do="choose the picture among them with --net-result",
        )
    if overrides.result is not None:
        if overrides.result not in names:
            raise StyleError(
                f"{label}: it has no output {overrides.result!r}", do=f"--net-result is one of these: {_shown(names)}"
            )
        chosen = graph.output[names.index(overrides.result)]
        del graph.output[:]
        graph.output.append(chosen)
        g.drop_unused(graph)


def _bind(graph: GraphProto, name: str, number: float, label: str) -> None:
    value = next((value for value in graph.input if value.name == name), None)
    if value is None:
        names = _shown(value.name for value in graph.input)
        raise StyleError(f"{label}: it has no input {name!r}; its inputs are: {names}", do="--net-value names one")
    sizes, kind = g.dims(value), value.type.tensor_type.elem_type
    if any(isinstance(size, int) and size != 1 for size in sizes) or len(sizes) > 4 or kind not in _NUMBERS:
        raise StyleError(f"{label}: input {name!r} is not a single number", do="--net-value gives one")
    dtype = onnx.helper.tensor_dtype_to_np_dtype(kind)
    with np.errstate(all="ignore"):
        bound = np.full([1] * len(sizes), number).astype(dtype)
    if not np.isfinite(bound.astype(np.float64)).all() or (dtype.kind != "f" and bound.item() != number):
        raise StyleError(f"{label}: {number:g} is no value for input {name!r}, which is {dtype.name}")
    kept = [tensor for tensor in graph.initializer if tensor.name != name]
    del graph.initializer[:]
    graph.initializer.extend([*kept, numpy_helper.from_array(bound, name)])
    graph.input.remove(value)


def picture_in(model: ModelProto, layout: Layout | None, label: str) -> tuple[End, tuple[int, int] | None]:
    """Check that a network has one picture input and output, and at most a vector "mix".

    Frees channels, sets batch to one; returns input and fixed size. Raises StyleError.
    """
    graph = model.graph
    pictures = [value for value in graph.input if value.name != "mix"]
    numbers = [value.name for value in pictures if _is_number(value)]
    if len(pictures) > 1 and len(numbers) == len(pictures) - 1:
        values = " ".join(f"--net-value {name[:NAME_CHARS]}=…" for name in numbers[:NAMES_SHOWN])
        asks = f"{label}: it asks for {count_of(len(numbers), 'number')} besides the picture"
        raise StyleError(asks, do=f"give {values}")
    if len(pictures) != 1:
        names = _shown(value.name for value in graph.input) or "none"
        raise StyleError(
            f"{label}: a style has one picture in and one out; this network has {count_of(len(pictures), 'input')} "
            f"({names}) and {count_of(len(graph.output), 'output')}"
        )
    picture, result = pictures[0], graph.output[0]
    kinds = [value.type.tensor_type.elem_type for value in (picture, result)]
    for value, role, kind in zip((picture, result), ("input", "output"), kinds, strict=True):
        if kind not in (*_FLOATS, TensorProto.UINT8):
            name = TensorProto.DataType.Name(kind).lower()
            raise StyleError(f"{label}: {role} {value.name!r} is {name}; export it with a float32 or float16 picture")
    if not picture.type.tensor_type.HasField("shape"):
        g.set_dims(picture, ["", "", "", ""])
    sizes = g.dims(picture)
    if len(sizes) not in (3, 4):
        raise StyleError(
            f"{label}: input {picture.name!r} has {count_of(len(sizes), 'dimension')}; "
            "a style takes (1, 3, height, width) or (1, height, width, 3), or these without the 1"
        )
    batch, place = sizes[:-3], sizes[-3:]
    if batch and isinstance(batch[0], int) and batch[0] != 1:
        raise StyleError(f"{label}: it takes {batch[0]} pictures at once; export it for one")
    found, channels = _layout(graph, picture.name, place, layout)
    if channels not in (1, 3):
        shape = "x".join(str(size or "?") for size in sizes)
        raise StyleError(f"{label}: input {picture.name!r} is {shape}, not a picture of 3 channels or 1")
    height, width = place[1:] if found == "nchw" else place[:2]
    whole = [channels, height, width] if found == "nchw" else [height, width, channels]
    g.set_dims(picture, [1, *whole] if batch else whole)
    size = (width, height) if isinstance(width, int) and isinstance(height, int) else None
    return End(found, int(channels), len(sizes), kinds[0] == TensorProto.UINT8), size


def _is_number(value: ValueInfoProto) -> bool:
    sizes = g.dims(value)
    return (len(sizes) < 3 and all(size == 1 or isinstance(size, str) for size in sizes)) or {*sizes} == {1}


def _layout(graph: GraphProto, name: str, sizes: Sequence[int | str], said: Layout | None) -> tuple[Layout, int | str]:
    if said is None:
        if 3 in (sizes[0], sizes[2]):
            said = "nchw" if sizes[0] == 3 else "nhwc"
        elif 1 in (sizes[0], sizes[2]):
            said = "nchw" if sizes[0] == 1 else "nhwc"
        else:
            first = next((node for node in graph.node if name in node.input), None)
            turned = first is not None and list(g.attribute(first, "perm") or ()) == [0, 3, 1, 2]
            said = "nhwc" if turned and isinstance(sizes[0], str) else "nchw"
    channels = sizes[0 if said == "nchw" else 2]
    if isinstance(channels, str):
        weights = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
        kernels = (weights.get(node.input[1], []) for node in graph.node if node.op_type == "Conv")
        first_kernel = next(kernels, [])
        channels = first_kernel[1] if len(first_kernel) == 4 else 3
    return said, channels


def picture_out(model: ModelProto, source: End) -> End:
    """Return the output's layout by shape, else the input's.

    Computes small constants; the network must have passed `hazards`.
    """
    picture, result = next(value for value in model.graph.input if value.name != "mix"), model.graph.output[0]
    is_byte = result.type.tensor_type.elem_type == TensorProto.UINT8
    open_sides = iter(FREE_PX)
    sizes = tuple(size if isinstance(size, int) else next(open_sides) for size in g.dims(picture))
    shape = evaluated_shapes(model, {picture.name: sizes}).get(result.name, ())
    if len(shape) == 2:
        return End("nchw", 1, 2, is_byte)
    if len(shape) in (3, 4):
        channels = {"nchw": shape[-3], "nhwc": shape[-1]}
        for layout in sorted(LAYOUTS, key=lambda one: one != source.layout):
            if channels[layout] in (1, 3):
                return End(layout, channels[layout], len(shape), is_byte)
        return replace(source, rank=len(shape), is_byte=is_byte)
    return replace(source, is_byte=is_byte)


def precision(value: ValueInfoProto) -> Literal["float32", "float16"]:
    """Return the type of a canonical picture."""
    return _FLOATS[value.type.tensor_type.elem_type]


def _shown(names: Iterable[str]) -> str:
    every = list(names)
    more = ["…"] if len(every) > NAMES_SHOWN else []
    return ", ".join([name[:NAME_CHARS] for name in every[:NAMES_SHOWN]] + more)
