"""Load a style: a bundled one by name, or any fast-style-transfer network in an ONNX file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from onnx import ModelProto

from framebrush.models import canonical, library, read_onnx
from framebrush.models import graph as g
from framebrush.models.dynamic_shapes import free_size
from framebrush.models.infer_preprocessing import guess
from framebrush.models.model_card import read_card
from framebrush.models.preprocessing import Preprocessing, PreprocessingOverrides
from framebrush.models.probe import Runner, sample_picture
from framebrush.models.receptive_field import ReceptiveField, receptive_field
from framebrush.models.style import SCALES, ModelCard, Style, StyleError

MAX_ELEMENTS = 1 << 26  # of one tensor at a side of about 96 px: hundreds of times what any style needs
SIDE_PX = 96

_GROWING = {"ConstantOfShape", "Expand", "EyeLike", "OneHot", "Range", "Tile"}  # as large as a number in them says


def load_style(path_or_name: str | Path, *, overrides: PreprocessingOverrides | None = None) -> Style:
    """Load a style and make it canonical (see `models.style`).

    path_or_name: an ONNX file, or the name of a bundled style. overrides: what a person knows better than a guess.
    The card's notes say what was guessed and how. Raises StyleError, one sentence, for what cannot be used.
    """
    path = library.find(path_or_name)
    return make_style(read_onnx.read_model(path), path.stem, overrides=overrides, label=str(path))


def make_style(
    model: ModelProto, name: str, *, overrides: PreprocessingOverrides | None = None, label: str | None = None
) -> Style:
    """Make a canonical style of a parsed network, which is changed on the way. Raises as `load_style` does."""
    label = label or name
    try:
        return _make(model, name, overrides or PreprocessingOverrides(), label)
    except StyleError:
        raise
    except Exception as error:  # a hostile graph can break any step, in libraries too; none of it may pass as a crash
        raise StyleError(f"{label}: the network is damaged or unusual ({_line(error)}); export it anew") from error


def _make(model: ModelProto, name: str, overrides: PreprocessingOverrides, label: str) -> Style:
    ours = read_card(model, name, label)
    read_onnx.modernise(model, label)
    read_onnx.check_interface(model, label)
    free_size(model, label)
    _check_sizes(model, label)
    conventions = _overridden(ours[1], overrides) if ours else guess(model, overrides, label)
    canonical.wrap(model, conventions)
    found = (
        ReceptiveField(ours[0].stride, ours[0].radius_px, ours[0].frame_statistics, ours[0].scale)
        if ours
        else receptive_field(model)
    )
    stride, scale = _stride_and_scale(model, found.stride, label)
    canonical.set_output_shape(model, scale)
    notes = () if ours else (f"read as {conventions.method}",)
    card = ours[0] if ours else ModelCard(name=name, title=name, paintings=_paintings(model, name))
    card = replace(
        card,
        title=overrides.title or card.title,
        stride=stride,
        radius_px=found.radius_px if (stride, scale) == (found.stride, found.scale) else None,
        frame_statistics=found.frame_statistics,
        scale=scale,
        precision=read_onnx.precision(model.graph.input[0]),
        notes=notes,
    )
    _check_paintings(model, card, label)
    return Style(card, model.SerializeToString(deterministic=True))


def _overridden(conventions: Preprocessing, overrides: PreprocessingOverrides) -> Preprocessing:
    said = {key: getattr(overrides, key) for key in ("layout", "order", "input_range", "output_range", "mean", "std")}
    return replace(conventions, **{key: value for key, value in said.items() if value is not None})


def _check_sizes(model: ModelProto, label: str) -> None:
    """Refuse, before anything is run, a network that gives no picture or would take the machine's memory."""
    picture = next(value for value in model.graph.input if value.name != canonical.MIX)
    sizes = tuple(size if isinstance(size, int) else SIDE_PX for size in g.dims(picture))
    shapes = g.shapes_at(model, {picture.name: sizes})
    result = shapes.get(model.graph.output[0].name)
    if result and (len(result) != 4 or result[sizes.index(3)] != 3):
        size = "x".join(map(str, result))
        raise StyleError(f"{label}: it gives {size} for a frame of {SIDE_PX} px, not a picture of 3 channels")
    for node in model.graph.node:
        if node.op_type in _GROWING and node.output[0] not in shapes:
            raise StyleError(f"{label}: the size of its {node.op_type} {node.output[0]!r} cannot be foreseen; refused")
    for tensor, shape in shapes.items():
        if np.prod(shape, dtype=np.float64) > MAX_ELEMENTS:
            size = "x".join(map(str, shape))
            raise StyleError(f"{label}: its tensor {tensor!r} is {size} for a frame of {SIDE_PX} px; refused")


def _stride_and_scale(model: ModelProto, expected: int | None, label: str) -> tuple[int, int]:
    """The smallest stride, from the expected one upwards, at which both sides come out multiplied by the same scale."""
    runner = Runner(model, label)
    reason = StyleError(f"{label}: a stride of {expected} pixels is more than any style needs")
    stride = expected or 1
    while stride <= 64:
        # Odd multiples: a size that a larger stride divides as well would hide that it is needed.
        multiple = (SIDE_PX // stride) | 1
        height, width = multiple * stride, (multiple + 2) * stride
        picture = sample_picture(height, width)[None]
        try:
            after = runner.run(picture).shape
            scale = after[2] // height
            if after == (1, 3, height * scale, width * scale) and scale in SCALES:
                return stride, scale
            had, has = (" x ".join(str(side) for side in shape) for shape in (picture.shape, after))
            reason = StyleError(
                f"{label}: a frame of {had} comes out as {has}; the network must be fully convolutional, with "
                f"padding that keeps the size or multiplies it by {SCALES[1]} to {SCALES[-1]}"
            )
        except StyleError as error:
            reason = error
        stride *= 2
    raise reason


def _paintings(model: ModelProto, name: str) -> tuple[str, ...]:
    count = _mix_size(model)
    return tuple(f"{name}-{index + 1}" for index in range(count)) if count else (name,)


def _mix_size(model: ModelProto) -> int:
    """How many weights the "mix" input takes; 0 without one."""
    for value in model.graph.input:
        if value.name == canonical.MIX:
            sizes = g.dims(value)
            if len(sizes) != 2 or not isinstance(sizes[1], int):
                raise StyleError('the "mix" input must be (1, number of paintings)')
            return sizes[1]
    return 0


def _check_paintings(model: ModelProto, card: ModelCard, label: str) -> None:
    count = _mix_size(model) or 1
    if count != len(card.paintings):
        raise StyleError(f"{label}: its card names {len(card.paintings)} paintings, the network has {count}")


def _line(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:160]}" if text else type(error).__name__
