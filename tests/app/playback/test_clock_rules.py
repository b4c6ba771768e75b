"""Media time: running, pausing, speed, loops, corrections by sound."""

from __future__ import annotations

import pytest

from framebrush.playback.clock import APPROACH, JUMP_S, Clock
from framebrush.playback.timekeeper import Timekeeper

pytestmark = pytest.mark.unit


class Moment:
    """Computer's time, set by a test."""

    s = 100.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def moment() -> Moment:
    return Moment()


def test_media_time_runs_stands_and_goes_on(moment: Moment) -> None:
    time = Timekeeper(moment)
    time.run(2.0)
    moment.s += 3
    assert time.now() == 5.0
    time.use_speed(2.0, runs=True)
    moment.s += 1
    assert time.now() == 7.0
    assert time.left_s(9.0) == 1.0
    time.stop()
    moment.s += 9
    assert time.now() == 7.0
    time.use_speed(0.5, runs=False)
    assert time.now() == 7.0
    assert time.left_s(9.0) == 4.0


@pytest.mark.parametrize(("late_s", "at_s"), [(0.0, 0.0), (0.25, 0.25), (-0.5, -0.5)])
def test_a_loop_shifts_the_clock_when_its_first_frame_is_shown(moment: Moment, late_s: float, at_s: float) -> None:
    time = Timekeeper(moment)
    time.run(9.0)
    time.turn(10.0)  # the first frame is due at 10 s
    assert time.left_s(0.0) == 1.0
    moment.s += 1 + late_s
    time.show(0.0)
    assert time.now() == min(0.0, at_s)
    moment.s += 1
    time.show(1.0)
    assert time.now() == min(0.0, at_s) + 1
    time.turn(10.0)
    time.stop()
    assert time.left_s(11.0) == 11.0 - time.now()


@pytest.mark.parametrize("sign", [1, -1])
def test_small_corrections_are_gradual(moment: Moment, sign: int) -> None:
    clock = Clock(moment)
    clock.correct(5.0, moment.s)
    assert clock.now() == 0.0  # it stands
    clock.start(0.0)
    clock.correct(sign * JUMP_S, moment.s)
    assert clock.now() == pytest.approx(sign * JUMP_S * APPROACH)
    clock.start(0.0)
    moment.s += 1
    clock.correct(sign * 0.2, moment.s - 1)
    assert clock.now() == pytest.approx(1 + sign * 0.2)
