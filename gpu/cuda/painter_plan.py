"""How the painter kernel runs each layer of a network at a size, and the weights as it reads them. Pure: tested without
a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cuda.painter import FRAME, PIECE, Layer, Painter, Rows
from framebrush.gpu.sizes import Size

WARP_PIXELS, WARPS = 16, 4


@dataclass(frozen=True, slots=True)
class Launch:
    """How a layer runs at a size. a_channels, b_channels: channels read of each input, padded to whole pieces. outputs:
    padded to whole pieces. group_outputs: of them, those of one group. tiles: of 16 pixels for each warp. in_size,
    out_size: width and height of the input before its padding, and of the output before it is enlarged. b_width: of the
    second input. shared_bytes: of an SM's own memory for a group."""

    layer: Layer
    a_channels: int
    b_channels: int
    outputs: int
    group_outputs: int
    tiles: int
    in_size: Size
    out_size: Size
    b_width: int
    shared_bytes: int

    @property
    def pieces(self) -> int:
        """Pieces along the product's inner dimension."""
        return self.layer.side**2 * (self.a_channels + self.b_channels) // PIECE

    @property
    def groups_of_outputs(self) -> int:
        """How many groups share a tile."""
        return self.outputs // self.group_outputs

    @property
    def tile_counts(self) -> tuple[int, int]:
        """Tiles across and down."""
        return -(-self.out_size[0] // WARP_PIXELS), -(-self.out_size[1] // (WARPS * self.tiles))

    @property
    def made_size(self) -> Size:
        """Width and height of what the layer makes."""
        enlarged = 2 if self.layer.shuffle else 1
        return self.out_size[0] * enlarged, self.out_size[1] * enlarged

    @property
    def made_channels(self) -> int:
        """Channels of what the layer makes."""
        return self.outputs // 4 if self.layer.shuffle else self.outputs


WEIGHTS_BYTES = 41 << 10  # of a group, so that two groups share an SM
GROUP_OUTPUTS = 64


def plan_launches(painter: Painter, size: Size, shared_limit_bytes: int) -> tuple[Launch, ...] | None:
    """How each layer runs for frames of a size; None where a group needs more of an SM's memory than there is."""
    launches: list[Launch] = []
    for number, layer in enumerate(painter.layers):
        in_size = size if layer.a == FRAME else launches[layer.a].made_size
        a_channels = PIECE if layer.a == FRAME else launches[layer.a].made_channels
        b_channels, b_width = 0, 0
        if layer.b is not None:
            other = launches[layer.b]
            b_channels, b_width = other.made_channels, other.made_size[0]
            if (other.made_size[0] - layer.crop, other.made_size[1] - layer.crop) != in_size:
                return None
        width, height = ((side + sum(layer.pad) - layer.side) // layer.stride + 1 for side in in_size)
        if min(width, height) < 1:
            return None
        outputs = -(-layer.outputs // PIECE) * PIECE
        fitting = _shape(layer, a_channels + b_channels, outputs, shared_limit_bytes)
        if fitting is None:
            return None
        launches.append(
            Launch(layer, a_channels, b_channels, outputs, *fitting[:2], in_size, (width, height), b_width, fitting[2])
        )
        if number == len(painter.layers) - 1 and launches[-1].made_size != size:
            return None
    return tuple(launches)


def _shape(layer: Layer, channels: int, outputs: int, shared_limit_bytes: int) -> tuple[int, int, int] | None:
    """Outputs of a group, tiles of a warp, and the memory that both take."""
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
    """The weights as the kernel reads them, a row for each painting: those of all layers, then the biases; and where
    those of each layer begin, in elements, the biases counted from the first of them."""
    parts, biases, weight_offsets, bias_offsets = [], [], [], []
    at = bias_at = 0
    for number, launch in enumerate(launches):
        layer = launch.layer
        source = _source_of_outputs(launch, last=number == len(launches) - 1)
        n, tap, c = np.ogrid[: launch.outputs, : layer.side**2, : launch.a_channels + launch.b_channels]
        index = layer.kernel + (source[n] * layer.inputs + c) * layer.side**2 + tap
        index = np.where((source[n] >= 0) & (c < layer.inputs), index, -1)
        # Groups of outputs, pieces, outputs of the group, channels of the piece.
        index = index.reshape(launch.groups_of_outputs, launch.group_outputs, launch.pieces, PIECE)
        index = index.transpose(0, 2, 1, 3).ravel()
        weight_offsets.append(at)
        bias_offsets.append(bias_at)
        at, bias_at = at + index.size, bias_at + launch.outputs
        parts.append(_taken(painter.rows, index))
        biases.append(_taken(painter.rows, np.where(source >= 0, layer.bias + source, -1)))
    return np.concatenate([*parts, *biases], axis=1), weight_offsets, bias_offsets


def _source_of_outputs(launch: Launch, *, last: bool) -> npt.NDArray[np.int64]:
    """For each output of the kernel the network's; -1 for none."""
    outputs = np.arange(launch.outputs)
    if last:
        return np.where(outputs < launch.layer.outputs, outputs, -1)
    if launch.layer.shuffle:
        channels = launch.outputs // 4
        return outputs % channels * 4 + outputs // channels
    return outputs


def _taken(rows: Rows, index: npt.NDArray[np.int64]) -> npt.NDArray[np.float16]:
    values = np.take(rows, np.maximum(index, 0), axis=1)
    return np.where(index >= 0, values, 0).astype(np.float16)
