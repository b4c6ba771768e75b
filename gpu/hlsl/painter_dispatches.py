"""Dispatch plan and packed weights of the painter in HLSL and WGSL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from framebrush.gpu.device import UNSEEN_CODES
from framebrush.gpu.hlsl.hlsl_records import CONV
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.painter import FRAME, Painter, Rows
from framebrush.gpu.painter_plan import Placed, bias_index, kernel_index, place, taken
from framebrush.gpu.sizes import Size
from framebrush.models.style import ModelCard, Precision

PIECE = 4
"""Channels in an element of a typed buffer."""

GROUP_VECTORS = 2048
"""Vectors of 4 numbers in group-shared memory."""


@dataclass(frozen=True, slots=True)
class Tile:
    """Most outputs of a thread: pieces of four channels times lines."""

    pieces: int
    lines: int
    filtered: bool = False
    """Whether 3x3 kernels use Winograd's minimal filtering F(2, 3) along columns: 4 products for 2 lines in place of 6,
    with twice the sums."""
    native: bool = False
    """Whether products and sums have 16 bits, except for the layer that reads the frame: later ones enlarge its errors.
    """


HALVES = " in 16 bits"
"""End of the names of native tiles."""

TILES = {"filtered": Tile(2, 4, filtered=True), "plain": Tile(2, 4)}
"""Tiles, measured on each card. More sums per thread leave too few threads on large cards; fewer read too often."""

NATIVE_TILES = {
    f"filtered 4x2{HALVES}": Tile(4, 2, filtered=True, native=True),
    f"filtered 6x4{HALVES}": Tile(6, 4, filtered=True, native=True),
}
"""Tiles where 16 bits are native: sums take half the registers, so that a thread has room for more."""

INDIVISIBLE = 3
"""Most pieces of outputs that one thread makes with any tile, if they cannot be halved."""


@dataclass(frozen=True, slots=True)
class Dispatch(Placed):
    """Dispatch of a layer: `groups` groups of `tile.pieces` pieces."""

    tile: Tile

    @property
    def groups(self) -> int:
        """Groups of threads in z."""
        return self.outputs // (PIECE * self.tile.pieces)

    @property
    def vectors(self) -> int:
        return self.outputs // PIECE * (1 + self.taps * (self.a_channels + self.b_channels))

    @property
    def taps(self) -> int:
        """Weights for a pair of channels."""
        return (4 if self.tile.filtered else self.layer.side) * self.layer.side

    @property
    def threads(self) -> int:
        return self.out_size[0] * -(-self.out_size[1] // self.tile.lines)

    @property
    def made_pieces(self) -> int:
        return self.made_channels // PIECE * self.made_size[0] * self.made_size[1]


def plans(painter: Painter, size: Size, *, native: bool) -> dict[str, tuple[Dispatch, ...]]:
    """Plan with each tile that fits, by name."""
    tiles = {**TILES, **(NATIVE_TILES if native else {})}
    planned = {name: plan_dispatches(painter, size, tile) for name, tile in tiles.items()}
    return {name: dispatches for name, dispatches in planned.items() if dispatches is not None}


def plan_dispatches(painter: Painter, size: Size, most: Tile) -> tuple[Dispatch, ...] | None:
    """Plan every layer; None if weights exceed group-shared memory."""
    placed, dispatches = place(painter, size, PIECE), list[Dispatch]()
    for one in placed or ():
        made = one.outputs // PIECE
        lines = next(n for n in (8, 4, 2, 1) if n <= min(most.lines, one.out_size[1]))
        filtered = most.filtered and (one.layer.side, one.layer.stride) == (3, 1) and lines > 1
        taps = (4 if filtered else one.layer.side) * one.layer.side
        shared = 2 * taps * PIECE  # vectors for a piece of outputs, double-buffered
        largest = made if made <= INDIVISIBLE else most.pieces
        fitting = [n for n in range(1, largest + 1) if made % n == 0 and n * shared <= GROUP_VECTORS]
        if not fitting:
            return None
        tile = Tile(max(fitting), lines, filtered, most.native and one.layer.a != FRAME)
        dispatches.append(Dispatch(**one.values, tile=tile))
    return tuple(dispatches) or None


def packed(painter: Painter, dispatches: Sequence[Dispatch]) -> Rows:
    """Pack weights, a row per painting: by layer and group.

    Biases, then weights by piece, tap and channel.
    """
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
    half = np.float32(0.5)
    return first, half * (first + second + third), half * (first - second + third), third


def shared_buffers(dispatches: Sequence[Dispatch], uses: dict[int, int]) -> tuple[list[int], list[int]]:
    """Assign buffers to layers before the last; return them and their elements.

    uses: results' last readers.
    """
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
    """Return a layer's variant of `conv`."""
    one, last = dispatches[number], number == len(dispatches) - 1
    kinds = {
        "STEM": one.layer.a == FRAME,
        "JOINED": one.layer.b is not None,
        "LAST": last,
        "SHUFFLE": one.layer.shuffle and not last,
        "HALF": stored == "float16",
        "FILTERED": one.tile.filtered,
        "NATIVE": one.tile.native,
    }
    sizes = {"PIECES": one.tile.pieces, "LINES": one.tile.lines, "SIDE": one.layer.side, "STRIDE": one.layer.stride}
    given = ((name, str(value)) for name, value in sizes.items())
    return Variant("conv", (*given, *((name, "1") for name, wanted in kinds.items() if wanted)))


def stored_in(card: ModelCard, precision: Precision) -> str:
    """Return intermediate tensors' type: 16 bits unless that is visible."""
    unseen = card.float16_codes is not None and card.float16_codes <= UNSEEN_CODES
    return "float16" if card.precision == "float16" or (unseen and precision != "float32") else "float32"


def conv_record(one: Dispatch, first_weight: int) -> np.ndarray[Any, np.dtype[Any]]:
    """Make a layer's constants. first_weight: offset of the biases."""
    record, layer = np.zeros((), CONV), one.layer
    record["in_size"], record["b_size"], record["out_size"] = one.in_size, one.b_size, one.out_size
    record["a_pieces"], record["b_pieces"] = one.a_channels // PIECE, one.b_channels // PIECE
    record["side"], record["pad"], record["crop"] = layer.side, layer.pad[0], layer.crop
    record["first_weight"], record["corner_pieces"] = first_weight, max(1, one.made_channels // PIECE)
    record["lowest"] = 0.0 if layer.relu else -np.inf
    return record
