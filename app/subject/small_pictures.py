"""Small pictures of a frame, sampled from its planes."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from framebrush.gpu import colour
from framebrush.gpu.cpu.stages.cpu_colour_table import Colours
from framebrush.gpu.frame import Frame, FrameFormat, Matrix, Plane, PlaneOrder, Primaries, Transfer, gbrp
from framebrush.gpu.sizes import Size
from framebrush.models.colours.colour_table import COMMON_GRID, ColourTable
from framebrush.subject import mask_kernels

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int32]


def luma_of(frame: Frame, side: int) -> Bytes:
    """Return a frame's luma (of R'G'B' green) at (side, side), 0..255."""
    form = frame.format
    plane, *_ = frame.components
    if form.floating:
        return _bytes_of(_sums(form, plane, (side, side)) * np.float32(0.25))
    full_range = form.full_range or form.layout in (PlaneOrder.RGBA, PlaneOrder.GBR)
    luma = np.empty((side, side), np.uint8)
    fill = mask_kernels.sample_luma_8 if plane.itemsize == 1 else mask_kernels.sample_luma_16
    fill(*_samples(plane, (side, side)), form.shift, _luma_of_sums(form.bits, full_range), luma, 0, side)
    return luma


@lru_cache(maxsize=4)
def _luma_of_sums(bits: int, full_range: bool) -> Bytes:
    span = colour.code_range(bits, full_range)
    codes = np.arange(4 << bits, dtype=np.float32)[None] * np.float32(0.25)
    return _bytes_of((codes - np.float32(span.luma_offset)) / np.float32(span.luma_scale))


def _bytes_of(shares: Floats) -> Bytes:
    found: Bytes = np.rint(np.clip(shares, 0, 1) * np.float32(255)).astype(np.uint8)
    return found


def alpha_of(frame: Frame, side: int) -> Floats:
    """Return a frame's alpha at (side, side), 0..1."""
    assert frame.alpha is not None
    form = replace(frame.format, shift=0)  # alpha planes have no shift
    sums = _sums(form, frame.alpha, (side, side))
    alpha: Floats = np.clip(sums / np.float32(4 * form.top), 0.0, 1.0)
    return alpha


def rgb_of(frame: Frame, size: Size) -> Floats:
    """Return a frame at (width, height) as SDR R'G'B', (3, H, W), 0..1."""
    form, shown = frame.format, frame.components
    if form.matrix is Matrix.RGB:
        green, blue, red = shown
        shown = red, green, blue
    matrix = colour.codes_to_rgb(form).astype(np.float32)
    rgb = np.empty((3, size[1], size[0]), np.float32)
    if form.floating:
        sums = [_sums(form, plane, size) for plane in shown]
        for weights, into in zip(matrix, rgb, strict=True):
            parts = [np.float32(0.25) * weight * part for weight, part in zip(weights, sums, strict=False)]
            np.clip(sum(parts) + weights[3], 0, 1, out=into)
    else:
        colourless = int(colour.code_range(form.bits, form.full_range).chroma_offset) << form.shift
        grey = np.full((1, 1), colourless, form.dtype)
        one, two, three, *_ = *shown, grey, grey
        first, *places = _samples(one, size)
        (second, *others), (third, *_) = (_samples(plane, size) for plane in (two, three))
        fill = mask_kernels.sample_rgb_8 if first.itemsize == 1 else mask_kernels.sample_rgb_16
        fill(first, second, third, *places, *others, form.shift, matrix, rgb, 0, size[1])
    if form.transfer is not Transfer.SDR:
        _mapped(form.transfer, form.primaries, form.peak_nits).run(rgb, rgb)
    return rgb


@lru_cache(maxsize=4)
def _mapped(transfer: Transfer, primaries: Primaries, peak_nits: float) -> Colours:
    form = replace(gbrp(2, 2), transfer=transfer, primaries=primaries, peak_nits=peak_nits)
    sdr = replace(form, transfer=Transfer.SDR, primaries=Primaries.BT709)
    points = np.moveaxis(ColourTable.identity(COMMON_GRID).grid.astype(np.float64), -1, 0)
    return Colours(ColourTable(np.moveaxis(colour.recoded(points, form, sdr), 0, -1).astype(np.float32)))


def _sums(form: FrameFormat, plane: Plane, size: Size) -> Floats:
    """Return sums of 2 x 2 samples of a plane (H, W) at a size.

    Small planes give four times one sample.
    """
    down, across = _places(plane, size)
    four = form.codes(plane.take(down, axis=0).take(across, axis=1)).astype(np.float32)
    total: Floats = four[::2, ::2] + four[1::2, ::2] + four[::2, 1::2] + four[1::2, 1::2]
    return total


def _samples(plane: Plane, size: Size) -> tuple[Plane, Whole, Whole]:
    down, across = _places(plane, size)
    if min(plane.strides) < plane.itemsize or any(stride % plane.itemsize for stride in plane.strides):
        plane = np.ascontiguousarray(plane)
    step = plane.strides[1] // plane.itemsize
    together = as_strided(plane, (plane.shape[0], step * (plane.shape[1] - 1) + 1), (plane.strides[0], plane.itemsize))
    return together, down, across * np.int32(step) if step > 1 else across


def _places(plane: Plane, size: Size) -> tuple[Whole, Whole]:
    columns, rows = size
    large = plane.shape[0] >= 2 * rows and plane.shape[1] >= 2 * columns
    return _lines(rows, plane.shape[0], large), _lines(columns, plane.shape[1], large)


@lru_cache(maxsize=64)
def _lines(count: int, length: int, large: bool) -> Whole:
    """Return two samples per position: of both halves, or twice the centre."""
    if large:
        return _middles(2 * count, length)
    return _middles(count, length).repeat(2)


def _middles(count: int, length: int) -> Whole:
    return ((np.arange(count) + 0.5) * length / count).astype(np.int32)
