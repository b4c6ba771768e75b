"""Conversion of planes to the network's tensor, matrix before chroma interpolation."""

from __future__ import annotations

import math

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.cpu.stages.hdr import KeptLight, LightTables
from framebrush.gpu.cpu.stages.strips import ONE, ZERO, Floats, Tensor, strip_rows, strips
from framebrush.gpu.frame import FrameFormat, Plane, PlaneOrder
from framebrush.gpu.look import ToneMap


class PlanesToTensor:
    """Converter of one frame format to tensors."""

    def __init__(self, source: FrameFormat, *, keeps_hdr: bool = False) -> None:
        self._source = source
        self._rows = rows = strip_rows(source.width)
        self._kept = KeptLight(source, rows) if keeps_hdr else None
        self._affine = colour.codes_to_rgb(source).astype(np.float32)
        self._tables: LightTables | None = None
        factor_x, factor_y = (1 << log2 for log2 in source.subsample)
        columns, chroma_rows = -(-source.width // factor_x), -(-rows // factor_y)
        offset_x, offset_y = colour.chroma_offset(source.siting, source.subsample)
        self._factor_y = factor_y
        self._rgb = np.empty((3, rows, source.width), np.float32)
        self._luma = np.empty((rows, source.width), np.float32)
        # The filter reaches one texel beyond the strip, hence one more sample on each side.
        self._codes = np.empty((2, chroma_rows + 2, columns), np.float32)
        self._small = np.empty((3, chroma_rows + 2, columns + 2), np.float32)
        self._tall = np.empty((3, rows, columns + 2), np.float32)
        self._down = _Interpolation(self._small.shape, 1, _phases(factor_y, offset_y))
        self._across = _Interpolation(self._tall.shape, 2, _phases(factor_x, offset_x))

    def run(self, planes: tuple[Plane, ...], tensor: Tensor, tone_map: ToneMap, rolled: Floats | None = None) -> None:
        """Fill a tensor (3, >=H, >=W) with clipped R'G'B', edges repeated.

        planes: codes shifted down. rolled: (3, H, W), filled with rolled-off HDR.
        """
        height, width = self._source.height, self._source.width
        toned = self._kept is None and colour.needs_tone_map(self._source)
        if toned and (self._tables is None or self._tables.method is not tone_map):
            self._tables = LightTables(self._source, tone_map, self._rows)
        for y0, y1 in strips(height, self._rows):
            rgb = self._rgb[:, : y1 - y0]
            self._decode(planes, y0, y1, rgb)
            goal = tensor[:, y0:y1, :width]
            if self._tables is None and self._kept is None and goal.dtype == np.float32:
                np.clip(rgb, ZERO, ONE, out=goal)
                continue
            np.clip(rgb, ZERO, ONE, out=rgb)
            if self._tables is not None:
                self._tables.apply(rgb)
            if self._kept is not None:
                self._kept.keep(rgb)
            np.copyto(goal, rgb, casting="same_kind")
            if self._kept is not None and rolled is not None:
                self._kept.roll_off(rgb)
                rolled[:, y0:y1] = rgb
        tensor[:, :height, width:] = tensor[:, :height, width - 1 : width]
        tensor[:, height:] = tensor[:, height - 1 : height]

    def _decode(self, planes: tuple[Plane, ...], y0: int, y1: int, rgb: Floats) -> None:
        match self._source.layout:
            case PlaneOrder.RGBA:
                self._scale([planes[0][y0:y1, :, channel] for channel in range(3)], rgb)
            case PlaneOrder.BGRA:
                self._scale([planes[0][y0:y1, :, channel] for channel in (2, 1, 0)], rgb)
            case PlaneOrder.GBR:
                self._scale([planes[channel][y0:y1] for channel in (2, 0, 1)], rgb)
            case PlaneOrder.GREY:
                rgb[:] = self._neutral()
                self._add_luma(planes[0][y0:y1], rgb)
            case PlaneOrder.PLANAR:
                self._add_chroma(planes[1], planes[2], y0, rgb)
                self._add_luma(planes[0][y0:y1], rgb)
            case PlaneOrder.SEMI_PLANAR:
                self._add_chroma(planes[1][..., 0], planes[1][..., 1], y0, rgb)
                self._add_luma(planes[0][y0:y1], rgb)

    def _scale(self, channels: list[Plane], rgb: Floats) -> None:
        for channel, codes in enumerate(channels):
            if self._source.floating:
                np.fmax(codes, ZERO, out=rgb[channel])  # NaN becomes 0
                continue
            np.multiply(codes, self._affine[channel, channel], out=rgb[channel], dtype=np.float32)
            rgb[channel] += self._affine[channel, 3]

    def _neutral(self) -> np.float32:
        codes = colour.code_range(self._source.bits, self._source.full_range)
        return np.float32(-codes.luma_offset / codes.luma_scale)

    def _add_luma(self, codes: Plane, rgb: Floats) -> None:
        luma = self._luma[: rgb.shape[1]]
        np.multiply(codes, self._affine[0, 0], out=luma, dtype=np.float32)
        rgb += luma

    def _add_chroma(self, cb: Plane, cr: Plane, y0: int, rgb: Floats) -> None:
        tall = self._tall[:, : rgb.shape[1]]
        self._down.run(self._small_chroma(cb, cr, y0, rgb.shape[1]), tall)
        self._across.run(tall, rgb)

    def _small_chroma(self, cb: Plane, cr: Plane, y0: int, rows: int) -> Floats:
        first, count = y0 // self._factor_y, -(-rows // self._factor_y)
        low, high = max(first - 1, 0), min(first + count + 1, cb.shape[0])
        inside = slice(low - first + 1, high - first + 1)
        small, codes = self._small[:, : count + 2], self._codes[:, inside]
        np.copyto(codes[0], cb[low:high])
        np.copyto(codes[1], cr[low:high])
        red, green, blue = (small[channel, inside, 1:-1] for channel in range(3))
        np.multiply(codes[0], self._affine[2, 1], out=blue)
        np.multiply(codes[1], self._affine[0, 2], out=red)
        if self._affine[0, 1] or self._affine[2, 2]:  # only in Y'CgCo: otherwise red has no Cb and blue no Cr
            red += np.multiply(codes[0], self._affine[0, 1], out=green)
            blue += np.multiply(codes[1], self._affine[2, 2], out=green)
        codes *= self._affine[1, 1:3, None, None]
        np.add(codes[0], codes[1], out=green)
        small[:, inside, 1:-1] += self._affine[:, 3, None, None]
        if low == first:
            small[:, 0] = small[:, 1]
        if high == first + count:
            small[:, -1] = small[:, -2]
        small[:, :, 0] = small[:, :, 1]
        small[:, :, -1] = small[:, :, -2]
        return small


class _Interpolation:
    def __init__(self, shape: tuple[int, ...], axis: int, phases: list[tuple[int, float]]) -> None:
        self._axis, self._phases = axis, phases
        weights = {share for _, weight in phases for share in (weight, 1.0 - weight)}
        self._scaled = {weight: np.empty(shape, np.float32) for weight in weights if 0.0 < weight < 1.0}

    def run(self, texels: Floats, goal: Floats) -> None:
        rows = texels.shape[1]
        for weight, scaled in self._scaled.items():
            np.multiply(texels, np.float32(weight), out=scaled[:, :rows])
        for phase, (reach, weight) in enumerate(self._phases):
            part = goal[self._along(phase, None, len(self._phases))]
            count, first = part.shape[self._axis], 1 + reach
            if weight == 0.0:
                np.copyto(part, texels[self._along(first, first + count)])
                continue
            near = self._scaled[1.0 - weight][:, :rows][self._along(first, first + count)]
            far = self._scaled[weight][:, :rows][self._along(first + 1, first + 1 + count)]
            np.add(near, far, out=part)

    def _along(self, start: int, stop: int | None, step: int = 1) -> tuple[slice, ...]:
        return (slice(None),) * self._axis + (slice(start, stop, step),)


def _phases(factor: int, offset: float) -> list[tuple[int, float]]:
    positions = [(phase + 0.5 - offset) / factor - 0.5 for phase in range(factor)]
    return [(math.floor(position), position - math.floor(position)) for position in positions]
