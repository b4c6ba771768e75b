"""In and out points."""

from __future__ import annotations

from fractions import Fraction

import pytest

from framebrush.media.video import Position
from framebrush.playback.ahead.render_cache import Course
from framebrush.playback.events import InOutChanged, InOutPoint
from framebrush.playback.in_out_points import InOutPoints

pytestmark = pytest.mark.unit


def point(number: int) -> InOutPoint:
    return InOutPoint(number, number / 25)


@pytest.mark.parametrize(
    ("last", "first", "stays"), [(10, 9, True), (10, 10, True), (10, 11, False)], ids=["before", "equal", "behind"]
)
def test_a_point_clears_the_other_on_its_wrong_side(last: int, first: int, stays: bool) -> None:
    points = InOutPoints()
    points.set(point(last), first=False)
    points.set(point(first), first=True)
    assert points.event == InOutChanged(point(first), point(last) if stays else None)
    points = InOutPoints()
    points.set(point(first), first=True)
    points.set(point(last), first=False)
    assert points.event == InOutChanged(point(first) if stays else None, point(last))


def test_playback_goes_from_the_in_point_to_the_out_point() -> None:
    points = InOutPoints()
    assert points.beginning == Position(Fraction(0), "frame")
    assert not points.is_last(0)
    assert points.course(3, 30, loop=True) == Course(3, 0, 30)
    points.use(InOutChanged(point(5), point(20)))
    assert points.beginning == Position(Fraction(5), "frame")
    assert [number for number in range(30) if points.is_last(number)] == [20]
    assert points.course(20, 30, loop=True) == Course(20, 5, 21)
    assert points.course(21, 30, loop=True) == Course(21, 5, 30)
    assert points.course(20, 30, loop=False) == Course(20, 0, 30)
    assert points.course(20, None, loop=False) == Course(20, 0, None)
    points.clear()
    assert points.event == InOutChanged(None, None)
