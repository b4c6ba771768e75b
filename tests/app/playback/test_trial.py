"""A style that is tried is on the screen for a while, and chosen by nobody."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.look import Look
from framebrush.jobs.keyframes import parse_keys
from framebrush.media.video import VideoFrame, VideoInfo
from framebrush.playback import events
from framebrush.playback.display.shot_palette import ShotPalette
from tests.app.playback.conftest import CLIPS, WAIT_S, Watched
from tests.app.playback.test_player import failing

pytestmark = pytest.mark.media

Picture = npt.NDArray[np.uint8]


def farthest(first: Picture, second: Picture) -> int:
    """The largest difference in codes."""
    return int(np.abs(first.astype(int) - second).max())


def painted(watched: Watched, name: str) -> Picture:
    """Choose a style and return the painted frame."""
    watched.player.use_style(name)
    watched.wait(events.StyleInUse, lambda used: used.name == name)
    watched.settle()
    return watched.picture.copy()


def tried(watched: Watched, name: str | None) -> Picture:
    watched.player.try_style(name)
    watched.wait(events.Tried, lambda done: done.name == name)
    return watched.picture.copy()


def test_a_trial_shows_what_a_choice_would_and_then_the_style_in_use(watched: Watched) -> None:
    watched.open("cfr.mp4")
    dusk, ink = painted(watched, "dusk"), painted(watched, "ink")
    wave = painted(watched, "great-wave")
    before = len(watched.seen)
    assert farthest(tried(watched, "dusk"), dusk) == 0  # another painting of the same network
    assert farthest(tried(watched, "ink"), ink) == 0  # another network
    assert farthest(tried(watched, None), wave) == 0
    assert farthest(tried(watched, None), wave) == 0
    assert not any(isinstance(event, events.StyleInUse) for event in watched.seen[before:])


def test_the_look_of_a_trial_is_that_in_use_and_the_weights_are_its_own(watched: Watched) -> None:
    """The window gives each look the weights of the style in use, since it knows no others."""
    watched.open("cfr.mp4")
    painted(watched, "dusk")
    watched.player.use_look(Look(exposure_ev=2.0), watched.player.engine.presenter.fitted.now.mix)
    watched.player.step(1)
    watched.settle()
    dusk = watched.picture.copy()
    watched.player.step(-1)
    wave = painted(watched, "great-wave")
    weights = watched.player.engine.presenter.fitted.now.mix
    tried(watched, "dusk")
    watched.player.use_look(Look(exposure_ev=2.0), weights)
    watched.player.step(1)
    watched.settle()
    assert farthest(watched.picture, dusk) == 0
    watched.player.step(-1)
    assert farthest(tried(watched, None), wave) == 0


def test_keyframes_of_the_look_count_in_a_trial(watched: Watched) -> None:
    watched.open("cfr.mp4")
    wave, dusk = painted(watched, "great-wave"), tried(watched, "dusk")
    watched.player.use_keys(parse_keys(("strength@0f=0",)))
    watched.settle()
    film = tried(watched, None)
    assert min(farthest(film, wave), farthest(film, dusk)) > 30
    assert farthest(tried(watched, "dusk"), film) == 0


def test_a_choice_ends_a_trial(watched: Watched) -> None:
    watched.open("cfr.mp4")
    ink = painted(watched, "ink")
    painted(watched, "great-wave")
    tried(watched, "dusk")
    assert farthest(painted(watched, "ink"), ink) == 0
    assert farthest(tried(watched, None), ink) == 0


def test_a_choice_that_is_refused_leaves_the_style_in_use(watched: Watched, tmp_path: Path) -> None:
    watched.open("cfr.mp4")
    wave = painted(watched, "great-wave")
    tried(watched, "dusk")
    watched.player.use_style(str(tmp_path / "missing.onnx"))
    assert "cannot be used" in watched.wait(events.Notification).text
    watched.settle()
    assert farthest(watched.picture, wave) == 0
    assert farthest(tried(watched, None), wave) == 0


def test_what_cannot_be_tried_shows_the_style_in_use(watched: Watched, tmp_path: Path) -> None:
    watched.open("cfr.mp4")
    wave = painted(watched, "great-wave")
    tried(watched, "dusk")
    before = len(watched.seen)
    assert farthest(tried(watched, str(tmp_path / "missing.onnx")), wave) == 0
    assert not any(isinstance(event, events.Notification) for event in watched.seen[before:])


@pytest.mark.parametrize("error", [DeviceError("it failed"), DeviceLostError("removed")])
def test_a_trial_that_fails_changes_no_style(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, error: DeviceError
) -> None:
    watched.open("cfr.mp4")
    wave = painted(watched, "great-wave")
    failing(1, error, monkeypatch)
    tried(watched, "ink")
    watched.settle()
    assert farthest(tried(watched, None), wave) == 0
    assert watched.player.engine.style_name == "great-wave"


def test_a_trial_while_playing(watched: Watched) -> None:
    watched.open("cfr.mp4")
    painted(watched, "great-wave")
    watched.player.play(True)
    watched.player.try_style("ink")
    watched.wait(events.Shown, lambda event: event.at.number >= 3)
    watched.player.try_style(None)
    watched.player.play(False)
    watched.wait(events.Playing, lambda event: not event.on)
    watched.settle()
    number = next(event.at.number for event in reversed(watched.seen) if isinstance(event, events.Shown))
    assert watched.player.engine.style_name == "great-wave"
    assert number >= 3


def test_another_film_ends_a_trial(watched: Watched) -> None:
    watched.open("cfr.mp4")
    wave = painted(watched, "great-wave")
    tried(watched, "ink")
    watched.open("cfr.mp4")
    watched.settle()
    assert farthest(watched.picture, wave) == 0


def test_without_a_film_nothing_is_tried(watched: Watched) -> None:
    tried(watched, "ink")
    watched.open("cfr.mp4")
    assert watched.player.engine.presenter.fitted.style is not None
    assert watched.player.engine.presenter.fitted.style.card.name == "none"


@pytest.mark.slow
def test_a_trial_has_the_colours_in_use_and_a_picture_keeps_its_own(watched: Watched) -> None:
    """The table of a picture's style is fitted to the frames that were seen, and is not lost by a trial."""
    watched.open("landscape.mp4")
    picture = str(CLIPS.parent / "steady.jpg")
    painted(watched, picture)
    watched.player.play(True)
    watched.wait(events.Shown, lambda event: event.at.number >= 20)
    watched.player.play(False)
    watched.settle()
    colours, presenter = watched.player.engine._colours, watched.player.engine.presenter
    end = time.monotonic() + WAIT_S
    while colours._work is not None:  # a new table is under way
        assert time.monotonic() < end
        time.sleep(0.01)
    table = presenter.fitted.style
    tried(watched, "ink")
    assert presenter.fitted.style is not table
    tried(watched, None)
    assert presenter.fitted.style is table


@pytest.mark.slow
def test_colours_that_are_fitted_during_a_trial_are_for_the_style_in_use(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.open("landscape.mp4")
    painted(watched, str(CLIPS.parent / "steady.jpg"))
    engine, fitted = watched.player.engine, watched.player.engine.presenter.fitted.style
    assert fitted is not None
    ink = tried(watched, "ink")
    newer = replace(fitted, after=replace(fitted.after))  # type: ignore[type-var]
    with monkeypatch.context() as patched:
        patched.setattr(ShotPalette, "new_style", lambda _: newer)
        assert engine.recolour()
    assert farthest(watched.picture, ink) == 0
    tried(watched, None)
    assert engine.presenter.fitted.style is newer


def test_a_screenshot_is_of_the_trial(watched: Watched, tmp_path: Path) -> None:
    watched.open("cfr.mp4")
    painted(watched, "great-wave")
    dusk = tried(watched, "dusk")
    watched.player.screenshot(lambda *_: tmp_path / "shot.png")
    watched.wait(events.Saved)
    assert farthest(watched.saved[0][0].planes[0], dusk) == 0


def test_a_frame_is_lent_as_it_was_decoded(watched: Watched) -> None:
    lent: list[tuple[VideoFrame, VideoInfo]] = []
    watched.player.lend(lambda *each: lent.append(each))
    watched.settle()
    assert not lent
    opened = watched.open("cfr.mp4")
    watched.player.step(3)
    watched.player.lend(lambda *each: lent.append(each))
    watched.settle()
    assert [(frame.number, info) for frame, info in lent] == [(3, opened.info)]
