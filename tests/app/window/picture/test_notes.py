"""Short messages in the corner: they stack, fade, stay under the pointer, and are said by screen readers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from framebrush.playback.events import Notification
from framebrush.window.picture.notes import MOST_NOTES, Card, Note
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media


def cards(desk: Desk) -> list[Card]:
    """Return the cards in view from above."""
    found = [card for card in desk.window.notes.findChildren(Card) if card.isVisible()]
    return sorted(found, key=lambda card: card.y())


def say(desk: Desk, text: str, path: str = "") -> None:
    desk.window.session.notified.emit(Notification(text, path=path))


def hasten(desk: Desk, ms: int = 50) -> None:
    """Let all cards begin to fade soon."""
    for card in cards(desk):
        if card.timer.isActive():
            card.timer.start(ms)


def test_messages_stack_in_the_lower_left_corner(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.window.export_panel.setFocus()
    say(desk, "One.")
    say(desk, "A longer message, which does not fit into one line of the corner and is wrapped. " * 2)
    Hand(desk).key(Qt.Key.Key_Up)
    desk.rest(0.1)
    shown, view = cards(desk), desk.window.view
    assert [card.text[:4] for card in shown] == ["One.", "A lo", "Volu"]
    assert all(above.geometry().bottom() < below.y() for above, below in pairwise(shown))
    assert view.rect().contains(desk.window.notes.geometry())
    assert desk.window.notes.geometry().left() < 20
    assert view.height() - desk.window.notes.geometry().bottom() < 20
    assert shown[1].height() > shown[0].height()
    desk.window.session.notified.emit(Notification("A problem. " * 5, severity="problem"))
    desk.window.resize(700, 460)
    desk.rest(0.1)
    assert view.rect().contains(desk.window.notes.geometry())
    assert desk.window.notes.text.startswith("A longer")


def test_what_is_being_loaded_follows_the_player(desk: Desk) -> None:
    notes = desk.window.notes
    desk.settle()  # the player is idle
    notes.show_busy("One loads")
    notes.show_busy("Another loads")
    desk.wait(lambda: notes.busy != "", "it")
    assert notes.busy == "Another loads"
    notes.show_busy("A third loads")
    assert notes.busy == "A third loads"
    notes.show_busy("")
    desk.wait(lambda: notes.busy == "" and not notes.isVisible(), "the end")
    say(desk, "A message.")
    button = notes.findChildren(Note)[-1].dismiss
    before = button.icon().cacheKey()
    desk.window.preferences.use("theme", "light")
    assert button.icon().cacheKey() != before


def test_later_messages_have_room_for_their_buttons(desk: Desk) -> None:
    for number in range(3):
        say(desk, f"Number {number} is finished.", str(CLIPS))
        desk.rest(0.1)
        note = next(note for note in desk.window.notes.findChildren(Note) if note.isVisible())
        parts = note.findChildren(QLabel)[0], note.open, note.dismiss
        assert all(before.geometry().right() < after.geometry().left() for before, after in pairwise(parts))
        assert note.rect().contains(note.dismiss.geometry())
        note.leave()
        note.leave()
        assert desk.window.notes.text == ""


def test_messages_fade_and_leave_room(desk: Desk) -> None:
    say(desk, "One.")
    say(desk, "Two.")
    hasten(desk)
    faded = cards(desk)[0]
    desk.wait(lambda: 0.0 < faded.effect.opacity() < 1.0, "the fading")
    desk.wait(lambda: desk.window.notes.isHidden(), "the end")
    assert desk.window.notes.text == ""
    say(desk, "Three.")
    assert desk.window.notes.text == "Three."
    assert cards(desk)[0].effect.isEnabled() is False


@pytest.mark.slow
def test_a_message_stays_under_the_pointer_and_a_word_does_not(desk: Desk) -> None:
    hand = Hand(desk)
    say(desk, "Stay.")
    desk.window.notes.say("100 %")
    desk.rest(0.1)
    note, word = cards(desk)
    hand.move(note, note.rect().center())
    hasten(desk)
    desk.rest(0.8)
    assert (desk.window.notes.text, desk.window.notes.word) == ("Stay.", "")
    note.timer.start(50)
    hand.leave()
    desk.wait(lambda: desk.window.notes.text == "", "the end")
    assert word is not note


def test_a_message_that_fades_comes_back_under_the_pointer(desk: Desk) -> None:
    say(desk, "Wait.")
    desk.rest(0.1)
    (note,) = cards(desk)
    note.fading.setDuration(10_000)
    hasten(desk)
    desk.wait(lambda: note.effect.opacity() < 1.0, "the fading")
    Hand(desk).move(note, note.rect().center())
    desk.wait(lambda: not note.effect.isEnabled(), "the return")
    assert desk.window.notes.text == "Wait."


def test_a_message_is_dismissed_and_opens_its_file(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    desk.window.messages.open_asked.connect(opened.append)
    say(desk, "Saved.", __file__)
    desk.rest(0.1)
    (note,) = cards(desk)
    assert isinstance(note, Note)
    desk.window.messages.open_asked.disconnect(desk.window.exports.open_file)
    Hand(desk).click(note.open)
    assert [str(path) for path in opened] == [__file__]
    Hand(desk).click(note.dismiss)
    assert desk.window.notes.isHidden()


def test_one_message_twice_is_one_and_the_oldest_go(desk: Desk) -> None:
    for number in range(MOST_NOTES + 2):
        say(desk, f"Message {number}.")
    say(desk, "Message 4.")
    assert desk.window.notes.text.split("\n") == [f"Message {number}." for number in (2, 3, 5, 4)]


@pytest.mark.slow
def test_problems_stay_where_they_are(desk: Desk) -> None:
    desk.window.session.notified.emit(Notification("It broke.", severity="problem"))
    say(desk, "News.")
    desk.rest(0.1)
    assert desk.window.messages.text == "It broke."
    assert not desk.window.notes.geometry().intersects(desk.window.messages.geometry())
    hasten(desk)
    desk.wait(lambda: desk.window.notes.isHidden(), "the end of the note")
    assert desk.window.messages.text == "It broke."


def test_the_wheel_over_a_message_zooms_the_picture(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.window.notes.say("100 %")
    desk.rest(0.1)
    desk.window.notes.float_over(True)
    desk.rest(0.1)
    handle = desk.window.notes.windowHandle()
    assert handle is not None
    QTest.wheelEvent(handle, QPointF(5, 5), QPoint(0, 120))
    desk.wait(lambda: desk.window.notes.word not in ("", "100 %"), "the zoom")
    desk.window.notes.float_over(False)
