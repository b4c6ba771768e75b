"""Media time: running, pausing, speed, loops, corrections by sound."""

from __future__ import annotations

import pytest

from framebrush.media.reading.reader import Reader
from framebrush.playback import timekeeper
from framebrush.playback.clock import APPROACH, JUMP_S, Clock
from framebrush.playback.timekeeper import Timekeeper
from tests.app.playback.conftest import CLIPS

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


class Heard:
    """Sound output that notes its position and speed; there is no sound card here."""

    tracks = ("English", "Deutsch")

    def __init__(self) -> None:
        self.track, self.delay_s, self.volume = 0, 0.0, 1.0
        self.plays: tuple[float, float] | None = None

    def start(self, at_s: float, speed: float) -> None:
        self.plays = at_s, speed

    def stop(self) -> None:
        self.plays = None


def test_sound_follows_the_clock(moment: Moment, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard()
    monkeypatch.setattr(timekeeper, "open_sound", lambda *_, **__: heard)
    time = Timekeeper(moment)
    time.set_volume(0.5)
    assert time.tracks == ()
    time.use_track(0, 1.0)  # of no film
    with Reader(CLIPS / "cfr.mp4") as film:
        assert time.open(film.info)
    assert (time.tracks, heard.volume, heard.plays) == (heard.tracks, 0.5, None)
    time.run(2.0)
    assert heard.plays == (2.0, 1.0)
    time.use_speed(2.0, runs=True)
    assert heard.plays == (2.0, 2.0)
    time.use_track(1, 3.0)
    assert (heard.track, heard.plays) == (1, (3.0, 2.0))
    for track in (-1, 2):
        time.use_track(track, 4.0)
    assert (heard.track, heard.plays) == (1, (3.0, 2.0))
    time.delay(0.25, 5.0)
    assert (heard.delay_s, heard.plays) == (0.25, (5.0, 2.0))
    time.stop()
    assert heard.plays is None
    time.use_speed(1.0, runs=False)
    time.delay(0.5, None)
    time.use_track(0, None)
    time.set_volume(0.75)
    assert (heard.track, heard.delay_s, heard.volume, heard.plays) == (0, 0.5, 0.75, None)
    time.run(0.0)
    time.use_track(1, None)
    assert heard.plays is None  # the former track's sound is not heard on
    time.run(0.0)
    time.close()
    assert (heard.plays, time.tracks) == (None, ())


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
