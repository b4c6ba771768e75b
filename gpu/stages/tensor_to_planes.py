"""A painting and its source as the planes that are shown, in float64.

A device is right where it is within 1 code of 8 bits (2 of 10) of it.
"""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.frame import Frame, FrameFormat, Layout, Matrix, Transfer
from framebrush.gpu.stages.look import Look


def look(source: Array, styled: Array, wanted: Look, fine: Array | float = 0.0) -> Array:
    """The picture as it is shown, (3, H, W) encoded R'G'B' 0..1, before dither and rounding.

    source, styled: (3, H, W) at the target's size; styled is the network's output. fine: `detail`, (H, W). Order as
    `Look` states it. Keeping colours shifts the source's three channels by the difference of the BT.709 luma, so Cb and
    Cr stay, and clips.
    """
    detailed = np.clip(np.clip(styled, 0.0, 1.0) + wanted.detail * fine, 0.0, 1.0)
    painted = source + (detailed - source) * wanted.strength
    if wanted.keep_colours:
        luma = np.tensordot(colour.luma_weights(Matrix.BT709), painted - source, axes=1)
        painted = np.clip(source + luma, 0.0, 1.0)
    shown = colour.expose(painted, wanted.exposure_ev, wanted.tone_curve) if wanted.grades else painted
    column = colour.split_column(wanted.split, source.shape[2])
    shown[:, :, :column] = source[:, :, :column]
    return shown


def rgb_to_output(rgb: Array, target: FrameFormat, dither: bool = True) -> Frame:
    """(3, H, W) encoded R'G'B' 0..1 as the target's codes: of a format that `frame.check_target` lets pass. For a
    target of HDR it is expanded by `colour.kept_to_hdr`.

    Chroma is filtered on the unrounded values, each halved axis alone and with the edge repeated: where a chroma sample
    sits on a luma sample by [1 2 1]/4 around that, where it sits in the middle of two by [1 1]/2.
    """
    if target.transfer is not Transfer.SDR:
        rgb = colour.kept_to_hdr(rgb, target)
    codes = colour.affine(colour.rgb_to_codes(target), rgb)
    top, out = target.top, target.allocate()
    if target.layout is Layout.RGBA:
        out.planes[0][..., :3] = np.moveaxis(_round(codes, top, dither), 0, -1)
        out.planes[0][..., 3] = top
    elif target.layout is Layout.GBR:
        for plane, component in zip(out.planes, (1, 2, 0), strict=True):
            if target.floating:
                plane[:] = np.clip(codes[component], 0.0, 1.0)
                continue
            plane[:] = _round(codes[component : component + 1], top, dither)[0] << target.shift
    else:
        out.planes[0][:] = _round(codes[:1], top, dither)[0] << target.shift
        chroma = _round(np.stack([downsample(plane, target) for plane in codes[1:]]), top, dither) << target.shift
        if target.layout is Layout.SEMI_PLANAR:
            out.planes[1][:] = np.moveaxis(chroma, 0, -1)
        else:
            out.planes[1][:], out.planes[2][:] = chroma
    return out


def downsample(plane: Array, target: FrameFormat) -> Array:
    """A full-size chroma plane (H, W) at the target's positions, of every second row or column where it has half."""
    offsets = colour.chroma_offset(target.siting, target.subsample)
    for axis, offset, log2 in zip((1, 0), offsets, target.subsample, strict=True):
        if not log2:
            continue
        last = plane.shape[axis] - 1
        first = np.arange(0, last + 1, 2)
        taps = {
            0.0: ((0, 0.5), (1, 0.5)),
            -0.5: ((-1, 0.25), (0, 0.5), (1, 0.25)),
            0.5: ((0, 0.25), (1, 0.5), (2, 0.25)),
        }
        total = np.float64(0.0)
        for tap, weight in taps[offset]:
            total = total + weight * plane.take(np.clip(first + tap, 0, last), axis)
        plane = np.asarray(total)
    return plane


def _round(codes: Array, top: int, dither: bool) -> np.ndarray[tuple[int, ...], np.dtype[np.uint16]]:
    """Exact codes (C, H, W) to whole ones within 0..top."""
    height, width = codes.shape[1:]
    threshold = np.tile(colour.DITHER, (-(-height // 8), -(-width // 8)))[:height, :width] if dither else 0.5
    return np.clip(np.floor(codes + threshold), 0, top).astype(np.uint16)
