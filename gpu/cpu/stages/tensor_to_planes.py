"""Conversion of the network's tensor to planes with a look."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.cpu.stages.hdr import KeptLight
from framebrush.gpu.cpu.stages.kernels import ChromaTaps, chroma_codes, plane_codes, take_painting
from framebrush.gpu.cpu.stages.strips import ONE, ZERO, Floats, Tensor, dot, look_up, strip_rows, strips
from framebrush.gpu.frame import Frame, FrameFormat, Matrix, Plane, PlaneOrder, Transfer
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
        self._kept = KeptLight(target, rows + 3) if target.transfer is not Transfer.SDR else None
        self._affine = colour.rgb_to_codes(target).astype(np.float32)
        self._luma_weights = colour.luma_weights(Matrix.BT709).astype(np.float32)
        self._top = float(target.top) if target.full_range else np.inf
        """Most unrounded code: the highest chroma of full range lies half a code above the last."""
        self._siting = colour.chroma_offset(target.siting, target.subsample)
        first, summed = _TAPS[self._siting[1]] if target.subsample[1] else (1, 1)
        self._taps = ChromaTaps(first, summed, 1 << target.subsample[1], int(self._siting[0] < 0))
        self._from_sums = self._affine[1:].copy()
        self._from_sums[:, :3] /= np.float32(_ROWS_WEIGHT[summed] * (2.0 if self._siting[0] == 0.0 else 4.0))
        # the chroma filter reaches one row up and two down: row 1 is the strip's first
        self._shown = np.empty((3, rows + 3, target.width), np.float32)
        self._source = np.empty_like(self._shown)
        self._luma = np.empty((rows + 3, target.width), np.float32)
        self._spare = np.empty_like(self._luma)
        self._chroma = np.empty((2, rows >> target.subsample[1], -(-target.width // 2)), np.float32)
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
                continue
            self._write(own, 0, y0, thresholds, self._into[0])
            if self._subsample == (0, 0):
                self._write(own, 1, y0, thresholds, self._into[1])
                self._write(own, 2, y0, thresholds, self._into[2])
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
            self._write(shown, channel, y0, thresholds, plane)

    def _write(self, shown: Floats, number: int, y0: int, thresholds: Floats, plane: Plane) -> None:
        rows = shown.shape[1]
        plane_codes(shown, self._affine[number], thresholds, self._top, self._luma, 0, rows)
        self._cut(self._luma[:rows], plane[y0 : y0 + rows])

    def _write_chroma(self, shown: Floats, y0: int, thresholds: Floats) -> None:
        down = self._subsample[1]
        rows = -(-(shown.shape[1] - 3) // (1 << down))
        chroma_codes(shown, self._taps, self._from_sums, thresholds, self._top, self._chroma, 0, rows)
        for component in (0, 1):
            plane = self._into[1 + component] if self._planar else self._into[1][..., component]
            self._cut(self._chroma[component, :rows], plane[y0 >> down : (y0 >> down) + rows])

    def _cut(self, exact: Floats, out: Plane) -> None:
        np.copyto(out, exact, casting="unsafe")
        if self._target.shift:
            np.left_shift(out, self._target.shift, out=out)


_TAPS = {0.0: (1, 2), -0.5: (0, 3), 0.5: (1, 3)}
"""First row and number of rows that chroma sums, by its offset. Row 1 is the strip's first."""

_ROWS_WEIGHT = {1: 1.0, 2: 2.0, 3: 4.0}
"""Sum of the weights of so many rows."""
