"""Playing a source that cannot seek and may have no end: what works, and what says why it does not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from framebrush.media.video import InputError, Position
from framebrush.playback import events
from framebrush.playback.reading.decoded_cache import FrameCache, size_bytes
from framebrush.playback.video_source import VideoSource
from tests.app.playback.conftest import Watched

pytestmark = pytest.mark.media

SHORT = "lavfi:testsrc2=size=64x48:rate=25:duration=1"
ENDLESS = "lavfi:life=size=64x48:rate=50"


def notes(watched: Watched) -> list[str]:
    return [event.text for event in watched.seen if isinstance(event, events.Notification)]


def opened(watched: Watched, source: str) -> events.Opened:
    watched.player.open(source, play=False)
    found = watched.wait(events.Opened)
    watched.wait(events.Shown)
    return found


def test_steps_go_forward_and_back_as_far_as_the_cache(watched: Watched) -> None:
    assert not opened(watched, SHORT).can_seek
    for step, number in ((5, 5), (-3, 2), (1, 3), (-3, 0), (4, 4)):
        watched.player.step(step)
        assert watched.wait(events.Shown).at.number == number
    watched.player.step(-9)
    assert watched.wait(events.Shown).at.number == 0
    watched.player.step(-1)
    watched.settle()
    assert notes(watched) == []


def test_a_seek_that_cannot_be_says_so_and_playing_goes_on(watched: Watched) -> None:
    opened(watched, ENDLESS)
    watched.player.play(True)
    watched.wait(events.Shown, lambda event: event.at.number >= 3)
    watched.player.seek(Position(Fraction(1 << 31), "frame"))
    assert "not support seeking" in watched.wait(events.Notification).text
    watched.player.skip(Fraction(-5))
    assert "not support seeking" in watched.wait(events.Notification).text
    watched.wait(events.Shown, lambda event: event.at.number >= 6)
    watched.player.play(False)
    watched.player.seek(Position(Fraction(1), "frame"))  # in the cache
    watched.wait(events.Shown, lambda event: event.at.number == 1)


@pytest.mark.slow
def test_the_end_stops_and_a_loop_comes_from_the_cache(watched: Watched) -> None:
    opened(watched, SHORT)
    watched.player.play(True)
    watched.wait(events.Playing, lambda event: event.on)
    watched.wait(events.Playing, lambda event: not event.on)
    watched.player.set_loop(True)
    watched.player.play(True)
    watched.wait(events.Shown, lambda event: event.at.number == 24)
    watched.wait(events.Shown, lambda event: event.at.number <= 3)
    assert notes(watched) == []


def test_a_small_cache_makes_steps_back_end_early() -> None:
    first = VideoSource(SHORT).forward(-1)
    assert first is not None
    video = VideoSource(SHORT, cache=FrameCache(4 * size_bytes(first)))
    for number in range(-1, 10):
        assert video.forward(number) is not None
    assert [video.back(number) is not None for number in (10, 9, 8, 7)] == [True, True, True, False]
    again = video.forward(7)
    assert again is not None
    assert again.number == 8
    video.close()


def test_what_is_no_source_is_told(watched: Watched) -> None:
    watched.player.open("lavfi:movie=/etc/passwd")
    told = watched.wait(events.Notification)
    assert "is not a test source" in told.text
    assert InputError.__name__ in told.details
