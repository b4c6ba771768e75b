"""What becomes of a frame that is late: the rules by which playback drops frames or slows down."""

from __future__ import annotations

from enum import Enum

MAX_GAP_S = 0.5
"""However late frames are, one is shown this often."""

MAX_LAG_S = 1.0
"""Beyond this lag the clock is set back: a slow decoder gives slow motion, not a still picture."""


class Pace(Enum):
    """What to do with the next frame."""

    SHOW = "show"
    DROP = "drop"
    SET_BACK = "set back"  # the clock, to the time of this frame, which is shown


def pace(late_s: float, *, latency_s: float, period_s: float, gap_s: float) -> Pace:
    """Decide on a frame before the network runs on it.

    late_s: wall seconds since it was due, below 0 for one that is early. latency_s: from the start of painting until a
    frame can be presented. period_s: wall seconds that a frame lasts. gap_s: since the last frame was shown.
    """
    if late_s > MAX_LAG_S + latency_s:
        return Pace.SET_BACK
    if late_s + latency_s > period_s and gap_s < MAX_GAP_S + latency_s:
        return Pace.DROP
    return Pace.SHOW
