"""The brush on the CPU. The reference is `gpu.reference.brush`.

A picture is kept as R'G'B' and luma of a pixel side by side, sixteen bytes that one gather moves, with a margin as wide
as a line reaches: nothing is clamped on the way. Every step is linear in a pixel, so luma stays that of its R'G'B'.
Strips of rows are shared out to the cores: a gather is long enough for numpy to let other threads run.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu import colour
from framebrush.gpu.brush import DIRECTIONS, PASSES, REST_TENSOR, SHARP, Line, Strokes
from framebrush.gpu.cpu.strips import Floats, strips
from framebrush.gpu.frame import Matrix
from framebrush.gpu.sizes import Size

Pixels = npt.NDArray[np.complex128]
"""Four float32 a sample, R', G', B' and luma, as numpy's type of sixteen bytes."""

Index = npt.NDArray[np.intp]

STRIP_PIXELS = 16_000
"""Fewer than elsewhere: indices and samples of a strip are ten times as large as its luma."""


class Canvas:
    """How planes with margins lie in memory, for pictures of one size, and who works on their rows."""

    def __init__(self, size: Size, margin: int) -> None:
        self.width, self.height = size
        self.margin, self.stride = margin, size[0] + 2 * margin
        self.shape = size[1] + 2 * margin, self.stride
        self._rows = max(1, min(STRIP_PIXELS // self.width, -(-self.height // (os.cpu_count() or 1))))
        places = np.arange(margin, margin + self._rows)[:, None] * self.stride + np.arange(margin, margin + self.width)
        self._places: Index = places.astype(np.intp)
        self._scratch = local()
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="framebrush-brush")

    def inner(self, plane: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A plane without its margins."""
        margin = self.margin
        return plane[margin : margin + self.height, margin : margin + self.width]

    def repeat_edge(self, plane: npt.NDArray[Any]) -> None:
        """Fill the margins of a plane with what lies at the edge within."""
        margin = self.margin
        inner = slice(margin, -margin)
        plane[inner, :margin] = plane[inner, margin : margin + 1]
        plane[inner, -margin:] = plane[inner, -margin - 1 : -margin]
        plane[:margin] = plane[margin]
        plane[-margin:] = plane[-margin - 1]

    def offsets(self, places: npt.NDArray[np.int32]) -> Index:
        """y and x of samples of a line, (DIRECTIONS, n, 2), as what `Strip.index` takes, (n, DIRECTIONS)."""
        flat = places[..., 0].astype(np.intp) * self.stride + places[..., 1]
        return np.ascontiguousarray(flat.T)

    def each_strip(self, work: Callable[[Strip], None]) -> None:
        """Have work done for every strip of the picture."""
        for _ in self._pool.map(lambda rows: work(self._strip(*rows)), strips(self.height, self._rows)):
            pass

    def _strip(self, y0: int, y1: int) -> Strip:
        if not hasattr(self._scratch, "index"):
            shape = self._places.shape
            self._scratch.index = np.empty((2, *shape), np.intp)
            self._scratch.samples = np.empty((3, *shape), np.complex128)
        rows = slice(0, y1 - y0)
        return Strip(
            y0, y1, self.stride, self._places[rows], self._scratch.index[:, rows], self._scratch.samples[:, rows]
        )

    def close(self) -> None:
        """End the threads. Idempotent."""
        self._pool.shutdown()


class Strip:
    """Rows y0 to y1 of a picture, and memory to work on them. samples: (3, rows, W), for the work's own use."""

    def __init__(self, y0: int, y1: int, stride: int, places: Index, index: Index, samples: Pixels) -> None:
        self.y0, self.y1 = y0, y1
        self.rows = slice(y0, y1)
        self.samples = samples
        self._first, self._places = y0 * stride, places
        self._offset, self._index = index

    def aim(self, offsets: Index, directions: Index) -> None:
        """The offset (DIRECTIONS,) that `take` takes at each pixel of the strip, by its direction (rows, W)."""
        offsets.take(directions, out=self._offset, mode="clip")  # nothing is clipped: it is the mode that is quick

    @property
    def scratch_index(self) -> Index:
        """(rows, W), for the work's own use; `aim` overwrites it."""
        offset: Index = self._offset
        return offset

    def index(self, side: int) -> Index:
        """Of the samples one offset away (side 1), on the other side (-1), or of the pixels themselves (0)."""
        if not side:
            return self._places
        index: Index = (np.add if side > 0 else np.subtract)(self._places, self._offset, out=self._index)
        return index

    def take(self, plane: npt.NDArray[Any], index: Index, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The samples of a plane with margins that an index names; returns out."""
        return plane.reshape(-1)[self._first :].take(index, out=out, mode="clip")


class Brush:
    """Draws pictures of one size out to strokes, into memory of its own. For one thread at a time."""

    def __init__(self, strokes: Strokes, canvas: Canvas, direction: Direction) -> None:
        """canvas, direction: for pictures of the same size."""
        self._strokes, self._canvas, self._direction = strokes, canvas, direction
        self._pictures = np.zeros(canvas.shape, np.complex128), np.zeros(canvas.shape, np.complex128)
        self._along, self._across, self._finish = (
            canvas.offsets(line.offsets) for line in (strokes.along, strokes.across, strokes.finish)
        )
        self._across = np.roll(self._across, -(DIRECTIONS // 2), axis=1)
        self._luma = np.zeros(canvas.shape, np.float32)
        self._luma_weights = colour.luma_weights(Matrix.BT709).astype(np.float32)
        self._result = np.empty((3, canvas.height, canvas.width), np.float32)

    def run(self, painted: Floats, strength: float) -> Floats:
        """painted: (3, H, W), R'G'B' 0..1. strength: 0..1. Returns (3, H, W), valid until the next call."""
        here, there = self._pictures
        canvas, find = self._canvas, self._direction.run
        samples, result = self._numbers(here), self._result

        def load(strip: Strip) -> None:
            part = samples[strip.rows]
            for channel in range(3):
                np.copyto(part[..., channel], painted[channel, strip.rows])
            np.matmul(part[..., :3], self._luma_weights, out=part[..., 3])

        def store(strip: Strip) -> None:
            brushed = self._numbers(there)[strip.rows]
            for channel in range(3):
                np.copyto(result[channel, strip.rows], brushed[..., channel])
            if strength < 1.0:
                part, own = result[:, strip.rows], painted[:, strip.rows]
                part -= own
                part *= np.float32(strength)
                part += own

        canvas.each_strip(load)
        canvas.repeat_edge(here)
        for _ in range(PASSES):
            directions = find(samples[..., 3])
            self._mean(here, there, directions, self._strokes.along, self._along)
            self._sharpen(there, here, directions)
        self._mean(here, there, find(samples[..., 3]), self._strokes.finish, self._finish)
        canvas.each_strip(store)
        return result

    def _numbers(self, picture: Pixels) -> Floats:
        """(H, W, 4)."""
        numbers: Floats = self._canvas.inner(picture).view(np.float32)
        return numbers.reshape(self._canvas.height, self._canvas.width, 4)

    def _mean(self, picture: Pixels, into: Pixels, directions: Index, line: Line, offsets: Index) -> None:
        out = self._canvas.inner(into)

        def work(strip: Strip) -> None:
            there, back, total = strip.samples
            strip.take(picture, strip.index(0), total)
            sums, pair = total.view(np.float32), there.view(np.float32)
            sums *= np.float32(line.centre)
            for far, weight in zip(offsets, line.weights, strict=True):
                strip.aim(far, directions[strip.rows])
                strip.take(picture, strip.index(1), there)
                strip.take(picture, strip.index(-1), back)
                pair += back.view(np.float32)
                pair *= np.float32(weight)
                sums += pair
            out[strip.rows] = total

        self._canvas.each_strip(work)
        self._canvas.repeat_edge(into)

    def _sharpen(self, picture: Pixels, into: Pixels, directions: Index) -> None:
        out, own, find = self._canvas.inner(into), self._numbers(picture), self._direction
        luma = self._canvas.inner(self._luma)
        np.copyto(luma, own[..., 3])
        self._canvas.repeat_edge(self._luma)
        light = find.light(luma)

        def work(strip: Strip) -> None:
            weight = find.second_difference(light, directions, strip)
            weight *= np.float32(1.0 / SHARP)
            np.clip(weight, -1.0, 1.0, out=weight)
            sign = np.copysign(np.float32(1.0), weight)
            best, value, place = luma[strip.rows] * sign, np.empty_like(sign), strip.index(0).copy()
            for far in self._across:
                strip.aim(far, directions[strip.rows])
                for side in (1, -1):
                    index = strip.index(side)
                    strip.take(self._luma, index, value)
                    value *= sign
                    better = value < best
                    np.copyto(best, value, where=better)
                    np.copyto(place, index, where=better)
            found = strip.take(picture, place, strip.samples[0])
            moved = found.view(np.float32).reshape(*weight.shape, 4)
            moved -= own[strip.rows]
            moved *= np.abs(weight)[..., None]
            moved += own[strip.rows]
            out[strip.rows] = found

        self._canvas.each_strip(work)
        self._canvas.repeat_edge(into)


class Direction:
    """Finds the directions of strokes in pictures of one size."""

    def __init__(self, strokes: Strokes, canvas: Canvas) -> None:
        self._strokes, self._canvas = strokes, canvas
        self._enlarge = [Enlarging(length, strokes.cell_px) for length in (canvas.height, canvas.width)]
        self._directions = np.empty((canvas.height, canvas.width), np.intp)
        self._light = np.zeros(canvas.shape, np.float32)
        self._far = np.roll(canvas.offsets(strokes.far[:, None])[0], -(DIRECTIONS // 2))

    def run(self, luma: Floats) -> Index:
        """luma: (H, W). Returns (H, W), 0..DIRECTIONS - 1, valid until the next call."""
        light = np.pad(self.cells(luma), 1, "edge")
        smooth_x = light[:, 1:-1] * np.float32(10 / 32) + (light[:, :-2] + light[:, 2:]) * np.float32(3 / 32)
        smooth_y = light[1:-1] * np.float32(10 / 32) + (light[:-2] + light[2:]) * np.float32(3 / 32)
        gx, gy = smooth_y[:, 2:] - smooth_y[:, :-2], smooth_x[2:] - smooth_x[:-2]
        weights = self._strokes.tensor_weights
        x, y = (smoothed(part, weights) for part in ((gx - gy) * (gx + gy), 2 * gx * gy))
        x += np.float32(REST_TENSOR[0])
        y += np.float32(REST_TENSOR[1])

        def work(strip: Strip) -> None:
            angle = np.arctan2(self.enlarged(y, strip), self.enlarged(x, strip))
            angle *= np.float32(DIRECTIONS / (2.0 * np.pi))
            angle += np.float32(0.5 * DIRECTIONS + 0.5)
            found = self._directions[strip.rows]
            np.copyto(found, angle, casting="unsafe")  # 0.5 and more, so that cutting off is rounding down
            found &= DIRECTIONS - 1

        self._canvas.each_strip(work)
        return self._directions

    def light(self, luma: Floats) -> Floats:
        """Luma (H, W), smoothed, at the size of the canvas; valid until the next call."""
        light, inner = smoothed(self.cells(luma), self._strokes.luma_weights), self._canvas.inner(self._light)

        def work(strip: Strip) -> None:
            inner[strip.rows] = self.enlarged(light, strip)

        self._canvas.each_strip(work)
        self._canvas.repeat_edge(self._light)
        return self._light

    def second_difference(self, light: Floats, directions: Index, strip: Strip) -> Floats:
        """Of `light` across directions (H, W), for a strip (rows, W)."""
        found, other = (np.empty(strip.samples.shape[1:], np.float32) for _ in range(2))
        strip.aim(self._far, directions[strip.rows])
        strip.take(light, strip.index(1), found)
        strip.take(light, strip.index(-1), other)
        found += other
        found -= 2 * self._canvas.inner(light)[strip.rows]
        return found

    def cells(self, plane: Floats) -> Floats:
        """(rows, columns): means of (H, W) over the cells, with the edge repeated to whole cells."""
        side, (height, width) = self._strokes.cell_px, plane.shape
        if side == 1:
            return plane
        if height % side or width % side:
            plane = np.pad(plane, ((0, -height % side), (0, -width % side)), "edge")
        rows = sum((plane[step::side] for step in range(1, side)), start=plane[::side])
        means: Floats = sum((rows[:, step::side] for step in range(1, side)), start=rows[:, ::side])
        return means * np.float32(1.0 / side**2)

    def enlarged(self, plane: Floats, strip: Strip) -> Floats:
        """A strip (rows, W) of a plane of cells at the size of the picture, linear between the middles."""
        if self._strokes.cell_px == 1:
            return plane[strip.rows]
        down, over = self._enlarge
        low, high, weight = down.low[strip.rows], down.high[strip.rows], down.weight[strip.rows, None]
        rows = plane[low] + (plane[high] - plane[low]) * weight
        left: Floats = rows.take(over.low, axis=1)
        right: Floats = rows.take(over.high, axis=1)
        right -= left
        right *= over.weight
        right += left
        return right


class Enlarging:
    """Along one axis, for each pixel the cells before and after it, and the weight of the one after."""

    def __init__(self, length: int, cell_px: int) -> None:
        cells = -(-length // cell_px)
        position = (np.arange(length) + 0.5) / cell_px - 0.5
        low = np.floor(position)
        self.low, self.high = (np.clip(low + step, 0, cells - 1).astype(np.intp) for step in (0, 1))
        self.weight = (position - low).astype(np.float32)


def smoothed(plane: Floats, weights: npt.NDArray[np.float64]) -> Floats:
    """(rows, columns): the weighted mean along rows, then along columns, with the edge repeated."""
    radius = len(weights) // 2
    for axis in (1, 0):
        length = plane.shape[axis]
        around = np.pad(plane, [(radius, radius) if each == axis else (0, 0) for each in (0, 1)], "edge")
        total = np.float32(weights[radius]) * plane
        for far in range(1, radius + 1):
            before, after = (
                around[:, start : start + length] if axis else around[start : start + length]
                for start in (radius - far, radius + far)
            )
            pair = before + after
            pair *= np.float32(weights[radius + far])
            total += pair
        plane = total
    return plane
