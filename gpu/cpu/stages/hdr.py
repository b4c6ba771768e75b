"""HDR by tables: R'G'B' to the network's sRGB and back."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.cpu.stages.strips import ONE, ZERO, Floats, dot, look_up
from framebrush.gpu.frame import FrameFormat, Primaries, Transfer
from framebrush.gpu.look import ToneMap

TABLE_SIZE = 65536
"""Entries of tables read at the nearest entry: errors stay below a quarter of an 8-bit code."""

KEPT_TABLE_SIZE = 1 << 18
"""Entries for errors below a twentieth of a 12-bit code: one megabyte, which fits a core's cache."""


class LightTables:
    """Tables of one format and tone mapping."""

    def __init__(self, source: FrameFormat, method: ToneMap, rows: int) -> None:
        self.method = method
        steps = np.linspace(0.0, 1.0, TABLE_SIZE)
        if source.transfer is Transfer.PQ:
            light = colour.pq_to_nits(steps) / colour.PQ_PEAK_NITS
            gain, gamma = colour.PQ_PEAK_NITS, 1.0
        else:
            light = colour.hlg_to_scene(steps)
            gain, gamma = colour.HLG_PEAK_NITS, colour.hlg_system_gamma()
        # Tone mapping and HLG's system gamma multiply by a factor of luminance. The table is indexed by the square
        # root of luminance, for more entries in dark parts.
        luminance = np.maximum(steps**2, 1e-12)
        nits = gain * luminance**gamma
        factor = colour.tone_map(nits, colour.source_peak_nits(source), method) / luminance
        self._light = light.astype(np.float32)
        self._factor = factor.astype(np.float32)
        self._encoded = colour.linear_to_srgb(steps).astype(np.float32)
        self._weights = colour.luminance_weights(source.primaries).astype(np.float32)
        self._gamut = colour.gamut_matrix(source.primaries, Primaries.BT709).astype(np.float32)
        self._linear = np.empty((3, rows, source.width), np.float32)
        self._spare = np.empty((rows, source.width), np.float32)
        self._index = np.empty((3, rows, source.width), np.intp)

    def apply(self, rgb: Floats) -> None:
        """Convert a strip (3, rows, W) of R'G'B' in place."""
        rows = rgb.shape[1]
        linear, spare, index = self._linear[:, :rows], self._spare[:rows], self._index[:, :rows]
        look_up(self._light, rgb, index, linear)
        factor = rgb[0]
        dot(self._weights, linear, factor, spare)
        np.sqrt(factor, out=factor)
        look_up(self._factor, factor, index[0], factor)
        linear *= factor
        for channel in range(3):
            dot(self._gamut[channel], linear, rgb[channel], spare)
        np.clip(rgb, ZERO, ONE, out=rgb)
        look_up(self._encoded, rgb, index, rgb)


class KeptLight:
    """`colour.hdr_to_kept` and `colour.kept_to_hdr` by tables."""

    def __init__(self, picture: FrameFormat, rows: int) -> None:
        self._pq = picture.transfer is Transfer.PQ
        steps = np.linspace(0.0, 1.0, KEPT_TABLE_SIZE)
        light, white = steps**4, colour.kept_white(picture)
        peak_nits = colour.PQ_PEAK_NITS if self._pq else colour.HLG_PEAK_NITS  # 1.0 of light in these tables
        top = float(colour.bt2446c(peak_nits)) / white  # 1.0 of painted light
        self._top = float(colour.linear_to_srgb(top))
        self._curve = _floats(colour.bt2446c(peak_nits * light) / white / top)
        self._uncurve = _floats(colour.bt2446c_inverse(light * top * white) / peak_nits)
        self._painted = _floats(colour.linear_to_srgb(light * top))
        self._unpainted = _floats(colour.srgb_to_linear(light * self._top) / top)
        self._knee, self._rate = (np.float32(value) for value in colour.roll_off(picture))
        power = colour.kept_saturation(picture)
        self._share = _floats(colour.saturated(light, power))
        self._unshare = _floats(colour.desaturated(light, power))
        if self._pq:
            self._light = _floats(colour.pq_to_nits(steps) / peak_nits)
            self._code = _floats(colour.nits_to_pq(peak_nits * light))
        else:
            gamma, luminance = colour.hlg_system_gamma(), np.maximum(light, colour.LEAST_LUMINANCE)
            self._light, self._code = _floats(colour.hlg_to_scene(steps)), _floats(colour.scene_to_hlg(light))
            self._display = _floats(luminance ** (gamma - 1.0))
            self._undisplay = _floats(luminance ** (1.0 / gamma - 1.0))
        self._weights = colour.luminance_weights(picture.primaries).astype(np.float32)
        self._index = np.empty((3, rows, picture.width), np.intp)
        self._plane = np.empty((2, rows, picture.width), np.float32)

    def keep(self, rgb: Floats) -> None:
        """Convert a strip (3, rows, W) to the network's space, in place."""
        look_up(self._light, rgb, self._index[:, : rgb.shape[1]], rgb)
        if not self._pq:
            self._scale(self._display, rgb)
        self._bend(self._share, self._curve, rgb)
        self._read(self._painted, rgb)

    def roll_off(self, kept: Floats) -> None:
        """Compress a strip in the network's space, in place."""
        largest, above = self._plane[:, : kept.shape[1]]
        np.max(kept, axis=0, out=largest)
        np.maximum(largest, self._knee, out=largest)
        np.subtract(largest, self._knee, out=above)
        if above.any():
            kept *= np.where(above > ZERO, (self._knee + above / (ONE + self._rate * above)) / largest, ONE)

    def restore(self, kept: Floats) -> None:
        """Convert a strip to PQ or HLG, in place."""
        kept *= np.float32(1.0 / self._top)
        self._read(self._unpainted, kept)
        self._bend(self._unshare, self._uncurve, kept)
        if not self._pq:
            self._scale(self._undisplay, kept)
        self._read(self._code, kept)

    def _bend(self, shares: Floats, curve: Floats, light: Floats) -> None:
        largest = self._plane[0, : light.shape[1]]
        np.max(light, axis=0, out=largest)
        np.maximum(largest, np.float32(LEAST), out=largest)
        light /= largest
        self._read(shares, light)
        self._read(curve, largest)
        light *= largest

    def _scale(self, factors: Floats, light: Floats) -> None:
        luminance, spare = self._plane[:, : light.shape[1]]
        dot(self._weights, light, luminance, spare)
        self._read(factors, luminance)
        light *= luminance

    def _read(self, table: Floats, light: Floats) -> None:
        np.maximum(light, ZERO, out=light)
        np.sqrt(light, out=light)
        np.sqrt(light, out=light)
        index = self._index[:, : light.shape[1]] if light.ndim == 3 else self._index[0, : light.shape[0]]
        look_up(table, light, index, light)


LEAST = 1e-10
"""Least divisor of shares."""


def _floats(values: Array) -> Floats:
    return values.astype(np.float32)
