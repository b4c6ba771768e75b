"""Filters that resize pictures, as weights for each output sample: what every device computes with.

A filter is separable. An output sample is the weighted mean of the input samples under the filter, whose width grows
with the reduction, so that a smaller picture has no aliasing. Outside the picture its edge is repeated. That is the
definition of ONNX's `Resize` with `antialias`; Pillow's `Image.resize` differs only at the edges.

GPUs filter along the rows, then along the columns, with a tensor between the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.layouts import Pixels, Record, packed
from framebrush.gpu.passes import FLAG, Constant, Pass, Tensor
from framebrush.gpu.sizes import Size


class Filter(StrEnum):
    """The shape of a filter. LINEAR never leaves the range of its input; CATMULL_ROM is sharper and overshoots."""

    LINEAR = "linear"  # triangle of half width 1
    CATMULL_ROM = "catmull-rom"  # cubic of half width 2, a = -0.5 (Keys 1981)


TO_WORKING = Filter.LINEAR
"""The filter before the network: its input stays within 0 and 1."""

TO_TARGET = Filter.CATMULL_ROM
"""The filter behind the network, for its output and for the source that is mixed with it."""

TO_DETAIL = Filter.LINEAR
"""The filter of the low-pass that `gpu.stages.detail` needs, in both directions: with it no variance is negative."""

RESAMPLE = packed(
    ("input_size", *Pixels),  # of the planes that are read
    ("size", *Pixels),  # of the picture made
    ("padded", *Pixels),  # of the planes that are written
    ("taps", "<u4"),  # of the filter
)

_HALF_WIDTH = {Filter.LINEAR: 1.0, Filter.CATMULL_ROM: 2.0}


class Taps(NamedTuple):
    """first: (out,) int32, index of the first input sample. weights: (out, n) float64, rows sum to 1; `first + n` never
    exceeds the input's length."""

    first: npt.NDArray[np.int32]
    weights: Array

    @property
    def samples(self) -> int:
        """Weights of each sample made."""
        return len(self.weights[0])

    def table(self) -> npt.NDArray[np.float32]:
        """(out, 1 + n), what GPUs read: in each row the index of the first input sample, and the weights."""
        return np.column_stack([self.first, self.weights]).astype(np.float32)


def taps(length: int, resized: int, shape: Filter) -> Taps:
    """The weights that make `resized` samples of `length` along one axis.

    Source: A. R. Smith, "A pixel is not a little square", 1995, for the positions; R. G. Keys, "Cubic convolution
    interpolation for digital image processing", 1981, for the cubic.
    """
    step = length / resized
    width = _HALF_WIDTH[shape] * max(1.0, step)
    centres = (np.arange(resized) + 0.5) * step
    count = math.ceil(2 * width) + 1
    begin = np.floor(centres - width).astype(np.int64)
    positions = begin[:, None] + np.arange(count)
    unfolded = _curve((positions + 0.5 - centres[:, None]) / max(1.0, step), shape)
    unfolded /= unfolded.sum(axis=1, keepdims=True)
    kept = min(count, length)
    first = np.clip(begin, 0, length - kept)
    weights = np.zeros((resized, kept))
    rows = np.broadcast_to(np.arange(resized)[:, None], positions.shape)
    np.add.at(weights, (rows, np.clip(positions, 0, length - 1) - first[:, None]), unfolded)
    return Taps(first.astype(np.int32), weights)


def resample(picture: Array, size: Size, shape: Filter) -> Array:
    """(C, H, W) at another size (width, height), as (C, height, width). Nothing changes where the size is the same."""
    for axis, length in ((2, size[0]), (1, size[1])):
        if picture.shape[axis] == length:
            continue
        first, weights = taps(picture.shape[axis], length, shape)
        matrix = np.zeros((length, picture.shape[axis]))
        columns = first[:, None] + np.arange(weights.shape[1])
        np.put_along_axis(matrix, columns, weights, axis=1)
        picture = np.moveaxis(np.tensordot(matrix, picture, axes=(1, axis)), 0, axis)
    return picture


def to_target(picture: Array, size: Size) -> Array:
    """R'G'B' (3, H, W) at the target's size: clipped to 0..1, resampled, and clipped again where that overshot."""
    resized = resample(np.clip(picture, 0.0, 1.0), size, TO_TARGET)
    return np.clip(resized, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Resampling:
    """The two passes from one size to another. Whoever makes a picture may filter it along the rows himself, with
    `columns` into `between`.

    columns, rows: for each column and for each row of the picture made `Taps.table`. taps_x, taps_y: weights in them.
    """

    columns: Constant
    rows: Constant
    taps_x: int
    taps_y: int
    between: Tensor
    resized: Size

    @classmethod
    def of(cls, size: Size, resized: Size, shape: Filter, label: str) -> Resampling:
        """Sizes are width and height."""
        along = [taps(length, made, shape) for length, made in zip(size, resized, strict=True)]
        columns, rows = (
            Constant(f"{shape} filter {length} to {made}", "float32", filtered.table)
            for length, made, filtered in zip(size, resized, along, strict=True)
        )
        between = Tensor.of(f"{label} between two passes", (resized[0], size[1]))
        return cls(columns, rows, along[0].samples, along[1].samples, between, resized)

    def along_rows(self, source: Tensor) -> Pass:
        """From a tensor, which is clipped to 0..1, to `between`."""
        size = self.between.size_px
        record = resampled(source.size_px, size, size, self.taps_x)
        reads, writes = (source, self.columns), (self.between, FLAG)
        return Pass("resample", reads, writes, size, record, (("AXIS", "0"),), element_of=source)

    def along_columns(self, made: Tensor) -> Pass:
        """From `between` to a tensor, which is clipped to 0..1 and may be larger than the picture: the edge is
        repeated. Nothing is flagged."""
        record = resampled(self.between.size_px, self.resized, made.size_px, self.taps_y)
        reads, writes = (self.between, self.rows), (made, made)
        return Pass("resample", reads, writes, made.size_px, record, (("AXIS", "1"),), element_of=made)


def resampled(input_size: Size, size: Size, padded: Size, count: int) -> Record:
    """Constants of resample. input_size: of the planes that are read. size: of the picture made. padded: of the planes
    that are written. Each is (width, height). count: of the filter's weights."""
    record = np.zeros((), RESAMPLE)
    record["input_size"], record["size"], record["padded"], record["taps"] = input_size, size, padded, count
    return record


def _curve(x: Array, shape: Filter) -> Array:
    x = np.abs(x)
    if shape is Filter.LINEAR:
        return np.maximum(0.0, 1.0 - x)
    near = 1.5 * x**3 - 2.5 * x**2 + 1.0
    far = -0.5 * x**3 + 2.5 * x**2 - 4.0 * x + 2.0
    return np.where(x < 1.0, near, np.where(x < 2.0, far, 0.0))
