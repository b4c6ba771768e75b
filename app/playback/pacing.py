"""Rules for late frames."""

from __future__ import annotations

from enum import Enum

MAX_GAP_S = 0.5
"""However late frames are, one is shown at least this often."""

MAX_LAG_S = 1.0
"""Beyond this lag the clock is set back, so that a slow decoder results in slow motion and not in a still picture."""


class Pace(Enum):
    """Treatment of the next frame."""

    SHOW = "show"
    DROP = "drop"
    SET_BACK = "set back"  # set the clock to the time of this frame, and show it


def pace(late_s: float, *, latency_s: float, period_s: float, gap_s: float) -> Pace:
    """Decide on a frame before painting it.

    late_s: negative if early. latency_s: from painting to presentation. gap_s: since the last shown frame.
    """
    if late_s > MAX_LAG_S + latency_s:
        return Pace.SET_BACK
    if late_s + latency_s > period_s and gap_s < MAX_GAP_S + latency_s:
        return Pace.DROP
    return Pace.SHOW
