"""Conversion of parsed networks to canonical styles."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import fields, replace

from onnx import ModelProto

from framebrush.base.text import count_of, first_line
from framebrush.models import onnx_graph as g
from framebrush.models.model_card import read_card
from framebrush.models.preprocessing import Preprocessing, PreprocessingOverrides
from framebrush.models.reading import canonical, dynamic_shapes, hazards, interface, operators, read_onnx
from framebrush.models.reading.cropping import restore_size
from framebrush.models.reading.network_probe import Runner, multiply_adds, out_of_memory
from framebrush.models.reading.shape_evaluation import evaluated_shapes
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF, SCALES, ModelCard, Style, StyleError

MAX_ELEMENTS = 1 << 26
"""Most numbers of a tensor at a side of about 96 px; larger frames scale it. Styles need hundreds of times less."""

SIDE_PX = 96
SIDES_PX = (96, 384, 1920)
"""Sides of frames for `check_sizes`."""

TRIED_PX = 64
MOST_OPERATIONS = 1e10
"""Multiply-adds of one trial, a second or less on two cores. Heavier networks get smaller pictures."""

MOST_TRYING_S = 20.0
"""Processor time for trying strides before a network is refused that states none."""

# powers of two, then three times these, five times, ...
STRIDES = tuple(sorted(range(1, 129), key=lambda n: (n // (n & -n), n)))


def make_style(
    model: ModelProto,
    name: str,
    *,
    overrides: PreprocessingOverrides | None = None,
    label: str | None = None,
    trusted: bool = False,
) -> Style:
    """Convert a parsed network to a canonical style, in place. Raises StyleError.

    label: for messages. trusted: believe its card.
    """
    label = label or name
    try:
        return _make(model, name, overrides or PreprocessingOverrides(), label, trusted=trusted)
    except StyleError:
        raise
    except Exception as error:  # a hostile graph can break any step, in libraries too, and must not look like a crash
        if out_of_memory(error):
            raise StyleError(f"{label}: it takes more memory than a style may; refused") from error
        raise StyleError(
            f"{label}: the network is damaged or unusual ({type(error).__name__}: {first_line(error)}); export it again"
        ) from error


def _make(model: ModelProto, name: str, overrides: PreprocessingOverrides, label: str, *, trusted: bool) -> Style:
    ours = read_card({entry.key: entry.value for entry in model.metadata_props}, name, label)
    interface.choose(model, overrides, label)
    read_onnx.modernise(model, label)
    source, size = interface.picture_in(model, overrides.layout or (ours[1].layout if ours else None), label)
    if not trusted:
        hazards.refuse_hazards(model, label)
    ends = interface.Ends(source, interface.picture_out(model, source), size)
    canonical.to_nchw(model, ends)
    if ours and trusted:
        dynamic_shapes.free_size(model, label)
        card = replace(ours[0], title=overrides.title or ours[0].title)
        return _trusted(model, card, _overridden(ours[1], overrides), label)
    as_exported = ModelProto()
    if ends.size:
        as_exported.CopyFrom(model)
    try:
        dynamic_shapes.free_size(model, label)
        return _converted(model, name, ends, ours, overrides, None, label)
    except Exception as reason:  # in libraries too, on unknown forms
        if ends.size is None or out_of_memory(reason):
            raise
    return _converted(as_exported, name, ends, ours, overrides, ends.size, label)


def _trusted(model: ModelProto, card: ModelCard, preprocessing: Preprocessing, label: str) -> Style:
    canonical.add_preprocessing(model, preprocessing, card.scale, 3)
    _check_result(model, tried_size(TRIED_PX // 2, card.stride), card.scale, label)
    _check_paintings(model, card, label)
    card = replace(card, precision=interface.precision(model.graph.input[0]))
    return Style(card, model.SerializeToString(deterministic=True))


def _converted(
    model: ModelProto,
    name: str,
    ends: interface.Ends,
    ours: tuple[ModelCard, Preprocessing] | None,
    overrides: PreprocessingOverrides,
    fixed_size: tuple[int, int] | None,
    label: str,
) -> Style:
    # imported here, as bundled networks, loaded at every start, need neither
    from framebrush.models.reading.infer_preprocessing import infer
    from framebrush.models.reading.receptive_field import ReceptiveField, receptive_field

    found = receptive_field(model) if fixed_size is None else ReceptiveField(1, None, False, None)
    lost, fixed_size = restore_size(model, found.stride or 1, fixed_size)
    if any(lost) and fixed_size is None:
        found = receptive_field(model)
    check_sizes(model, found.stride or 1, fixed_size, ends.output.channels, label)
    runner = Runner(model, label)
    if fixed_size:
        stride, scale, size = 1, scale_at(runner, fixed_size, label), fixed_size
    else:
        stride, scale, size = stride_and_scale(runner, found.stride, tried_px(model), label)
    if ours:
        preprocessing, notes = _overridden(ours[1], overrides), []
    else:
        preprocessing, method = infer(model, ends, runner, size, overrides)
        notes = [f"read as {method}"]
    notes += _size_notes(ends, lost, stride, fixed_size)
    canonical.add_preprocessing(model, preprocessing, scale, ends.output.channels)
    _check_result(model, size, scale, label)
    radius = found.radius_px if (stride, scale) == (found.stride, found.scale) else None
    if radius is not None and ends.input.channels == ends.output.channels == 1 and scale > 1:
        radius = max(radius, 1)  # for bilinear upscaling of the colours
    card = ours[0] if ours else ModelCard(name=name, title=name, paintings=_paintings(model, name))
    if not ours and scale == 1 and not _is_matte(ends):
        card = replace(card, brush=PAINTED_BRUSH, relief=PAINTED_RELIEF)
    card = replace(
        card,
        title=overrides.title or card.title,
        stride=stride,
        radius_px=radius,
        frame_statistics=found.frame_statistics,
        scale=scale,
        fixed_size=fixed_size,
        paints=True,
        precision=interface.precision(model.graph.input[0]),
        notes=tuple(notes),
    )
    _check_paintings(model, card, label)
    return Style(card, model.SerializeToString(deterministic=True))


def _size_notes(
    ends: interface.Ends, lost: tuple[int, int], stride: int, fixed_size: tuple[int, int] | None
) -> Iterator[str]:
    if any(lost):
        rows, columns = lost
        lacks = f"{count_of(rows, 'row')} and {count_of(columns, 'column')}"
        yield f"its result lacks {lacks}: the edge of the frame is extended by as many"
    if fixed_size:
        yield "it runs at {}x{} px only: frames are scaled to that size".format(*fixed_size)
    elif ends.size and any(side % stride for side in ends.size):
        width, height = ends.size
        yield f"it was exported for {width}x{height} px: frames of that size are extended to multiples of {stride} px"


def _is_matte(ends: interface.Ends) -> bool:
    """Return whether the result is a measurement, falsified by strokes."""
    return ends.output.channels < ends.input.channels


def _overridden(preprocessing: Preprocessing, overrides: PreprocessingOverrides) -> Preprocessing:
    said = {field.name: getattr(overrides, field.name) for field in fields(preprocessing)}
    return replace(preprocessing, **{key: value for key, value in said.items() if value is not None})


def check_sizes(
    model: ModelProto, stride: int, fixed_size: tuple[int, int] | None, result_channels: int, label: str
) -> None:
    """Refuse a network that returns no picture or needs too much memory."""
    channels = int(g.dims(model.graph.input[0])[1])
    sizes = [fixed_size] if fixed_size else [(multiple_above(side, stride),) * 2 for side in SIDES_PX]
    for width, height in sizes:
        shapes = evaluated_shapes(model, {canonical.INPUT: (1, channels, height, width)})
        at = f"for a frame of {width}x{height}"
        result = shapes.get(canonical.OUTPUT)
        if result and (len(result) != 4 or result[1] != result_channels):
            size = "x".join(map(str, result))
            raise StyleError(f"{label}: its output is {size} {at}, not a picture of 3 channels or 1")
        for node in model.graph.node:
            if node.op_type in operators.GROWING and node.output[0] not in shapes:
                raise StyleError(
                    f"{label}: the size of its {node.op_type} {node.output[0]!r} cannot be predicted; refused"
                )
        most = max(MAX_ELEMENTS / SIDE_PX**2 * width * height, MAX_ELEMENTS)
        for tensor, shape in shapes.items():
            if math.prod(shape) > most:
                size = "x".join(map(str, shape))
                raise StyleError(f"{label}: its tensor {tensor!r} is {size} {at}; refused")
        peak = g.peak_elements(model, shapes)
        if peak > 2 * most:
            raise StyleError(f"{label}: its tensors need {4 * peak >> 20} MB at a time {at}; refused")


def tried_px(model: ModelProto) -> int:
    """Return a trial picture's side; smaller for large networks."""
    operations = multiply_adds(model, TRIED_PX * 4) / 16
    return max(TRIED_PX * 3 // 8, min(TRIED_PX, int(TRIED_PX * math.sqrt(MOST_OPERATIONS / max(operations, 1.0)))))


def tried_size(side_px: int, stride: int) -> tuple[int, int]:
    """Return a trial size that exposes larger strides."""
    multiple = (side_px // stride) | 1
    return (multiple + 2) * stride, multiple * stride


def stride_and_scale(
    runner: Runner, expected: int | None, tried_px: int, label: str
) -> tuple[int, int, tuple[int, int]]:
    """Find scale and stride, a multiple of the expected one."""
    candidates = [stride for stride in STRIDES if stride % (expected or 1) == 0] or [expected or 1]
    # the second round is for networks that pad by more than the first round's pictures have
    reasons: list[StyleError] = []
    end_s = time.process_time() + MOST_TRYING_S
    for side, count in ((tried_px, len(candidates)), (4 * TRIED_PX, 8)):
        for stride in candidates[:count]:
            size = tried_size(side, stride)
            try:
                return stride, scale_at(runner, size, label), size
            except StyleError as error:
                reasons.append(error)
            if time.process_time() > end_s:
                raise reasons[0]
    raise reasons[0]


def scale_at(runner: Runner, size: tuple[int, int], label: str) -> int:
    """Run the network; return the scale. Raises StyleError."""
    width, height = size
    before = (1, runner.channels, height, width)
    after = runner.run(sample_picture(height, width)[None, : runner.channels]).shape
    scale = after[2] // height if len(after) == 4 else 0
    if after[:1] + after[2:] == (1, height * scale, width * scale) and scale in SCALES:
        return scale
    had, has = (" x ".join(str(side) for side in shape) for shape in (before, after))
    if len(after) == 4 and scale > SCALES[-1]:
        raise StyleError(f"{label}: a frame of {had} comes out as {has}; {SCALES[-1]} times a side is the most")
    raise StyleError(
        f"{label}: a frame of {had} comes out as {has}; a style keeps the size of a frame, or multiplies it by "
        f"{SCALES[1]} to {SCALES[-1]}"
    )


def _check_result(model: ModelProto, size: tuple[int, int], scale: int, label: str) -> None:
    if scale_at(Runner(model, label), size, label) != scale:
        raise StyleError(f"{label}: its card says that it enlarges {scale} times, which it does not")


def multiple_above(value: int, stride: int) -> int:
    """Round up to a multiple of the stride."""
    return -(-value // stride) * stride


def _paintings(model: ModelProto, name: str) -> tuple[str, ...]:
    count = mix_size(model)
    return tuple(f"{name}-{index + 1}" for index in range(count)) if count else (name,)


def mix_size(model: ModelProto) -> int:
    """Return the number of paintings in `mix`, 0 without."""
    for value in model.graph.input:
        if value.name == canonical.MIX:
            sizes = g.dims(value)
            if len(sizes) != 2 or not isinstance(sizes[1], int):
                raise StyleError('the "mix" input must be (1, number of paintings)')
            return sizes[1]
    return 0


def _check_paintings(model: ModelProto, card: ModelCard, label: str) -> None:
    count = mix_size(model) or 1
    if count != len(card.paintings):
        raise StyleError(
            f"{label}: its card names {count_of(len(card.paintings), 'painting')}, the network has {count}"
        )
