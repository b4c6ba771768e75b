"""Colour standards in float64, the source of kernels' colour constants.

Arrays are (3, ...), codes a file's integers, R'G'B' 0..1, light in nits (cd/m2) or relative to white, all unclipped
unless said.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import FrameFormat, Matrix, Primaries, Siting, Transfer
from framebrush.gpu.look import ToneCurve, ToneMap

Array = npt.NDArray[np.float64]

REFERENCE_WHITE_NITS: Final = 203.0
"""Diffuse white of HDR (ITU-R BT.2408), and of 1.0 after tone mapping."""

PQ_PEAK_NITS: Final = 10000.0
HLG_PEAK_NITS: Final = 1000.0
"""Nominal peak of an HLG display (BT.2100)."""

# --- Y'CbCr: ITU-T H.273 ---

KR_KB: Final = {
    Matrix.BT601: (0.299, 0.114),
    Matrix.BT709: (0.2126, 0.0722),
    Matrix.BT2020: (0.2627, 0.0593),
    Matrix.FCC: (0.30, 0.11),
    Matrix.SMPTE240M: (0.212, 0.087),
}


class CodeRange(NamedTuple):
    """Conversion: code = value * scale + offset. Luma and R'G'B' are 0..1, chroma -0.5..0.5."""

    luma_scale: float
    luma_offset: float
    chroma_scale: float
    chroma_offset: float


def code_range(bits: int, full_range: bool) -> CodeRange:
    """Return scale and offset of codes (H.273)."""
    if full_range:
        top = float((1 << bits) - 1)
        return CodeRange(top, 0.0, top, float(1 << (bits - 1)))
    step = float(1 << (bits - 8))
    return CodeRange(219.0 * step, 16.0 * step, 224.0 * step, 128.0 * step)


def luma_weights(matrix: Matrix, primaries: Primaries = Primaries.BT709) -> Array:
    """Return the weights (3,) of R', G', B'. primaries: for CHROMA_DERIVED."""
    if matrix is Matrix.CHROMA_DERIVED:
        return luminance_weights(primaries)
    kr, kb = KR_KB[matrix]
    return np.array([kr, 1.0 - kr - kb, kb])


def ycbcr_to_rgb_matrix(matrix: Matrix, primaries: Primaries = Primaries.BT709) -> Array:
    """Return (3, 3) from Y' 0..1 and Cb, Cr -0.5..0.5 to R'G'B'."""
    if matrix is Matrix.YCGCO:
        return np.array([[1.0, -1.0, 1.0], [1.0, 1.0, 0.0], [1.0, -1.0, -1.0]])
    kr, kg, kb = luma_weights(matrix, primaries)
    return np.array(
        [
            [1.0, 0.0, 2.0 * (1.0 - kr)],
            [1.0, -2.0 * (1.0 - kb) * kb / kg, -2.0 * (1.0 - kr) * kr / kg],
            [1.0, 2.0 * (1.0 - kb), 0.0],
        ]
    )


def weighted(weights: Array, values: Array) -> Array:
    """Return weighted sums over the first axis."""
    # In the axis' order: BLAS adds in other orders, by build and processor, and gives other bits.
    total = np.multiply.outer(weights[..., 0], values[0])
    for weight, value in zip(np.moveaxis(weights, -1, 0)[1:], values[1:], strict=True):
        total += np.multiply.outer(weight, value)
    return np.asarray(total, np.float64)


def codes_to_rgb(picture: FrameFormat) -> Array:
    """Return (3, 4): R'G'B' = m[:, :3] @ codes + m[:, 3]."""
    if picture.floating:
        return np.eye(3, 4)
    scales = code_range(picture.bits, picture.full_range)
    if picture.matrix is Matrix.RGB:
        matrix = np.eye(3) / scales.luma_scale
        offset = np.full(3, scales.luma_offset)
    else:
        # H.273 computes Cg and Co from the codes of R'G'B', so they have luma's scale.
        chroma_scale = scales.luma_scale if picture.matrix is Matrix.YCGCO else scales.chroma_scale
        matrix = ycbcr_to_rgb_matrix(picture.matrix, picture.primaries) / [
            scales.luma_scale,
            chroma_scale,
            chroma_scale,
        ]
        offset = np.array([scales.luma_offset, scales.chroma_offset, scales.chroma_offset])
    return np.column_stack([matrix, -weighted(matrix, offset)])


def rgb_to_codes(picture: FrameFormat) -> Array:
    """Return (3, 4): unrounded codes = m[:, :3] @ R'G'B' + m[:, 3]."""
    matrix = np.linalg.inv(codes_to_rgb(picture)[:, :3])
    return np.column_stack([matrix, -matrix @ codes_to_rgb(picture)[:, 3]])


def affine(matrix: Array, values: Array) -> Array:
    """Apply a (3, 4) matrix to (3, ...)."""
    result: Array = weighted(matrix[:, :3], values) + matrix[:, 3].reshape((3,) + (1,) * (values.ndim - 1))
    return result


def chroma_offset(siting: Siting, subsample: tuple[int, int]) -> tuple[float, float]:
    """Return chroma's offset (sx, sy), right of and below the centre of luma samples.

    Luma (x, y) reads chroma linearly at texel ((x + 0.5 - sx) / 2^log2x, (y + 0.5 - sy) / 2^log2y).
    """
    half_x, half_y = (((1 << log2) - 1) / 2.0 for log2 in subsample)
    left = siting in (Siting.LEFT, Siting.TOP_LEFT, Siting.BOTTOM_LEFT)
    down = {Siting.TOP_LEFT: -1, Siting.TOP: -1, Siting.BOTTOM_LEFT: 1, Siting.BOTTOM: 1}.get(siting, 0)
    return (-half_x if left else 0.0, down * half_y)


# --- Transfer functions ---

SRGB_TOE: Final = 0.04045
SRGB_SLOPE: Final = 12.92
SRGB_ALPHA: Final = 0.055
SRGB_GAMMA: Final = 2.4


def srgb_to_linear(encoded: npt.ArrayLike) -> Array:
    """Decode 0..1 to linear 0..1 (IEC 61966-2-1)."""
    value = np.asarray(encoded, np.float64)
    power = (np.maximum(value, 0.0) + SRGB_ALPHA) / (1.0 + SRGB_ALPHA)
    return np.where(value <= SRGB_TOE, value / SRGB_SLOPE, power**SRGB_GAMMA)


def linear_to_srgb(linear: npt.ArrayLike) -> Array:
    """Encode linear 0..1 (IEC 61966-2-1)."""
    value = np.asarray(linear, np.float64)
    power = np.maximum(value, 0.0) ** (1.0 / SRGB_GAMMA)
    return np.where(value <= SRGB_TOE / SRGB_SLOPE, value * SRGB_SLOPE, (1.0 + SRGB_ALPHA) * power - SRGB_ALPHA)


PQ_M1: Final = 2610 / 16384
PQ_M2: Final = 2523 / 32
PQ_C1: Final = 3424 / 4096
PQ_C2: Final = 2413 / 128
PQ_C3: Final = 2392 / 128


def pq_to_nits(encoded: npt.ArrayLike) -> Array:
    """Decode 0..1 to 0..10000 nits (SMPTE ST 2084)."""
    power = np.maximum(np.asarray(encoded, np.float64), 0.0) ** (1 / PQ_M2)
    nits: Array = PQ_PEAK_NITS * (np.maximum(power - PQ_C1, 0.0) / (PQ_C2 - PQ_C3 * power)) ** (1 / PQ_M1)
    return nits


def nits_to_pq(nits: npt.ArrayLike) -> Array:
    """Encode 0..10000 nits (SMPTE ST 2084)."""
    power = (np.maximum(np.asarray(nits, np.float64), 0.0) / PQ_PEAK_NITS) ** PQ_M1
    encoded: Array = ((PQ_C1 + PQ_C2 * power) / (1.0 + PQ_C3 * power)) ** PQ_M2
    return encoded


HLG_A: Final = 0.17883277
HLG_B: Final = 0.28466892
HLG_C: Final = 0.55991073


def hlg_to_scene(encoded: npt.ArrayLike) -> Array:
    """Decode 0..1 to scene light 0..1."""
    value = np.asarray(encoded, np.float64)
    return np.where(value <= 0.5, value**2 / 3.0, (np.exp((value - HLG_C) / HLG_A) + HLG_B) / 12.0)


def hlg_system_gamma(white_nits: float = HLG_PEAK_NITS) -> float:
    """Return the OOTF's exponent for a display's peak (BT.2100)."""
    return 1.2 + 0.42 * math.log10(white_nits / 1000.0)


def hlg_to_nits(
    encoded: Array, weights: Array | None = None, white_nits: float = HLG_PEAK_NITS, black_nits: float = 0.0
) -> Array:
    """Decode to display light in nits. weights: by default BT.2020's."""
    weights = luma_weights(Matrix.BT2020) if weights is None else weights
    gamma = hlg_system_gamma(white_nits)
    lift = math.sqrt(3.0 * (black_nits / white_nits) ** (1.0 / gamma))
    scene = hlg_to_scene(np.maximum((1.0 - lift) * encoded + lift, 0.0))
    luminance = weighted(weights, scene)
    nits: Array = white_nits * luminance ** (gamma - 1.0) * scene
    return nits


def scene_to_hlg(scene: npt.ArrayLike) -> Array:
    """Encode scene light 0..1."""
    light = np.maximum(np.asarray(scene, np.float64), 0.0)
    high = HLG_A * np.log(np.maximum(12.0 * light, 1.0) - HLG_B) + HLG_C
    return np.where(light <= 1.0 / 12.0, np.sqrt(3.0 * light), high)


def nits_to_hlg(nits: Array, weights: Array | None = None, white_nits: float = HLG_PEAK_NITS) -> Array:
    """Encode display light in nits, inverting `hlg_to_nits`."""
    weights = luma_weights(Matrix.BT2020) if weights is None else weights
    gamma = hlg_system_gamma(white_nits)
    luminance = np.maximum(weighted(weights, nits) / white_nits, LEAST_LUMINANCE)
    return scene_to_hlg(luminance ** (1.0 / gamma - 1.0) * nits / white_nits)


LEAST_LUMINANCE: Final = 1e-12
"""Least relative luminance in divisions by its powers, so that black stays black."""


# --- Gamut ---

WHITE_D65: Final = (0.3127, 0.3290)
CHROMATICITIES: Final = {
    Primaries.BT709: ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060)),
    Primaries.BT601_525: ((0.630, 0.340), (0.310, 0.595), (0.155, 0.070)),
    Primaries.BT601_625: ((0.640, 0.330), (0.290, 0.600), (0.150, 0.060)),
    Primaries.BT2020: ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    Primaries.DISPLAY_P3: ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),
}
"""x and y of red, green, blue; white is D65. Source: H.273, table 2; Display P3: SMPTE EG 432-1 with D65."""


def rgb_to_xyz(primaries: Primaries) -> Array:
    """Return (3, 3) from linear RGB to CIE XYZ, white's Y 1."""
    corners = np.array([[x / y, 1.0, (1.0 - x - y) / y] for x, y in CHROMATICITIES[primaries]]).T
    x, y = WHITE_D65
    white = np.array([x / y, 1.0, (1.0 - x - y) / y])
    return np.asarray(corners * np.linalg.solve(corners, white), np.float64)


GAMUT_DIGITS: Final = 13
"""Decimal digits of matrices between gamuts: one less than their solution has in every build of LAPACK."""


def gamut_matrix(source: Primaries, target: Primaries) -> Array:
    """Return (3, 3) between two gamuts' linear RGB, rounded, as LAPACK builds differ."""
    return np.asarray(np.linalg.solve(rgb_to_xyz(target), rgb_to_xyz(source)), np.float64).round(GAMUT_DIGITS)


def luminance_weights(primaries: Primaries) -> Array:
    """Return the weights (3,) of linear R, G, B."""
    result: Array = rgb_to_xyz(primaries)[1]
    return result


# --- Tone mapping ---


def bt2390_eetf(nits: npt.ArrayLike, source_nits: float, target_nits: float, target_black_nits: float = 0.0) -> Array:
    """Compress nits, clipped to the source's peak, to a target's (BT.2390)."""
    top = float(nits_to_pq(source_nits))
    bottom = float(nits_to_pq(0.0))
    e1 = np.minimum((nits_to_pq(nits) - bottom) / (top - bottom), 1.0)
    max_lum = (float(nits_to_pq(target_nits)) - bottom) / (top - bottom)
    min_lum = (float(nits_to_pq(target_black_nits)) - bottom) / (top - bottom)
    knee = 1.5 * max_lum - 0.5
    if knee < 1.0:
        t = np.maximum(e1 - knee, 0.0) / (1.0 - knee)
        spline = (
            (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1.0 - knee) + (-2 * t**3 + 3 * t**2) * max_lum
        )
        e1 = np.where(e1 < knee, e1, spline)
    e3 = e1 + min_lum * (1.0 - e1) ** 4
    return pq_to_nits(e3 * (top - bottom) + bottom)


HABLE: Final = (0.15, 0.50, 0.10, 0.20, 0.02, 0.30)
"""A to F: shoulder, linear strength, linear angle, toe strength, toe numerator, toe denominator."""


def _hable(x: Array) -> Array:
    a, b, c, d, e, f = HABLE
    curve: Array = (x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f) - e / f
    return curve


def hable(light: npt.ArrayLike, peak: float) -> Array:
    """Map light 0..peak (1 is white) to 0..1, by Hable."""
    return _hable(np.asarray(light, np.float64)) / _hable(np.asarray(peak, np.float64))


def hable_scale(peak: float) -> float:
    """Return the reciprocal of Hable's curve at its peak."""
    return 1.0 / float(_hable(np.asarray(peak, np.float64)))


def reinhard(light: npt.ArrayLike, peak: float) -> Array:
    """Map light 0..peak (1 is white) to 0..1, by Reinhard."""
    x = np.asarray(light, np.float64)
    curve: Array = x * (1.0 + x / peak**2) / (1.0 + x)
    return curve


def source_peak_nits(picture: FrameFormat) -> float:
    """Return the tone mapping's peak: HLG's 1000 nits, else 203..10000."""
    if picture.transfer is Transfer.HLG:
        return HLG_PEAK_NITS
    return min(max(REFERENCE_WHITE_NITS, picture.peak_nits), PQ_PEAK_NITS)


def tone_map(luminance_nits: npt.ArrayLike, peak_nits: float, method: ToneMap) -> Array:
    """Map HDR luminance to SDR 0..1, 203 nits to 1."""
    nits = np.minimum(np.asarray(luminance_nits, np.float64), peak_nits)
    if method is ToneMap.HABLE:
        return hable(nits / REFERENCE_WHITE_NITS, peak_nits / REFERENCE_WHITE_NITS)
    return bt2390_eetf(nits, peak_nits, REFERENCE_WHITE_NITS) / REFERENCE_WHITE_NITS


# --- HDR that stays HDR ---

SHOULDER_NITS: Final = 58.5 / 0.83802
SHOULDER_SLOPE: Final = 0.83802
SHOULDER: Final = (15.09968, 0.74204, 78.99439)
"""k2, k3, k4 of BT.2446: scale, offset and slope of the logarithm above SHOULDER_NITS."""


def bt2446c(nits: npt.ArrayLike) -> Array:
    """Map HDR nits to percent of SDR white (BT.2446-1, C)."""
    light = np.asarray(nits, np.float64)
    scale, shift, rise = SHOULDER
    above = scale * np.log(np.maximum(light / SHOULDER_NITS, 1.0) - shift) + rise
    return np.where(light < SHOULDER_NITS, SHOULDER_SLOPE * light, above)


def bt2446c_inverse(percent: npt.ArrayLike) -> Array:
    """Invert `bt2446c`."""
    light = np.asarray(percent, np.float64)
    scale, shift, rise = SHOULDER
    above = SHOULDER_NITS * (np.exp((light - rise) / scale) + shift)
    return np.where(light < SHOULDER_SLOPE * SHOULDER_NITS, light / SHOULDER_SLOPE, above)


KEPT_SATURATION: Final = 1.4
"""Exponent of a channel's share of the largest channel: mean effect of converting BT.2020 to BT.709."""

KEPT_TOE: Final = 0.05
"""Shares below it are scaled linearly: their powers are too small for half floats."""


def kept_white(picture: FrameFormat) -> float:
    """Return `bt2446c` of a picture's peak, which becomes 1.0."""
    return float(bt2446c(source_peak_nits(picture)))


def kept_top(picture: FrameFormat) -> float:
    """Return `hdr_to_kept`'s maximum: of 10,000 nits for PQ, else 1."""
    if picture.transfer is not Transfer.PQ:
        return 1.0
    return float(linear_to_srgb(float(bt2446c(PQ_PEAK_NITS)) / kept_white(picture)))


KEPT_KNEE: Final = 0.97
"""Value of `hdr_to_kept` at which the roll-off begins: 613 nits for a peak of 1000, which itself becomes 801.

The knee of BT.2390 (316 nits, and 75 for a peak of 400) would change too much of a film that never exceeds its peak.
"""


class RollOff(NamedTuple):
    """Compression of `hdr_to_kept`'s values v above a knee.

    v becomes knee + d / (1 + rate * d), with d = v - knee.
    """

    knee: float
    rate: float


def no_roll_off(picture: FrameFormat) -> RollOff:
    return RollOff(kept_top(picture), 0.0)


def roll_off(picture: FrameFormat) -> RollOff:
    """Return the roll-off from `kept_top` to 1."""
    top = kept_top(picture)
    if top <= 1.0:
        return no_roll_off(picture)
    return RollOff(KEPT_KNEE, 1.0 / (1.0 - KEPT_KNEE) - 1.0 / (top - KEPT_KNEE))


def rolled_off(kept: Array, curve: RollOff) -> Array:
    """Compress `hdr_to_kept`'s values, keeping the channels' ratios."""
    largest = np.maximum(np.max(kept, axis=0), curve.knee)
    above = largest - curve.knee
    rolled: Array = np.where(above > 0.0, (curve.knee + above / (1.0 + curve.rate * above)) / largest * kept, kept)
    return rolled


def hdr_to_kept(encoded: Array, picture: FrameFormat) -> Array:
    """Convert R'G'B' of PQ or HLG to an SDR-like space; inverse: `kept_to_hdr`.

    BT.2446's curve C maps the largest channel, the source's peak to 1.0; others keep their share (see `saturated`).
    Encoded as sRGB, unclipped.
    """
    weights = luminance_weights(picture.primaries)
    nits = pq_to_nits(encoded) if picture.transfer is Transfer.PQ else hlg_to_nits(encoded, weights)
    largest = np.maximum(np.max(nits, axis=0), LEAST_NITS)
    # Not by a matrix to BT.709, which is not invertible near black.
    shares = saturated(nits / largest, kept_saturation(picture))
    return linear_to_srgb(bt2446c(largest) / kept_white(picture) * shares)


def kept_to_hdr(kept: Array, picture: FrameFormat) -> Array:
    """Convert `hdr_to_kept`'s values to R'G'B' 0..1."""
    light = np.maximum(srgb_to_linear(kept), 0.0)
    largest = np.maximum(np.max(light, axis=0), LEAST_LIGHT)
    shares = desaturated(light / largest, kept_saturation(picture))
    nits = bt2446c_inverse(largest * kept_white(picture)) * shares
    if picture.transfer is Transfer.PQ:
        return nits_to_pq(np.minimum(nits, PQ_PEAK_NITS))
    return np.minimum(nits_to_hlg(nits, luminance_weights(picture.primaries)), 1.0)


def kept_saturation(picture: FrameFormat) -> float:
    """Return the exponent of `saturated` for a picture's gamut."""
    return KEPT_SATURATION if picture.primaries is Primaries.BT2020 else 1.0


def saturated(shares: npt.ArrayLike, power: float) -> Array:
    """Raise shares of the largest channel to a power; scale values below KEPT_TOE."""
    share = np.asarray(shares, np.float64)
    return np.where(share < KEPT_TOE, share * KEPT_TOE ** (power - 1.0), np.maximum(share, KEPT_TOE) ** power)


def desaturated(shares: npt.ArrayLike, power: float) -> Array:
    """Invert `saturated`."""
    share, toe = np.asarray(shares, np.float64), float(KEPT_TOE**power)
    return np.where(share < toe, share / KEPT_TOE ** (power - 1.0), np.maximum(share, toe) ** (1.0 / power))


LEAST_NITS: Final = 1e-6
LEAST_LIGHT: Final = 1e-10
"""Least divisor of shares, in nits and as painted light, so that black stays black."""


def recoded(encoded: Array, source: FrameFormat, target: FrameFormat) -> Array:
    """Convert R'G'B' between formats. HDR becomes SDR by BT.2390, white at 203 nits."""
    weights = luminance_weights(source.primaries)
    match source.transfer:
        case Transfer.SDR:
            nits = REFERENCE_WHITE_NITS * srgb_to_linear(encoded)
        case Transfer.PQ:
            nits = pq_to_nits(encoded)
        case Transfer.HLG:
            nits = hlg_to_nits(encoded, weights)
    if source.transfer is not Transfer.SDR and target.transfer is Transfer.SDR:
        luminance = weighted(weights, nits)
        mapped = REFERENCE_WHITE_NITS * tone_map(luminance, source_peak_nits(source), ToneMap.BT2390)
        nits = nits * (mapped / np.maximum(luminance, LEAST_NITS))
    nits = np.maximum(weighted(gamut_matrix(source.primaries, target.primaries), nits), 0.0)
    match target.transfer:
        case Transfer.SDR:
            values = linear_to_srgb(nits / REFERENCE_WHITE_NITS)
        case Transfer.PQ:
            values = nits_to_pq(np.minimum(nits, PQ_PEAK_NITS))
        case Transfer.HLG:
            values = nits_to_hlg(nits, luminance_weights(target.primaries))
    return np.clip(values, 0.0, 1.0)


def expose(encoded: npt.ArrayLike, exposure_ev: float, curve: ToneCurve) -> Array:
    """Change exposure of R'G'B' in linear light, then apply the curve."""
    peak = max(1.0, 2.0**exposure_ev)
    light = srgb_to_linear(encoded) * 2.0**exposure_ev
    match curve:
        case ToneCurve.CLIP:
            light = np.minimum(light, 1.0)
        case ToneCurve.REINHARD:
            light = reinhard(light, peak)
        case ToneCurve.HABLE:
            light = hable(light, peak)
    return linear_to_srgb(light)


# --- Output ---


def _bayer(size: int) -> npt.NDArray[np.int64]:
    if size == 1:
        return np.zeros((1, 1), np.int64)
    half = 4 * _bayer(size // 2)
    return np.block([[half, half + 2], [half + 3, half + 1]])


DITHER: Final[Array] = (_bayer(8).astype(np.float64) + 0.5) / 64.0
"""Thresholds (8, 8), 0..1, of the ordered dither (B. E. Bayer, 1973).

A sample's code is floor(exact + DITHER[y % 8, x % 8]) in its plane, with 0.5 in place of the threshold without dither.
"""


def split_column(split: float | None, width: int) -> int:
    """Return the first painted column; earlier ones show the source."""
    return 0 if split is None else math.floor(split * width + 0.5)
