"""The float64 reference of relief and canvas. The constants and what they are for: `gpu.stages.relief`.

Pictures are (3, H, W) encoded R'G'B' 0..1 at the target's size.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.reference.brush import Whole, between_cells, cells, direction, luma_of, smoothed
from framebrush.gpu.stages.brush import Strokes
from framebrush.gpu.stages.relief import (
    BODY_LUMA,
    BODY_MOST,
    BODY_SHARE,
    BRISTLE_SHARE,
    GLEAM,
    GLEAM_POWER,
    HEIGHT,
    NOISE_PX,
    THICK_LUMA,
    THIN,
    WEAVE_COVER,
    WEAVE_HEIGHT,
    WEAVE_PITCH_PX,
    Drift,
    Lamp,
    bristle_gain,
    bristle_line,
    broad_weights,
    grain_px,
    moved,
    noise,
    phase_weight,
    weave,
    weave_pitch_px,
)


def lit(
    painting: Array,
    strokes: Strokes,
    relief: float,
    canvas: float,
    lamp: Lamp,
    *,
    drift: Drift | None = None,
    working: tuple[int, int] = (0, 0),
) -> Array:
    """A painting (3, H, W) with its relief and canvas under the lamp.

    relief, canvas: 0..1. drift: of the bristles, which stand still without one. working: width and height of the frames
    in which it is measured.
    """
    z = height(painting, strokes, relief, canvas, drift, working)
    around = np.pad(z, 1, "edge")
    smooth_x = around[:, :-2] + 2.0 * around[:, 1:-1] + around[:, 2:]
    smooth_y = around[:-2] + 2.0 * around[1:-1] + around[2:]
    gx, gy = (smooth_y[:, 2:] - smooth_y[:, :-2]) / 8.0, (smooth_x[2:] - smooth_x[:-2]) / 8.0
    length = np.sqrt(1.0 + gx * gx + gy * gy)
    diffuse, glance = ((-gx * vector[0] - gy * vector[1] + vector[2]) / length for vector in (lamp.light, lamp.half))
    gleam = np.maximum(glance, 0.0) ** GLEAM_POWER - lamp.half[2] ** GLEAM_POWER
    light = colour.srgb_to_linear(painting) * np.maximum(diffuse / lamp.light[2], 0.0) + GLEAM * relief * gleam
    return colour.linear_to_srgb(np.clip(light, 0.0, 1.0))


def height(
    painting: Array, strokes: Strokes, relief: float, canvas: float, drift: Drift | None, working: tuple[int, int]
) -> Array:
    """(H, W): of the paint and the canvas, in pixels."""
    size = painting.shape[1:]
    light = cells(painting, strokes)
    broad = smoothed(light, broad_weights(strokes))
    deviation = np.sqrt(np.maximum(smoothed((light - broad) ** 2, broad_weights(strokes)), 0.0))
    broad, thick = (
        between_cells(plane, strokes.cell_px, size) for plane in (broad, np.clip(deviation / THICK_LUMA, THIN, 1.0))
    )
    body = np.clip((luma_of(painting) - broad) / BODY_LUMA, -BODY_MOST, BODY_MOST)
    paint = thick * (
        BODY_SHARE * body + BRISTLE_SHARE * bristles(direction(painting, strokes), strokes, drift, working)
    )
    pitch = weave_pitch_px((size[1], size[0]))
    ground = (1.0 - WEAVE_COVER * thick) * weave(size, pitch) * pitch / WEAVE_PITCH_PX
    found: Array = relief * HEIGHT * strokes.scale * paint + canvas * WEAVE_HEIGHT * ground
    return found


def bristles(directions: Whole, strokes: Strokes, drift: Drift | None, working: tuple[int, int]) -> Array:
    """(H, W): noise averaged along the strokes, its deviation 1 where it has not drifted in two ways."""
    if drift is None:
        return _bristles(directions, strokes, np.zeros((2, *directions.shape), np.int64))
    rows, columns = directions.shape
    y, x = np.arange(rows) * working[1] // rows, np.arange(columns) * working[0] // columns
    weights = (phase_weight(drift.place), 1.0 - phase_weight(drift.place))
    factors = rows / working[1], columns / working[0]
    total = np.zeros(directions.shape)
    for weight, way in zip(weights, drift.ways, strict=True):
        total = total + weight * _bristles(directions, strokes, moved(way, factors, y, x))
    return total


def _bristles(directions: Whole, strokes: Strokes, away: Whole) -> Array:
    """away: (2, H, W), how far away each pixel looks its noise up."""
    line, grain, table = bristle_line(strokes), grain_px(strokes), noise().astype(np.float64)
    y, x = np.mgrid[: directions.shape[0], : directions.shape[1]] + away

    def at(offset: npt.NDArray[np.integer]) -> Array:
        found: Array = table[(y + offset[0]) // grain % NOISE_PX, (x + offset[1]) // grain % NOISE_PX]
        return found

    total = line.centre * at(np.zeros((2, 1, 1), np.int64))
    for index, weight in enumerate(line.weights):
        offset = np.moveaxis(line.offsets[directions, index], -1, 0)
        total = total + weight * (at(offset) + at(-offset))
    return bristle_gain(line.count) * total
