"""Reference of relief and canvas in float64, (3, H, W) 0..1."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.look import Look
from framebrush.gpu.stages.cells import Cells, between_cells, cells, luma_of, smoothed
from framebrush.gpu.stages.relief import (
    BODY_LUMA,
    BODY_MOST,
    BODY_SHARE,
    GLEAM,
    GLEAM_POWER,
    HEIGHT,
    THICK_LUMA,
    THIN,
    WEAVE_COVER,
    WEAVE_HEIGHT,
    WEAVE_PITCH_PX,
    Lamp,
    broad_weights,
    weave,
    weave_pitch_px,
)


def lit(
    painting: Array,
    strokes: Cells,
    look: Look,
    *,
    raised: Array | float = 0.0,
    covered: Array | float = 0.0,
) -> Array:
    """Light a painting with relief and canvas.

    raised: strokes' height at relief 1, in pixels. covered: share that strokes replace; both (H, W).
    """
    z, lamp = height(painting, strokes, look, raised, covered), Lamp.at(look.lamp_degrees)
    around = np.pad(z, 1, "edge")
    smooth_x = around[:, :-2] + 2.0 * around[:, 1:-1] + around[:, 2:]
    smooth_y = around[:-2] + 2.0 * around[1:-1] + around[2:]
    gx, gy = (smooth_y[:, 2:] - smooth_y[:, :-2]) / 8.0, (smooth_x[2:] - smooth_x[:-2]) / 8.0
    length = np.sqrt(1.0 + gx * gx + gy * gy)
    diffuse, glance = ((-gx * vector[0] - gy * vector[1] + vector[2]) / length for vector in (lamp.light, lamp.half))
    gleam = np.maximum(glance, 0.0) ** GLEAM_POWER - lamp.half[2] ** GLEAM_POWER
    light = (
        colour.srgb_to_linear(painting) * np.maximum(diffuse / lamp.light[2], 0.0)
        + GLEAM * (look.relief or 0.0) * gleam
    )
    return colour.linear_to_srgb(np.clip(light, 0.0, 1.0))


def height(painting: Array, strokes: Cells, look: Look, raised: Array | float, covered: Array | float) -> Array:
    """Return the height of paint and canvas, in pixels."""
    size = painting.shape[1:]
    light = cells(painting, strokes)
    broad = smoothed(light, broad_weights(strokes))
    deviation = np.sqrt(np.maximum(smoothed((light - broad) ** 2, broad_weights(strokes)), 0.0))
    broad, thick = (
        between_cells(plane, strokes.cell_px, size) for plane in (broad, np.clip(deviation / THICK_LUMA, THIN, 1.0))
    )
    body = np.clip((luma_of(painting) - broad) / BODY_LUMA, -BODY_MOST, BODY_MOST)
    paint = HEIGHT * strokes.scale * BODY_SHARE * thick * body * (1.0 - covered) + raised
    pitch = weave_pitch_px((size[1], size[0]))
    ground = (1.0 - WEAVE_COVER * thick) * weave(size, pitch) * pitch / WEAVE_PITCH_PX
    found: Array = (look.relief or 0.0) * paint + (look.canvas or 0.0) * WEAVE_HEIGHT * ground
    return found
