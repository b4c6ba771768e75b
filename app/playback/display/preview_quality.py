"""How much smaller the network's input is made while a video plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

PreviewMode = Literal["auto", "full", "half", "quarter"]
"""auto: as large as this device paints in time."""

MODES: tuple[PreviewMode, ...] = get_args(PreviewMode)
FIXED: dict[PreviewMode, float] = {"full": 1.0, "half": 2.0, "quarter": 4.0}
STEPS = (1.0, 1.5, 2.0, 3.0, 4.0)
FITS, FITS_WELL = 0.9, 0.65
"""Shares of a frame's time: what is enough to stay, and what a finer step must be within."""

MIN_LINES = 180
"""Of the network's input, on its shorter side: a coarser picture tells too little of the painting. Whoever asks for a
quarter gets it."""

MIN_FRAMES = 3
"""Frames at a size before its times count."""


def best_divisor(now: float, stages_ms: Mapping[str, float], period_s: float, lines: int) -> float:
    """The divisor of the working size with which a frame is painted within its time.

    now: the one that the times were measured with. stages_ms: of the parts between a frame's upload and its
    presentation. The network's time goes with the area, that of the other parts does not depend on it. lines: of the
    whole working size, on its shorter side.
    """
    network_ms, period_ms = stages_ms.get("network", 0.0), 1e3 * period_s
    others_ms = sum(stages_ms.values()) - network_ms
    coarsest = max(1.0, min(STEPS[-1], lines / MIN_LINES))
    for divisor in (*(step for step in STEPS if step < coarsest), coarsest):
        share = (others_ms + network_ms * (now / divisor) ** 2) / period_ms
        if share <= (FITS_WELL if divisor < now else FITS):
            return divisor
    return coarsest


class PreviewQuality:
    """Chooses the divisor of the working size for playing. mode: what the person asked for."""

    def __init__(self) -> None:
        self.mode: PreviewMode = "auto"
        self._frames = 0

    def begun(self) -> None:
        """The times are of another size, style or device from now on."""
        self._frames = 0

    def shown(self) -> None:
        """A frame was painted and shown."""
        self._frames += 1

    def divisor(self, now: float, stages_ms: Mapping[str, float], period_s: float, lines: int) -> float:
        """The divisor to go on with; `now` while too little is known. Arguments as of `best_divisor`."""
        if self.mode != "auto":
            return FIXED[self.mode]
        painting = {stage: ms for stage, ms in stages_ms.items() if stage != "fetch"}  # that of screenshots
        if self._frames < MIN_FRAMES or not painting:
            return now
        return best_divisor(now, painting, period_s, lines)
