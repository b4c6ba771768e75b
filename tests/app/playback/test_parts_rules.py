"""Clock, cache and sound of the player, each alone."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from framebrush.gpu.frame import Frame
from framebrush.playback.clock import JUMP_S, Clock
from framebrush.playback.reading.decoded_cache import FrameCache
from tests.app.playback.test_parts import frame

pytestmark = pytest.mark.unit


class Watch:
    """A computer's clock that stands still until told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_clock_runs_stops_and_changes_speed() -> None:
    watch = Watch()
    clock = Clock(watch)
    clock.start(5.0, speed=2.0)
    watch.now += 1.5
    assert clock.now() == pytest.approx(8.0)
    clock.stop()
    watch.now += 10
    assert clock.now() == pytest.approx(8.0)


def test_clock_follows_the_sound_gently_or_at_once() -> None:
    watch = Watch()
    clock = Clock(watch)
    clock.correct(3.0, watch.now)
    assert clock.now() == 0.0  # it stands still: nothing is heard
    clock.start(0.0)
    for _ in range(60):
        watch.now += 0.02
        clock.correct(watch.now - 100 + 0.05, watch.now)
    assert clock.now() == pytest.approx(1.25, abs=0.005)  # 0.05 ahead of the computer's
    clock.correct(clock.now() + JUMP_S + 0.5, watch.now)
    assert clock.now() == pytest.approx(1.25 + JUMP_S + 0.5, abs=0.005)


@pytest.mark.parametrize(("error_s", "applied_s"), [(0.1, 0.01), (-0.1, -0.01), (0.149, 0.0149), (0.151, 0.151)])
def test_a_correction_is_applied_by_a_tenth_or_whole(error_s: float, applied_s: float) -> None:
    watch = Watch()
    clock = Clock(watch)
    clock.start(5.0)
    clock.correct(5.0 + error_s, watch.now)
    assert clock.now() == pytest.approx(5.0 + applied_s)


def test_a_correction_at_the_limit_is_a_small_one() -> None:
    clock = Clock(Watch())
    clock.start(0.0)
    clock.correct(JUMP_S, 100.0)
    assert clock.now() == pytest.approx(JUMP_S / 10)


def test_cache_is_full_to_the_byte() -> None:
    cache = FrameCache(4 * 384 - 1)
    for _ in range(2):
        for number in range(4):
            cache.add(frame(number))
        assert len(cache) == 3
        cache.clear()
    assert cache.room_for(frame(0)) == 3
    smallest = FrameCache(4)
    smallest.add(frame(0))
    smallest.add(frame(1))
    assert len(smallest) == smallest.room_for(frame(0)) == 1
    on_a_gpu = replace(frame(2), frame=cast("Frame", object()))
    assert smallest.room_for(on_a_gpu) == 4  # none of the host's memory
    smallest.clear()
    for number in range(9):
        smallest.add(replace(on_a_gpu, number=number))
    assert len(smallest) == 9
    smallest.add(frame(9))
    assert len(smallest) == 1
    both = FrameCache(2 * 384 - 1)
    for added in (on_a_gpu, replace(on_a_gpu, number=3), frame(0), frame(1)):
        both.add(added)
    assert len(both) == 1  # what is on a GPU makes no room for more


def test_cache_forgets_what_was_used_longest_ago_and_keeps_one() -> None:
    cache = FrameCache(4 * 384)
    for number in range(4):
        cache.add(frame(number))
    cache.add(frame(3))  # again: not counted twice
    assert cache.get(0) is not None
    cache.add(frame(4))
    assert cache.get(1) is None
    assert cache.get(0) is not None
    assert len(cache) == 4
    assert cache.room_for(frame(0)) == 4
    cache.clear()
    assert cache.get(0) is None
    for number in range(4):
        cache.add(frame(number))
    assert len(cache) == 4  # what was dropped takes no room
    small = FrameCache(1)
    small.add(frame(7))
    assert small.get(7) is not None
