"""The render cache in memory, and its eviction order."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from framebrush.gpu import host_memory
from framebrush.gpu.frame import nv12
from framebrush.media.video import VideoFrame
from framebrush.playback.ahead.render_cache import MOST_BYTES, NEVER, Course, Painted, RenderCache, memory_budget

pytestmark = pytest.mark.unit

SIZE = 96  # bytes of a frame of 8x8
FRAMES = 4


def painted(number: int) -> Painted:
    frame = nv12(8, 8).allocate()
    for plane in frame.planes:
        plane[:] = number
    return Painted(number, 10 * number, 10, frame)


def filled(*numbers: int, course: Course, key: str = "look") -> RenderCache:
    cache = RenderCache(FRAMES * SIZE)
    for number in numbers:
        cache.add(key, painted(number), course)
    return cache


def kept(cache: RenderCache, key: str = "look") -> list[int]:
    return [frame.number for frame in cache.all(key)]


@pytest.mark.parametrize(
    ("course", "numbers"),
    [
        (Course(3, 0, 6), [3, 4, 5, 0, 1, 2]),
        (Course(3, 2, 6), [3, 4, 5, 2]),
        (Course(0, 0, 3), [0, 1, 2]),
        (Course(7, 2, 5), [2, 3, 4]),  # behind the loop
        (Course(7, 2, 4), [2, 3]),
        (Course(4), [4, 5, 6, 7]),
        (Course(), [0, 1, 2]),
        (Course(end=3), [0, 1, 2]),
        (Course(2, end=4), [2, 3, 0, 1]),
    ],
)
def test_frames_come_in_their_turns(course: Course, numbers: list[int]) -> None:
    assert list(islice(course.numbers(), len(numbers))) == numbers
    assert course.end is None or list(course.numbers()) == numbers
    assert [course.turn(number) for number in numbers] == list(range(len(numbers)))
    others = set(range(8 if course.end else numbers[-1])) - set(numbers)
    assert {course.turn(number) for number in others} <= {NEVER}


def test_what_is_played_last_goes_first() -> None:
    course = Course(3, 0, 10)
    cache = filled(0, 1, 2, 3, 4, 9, 5, course=course)
    assert kept(cache) == [3, 4, 5, 9]
    assert not cache.add("look", painted(0), course)  # there is no room for what is played later
    assert cache.add("look", painted(6), course)
    assert kept(cache) == [3, 4, 5, 6]


def test_looks_used_before_go_before_the_one_in_use() -> None:
    course = Course(0, 0, 10)
    cache = filled(0, 1, course=course, key="first")
    cache.use("second")
    for number in range(3):
        cache.add("second", painted(number), course)
    assert (kept(cache, "first"), kept(cache, "second")) == ([0], [0, 1, 2])
    cache.use("first")
    cache.add("first", painted(1), course)
    assert (kept(cache, "first"), kept(cache, "second")) == ([0, 1], [0, 1])


def test_frames_have_a_share_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < memory_budget() <= min(MOST_BYTES, host_memory.total_bytes() // 2)
    monkeypatch.setattr(host_memory, "total_bytes", lambda: 4 << 30)
    assert memory_budget() == 512 << 20


def test_a_look_without_frames_leaves_no_room_to_others() -> None:
    cache = RenderCache(FRAMES * SIZE)
    cache.use("empty")
    cache.use("look")
    for number in range(FRAMES + 1):
        cache.add("look", painted(number), Course())
    assert kept(cache) == list(range(FRAMES))


def test_there_is_as_much_room_however_many_came_before() -> None:
    course = Course(0, 0, SIZE)
    cache = filled(*range(SIZE), course=course)
    for _ in range(SIZE):  # one that is there is replaced
        cache.add("look", painted(0), course)
    assert kept(cache) == list(range(FRAMES))
    cache.clear()
    for number in range(FRAMES):
        cache.add("look", painted(number), course)
    assert kept(cache) == list(range(FRAMES))


def test_a_byte_too_little_is_room_for_one_frame_less() -> None:
    cache = RenderCache(FRAMES * SIZE - 1)
    for _ in range(2):
        for number in range(FRAMES):
            cache.add("look", painted(number), Course())
        assert len(kept(cache)) == FRAMES - 1
        cache.clear()


def test_the_latest_of_what_begins_alike() -> None:
    cache = filled(0, 1, course=Course(0, 0, 20), key="look-whole")
    assert cache.latest("look") == "look-whole"
    assert cache.latest("other") is None
    cache.use("look-tiles")
    assert cache.latest("look") == "look-whole"  # of the other one there is no frame yet
    assert cache.add("look-tiles", painted(0), Course(0, 0, 20))
    assert cache.latest("look") == "look-tiles"
    cache.use("look-whole")
    assert cache.latest("look") == "look-whole"


def test_the_next_that_is_missing() -> None:
    cache = filled(2, 3, course=Course(2, 0, 20))
    assert cache.next_missing("look", range(2, 6)) == 4
    assert cache.next_missing("look", range(2, 6), without={4}) == 5
    assert cache.next_missing("look", range(2, 6), of={2, 5}) == 5
    assert cache.next_missing("look", range(2, 4)) is None
    assert cache.next_missing("other", range(2, 4)) == 2


def test_a_frame_is_the_one_that_was_kept_and_clearing_forgets_it() -> None:
    course = Course()
    cache = filled(1, course=course)
    found = cache.get("look", 1)
    assert found is not None
    assert (found.pts, found.duration) == (10, 10)
    assert np.all(found.frame.planes[0] == 1)
    assert cache.get("look", 2) is cache.get("other", 1) is None
    cache.clear()
    assert cache.get("look", 1) is None
    for number in range(FRAMES):
        assert cache.add("look", painted(number), course)
    assert len(kept(cache)) == FRAMES  # what was forgotten takes no room


def test_a_frame_is_of_the_one_with_its_number_and_its_time() -> None:
    own = painted(3)
    for number, pts, expected in ((3, 30, True), (3, 31, False), (4, 30, False)):
        assert own.is_of(VideoFrame(number, pts, 10, own.frame)) == expected
