"""Conversion of planes to the network's tensor, matrix before chroma interpolation."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.cpu.stages.hdr import KeptLight, LightTables
from framebrush.gpu.cpu.stages.kernels import Phases, film_colours
from framebrush.gpu.cpu.stages.strips import ONE, ZERO, Floats, Tensor, strip_rows, strips
from framebrush.gpu.frame import FrameFormat, Plane, PlaneOrder, Transfer
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
        offset_x, offset_y = colour.chroma_offset(source.siting, source.subsample)
        self._rgb = np.empty((3, rows, source.width), np.float32)
        self._luma = np.empty((rows, source.width), np.float32)
        # Interpolation takes one more row on each side.
        self._chroma = np.empty((2, -(-rows // factor_y) + 2, -(-source.width // factor_x)), np.float32)
        self._down, self._across = _phases(factor_y, offset_y), _phases(factor_x, offset_x)

    def run(self, planes: tuple[Plane, ...], tensor: Tensor, tone_map: ToneMap, rolled: Floats | None = None) -> None:
        """Fill a tensor (3, >=H, >=W) with clipped R'G'B', edges repeated.

        planes: codes shifted down. rolled: (3, H, W), filled with rolled-off HDR.
        """
        height, width = self._source.height, self._source.width
        toned = self._kept is None and self._source.transfer is not Transfer.SDR
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
                np.multiply(planes[0][y0:y1], self._affine[0, 0], out=rgb[0], dtype=np.float32)
                rgb[0] += self._neutral()
                rgb[1:] = rgb[0]
            case PlaneOrder.PLANAR:
                self._interpolate(planes[0], planes[1], planes[2], y0, rgb)
            case PlaneOrder.SEMI_PLANAR:
                self._interpolate(planes[0], planes[1][..., 0], planes[1][..., 1], y0, rgb)

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

    def _interpolate(self, luma: Plane, cb: Plane, cr: Plane, y0: int, rgb: Floats) -> None:
        rows, factor = rgb.shape[1], self._down.factor
        first = y0 // factor
        low, high = max(first - 1, 0), min(first - (-rows // factor) + 1, cb.shape[0])
        chroma = self._chroma[:, : high - low]
        np.copyto(self._luma[:rows], luma[y0 : y0 + rows])
        np.copyto(chroma[0], cb[low:high])
        np.copyto(chroma[1], cr[low:high])
        film_colours(self._luma, chroma, first - low, self._affine, self._down, self._across, rgb, 0, rows)


def _phases(factor: int, offset: float) -> Phases:
    positions = np.array([(phase + 0.5 - offset) / factor - 0.5 for phase in range(factor)])
    reach = np.floor(positions)
    share = positions - reach
    return Phases(factor, reach.astype(np.int32), (1.0 - share).astype(np.float32), share.astype(np.float32))
