"""Filters that resize pictures, as weights for each output sample: what every device computes with.

A filter is separable. An output sample is the weighted mean of the input samples under the filter, whose width grows
with the reduction, so that a smaller picture has no aliasing. Outside the picture its edge is repeated. That is the
definition of ONNX's `Resize` with `antialias`; Pillow's `Image.resize` differs only at the edges.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array


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

_HALF_WIDTH = {Filter.LINEAR: 1.0, Filter.CATMULL_ROM: 2.0}


class Taps(NamedTuple):
    """first: (out,) int32, index of the first input sample. weights: (out, n) float64, rows sum to 1; `first + n` never
    exceeds the input's length."""

    first: npt.NDArray[np.int32]
    weights: Array

    @property
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


def _curve(x: Array, shape: Filter) -> Array:
    x = np.abs(x)
    if shape is Filter.LINEAR:
        return np.maximum(0.0, 1.0 - x)
    near = 1.5 * x**3 - 2.5 * x**2 + 1.0
    far = -0.5 * x**3 + 2.5 * x**2 - 4.0 * x + 2.0
    return np.where(x < 1.0, near, np.where(x < 2.0, far, 0.0))
