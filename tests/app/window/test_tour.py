"""The tour of the window: bubbles beside its parts, by mouse, keys and screen reader."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget

from tests.app.window.conftest import CLIPS, Desk, speaking
from tests.app.window.hand import Hand
from tests.app.window.test_application import surroundings

pytestmark = [pytest.mark.media, pytest.mark.slow]

TITLES = ["Open a film", "Choose a painting", "Set the brush", "Move through the film", "Export it"]
ON, BACK, END = Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Escape


@pytest.fixture
def toured(desk: Desk) -> Desk:
    desk.window.resize(1000, 700)
    desk.window.actions_["tour"].trigger()
    return desk


def in_window(widget: QWidget) -> QRect:
    return QRect(widget.mapTo(widget.window(), widget.rect().topLeft()), widget.size())


def test_five_bubbles_lie_beside_their_parts(toured: Desk) -> None:
    """And cover none of them, nor each other's buttons."""
    window, hand = toured.window, Hand(toured)
    parts = [window.view.invitation.button, window.inspector.gallery.tiles, window.inspector.stroke, window.transport]
    parts.append(hand.button("export"))
    for number, (title, part) in enumerate(zip(TITLES, parts, strict=True), 1):
        assert window.overlays.tour.title == title
        toured.rest(0.1)
        inside = window.overlays.tour.geometry()
        assert window.view.rect().contains(inside)
        assert not in_window(window.overlays.tour).adjusted(10, 10, -10, -10).intersects(in_window(part))
        assert window.overlays.tour.back.isEnabled() == (number > 1)
        assert window.overlays.tour.next.text() == ("Done" if number == 5 else "Next")
        hand.click(window.overlays.tour.next)
    assert window.overlays.tour.title == ""


def test_by_keys(toured: Desk) -> None:
    """Also where a film is open, in which the arrows seek."""
    window, hand = toured.window, Hand(toured)
    toured.open("cfr.mp4")
    window.actions_["tour"].trigger()
    seen = []
    for key in (ON, Qt.Key.Key_Return, BACK, Qt.Key.Key_Down, Qt.Key.Key_Space, BACK, Qt.Key.Key_Up):
        hand.key(key)
        seen.append(TITLES.index(window.overlays.tour.title))
    assert seen == [1, 2, 1, 2, 3, 2, 1]
    toured.settle()
    assert window.session.shown_at.number == 0
    hand.key(END)
    assert window.overlays.tour.title == ""
    hand.key(ON)
    toured.wait(lambda: window.session.shown_at.number > 0, "the film's own arrow")


def test_the_focus_comes_back(desk: Desk) -> None:
    button = desk.window.view.invitation.button
    button.setFocus()
    desk.window.actions_["tour"].trigger()
    assert desk.window.overlays.tour.next.hasFocus()
    Hand(desk).click(desk.window.overlays.tour.skip)
    assert button.hasFocus()


def test_it_is_heard(toured: Desk) -> None:
    tour = toured.window.overlays.tour
    for title in TITLES:
        heard = QAccessible.queryAccessibleInterface(tour.next).text(QAccessible.Text.Description)
        assert heard.startswith(f"{title}. ")
        assert len(heard) > len(title) + 40
        tour.go_on()


def test_a_film_may_come_meanwhile(toured: Desk) -> None:
    """The keys are the film's then, all but Esc, and the bubble waits for a click."""
    hand, tour = Hand(toured), toured.window.overlays.tour
    toured.open("cfr.mp4")
    hand.key(ON)
    toured.wait(lambda: toured.window.session.shown_at.number > 0, "the film")
    assert tour.title == TITLES[0]
    hand.click(tour.next)
    hand.key(ON)
    assert tour.title == TITLES[2]
    toured.window.view.setFocus()
    hand.key(END)
    assert tour.title == ""


def test_it_shows_the_panel_that_it_explains(desk: Desk) -> None:
    window = desk.window
    window.actions_["panel"].setChecked(False)
    window.side.setCurrentWidget(window.export_panel)
    window.actions_["tour"].trigger()
    assert (window.inspector.gallery.isVisible(), desk.settings.toured) == (True, True)


def test_in_german(application: QApplication, tmp_path: Path) -> None:
    with speaking(application, "de_DE"):
        desk = Desk(tmp_path, size=(1000, 700))
        desk.window.actions_["tour"].trigger()
        titles = []
        while desk.window.overlays.tour.title:
            titles.append(desk.window.overlays.tour.title)
            desk.rest(0.1)
            assert desk.window.view.rect().contains(desk.window.overlays.tour.geometry())
            desk.window.overlays.tour.go_on()
        assert titles[0] == "Film öffnen"
        assert len(titles) == 5
        desk.close()


STARTED = """
import sys
from PySide6.QtCore import QTimer
from framebrush.window import application, work

class Window(application.MainWindow):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        QTimer.singleShot(0, self.tell)

    def tell(self):
        print(self.overlays.tour.title or "no tour", flush=True)
        self.close()

application.MainWindow = Window
sys.argv = ["framebrush-gui", *{arguments}]
work()
"""


def test_it_comes_once_and_never_before_a_film_of_the_command_line(tmp_path: Path) -> None:
    film = [str(CLIPS / "cfr.mp4")]
    ended = []
    for given in (film, [], []):
        command = [sys.executable, "-c", STARTED.format(arguments=given)]
        ended.append(
            subprocess.run(command, env=surroundings(tmp_path), stdout=subprocess.PIPE, text=True, timeout=250)
        )
    told = [each.stdout.strip() for each in ended]
    assert told == ["no tour", TITLES[0], "no tour"]
