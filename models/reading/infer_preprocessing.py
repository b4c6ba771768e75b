"""Inference of preprocessing from metadata, graph, trial runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from onnx import ModelProto

from framebrush.models import onnx_graph as g
from framebrush.models.colours.luma import LUMA
from framebrush.models.preprocessing import RANGES, Order, Preprocessing, PreprocessingOverrides, ValueRange
from framebrush.models.reading.interface import Ends
from framebrush.models.reading.network_probe import Numbers, Runner
from framebrush.models.sample_picture import sample_picture

_MARGIN = 0.2
"""Least lead of one reading's score over another's to be certain. Scores lie within about 0 to 1.5."""

_SURE = 1.35
"""Likeness from which the result is the picture itself."""

_GREY = {
    (1, 1): "luma only: the colours are the frame's",
    (1, 3): "it takes luma only: the colours are its own",
    (3, 1): "its result has one channel: it is grey",
}
"""Messages about networks with one channel, by channels of input and output."""

_ALIKE_DB = 35.0
"""Results closer than this are the same picture, and either reading is right."""


def infer(
    model: ModelProto, ends: Ends, runner: Runner, size: tuple[int, int], overrides: PreprocessingOverrides
) -> tuple[Preprocessing, str]:
    """Infer how a network from `canonical.to_nchw` encodes pictures, with an explanation.

    Overrides precede metadata, graph, trial runs. Raises StyleError.

    ends: as in the file; 8 bits are 0..255. size: (width, height) of the trial picture.
    """
    front, tail, image = _front(model), _tail(model), _image_metadata(model)
    if ends.input.is_byte:
        front = replace(front, range="byte")
    if ends.output.is_byte:
        tail = "byte"
    input_range = overrides.input_range or image.range or front.range
    output_range = overrides.output_range or image.range or tail
    order: Order = overrides.order or image.order or front.order or "rgb"
    found = Preprocessing(
        ends.input.layout, order, input_range or "unit", output_range or "unit", overrides.mean, overrides.std
    )
    doubt = ""
    if input_range is None or output_range is None:
        found, doubt = _try(runner, size, found, input_range, output_range)
    words = [
        f"input {found.input_range} {_source(overrides.input_range, image.range, front.range, 'by trying it')}",
        f"output {found.output_range} {_source(overrides.output_range, image.range, tail, 'by trying it')}",
    ]
    channels = ends.input.channels, ends.output.channels
    if 3 in channels:
        words.append(f"order {order} {_source(overrides.order, image.order, front.order, 'assumed')}")
    if channels != (3, 3):
        words.append(_GREY[channels])
    return found, "; ".join(words) + doubt


def _source(said: str | None, stated: str | None, seen: str | None, otherwise: str) -> str:
    return "as you said" if said else "by its metadata" if stated else "by its graph" if seen else otherwise


@dataclass(frozen=True, slots=True)
class _Evidence:
    range: ValueRange | None = None
    order: Order | None = None


def _image_metadata(model: ModelProto) -> _Evidence:
    said = {entry.key: entry.value for entry in model.metadata_props}
    ranges: dict[str, ValueRange] = {
        "NominalRange_0_255": "byte",
        "Normalized_0_1": "unit",
        "Normalized_1_1": "signed",
    }
    orders: dict[str, Order] = {"Rgb8": "rgb", "Bgr8": "bgr"}
    return _Evidence(
        ranges.get(said.get("Image.NominalPixelRange", "")), orders.get(said.get("Image.BitmapPixelFormat", ""))
    )


_PASS = {"Transpose", "Cast", "Pad", "Identity", "Squeeze", "Unsqueeze", "Dropout"}


def _affine(op: str, constant: g.Array, a: g.Array, b: g.Array) -> tuple[g.Array, g.Array]:
    value = constant.astype(np.float64).ravel()
    if op == "Mul":
        return a * value, b * value
    if op == "Div":
        return a / value, b / value
    if op == "Add":
        return a, b + value
    return a, b - value


def _front(model: ModelProto) -> _Evidence:
    """Infer 0..1 or 0..255 from operators before a convolution."""
    constants, readers = g.constants(model.graph), g.consumers(model.graph)
    name = next(value.name for value in model.graph.input if value.name != "mix")
    a, b = np.ones(1), np.zeros(1)
    while len(readers.get(name, ())) == 1:
        node = readers[name][0]
        if node.op_type in ("Add", "Sub", "Mul", "Div"):
            first = node.input[0] != name
            constant = constants.get(node.input[0 if first else 1])
            if constant is None or constant.size not in (1, 3) or (first and node.op_type in ("Sub", "Div")):
                break
            a, b = _affine(node.op_type, constant, a, b)
        elif node.op_type not in _PASS:
            break
        name = node.output[0]
    if np.all(a == 1) and np.all(b == 0):
        return _Evidence()
    best: ValueRange | None = None
    best_fit = np.inf
    peaks: tuple[tuple[ValueRange, float], ...] = (("unit", 1.0), ("byte", 255.0))
    for value_range, peak in peaks:
        span = float(np.abs(a).mean()) * peak
        off_centre = abs(float((a * peak / 2 + b).mean())) / span if span else np.inf
        if span > 0.5 and off_centre < best_fit:
            best, best_fit = value_range, off_centre
    # VGG's training means: blue is the darkest, so their order is the channels'
    order: Order | None = None
    means = np.broadcast_to(-b / a, 3)
    if np.ptp(means) > 0.02 * means.mean() > 0:
        order = "rgb" if means[0] > means[2] else "bgr"
    return _Evidence(best, order)


def _tail(model: ModelProto) -> ValueRange | None:
    """Return the last operators' range; None if unbounded."""
    constants, made_by = g.constants(model.graph), g.producers(model.graph)
    name = model.graph.output[0].name
    steps: list[tuple[str, g.Array]] = []
    while name in made_by:
        node = made_by[name]
        bounds = {"Tanh": (-1.0, 1.0), "Sigmoid": (0.0, 1.0), "HardSigmoid": (0.0, 1.0)}.get(node.op_type)
        if node.op_type == "Clip":
            ends = [constants.get(end) if end else None for end in (*node.input[1:], "", "")[:2]]
            if ends[0] is None or ends[1] is None:
                return None
            bounds = (float(ends[0].ravel()[0]), float(ends[1].ravel()[0]))
        if bounds:
            return _range_of(*_bounds_after(bounds, steps))
        name = node.input[0]
        if node.op_type in ("Add", "Sub", "Mul", "Div"):
            first = node.input[0] in constants
            constant = constants.get(node.input[0 if first else 1])
            if constant is None or constant.size not in (1, 3) or (first and node.op_type in ("Sub", "Div")):
                return None
            steps.append((node.op_type, constant))
            name = node.input[1 if first else 0]
        elif node.op_type not in _PASS - {"Pad"}:
            return None
    return None


def _bounds_after(bounds: tuple[float, float], steps: list[tuple[str, g.Array]]) -> tuple[float, float]:
    a, b = np.ones(1), np.zeros(1)
    for op, constant in reversed(steps):
        a, b = _affine(op, constant, a, b)
    ends = np.sort([float((a * bound + b).mean()) for bound in bounds])
    return float(ends[0]), float(ends[1])


def _range_of(low: float, high: float) -> ValueRange:
    # ranges with a mean subtracted lie around zero
    span, centre = high - low, (low + high) / 2
    if span > 20:
        return "byte"  # or caffe, which no known network returns
    if centre > 0.2 * span:
        return "unit"
    return "signed" if span < 2.8 else "imagenet"


def _try(
    runner: Runner,
    size: tuple[int, int],
    start: Preprocessing,
    input_range: ValueRange | None,
    output_range: ValueRange | None,
) -> tuple[Preprocessing, str]:
    """Run the network under each input reading; return the best."""
    picture = sample_picture(size[1], size[0])
    candidates: tuple[ValueRange, ...] = ("unit", "byte", "signed")
    if input_range:
        candidates = (input_range,)
    elif runner.channels == 3:
        candidates = RANGES
    results: list[tuple[float, Preprocessing, Numbers]] = []
    # likeliest first: an upscaler that returns the picture itself needs no second trial
    for candidate in sorted(candidates, key=lambda name: name != (output_range or "unit")):
        tried = replace(start, input_range=candidate)
        raw = runner.run(_encoded(picture, tried, runner.channels))[0]
        low, high = _ends(raw)
        tried = replace(tried, output_range=output_range or _range_of(low, high))
        styled = _decoded(raw, tried)
        alike = len(styled) == runner.channels == 3
        likeness = _likeness(picture, styled) if alike else _likeness(_luma(picture), _luma(styled))
        results.append((likeness + _likelihood(tried), tried, styled))
        if likeness > _SURE and len(styled[0]) > size[1]:
            return tried, ""
    results.sort(key=lambda result: result[0], reverse=True)
    best, found, styled = results[0]
    rivals = [other for score, other, result in results[1:] if best - score < _MARGIN and _differ(styled, result)]
    doubts = [f"{rival.input_range} input" for rival in rivals]
    if output_range is None:
        raw = styled * np.reshape(found.output.scale[: len(styled)], (-1, 1, 1)) + found.output.offset[0]
        low, high = _ends(raw)
        room = 0.15 * (high - low)
        nearby = {_range_of(low + by, high + by) for by in (-room, room)} | {_range_of(low - room, high + room)}
        doubts += [f"{near} output" for near in sorted(nearby - {found.output_range})]
    return found, f"; uncertain, {' or '.join(doubts)} fits nearly as well" if doubts else ""


def _ends(raw: Numbers) -> tuple[float, float]:
    low, high = np.nan_to_num(np.nanpercentile(raw, (1, 99)))
    return float(low), float(high)


def _likelihood(tried: Preprocessing) -> float:
    # -1..1 at one end alone is rare
    usual = {"unit": 0.1, "byte": 0.0, "imagenet": 0.0, "signed": -0.1, "caffe": -0.1}[tried.input_range]
    same = 0.3 if tried.input_range == "signed" else 0.15
    return usual + (same if tried.input_range == tried.output_range else 0.0)


def _likeness(picture: Numbers, styled: Numbers) -> float:
    """Return a result's likeness to its picture: 1 for edges, 0.5 for tones, -1."""
    scale = max(styled.shape[1] // picture.shape[1], 1)
    if (len(picture), *(scale * side for side in picture.shape[1:])) != styled.shape or not np.isfinite(styled).all():
        return -1.0
    small = styled.reshape(len(picture), picture.shape[1], scale, -1, scale).mean(axis=(2, 4))
    clipped = np.clip(small, 0, 1)
    contrast = min(1.0, float(clipped.std()) / 0.08)
    before, after = _edges(picture), _edges(clipped)
    edges = float(np.corrcoef(before.ravel(), after.ravel())[0, 1]) if after.std() > 1e-6 else 0.0
    # not clipped, so that results far outside 0..1 count as far
    tones = float(np.sqrt(np.mean((_blocks(picture) - _blocks(small)) ** 2)))
    return contrast * edges + 0.5 * max(0.0, 1 - tones / 0.3)


def _differ(a: Numbers, b: Numbers) -> bool:
    error = np.mean((np.clip(a, 0, 1) - np.clip(b, 0, 1)) ** 2) if a.shape == b.shape else 1.0
    return not -10 * np.log10(max(float(error), 1e-12)) > _ALIKE_DB


def _edges(picture: Numbers) -> Numbers:
    return _blocks(np.hypot(*np.gradient(picture.mean(axis=0)))[None])


def _blocks(picture: Numbers) -> Numbers:
    rows, columns = (side // 8 for side in picture.shape[1:])
    blocks = picture[:, : rows * 8, : columns * 8].reshape(len(picture), rows, 8, columns, 8)
    return np.asarray(blocks.mean(axis=(2, 4)), np.float32)


def _luma(picture: Numbers) -> Numbers:
    if len(picture) == 1:
        return picture
    return np.tensordot(LUMA, picture, 1)[None].astype(np.float32)


def _encoded(picture: Numbers, preprocessing: Preprocessing, channels: int) -> Numbers:
    coding = preprocessing.input
    if channels == 1:
        value = _luma(picture) * coding.scale[0] + coding.offset[0]
    else:
        value = picture * np.reshape(coding.scale, (3, 1, 1)) + np.reshape(coding.offset, (3, 1, 1))
        value = value[::-1] if preprocessing.order == "bgr" else value
    return np.ascontiguousarray(value[None], np.float32)


def _decoded(raw: Numbers, preprocessing: Preprocessing) -> Numbers:
    coding, channels = preprocessing.output, len(raw)
    value = raw[::-1] if preprocessing.order == "bgr" else raw
    offset, scale = (np.reshape(numbers[:channels], (-1, 1, 1)) for numbers in (coding.offset, coding.scale))
    return np.ascontiguousarray((value - offset) / scale, np.float32)
