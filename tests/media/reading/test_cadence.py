"""Count and times of shown frames, from coded ones."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from framebrush.media.reading.fields import CADENCES, as_read
from framebrush.media.reading.index import FrameIndex
from framebrush.media.reading.missing_time import Hole, MissingTime
from tests.media.test_video import FILM

pytestmark = pytest.mark.unit

PLAIN, DOUBLE, FILM_FRAMES = CADENCES["off"], CADENCES["double"], CADENCES["ivtc"]


def test_five_frames_of_pulldown_are_four_of_film() -> None:
    assert [FILM_FRAMES.count(coded) for coded in (0, 4, 5, 7, 10)] == [0, 4, 4, 6, 8]
    assert [FILM_FRAMES.first_shown(coded) for coded in (0, 3, 4, 5, 9, 10)] == [0, 3, 3, 4, 7, 8]
    assert [FILM_FRAMES.first_coded(number) for number in (0, 3, 4, 8, 11)] == [0, 0, 0, 5, 5]
    # in quarters of the file's ticks: four frames over the time of five
    assert FILM_FRAMES.times([10, 14, 18, 22, 26], 30, 1) == [40, 60, 80, 100]
    assert FILM_FRAMES.times([10, 14], None, 1) == [40, 56]  # an incomplete cycle


def test_a_frame_of_two_fields_is_two_frames() -> None:
    assert [DOUBLE.count(coded) for coded in (0, 1, 5)] == [0, 2, 10]
    assert [DOUBLE.first_shown(coded) for coded in (0, 1, 5)] == [0, 2, 10]
    assert [DOUBLE.first_coded(number) for number in (0, 2, 3, 9)] == [0, 0, 0, 3]
    assert DOUBLE.times([10], 14, 2) == [20, 22]
    assert DOUBLE.times([10], 11, 5) == [20, 21]  # before the next frame
    assert DOUBLE.times([10], None, 0) == [20, 21]
    assert PLAIN.times([10], 14, 2) == [10]


def test_an_index_is_of_shown_frames() -> None:
    coded = FrameIndex([0, 4, 8], [0, 8], 4, missing=MissingTime((Hole(4, 8, 3),), to_end=True))
    assert PLAIN.shown(coded, 2) is coded
    shown = DOUBLE.shown(coded, 4)
    assert (shown.pts, shown.keyframes, shown.last_duration) == ([0, 4, 8, 12, 16, 20], [0, 16], 4)
    assert shown.missing == MissingTime((Hole(8, 16, 6),), to_end=True)
    assert DOUBLE.shown(replace(coded, last_duration=0), 4).last_duration == 0
    film = FILM_FRAMES.shown(FrameIndex([0, 4, 8, 12, 16, 20, 24], [0], 4), 1)
    assert film.pts == [0, 20, 40, 60, 80, 96]
    assert film.last_duration == (24 + 4) * 4 - 96


def test_facts_are_those_of_shown_frames() -> None:
    interlaced = replace(FILM, interlaced=True, rate=Fraction(25))
    assert as_read(interlaced, "auto") is interlaced
    for mode, rate, base in (("single", 25, 90_000), ("double", 50, 180_000), ("ivtc", 20, 360_000)):
        info = as_read(interlaced, mode)  # type: ignore[arg-type]
        assert (info.rate, info.time_base) == (rate, Fraction(1, base))
        assert info.start_s == interlaced.start_s
    assert as_read(replace(interlaced, rate=None), "double").rate is None
