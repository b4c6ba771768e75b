"""Mean time of each stage of a frame, and its name for profilers, for stylizers that are asked for it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from framebrush.gpu.ranges import Ranges

STAGES = ("upload", "convert", "network", "steady", "output", "fetch")
"""In the order of a frame's way. upload: the CPU's copy into the device's memory. steady: the filter over time. output:
look and conversion to the target. fetch: the wait for the planes and the CPU's copy out of the device's memory."""


class StageTimes:
    """Sums of milliseconds. Each stage is measured by one thread at a time. ranges: what names stages, if anything."""

    def __init__(self, *, enabled: bool, markers: bool = False) -> None:
        """markers: name the stages for profilers. Raises DeviceError where that cannot be done."""
        self.enabled = enabled
        self.ranges = Ranges() if markers else None
        self._totals: dict[str, tuple[float, int]] = {}

    @contextmanager
    def measured(self, stage: str) -> Iterator[None]:
        """Name a block, and add the CPU's time in it, where that is enabled."""
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
        """Add a time that was measured elsewhere, such as by the GPU's own clock."""
        total, count = self._totals.get(stage, (0.0, 0))
        self._totals[stage] = total + ms, count + 1

    @property
    def mean_ms(self) -> Mapping[str, float]:
        """Mean milliseconds a frame of each stage that was measured."""
        totals = self._totals.copy()
        return {stage: totals[stage][0] / totals[stage][1] for stage in STAGES if stage in totals}
