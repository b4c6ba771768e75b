"""Keys of the look: set beside the sliders, and changed on the strip under the seek bar, by hand and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu

from framebrush.jobs.keyframes import STROKE, Key, Track
from framebrush.media.video import Position
from framebrush.styles.specs import SizeSpec
from framebrush.window.transport.keyframe_strip import KeyframeStrip
from framebrush.window.widgets.keyframe_button import KeyframeButton
from tests.app.window.conftest import CLIPS, NEVER_MS, Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media

CTRL, RIGHT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.RightButton


@pytest.fixture
def hand(application: QApplication, tmp_path: Path) -> Iterator[Hand]:
    desk = Desk(tmp_path, style="ink", size=(1100, 700))
    desk.wait_style("ink")
    desk.open("cfr.mp4")
    yield Hand(desk)
    desk.close()


def button_of(desk: Desk, name: str) -> KeyframeButton:
    return desk.window.inspector.panel.buttons[name]


def strip_of(desk: Desk) -> KeyframeStrip:
    return desk.window.transport.strip


def go(desk: Desk, number: int) -> None:
    desk.window.player.seek(Position(Fraction(number), "frame"))
    desk.wait(lambda: desk.window.session.shown_at.number == number, f"frame {number}")
    desk.settle()


def keys(desk: Desk, name: str = "strength") -> dict[int, tuple[float, str]]:
    """Return an export's keyframes by frame: value, and easing to the next."""
    opened = desk.window.session.opened
    assert opened is not None
    spec = desk.window.exporting.spec(opened.info.source, "out.mp4")
    found = {track.of: track.keys for track in spec.keys}.get(name, ())
    assert all(key.at.unit == "frame" and isinstance(key.value, float) for key in found)
    return {int(key.at.value): (float(key.value), key.ease) for key in found}


def fade(hand: Hand) -> None:
    """From 100 % at the first frame to 0 % at frame 8, by the button and the slider."""
    desk = hand.desk
    strength = desk.window.inspector.panel.sliders["strength"].slider
    hand.click(button_of(desk, "strength"))
    go(desk, 8)
    strength.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key(Qt.Key.Key_Home)
    assert keys(desk) == {0: (1.0, "linear"), 8: (0.0, "linear")}
    desk.settle()


def step(desk: Desk) -> None:
    """What comes next is another step of undo."""
    rest = desk.window.history.debounce
    desk.wait(lambda: not rest.isActive(), "a step of undo")


def at(strip: KeyframeStrip, number: int) -> QPoint:
    return QPoint(round(strip.x_of(number)), strip.height() // 2)


@pytest.mark.slow
def test_a_slider_with_keys_shows_and_sets_those_of_the_frame(hand: Hand) -> None:
    desk = hand.desk
    panel, strip, button = desk.window.inspector.panel, strip_of(desk), button_of(desk, "strength")
    assert not strip.places
    assert button.accessibleDescription() == "No keys"
    fade(hand)
    assert strip.places
    assert button.accessibleDescription() == "Set at this frame"
    go(desk, 4)
    assert button.accessibleDescription() == "Changes over time"
    assert panel.sliders["strength"].slider.value() == 50
    assert desk.window.session.choice.look.strength == 1.0  # what the look is without keys
    go(desk, 20)
    assert panel.sliders["strength"].slider.value() == 0
    go(desk, 8)
    hand.click(button)
    assert keys(desk) == {0: (1.0, "linear")}
    go(desk, 0)
    hand.click(button)
    assert not strip.places
    assert keys(desk) == {}
    assert panel.sliders["strength"].slider.value() == 100


@pytest.mark.slow
def test_the_picture_has_the_values_of_its_frame(hand: Hand) -> None:
    desk = hand.desk
    panel = desk.window.inspector.panel
    fade(hand)
    go(desk, 6)
    keyed = desk.wait_still()
    panel.keys.set_tracks(())
    assert np.any(desk.wait_still() != keyed)
    panel.sliders["strength"].slider.setValue(25)
    assert np.array_equal(desk.wait_still(), keyed)


def strokes(desk: Desk) -> dict[int, tuple[float | str, str]]:
    """The keys of the stroke of an export of the film."""
    opened = desk.window.session.opened
    assert opened is not None
    tracks = desk.window.exporting.spec(opened.info.source, "out.mp4").keys
    return {int(key.at.value): (key.value, key.ease) for track in tracks if track.of == STROKE for key in track.keys}


@pytest.mark.slow
def test_a_stroke_has_keys_that_hold(hand: Hand) -> None:
    desk = hand.desk
    panel, strip = desk.window.inspector.stroke, strip_of(desk)
    slider = panel.slider.slider
    hand.click(panel.button)
    assert strokes(desk) == {0: ("auto", "hold")}
    before = desk.wait_still()
    go(desk, 8)
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key(Qt.Key.Key_End)
    desk.wait(lambda: strokes(desk) == {0: ("auto", "hold"), 8: (8.0, "hold")}, "two keys")
    assert desk.window.session.choice.sizes.stroke == "auto"  # what it is without keys
    assert panel.button.accessibleDescription() == "Set at this frame"
    desk.wait(lambda: "20 × 12" in panel.figure.text(), "the size at which the network paints")
    broad = desk.wait_still()
    go(desk, 7)
    assert slider.value() == slider.minimum()
    assert "Automatic" in panel.figure.text()
    go(desk, 9)
    assert slider.value() == slider.maximum()
    assert not np.array_equal(broad, before)
    menu = strip.menu(desk.window.inspector.panel.keys.places[0].number)
    assert [action.isEnabled() for action in menu.actions() if action.isCheckable()] == [False, False, True]
    menu.deleteLater()
    desk.window.inspector.panel.keys.ease(0, "ease")
    assert strokes(desk)[0] == ("auto", "hold")


@pytest.mark.slow
def test_undo_brings_back_a_stroke_and_its_keys(hand: Hand) -> None:
    desk = hand.desk
    panel, looks = desk.window.inspector.stroke, desk.window.inspector.looks
    looks.apply(replace(looks.current(), sizes=SizeSpec(4.0)))
    step(desk)
    hand.click(panel.button)
    assert strokes(desk) == {0: (4.0, "hold")}
    step(desk)
    looks.apply(replace(looks.current(), sizes=SizeSpec(2.0)))
    assert strokes(desk) == {0: (2.0, "hold")}
    step(desk)
    hand.key("z", CTRL)
    assert strokes(desk) == {0: (4.0, "hold")}
    assert panel.slider.value == 4.0
    hand.key("z", CTRL)
    assert strokes(desk) == {}
    assert desk.window.session.choice.sizes.stroke == 4.0
    hand.key("z", CTRL)
    assert desk.window.session.choice.sizes.stroke == "auto"


@pytest.mark.slow
def test_a_key_of_a_stroke_counts_at_once(hand: Hand) -> None:
    """The player hears of it when the slider rests; undo and exports do not wait for that."""
    desk = hand.desk
    window, panel = desk.window, desk.window.inspector.stroke
    hand.click(panel.button)
    step(desk)
    panel.debounce.setInterval(NEVER_MS)
    panel.slider.slider.setValue(8)
    hand.key("z", CTRL)
    assert strokes(desk) == {0: ("auto", "hold")}
    hand.key("z", CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert strokes(desk) == {0: (2.0, "hold")}
    panel.slider.slider.setValue(12)
    (track,) = window.exporting.spec(window.session.choice.film, "out.mp4").keys
    assert [key.value for key in track.keys] == [3.0]


@pytest.mark.slow
def test_values_move_while_it_plays(hand: Hand) -> None:
    desk = hand.desk
    slider, seen = desk.window.inspector.panel.sliders["strength"].slider, set()
    fade(hand)
    go(desk, 0)
    desk.window.bridge.event_posted.connect(lambda _: seen.add(slider.value()))
    hand.key(Qt.Key.Key_Space)
    desk.wait(lambda: desk.window.session.shown_at.number >= 8, "frame 8")
    hand.key("k")
    desk.settle()
    assert len({value for value in seen if 0 < value < 100}) >= 1
    assert slider.value() == 0


@pytest.mark.slow
def test_keys_are_dragged_eased_and_removed_by_a_hand(hand: Hand) -> None:
    desk = hand.desk
    strip = strip_of(desk)
    fade(hand)
    desk.rest(0.1)
    beside = at(strip, 8) + QPoint(5, 0)
    hand.drag(strip, beside, beside + QPoint(1, 0))  # a click of a hand that is not quite still
    assert list(keys(desk)) == [0, 8]
    strip.show_film(Fraction(25_000), None)  # a film with many frames a pixel
    hand.drag(strip, at(strip, 8), at(strip, 8) + QPoint(1, 0))
    assert list(keys(desk)) == [0, 8]
    strip.show_film(Fraction(25), 30)
    hand.drag(strip, at(strip, 8), QPoint(strip.width() + 50, 5))
    assert list(keys(desk)) == [0, 29]  # the last frame
    hand.drag(strip, at(strip, 29), at(strip, 14))
    assert keys(desk) == {0: (1.0, "linear"), 14: (0.0, "linear")}
    desk.wait(lambda: desk.window.session.shown_at.number == 14, "the frame of the key")
    hand.click(strip, at(strip, 0), RIGHT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["Evenly to the next key"]
    hand.choose(next(action for action in menu.actions() if action.text() == "Slowly at both ends"))
    assert keys(desk)[0] == (1.0, "ease")
    step(desk)
    hand.click(strip, at(strip, 14), RIGHT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    hand.choose(next(action for action in menu.actions() if action.text() == "Remove"))
    assert keys(desk) == {0: (1.0, "ease")}
    step(desk)
    hand.key("z", CTRL)
    assert keys(desk) == {0: (1.0, "ease"), 14: (0.0, "linear")}


@pytest.mark.slow
def test_the_keyboard_alone(hand: Hand) -> None:
    desk = hand.desk
    strip = strip_of(desk)
    fade(hand)
    go(desk, 1)
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    assert strip.accessibleDescription() == "0:00:00.000\nStrength 1"
    hand.key(Qt.Key.Key_Right)
    desk.wait(lambda: desk.window.session.shown_at.number == 8, "the next key")
    assert strip.accessibleDescription().endswith("Strength 0")
    hand.key(Qt.Key.Key_Right, CTRL)
    assert keys(desk) == {0: (1.0, "linear"), 9: (0.0, "linear")}
    hand.key(Qt.Key.Key_Left)
    hand.key(Qt.Key.Key_Return)
    desk.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Return):  # from the end: Remove, Copy, Hold
        hand.key(key)
    assert keys(desk) == {0: (1.0, "hold"), 9: (0.0, "linear")}
    hand.key(Qt.Key.Key_Delete)
    assert keys(desk) == {9: (0.0, "linear")}
    hand.key(Qt.Key.Key_Delete)
    assert keys(desk) == {}
    assert not strip.places


@pytest.mark.slow
def test_keys_are_copied_to_other_frames_and_films(hand: Hand) -> None:
    desk = hand.desk
    strip = strip_of(desk)
    fade(hand)
    hand.click(strip, at(strip, 0), RIGHT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    paste = next(action for action in menu.actions() if action.text().startswith("Paste"))
    assert not paste.isEnabled()  # nothing was copied yet
    hand.choose(next(action for action in menu.actions() if action.text() == "Slowly at both ends"))
    step(desk)
    hand.key("v", CTRL)
    hand.key("c", CTRL)
    go(desk, 20)
    assert desk.window.focusWidget() is strip
    hand.key("v", CTRL)
    pasted = {0: (1.0, "ease"), 8: (0.0, "linear"), 20: (1.0, "ease")}
    assert keys(desk) == pasted
    step(desk)
    go(desk, 8)
    hand.key("v", CTRL)
    assert keys(desk) == pasted | {8: (1.0, "ease")}  # in place of the one that was there
    step(desk)
    for expected in (pasted, {at: key for at, key in pasted.items() if at != 20}):
        hand.key("z", CTRL)
        assert keys(desk) == expected
        step(desk)
    hand.key("y", CTRL)
    assert keys(desk) == pasted
    desk.open("vfr.mp4")
    go(desk, 3)
    hand.click(button_of(desk, "detail"))
    (kept,) = keys(desk, "detail").items()
    hand.click(strip, at(strip, 3), RIGHT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    hand.choose(next(action for action in menu.actions() if action.text().startswith("Paste")))
    assert keys(desk) == {3: (1.0, "ease")}
    assert dict([kept]) == keys(desk, "detail")  # what was not copied stays


@pytest.mark.slow
def test_each_film_has_its_own_keys(hand: Hand) -> None:
    desk = hand.desk
    fade(hand)
    whole = keys(desk)
    desk.open("vfr.mp4")
    assert keys(desk) == {}
    assert not strip_of(desk).places
    history = desk.window.history
    (made,) = history.steps
    for key, steps in (("z", 0), ("y", 1)):  # of the film before
        hand.key(key, CTRL)
        step(desk)
        assert keys(desk) == {}
        assert (history.steps, history.done) == ([made], steps)
    hand.click(button_of(desk, "strength"))
    step(desk)
    assert keys(desk) == {0: (1.0, "linear")}
    hand.key("z", CTRL)
    assert keys(desk) == {}
    desk.open("cfr.mp4")
    assert keys(desk) == whole
    other = desk.window.exporting.spec(str(CLIPS / "vfr.mp4"), "out.mp4")
    assert other.keys == ()


@pytest.mark.slow
def test_what_cannot_seek_has_no_keys(hand: Hand) -> None:
    desk = hand.desk
    fade(hand)
    desk.window.opening.open("lavfi:testsrc2=size=160x96:rate=25:duration=1", play=False)
    desk.wait(lambda: "testsrc2" in desk.window.windowTitle(), "the drawn film")
    assert not any(button.isEnabled() for button in desk.window.inspector.panel.buttons.values())
    assert not strip_of(desk).places
    assert strip_of(desk).focusPolicy() is Qt.FocusPolicy.NoFocus
    desk.settle()
    desk.window.actions_["marker"].trigger()
    assert desk.window.session.choice.markers == ()


def test_a_style_says_what_a_key_of_its_own_share_is(hand: Hand) -> None:
    """A double click on the value leaves it to the style; where it has keys, the key gets the style's value."""
    desk = hand.desk
    panel = desk.window.inspector.panel
    relief = panel.brushwork.shares["relief"]
    relief.slider.setValue(70)
    panel.keys.set("relief", 0.7)
    relief.reset()
    assert desk.window.session.choice.keys == (Track("relief", (Key(Position(Fraction(0), "frame"), 0.0),)),)


@pytest.mark.slow
def test_a_saved_look_is_that_of_the_frame_and_sets_its_keys(hand: Hand) -> None:
    desk = hand.desk
    looks = desk.window.inspector.looks
    fade(hand)
    go(desk, 4)
    half = looks.current()
    assert half.look.strength == 0.5
    go(desk, 8)
    step(desk)
    looks.apply(half)
    assert keys(desk) == {0: (1.0, "linear"), 8: (0.5, "linear")}
    step(desk)
    hand.key("z", CTRL)
    assert keys(desk) == {0: (1.0, "linear"), 8: (0.0, "linear")}
    assert desk.window.session.choice.look.strength == 1.0


@pytest.mark.slow
def test_the_keyboard_acts_on_a_key_that_was_clicked(hand: Hand) -> None:
    desk = hand.desk
    strip = strip_of(desk)
    fade(hand)
    go(desk, 0)
    hand.click(strip, at(strip, 8))
    hand.key(Qt.Key.Key_Delete)
    assert keys(desk) == {0: (1.0, "linear")}
    hand.click(desk.window.view, QPoint(9, 9))
    hand.click(strip, at(strip, 20))  # beside the keys
    assert not strip.hasFocus()
