"""Relief and canvas on the CPU. The reference is `gpu.reference.relief`."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.brush import Strokes
from framebrush.gpu.cpu.brush import Canvas, Direction, Index, Strip, smoothed
from framebrush.gpu.cpu.strips import ONE, ZERO, Floats, dot, look_up
from framebrush.gpu.frame import Matrix
from framebrush.gpu.look import Look
from framebrush.gpu.relief import (
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
from framebrush.gpu.sizes import Size

TABLE_SIZE = 65536
"""Entries of the tables between encoded and linear light."""


class Relief:
    """Lights pictures of one size, into memory of its own. For one thread at a time."""

    def __init__(self, strokes: Strokes, canvas: Canvas, direction: Direction, working: Size) -> None:
        """canvas, direction: for pictures of the same size. working: in whose pixels the bristles drift."""
        self._strokes, self._canvas, self._direction, self._working = strokes, canvas, direction, working
        height, width = canvas.height, canvas.width
        self._line = bristle_line(strokes)
        self._gain = np.float32(bristle_gain(self._line.count))
        self._period = NOISE_PX * grain_px(strokes)
        self._reach = int(np.abs(self._line.offsets).max())
        self._noise = self._noise_plane()
        places = self._line.offsets[..., 0].astype(np.intp) * self._noise.shape[1] + self._line.offsets[..., 1]
        self._offsets = np.ascontiguousarray(places.T)
        self._luma_weights = colour.luma_weights(Matrix.BT709).astype(np.float32)
        self._weave: Floats | None = None
        self._luma, self._height = (np.empty((height, width), np.float32) for _ in range(2))
        self._around = np.empty((height + 2, width + 2), np.float32)
        self._result = np.empty((3, height, width), np.float32)
        steps = np.linspace(0.0, 1.0, TABLE_SIZE)
        self._to_light, self._from_light = (
            curve(steps).astype(np.float32) for curve in (colour.srgb_to_linear, colour.linear_to_srgb)
        )

    def run(self, painting: Floats, look: Look, drift: Drift | None) -> Floats:
        """painting: (3, H, W), R'G'B' 0..1. Returns (3, H, W), valid until the next call."""
        self._raise(painting, look, drift)
        lamp, around, result = Lamp.at(look.lamp_degrees), self._around, self._result
        around[1:-1, 1:-1] = self._height
        around[0], around[-1] = around[1], around[-2]
        around[:, 0], around[:, -1] = around[:, 1], around[:, -2]
        gleam_share, rest = np.float32(GLEAM * (look.relief or 0.0)), np.float32(lamp.half[2] ** GLEAM_POWER)

        def work(strip: Strip) -> None:
            index = strip.scratch_index
            part = around[strip.y0 : strip.y1 + 2]
            across = part[:, 2:] - part[:, :-2]
            gx = (across[:-2] + 2 * across[1:-1] + across[2:]) * np.float32(1 / 8)
            down = part[2:] - part[:-2]
            gy = (down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]) * np.float32(1 / 8)
            length = np.sqrt(gx * gx + gy * gy + ONE)
            diffuse, glance = (
                (np.float32(z) - gx * np.float32(x) - gy * np.float32(y)) / length
                for x, y, z in (lamp.light, lamp.half)
            )
            diffuse *= np.float32(1.0 / lamp.light[2])
            np.maximum(diffuse, ZERO, out=diffuse)
            gleam = _power(np.maximum(glance, ZERO))
            gleam -= rest
            gleam *= gleam_share
            for channel in range(3):
                light = result[channel, strip.rows]
                look_up(self._to_light, painting[channel, strip.rows], index, light)
                light *= diffuse
                light += gleam
                np.clip(light, ZERO, ONE, out=light)
                look_up(self._from_light, light, index, light)

        self._canvas.each_strip(work)
        return result

    def _raise(self, painting: Floats, look: Look, drift: Drift | None) -> None:
        """Fill `_height`."""
        luma, direction, strokes = self._luma, self._direction, self._strokes

        def to_luma(strip: Strip) -> None:
            spare = np.empty((strip.y1 - strip.y0, self._canvas.width), np.float32)
            dot(self._luma_weights, painting[:, strip.rows], luma[strip.rows], spare)

        self._canvas.each_strip(to_luma)
        cells, weights = direction.cells(luma), broad_weights(strokes)
        broad = smoothed(cells, weights)
        deviation = np.sqrt(np.maximum(smoothed((cells - broad) ** 2, weights), ZERO))
        thickness = np.clip(deviation * np.float32(1.0 / THICK_LUMA), np.float32(THIN), ONE)
        directions = direction.run(luma)
        height = np.float32((look.relief or 0.0) * HEIGHT * strokes.scale)
        pitch = weave_pitch_px((self._canvas.width, self._canvas.height))
        ground = np.float32((look.canvas or 0.0) * WEAVE_HEIGHT * pitch / WEAVE_PITCH_PX)
        if look.canvas and self._weave is None:
            self._weave = weave((self._canvas.height, self._canvas.width), pitch).astype(np.float32)

        def work(strip: Strip) -> None:
            thick, z = direction.enlarged(thickness, strip), self._height[strip.rows]
            np.subtract(luma[strip.rows], direction.enlarged(broad, strip), out=z)
            z *= np.float32(1.0 / BODY_LUMA)
            np.clip(z, -BODY_MOST, BODY_MOST, out=z)
            z *= np.float32(BODY_SHARE)
            if look.relief:
                z += np.float32(BRISTLE_SHARE) * self._bristles(strip, directions, drift)
            z *= thick
            z *= height
            if self._weave is not None and look.canvas:
                z += ground * (ONE - np.float32(WEAVE_COVER) * thick) * self._weave[strip.rows]

        self._canvas.each_strip(work)

    def _noise_plane(self) -> Floats:
        """Noise for every pixel, wherever it has drifted to, and for what lies around it."""
        grain, reach, period = grain_px(self._strokes), self._reach, self._period
        y, x = (
            np.arange(-reach, length + period + reach) // grain % NOISE_PX
            for length in (self._canvas.height, self._canvas.width)
        )
        return np.ascontiguousarray(noise()[np.ix_(y, x)])

    def _bristles(self, strip: Strip, directions: Index, drift: Drift | None) -> Floats:
        """(rows, W), its deviation 1 where it has not drifted in two ways."""
        if drift is None or not drift.ways.any():
            return self._mean(strip, directions, ZERO, ZERO)
        total = np.zeros((strip.y1 - strip.y0, self._canvas.width), np.float32)
        first = phase_weight(drift.place)
        (width, height), canvas = self._working, self._canvas
        rows = np.arange(strip.y0, strip.y1) * height // canvas.height
        columns = np.arange(canvas.width) * width // canvas.width
        factors = canvas.height / height, canvas.width / width
        for weight, way in zip((first, 1.0 - first), drift.ways, strict=True):
            if weight:
                y, x = moved(way, factors, rows, columns) % self._period
                total += np.float32(weight) * self._mean(strip, directions, y, x)
        return total

    def _mean(self, strip: Strip, directions: Index, y: Index | np.float32, x: Index | np.float32) -> Floats:
        """Of noise along the strokes, for pixels that have come from so far away."""
        stride, line, samples = self._noise.shape[1], self._line, self._noise.reshape(-1)
        rows = np.arange(strip.y0, strip.y1)[:, None] + np.asarray(y, np.intp)
        columns = np.arange(self._canvas.width) + np.asarray(x, np.intp)
        places = (rows + self._reach) * stride + (columns + self._reach)
        index, offset = np.empty_like(places), np.empty_like(places)
        there, back = (np.empty(places.shape, np.float32) for _ in range(2))
        total: Floats = samples.take(places, mode="clip")
        total *= np.float32(line.centre)
        for far, weight in zip(self._offsets, line.weights, strict=True):
            far.take(directions[strip.rows], out=offset, mode="clip")
            samples.take(np.add(places, offset, out=index), out=there, mode="clip")
            samples.take(np.subtract(places, offset, out=index), out=back, mode="clip")
            there += back
            there *= np.float32(weight)
            total += there
        total *= self._gain
        return total


def _power(values: Floats) -> Floats:
    """To the power of GLEAM_POWER, a whole number, by squaring: numpy's own takes three times as long."""
    power, result = int(GLEAM_POWER), None
    while power:
        if power & 1:
            result = values if result is None else result * values
        values = values * values
        power >>= 1
    assert result is not None
    return result
