"""The float64 reference of every kernel, on whole pictures.

A device is right where it is within 1 code of 8 bits (2 of 10) of these, or 2e-3 relative where PQ or HLG is decoded.
"""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.frame import Frame, FrameFormat, Layout, Matrix, Primaries, Transfer
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.detail import EDGE_VARIANCE, NOISE_VARIANCE
from framebrush.gpu.stages.look import Look, ToneMap
from framebrush.gpu.stages.resample import TO_DETAIL, TO_TARGET, Filter, taps


def planes_to_rgb(frame: Frame, tone_map: ToneMap = ToneMap.BT2390, *, keeps_hdr: bool = False) -> Array:
    """The picture as the network sees it: (3, H, W), encoded R'G'B' 0..1, clipped.

    SDR passes through unchanged, whatever its primaries. HDR is decoded to light; its luminance is tone-mapped and the
    channels follow by the same ratio; the gamut becomes BT.709 and the light is clipped and encoded as sRGB. keeps_hdr:
    it becomes HDR again, so that nothing of it is clipped; see `colour.hdr_to_kept`.
    """
    picture = frame.format
    rgb = np.clip(colour.affine(colour.codes_to_rgb(picture), _codes(frame)), 0.0, 1.0)
    if not colour.needs_tone_map(picture):
        return rgb
    if keeps_hdr:
        return colour.hdr_to_kept(rgb, picture)
    weights = colour.luminance_weights(picture.primaries)
    nits = colour.pq_to_nits(rgb) if picture.transfer is Transfer.PQ else colour.hlg_to_nits(rgb, weights)
    luminance = np.tensordot(weights, nits, axes=1)
    mapped = colour.tone_map(luminance, colour.source_peak_nits(picture), tone_map)
    light = nits * (mapped / np.maximum(luminance, 1e-12))
    light = np.tensordot(colour.gamut_matrix(picture.primaries, Primaries.BT709), light, axes=1)
    return colour.linear_to_srgb(np.clip(light, 0.0, 1.0))


def _codes(frame: Frame) -> Array:
    """(3, H, W): Y, Cb, Cr with the chroma at every pixel, or R, G, B."""
    picture = frame.format
    planes = [picture.codes(plane).astype(np.float64) for plane in frame.planes]
    match picture.layout:
        case Layout.GREY:
            neutral = np.full_like(planes[0], colour.code_range(picture.bits, picture.full_range).chroma_offset)
            return np.stack([planes[0], neutral, neutral])
        case Layout.GBR:
            return np.stack([planes[2], planes[0], planes[1]])
        case Layout.RGBA:
            return np.moveaxis(planes[0][..., :3], -1, 0)
        case Layout.SEMI_PLANAR:
            chroma = [planes[1][..., 0], planes[1][..., 1]]
        case Layout.PLANAR:
            chroma = planes[1:]
    return np.stack([planes[0], *(upsample(plane, picture) for plane in chroma)])


def upsample(plane: Array, picture: FrameFormat) -> Array:
    """A chroma plane at every luma sample, (H, W): linear between the sited positions, clamped to the edge."""
    offsets = colour.chroma_offset(picture.siting, picture.subsample)
    for axis, size, log2, offset in zip(
        (1, 0), (picture.width, picture.height), picture.subsample, offsets, strict=True
    ):
        position = (np.arange(size) + 0.5 - offset) / (1 << log2) - 0.5
        last = plane.shape[axis] - 1
        low = np.floor(position)
        weight = np.expand_dims(position - low, 1 - axis)
        near = plane.take(np.clip(low, 0, last).astype(np.intp), axis)
        far = plane.take(np.clip(low + 1, 0, last).astype(np.intp), axis)
        plane = near * (1.0 - weight) + far * weight
    return plane


def pad(rgb: Array, stride: int, least_px: int = 1) -> Array:
    """(3, H, W) with its last row and column repeated until both sides are multiples of the stride and long enough."""
    across, down = (max(side + -side % stride, least_px) - side for side in (rgb.shape[2], rgb.shape[1]))
    return np.pad(rgb, ((0, 0), (0, down), (0, across)), "edge")


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


def detail(source: Array, coarse: Size) -> Array:
    """Fine luma (H, W) of a source (3, H, W) at the target's size, as it is added to a painting at full detail.

    coarse: of the low-pass, `gpu.stages.detail.coarse_size`. Every value is the luma's distance from its local mean,
    times a weight 0..1 of the local variance.
    """
    luma = np.tensordot(colour.luma_weights(Matrix.BT709), source, axes=1)
    moments = resample(np.stack([luma, luma**2]), coarse, TO_DETAIL)
    mean, square = resample(moments, (luma.shape[1], luma.shape[0]), TO_DETAIL)
    variance = np.maximum(square - mean**2, 0.0)
    no_edge = EDGE_VARIANCE / (variance + EDGE_VARIANCE)
    no_noise = variance**2 / (variance**2 + NOISE_VARIANCE**2)
    fine: Array = no_edge * no_noise * (luma - mean)
    return fine


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
