"""What lanes with marks say and do, without a film."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QColor, QContextMenuEvent, QHelpEvent, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget

from framebrush.jobs.project import Marker
from framebrush.window.painted.painted_frames import KeyPicture
from framebrush.window.transport.lane import ToldLane
from framebrush.window.transport.marker_strip import MarkerStrip
from framebrush.window.transport.painted_strip import LearnButton, PaintedStrip
from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.widgets.keyframe_button import KeyframeButton

pytestmark = pytest.mark.unit

WIDTH, RATE = 416, Fraction(25)


@pytest.fixture
def bar(application: QApplication) -> SeekBar:
    bar = SeekBar()
    bar.setRange(0, 4000)
    bar.resize(WIDTH, 20)
    return bar


@pytest.fixture
def markers(bar: SeekBar) -> Iterator[MarkerStrip]:
    strip = MarkerStrip(bar, QAction("Marker", bar))
    strip.resize(WIDTH, strip.sizeHint().height())
    strip.show_film(RATE, 100)
    yield strip
    strip.deleteLater()


@pytest.fixture
def painted(bar: SeekBar) -> Iterator[PaintedStrip]:
    """A lane with frames that are painted, extracted, unlike their film, and unreadable."""
    strip = PaintedStrip(bar, QAction("Paint", bar), QAction("Another", bar))
    strip.resize(WIDTH, strip.sizeHint().height())
    strip.show_film(RATE, 100)
    small = QImage(QSize(96, 64), QImage.Format.Format_RGB32)
    small.fill(QColor("gray"))
    pictures = {10: (True, small, ""), 30: (False, small, ""), 50: (True, small, ""), 70: (True, QImage(), "no PNG")}
    keys = {
        number: KeyPicture(number, Path(f"{number}.png"), is_painted, "", picture, problem)
        for number, (is_painted, picture, problem) in pictures.items()
    }
    strip.show_keys(keys, frozenset({50}))
    yield strip
    strip.deleteLater()


def says(widget: QWidget, x: float, words: str) -> bool:
    """Rest the pointer on a lane; return whether the tooltip has these words."""
    at, end = QPoint(round(x), 5), time.monotonic() + 5
    assert QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    while (QToolTip.text() if QToolTip.isVisible() else "") != words:
        if time.monotonic() > end:
            return False
        QTest.qWait(5)  # Qt hides former words late
    return True


def test_marks_say_what_they_are_and_an_empty_lane_what_to_do(markers: MarkerStrip) -> None:
    assert says(markers, 200, markers.accessibleDescription())
    markers.show_markers([Marker(20, "The door"), Marker(24, "A knock")])
    assert says(markers, markers.x_of(20) - 3, "0:00:00.800\nThe door")
    assert says(markers, markers.x_of(24), "0:00:00.960\nA knock")
    assert says(markers, markers.x_of(60), "")
    markers.show_markers([])
    markers.show_film(None, None)
    assert says(markers, 200, "")


def test_a_lane_says_what_it_has_at_the_pointer(bar: SeekBar) -> None:
    class Times(ToldLane):
        def words_at(self, ms: int) -> str:
            return f"{ms} ms" if ms < 3000 else ""

    lane = Times(bar, 20)
    lane.resize(WIDTH, 20)
    assert says(lane, bar.x_of(2000), f"{bar.value_at(round(bar.x_of(2000)))} ms")
    assert says(lane, bar.x_of(3500), "")


def test_the_menu_key_opens_the_menu_of_the_chosen_mark(markers: MarkerStrip) -> None:
    def menu_by_key() -> QMenu | None:
        at = QPoint(1, 1)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, markers.mapToGlobal(at))
        QApplication.sendEvent(markers, event)
        menu = QApplication.activePopupWidget()
        assert menu is None or isinstance(menu, QMenu)
        return menu

    markers.show_markers([Marker(20, "The door"), Marker(60, "A knock")])
    assert menu_by_key() is None
    QTest.keyClick(markers, Qt.Key.Key_Right)
    QTest.keyClick(markers, Qt.Key.Key_Right)
    removed: list[int] = []
    markers.removed.connect(removed.append)
    menu = menu_by_key()
    assert menu is not None
    menu.actions()[-1].trigger()
    menu.close()
    assert removed == [60]


def test_the_chosen_mark_alone_has_an_outline_while_keys_go_to_its_lane(markers: MarkerStrip) -> None:
    text = markers.palette().windowText().color()

    def outlined() -> list[int]:
        drawn = markers.grab().toImage()
        return [
            number
            for number in (20, 60)
            if any(drawn.pixelColor(round(markers.x_of(number)) + 1, y) == text for y in (1, 2, 3))
        ]

    markers.show_markers([Marker(20, ""), Marker(60, "")])
    markers.show()
    markers.activateWindow()
    markers.setFocus()
    assert QTest.qWaitForWindowActive(markers)
    assert outlined() == [20]
    QTest.keyClick(markers, Qt.Key.Key_Right)
    assert outlined() == [60]
    markers.clearFocus()
    assert outlined() == []
    markers.hide()


def test_a_painted_frame_says_its_state_and_a_wrong_one_has_a_mark(painted: PaintedStrip) -> None:
    assert {number: painted.words_of(number) for number in painted.keys} == {
        10: "Painted frame",
        30: "Waits to be painted and saved",
        50: "Does not look like a painting of this frame",
        70: "Cannot be read as a picture",
    }
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.WindowText, QColor("red"))
    painted.setPalette(palette)
    image = painted.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    red = (pixels[..., 2] > 200) & (pixels[..., 1] < 60)
    marked = {
        number: red[:, int(painted.x_of(number)) - 30 : int(painted.x_of(number)) + 30].any() for number in painted.keys
    }
    assert marked == {10: False, 30: False, 50: True, 70: True}


ENTRIES = {
    10: ["Paint on…", "Begin again with the film's frame…"],
    30: ["Paint this frame…"],
    50: ["Paint on…", "Begin again with the film's frame…", "Take it anyway"],
}
ALWAYS = ["Show in folder", "Paint the film with it", "", "Take away"]


def test_each_entry_of_a_painted_frame_s_menu_asks_for_what_it_says(painted: PaintedStrip) -> None:
    asked: list[tuple[object, ...]] = []

    for name in ("paint_asked", "anew_asked", "insisted", "removed"):
        getattr(painted, name).connect(lambda number, name=name: asked.append((name, number)))
    for name in ("folder_asked", "style_asked"):
        getattr(painted, name).connect(lambda name=name: asked.append((name,)))
    for number, first in ENTRIES.items():
        menu = painted.menu(number)
        assert [action.text() for action in menu.actions()] == first + ALWAYS
        for action in menu.actions():
            action.trigger()
        menu.close()
        names = ["paint_asked", "anew_asked", "insisted"][: len(first)]
        assert asked == [*((name, number) for name in names), ("folder_asked",), ("style_asked",), ("removed", number)]
        asked.clear()


def test_the_button_says_how_far_learning_is(application: QApplication) -> None:
    button = LearnButton()
    states: list[tuple[dict[str, float | None], str, str]] = [
        ({}, "…", "Learning begins"),
        ({"searched": 0.25}, "…", "Looking for the shots of the film: 25%"),
        ({"share": 0.5}, "50%  ◼", "Learning from the painted frames: 50%"),
    ]
    for state, text, words in states:
        button.show_learning(on=True, **state)
        said = button.text(), button.accessibleName(), button.accessibleDescription()
        assert said == (text, "Stop learning", words)
        assert button.toolTip() == f"{words}\nClick to stop; what was learnt stays"
        button.show_learning(on=False)
        said = button.text(), button.accessibleName(), button.accessibleDescription(), button.toolTip()
        assert said == ("Learn on", "Learn on", "", "Learn on from the painted frames")


def test_the_button_of_keys_says_whether_there_are_any(application: QApplication) -> None:
    button, asked = KeyframeButton("Strength"), "Set a key of Strength at this frame: it changes over time"
    assert button.accessibleName() == "Key for Strength"
    for has, here, state, hint in (
        (False, False, "No keys", asked),
        (True, False, "Changes over time", asked),
        (True, True, "Set at this frame", "Remove the key of Strength at this frame"),
    ):
        button.show_keys(has=has, here=here)
        assert (button.accessibleDescription(), button.toolTip()) == (state, hint)
