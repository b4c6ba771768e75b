"""Conversion of planes to the network's picture, in float64.

Devices may differ by 1e-5, or relatively 2e-3 for HDR.
"""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, Primaries, Transfer
from framebrush.gpu.kernel_sources import Defines
from framebrush.gpu.layouts import Four, Pair, Pixels, Record, Rows, packed
from framebrush.gpu.look import ToneMap
from framebrush.gpu.sizes import Size

LAYOUT = {
    PlaneOrder.GREY: 0,
    PlaneOrder.PLANAR: 1,
    PlaneOrder.SEMI_PLANAR: 2,
    PlaneOrder.GBR: 3,
    PlaneOrder.RGBA: 4,
    PlaneOrder.BGRA: 4,
}
TRANSFER = {Transfer.SDR: 0, Transfer.PQ: 1, Transfer.HLG: 2}

CONVERT = packed(
    ("to_rgb", *Rows),  # R'G'B' from samples Y Cb Cr (or R G B), offset in the last column
    ("to_bt709", *Rows),  # linear RGB of the source's gamut to BT.709
    ("luminance", *Four),  # weights of linear R G B
    ("size", *Pixels),  # of the picture
    ("padded", *Pixels),  # of the tensor
    ("chroma_size", *Pixels),
    ("chroma_step", *Pair),  # chroma texels for a luma sample
    ("chroma_offset", *Pair),  # position of the first luma sample, in chroma texels
    ("peak_nits", "<f4"),
    ("hable", "<f4"),  # 1: Hable, 0: BT.2390
    ("eetf", *Four),  # PQ of the peak and of black, maxLum, knee
    ("hable_ends", *Four),  # white_nits, 1 / curve at the peak, HLG peak nits, HLG gamma - 1
    ("taps", "<u4"),  # of the filter
    ("kept_scale", "<f4"),  # 1 / `colour.kept_white` for HDR results
    ("saturation", "<f4"),  # exponent of shares for HDR results
    ("rolls_from", "<f4"),  # `colour.RollOff` for HDR results: knee
    ("roll_rate", "<f4"),
    ("taps_rows", "<u4"),  # of the filter along columns
    ("made", *Pixels),  # of the result without padding, if resized at once
    ("top", "<f4"),  # largest value of such a result
)


def planes_to_rgb(frame: Frame, tone_map: ToneMap = ToneMap.BT2390, *, keeps_hdr: bool = False) -> Array:
    """Convert a frame to the network's picture, (3, H, W), encoded R'G'B' 0..1.

    SDR is unchanged, whatever its primaries. HDR is tone-mapped by luminance to BT.709, encoded as sRGB. keeps_hdr:
    `colour.hdr_to_kept` without roll-off.
    """
    picture = frame.format
    rgb = np.clip(colour.affine(colour.codes_to_rgb(picture), _codes(frame)), 0.0, 1.0)
    if picture.transfer is Transfer.SDR:
        return rgb
    if keeps_hdr:
        return colour.hdr_to_kept(rgb, picture)
    weights = colour.luminance_weights(picture.primaries)
    nits = colour.pq_to_nits(rgb) if picture.transfer is Transfer.PQ else colour.hlg_to_nits(rgb, weights)
    luminance = colour.weighted(weights, nits)
    mapped = colour.tone_map(luminance, colour.source_peak_nits(picture), tone_map)
    light = nits * (mapped / np.maximum(luminance, 1e-12))
    light = colour.weighted(colour.gamut_matrix(picture.primaries, Primaries.BT709), light)
    return colour.linear_to_srgb(np.clip(light, 0.0, 1.0))


def _codes(frame: Frame) -> Array:
    picture = frame.format
    planes = [picture.codes(plane).astype(np.float64) for plane in frame.planes]
    match picture.layout:
        case PlaneOrder.GREY:
            neutral = np.full_like(planes[0], colour.code_range(picture.bits, picture.full_range).chroma_offset)
            return np.stack([planes[0], neutral, neutral])
        case PlaneOrder.GBR:
            return np.stack([planes[2], planes[0], planes[1]])
        case PlaneOrder.RGBA:
            return np.moveaxis(planes[0][..., :3], -1, 0)
        case PlaneOrder.BGRA:
            return np.moveaxis(planes[0][..., 2::-1], -1, 0)
        case PlaneOrder.SEMI_PLANAR:
            chroma = [planes[1][..., 0], planes[1][..., 1]]
        case PlaneOrder.PLANAR:
            chroma = planes[1:]
    return np.stack([planes[0], *(upsample(plane, picture) for plane in chroma)])


def upsample(plane: Array, picture: FrameFormat) -> Array:
    """Interpolate chroma linearly at every luma sample."""
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
    """Extend (3, H, W) by its edge to multiples of the stride."""
    across, down = (max(side + -side % stride, least_px) - side for side in (rgb.shape[2], rgb.shape[1]))
    return np.pad(rgb, ((0, 0), (0, down), (0, across)), "edge")


def convert_variant(picture: FrameFormat, *, resized: bool, keeps_hdr: bool = False) -> Defines:
    """Return the defines of planes_to_tensor. resized: filtered along rows."""
    variant = (("LAYOUT", str(LAYOUT[picture.layout])), ("TRANSFER", str(TRANSFER[picture.transfer])))
    asked = ("RESIZED", resized), ("KEPT", keeps_hdr)
    return (*variant, *floating(picture), *((name, "1") for name, wanted in asked if wanted))


def floating(picture: FrameFormat) -> Defines:
    return (("FLOATING", str(picture.bits)),) if picture.floating else ()


def convert(
    picture: FrameFormat,
    tensor_size: Size,
    tone_map: ToneMap,
    taps: int = 0,
    *,
    normalised: bool = True,
    textures: bool = False,
    rolls_off: bool = True,
) -> Record:
    """Make the constants of planes_to_tensor. tensor_size: with padding.

    taps: of the filter along rows. normalised: samples are read as 0..1. textures: they return BGRA as RGBA. rolls_off:
    roll off kept HDR.
    """
    record = np.zeros((), CONVERT)
    matrix = colour.codes_to_rgb(picture)
    if picture.layout is PlaneOrder.GREY:  # no chroma: its neutral codes go into the offset
        neutral = colour.code_range(picture.bits, picture.full_range).chroma_offset
        matrix[:, 3] += matrix[:, 1:3].sum(axis=1) * neutral
    if not picture.floating:
        top = 255 if picture.bits == 8 else 65535
        matrix[:, :3] *= (top if normalised else 1) / (1 << picture.shift)  # sample to code
    if picture.layout is PlaneOrder.BGRA and not textures:  # the samples come with blue first
        matrix[:, :3] = matrix[:, 2::-1]
    record["to_rgb"] = matrix
    record["size"] = picture.width, picture.height
    record["padded"], record["taps"] = tensor_size, taps
    if picture.layout in (PlaneOrder.PLANAR, PlaneOrder.SEMI_PLANAR):
        record["chroma_size"] = picture.plane_shapes[1][1::-1]
        texels = np.array([1 << log2 for log2 in picture.subsample], np.float64)
        record["chroma_step"] = 1.0 / texels
        offset = np.array(colour.chroma_offset(picture.siting, picture.subsample))
        record["chroma_offset"] = (0.5 - offset) / texels - 0.5
    if picture.transfer is not Transfer.SDR:
        _tone_map(record, picture, tone_map)
        record["rolls_from"], record["roll_rate"] = (
            colour.roll_off(picture) if rolls_off else colour.no_roll_off(picture)
        )
    return record


def _tone_map(record: Record, picture: FrameFormat, tone_map: ToneMap) -> None:
    record["to_bt709"][:, :3] = colour.gamut_matrix(picture.primaries, Primaries.BT709)
    record["luminance"][:3] = colour.luminance_weights(picture.primaries)
    peak, white = colour.source_peak_nits(picture), colour.REFERENCE_WHITE_NITS
    record["peak_nits"] = peak
    record["hable"] = tone_map is ToneMap.HABLE
    top, bottom = float(colour.nits_to_pq(peak)), float(colour.nits_to_pq(0.0))
    max_lum = (float(colour.nits_to_pq(white)) - bottom) / (top - bottom)
    record["eetf"] = top, bottom, max_lum, 1.5 * max_lum - 0.5
    record["hable_ends"] = (
        white,
        colour.hable_scale(peak / white),
        colour.HLG_PEAK_NITS,
        colour.hlg_system_gamma() - 1.0,
    )
    record["kept_scale"] = 1.0 / colour.kept_white(picture)
    record["saturation"] = colour.kept_saturation(picture)
