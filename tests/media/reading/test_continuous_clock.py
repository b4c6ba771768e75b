"""The clock of a film at the limits of what counts as a jump."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from av.packet import Packet

from framebrush.media.reading.continuous_clock import Timeline

pytestmark = pytest.mark.unit

DAY_AND_MORE, LONGEST = 30 * 3600 * 100, 1 << 30
HUNDREDTH, NINETY_KHZ = Fraction(1, 100), Fraction(1, 90_000)


def packet(dts: int | None, pts: int | None, base: Fraction, duration: int) -> Packet[Any]:
    made: Packet[Any] = Packet(1)
    made.time_base, made.dts, made.pts, made.duration = base, dts, pts, duration
    return made


def placed(times: Sequence[int], base: Fraction, *, jumps_allowed: bool, duration: int = 4) -> tuple[list[int], int]:
    """Return decode times of a picture's packets on the continuous clock, and how often theirs jumped."""
    timeline, found = Timeline(0, 4 * base, jumps_allowed=jumps_allowed), list[int]()
    for dts in times:
        each = packet(dts, dts + 2, base, duration)
        timeline.place(each)
        assert each.dts is not None
        assert each.pts == each.dts + 2
        found.append(each.dts)
    return found, timeline.jumps


@pytest.mark.parametrize(
    ("times", "base", "jumps_allowed", "becomes"),
    [
        ([5, 9, 13], HUNDREDTH, True, None),
        ([0, 4, 8 + 1000], HUNDREDTH, True, None),  # ten seconds are a gap
        ([0, 4, 8 + 1001, 8 + 1005], HUNDREDTH, True, [0, 4, 8, 12]),
        ([100, 104, 94], HUNDREDTH, True, None),  # a tenth of a second back is no restart
        ([100, 104, 93, 97], HUNDREDTH, True, [100, 104, 108, 112]),
        ([100, 104, 50], HUNDREDTH, False, None),
        ([0, 4, 8 + DAY_AND_MORE], HUNDREDTH, False, None),
        ([0, 4, 8 + DAY_AND_MORE + 1], HUNDREDTH, False, [0, 4, 8]),
        ([0, 4, 8 + LONGEST], NINETY_KHZ, False, None),
        ([0, 4, 8 + LONGEST + 1], NINETY_KHZ, False, [0, 4, 8]),
    ],
)
def test_a_clock_jumps_beyond_a_limit(
    times: list[int], base: Fraction, jumps_allowed: bool, becomes: list[int] | None
) -> None:
    for duration in (4, 0):  # without one, that of a frame
        found = placed(times, base, jumps_allowed=jumps_allowed, duration=duration)
        assert found == (becomes or times, int(becomes is not None))


def test_each_jump_counts_and_a_seek_begins_anew() -> None:
    times = [0, 4, 90_000, 90_004, 7, 11]
    assert placed(times, HUNDREDTH, jumps_allowed=True) == ([0, 4, 8, 12, 16, 20], 2)
    timeline = Timeline(0, 4 * HUNDREDTH, jumps_allowed=True)
    for dts in (0, 90_000):
        timeline.place(packet(dts, dts, HUNDREDTH, 4))
    timeline.restart()
    after = packet(500, 500, HUNDREDTH, 4)
    timeline.place(after)
    assert (after.dts, timeline.jumps) == (500, 1)


@pytest.mark.parametrize(("ahead", "shown"), [(1000, 1000), (-1000, -1000), (1001, 4), (-1001, 4)])
def test_no_frame_is_held_for_more_than_ten_seconds(ahead: int, shown: int) -> None:
    timeline = Timeline(0, 4 * HUNDREDTH, jumps_allowed=True)
    first = packet(2000, 2000 + ahead, HUNDREDTH, 4)
    timeline.place(first)
    assert (first.dts, first.pts) == (2000, 2000 + shown)


def test_a_packet_without_decode_time_goes_by_its_shown_one_and_one_without_any_stays() -> None:
    timeline = Timeline(0, 4 * HUNDREDTH, jumps_allowed=True)
    timeline.place(packet(0, 0, HUNDREDTH, 4))
    timed, untimed = packet(None, 9000, HUNDREDTH, 4), packet(None, None, HUNDREDTH, 4)
    for each in (timed, untimed):
        timeline.place(each)
    assert (timed.dts, timed.pts) == (None, 4)
    assert (untimed.dts, untimed.pts) == (None, None)
