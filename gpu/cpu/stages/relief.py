"""Relief and canvas on the CPU. The reference is `gpu.reference.relief`, the loops are in `gpu.cpu.stages.kernels`."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.cpu.stages import kernels
from framebrush.gpu.cpu.stages.brush import Cells, Whole, floats, samples
from framebrush.gpu.cpu.stages.kernels import Samples, Ways
from framebrush.gpu.cpu.strips import Floats, Workers
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.brush import DIRECTIONS, Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import (
    GLEAM,
    GLEAM_POWER,
    HEIGHT,
    NOISE_PX,
    WEAVE_HEIGHT,
    WEAVE_PITCH_PX,
    Drift,
    Lamp,
    bristle_gain,
    bristle_line,
    bristle_table,
    broad_weights,
    grain_px,
    noise,
    phase_weight,
    weave_pitch_px,
)
from framebrush.gpu.stages.steady import BLOCK_PX

TABLE_SIZE = 65536
"""Entries of the tables between encoded and linear light."""


class Relief:
    """Lights pictures of one size. For one thread at a time."""

    def __init__(self, strokes: Strokes, cells: Cells, sizes: Sizes, plane: Floats, workers: Workers) -> None:
        """plane: (H, W), with margins: memory for use in `run`."""
        self._cells, self._workers, self._heights, self._scale = cells, workers, plane, strokes.scale
        self._size, self._working = size, _ = sizes.target, sizes.working
        self._bristles = Bristles(strokes, cells, sizes, workers)
        pitch = weave_pitch_px(size)
        self._threads = threads(size[0], pitch), threads(size[1], pitch)
        self._broad = floats(broad_weights(strokes))
        self._thick = np.empty_like(cells.light)
        steps = np.linspace(0.0, 1.0, TABLE_SIZE)
        self._tables = floats(colour.srgb_to_linear(steps)), floats(colour.linear_to_srgb(steps))

    def run(self, painting: Floats, look: Look, drift: Drift | None) -> None:
        """Put relief and canvas into a painting (3, H, W) with margins, R'G'B' 0..1."""
        cells, heights, (_, height) = self._cells, self._heights, self._size
        grid, run, lamp = cells.grid, self._workers.run, Lamp.at(look.lamp_degrees)
        relief, canvas, pitch = look.relief or 0.0, look.canvas or 0.0, weave_pitch_px(self._size)
        cells.find_tensor(painting)
        broad, thick = cells.smoothed(self._broad), self._thick
        run(len(thick), kernels.thickness, cells.light, broad, self._broad, thick)
        if relief:
            self._bristles.run(drift or Drift.still(0, self._working), heights)
        paint, ground = relief * HEIGHT * self._scale, canvas * WEAVE_HEIGHT * pitch / WEAVE_PITCH_PX
        run(height, kernels.raise_paint, painting, broad, thick, grid, paint, ground, *self._threads, heights)
        lamps, rest = floats(np.array([lamp.light, lamp.half])), lamp.half[2] ** GLEAM_POWER
        gleam, tables = GLEAM * relief, self._tables
        run(height, kernels.shine, heights, lamps, gleam, rest, *tables, grid.margin, painting)


class Bristles:
    """Noise along the strokes of pictures of one size. For one thread at a time."""

    def __init__(self, strokes: Strokes, cells: Cells, sizes: Sizes, workers: Workers) -> None:
        self._cells, self._workers = cells, workers
        self._size, working = sizes.target[::-1], sizes.working[::-1]
        self._factors = np.array(self._size) / np.array(working)
        self._blocks = blocks(self._size[0], working[0]), blocks(self._size[1], working[1])
        line, grain = bristle_line(strokes), grain_px(strokes)
        if grain == 1:  # then noise is kept as its mean along each direction, of which a pixel takes one sample
            self._noise, self._stride, places = bristle_table(strokes).reshape(-1), NOISE_PX, np.arange(NOISE_PX)
            tables = np.arange(DIRECTIONS, dtype=np.int32)[:, None] * NOISE_PX**2
            self._samples = Samples(tables, np.ones(1, np.float32))
        else:  # else it is kept as large as it is in the picture, with what repeats around it
            reach, period = int(np.abs(line.offsets).max()), NOISE_PX * grain
            around = np.arange(-reach, period + reach) // grain % NOISE_PX
            self._noise, self._stride = noise()[np.ix_(around, around)].reshape(-1), len(around)
            self._samples = samples(line, self._stride, bristle_gain(line.count))
            places = np.arange(reach, period + reach)
        self._places = places.astype(np.int32)

    def run(self, drift: Drift, made: Floats) -> None:
        """Of a picture whose cells have been found. made: (H, W), with margins."""
        far = np.floor(self._factors[:, None, None] * drift.ways + 0.5).astype(np.int32)
        least, most = far.min((0, 2, 3)), far.max((0, 2, 3))
        far -= least[:, None, None]
        rows, columns = (
            self._places.take(np.arange(low, length + high), mode="wrap")
            for low, high, length in zip(least, most, self._size, strict=True)
        )
        ways = Ways(far, *self._blocks, rows * np.int32(self._stride), columns)
        first, tensor, grid = phase_weight(drift.place), self._cells.tensor, self._cells.grid
        self._workers.run(self._size[0], kernels.bristles, tensor, grid, self._noise, self._samples, ways, first, made)


def blocks(length: int, working: int) -> Whole:
    """(3, length): for each pixel along an axis the two blocks of the working size whose middles it lies between, and
    how far it is from the first to the second."""
    first, share = np.divmod(np.arange(length) * working // length - BLOCK_PX // 2, BLOCK_PX)
    last = -(-working // BLOCK_PX) - 1
    return np.stack([np.clip(first, 0, last), np.clip(first + 1, 0, last), share]).astype(np.int32)


def threads(length: int, pitch_px: float) -> Floats:
    """(3, length): what `gpu.stages.relief.weave` takes of one axis. A thread's height is the first of the axis across
    it, and the second times the third of the axis along it: the sine of a whole number of half turns more is the
    same, or its negative."""
    places = (np.arange(length) + 0.5) / pitch_px
    thread = np.floor(places)
    rise = np.sin(np.pi * (places - thread))
    return floats(np.stack([0.6 * rise, 0.4 * np.where(thread % 2, -rise, rise), np.sin(np.pi * places)]))
