"""How the painter's kernel of HLSL, and of the WGSL that is made of it, runs each layer of a network at a size, and the
weights as it reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from framebrush.gpu.device import UNSEEN_CODES
from framebrush.gpu.hlsl_records import CONV
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.painter import FRAME, Painter, Rows
from framebrush.gpu.painter_plan import Placed, bias_index, kernel_index, place, taken
from framebrush.gpu.sizes import Size
from framebrush.models.style import ModelCard

PIECE = 4
"""Channels that lie together: one element of a typed buffer."""

GROUP_VECTORS = 2048
"""Vectors of 4 numbers that a group's threads may share."""


@dataclass(frozen=True, slots=True)
class Tile:
    """What a thread computes at most: pieces of outputs, of so many lines. Their product counts: it is how many
    registers the sums take."""

    pieces: int
    lines: int
    filtered: bool = False
    """Whether kernels of 3x3 are computed by Winograd's minimal filtering, F(2, 3) along columns: 4 products for 2
    lines where there were 6, with twice as many sums."""


TILES = {"filtered": Tile(2, 4, filtered=True), "plain": Tile(2, 4)}
"""Measured on each card. More sums for a thread leave too few threads on large cards, fewer read too often."""

INDIVISIBLE = 3
"""So many pieces of outputs at most are made by one thread, whatever the tile, where they cannot be halved."""


@dataclass(frozen=True, slots=True)
class Dispatch(Placed):
    """How a layer runs at a size: as `groups` that make `tile.pieces` pieces of its outputs each."""

    tile: Tile

    @property
    def groups(self) -> int:
        """Groups of threads in z: they read the same and make different pieces."""
        return self.outputs // (PIECE * self.tile.pieces)

    @property
    def vectors(self) -> int:
        """Vectors of 4 numbers of the layer's biases and weights."""
        return self.outputs // PIECE * (1 + self.taps * (self.a_channels + self.b_channels))

    @property
    def taps(self) -> int:
        """Weights for a pair of channels."""
        return (4 if self.tile.filtered else self.layer.side) * self.layer.side

    @property
    def threads(self) -> int:
        """How many make a group's pieces."""
        return self.out_size[0] * -(-self.out_size[1] // self.tile.lines)

    @property
    def made_pieces(self) -> int:
        """Elements of what the layer makes."""
        return self.made_channels // PIECE * self.made_size[0] * self.made_size[1]


def plan_dispatches(painter: Painter, size: Size, most: Tile) -> tuple[Dispatch, ...] | None:
    """How each layer runs for frames of a size; None where its weights exceed what threads share."""
    placed, dispatches = place(painter, size, PIECE), list[Dispatch]()
    for one in placed or ():
        made = one.outputs // PIECE
        lines = next(n for n in (8, 4, 2, 1) if n <= min(most.lines, one.out_size[1]))
        filtered = most.filtered and (one.layer.side, one.layer.stride) == (3, 1) and lines > 1
        taps = (4 if filtered else one.layer.side) * one.layer.side
        shared = 2 * taps * PIECE  # vectors for a piece of outputs: those at hand and those that come
        largest = made if made <= INDIVISIBLE else most.pieces
        fitting = [n for n in range(1, largest + 1) if made % n == 0 and n * shared <= GROUP_VECTORS]
        if not fitting:
            return None
        tile = Tile(max(fitting), lines, filtered)
        dispatches.append(Dispatch(**one.values, tile=tile))
    return tuple(dispatches) or None


def packed(painter: Painter, dispatches: Sequence[Dispatch]) -> Rows:
    """The weights as the kernel reads them, a row for each painting: for each group of each layer its biases and then,
    for each piece of inputs, tap and channel, those of its outputs."""
    blocks, paintings = [], len(painter.rows)
    for number, one in enumerate(dispatches):
        last, side, channels = number == len(dispatches) - 1, one.layer.side, one.a_channels + one.b_channels
        index = kernel_index(one, last=last).reshape(one.groups, -1, side, side, channels // PIECE, PIECE)
        kernel = taken(painter.rows, index.transpose(0, 4, 2, 3, 5, 1))
        if one.tile.filtered:
            kernel = np.stack(_filtered(*np.moveaxis(kernel, 3, 0)), axis=3)
        biases = taken(painter.rows, bias_index(one, last=last).reshape(one.groups, -1))
        block = [values.reshape(paintings, one.groups, -1) for values in (biases, kernel)]
        blocks.append(np.concatenate(block, axis=2).reshape(paintings, -1))
    return np.concatenate(blocks, axis=1)


def _filtered(first: Rows, second: Rows, third: Rows) -> tuple[Rows, Rows, Rows, Rows]:
    """The rows of a kernel as F(2, 3) multiplies them: Lavin and Gray, "Fast Algorithms for Convolutional Neural
    Networks" (2015), section 4.1."""
    half = np.float32(0.5)
    return first, half * (first + second + third), half * (first - second + third), third


def shared_buffers(dispatches: Sequence[Dispatch], uses: dict[int, int]) -> tuple[list[int], list[int]]:
    """For each layer but the last the buffer that it writes, and the elements of each buffer. uses: the last layer that
    reads each: a buffer is free behind it."""
    free: list[int] = []
    of_layer: list[int] = []
    elements: list[int] = []
    for number, one in enumerate(dispatches[:-1]):
        fitting = [buffer for buffer in free if elements[buffer] >= one.made_pieces]
        if fitting:
            chosen = min(fitting, key=elements.__getitem__)
            free.remove(chosen)
        else:
            chosen = len(elements)
            elements.append(one.made_pieces)
        of_layer.append(chosen)
        free += [of_layer[read] for read, last in uses.items() if last == number]
    return of_layer, elements


def conv_variant(dispatches: Sequence[Dispatch], number: int, stored: str) -> Variant:
    """The kernel conv for a layer."""
    one, last = dispatches[number], number == len(dispatches) - 1
    kinds = {
        "STEM": one.layer.a == FRAME,
        "JOINED": one.layer.b is not None,
        "LAST": last,
        "SHUFFLE": one.layer.shuffle and not last,
        "HALF": stored == "float16",
        "FILTERED": one.tile.filtered,
    }
    sizes = {"PIECES": one.tile.pieces, "LINES": one.tile.lines, "SIDE": one.layer.side, "STRIDE": one.layer.stride}
    given = ((name, str(value)) for name, value in sizes.items())
    return Variant("conv", (*given, *((name, "1") for name, wanted in kinds.items() if wanted)))


def stored_in(card: ModelCard) -> str:
    """The type of what lies between a painter's layers: 16 bits where computing in them would not be seen. With sums in
    float32 that moves a picture by a tenth of a code at most."""
    codes = card.float16_codes
    return "float16" if card.precision == "float16" or (codes is not None and codes <= UNSEEN_CODES) else "float32"


def conv_record(one: Dispatch, first_weight: int) -> np.ndarray[Any, np.dtype[Any]]:
    """Constants of the kernel conv for a layer. first_weight: where its biases lie among the weights."""
    record, layer = np.zeros((), CONV), one.layer
    record["in_size"], record["b_size"], record["out_size"] = one.in_size, one.b_size, one.out_size
    record["a_pieces"], record["b_pieces"] = one.a_channels // PIECE, one.b_channels // PIECE
    record["side"], record["pad"], record["crop"] = layer.side, layer.pad[0], layer.crop
    record["first_weight"], record["corner_pieces"] = first_weight, max(1, one.made_channels // PIECE)
    record["lowest"] = 0.0 if layer.relu else -np.inf
    return record
