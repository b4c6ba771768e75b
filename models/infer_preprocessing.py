"""Find out how a foreign network writes its pictures: from its metadata, else its graph, else by running it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from onnx import ModelProto

from framebrush.models import graph as g
from framebrush.models.preprocessing import Coding, Order, Preprocessing, PreprocessingOverrides, ValueRange
from framebrush.models.probe import Picture, Runner, sample_picture

SIDE_PX = 96  # of the probing picture: a multiple of every stride in use, and quick


def guess(model: ModelProto, overrides: PreprocessingOverrides, label: str) -> Preprocessing:
    """The conventions of a network with free sizes (see `free_size`), a person's word before any guess."""
    sizes = g.dims(next(value for value in model.graph.input if value.name != "mix"))
    layout = overrides.layout or ("nchw" if sizes[1] == 3 else "nhwc")
    front, tail, image = _front(model), _tail(model), _image_metadata(model)
    input_range = overrides.input_range or image.range or front.range
    output_range = overrides.output_range or image.range or tail
    order: Order = overrides.order or image.order or front.order or "rgb"
    found = Preprocessing(layout, order, input_range or "unit", output_range or "unit", overrides.mean, overrides.std)
    if input_range is None or output_range is None:
        found = _probe(model, found, input_range, output_range, label)
    method = (
        f"input {found.input_range} {_source(overrides.input_range, image.range, front.range, 'by trying it')}",
        f"output {found.output_range} {_source(overrides.output_range, image.range, tail, 'by trying it')}",
        f"order {order} {_source(overrides.order, image.order, front.order, 'assumed')}",
    )
    return replace(found, method="; ".join(method))


def _source(said: str | None, stated: str | None, seen: str | None, otherwise: str) -> str:
    return "as you said" if said else "by its metadata" if stated else "by its graph" if seen else otherwise


@dataclass(frozen=True, slots=True)
class _Evidence:
    range: ValueRange | None = None
    order: Order | None = None


def _image_metadata(model: ModelProto) -> _Evidence:
    """The keys of the ONNX standard for pictures (onnx/docs/MetadataProps.md)."""
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
    """What z = a * x + b becomes after one more operator with a constant."""
    value = constant.astype(np.float64).ravel()
    if op == "Mul":
        return a * value, b * value
    if op == "Div":
        return a / value, b / value
    if op == "Add":
        return a, b + value
    return a, b - value


def _front(model: ModelProto) -> _Evidence:
    """What the operators before the first convolution do with the picture.

    They bring it to numbers of a sane span about zero; of 0..1 and 0..255 that input is likelier which fits better.
    """
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
    # The means of the pictures that VGG was trained on: blue is the darkest, so their order is the channels'.
    order: Order | None = None
    means = np.broadcast_to(-b / a, 3)
    if np.ptp(means) > 0.02 * means.mean() > 0:
        order = "rgb" if means[0] > means[2] else "bgr"
    return _Evidence(best, order)


def _tail(model: ModelProto) -> ValueRange | None:
    """The range that the last operators bound the output to; None where they do not."""
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
    """The range whose numbers lie about low..high; those with a mean taken off lie about zero."""
    span, centre = high - low, (low + high) / 2
    if span > 20:
        return "byte"  # or caffe, which nobody was seen to give out
    if centre > 0.2 * span:
        return "unit"
    return "signed" if span < 2.8 else "imagenet"


def _probe(
    model: ModelProto, start: Preprocessing, input_range: ValueRange | None, output_range: ValueRange | None, label: str
) -> Preprocessing:
    """Run the network on a picture under each hypothesis; the one whose result keeps most of the picture's edges wins.

    A network fed with numbers of the wrong size paints flat or noisy pictures. One that normalises its first
    convolution does not care; then the input is taken to be written like the output.
    """
    runner = Runner(model, label)
    picture = sample_picture(SIDE_PX, SIDE_PX)
    candidates: tuple[ValueRange, ...] = (input_range,) if input_range else ("unit", "byte", "signed", "imagenet")
    results: list[tuple[float, Preprocessing]] = []
    for candidate in candidates:
        conventions = replace(start, input_range=candidate)
        raw = from_network(runner.run(to_network(picture, conventions)), conventions, coding=False)
        low, high = (float(end) for end in np.nanpercentile(raw, (1, 99)))
        seen = output_range or _range_of(low, high)
        conventions = replace(conventions, output_range=seen)
        styled = (raw - np.reshape(conventions.output.offset, (3, 1, 1))) / np.reshape(
            conventions.output.scale, (3, 1, 1)
        )
        agrees = 0.1 if candidate == seen else 0.0
        results.append((_kept_edges(picture, styled) + agrees, conventions))
    return max(results, key=lambda result: result[0])[1]


def _kept_edges(picture: Picture, styled: Picture) -> float:
    """Correlation of the edges' strength before and after, 0 for a flat picture. (3, H, W) and (3, H * s, W * s)."""
    scale = max(styled.shape[1] // picture.shape[1], 1)
    if (3, *(scale * side for side in picture.shape[1:])) != styled.shape or not np.isfinite(styled).all():
        return -1.0
    clipped = np.clip(styled, 0, 1).reshape(3, picture.shape[1], scale, -1, scale).mean(axis=(2, 4))
    contrast = min(1.0, float(clipped.std()) / 0.08)
    before, after = _edges(picture), _edges(clipped)
    if after.std() < 1e-6:
        return 0.0
    return contrast * float(np.corrcoef(before.ravel(), after.ravel())[0, 1])


def _edges(picture: Picture) -> Picture:
    """Mean gradient of the luma in blocks of 8x8."""
    luma = picture.mean(axis=0)
    gradient = np.hypot(*np.gradient(luma))
    rows, columns = (side // 8 for side in gradient.shape)
    return np.asarray(gradient[: rows * 8, : columns * 8].reshape(rows, 8, columns, 8).mean(axis=(1, 3)), np.float32)


def to_network(picture: Picture, conventions: Preprocessing) -> Picture:
    """(3, H, W) R'G'B' 0..1 as the network wants it, batch included."""
    coding: Coding = conventions.input
    value = picture * np.reshape(coding.scale, (3, 1, 1)) + np.reshape(coding.offset, (3, 1, 1))
    value = value[::-1] if conventions.order == "bgr" else value
    value = value.transpose(1, 2, 0) if conventions.layout == "nhwc" else value
    return np.ascontiguousarray(value[None], np.float32)


def from_network(result: Picture, conventions: Preprocessing, *, coding: bool = True) -> Picture:
    """The network's result as (3, H, W) R, G, B; 0..1, or in its own numbers without `coding`."""
    value = result[0]
    value = value.transpose(2, 0, 1) if conventions.layout == "nhwc" else value
    value = value[::-1] if conventions.order == "bgr" else value
    if coding:
        out = conventions.output
        value = (value - np.reshape(out.offset, (3, 1, 1))) / np.reshape(out.scale, (3, 1, 1))
    return np.ascontiguousarray(value, np.float32)
