"""Small pictures of a decoded frame, sampled from its planes without converting all of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from framebrush.gpu import colour
from framebrush.gpu.frame import Frame, FrameFormat, Layout, Plane, Primaries, Transfer
from framebrush.gpu.sizes import Size

Floats = npt.NDArray[np.float32]


def luma_of(frame: Frame, side: int) -> Floats:
    """Return the luma of a frame stretched over (side, side), 0..1; of R'G'B' its green."""
    form = frame.format
    plane = frame.planes[0][..., 1] if form.layout is Layout.RGBA else frame.planes[0]  # of GBR the first is green
    codes = _sampled(form, plane, (side, side))
    if form.floating:
        return codes
    span = colour.code_range(form.bits, form.full_range or form.layout in (Layout.RGBA, Layout.GBR))
    luma: Floats = np.clip((codes - np.float32(span.luma_offset)) / np.float32(span.luma_scale), 0.0, 1.0)
    return luma


def alpha_of(frame: Frame, side: int) -> Floats:
    """Return the alpha of a frame that has one, stretched over (side, side), 0..1."""
    assert frame.alpha is not None
    alpha: Floats = np.clip(_sampled(frame.format, frame.alpha, (side, side)) / np.float32(frame.format.top), 0.0, 1.0)
    return alpha


def rgb_of(frame: Frame, size: Size) -> Floats:
    """Return a frame stretched over a size (width, height) as R'G'B' of SDR, (3, H, W), 0..1.

    HDR is tone-mapped.
    """
    form = frame.format
    planes = [_sampled(form, plane, size) for plane in frame.planes]
    match form.layout:
        case Layout.GREY:
            neutral = np.full_like(planes[0], colour.code_range(form.bits, form.full_range).chroma_offset)
            codes = [planes[0], neutral, neutral]
        case Layout.GBR:
            codes = [planes[2], planes[0], planes[1]]
        case Layout.RGBA:
            codes = [planes[0][..., n] for n in range(3)]
        case Layout.SEMI_PLANAR:
            codes = [planes[0], planes[1][..., 0], planes[1][..., 1]]
        case Layout.PLANAR:
            codes = planes[:3]
    matrix = colour.codes_to_rgb(form).astype(np.float32)
    flat = matrix[:, :3] @ np.stack(codes).reshape(3, -1) + matrix[:, 3:]
    rgb: Floats = np.clip(flat, 0.0, 1.0).reshape(3, size[1], size[0])
    if form.transfer is not Transfer.SDR:
        sdr = replace(form, transfer=Transfer.SDR, primaries=Primaries.BT709)
        rgb = colour.recoded(rgb.astype(np.float64), form, sdr).astype(np.float32)
    return rgb


def _places(count: int, length: int) -> npt.NDArray[np.intp]:
    return ((np.arange(count) + 0.5) * length / count).astype(np.intp)


def _picked(plane: Plane, size: Size) -> Plane:
    """Samples of a plane (H, W, ...) at the middles of the cells of a grid (columns, rows)."""
    rows = plane.take(_places(size[1], plane.shape[0]), axis=0)
    picked: Plane = rows.take(_places(size[0], plane.shape[1]), axis=1)
    return picked


def _sampled(frame: FrameFormat, plane: Plane, size: Size) -> Floats:
    """A plane at a size (columns, rows): codes, each the mean of 2 x 2 samples where the plane is large enough."""
    columns, rows = size
    if plane.shape[0] < 2 * rows or plane.shape[1] < 2 * columns:
        return frame.codes(_picked(plane, size)).astype(np.float32)
    four = frame.codes(_picked(plane, (2 * columns, 2 * rows))).astype(np.float32)
    mean: Floats = np.float32(0.25) * (four[::2, ::2] + four[1::2, ::2] + four[::2, 1::2] + four[1::2, 1::2])
    return mean
