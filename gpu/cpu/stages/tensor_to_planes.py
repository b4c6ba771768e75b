"""Conversion of the network's tensor to planes with a look."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.cpu.stages.hdr import KeptLight
from framebrush.gpu.cpu.stages.kernels import take_painting
from framebrush.gpu.cpu.stages.strips import ONE, ZERO, Floats, Tensor, dot, look_up, strip_rows, strips
from framebrush.gpu.frame import Frame, FrameFormat, Matrix, Plane, PlaneOrder
from framebrush.gpu.look import Look, ToneCurve

TABLE_SIZE = 65536


class TensorToPlanes:
    """Converter to frames of one format."""

    def __init__(self, target: FrameFormat) -> None:
        self._target = target
        self._into: tuple[Plane, ...] = ()
        self._planar, self._subsample = target.layout is PlaneOrder.PLANAR, target.subsample
        self._rows = rows = strip_rows(target.width)
        # a strip is restored with the rows that its chroma reads
        self._kept = KeptLight(target, rows + 3) if colour.needs_tone_map(target) else None
        self._affine = colour.rgb_to_codes(target).astype(np.float32)
        self._luma_weights = colour.luma_weights(Matrix.BT709).astype(np.float32)
        self._siting = colour.chroma_offset(target.siting, target.subsample)
        self._taps = _taps(self._siting[1]) if target.subsample[1] else (1,)
        taps_weight = _WEIGHTS[len(self._taps)] * (2.0 if self._siting[0] == 0.0 else 4.0)
        self._from_sums = self._affine[1:, :3] / np.float32(taps_weight)
        # the chroma filter reaches one row up and two down: row 1 is the strip's first
        self._shown = np.empty((3, rows + 3, target.width), np.float32)
        self._source = np.empty_like(self._shown)
        self._luma = np.empty((rows + 3, target.width), np.float32)
        self._spare = np.empty_like(self._luma)
        columns, halved = -(-target.width // 2), rows >> target.subsample[1]
        self._half = np.empty((3, halved, 2 * columns + 2), np.float32)
        self._pairs = np.empty((3, halved, 2 * columns + 1), np.float32)
        self._quarter = np.empty((3, halved, columns), np.float32)
        self._chroma = np.empty((2, halved, columns), np.float32)
        self._dither = np.tile(colour.DITHER, (1, -(-target.width // 8)))[:, : target.width].astype(np.float32)
        self._no_dither = np.full_like(self._dither, 0.5)
        self._curve: tuple[float, ToneCurve] | None = None
        self._exposed = np.empty(0, np.float32)
        self._index = np.empty((3, 0, 0), np.intp)

    def run(
        self,
        source: Tensor,
        styled: Tensor,
        look: Look,
        into: Frame,
        fine: Floats | None = None,
        photo: Floats | None = None,
    ) -> bool:
        """Write a frame; return whether styled is finite. Non-finite values are black.

        source, styled: (3, >=H, >=W). fine: luma. photo: share that stays a photograph, (H, W).
        """
        self._into, finite = into.planes, True
        thresholds = self._dither if look.dither else self._no_dither
        for y0, y1 in strips(self._target.height, self._rows):
            rows = y1 - y0
            shown = self._shown[:, : rows + 3]
            above = self._siting[1] < 0 and y0 > 0
            below = self._siting[1] > 0 and y1 < self._target.height
            part = shown[:, 1 - above : 1 + rows + below]
            finite &= self._look(source, styled, look, y0 - above, part, fine, photo)
            if not above:
                shown[:, 0] = shown[:, 1]
            if not below:
                shown[:, rows + 1 :] = shown[:, rows : rows + 1]
            own = shown[:, 1 : 1 + rows]
            if self._target.matrix is Matrix.RGB:
                self._write_rgb(own, y0, thresholds)
            else:
                self._write_component(0, own, y0, thresholds)
                if self._subsample == (0, 0):
                    self._write_component(1, own, y0, thresholds)
                    self._write_component(2, own, y0, thresholds)
                else:
                    self._write_chroma(shown, y0, thresholds)
        self._into = ()
        return finite

    def _look(
        self,
        source: Tensor,
        styled: Tensor,
        look: Look,
        y0: int,
        shown: Floats,
        fine: Floats | None,
        photo: Floats | None,
    ) -> bool:
        rows, width = shown.shape[1:]
        finite, painted = np.ones(1, np.int32), styled[:, y0 : y0 + rows, :width]
        take_painting(painted.astype(np.float32, copy=False), shown, finite, 0, rows)
        if fine is not None:
            shown += np.multiply(fine[y0 : y0 + rows], np.float32(look.detail), out=self._luma[:rows])
            np.clip(shown, ZERO, ONE, out=shown)
        original = self._source[:, :rows]
        column = colour.split_column(look.split, width)
        if look.shows_source:
            np.copyto(original, source[:, y0 : y0 + rows, :width])
        if look.strength < 1.0 or photo is not None:
            shown -= original
            shown *= np.float32(look.strength)
            if photo is not None:
                shown *= np.subtract(ONE, photo[y0 : y0 + rows], out=self._luma[:rows])
            shown += original
        if look.keep_colours:
            shown -= original
            dot(self._luma_weights, shown, self._luma[:rows], self._spare[:rows])
            np.add(original, self._luma[:rows], out=shown)
            np.clip(shown, ZERO, ONE, out=shown)
        if look.saturates:
            dot(self._luma_weights, shown, self._luma[:rows], self._spare[:rows])
            self._luma[:rows] *= np.float32(1.0 - look.saturation)
            shown *= np.float32(look.saturation)
            shown += self._luma[:rows]
            np.clip(shown, ZERO, ONE, out=shown)
        if look.exposes:
            self._expose(shown, look)
        shown[:, :, :column] = original[:, :, :column]
        if self._kept is not None:
            self._kept.restore(shown)
        return bool(finite[0])

    def _expose(self, shown: Floats, look: Look) -> None:
        curve = (look.exposure_ev, look.tone_curve)
        if self._curve != curve:
            self._exposed = colour.expose(np.linspace(0.0, 1.0, TABLE_SIZE), *curve).astype(np.float32)
            self._curve = curve
        if not self._index.size:
            self._index = np.empty(self._shown.shape, np.intp)
        look_up(self._exposed, shown, self._index[:, : shown.shape[1]], shown)

    def _write_rgb(self, shown: Floats, y0: int, thresholds: Floats) -> None:
        rows = shown.shape[1]
        if self._target.layout is PlaneOrder.RGBA:
            channels = [self._into[0][..., channel] for channel in range(3)]
            self._into[0][y0 : y0 + rows, :, 3] = self._target.top
        else:
            channels = [self._into[2], self._into[0], self._into[1]]
        for channel, plane in enumerate(channels):
            if self._target.floating:
                np.clip(shown[channel], ZERO, ONE, out=self._luma[:rows])
                np.copyto(plane[y0 : y0 + rows], self._luma[:rows], casting="same_kind")
                continue
            np.multiply(shown[channel], self._affine[channel, channel], out=self._luma[:rows])
            self._round(self._luma[:rows], self._affine[channel, 3], thresholds, plane[y0 : y0 + rows])

    def _write_component(self, number: int, shown: Floats, y0: int, thresholds: Floats) -> None:
        rows = shown.shape[1]
        dot(self._affine[number], shown, self._luma[:rows], self._spare[:rows])
        self._round(self._luma[:rows], self._affine[number, 3], thresholds, self._into[number][y0 : y0 + rows])

    def _write_chroma(self, shown: Floats, y0: int, thresholds: Floats) -> None:
        down = self._subsample[1]
        width, rows, columns = self._target.width, -(-(shown.shape[1] - 3) // (1 << down)), self._quarter.shape[2]
        half, quarter, chroma = self._half[:, :rows], self._quarter[:, :rows], self._chroma[:, :rows]
        step = 1 << down
        _sum([shown[:, start : start + step * rows : step] for start in self._taps], half[:, :, 1 : 1 + width])
        half[:, :, 0] = half[:, :, 1]
        half[:, :, 1 + width :] = half[:, :, width : 1 + width]
        pairs, first = half, 1
        if self._siting[0] < 0:  # [1 2 1] is the sum of two adjacent pairs, which are contiguous
            pairs, first = self._pairs[:, :rows], 0
            np.add(half[:, :, :-1], half[:, :, 1:], out=pairs)
        ends = first + 2 * columns
        np.add(pairs[:, :, first:ends:2], pairs[:, :, first + 1 : ends + 1 : 2], out=quarter)
        for component in (0, 1):
            dot(self._from_sums[component], quarter, chroma[0], chroma[1])
            plane = self._into[1 + component] if self._planar else self._into[1][..., component]
            out = plane[y0 >> down : (y0 >> down) + rows]
            self._round(chroma[0], self._affine[1 + component, 3], thresholds[:, :columns], out)

    def _round(self, exact: Floats, offset: np.float32, thresholds: Floats, out: Plane) -> None:
        whole = exact.shape[0] // 8 * 8
        steps = thresholds + offset
        exact[:whole].reshape(-1, *steps.shape)[:] += steps
        exact[whole:] += steps[: exact.shape[0] - whole]
        if self._target.full_range:  # the highest chroma lies half a code above the last
            np.minimum(exact, np.float32(self._target.top), out=exact)
        np.copyto(out, exact, casting="unsafe")
        if self._target.shift:
            np.left_shift(out, self._target.shift, out=out)


_WEIGHTS = {1: 1.0, 2: 2.0, 3: 4.0}
"""Sum of `_sum` for a number of ones."""


def _taps(offset: float) -> tuple[int, ...]:
    return {0.0: (1, 2), -0.5: (0, 1, 2), 0.5: (1, 2, 3)}[offset]


def _sum(taps: list[Floats], out: Floats) -> None:
    if len(taps) == 1:
        np.copyto(out, taps[0])
        return
    np.add(taps[0], taps[-1], out=out)
    if len(taps) == 3:
        out += taps[1]
        out += taps[1]
