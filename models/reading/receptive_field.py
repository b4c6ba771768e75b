"""Stride, receptive field and scale of a network, from its graph.

Sample o of a tensor depends on the frame's samples jump * o + low .. jump * o + high per axis. Operators map these
numbers (Araujo, Norris and Sim, Distill, 2019), as fractions for transposed convolutions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from onnx import ModelProto, NodeProto

from framebrush.models import onnx_graph as g

ONE = Fraction(1)
ZERO = Fraction(0)

_SIZE = (40320, 80640)  # most strides up to 128 divide them, so that shapes have exact ratios


@dataclass(frozen=True, slots=True)
class ReceptiveField:
    """Measures of a network, in input pixels; None if unknown.

    stride: divisor of both sides. frame_statistics: an operator averages the whole frame. scale: output pixels per
    input pixel and axis.
    """

    stride: int | None
    radius_px: int | None
    frame_statistics: bool
    scale: int | None = 1


class _UnknownError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _Axis:
    jump: Fraction = ONE
    low: Fraction = ZERO
    high: Fraction = ZERO

    def window(self, before: int, extent: int, step: int = 1) -> _Axis:
        low = self.low - before * self.jump
        return _Axis(self.jump * step, low, self.high + (extent - 1 - before) * self.jump)

    def spread(self, step: Fraction, before: Fraction, after: Fraction) -> _Axis:
        return _Axis(self.jump / step, self.low - before * self.jump, self.high + after * self.jump)


@dataclass(frozen=True, slots=True)
class _Field:
    """Tensor that depends on the frame. axes: height, width; None if flattened."""

    y: _Axis = _Axis()
    x: _Axis = _Axis()
    axes: tuple[int, ...] = (2, 3)


def receptive_field(model: ModelProto) -> ReceptiveField:
    """Analyse a `canonical.to_nchw` model (opset 17 or newer)."""
    walk = _Walk(model)
    try:
        field = walk.run()
    except _UnknownError:
        return ReceptiveField(None, None, walk.statistics, None)
    stride = math.lcm(*(jump.numerator for jump in walk.jumps()))
    scale = 1 / field.y.jump
    if field.x.jump != field.y.jump or field.axes != (2, 3) or scale.denominator != 1:
        return ReceptiveField(stride, None, walk.statistics, None)
    # the last of an input pixel's output pixels lies (scale - 1) / scale after it
    last = (scale - 1) / scale
    sides = (-field.y.low, field.y.high + last, -field.x.low, field.x.high + last)
    radius = max(0, *(math.floor(side) for side in sides))
    return ReceptiveField(stride, radius, walk.statistics, int(scale))


class _Walk:
    def __init__(self, model: ModelProto) -> None:
        self.graph = model.graph
        self.constants = g.constants(model.graph)
        channels = int(g.dims(model.graph.input[0])[1])
        self.shapes = g.shapes_at(model, {"frame": (1, channels, *_SIZE)})
        self.fields: dict[str, _Field] = {"frame": _Field()}
        self.statistics = False

    def run(self) -> _Field:
        for node in self.graph.node:
            sources = [self.fields[name] for name in node.input if name in self.fields]
            if not sources or node.op_type in ("Shape", "Size"):  # sizes are no samples
                continue
            if all(not source.axes for source in sources):  # numbers about the frame, no longer a picture
                field = sources[0]
            elif node.op_type in _RULES:
                field = _RULES[node.op_type](self, node, sources)
            else:
                raise _UnknownError(node.op_type)
            for output in node.output:
                self.fields[output] = field
        output = self.graph.output[0].name
        if output not in self.fields:
            raise _UnknownError("the output does not depend on the frame")
        return self.fields[output]

    def jumps(self) -> set[Fraction]:
        found, reached = {ONE}, {self.graph.output[0].name}
        for node in reversed(self.graph.node):
            fields = [self.fields[name] for name in node.output if name in reached and name in self.fields]
            if any(field.axes for field in fields):
                found |= {jump for field in fields for jump in (field.y.jump, field.x.jump)}
                reached |= set(node.input)
        return found

    def shape(self, name: str) -> g.Shape:
        if name not in self.shapes:
            raise _UnknownError(f"shape of {name}")
        return self.shapes[name]

    def constant(self, node: NodeProto, index: int) -> list[int] | None:
        if len(node.input) <= index or not node.input[index]:
            return None
        if node.input[index] not in self.constants:
            raise _UnknownError(f"{node.op_type} with computed {node.input[index]}")
        return [int(value) for value in self.constants[node.input[index]].ravel()]


def _merge(_: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    spatial = [source for source in sources if source.axes]
    if not spatial:
        return sources[0]
    first = spatial[0]
    for other in spatial[1:]:
        if (other.y.jump, other.x.jump, other.axes) != (first.y.jump, first.x.jump, first.axes):
            raise _UnknownError(f"{node.op_type} of different scales")
        first = replace(first, y=_union(first.y, other.y), x=_union(first.x, other.x))
    return first


def _union(a: _Axis, b: _Axis) -> _Axis:
    return _Axis(a.jump, min(a.low, b.low), max(a.high, b.high))


def _concat(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field = _merge(walk, node, sources)
    if field.axes and g.attribute(node, "axis") % 4 in field.axes:
        raise _UnknownError("Concat along the picture")
    return field


def _image(sources: list[_Field], node: NodeProto) -> _Field:
    if sources[0].axes != (2, 3):
        raise _UnknownError(f"{node.op_type} on dimensions {sources[0].axes}")
    return sources[0]


def _per_axis(node: NodeProto, name: str, default: int, count: int = 2) -> list[int]:
    values = g.attribute(node, name)
    return [int(value) for value in values] if values else [default] * count


def _geometry(walk: _Walk, node: NodeProto) -> tuple[list[int], list[int], list[int], list[int]]:
    kernel = g.attribute(node, "kernel_shape") or walk.shape(node.input[1])[2:]
    if g.attribute(node, "auto_pad", "NOTSET") not in ("NOTSET", "VALID"):
        raise _UnknownError("auto_pad")  # made explicit before the walk if possible
    steps, dilations = _per_axis(node, "strides", 1), _per_axis(node, "dilations", 1)
    return list(kernel), steps, dilations, _per_axis(node, "pads", 0, 4)


def _window(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field = _image(sources, node)
    kernel, steps, dilations, pads = _geometry(walk, node)
    extents = [dilation * (size - 1) + 1 for dilation, size in zip(dilations, kernel, strict=True)]
    return _Field(field.y.window(pads[0], extents[0], steps[0]), field.x.window(pads[1], extents[1], steps[1]))


def _transposed(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field = _image(sources, node)
    kernel, steps, dilations, pads = _geometry(walk, node)
    axes: list[_Axis] = []
    for axis, index in ((field.y, 0), (field.x, 1)):
        step = Fraction(steps[index])
        last = dilations[index] * (kernel[index] - 1)
        axes.append(axis.spread(step, (last - pads[index]) / step, pads[index] / step))
    return _Field(axes[0], axes[1])


def _resize(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field = _image(sources, node)
    before, after = walk.shape(node.input[0]), walk.shape(node.output[0])
    # Linear reads the two nearest coarse samples, cubic four. Aligned corners are not supported.
    around = {"nearest": Fraction(1, 2), "linear": ONE, "cubic": Fraction(2)}[g.attribute(node, "mode", "nearest")]
    if g.attribute(node, "coordinate_transformation_mode", "half_pixel") == "align_corners":
        raise _UnknownError("Resize with align_corners sees other places in other sizes")
    axes: list[_Axis] = []
    for axis, index in ((field.y, 2), (field.x, 3)):
        step = Fraction(after[index], before[index])
        if step == 1:
            axes.append(axis)
            continue
        # The sample's place is o / step, or aside by half a sample's difference; rounding adds `around` at most.
        aside = abs(1 / step - 1) / 2
        axes.append(axis.spread(step, around + aside, around + aside))
    return _Field(axes[0], axes[1])


def _space_to_depth(_: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field, size = _image(sources, node), int(g.attribute(node, "blocksize"))
    return _Field(field.y.window(0, size, size), field.x.window(0, size, size))


def _depth_to_space(_: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field, size = _image(sources, node), Fraction(int(g.attribute(node, "blocksize")))
    before = (size - 1) / size
    return _Field(field.y.spread(size, before, ZERO), field.x.spread(size, before, ZERO))


def _pad(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    pads = walk.constant(node, 1)
    if pads is None or walk.constant(node, 3) is not None:
        raise _UnknownError("Pad")
    return _shift(sources[0], lambda axis: -pads[axis])


def _slice(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field = sources[0]
    starts, steps = walk.constant(node, 1), walk.constant(node, 4)
    rank = len(walk.shape(node.input[0]))
    axes = walk.constant(node, 3)
    if starts is None:
        raise _UnknownError("Slice")
    begin = {axis % rank: start for axis, start in zip(axes or range(len(starts)), starts, strict=False)}
    if any(begin.get(axis, 0) < 0 for axis in field.axes) or any(step != 1 for step in steps or ()):
        raise _UnknownError("Slice from the end or with steps")
    return _shift(field, lambda axis: begin.get(axis, 0))


def _shift(field: _Field, start: Callable[[int], int]) -> _Field:
    if len(field.axes) != 2:
        raise _UnknownError("shift of a flattened picture")
    rows, columns = (start(axis) for axis in field.axes)
    return replace(field, y=field.y.window(-rows, 1), x=field.x.window(-columns, 1))


def _transpose(_: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    order = list(g.attribute(node, "perm") or ())
    field = sources[0]
    if len(field.axes) != 2 or not order:
        raise _UnknownError("Transpose")
    return replace(field, axes=tuple(order.index(axis) for axis in field.axes))


def _statistics(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    walk.statistics = True
    return sources[0]


def _global_pool(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    walk.statistics = True
    return replace(sources[0], axes=())


def _reduce(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field = sources[0]
    axes = g.attribute(node, "axes") or walk.constant(node, 1)
    rank = len(walk.shape(node.input[0]))
    reduced = {axis % rank for axis in axes} if axes else set(range(rank))
    if not field.axes or not reduced & set(field.axes):
        if not g.attribute(node, "keepdims", 1):
            raise _UnknownError("reduction that moves the dimensions")
        return field
    if not reduced >= set(field.axes):
        raise _UnknownError("reduction along one side of the picture")
    walk.statistics = True
    return replace(field, axes=())


def _reshape(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field = sources[0]
    if not field.axes:
        return field
    before, after = walk.shape(node.input[0]), walk.shape(node.output[0])
    had, has = ([axis for axis, size in enumerate(shape) if size != 1] for shape in (before, after))
    if [before[axis] for axis in had] == [after[axis] for axis in has] and set(field.axes) <= set(had):
        # only dimensions of one change
        return replace(field, axes=tuple(has[had.index(axis)] for axis in field.axes))
    area = before[2] * before[3] if len(before) == 4 else 0
    if field.axes == (2, 3) and after[:1] == before[:1] and after[-1] % area == 0:
        return replace(field, axes=(len(after) - 1,))
    raise _UnknownError("Reshape of the picture")


def _along_axis(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    axis = int(g.attribute(node, "axis", 0 if node.op_type == "Split" else -1))
    if axis % len(walk.shape(node.input[0])) in sources[0].axes:
        raise _UnknownError(f"{node.op_type} along the picture")
    return sources[0]


def _gather(walk: _Walk, node: NodeProto, sources: list[_Field]) -> _Field:
    field = sources[0]
    rank = len(walk.shape(node.input[0]))
    if walk.constant(node, 1) is None or len(walk.shape(node.input[1])) != 1:
        raise _UnknownError("Gather that moves the dimensions")
    if int(g.attribute(node, "axis", 0)) % rank in field.axes:
        raise _UnknownError("Gather along the picture")
    return field


_Rule = Callable[[_Walk, NodeProto, list[_Field]], _Field]

# fmt: off
_ELEMENTWISE = (
    "Abs", "Add", "BatchNormalization", "Cast", "Ceil", "Celu", "Clip", "DequantizeLinear", "Div", "Dropout", "Elu",
    "Equal", "Erf", "Exp", "Floor", "Gelu", "Greater", "HardSigmoid", "HardSwish", "Identity", "LeakyRelu", "Less",
    "Log", "Max", "Mean", "Min", "Mish", "Mul", "Neg", "Pow", "PRelu", "QuantizeLinear", "Reciprocal", "Relu", "Round",
    "Selu", "Sigmoid", "Sign", "Softplus", "Softsign", "Sqrt", "Sub", "Sum", "Swish", "Tanh", "ThresholdedRelu",
    "Where",
)
# fmt: on
_RULES: dict[str, _Rule] = {
    **dict.fromkeys(_ELEMENTWISE, _merge),
    **dict.fromkeys(("Conv", "AveragePool", "MaxPool", "LpPool"), _window),
    **dict.fromkeys(("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"), _global_pool),
    **dict.fromkeys(("InstanceNormalization", "MeanVarianceNormalization"), _statistics),
    **dict.fromkeys(("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceSumSquare", "ReduceL2"), _reduce),
    **dict.fromkeys(("Reshape", "Flatten", "Squeeze", "Unsqueeze"), _reshape),
    **dict.fromkeys(("LogSoftmax", "LpNormalization", "Softmax", "Split"), _along_axis),
    "Concat": _concat,
    "ConvTranspose": _transposed,
    "DepthToSpace": _depth_to_space,
    "Gather": _gather,
    "Pad": _pad,
    "Resize": _resize,
    "Slice": _slice,
    "SpaceToDepth": _space_to_depth,
    "Transpose": _transpose,
}
