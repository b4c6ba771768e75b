"""What a picture reveals about its strokes: how broad and how long they are, how much they differ, whether they are
strokes at all, how thick the paint is.

Paint has texture everywhere, even where nothing is drawn: a photograph and a flat drawing have quiet places, an impasto
has none. So thickness is read from the quieter quarter of the picture. Grain is everywhere, too, but has no direction.
Breadth is half the mean wavelength across the strokes, whose direction the structure tensor gives, by Rice's formula:
pi times the deviation of luma over that of its slope. Along the strokes luma changes more slowly, the longer they are:
how much steeper it is across them than along them tells their length in widths. How far one stroke differs from the
next is read where nothing is drawn, in the quietest tenth.
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


STEEPEST_DOT, WIDTHS_PER_STEEPNESS = 1.25, 2.5
"""Luma of dots is steeper one way than the other by so much, by chance; strokes are so many widths longer for each 1
more. Photographs painted with each kind of brush were measured: with dots 1.5 to 1.9, with dabs and slabs 2 to 2.6,
with strokes 2.4 to 3.4."""

LENGTHS = 0.6, 8.0
"""Of strokes, in widths: the shortest are those of the shortest kind of brush."""

FLAT_CODES, JITTER_PER_CODE = 1.2, 0.014
"""By how many codes of 8 bits strokes differ where they do least: by so many in flat paint; and the jitter of a brush
for each one more. The same photographs had 2 to 4 painted with oil, 5 to 7 with dots of pure colour."""

JITTERS = 0.01, 0.08
"""Those of the kinds of brush."""

SURE = 0.5
"""From this share of paint on, a picture's strokes are taken for a painter's."""

DOT_BREADTH, BREADTH_PER_WIDTH = 1.2, 0.7
"""The broadest layer of a brush that paints dots, in its unit of width, and how much broader it is for each width that
strokes are longer."""

USUAL_LENGTH = OIL.lengths[0]


@dataclass(frozen=True, slots=True)
class Strokes:
    """How a picture is painted. breadth: of a stroke, as a share of the picture's shorter side. brush, relief, canvas:
    0..1, what to begin with for a style in this picture's manner. coherence: 0..1, how much strokes go one way.
    texture: codes of 8 bits in the quieter quarter of the picture. length: of a stroke, in widths. jitter: how far the
    colour of a stroke lies from its place's, 0..1."""

    breadth: float
    brush: float
    relief: float
    canvas: float
    coherence: float
    texture: float
    length: float = USUAL_LENGTH
    jitter: float = OIL.jitter

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
    """A brush whose strokes are so long, in widths, and differ so much in colour: oil's where they are as long as its
    own. Short ones are narrower below, and are drawn where there is less to say: a picture of dots has no broad
    strokes."""
    broadest = min(OIL.widths[0], DOT_BREADTH + BREADTH_PER_WIDTH * length)
    widths = (broadest, *(width for width in OIL.widths[1:] if width < 0.75 * broadest))
    lengths = tuple(length * each / USUAL_LENGTH for each in OIL.lengths[: len(widths)])
    need = OIL.need * min(1.0, max(0.4, length / 4.0))
    return replace(OIL, widths=widths, lengths=lengths, jitter=jitter, need=need)


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
            luma += part @ LUMA
    mean: Array = luma / side**2
    return mean


def _breadth(luma: Array, paint: Array, scale: float) -> tuple[float, float, float]:
    """Half the mean wavelength across the strokes in pixels, the coherence of their direction, and by how much of luma,
    0..1, they differ where they do least."""
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
    """How long strokes are, in widths, by how much steeper paint is across them than along them, over a stroke."""
    down, across = (np.gradient(paint, axis=axis) for axis in (0, 1))
    near_px = max(1.0, 0.5 * breadth_px)
    xx, xy, yy = (_smooth(part, near_px) for part in (across * across, across * down, down * down))
    middle, apart = 0.5 * (xx + yy), np.hypot(0.5 * (xx - yy), xy)
    seen = middle > max(1e-10, 1e-4 * float(middle.mean()))
    steeper = float(np.median(np.sqrt((middle + apart)[seen] / (middle - apart)[seen].clip(1e-12))))
    return min(max(WIDTHS_PER_STEEPNESS * (steeper - STEEPEST_DOT), LENGTHS[0]), LENGTHS[1])


def _smooth(plane: Array, deviation_px: float) -> Array:
    """A Gaussian, with the picture mirrored at its edges."""
    radius = math.ceil(3.0 * deviation_px)
    ends = np.pad(plane, radius, "symmetric")
    down, across = np.fft.fftfreq(ends.shape[0])[:, None], np.fft.rfftfreq(ends.shape[1])
    kept = np.exp(-2.0 * (math.pi * deviation_px) ** 2 * (down**2 + across**2))
    smooth: Array = np.fft.irfft2(np.fft.rfft2(ends) * kept, ends.shape)
    return smooth[radius:-radius, radius:-radius]
