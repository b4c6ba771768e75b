"""The constant buffers of the kernels, packed from gpu/colour.py. Pure: tested without Windows.

Every field is named as in the kernel and checked against its layout by the parity tests. HLSL packs four 32-bit values
to a row, and no field here crosses one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu import colour
from framebrush.gpu.frame import FrameFormat, Layout, Primaries, Transfer
from framebrush.gpu.look import Look, ToneCurve, ToneMap

LAYOUT = {Layout.GREY: 0, Layout.PLANAR: 1, Layout.SEMI_PLANAR: 2, Layout.GBR: 3, Layout.RGBA: 4}
TRANSFER = {Transfer.SDR: 0, Transfer.PQ: 1, Transfer.HLG: 2}
CURVE = {ToneCurve.CLIP: 1.0, ToneCurve.REINHARD: 2.0, ToneCurve.HABLE: 3.0}

Rows = ("<f4", (3, 4))
Pair = ("<f4", (2,))
Size = ("<u4", (2,))
Four = ("<f4", (4,))

CONVERT = np.dtype(
    [
        ("to_rgb", *Rows),
        ("to_bt709", *Rows),
        ("luminance", *Four),
        ("size", *Size),
        ("padded", *Size),
        ("chroma_size", *Size),
        ("chroma_step", *Pair),
        ("chroma_offset", *Pair),
        ("peak_nits", "<f4"),
        ("hable", "<f4"),
        ("eetf", *Four),
        ("hable_ends", *Four),
    ]
)
OUTPUT = np.dtype(
    [
        ("size", *Size),
        ("tensor_size", *Size),
        ("strength", "<f4"),
        ("keep_colours", "<f4"),
        ("gain", "<f4"),
        ("curve", "<f4"),
        ("curve_peak", "<f4"),
        ("curve_scale", "<f4"),
        ("split_column", "<u4"),
        ("dither", "<f4"),
        ("codes", *Rows),
        ("output_size", *Size),
        ("top", "<u4"),
        ("shift", "<u4"),
        ("taps_x", *Four),
        ("taps_y", *Four),
        ("origin", *Pair),
        ("shown_size", *Size),
        ("turn", "<f4", (2, 4)),
        ("divider", "<f4"),
    ]
)
WINDOW = np.dtype([(name, *Size) for name in ("from_size", "from_origin", "to_size", "to_origin", "window")])

Record = npt.NDArray[Any]


def convert_variant(picture: FrameFormat) -> tuple[tuple[str, str], ...]:
    """What planes_to_tensor is compiled with for a format."""
    return (("LAYOUT", str(LAYOUT[picture.layout])), ("TRANSFER", str(TRANSFER[picture.transfer])))


def convert(picture: FrameFormat, tensor_size: tuple[int, int], tone_map: ToneMap) -> Record:
    """Constants of planes_to_tensor. tensor_size: (width, height) with the padding."""
    record = np.zeros((), CONVERT)
    matrix = colour.codes_to_rgb(picture)
    if picture.layout is Layout.GREY:  # no chroma to read: neutral codes go into the offset
        neutral = colour.code_range(picture.bits, picture.full_range).chroma_offset
        matrix[:, 3] += matrix[:, 1:3].sum(axis=1) * neutral
    matrix[:, :3] *= (255 if picture.bits == 8 else 65535) / (1 << picture.shift)  # a normalised sample to its code
    record["to_rgb"] = matrix
    record["size"] = picture.width, picture.height
    record["padded"] = tensor_size
    if picture.layout in (Layout.PLANAR, Layout.SEMI_PLANAR):
        record["chroma_size"] = picture.plane_shapes[1][1::-1]
        texels = np.array([1 << log2 for log2 in picture.subsample], np.float64)
        record["chroma_step"] = 1.0 / texels
        offset = np.array(colour.chroma_offset(picture.siting, picture.subsample))
        record["chroma_offset"] = (0.5 - offset) / texels - 0.5
    if picture.transfer is not Transfer.SDR:
        _tone_map(record, picture, tone_map)
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
    record["hable_ends"] = white, hable_scale(peak / white), colour.HLG_PEAK_NITS, colour.hlg_system_gamma() - 1.0


def output(
    picture: FrameFormat,
    tensor_size: tuple[int, int],
    target: FrameFormat,
    look: Look,
    window: tuple[int, int, int, int, int, int] | None = None,
    rotation_degrees: int = 0,
    divider_px: float = 0.0,
) -> Record:
    """Constants of tensor_to_yuv and tensor_to_rgba.

    window: width and height of the output, then x, y, width and height of the picture in it; the target's own size if
    left out. rotation_degrees: how far the picture is turned counter-clockwise to be upright, in quarter turns.
    divider_px: half the width of the line at the split.
    """
    record = np.zeros((), OUTPUT)
    record["size"] = picture.width, picture.height
    record["tensor_size"] = tensor_size
    record["strength"], record["keep_colours"] = look.strength, look.keep_colours
    peak = max(1.0, 2.0**look.exposure_ev)
    changes = look.exposure_ev != 0.0 or look.tone_curve is ToneCurve.HABLE
    record["gain"], record["curve"] = 2.0**look.exposure_ev, CURVE[look.tone_curve] if changes else 0.0
    record["curve_peak"], record["curve_scale"] = peak, hable_scale(peak)
    record["split_column"] = colour.split_column(look.split, picture.width)
    record["dither"] = look.dither
    record["codes"] = colour.rgb_to_codes(target)
    record["top"], record["shift"] = (1 << target.bits) - 1, target.shift
    if target.layout is Layout.SEMI_PLANAR:
        offsets = colour.chroma_offset(target.siting, target.subsample)
        record["taps_x"], record["taps_y"] = (TAPS[offset] for offset in offsets)
    width, height, x, y, shown_width, shown_height = window or (
        target.width,
        target.height,
        0,
        0,
        picture.width,
        picture.height,
    )
    record["output_size"], record["origin"] = (width, height), (x, y)
    record["shown_size"] = shown_width, shown_height
    record["divider"] = divider_px
    record["turn"] = _turn(picture, shown_width, shown_height, rotation_degrees)
    return record


def _turn(picture: FrameFormat, width: int, height: int, rotation_degrees: int) -> list[tuple[float, ...]]:
    """Rows (x, y, 1, -) that take a place in the shown rectangle to a place in the picture, in samples."""
    across, down = (1 / width, 0.0, 0.0), (0.0, 1 / height, 0.0)  # 0..1 in the rectangle
    left, up = (-1 / width, 0.0, 1.0), (0.0, -1 / height, 1.0)
    rows = {0: (across, down), 90: (up, across), 180: (left, up), 270: (down, left)}[rotation_degrees % 360]
    return [
        (*(size * part for part in row), 0.0) for size, row in zip((picture.width, picture.height), rows, strict=True)
    ]


TAPS = {0.0: (0.0, 0.5, 0.5, 0.0), -0.5: (0.25, 0.5, 0.25, 0.0), 0.5: (0.0, 0.25, 0.5, 0.25)}
"""Weights at offsets -1..2 from the first sample of a pair, by where chroma sits between the two (gpu.reference)."""


def hable_scale(peak: float) -> float:
    """1 / Hable's curve at the peak, which the kernel's curve is multiplied by."""
    a, b, c, d, e, f = colour.HABLE
    return 1.0 / ((peak * (a * peak + c * b) + d * e) / (peak * (a * peak + b) + d * f) - e / f)


def copy_window(
    from_size: tuple[int, int],
    from_origin: tuple[int, int],
    to_size: tuple[int, int],
    to_origin: tuple[int, int],
    window: tuple[int, int],
) -> Record:
    """Constants of copy_window; every pair is (x, y) or (width, height)."""
    record = np.zeros((), WINDOW)
    record["from_size"], record["from_origin"], record["window"] = from_size, from_origin, window
    record["to_size"], record["to_origin"] = to_size, to_origin
    return record
