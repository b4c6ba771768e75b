"""Conversion of painting and source to output planes, in float64.

Devices may differ by 1 code of 8 bits (2 of 10).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, Transfer
from framebrush.gpu.kernel_sources import Defines
from framebrush.gpu.layouts import Field, Four, Pair, Pixels, Record, Rows, packed
from framebrush.gpu.look import Look, ToneCurve
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.cells import luma_of
from framebrush.gpu.stages.lighting import LIT
from framebrush.gpu.stages.planes_to_tensor import TRANSFER, floating

CURVE = {ToneCurve.CLIP: 1.0, ToneCurve.REINHARD: 2.0, ToneCurve.HABLE: 3.0}

SHOWN: tuple[Field, ...] = (
    ("size", *Pixels),  # of the picture
    ("painted_size", *Pixels),  # of the painting's planes
    ("source_size", *Pixels),  # of the source's planes
    ("strength", "<f4"),
    ("keep_colours", "<f4"),  # 1: luma of the painting, chroma of the source
    ("gain", "<f4"),  # 2 ^ stops
    ("curve", "<f4"),  # 0 none, 1 clip, 2 Reinhard, 3 Hable
    ("curve_peak", "<f4"),
    ("curve_scale", "<f4"),  # 1 / Hable's curve at the peak
    ("split_column", "<u4"),  # columns left of it show the source
    ("dither", "<f4"),  # 1: ordered dither, 0: round half up
    ("shows_source", "<f4"),  # 0: source is not read
    ("top", "<u4"),  # the largest code
    ("codes", *Rows),  # codes of the output's planes from R'G'B', offset in the last column
    ("output_size", *Pixels),  # of the whole output
    ("shift", "<u4"),  # unused low bits of a sample
    ("divider", "<f4"),  # half the width of the line at the split, in pixels of the window; 0 for none
    ("taps_x", *Four),  # chroma filter at columns -1..2 of a pair
    ("taps_y", *Four),  # and at rows -1..2
    ("origin", *Pair),  # of the picture in the window
    ("shown_size", *Pixels),  # of the picture in the window
    ("turn", "<f4", (2, 4)),  # x and y in the picture from a place in the shown rectangle, offset in z
    ("loupe", *Pair),  # magnified place in a pane
    ("loupe_radius", "<f4"),  # radius in pixels; 0 for none
    ("loupe_scale", "<f4"),  # 1 / magnification
    ("pane", "<u4"),  # width of the left pane, which shows the source; 0 for one pane
    ("smooth", "<f4"),  # 1: linear between samples, 0: nearest
    ("detail", "<f4"),  # share of fine luma; 0: it is not read
    ("kept_white", "<f4"),  # `colour.kept_white` for HDR
    ("saturation", "<f4"),  # 1 / exponent of shares for HDR
    ("luminance", *Four),  # of HLG: weights of linear R G B, 1 / peak nits
    ("inverse_gamma", "<f4"),  # of HLG: 1 / gamma - 1
    ("colourfulness", "<f4"),  # factor of the distance from luma
)
OUTPUT, LIT_OUTPUT = packed(*SHOWN), packed(*SHOWN, *LIT)

TAPS = {0.0: (0.0, 0.5, 0.5, 0.0), -0.5: (0.25, 0.5, 0.25, 0.0), 0.5: (0.0, 0.25, 0.5, 0.25)}
"""Weights at offsets -1..2 from the first sample of a pair, by the position of chroma."""

ALONE = (0.0, 1.0, 0.0, 0.0)
"""Weights for chroma at every sample."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Place of a picture in a window.

    Attributes:
        corner, shown: x and y, width and height.
        rotation_degrees: counter-clockwise quarter turns, after mirroring.
        divider_px: half the split line's width.
        pane_px: left pane with the source, or 0.
        smooth: linear; else nearest.
        loupe, loupe_px, loupe_factor: magnified place, radius and factor.
    """

    window: Size
    corner: Size
    shown: Size
    rotation_degrees: int = 0
    mirrored: bool = False
    divider_px: float = 0.0
    pane_px: int = 0
    smooth: bool = True
    loupe: tuple[float, float] = (0.0, 0.0)
    loupe_px: float = 0.0
    loupe_factor: float = 1.0


def look(source: Array, styled: Array, wanted: Look, fine: Array | float = 0.0, photo: Array | float = 0.0) -> Array:
    """Compute the shown picture (3, H, W), R'G'B' 0..1, before dither and rounding.

    Keeping colours shifts the source by the difference of BT.709 luma, keeping Cb and Cr, and clips. Saturation scales
    the distance from that luma. fine: from `detail`. photo: from `masks.share`, (H, W).
    """
    detailed = np.clip(np.clip(styled, 0.0, 1.0) + wanted.detail * fine, 0.0, 1.0)
    painted = source + (detailed - source) * (wanted.strength * (1.0 - photo))
    if wanted.keep_colours:
        painted = np.clip(source + luma_of(painted - source), 0.0, 1.0)
    if wanted.saturates:
        luma = luma_of(painted)
        painted = np.clip(luma + wanted.saturation * (painted - luma), 0.0, 1.0)
    shown = colour.expose(painted, wanted.exposure_ev, wanted.tone_curve) if wanted.exposes else painted
    column = colour.split_column(wanted.split, source.shape[2])
    shown[:, :, :column] = source[:, :, :column]
    return shown


def rgb_to_output(rgb: Array, target: FrameFormat, dither: bool = True) -> Frame:
    """Convert encoded R'G'B' 0..1 to codes of a `frame.check_target` format.

    `colour.kept_to_hdr` expands HDR. Chroma is filtered before rounding along halved axes, edges repeated: [1 2 1]/4 on
    a luma sample, [1 1]/2 between two.
    """
    if target.transfer is not Transfer.SDR:
        rgb = colour.kept_to_hdr(rgb, target)
    codes = colour.affine(colour.rgb_to_codes(target), rgb)
    top, out = target.top, target.allocate()
    if target.layout is PlaneOrder.RGBA:
        out.planes[0][..., :3] = np.moveaxis(_round(codes, top, dither), 0, -1)
        out.planes[0][..., 3] = top
    elif target.layout is PlaneOrder.GBR:
        for plane, component in zip(out.planes, (1, 2, 0), strict=True):
            if target.floating:
                plane[:] = np.clip(codes[component], 0.0, 1.0)
                continue
            plane[:] = _round(codes[component : component + 1], top, dither)[0] << target.shift
    else:
        out.planes[0][:] = _round(codes[:1], top, dither)[0] << target.shift
        chroma = _round(np.stack([downsample(plane, target) for plane in codes[1:]]), top, dither) << target.shift
        if target.layout is PlaneOrder.SEMI_PLANAR:
            out.planes[1][:] = np.moveaxis(chroma, 0, -1)
        else:
            out.planes[1][:], out.planes[2][:] = chroma
    return out


def downsample(plane: Array, target: FrameFormat) -> Array:
    """Filter a chroma plane to the target's positions."""
    offsets = colour.chroma_offset(target.siting, target.subsample)
    for axis, offset, log2 in zip((1, 0), offsets, target.subsample, strict=True):
        if not log2:
            continue
        last = plane.shape[axis] - 1
        first = np.arange(0, last + 1, 2)
        taps = [(tap, weight) for tap, weight in enumerate(TAPS[offset], -1) if weight]
        plane = np.asarray(sum(weight * plane.take(np.clip(first + tap, 0, last), axis) for tap, weight in taps))
    return plane


def _round(codes: Array, top: int, dither: bool) -> np.ndarray[tuple[int, ...], np.dtype[np.uint16]]:
    height, width = codes.shape[1:]
    threshold = np.tile(colour.DITHER, (-(-height // 8), -(-width // 8)))[:height, :width] if dither else 0.5
    return np.clip(np.floor(codes + threshold), 0, top).astype(np.uint16)


def output_variant(target: FrameFormat) -> Defines:
    """Return the defines of tensor_to_yuv for a format."""
    across, down = target.subsample
    asked = ("PLANAR", target.layout is not PlaneOrder.SEMI_PLANAR), ("FULL_X", not across), ("FULL_Y", not down)
    light = [("TRANSFER", str(TRANSFER[target.transfer]))] if target.transfer is not Transfer.SDR else []
    return (*((name, "1") for name, wanted in asked if wanted), *floating(target), *light)


def output(
    size: Size,
    painted_size: Size,
    source_size: Size,
    target: FrameFormat,
    look: Look,
    placement: Placement | None = None,
) -> Record:
    """Make the constants of tensor_to_yuv and tensor_to_rgba.

    painted_size, source_size: with padding. placement: default: the whole picture.
    """
    record = np.zeros((), OUTPUT)
    record["size"], record["painted_size"], record["source_size"] = size, painted_size, source_size
    record["strength"], record["keep_colours"] = look.strength, look.keep_colours
    record["shows_source"], record["detail"] = look.shows_source, look.detail
    peak = max(1.0, 2.0**look.exposure_ev)
    record["gain"], record["curve"] = 2.0**look.exposure_ev, CURVE[look.tone_curve] if look.exposes else 0.0
    record["colourfulness"] = look.saturation
    record["curve_peak"], record["curve_scale"] = peak, colour.hable_scale(peak)
    record["split_column"] = colour.split_column(look.split, size[0])
    record["dither"] = look.dither
    codes = colour.rgb_to_codes(target)
    record["codes"] = codes[[1, 2, 0]] if target.layout is PlaneOrder.GBR else codes
    record["top"], record["shift"] = target.top, target.shift
    if target.transfer is not Transfer.SDR:
        record["kept_white"] = colour.kept_white(target)
        record["saturation"] = 1.0 / colour.kept_saturation(target)
        record["luminance"] = *colour.luminance_weights(target.primaries), 1.0 / colour.HLG_PEAK_NITS
        record["inverse_gamma"] = 1.0 / colour.hlg_system_gamma() - 1.0
    if target.layout is not PlaneOrder.RGBA:
        offsets = colour.chroma_offset(target.siting, target.subsample)
        taps = [TAPS[offset] if log2 else ALONE for offset, log2 in zip(offsets, target.subsample, strict=True)]
        record["taps_x"], record["taps_y"] = taps
    placement = placement or Placement(size, (0, 0), size)
    record["output_size"], record["origin"] = placement.window, placement.corner
    record["shown_size"], record["divider"] = placement.shown, placement.divider_px
    record["turn"] = _turn(size, placement)
    record["pane"], record["smooth"] = placement.pane_px, placement.smooth
    record["loupe"], record["loupe_radius"] = placement.loupe, placement.loupe_px
    record["loupe_scale"] = 1.0 / placement.loupe_factor
    return record


def _turn(size: Size, placement: Placement) -> list[tuple[float, ...]]:
    width, height = placement.shown
    across, down = (1 / width, 0.0, 0.0), (0.0, 1 / height, 0.0)  # 0..1 in the rectangle
    left, up = (-1 / width, 0.0, 1.0), (0.0, -1 / height, 1.0)
    x, y = {0: (across, down), 90: (up, across), 180: (left, up), 270: (down, left)}[placement.rotation_degrees % 360]
    if placement.mirrored:
        x = (-x[0], -x[1], 1.0 - x[2])
    return [(*(side * part for part in row), 0.0) for side, row in zip(size, (x, y), strict=True)]
