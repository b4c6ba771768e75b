"""How the painter's kernel runs each layer of a network at a size, and the weights as it reads them. Pure: tested
without Direct3D 12."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from framebrush.gpu.painter import Painter, Rows
from framebrush.gpu.painter_plan import Placed, bias_index, kernel_index, place, taken
from framebrush.gpu.sizes import Size

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


TILES = {"narrow": Tile(2, 4), "square": Tile(4, 4)}
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
        return self.outputs // PIECE * (1 + self.layer.side**2 * (self.a_channels + self.b_channels))

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
        shared = 2 * one.layer.side**2 * PIECE  # vectors for a piece of outputs: those at hand and those that come
        largest = made if made <= INDIVISIBLE else most.pieces
        fitting = [n for n in range(1, largest + 1) if made % n == 0 and n * shared <= GROUP_VECTORS]
        if not fitting:
            return None
        lines = next(n for n in (8, 4, 2, 1) if n <= min(most.lines, one.out_size[1]))
        tile = Tile(max(fitting), lines)
        dispatches.append(Dispatch(**one.values, tile=tile))
    return tuple(dispatches) or None


def packed(painter: Painter, dispatches: Sequence[Dispatch]) -> Rows:
    """The weights as the kernel reads them, a row for each painting: for each group of each layer its biases and then,
    for each piece of inputs, tap and channel, those of its outputs."""
    blocks = []
    for number, one in enumerate(dispatches):
        last, taps, channels = number == len(dispatches) - 1, one.layer.side**2, one.a_channels + one.b_channels
        index = kernel_index(one, last=last).reshape(one.groups, -1, taps, channels // PIECE, PIECE)
        index = index.transpose(0, 3, 2, 4, 1).reshape(one.groups, -1)
        biases = bias_index(one, last=last).reshape(one.groups, -1)
        blocks.append(np.concatenate([biases, index], axis=1).ravel())
    return taken(painter.rows, np.concatenate(blocks))


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
