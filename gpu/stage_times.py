"""Mean times of a frame's stages, and their names for profilers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from framebrush.gpu.ranges import Ranges

STAGES = ("upload", "convert", "network", "steady", "output", "fetch")
"""Stages in order. upload: CPU copy to the device. steady: temporal filter. output: look and conversion to the target.
fetch: wait for the planes and CPU copy from the device."""


class StageTimes:
    """Sums of milliseconds by stage. ranges: for profilers."""

    def __init__(self, *, enabled: bool, markers: bool = False) -> None:
        """Create the sums. Raises DeviceError if markers are impossible."""
        self.enabled = enabled
        self.ranges = Ranges() if markers else None
        self._totals: dict[str, tuple[float, int]] = {}

    @contextmanager
    def measured(self, stage: str) -> Iterator[None]:
        """Name a block for profilers, and add its CPU time."""
        if not self.enabled and self.ranges is None:
            yield
            return
        start = time.perf_counter()
        if self.ranges is not None:
            self.ranges.begin(stage)
        try:
            yield
        finally:
            if self.ranges is not None:
                self.ranges.end()
        if self.enabled:
            self.add(stage, 1e3 * (time.perf_counter() - start))

    def add(self, stage: str, ms: float) -> None:
        """Add a time measured elsewhere."""
        total, count = self._totals.get(stage, (0.0, 0))
        self._totals[stage] = total + ms, count + 1

    @property
    def mean_ms(self) -> Mapping[str, float]:
        """Mean milliseconds per frame of each stage."""
        totals = self._totals.copy()
        return {stage: totals[stage][0] / totals[stage][1] for stage in STAGES if stage in totals}
