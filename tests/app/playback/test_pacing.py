"""When frames are dropped, shown and set back: on a clock that stands still until a test moves it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.surface import View
from framebrush.media.video import VideoFrame, VideoInfo
from framebrush.playback import events
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.engine import PlaybackEngine
from framebrush.playback.playback_stats import PlaybackStats
from framebrush.playback.video_source import VideoSource
from framebrush.styles.style_names import PASSTHROUGH
from tests.app.playback.test_parts_rules import Watch

RATE = 5
PERIOD_S = 1 / RATE
SOURCE = f"lavfi:testsrc2=size=64x48:rate={RATE}:duration=60"
"""Frames that last much longer than the CPU needs for one, so that its own time decides nothing."""


class Driven:
    """An engine without its thread, on the CPU device, with a clock of the test's own."""

    def __init__(self, source: str = SOURCE) -> None:
        self.watch = Watch()
        self.events: list[events.Event] = []
        self.light = 0.0  # of the last picture
        self.engine = PlaybackEngine(
            self.events.append,
            lambda device: device.surface(View(1, 1, paint=self._put)),
            self._save,
            monotonic=self.watch,
        )
        self.engine.use_device("cpu")
        self.engine.use_style(PASSTHROUGH)
        self.engine.open(source)
        self.engine.play(True)
        self.events.clear()

    def _put(self, picture: np.ndarray[Any, Any]) -> None:
        self.light = float(picture[..., :3].mean())

    def _save(self, frame: Frame, info: VideoInfo, path: Path) -> Path:
        return path

    def until_shown(self) -> int:
        """Turns until the next frame is on the screen, without time passing; its number."""
        count = len(self.shown)
        while len(self.shown) == count:
            self.engine.advance()
        return self.shown[-1]

    @property
    def shown(self) -> list[int]:
        return [event.at.number for event in self.events if isinstance(event, events.Shown)]

    @property
    def idle_s(self) -> float:
        seconds = self.engine.idle_s()
        assert seconds is not None
        return seconds


@pytest.fixture
def driven() -> Iterator[Driven]:
    made = Driven()
    yield made
    made.engine.close()


@pytest.mark.media
def test_frames_in_time_are_all_shown_when_they_are_due(driven: Driven) -> None:
    for number in range(1, 6):
        driven.engine.advance()
        assert driven.idle_s == pytest.approx(PERIOD_S)
        driven.watch.now += driven.idle_s
        assert driven.until_shown() == number


@pytest.mark.media
def test_a_short_delay_drops_what_is_late(driven: Driven) -> None:
    driven.watch.now += 0.45  # frame 1 is late by more than it lasts, frame 2 is not
    assert driven.until_shown() == 2
    driven.engine.advance()
    assert driven.idle_s == pytest.approx(3 * PERIOD_S - 0.45)  # frame 3 at its own time


@pytest.mark.media
def test_a_long_delay_sets_the_clock_back(driven: Driven) -> None:
    driven.watch.now += 30
    assert driven.until_shown() == 1
    driven.engine.advance()
    assert driven.idle_s == pytest.approx(PERIOD_S)


@pytest.mark.media
def test_a_decoder_that_is_always_late_still_shows_two_pictures_a_second(driven: Driven) -> None:
    """Each frame takes 0.3 s where it should take 0.2: the lag grows to a second, again and again."""
    at: list[float] = []
    for _ in range(200):
        driven.watch.now += 0.3 if driven.idle_s == 0 else 0.0
        count = len(driven.shown)
        driven.engine.advance()
        at += [driven.watch.now] * (len(driven.shown) - count)
    gaps = np.diff(at)
    assert gaps.max() <= 0.5 + 0.3 + 0.35
    assert len(driven.shown) < driven.shown[-1]  # some were dropped all the same


@pytest.mark.media
def test_a_look_changed_between_two_frames_is_seen_in_the_pause(driven: Driven) -> None:
    before = driven.light
    driven.engine.use_look(Look(exposure_ev=-2.0))
    driven.engine.play(False)
    assert 0 < driven.light < 0.7 * before


@pytest.mark.media
def test_statistics_come_four_times_a_second(driven: Driven) -> None:
    video, presenter = VideoSource(SOURCE), Presenter(lambda _: None)
    stats = PlaybackStats(driven.watch)
    stats.start()
    read = []
    for _ in range(100):
        driven.watch.now += 0.02
        stats.shown(0.004)
        read += [each for each in [stats.read(presenter, video)] if each is not None]
    assert len(read) in (7, 8)
    assert read[-1].fps == pytest.approx(50)
    assert read[0].stages_ms["present"] == pytest.approx(4 - 4 * 0.9 ** read[0].shown)
    assert read[-1].stages_ms["present"] == pytest.approx(4, rel=1e-3)
    video.close()


@pytest.mark.media
def test_a_loop_shows_the_last_frame_as_long_as_the_others(driven: Driven) -> None:
    driven.engine.set_loop(True)
    driven.watch.now += PERIOD_S
    driven.until_shown()
    driven.engine.mark(first=False)
    driven.engine.advance()
    assert driven.idle_s == pytest.approx(PERIOD_S)
    driven.watch.now += PERIOD_S
    assert driven.until_shown() == 0
    driven.engine.advance()
    assert driven.idle_s == pytest.approx(PERIOD_S)


@pytest.mark.media
def test_a_loop_shorter_than_its_painting_drops_what_its_time_is_too_short_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    painting_s = 1.1
    monkeypatch.setattr(Presenter, "latency_s", property(lambda _: painting_s))
    made = Driven(f"lavfi:testsrc2=size=64x48:rate={RATE}:duration=0.6")
    try:
        made.engine.set_loop(True)
        began = made.watch.now
        prepared, prepare = list[VideoFrame](), made.engine.presenter.prepare
        monkeypatch.setattr(made.engine.presenter, "prepare", lambda frame: (prepared.append(frame), prepare(frame)))
        for _ in range(200):
            made.engine.advance()
            if len(prepared) > len(made.shown):
                made.watch.now += max(painting_s, made.idle_s)
                made.until_shown()
        passed_s = made.watch.now - began
        assert len(made.shown) == pytest.approx(passed_s / painting_s)
        dropped = [event.dropped for event in made.events if isinstance(event, events.Statistics)][-1]
        assert len(made.shown) + dropped == pytest.approx(passed_s / PERIOD_S, rel=0.15)
        assert set(made.shown) == {0, 1, 2}
    finally:
        made.engine.close()


@pytest.mark.media
def test_a_slow_device_shows_the_last_frame_and_plays_again() -> None:
    """Painting takes longer than the whole video: every frame is late, the last one is shown all the same."""
    made = Driven(f"lavfi:testsrc2=size=64x48:rate={RATE}:duration=0.4")
    try:
        made.watch.now += 0.9
        for _ in range(4):
            made.engine.advance()
        assert made.shown == [1]
        assert made.events[-2:] == [events.Playing(False), events.PlayedOut()]
        made.events.clear()
        made.engine.play(True)
        assert made.shown == [0]
        assert made.engine.playing
    finally:
        made.engine.close()


@pytest.mark.media
def test_closing_goes_on_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decoder that cannot be closed does not leave the device open, nor a surface the device."""
    made = Driven()
    device = made.engine.presenter.device
    closed: list[str] = []
    monkeypatch.setattr(device, "close", lambda: closed.append("device"))
    monkeypatch.setattr(made.engine.presenter.surface, "close", lambda: refuse("surface"))

    def refuse(what: str) -> None:
        closed.append(what)
        raise DeviceError(what)

    real = VideoSource.close

    def close(video: VideoSource) -> None:
        real(video)
        closed.append("video")
        raise OSError("the file")

    monkeypatch.setattr(VideoSource, "close", close)
    with pytest.raises(OSError, match="the file"):
        made.engine.close()
    assert closed == ["video", "surface", "device"]
