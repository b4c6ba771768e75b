"""Planes of a frame as the picture that the network sees, in float64.

A device is right where it is within 1e-5 of it, or 2e-3 relative where PQ or HLG is decoded.
"""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.frame import Frame, FrameFormat, Layout, Primaries, Transfer
from framebrush.gpu.stages.look import ToneMap


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
