"""Mean time of each stage of a frame, for stylizers that are asked to measure it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

STAGES = ("upload", "convert", "network", "steady", "output", "fetch")
"""In the order of a frame's way. upload: the CPU's copy into the device's memory. steady: the filter over time. output:
look and conversion to the target. fetch: the wait for the planes and the CPU's copy out of the device's memory."""


class StageTimes:
    """Sums of milliseconds. Each stage is measured by one thread at a time."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self._totals: dict[str, tuple[float, int]] = {}

    @contextmanager
    def measured(self, stage: str) -> Iterator[None]:
        """Add the CPU's time in a block, where measuring is enabled."""
        if not self.enabled:
            yield
            return
        start = time.perf_counter()
        yield
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
