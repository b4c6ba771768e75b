"""Handling of late frames."""

from __future__ import annotations

import pytest

from framebrush.playback.pacing import Pace, pace

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("late_s", "gap_s", "expected"),
    [
        (-0.5, 0.0, Pace.SHOW),
        (0.0, 0.0, Pace.SHOW),
        (0.09, 0.0, Pace.SHOW),  # painted before the next one is due
        (0.1, 0.0, Pace.SHOW),  # just in time
        (0.11, 0.0, Pace.DROP),
        (0.11, 0.59, Pace.DROP),
        (0.11, 0.6, Pace.SHOW),
        (0.11, 0.61, Pace.SHOW),  # half a second and the latency without a picture
        (1.09, 0.0, Pace.DROP),
        (1.09, 9.0, Pace.SHOW),
        (1.1, 0.0, Pace.DROP),
        (1.11, 0.0, Pace.SET_BACK),  # a second and the latency behind
        (1.11, 9.0, Pace.SET_BACK),
    ],
)
def test_what_becomes_of_a_late_frame(late_s: float, gap_s: float, expected: Pace) -> None:
    assert pace(late_s, latency_s=0.1, period_s=0.2, gap_s=gap_s) is expected
