"""Measures of a picture's strokes: breadth, length, variation, thickness of paint.

Breadth is half the mean wavelength across them (structure tensor, Rice's formula).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from framebrush.models.brushes import OIL, BrushKind
from framebrush.models.colours.luma import LUMA

Array = npt.NDArray[np.float64]

LINES = 540
"""Shorter side for measurement, the painters' default working size."""

MIN_LINES = 24
"""Smallest side with measurable strokes."""

FINE_PX, BROAD_PX = 0.7, 11.0
"""Deviations of the band-pass for strokes, in pixels at LINES lines."""

TENSOR_PX = 3.0
"""Deviation that smooths the structure tensor, at LINES lines."""

TEXTURE_PX, PLACE_PX = 2.0, 4.0
"""Deviations of the high-pass for texture, and of its local mean, in pixels at LINES lines."""

USUAL_BREADTH = 0.0125
"""Breadth of usual strokes at LINES lines, as a share of the shorter side: paintings have 0.009 to 0.02."""

PAINT_CODES = 1.5, 4.0
"""Texture in codes of 8 bits at the quietest tenth: from the first value on a picture may be painted, the second is the
range."""

GRAIN = 0.34, 0.43
"""Coherence of grain, and of strokes. Noise has 0.24, over a photograph 0.37; 18 paintings have 0.44 to 0.85. It does
not separate paintings from photographs, whose edges are coherent, too."""

LEAST_BRUSH = 0.4
"""Brush of photographs and drawings, so that the result still is a painting."""

MOST_CANVAS = 0.6
"""Canvas of the thinnest paint."""

RELIEF_CODES = 2.5, 25.0
"""Texture in codes of 8 bits at the quieter quarter: of flat paint, and of impasto."""


STEEPEST_DOT, WIDTHS_PER_STEEPNESS = 1.25, 2.5
"""Steepness of dots by chance, and widths of length per unit above it. Measured on photographs painted with each brush:
dots 1.5 to 1.9, dabs and slabs 2 to 2.6, strokes 2.4 to 3.4."""

LENGTHS = 0.6, 8.0
"""Range of lengths in widths."""

FLAT_CODES, JITTER_PER_CODE = 1.2, 0.014
"""Least variation of strokes in codes of 8 bits in flat paint, and jitter per further code. Measured: 2 to 4 for oil, 5
to 7 for dots of pure colour."""

JITTERS = 0.01, 0.08
"""Range of jitter."""

SURE = 0.5
"""Share of paint from which measured strokes are used."""

DOT_BREADTH, BREADTH_PER_WIDTH = 1.2, 0.7
"""Broadest layer of a brush for dots, in its unit of width, and the increase per width of length."""

USUAL_LENGTH = OIL.lengths[0]


@dataclass(frozen=True, slots=True)
class Strokes:
    """Measures of a picture's strokes.

    breadth: share of the shorter side. brush, relief, canvas: 0..1, defaults of a style. coherence: of direction, 0..1.
    texture: 8-bit codes, in the quieter quarter. length: in widths. jitter: variation of colour, 0..1, in the quietest
    tenth.
    """

    breadth: float
    brush: float
    relief: float
    canvas: float
    coherence: float
    texture: float
    length: float = USUAL_LENGTH
    jitter: float = OIL.jitter

    def stroke(self, shorter_side_px: int) -> float:
        """Return the stroke size for a film, in `--stroke`'s unit."""
        return round(shorter_side_px / LINES * self.breadth / USUAL_BREADTH, 2)


def strokes(picture: npt.NDArray[np.floating]) -> Strokes:
    """Measure a picture (H, W, 3), R'G'B' 0..1. Raises ValueError.

    Small or plain pictures get usual strokes.
    """
    if picture.ndim != 3 or picture.shape[2] != 3 or not picture.size:
        raise ValueError(f"a picture has the shape (height, width, 3), not {picture.shape}")
    luma = _reduced_luma(picture)
    if not np.isfinite(luma).all():
        raise ValueError("a picture holds a value that is not finite")
    side = min(luma.shape)
    if side < MIN_LINES or np.ptp(luma) < 1 / 255:
        return Strokes(USUAL_BREADTH, LEAST_BRUSH, 0.0, 0.0, 0.0, 0.0)
    scale = side / LINES
    fine = luma - _smooth(luma, TEXTURE_PX * scale)
    texture = np.sqrt(_smooth(fine * fine, PLACE_PX * scale).clip(0.0)) * 255.0
    quietest, quiet = (float(value) for value in np.quantile(texture, [0.1, 0.25]))
    paint = _smooth(luma, FINE_PX * scale) - _smooth(luma, BROAD_PX * scale)
    breadth, coherence, swing = _breadth(luma, paint, scale)
    length = _length(paint, breadth)
    painted = _share(quietest, *PAINT_CODES) * _share(coherence, *GRAIN)
    thick = _share(math.log(max(quiet, 1e-6)), *map(math.log, RELIEF_CODES))
    jitter = min(max(JITTER_PER_CODE * (swing * 255.0 - FLAT_CODES), JITTERS[0]), JITTERS[1])
    sure = min(1.0, painted / SURE)
    return Strokes(
        breadth=breadth / side,
        brush=LEAST_BRUSH + (1.0 - LEAST_BRUSH) * painted,
        relief=painted * thick,
        canvas=MOST_CANVAS * painted * (1.0 - thick),
        coherence=coherence,
        texture=quiet,
        length=USUAL_LENGTH + sure * (length - USUAL_LENGTH),
        jitter=OIL.jitter + sure * (jitter - OIL.jitter),
    )


def kind_of(length: float, jitter: float) -> BrushKind:
    """Return a brush of this length (in widths) and jitter."""
    broadest = min(OIL.widths[0], DOT_BREADTH + BREADTH_PER_WIDTH * length)
    widths = (broadest, *(width for width in OIL.widths[1:] if width < 0.75 * broadest))
    lengths = tuple(length * each / USUAL_LENGTH for each in OIL.lengths[: len(widths)])
    need = OIL.need * min(1.0, max(0.4, length / 4.0))
    return replace(OIL, widths=widths, lengths=lengths, jitter=jitter, need=need)


def _share(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))


def _reduced_luma(picture: npt.NDArray[np.floating]) -> Array:
    height, width = picture.shape[:2]
    side = max(1, min(height, width) // LINES)
    luma = np.zeros((height // side, width // side))
    for row in range(side):
        for column in range(side):
            part = picture[row : height // side * side : side, column : width // side * side : side]
            luma += part @ LUMA
    mean: Array = luma / side**2
    return mean


def _breadth(luma: Array, paint: Array, scale: float) -> tuple[float, float, float]:
    """Return breadth in pixels, coherence, and least variation of luma 0..1."""
    down, across = (np.gradient(_smooth(luma, FINE_PX * scale), axis=axis) for axis in (0, 1))
    xx, xy, yy = (_smooth(part, TENSOR_PX * scale) for part in (across * across, across * down, down * down))
    coherence = float(np.hypot(xx - yy, 2 * xy).sum() / max((xx + yy).sum(), 1e-12))
    normal = 0.5 * np.arctan2(2 * xy, xx - yy)
    down, across = (np.gradient(paint, axis=axis) for axis in (0, 1))
    slope = across * np.cos(normal) + down * np.sin(normal)
    energy, steepness = (_smooth(part * part, TENSOR_PX * scale).clip(0.0) for part in (paint, slope))
    seen = steepness > max(1e-10, 1e-4 * float(steepness.mean()))
    breadth = math.pi * float(np.median(np.sqrt(energy[seen] / steepness[seen])))
    return breadth, coherence, float(np.sqrt(np.quantile(energy, 0.1)))


def _length(paint: Array, breadth_px: float) -> float:
    down, across = (np.gradient(paint, axis=axis) for axis in (0, 1))
    near_px = max(1.0, 0.5 * breadth_px)
    xx, xy, yy = (_smooth(part, near_px) for part in (across * across, across * down, down * down))
    middle, apart = 0.5 * (xx + yy), np.hypot(0.5 * (xx - yy), xy)
    seen = middle > max(1e-10, 1e-4 * float(middle.mean()))
    steeper = float(np.median(np.sqrt((middle + apart)[seen] / (middle - apart)[seen].clip(1e-12))))
    return min(max(WIDTHS_PER_STEEPNESS * (steeper - STEEPEST_DOT), LENGTHS[0]), LENGTHS[1])


def _smooth(plane: Array, deviation_px: float) -> Array:
    radius = math.ceil(3.0 * deviation_px)
    ends = np.pad(plane, radius, "symmetric")
    down, across = np.fft.fftfreq(ends.shape[0])[:, None], np.fft.rfftfreq(ends.shape[1])
    kept = np.exp(-2.0 * (math.pi * deviation_px) ** 2 * (down**2 + across**2))
    smooth: Array = np.fft.irfft2(np.fft.rfft2(ends) * kept, ends.shape)
    return smooth[radius:-radius, radius:-radius]
