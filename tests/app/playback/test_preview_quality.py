"""Playing reduces the working size to what there is time for, and a pause restores it."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from framebrush.gpu.cpu.network import Network, Tensors
from framebrush.gpu.look import Look
from framebrush.media.video import Position
from framebrush.playback import events
from framebrush.playback.display import preview_quality
from framebrush.playback.display.preview_quality import PreviewQuality
from framebrush.playback.film_screen import TOO_SLOW
from framebrush.styles.specs import SizeSpec
from tests.app.playback.conftest import Watched


@pytest.mark.slow
@pytest.mark.media
@pytest.mark.parametrize("few", [False, True])
def test_a_device_that_is_too_slow_is_said_once_and_only_where_it_helps(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, few: bool
) -> None:
    monkeypatch.setattr(PreviewQuality, "is_too_slow", lambda *_: True)
    watched.player.use_sizes(SizeSpec(few_strokes=few))
    watched.player.use_look(Look(brush=1.0))
    watched.player.use_style("ink")
    watched.wait(events.StyleInUse)
    watched.open("cfr.mp4")
    for _ in range(2):
        watched.player.play(True)
        watched.wait(events.PlayedOut)
    told = [one for one in watched.seen if isinstance(one, events.Notification) and one.template == TOO_SLOW]
    assert len(told) == (0 if few else 1)


def paint_slowly(monkeypatch: pytest.MonkeyPatch, pixels_per_s: int) -> None:
    """Networks take the time of a device of this speed, and their own beside it."""
    real = Network.run

    def slow(self: Network, frame: Tensors, mix: tuple[float, ...]) -> int:
        height, width = frame.frame.shape[-2:]
        time.sleep(width * height / pixels_per_s)
        return real(self, frame, mix)

    monkeypatch.setattr(Network, "run", slow)


@pytest.mark.slow
@pytest.mark.media
def test_playing_is_reduced_and_a_pause_shows_all(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    paint_slowly(monkeypatch, 100_000)
    monkeypatch.setattr(preview_quality, "MIN_LINES", 64)
    watched.player.use_style("ink")
    watched.wait(events.StyleInUse)
    watched.open("cfr.mp4")
    watched.player.set_loop(True)
    watched.player.play(True)
    small = watched.wait(events.SizesInUse, lambda event: event.sizes.working[0] < 160)
    assert small.sizes.working == (107, 64)
    assert small.sizes.target == (160, 96)
    fast = watched.wait(events.Statistics, lambda event: event.shown > 20)
    assert fast.readbacks_per_frame == 0
    watched.player.play(False)
    assert watched.wait(events.SizesInUse).sizes.working == (160, 96)
    watched.player.seek(Position(Fraction(5), "frame"))
    watched.wait(events.Shown, lambda event: event.at.number == 5)
    watched.player.step(1)
    watched.wait(events.Shown, lambda event: event.at.number == 6)
    assert watched.number == 6


@pytest.mark.slow
@pytest.mark.media
def test_a_slow_device_paints_180_lines(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    paint_slowly(monkeypatch, 400_000)
    watched.player.use_style("ink")
    watched.wait(events.StyleInUse)
    watched.open("landscape.mp4")
    watched.player.set_loop(True)
    watched.player.play(True)
    small = watched.wait(events.SizesInUse, lambda event: event.sizes.working[0] < 640)
    assert (small.sizes.working, small.sizes.target) == ((320, 180), (640, 360))


@pytest.mark.slow
@pytest.mark.media
def test_without_a_style_the_source_stays_as_it_is(watched: Watched) -> None:
    watched.player.set_preview("quarter")
    watched.open("cfr.mp4")
    watched.player.play(True)
    watched.wait(events.Playing, lambda event: not event.on)
    sizes = [event.sizes.working for event in watched.seen if isinstance(event, events.SizesInUse)]
    assert set(sizes) == {(160, 96)}


@pytest.mark.media
def test_other_sizes_take_effect_at_once(watched: Watched) -> None:
    watched.open("cfr.mp4")
    watched.player.use_style("ink")
    watched.wait(events.StyleInUse)
    watched.player.use_sizes(SizeSpec(stroke=2.0))
    assert watched.wait(events.SizesInUse, lambda event: event.sizes.working != (160, 96)).sizes.working == (80, 48)
    watched.player.use_sizes(SizeSpec(size="320x192"))
    assert watched.wait(events.SizesInUse).sizes.target == (320, 192)
    watched.settle()
    assert watched.picture.shape == (192, 320, 4)
