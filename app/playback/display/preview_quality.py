"""Reduction of the working size during playback."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

PreviewMode = Literal["auto", "full", "half", "quarter"]
"""auto: the largest size that this device can paint in time."""

MODES: tuple[PreviewMode, ...] = get_args(PreviewMode)
FIXED: dict[PreviewMode, float] = {"full": 1.0, "half": 2.0, "quarter": 4.0}
STEPS = (1.0, 1.5, 2.0, 3.0, 4.0)  # few, as everything on the device is made anew for each
FITS, FITS_WELL = 0.9, 0.65
"""Shares of a frame's duration: the limit for keeping a size, and the limit for moving to a larger size."""

MIN_LINES = 180
"""Lines of the network's input, on its shorter side, below which a preview shows too little of the painting. If the
user chooses a quarter, it is used regardless."""

MIN_FRAMES = 3
"""How many frames are shown at a size before its times count."""


def best_divisor(now: float, stages_ms: Mapping[str, float], period_s: float, lines: int) -> float:
    """Return the divisor of the working size that paints in time.

    stages_ms: the network's alone is proportional to area. lines: shorter side.
    """
    network_ms, period_ms = stages_ms.get("network", 0.0), 1e3 * period_s
    others_ms = sum(stages_ms.values()) - network_ms
    coarsest = max(1.0, min(STEPS[-1], lines / MIN_LINES))
    for divisor in (min(step, coarsest) for step in STEPS):
        share = (others_ms + network_ms * (now / divisor) ** 2) / period_ms
        if share <= (FITS_WELL if divisor < now else FITS):
            return divisor
    return coarsest


def is_too_slow(now: float, stages_ms: Mapping[str, float], period_s: float, lines: int) -> bool:
    """Return whether no divisor paints in time."""
    shrunk = (now / best_divisor(now, stages_ms, period_s, lines)) ** 2
    return sum(ms * (shrunk if stage == "network" else 1.0) for stage, ms in stages_ms.items()) > 1e3 * period_s


class PreviewQuality:
    """Choice of the divisor. mode: the user's."""

    def __init__(self) -> None:
        self.mode: PreviewMode = "auto"
        self._frames = 0

    def begun(self) -> None:
        """Start measuring again."""
        self._frames = 0

    def shown(self) -> None:
        """Count a painted and shown frame."""
        self._frames += 1

    def divisor(self, now: float, stages_ms: Mapping[str, float], period_s: float, lines: int) -> float:
        """Return the divisor; `now` while unknown."""
        if self.mode != "auto":
            return FIXED[self.mode]
        painting = self._known(stages_ms)
        return best_divisor(now, painting, period_s, lines) if painting else now

    def is_too_slow(self, now: float, stages_ms: Mapping[str, float], period_s: float, lines: int) -> bool:
        """Return whether the device is surely too slow."""
        painting = self._known(stages_ms)
        return self.mode == "auto" and bool(painting) and is_too_slow(now, painting, period_s, lines)

    def _known(self, stages_ms: Mapping[str, float]) -> Mapping[str, float]:
        enough = self._frames >= MIN_FRAMES
        return {stage: ms for stage, ms in stages_ms.items() if enough and stage != "fetch"}  # that of screenshots
