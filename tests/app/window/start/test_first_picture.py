"""The view before the first painted frame, and the start of playback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from framebrush.playback import events
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.display.screen import Screen
from tests.app.window.conftest import CLIPS, Desk

pytestmark = pytest.mark.media


@contextmanager
def waiting(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> Iterator[threading.Event]:
    """Calls of a method wait until the event is set, as on a slow computer."""
    go, real = threading.Event(), getattr(owner, name)

    def call(self: object, *given: object, **named: object) -> object:
        go.wait()
        return real(self, *given, **named)

    monkeypatch.setattr(owner, name, call)
    try:
        yield go
    finally:
        go.set()


def seen(desk: Desk) -> Callable[[], bool]:
    """Whether the first frame is seen, though none is painted."""
    painted = desk.window.view.painted
    return lambda: painted.place is not None and desk.number == 0 and painted.image is None


def test_a_film_is_seen_while_device_and_style_are_opened(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The film shows at once, with a word on the missing part; only the painted film plays."""
    with waiting(monkeypatch, Screen, "use_device") as go_device, waiting(monkeypatch, Screen, "use_style") as go_style:
        desk = Desk(tmp_path, style="ink", source=str(CLIPS / "cfr.mp4"))
        window, told = desk.window, list[events.Event]()
        window.bridge.event_posted.connect(told.append)
        desk.wait(seen(desk), "the first frame, with neither device nor style")
        go_device.set()
        desk.wait(lambda: window.session.opened is not None, "the film")
        desk.wait(lambda: any(isinstance(each, events.DeviceInUse) for each in told), "the device")
        assert seen(desk)()
        desk.wait(lambda: len(window.inspector.gallery.names) > 5, "the gallery")
        assert window.inspector.gallery.names[window.inspector.gallery.tiles.currentRow()] == "ink"  # marked as chosen
        assert not any(isinstance(each, events.Shown) for each in told)
        go_style.set()
        desk.wait(lambda: events.Playing(True) in told, "playing")
    kinds = [type(each) for each in told]
    assert kinds.index(events.DeviceInUse) < kinds.index(events.StyleInUse) < kinds.index(events.Shown)
    shown = told[kinds.index(events.Shown)]
    assert isinstance(shown, events.Shown)
    assert shown.at.number == 0
    assert kinds.index(events.Shown) < told.index(events.Playing(True))
    assert window.view.painted.unpainted is None
    desk.close()


@pytest.mark.slow
def test_a_word_says_what_is_loading_and_goes(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path)
    desk.open("cfr.mp4")
    notes, view = desk.window.notes, desk.window.view
    assert notes.busy == ""
    with waiting(monkeypatch, Screen, "_open_style"):
        desk.window.session.use_style("ink")
        desk.wait(lambda: notes.busy == "Loading the style…", "the word")
        assert view.rect().contains(notes.geometry())
        assert notes.height() < view.height() / 5
        assert desk.number == 0
    desk.wait(lambda: not notes.isVisible(), "its end")
    desk.close()


@pytest.mark.slow
@pytest.mark.parametrize("clip", ["rotated.mp4", "cfr.mp4"])
def test_the_next_film_is_seen_before_it_is_painted(desk: Desk, monkeypatch: pytest.MonkeyPatch, clip: str) -> None:
    desk.open("vfr.mkv")
    desk.key(".")
    desk.wait_number(1)
    with waiting(monkeypatch, Presenter, "prepare"):
        desk.window.opening.open(CLIPS / clip, play=False)
        desk.wait(lambda: desk.window.session.opened is not None and desk.window.session.opened.info.name == clip)
        desk.wait(seen(desk), "the first frame")
    desk.wait(lambda: desk.window.view.painted.image is not None, "the painted one")
    desk.wait_number(0)
    assert not desk.window.actions_["play"].isChecked()


def test_a_film_that_cannot_be_opened_leaves_an_invitation(application: QApplication, tmp_path: Path) -> None:
    desk = Desk(tmp_path, style="ink", source=str(tmp_path / "gone.mp4"))
    desk.wait_style("ink")
    desk.wait(lambda: "gone.mp4" in desk.window.messages.text, "the reason")
    assert desk.window.view.page is desk.window.view.invitation
    desk.close()


@pytest.mark.parametrize("key", ["space", "."])
def test_who_stops_it_before_it_plays_has_it_stopped(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """A step pauses; so does the key that plays and pauses, pressed twice."""
    with waiting(monkeypatch, Screen, "use_style"):
        desk = Desk(tmp_path, style="ink", source=str(CLIPS / "cfr.mp4"))
        desk.wait(seen(desk), "the first frame")
        if key == ".":
            desk.window.player.step(1)
        else:
            desk.window.player.play(False)
    desk.wait_style("ink")
    desk.settle()
    assert not desk.window.actions_["play"].isChecked()
    desk.close()
