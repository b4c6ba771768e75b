"""Overlapping tiles of one size, for networks that need too much memory.

Origins and sizes are multiples of the stride. Pixels near inner edges are discarded, so tiles are exact unless the
network normalises by input statistics.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Literal

Tiling = Literal["auto", "off"] | int
"""auto: tiles if the whole frame does not fit; off: never; N: tiles of about N pixels a side."""

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, ValueInfoProto

    from framebrush.models.style import ModelCard

LARGEST_SHAPE = 64
"""Constants with more elements hold weights, not shapes."""

UNKNOWN_RADIUS_PX = 64
"""Overlap for networks of unknown receptive field."""

LEAST_KEPT_PX = 32
"""Least part of each side that a tile contributes, so that overlap does not dominate."""

LEAST_INPUT_PX = 16
"""Smallest side of a network's input. Padding by reflection needs more pixels than it adds."""


@dataclass(frozen=True, slots=True)
class Tile:
    """Tile at x, y. left, top, right, bottom: kept part."""

    x: int
    y: int
    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Tiles, and sizes of padded frame and tile."""

    padded_width: int
    padded_height: int
    tile_width: int
    tile_height: int
    tiles: tuple[Tile, ...]
    scale: int = 1
    notes: tuple[str, ...] = ()

    @property
    def padded_size(self) -> tuple[int, int]:
        """Width and height of the whole input."""
        return self.padded_width, self.padded_height

    @property
    def output_size(self) -> tuple[int, int]:
        """Width and height of the whole output with padding."""
        return self.padded_width * self.scale, self.padded_height * self.scale

    @property
    def whole(self) -> bool:
        """Whether a single tile covers the frame."""
        return len(self.tiles) == 1


def plan(
    width: int,
    height: int,
    card: ModelCard,
    tiling: Tiling,
    *,
    bytes_per_pixel: float = 0.0,
    budget_bytes: int = 0,
) -> Plan:
    """Plan the tiles of a frame. Networks of fixed size are never tiled.

    tiling: off, a side in pixels, or auto for the largest within the budget. Raises ValueError for tiles without
    pixels.
    """
    stride = card.stride
    least = 1 if card.fixed_size else LEAST_INPUT_PX
    padded = (_up(max(width, least), stride), _up(max(height, least), stride))
    if tiling == "off" or card.fixed_size:
        side = max(padded)
    elif tiling == "auto":
        if padded[0] * padded[1] * bytes_per_pixel <= budget_bytes:
            side = max(padded)
        else:
            side = int(math.sqrt(budget_bytes / bytes_per_pixel)) // stride * stride
    elif tiling < 1:
        raise ValueError(f"tiles of {tiling} pixels have no pixels")
    else:
        side = _up(tiling, stride)
    overlap = _up(UNKNOWN_RADIUS_PX if card.radius_px is None else card.radius_px, stride)
    size_x, spans_x = _spans(padded[0], side, overlap, stride)
    size_y, spans_y = _spans(padded[1], side, overlap, stride)
    tiles = tuple(
        Tile(x, y, left, top, right, bottom) for (y, top, bottom), (x, left, right) in product(spans_y, spans_x)
    )
    notes = _notes(card, size_x, size_y) if len(tiles) > 1 else ()
    return Plan(*padded, size_x, size_y, tiles, card.scale, notes)


def shared(cards: Iterable[ModelCard]) -> ModelCard:
    """Return a card for planning several networks of one scale."""
    first, *others = cards
    for card in others:
        radii = [each.radius_px for each in (first, card) if each.radius_px is not None]
        first = replace(
            card if card.frame_statistics else first,
            stride=math.lcm(first.stride, card.stride),
            radius_px=max(radii) if len(radii) == 2 else None,
            fixed_size=first.fixed_size or card.fixed_size,
        )
    return first


def _up(value: int, stride: int) -> int:
    return -(-value // stride) * stride


def _spans(length: int, side: int, overlap: int, stride: int) -> tuple[int, list[tuple[int, int, int]]]:
    # the tile's size, and (origin, first, end) of each
    side = max(side, 2 * overlap + _up(LEAST_KEPT_PX, stride))
    if side >= length:
        return length, [(0, 0, length)]
    inner = length - 2 * overlap
    step = _up(-(-inner // -(-inner // (side - 2 * overlap))), stride)
    count, size = -(-inner // step), step + 2 * overlap
    spans, kept = [], 0
    for index in range(count):
        origin = min(index * step, length - size)
        end = length if index == count - 1 else origin + size - overlap
        spans.append((origin, kept - origin, end - origin))
        kept = end
    return size, spans


def _notes(card: ModelCard, width: int, height: int) -> tuple[str, ...]:
    notes = [f"tiles of {width}x{height} px"]
    if card.frame_statistics:
        notes.append(f"{card.title} normalises by statistics of the picture, so tiles change its look")
    elif card.radius_px is None:
        notes.append(f"the receptive field of {card.title} is not known, so seams between the tiles may show")
    return tuple(notes)


def activation_bytes_per_pixel(model: bytes) -> float:
    """Estimate a fixed-size network's peak tensor memory in bytes per input pixel."""
    import onnx

    graph = with_shapes(onnx.load_from_string(model))
    sizes = {value.name: _bytes(value) for value in (*graph.input, *graph.value_info, *graph.output)}
    last_use = {name: index for index, node in enumerate(graph.node) for name in node.input}
    outputs = {value.name for value in graph.output}
    live = peak = sum(sizes[value.name] for value in graph.input)
    for index, node in enumerate(graph.node):
        live += sum(sizes.get(name, 0) for name in node.output)
        peak = max(peak, live)
        done = {name for name in (*node.input, *node.output) if last_use.get(name, index) == index} - outputs
        live -= sum(sizes.get(name, 0) for name in done)
    frame = next(value for value in graph.input if value.name == "frame").type.tensor_type.shape.dim
    pixels: int = frame[2].dim_value * frame[3].dim_value
    return peak / pixels


def with_shapes(model: ModelProto, *, data_prop: bool = False) -> GraphProto:
    """Infer the shapes of a network of fixed size, without weights."""
    import onnx

    bare = onnx.ModelProto()
    bare.CopyFrom(model)
    for weights in bare.graph.initializer:
        if math.prod(weights.dims) > LARGEST_SHAPE:
            weights.ClearField("raw_data")
    return onnx.shape_inference.infer_shapes(bare, data_prop=data_prop).graph


def _bytes(value: ValueInfoProto) -> int:
    from onnx import helper

    tensor = value.type.tensor_type
    count: int = math.prod(dim.dim_value for dim in tensor.shape.dim)
    return count * helper.tensor_dtype_to_np_dtype(tensor.elem_type).itemsize
