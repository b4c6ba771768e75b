"""What a picture reveals about its strokes: how broad they are, whether they are strokes at all, how thick the paint
is.

Paint has texture everywhere, even where nothing is drawn: a photograph and a flat drawing have quiet places, an impasto
has none. So thickness is read from the quieter quarter of the picture. Grain is everywhere, too, but has no direction.
Breadth is half the mean wavelength across the strokes, whose direction the structure tensor gives, by Rice's formula:
pi times the deviation of luma over that of its slope.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

LINES = 540
"""The shorter side that a picture is reduced to before it is measured, as the painters' working size has by default."""

MIN_LINES = 24
"""Pictures smaller than this have no strokes that could be measured."""

FINE_PX, BROAD_PX = 0.7, 11.0
"""Deviations of the Gaussians between which strokes are looked for, in pixels at LINES lines."""

TENSOR_PX = 3.0
"""Deviation that the structure tensor is smoothed by, at LINES lines."""

TEXTURE_PX, PLACE_PX = 2.0, 4.0
"""Texture is luma finer than the one, its deviation is taken over the other; in pixels at LINES lines."""

USUAL_BREADTH = 0.0125
"""Share of the shorter side that strokes have which are painted at LINES lines: paintings have 0.009 to 0.02."""

PAINT_CODES = 1.5, 4.0
"""Texture in codes of 8 bits at the quietest tenth, from which on and by which a picture is taken to be painted."""

GRAIN = 0.34, 0.43
"""Coherence up to which texture is the grain of a film or of paper, and from which on it may be strokes: noise has
0.24, with a photograph under it 0.37, and 18 paintings have 0.44 to 0.85. It does not tell paintings from photographs,
whose edges go one way, too."""

LEAST_BRUSH = 0.4
"""Of a photograph and a drawing: without any, a film would not be a painting at all."""

MOST_CANVAS = 0.6
"""Of the thinnest paint."""

RELIEF_CODES = 2.5, 25.0
"""Texture in codes of 8 bits at the quieter quarter: of flat paint, and of impasto."""


@dataclass(frozen=True, slots=True)
class Strokes:
    """How a picture is painted. breadth: of a stroke, as a share of the picture's shorter side. brush, relief, canvas:
    0..1, what to begin with for a style in this picture's manner. coherence: 0..1, how much strokes go one way.
    texture: codes of 8 bits in the quieter quarter of the picture."""

    breadth: float
    brush: float
    relief: float
    canvas: float
    coherence: float
    texture: float

    def stroke(self, shorter_side_px: int) -> float:
        """The size of strokes, in the unit of `--stroke`, for a film with this shorter side: 2 for usual strokes at
        1080 lines."""
        return round(shorter_side_px / LINES * self.breadth / USUAL_BREADTH, 2)


def strokes(picture: npt.NDArray[np.floating]) -> Strokes:
    """Measure a picture (H, W, 3), encoded R'G'B' 0..1, of any size.

    A picture with less than MIN_LINES on a side, and one of a single colour, has usual strokes without any body. Raises
    ValueError for another shape and for values that are not finite.
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
    breadth, coherence = _breadth(luma, scale)
    painted = _share(quietest, *PAINT_CODES) * _share(coherence, *GRAIN)
    thick = _share(math.log(max(quiet, 1e-6)), *map(math.log, RELIEF_CODES))
    return Strokes(
        breadth=breadth / side,
        brush=LEAST_BRUSH + (1.0 - LEAST_BRUSH) * painted,
        relief=painted * thick,
        canvas=MOST_CANVAS * painted * (1.0 - thick),
        coherence=coherence,
        texture=quiet,
    )


def _share(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))


def _reduced_luma(picture: npt.NDArray[np.floating]) -> Array:
    """Luma of means of whole blocks, the shorter side LINES to twice that, or as it is."""
    height, width = picture.shape[:2]
    side = max(1, min(height, width) // LINES)
    luma = np.zeros((height // side, width // side))
    for row in range(side):
        for column in range(side):
            part = picture[row : height // side * side : side, column : width // side * side : side]
            luma += part @ np.array([0.2126, 0.7152, 0.0722])
    mean: Array = luma / side**2
    return mean


def _breadth(luma: Array, scale: float) -> tuple[float, float]:
    """Half the mean wavelength across the strokes in pixels, and the coherence of their direction."""
    fine = _smooth(luma, FINE_PX * scale)
    paint = fine - _smooth(luma, BROAD_PX * scale)
    down, across = (np.gradient(fine, axis=axis) for axis in (0, 1))
    xx, xy, yy = (_smooth(part, TENSOR_PX * scale) for part in (across * across, across * down, down * down))
    coherence = float(np.hypot(xx - yy, 2 * xy).sum() / max((xx + yy).sum(), 1e-12))
    normal = 0.5 * np.arctan2(2 * xy, xx - yy)
    down, across = (np.gradient(paint, axis=axis) for axis in (0, 1))
    slope = across * np.cos(normal) + down * np.sin(normal)
    energy, steepness = (_smooth(part * part, TENSOR_PX * scale).clip(0.0) for part in (paint, slope))
    seen = steepness > max(1e-10, 1e-4 * float(steepness.mean()))
    return math.pi * float(np.median(np.sqrt(energy[seen] / steepness[seen]))), coherence


def _smooth(plane: Array, deviation_px: float) -> Array:
    """A Gaussian, with the picture mirrored at its edges."""
    radius = math.ceil(3.0 * deviation_px)
    ends = np.pad(plane, radius, "symmetric")
    down, across = np.fft.fftfreq(ends.shape[0])[:, None], np.fft.rfftfreq(ends.shape[1])
    kept = np.exp(-2.0 * (math.pi * deviation_px) ** 2 * (down**2 + across**2))
    smooth: Array = np.fft.irfft2(np.fft.rfft2(ends) * kept, ends.shape)
    return smooth[radius:-radius, radius:-radius]
