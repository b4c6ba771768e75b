"""Resize filters as weights of input samples, equal on all devices.

Separable, wider when reducing, edges repeated, like ONNX's `Resize` with `antialias`.
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
from framebrush.gpu.passes import FLAG, Constant, Pass, Tensor, packed_define
from framebrush.gpu.sizes import Size


class Filter(StrEnum):
    """Filter: LINEAR stays in the input's range; CATMULL_ROM is sharper."""

    LINEAR = "linear"  # triangle of half width 1
    CATMULL_ROM = "catmull-rom"  # cubic of half width 2, a = -0.5 (Keys 1981)


TO_WORKING = Filter.LINEAR
"""Filter before the network, whose input stays within 0..1."""

TO_TARGET = Filter.CATMULL_ROM
"""Filter after the network, for its output and for the source that is mixed with it."""

TO_DETAIL = Filter.LINEAR
"""Filter of the low-pass in `gpu.stages.detail`, in both directions: it never makes a variance negative."""

RESAMPLE = packed(
    ("input_size", *Pixels),  # of the input planes
    ("size", *Pixels),  # of the result
    ("padded", *Pixels),  # of the output planes
    ("taps", "<u4"),  # weights of the filter
    ("top", "<f4"),  # largest value of the result, of AXIS 1
    ("taps_rows", "<u4"),  # weights along columns, of `enlarge`
)

_HALF_WIDTH = {Filter.LINEAR: 1.0, Filter.CATMULL_ROM: 2.0}


class Taps(NamedTuple):
    """Weights along one axis.

    first: (out,), first input sample. weights: (out, n) float64, rows sum to 1.
    """

    first: npt.NDArray[np.int32]
    weights: Array

    @property
    def samples(self) -> int:
        return len(self.weights[0])

    def table(self) -> npt.NDArray[np.float32]:
        """Return (out, 1 + n) for GPUs: first sample and weights."""
        return np.column_stack([self.first, self.weights]).astype(np.float32)


def taps(length: int, resized: int, shape: Filter) -> Taps:
    """Compute the weights from `length` to `resized` samples.

    See Smith, "A pixel is not a little square", 1995; Keys, 1981.
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
    """Resize (C, H, W) to (width, height)."""
    for axis, length in ((2, size[0]), (1, size[1])):
        if picture.shape[axis] == length:
            continue
        first, weights = taps(picture.shape[axis], length, shape)
        matrix = np.zeros((length, picture.shape[axis]))
        columns = first[:, None] + np.arange(weights.shape[1])
        np.put_along_axis(matrix, columns, weights, axis=1)
        picture = np.moveaxis(np.tensordot(matrix, picture, axes=(1, axis)), 0, axis)
    return picture


def to_target(picture: Array, size: Size, top: float = 1.0) -> Array:
    """Resize R'G'B' to the target, clipped to 0..top."""
    resized = resample(np.clip(picture, 0.0, top), size, TO_TARGET)
    return np.clip(resized, 0.0, top)


@dataclass(frozen=True, slots=True)
class Resampling:
    """Passes along rows and columns, clipped to 0..top."""

    columns: Constant
    rows: Constant
    taps_x: int
    taps_y: int
    between: Tensor
    resized: Size
    top: float

    @classmethod
    def of(cls, size: Size, resized: Size, shape: Filter, label: str, top: float = 1.0) -> Resampling:
        """Make the passes between two sizes."""
        along = [taps(length, made, shape) for length, made in zip(size, resized, strict=True)]
        columns, rows = (
            Constant(f"{shape} filter {length} to {made}", "float32", filtered.table)
            for length, made, filtered in zip(size, resized, along, strict=True)
        )
        between = Tensor.of(f"{label} between two passes", (resized[0], size[1]))
        return cls(columns, rows, along[0].samples, along[1].samples, between, resized, top)

    @property
    def enlarges(self) -> bool:
        return self.resized[1] >= self.between.size_px[1]

    def at_once(self, source: Tensor, made: Tensor) -> tuple[Pass, ...]:
        """Return the passes, one if enlarging."""
        if not self.enlarges:
            return self.along_rows(source), self.along_columns(made)
        record = enlarged(source.size_px, made.size_px, (self.taps_x, self.taps_y), self.top)
        reads, writes = (source, self.columns, self.rows), (made, FLAG)
        packs = (("PACKS", "1"),) if packed_define(made) else ()
        return (Pass("enlarge", reads, writes, made.size_px, record, packs),)

    def along_rows(self, source: Tensor) -> Pass:
        """Return the pass from a tensor to `between`."""
        size = self.between.size_px
        record = resampled(source.size_px, size, size, self.taps_x)
        reads, writes = (source, self.columns), (self.between, FLAG)
        return Pass("resample", reads, writes, size, record, (("AXIS", "0"),), element_of=source)

    def along_columns(self, made: Tensor) -> Pass:
        """Return the pass from `between` to a tensor."""
        record = resampled(self.between.size_px, self.resized, made.size_px, self.taps_y, self.top)
        reads, writes = (self.between, self.rows), (made, made)
        return Pass("resample", reads, writes, made.size_px, record, (("AXIS", "1"),), element_of=made)


def enlarged(input_size: Size, size: Size, counts: tuple[int, int], top: float = 1.0) -> Record:
    """Make the constants of enlarge."""
    record = resampled(input_size, size, size, counts[0], top)
    record["taps_rows"] = counts[1]
    return record


def resampled(input_size: Size, size: Size, padded: Size, count: int, top: float = 1.0) -> Record:
    """Make the constants of resample. top: limit along columns."""
    record = np.zeros((), RESAMPLE)
    record["input_size"], record["size"], record["padded"], record["taps"] = input_size, size, padded, count
    record["top"] = top
    return record


def _curve(x: Array, shape: Filter) -> Array:
    x = np.abs(x)
    if shape is Filter.LINEAR:
        return np.maximum(0.0, 1.0 - x)
    near = 1.5 * x**3 - 2.5 * x**2 + 1.0
    far = -0.5 * x**3 + 2.5 * x**2 - 4.0 * x + 2.0
    return np.where(x < 1.0, near, np.where(x < 2.0, far, 0.0))
