"""Sizes of painters' layers and order of weights, for every GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu.painter import FRAME, Layer, Painter, Rows
from framebrush.gpu.sizes import Size

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Placed:
    """Layer at a size. a_channels, b_channels, outputs: padded to whole pieces.

    in_size: before padding. out_size: before upscaling. b_size: (0, 0) if missing.
    """

    layer: Layer
    a_channels: int
    b_channels: int
    outputs: int
    in_size: Size
    out_size: Size
    b_size: Size

    @property
    def values(self) -> dict[str, Any]:
        """Fields as keywords for a subclass."""
        return {field.name: getattr(self, field.name) for field in fields(Placed)}

    @property
    def made_size(self) -> Size:
        enlarged = 2 if self.layer.shuffle else 1
        return self.out_size[0] * enlarged, self.out_size[1] * enlarged

    @property
    def made_channels(self) -> int:
        return self.outputs // 4 if self.layer.shuffle else self.outputs


def place(painter: Painter, size: Size, piece: int) -> tuple[Placed, ...] | None:
    """Place every layer; None if sizes do not fit. piece: channels."""
    placed: list[Placed] = []
    for layer in painter.layers:
        in_size = size if layer.a == FRAME else placed[layer.a].made_size
        a_channels = piece if layer.a == FRAME else placed[layer.a].made_channels
        b_channels, b_size = 0, (0, 0)
        if layer.b is not None:
            other = placed[layer.b]
            b_channels, b_size = other.made_channels, other.made_size
            if (b_size[0] - layer.crop, b_size[1] - layer.crop) != in_size:
                return None
        width, height = ((side + sum(layer.pad) - layer.side) // layer.stride + 1 for side in in_size)
        if min(width, height) < 1:
            return None
        outputs = -(-layer.outputs // piece) * piece
        placed.append(Placed(layer, a_channels, b_channels, outputs, in_size, (width, height), b_size))
    return tuple(placed) if placed[-1].made_size == size else None


def kernel_index(one: Placed, *, last: bool) -> Indices:
    """Return offsets (outputs, taps, channels) in a row; -1 means 0."""
    layer, source = one.layer, _source_of_outputs(one, last=last)
    n, tap, c = np.ogrid[: one.outputs, : layer.side**2, : one.a_channels + one.b_channels]
    index = layer.kernel + (source[n] * layer.inputs + c) * layer.side**2 + tap
    return np.where((source[n] >= 0) & (c < layer.inputs), index, -1)


def bias_index(one: Placed, *, last: bool) -> Indices:
    """Return offsets (outputs,) in a row; -1 means 0."""
    source = _source_of_outputs(one, last=last)
    return np.where(source >= 0, one.layer.bias + source, -1)


def _source_of_outputs(one: Placed, *, last: bool) -> Indices:
    outputs = np.arange(one.outputs)
    if last:
        return np.where(outputs < one.layer.outputs, outputs, -1)
    if one.layer.shuffle:
        channels = one.outputs // 4
        return outputs % channels * 4 + outputs // channels
    return outputs


def taken(rows: Rows, index: Indices) -> Rows:
    """Gather values of rows by offset; -1 gives 0."""
    return np.where(index >= 0, np.take(rows, np.maximum(index, 0), axis=1), 0).astype(np.float32)


def last_uses(layers: Sequence[Layer]) -> dict[int, int]:
    """Return the last reader of each layer's result."""
    uses: dict[int, int] = {}
    for number, layer in enumerate(layers):
        uses |= {read: number for read in (layer.a, layer.b) if read is not None and read != FRAME}
    return uses
