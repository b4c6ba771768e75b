"""Relief of paint and canvas under a lamp: definition and constants.

Height is the strokes'; elsewhere paint is thick where lighter than around. A lamp adds diffuse and specular light
(Hertzmann, "Fast Paint Texture", 2002). Flat areas show the canvas.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from framebrush.gpu.colour import Array
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages import corners
from framebrush.gpu.stages.cells import Cells, gaussian
from framebrush.gpu.stages.lighting import RELIEF
from framebrush.gpu.stages.strokes import StrokeLayout, coverage

BROAD_REACH = 9.0
"""Standard deviation of a pixel's surroundings, in pixels at scale 1."""

MOST_RADIUS = 14
"""Largest radius of that Gaussian in cells, so that a group's cells fit in 16 KiB."""

BODY_LUMA, BODY_MOST = 0.12, 2.5
"""Difference of luma 0..1 for a body of 1, and the limit of the body."""

BODY_SHARE = 0.6
"""Share of luma in the height."""

THICK_LUMA, THIN = 0.06, 0.25
"""Deviation of luma from which paint is thick, and the least thickness."""

HEIGHT = 0.42
"""Height of thick paint at relief 1, in pixels at scale 1."""

WEAVE_HEIGHT, WEAVE_COVER = 0.35, 0.8
"""Height of the canvas at canvas 1, in pixels of its pitch at 1080 lines; share of it that thick paint hides."""

WEAVE_LINES = 270.0
"""Lines of the picture over the canvas pitch: threads have the same size on a screen at any resolution."""

LEAST_PITCH_PX = 3.0
"""Smallest pitch. Finer threads alias."""

WEAVE_PITCH_PX = 4.0
"""Pitch at 1080 lines."""

LAMP_HEIGHT = 0.9
"""Height of the lamp over its horizontal distance."""

GLEAM, GLEAM_POWER = 0.15, 60.0
"""Brightness of highlights in linear light at relief 1, and their exponent, a whole number below 64 for the CPU."""


@lru_cache(maxsize=16)
def broad_weights(strokes: Cells) -> Array:
    """Return a Gaussian (2 r + 1,) for surroundings."""
    deviation = BROAD_REACH * strokes.scale / strokes.cell_px
    return gaussian(deviation, min(MOST_RADIUS, math.ceil(2.5 * deviation)))


def weave_pitch_px(size: Size) -> float:
    """Return a canvas pitch in whole pixels, against beats."""
    return max(LEAST_PITCH_PX, math.floor(min(size) / WEAVE_LINES + 0.5))


@dataclass(frozen=True, slots=True)
class Lamp:
    """Unit vectors to lamp and half-way to the viewer, with y down."""

    light: tuple[float, float, float]
    half: tuple[float, float, float]

    @classmethod
    def at(cls, degrees: float) -> Lamp:
        angle = math.radians(degrees)
        light = np.array([math.cos(angle), -math.sin(angle), LAMP_HEIGHT])
        light /= np.linalg.norm(light)
        half = light + np.array([0.0, 0.0, 1.0])
        half /= np.linalg.norm(half)
        return cls(tuple(light.tolist()), tuple(half.tolist()))


def weave(size: tuple[int, ...], pitch_px: float) -> Array:
    """Return a plain weave (H, W), 0..1."""
    v, u = ((np.arange(length) + 0.5) / pitch_px for length in size)
    v = v[:, None]
    warp = np.sin(np.pi * (u - np.floor(u))) * (0.6 + 0.4 * np.sin(np.pi * (v + np.floor(u))))
    weft = np.sin(np.pi * (v - np.floor(v))) * (0.6 + 0.4 * np.sin(np.pi * (u + np.floor(v) + 1.0)))
    highest: Array = np.maximum(warp, weft)
    return highest


def relief_record(size: Size, painted_size: Size, strokes: Cells, look: Look, stroke_px: float) -> Record:
    """Make the constants of relief kernels, without corners.

    stroke_px: height of strokes at relief 1.
    """
    record, weights, lamp = np.zeros((), RELIEF), broad_weights(strokes), Lamp.at(look.lamp_degrees)
    pitch, relief = weave_pitch_px(size), look.relief or 0.0
    record["light"][:3], record["half_way"][:3] = lamp.light, lamp.half
    record["body_luma"], record["body_most"] = BODY_LUMA, BODY_MOST
    record["thick_luma"], record["thin"] = THICK_LUMA, THIN
    record["height"], record["stroke_height"] = relief * HEIGHT * strokes.scale * BODY_SHARE, relief * stroke_px
    record["weave"], record["cover"] = (look.canvas or 0.0) * WEAVE_HEIGHT * pitch / WEAVE_PITCH_PX, WEAVE_COVER
    record["gleam"], record["gleam_power"] = GLEAM * relief, GLEAM_POWER
    record["gleam_rest"] = lamp.half[2] ** GLEAM_POWER
    record["pitch_px"], record["size"], record["painted_size"] = pitch, size, painted_size
    record["cells"], record["cell_px"] = strokes.cells(*size), strokes.cell_px
    record["detail"], record["brush"] = look.raised_detail, coverage(look)
    record["gauss"].reshape(-1)[: len(weights)] = weights
    return record


def gpu_record(sizes: Sizes, layout: StrokeLayout, painted_size: Size, look: Look) -> Record:
    """Make the constants of relief kernels of GPUs, with corners."""
    record = relief_record(sizes.target, painted_size, Cells.of(sizes), look, layout.raised_px)
    record["corner_cells"] = corners.cells(sizes.working)
    record["corner_step"] = corners.cells_per_px(sizes.working, sizes.target)
    return record
