"""Delays of sound and subtitles: keyboard, menu, and carry-over to the next video."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from framebrush.playback import events
from framebrush.playback.player import Player
from framebrush.window.transport import delays
from tests.app.window.conftest import Desk, speaking
from tests.app.window.hand import Hand
from tests.media.subtitle_clips import Line, film, srt

pytestmark = pytest.mark.media

LINES: list[Line] = [(0.2, 0.48, "The first line"), (0.6, 0.8, "The second line")]
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def hand(desk: Desk, tmp_path: Path) -> Hand:
    """A film of 25 frames a second with subtitles, which are shown."""
    desk.open(film(tmp_path / "a.mkv", [("srt", srt(LINES), "eng")]))
    desk.wait(lambda: len(desk.window.subtitles.tracks) == 1, "the tracks")
    choose(desk, "1  eng")
    return Hand(desk)


def choose(desk: Desk, name: str) -> None:
    found: list[QAction] = desk.window.menus.subtitles.actions()
    next(action for action in found if action.text() == name).trigger()


def shows(desk: Desk, wanted: str) -> None:
    overlay = desk.window.subtitles.overlay
    desk.wait(lambda: (overlay.text if overlay.isVisible() else "") == wanted, f"{wanted!r}")


def go(hand: Hand, frame: int) -> None:
    hand.desk.window.transport.sought.emit(40 * frame)
    hand.desk.wait(lambda: hand.desk.window.session.shown_at.number == frame, f"frame {frame}")


@pytest.mark.slow
def test_subtitles_come_later_and_earlier(hand: Hand) -> None:
    desk = hand.desk
    go(hand, 5)  # at 0.2 s
    shows(desk, "The first line")
    hand.key("h")
    shows(desk, "")
    assert desk.window.notes.word == "Subtitle delay: +0.05 s"
    go(hand, 7)  # at 0.28 s
    shows(desk, "The first line")
    go(hand, 4)
    shows(desk, "")
    hand.key("g")
    hand.key("g")
    assert desk.window.notes.word == "Subtitle delay: -0.05 s"
    shows(desk, "The first line")
    desk.window.actions_["no-delays"].trigger()
    shows(desk, "")
    assert desk.window.notes.word == "No delay"
    go(hand, 5)
    shows(desk, "The first line")


@pytest.mark.slow
def test_the_next_video_has_no_delay(hand: Hand, tmp_path: Path) -> None:
    desk = hand.desk
    for _ in range(4):
        hand.key("h")
    assert desk.window.delays.ms["subtitles"] == 200
    desk.open(film(tmp_path / "b.mkv", [("srt", srt(LINES), "eng")]))
    desk.wait(lambda: len(desk.window.subtitles.tracks) == 1, "the tracks")
    go(hand, 5)
    shows(desk, "The first line")
    hand.key("h")
    assert desk.window.notes.word == "Subtitle delay: +0.05 s"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Note the delays that players made from now on are asked for."""
    seconds: list[float] = []
    monkeypatch.setattr(Player, "delay_sound", lambda _, delay_s: seconds.append(delay_s))
    return seconds


@pytest.mark.slow
def test_keys_delay_the_sound_that_is_heard(asked: list[float], hand: Hand) -> None:
    """There is no sound card here: the player is asked."""
    desk = hand.desk
    hand.key("+", CONTROL)
    assert desk.window.delays.ms["sound"] == 0  # of a film that is silent
    opened = desk.window.session.opened
    assert opened is not None
    desk.window.session.events.dispatch(events.Opened(opened.info, sound=True))
    for key in ("+", "=", "-"):
        hand.key(key, CONTROL)
    assert asked == [0.05, 0.1, 0.05]
    assert desk.window.notes.word == "Audio delay: +0.05 s"
    for _ in range(2000):
        desk.window.actions_["sound-earlier"].trigger()
    assert asked[-1] == -delays.FARTHEST_MS / 1000
    desk.window.actions_["no-delays"].trigger()
    assert asked[-1] == 0.0
    desk.window.session.events.dispatch(events.Opened(opened.info, sound=True, live=True))
    assert not desk.window.actions_["sound-later"].isEnabled()


def test_in_german(hand: Hand, application: QApplication) -> None:
    with speaking(application, "de_DE"):
        hand.key("h")
        assert hand.desk.window.notes.word == "Verzögerung der Untertitel: +0,05 s"
