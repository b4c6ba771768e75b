"""Detection of light above a PQ film's peak."""

from __future__ import annotations

from typing import Final

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, PlaneOrder, Transfer

MARGIN: Final = 1.1
"""Factor above the peak from which light counts: lossy codecs overshoot."""

LEAST_SHARE: Final = 1e-4
"""Least share of pixels above the peak in a frame that counts."""


class AbovePeak:
    """Watch for a frame painted above its film's peak."""

    def __init__(self, source: FrameFormat) -> None:
        self._peak_nits = colour.source_peak_nits(source)
        limit_nits = MARGIN * self._peak_nits
        self._watches = source.transfer is Transfer.PQ and limit_nits < colour.PQ_PEAK_NITS
        scale = colour.code_range(source.bits, source.full_range)
        code = scale.luma_offset + scale.luma_scale * float(colour.nits_to_pq(min(limit_nits, colour.PQ_PEAK_NITS)))
        self._limit = code if source.floating else int(code) << source.shift
        self._parts = 3 if source.layout in (PlaneOrder.GBR, PlaneOrder.RGBA) else 1  # of Y'CbCr luma alone
        self.warnings: tuple[str, ...] = ()

    def see(self, frame: Frame | DeviceFrame) -> None:
        """Check a painted frame in host memory."""
        if self.warnings or not self._watches or isinstance(frame, DeviceFrame):
            return
        for plane in frame.components[: self._parts]:
            if np.count_nonzero(plane > self._limit) > LEAST_SHARE * plane.size:
                words = f"the film has light above {self._peak_nits:g} nits, its tagged or assumed peak"
                self.warnings = (f"{words}: brighter highlights are compressed",)
                return
