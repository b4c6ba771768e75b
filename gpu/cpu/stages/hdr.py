"""HDR to SDR by table: R'G'B' of PQ or HLG to the sRGB that the network knows; the twin is `gpu.reference`."""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.cpu.strips import ONE, ZERO, Floats, dot, look_up
from framebrush.gpu.frame import FrameFormat, Primaries, Transfer
from framebrush.gpu.stages.look import ToneMap

TABLE_SIZE = 65536
"""Read at the nearest entry, the error stays below a quarter of an 8-bit code."""


class LightTables:
    """The tables of one format and one way of tone mapping, and the scratch for strips of so many rows."""

    def __init__(self, source: FrameFormat, method: ToneMap, rows: int) -> None:
        self.method = method
        steps = np.linspace(0.0, 1.0, TABLE_SIZE)
        if source.transfer is Transfer.PQ:
            light = colour.pq_to_nits(steps) / colour.PQ_PEAK_NITS
            gain, gamma = colour.PQ_PEAK_NITS, 1.0
        else:
            light = colour.hlg_to_scene(steps)
            gain, gamma = colour.HLG_PEAK_NITS, colour.hlg_system_gamma()
        # Tone mapping multiplies by a factor that depends on the luminance alone, and so does the system gamma of HLG.
        # The table is read by the square root of the luminance, which spends its entries where the eye does.
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
        """Turn a strip (3, rows, W) of clipped R'G'B' in place."""
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
