"""The constants of the kernels of both GPU backends, packed from gpu/colour.py. Pure: tested without a GPU.

A kernel declares a record with a line `CONSTANTS(NAME)`, which `gpu.layouts` replaces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.frame import FrameFormat, Layout, Primaries, Transfer
from framebrush.gpu.layouts import Record, packed
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.corners import CELL_PX as CORNER_PX
from framebrush.gpu.stages.corners import LEAST, MOST, WEIGHTS
from framebrush.gpu.stages.corners import cells as corner_cells
from framebrush.gpu.stages.look import Look, ToneCurve, ToneMap
from framebrush.gpu.tiles import Plan, Tile

LAYOUT = {Layout.GREY: 0, Layout.PLANAR: 1, Layout.SEMI_PLANAR: 2, Layout.GBR: 3, Layout.RGBA: 4}
TRANSFER = {Transfer.SDR: 0, Transfer.PQ: 1, Transfer.HLG: 2}
CURVE = {ToneCurve.CLIP: 1.0, ToneCurve.REINHARD: 2.0, ToneCurve.HABLE: 3.0}

Rows = ("<f4", (3, 4))
Pair = ("<f4", (2,))
Pixels = ("<u4", (2,))
Four = ("<f4", (4,))

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
    ("kept_scale", "<f4"),  # 1 / what the curve of HDR that is kept makes of the peak
    ("saturation", "<f4"),  # of it: power of shares of the largest channel
)
RESAMPLE = packed(
    ("input_size", *Pixels),  # of the planes that are read
    ("size", *Pixels),  # of the picture made
    ("padded", *Pixels),  # of the planes that are written
    ("taps", "<u4"),  # of the filter
)
OUTPUT = packed(
    ("size", *Pixels),  # of the picture
    ("painted_size", *Pixels),  # of the planes of painted
    ("source_size", *Pixels),  # and of source
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
    ("loupe", *Pair),  # the place in a pane that is enlarged
    ("loupe_radius", "<f4"),  # how far around it, in pixels; 0 for none
    ("loupe_scale", "<f4"),  # 1 / how much
    ("pane", "<u4"),  # width of the left pane, which shows the source; 0: there is one pane
    ("smooth", "<f4"),  # 1: linear between samples, 0: the nearest
    ("detail", "<f4"),  # how much of the fine luma is added; 0: it is not read
    ("kept_white", "<f4"),  # of HDR: what the curve makes of the peak
    ("saturation", "<f4"),  # and 1 / the power of shares of the largest channel
    ("luminance", *Four),  # of HLG: weights of linear R G B, 1 / peak nits
    ("inverse_gamma", "<f4"),  # of HLG: 1 / gamma - 1
)
DETAIL = packed(
    ("source_size", *Pixels),  # of the planes of source
    ("low_size", *Pixels),  # and of low
    ("size", *Pixels),  # of the picture made
    ("taps", "<u4"),  # of the filter
    ("edge", "<f4"),  # variance at which the weight is one half
    ("noise_squared", "<f4"),  # of the variance of noise
)
STEADY = packed(
    ("size", *Pixels),  # of the picture before the network
    ("padded", *Pixels),  # of the planes of the network's input
    ("painted_size", *Pixels),  # of the planes of its output
    ("cells", *Pixels),  # of the picture in cells
    ("grid", *Pixels),  # of the picture in blocks
    ("scale", "<u4"),  # of the network
    ("samples", "<u4"),  # a side of the square that a search compares
    ("coarse_reach", "<u4"),  # of the search on cells
    ("fine_reach", "<u4"),  # of the search on pixels
    ("cell_px", "<u4"),  # a side of a cell
    ("block_px", "<u4"),  # a side of a block
    ("step_bias", "<u4"),  # what a vector must be better by for each step
    ("rest_bias", "<u4"),  # and than standing still
    ("sure_noise", "<u4"),  # what a pair of blocks varies by at least
    ("sure_share", "<f4"),  # of what it varies by that a block may differ by and still weigh in full
    ("together_px", "<u4"),  # that vectors of blocks side by side may differ by where these move together
    ("falloff", "<f4"),  # of a weight, for each unit of a difference
)
CORNERS = packed(
    ("size", *Pixels),  # of the picture before the network
    ("padded", *Pixels),  # of the planes of the network's input
    ("cells", *Pixels),  # columns and rows of cells
    ("cell_px", "<u4"),  # a side of a cell
    ("least", "<f4"),  # the root of the smaller eigenvalue up to which nothing is left as it is
    ("steepness", "<f4"),  # and 1 / how much more it takes to be left altogether
    ("weights", "<f4", (2, 4)),  # of the Gaussian, and a zero behind it
)
TABLE = packed(
    ("size", *Pixels),  # of the picture
    ("planes_size", *Pixels),  # of the planes that are read
    ("low", *Four),  # the colour that the first point stands for
    ("scale", *Four),  # 1 / how far the last one lies from it
    ("points", "<u4"),  # of a side of the grid
    ("curve_points", "<u4"),  # of each curve; 0: there are none
)
WINDOW = packed(*((name, *Pixels) for name in ("from_size", "from_origin", "to_size", "to_origin", "window")))


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a window shows a picture.

    window: width and height. corner, shown: x and y, width and height of the picture in it. rotation_degrees: how far
    the picture is turned counter-clockwise to be upright, in quarter turns, after it was flipped from left to right
    where it is mirrored. divider_px: half the width of the line at the split; 0 for none. pane_px: the width of the
    left pane, which shows the source, where there are two; 0 for one. smooth: linear between samples, else the nearest
    one. loupe, loupe_px, loupe_factor: the place in a pane around which so many pixels are enlarged so much; 0 for
    none.
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


def convert_variant(picture: FrameFormat, *, resized: bool, keeps_hdr: bool = False) -> tuple[tuple[str, str], ...]:
    """What planes_to_tensor is compiled with for a format. resized: with a filter along the rows. keeps_hdr: for
    results of HDR, in place of SDR."""
    variant = (("LAYOUT", str(LAYOUT[picture.layout])), ("TRANSFER", str(TRANSFER[picture.transfer])))
    asked = ("RESIZED", resized), ("KEPT", keeps_hdr)
    return (*variant, *_floating(picture), *((name, "1") for name, wanted in asked if wanted))


def output_variant(target: FrameFormat) -> tuple[tuple[str, str], ...]:
    """What tensor_to_yuv is compiled with for a format: in three planes, of floats, with chroma at every column or row,
    and with PQ or HLG."""
    across, down = target.subsample
    asked = ("PLANAR", target.layout is not Layout.SEMI_PLANAR), ("FULL_X", not across), ("FULL_Y", not down)
    light = [("TRANSFER", str(TRANSFER[target.transfer]))] if target.transfer is not Transfer.SDR else []
    return (*((name, "1") for name, wanted in asked if wanted), *_floating(target), *light)


def _floating(picture: FrameFormat) -> tuple[tuple[str, str], ...]:
    return (("FLOATING", str(picture.bits)),) if picture.floating else ()


def convert(
    picture: FrameFormat, tensor_size: Size, tone_map: ToneMap, taps: int = 0, *, normalised: bool = True
) -> Record:
    """Constants of planes_to_tensor. tensor_size: (width, height) with the padding. taps: of the filter along the rows,
    where the width changes. normalised: the kernel reads samples as 0..1 and not as whole numbers."""
    record = np.zeros((), CONVERT)
    matrix = colour.codes_to_rgb(picture)
    if picture.layout is Layout.GREY:  # no chroma to read: neutral codes go into the offset
        neutral = colour.code_range(picture.bits, picture.full_range).chroma_offset
        matrix[:, 3] += matrix[:, 1:3].sum(axis=1) * neutral
    if not picture.floating:
        top = 255 if picture.bits == 8 else 65535
        matrix[:, :3] *= (top if normalised else 1) / (1 << picture.shift)  # a sample to its code
    record["to_rgb"] = matrix
    record["size"] = picture.width, picture.height
    record["padded"], record["taps"] = tensor_size, taps
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
    record["kept_scale"] = 1.0 / colour.kept_white(picture)
    record["saturation"] = colour.kept_saturation(picture)


def output(
    size: Size,
    painted_size: Size,
    source_size: Size,
    target: FrameFormat,
    look: Look,
    placement: Placement | None = None,
) -> Record:
    """Constants of tensor_to_yuv and tensor_to_rgba.

    size: (width, height) of the picture. painted_size, source_size: of the tensors' planes, with their padding. target:
    what is written. placement: of the picture in it; without one it has the same size.
    """
    record = np.zeros((), OUTPUT)
    record["size"], record["painted_size"], record["source_size"] = size, painted_size, source_size
    record["strength"], record["keep_colours"] = look.strength, look.keep_colours
    record["shows_source"], record["detail"] = look.shows_source, look.detail
    peak = max(1.0, 2.0**look.exposure_ev)
    record["gain"], record["curve"] = 2.0**look.exposure_ev, CURVE[look.tone_curve] if look.grades else 0.0
    record["curve_peak"], record["curve_scale"] = peak, hable_scale(peak)
    record["split_column"] = colour.split_column(look.split, size[0])
    record["dither"] = look.dither
    codes = colour.rgb_to_codes(target)
    record["codes"] = codes[[1, 2, 0]] if target.layout is Layout.GBR else codes
    record["top"], record["shift"] = target.top, target.shift
    if target.transfer is not Transfer.SDR:
        record["kept_white"] = colour.kept_white(target)
        record["saturation"] = 1.0 / colour.kept_saturation(target)
        record["luminance"] = *colour.luminance_weights(target.primaries), 1.0 / colour.HLG_PEAK_NITS
        record["inverse_gamma"] = 1.0 / colour.hlg_system_gamma() - 1.0
    if target.layout is not Layout.RGBA:
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
    """Rows (x, y, 1, -) that take a place in the shown rectangle to a place in the picture, in samples."""
    width, height = placement.shown
    across, down = (1 / width, 0.0, 0.0), (0.0, 1 / height, 0.0)  # 0..1 in the rectangle
    left, up = (-1 / width, 0.0, 1.0), (0.0, -1 / height, 1.0)
    x, y = {0: (across, down), 90: (up, across), 180: (left, up), 270: (down, left)}[placement.rotation_degrees % 360]
    if placement.mirrored:
        x = (-x[0], -x[1], 1.0 - x[2])
    return [(*(side * part for part in row), 0.0) for side, row in zip(size, (x, y), strict=True)]


TAPS = {0.0: (0.0, 0.5, 0.5, 0.0), -0.5: (0.25, 0.5, 0.25, 0.0), 0.5: (0.0, 0.25, 0.5, 0.25)}
"""Weights at offsets -1..2 from the first sample of a pair, by where chroma sits between the two: those of
`gpu.stages.tensor_to_planes.downsample`."""

ALONE = (0.0, 1.0, 0.0, 0.0)
"""The same along an axis with chroma at every sample."""


def hable_scale(peak: float) -> float:
    """1 / Hable's curve at the peak, which the kernel's curve is multiplied by."""
    a, b, c, d, e, f = colour.HABLE
    return 1.0 / ((peak * (a * peak + c * b) + d * e) / (peak * (a * peak + b) + d * f) - e / f)


def tile_windows(plan: Plan, tile: Tile) -> tuple[Record, Record]:
    """Constants of copy_window that bring a tile of a padded frame into a tensor of its own, and that take what is kept
    of the network's output for it out."""
    scale, size = plan.scale, (plan.tile_width, plan.tile_height)
    enlarged = (size[0] * scale, size[1] * scale)
    corner, kept = (tile.left * scale, tile.top * scale), (tile.right - tile.left, tile.bottom - tile.top)
    place = ((tile.x + tile.left) * scale, (tile.y + tile.top) * scale)
    return (
        copy_window(plan.padded_size, (tile.x, tile.y), size, (0, 0), size),
        copy_window(enlarged, corner, plan.output_size, place, (kept[0] * scale, kept[1] * scale)),
    )


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


def corners(working: Size, padded: Size) -> Record:
    """Constants of the kernels that find what the brush leaves as it is. working: (width, height) of the picture before
    the network. padded: of the planes of the network's input."""
    record = np.zeros((), CORNERS)
    record["size"], record["padded"], record["cells"] = working, padded, corner_cells(working)
    record["cell_px"] = CORNER_PX
    record["least"], record["steepness"] = LEAST, 1.0 / (MOST - LEAST)
    record["weights"].reshape(-1)[: len(WEIGHTS)] = WEIGHTS
    return record
