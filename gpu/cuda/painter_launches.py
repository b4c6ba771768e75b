"""Launch plan of painter layers, and packing of weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.gpu.painter import PIECE, Layer, Painter
from framebrush.gpu.painter_plan import Placed, bias_index, kernel_index, place, taken
from framebrush.gpu.sizes import Size

WARP_PIXELS, WARPS = 16, 4


@dataclass(frozen=True, slots=True)
class Launch(Placed):
    """Launch of a layer. tiles: of 16 pixels. shared_bytes: per group."""

    group_outputs: int
    tiles: int
    shared_bytes: int

    @property
    def pieces(self) -> int:
        """Pieces along the inner dimension."""
        return self.layer.side**2 * (self.a_channels + self.b_channels) // PIECE

    @property
    def groups_of_outputs(self) -> int:
        """Groups that share a tile."""
        return self.outputs // self.group_outputs

    @property
    def tile_counts(self) -> tuple[int, int]:
        """Tiles across and down."""
        return -(-self.out_size[0] // WARP_PIXELS), -(-self.out_size[1] // (WARPS * self.tiles))


WEIGHTS_BYTES = 41 << 10  # of a group, so that two groups share a multiprocessor
GROUP_OUTPUTS = 64


def plan_launches(painter: Painter, size: Size, shared_limit_bytes: int) -> tuple[Launch, ...] | None:
    """Plan every layer; None without enough shared memory."""
    placed, launches = place(painter, size, PIECE), list[Launch]()
    for one in placed or ():
        fitting = _shape(one.layer, one.a_channels + one.b_channels, one.outputs, shared_limit_bytes)
        if fitting is None:
            return None
        group_outputs, tiles, shared_bytes = fitting
        launches.append(Launch(**one.values, group_outputs=group_outputs, tiles=tiles, shared_bytes=shared_bytes))
    return tuple(launches) or None


def _shape(layer: Layer, channels: int, outputs: int, shared_limit_bytes: int) -> tuple[int, int, int] | None:
    pieces = channels // PIECE
    weight_bytes = layer.side**2 * channels * 2
    fitting = [n for n in range(PIECE, min(outputs, GROUP_OUTPUTS) + 1, PIECE) if outputs % n == 0]
    group_outputs = max((n for n in fitting if n * weight_bytes <= WEIGHTS_BYTES), default=PIECE)
    for tiles in (4, 2, 1):
        across = (WARP_PIXELS - 1) * layer.stride + layer.side
        down = (WARPS * tiles - 1) * layer.stride + layer.side
        shared_bytes = group_outputs * weight_bytes + across * down * (pieces | 1) * 16
        if shared_bytes <= shared_limit_bytes and (tiles == 1 or tiles * group_outputs <= 4 * 32):
            return group_outputs, tiles, shared_bytes
    return None


def packed(painter: Painter, launches: Sequence[Launch]) -> tuple[npt.NDArray[np.float16], list[int], list[int]]:
    """Pack weights, a row per painting: all layers' weights, then biases."""
    parts, biases, weight_offsets, bias_offsets = [], [], [], []
    at = bias_at = 0
    for number, launch in enumerate(launches):
        last = number == len(launches) - 1
        index = kernel_index(launch, last=last)
        # groups of outputs, pieces, outputs of the group, channels of the piece
        index = index.reshape(launch.groups_of_outputs, launch.group_outputs, launch.pieces, PIECE)
        index = index.transpose(0, 2, 1, 3).ravel()
        weight_offsets.append(at)
        bias_offsets.append(bias_at)
        at, bias_at = at + index.size, bias_at + launch.outputs
        parts.append(taken(painter.rows, index))
        biases.append(taken(painter.rows, bias_index(launch, last=last)))
    return np.concatenate([*parts, *biases], axis=1).astype(np.float16), weight_offsets, bias_offsets
