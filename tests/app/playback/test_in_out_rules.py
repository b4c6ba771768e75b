"""In and out points."""

from __future__ import annotations

import pytest

from framebrush.media.video import Position
from framebrush.playback.ahead.render_cache import Course
from framebrush.playback.events import InOutChanged, InOutPoint

pytestmark = pytest.mark.unit

NONE = InOutChanged()


def point(number: int) -> InOutPoint:
    return InOutPoint(number, number / 25)


@pytest.mark.parametrize(
    ("last", "first", "stays"), [(10, 9, True), (10, 10, True), (10, 11, False)], ids=["before", "equal", "behind"]
)
def test_a_point_clears_the_other_on_its_wrong_side(last: int, first: int, stays: bool) -> None:
    marked = NONE.having(point(last), first=False).having(point(first), first=True)
    assert marked == InOutChanged(point(first), point(last) if stays else None)
    marked = NONE.having(point(first), first=True).having(point(last), first=False)
    assert marked == InOutChanged(point(first) if stays else None, point(last))


def test_playback_goes_from_the_in_point_to_the_out_point() -> None:
    assert NONE.beginning == Position.of_frame(0)
    assert not NONE.is_last(0)
    assert Course.of(3, 30, NONE, loop=True) == Course(3, 0, 30)
    marked = InOutChanged(point(5), point(20))
    assert marked.beginning == Position.of_frame(5)
    assert [number for number in range(30) if marked.is_last(number)] == [20]
    assert Course.of(20, 30, marked, loop=True) == Course(20, 5, 21)
    assert Course.of(21, 30, marked, loop=True) == Course(21, 5, 30)
    assert Course.of(20, 30, marked, loop=False) == Course(20, 0, 30)
    assert Course.of(20, None, marked, loop=False) == Course(20, 0, None)
