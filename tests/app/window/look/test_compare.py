"""Looks beside each other: what each pane shows, how one is taken, and how the comparison ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookFolder, write_look
from framebrush.styles.specs import SizeSpec, StyleSpec
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand, pixels_of

pytestmark = pytest.mark.media

CTRL = Qt.KeyboardModifier.ControlModifier
LOOKS = {
    "a wave": Recipe(StyleSpec("great-wave")),
    "b scream": Recipe(StyleSpec("scream"), sizes=SizeSpec(2.0)),
    "c dark": Recipe(StyleSpec("none"), Look(exposure_ev=-2.0)),
    "d ink": Recipe(StyleSpec("ink")),
}

Pixels = npt.NDArray[np.uint8]


def pixels(image: QImage) -> Pixels:
    """(H, W, 3) uint8."""
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()


def small(picture: Pixels) -> Pixels:
    """At 64x36, for pictures of all sizes."""
    height, width = picture.shape[:2]
    picture = np.ascontiguousarray(picture)
    image = QImage(picture.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return pixels(image.scaled(64, 36, mode=Qt.TransformationMode.SmoothTransformation))


def apart(first: Pixels, second: Pixels) -> float:
    return float(np.abs(small(first).astype(int) - small(second)).mean())


@pytest.fixture
def film(desk: Desk, tmp_path: Path) -> Callable[..., Hand]:
    """Return a function that opens a film with a number of saved looks."""

    def open_film(saved: int) -> Hand:
        desk.window.inspector.looks.folder = LookFolder(tmp_path / "looks")
        for name in list(LOOKS)[:saved]:
            write_look(LOOKS[name], tmp_path / "looks" / f"{name}.json")
        desk.window.resize(900, 690)  # high enough for a picture painted at nearly the size of a pane
        desk.open("landscape.mp4")
        return Hand(desk)

    return open_film


def compare(hand: Hand, panes: int) -> list[Pixels]:
    """Begin, by the key, and wait for the pictures."""
    hand.key("d", CTRL)
    page = hand.desk.window.overlays.comparison.page
    hand.desk.wait(page.isVisible, "the page")
    assert page.count == panes
    return pictures(hand)


def pictures(hand: Hand) -> list[Pixels]:
    comparison = hand.desk.window.overlays.comparison
    panes = comparison.page.panes[: comparison.page.count]
    hand.desk.wait(lambda: all(not pane.image.isNull() for pane in panes), "the pictures")
    assert all(pane.isVisible() for pane in panes)
    return [pixels(pane.image) for pane in panes]


@pytest.mark.slow
def test_each_pane_shows_what_its_look_makes_of_the_frame(film: Callable[..., Hand]) -> None:
    hand = film(3)
    desk, page = hand.desk, hand.desk.window.overlays.comparison.page
    shown = compare(hand, 4)
    assert [box.currentText() for box in page.names] == ["a wave", "b scream", "c dark"]
    assert all(apart(a, b) > 5 for index, a in enumerate(shown) for b in shown[index + 1 :])
    hand.key(Qt.Key.Key_Escape)
    seen = {"In use": desk.wait_still()}
    for name in ("a wave", "b scream", "c dark"):
        desk.window.inspector.looks.open(desk.window.inspector.looks.saved[name])
        desk.wait_style(LOOKS[name].style.name)
        seen[name] = desk.wait_still()
    for pane, name in zip(shown, seen, strict=True):
        distances = {other: apart(pane, picture[..., 2::-1]) for other, picture in seen.items()}
        assert min(distances, key=distances.__getitem__) == name, distances
        assert distances[name] < 12, distances


@pytest.mark.slow
@pytest.mark.parametrize("saved", [1, 2, 3])
def test_the_panes_share_the_room(film: Callable[..., Hand], saved: int) -> None:
    hand = film(saved)
    compare(hand, saved + 1)
    page = hand.desk.window.overlays.comparison.page
    panes = page.panes[: saved + 1]
    assert page.size() == hand.desk.window.view.size()
    for lengths in ([pane.width() for pane in panes], [pane.height() for pane in panes]):
        assert max(lengths) - min(lengths) <= 2
    assert sum(pane.width() * pane.height() for pane in panes) > 0.4 * page.width() * page.height()
    hand.desk.window.resize(700, 900)  # upright: one above the other, or two by two
    hand.desk.rest(0.2)
    places = [pane.mapTo(page, pane.rect().topLeft()) for pane in panes]
    assert len({(place.x(), place.y()) for place in places}) == saved + 1
    assert saved > 1 or places[0].x() == places[1].x()


@pytest.mark.slow
def test_a_click_takes_a_look_and_undo_gives_it_back(film: Callable[..., Hand]) -> None:
    hand = film(2)
    desk, window = hand.desk, hand.desk.window
    compare(hand, 3)
    hand.click(window.overlays.comparison.page.panes[2])
    desk.wait_style("scream")
    assert not window.overlays.comparison.page.isVisible()
    assert not window.actions_["compare-looks"].isChecked()
    assert window.inspector.looks.current() == LOOKS["b scream"]
    desk.rest(0.6)
    hand.key("z", CTRL)
    desk.wait_style("none")
    compare(hand, 3)
    hand.click(window.overlays.comparison.page.panes[0])  # the one in use
    desk.rest(0.2)
    assert not window.overlays.comparison.page.isVisible()
    assert window.session.choice.style.name == "none"


@pytest.mark.slow
def test_keys_take_a_look_and_escape_leaves(film: Callable[..., Hand]) -> None:
    hand = film(1)
    desk, window = hand.desk, hand.desk.window
    before = desk.wait_still()
    compare(hand, 2)
    assert not window.view.painted.isVisible()
    hand.key(Qt.Key.Key_Escape)
    desk.wait(window.view.painted.isVisible, "the film")
    assert np.array_equal(desk.wait_still(), before)
    compare(hand, 2)
    assert QApplication.focusWidget() is window.overlays.comparison.page.panes[0]
    hand.key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is window.overlays.comparison.page.panes[1]
    hand.key(Qt.Key.Key_Return)
    desk.wait_style("great-wave")
    assert not window.overlays.comparison.page.isVisible()


@pytest.mark.slow
def test_escape_leaves_the_comparison_first_and_the_full_screen_then(film: Callable[..., Hand]) -> None:
    hand = film(1)
    window = hand.desk.window
    hand.key("f")
    compare(hand, 2)
    hand.key(Qt.Key.Key_Escape)
    assert not window.overlays.comparison.is_on
    assert window.actions_["full-screen"].isChecked()
    hand.key(Qt.Key.Key_Escape)
    assert not window.actions_["full-screen"].isChecked()


@pytest.mark.slow
def test_another_saved_look_in_a_pane(film: Callable[..., Hand]) -> None:
    hand = film(4)
    desk, page = hand.desk, hand.desk.window.overlays.comparison.page
    before = compare(hand, 4)
    box = page.names[0]
    box.setFocus()
    hand.key(Qt.Key.Key_End)  # as a person turns it with keys
    assert box.currentText() == "d ink"
    after = pictures(hand)
    desk.wait(lambda: apart(pictures(hand)[1], before[1]) > 5, "the other look")
    assert [apart(a, b) < 1 for a, b in zip(before, after, strict=True)][2:] == [True, True]
    hand.key(Qt.Key.Key_Escape)
    compare(hand, 4)
    assert [each.currentText() for each in page.names] == ["d ink", "b scream", "c dark"]  # as it was left


@pytest.mark.slow
def test_the_comparison_follows_the_frame_and_playing_ends_it(film: Callable[..., Hand]) -> None:
    hand = film(1)
    desk, window = hand.desk, hand.desk.window
    window.player.play(True)
    desk.wait(lambda: window.actions_["play"].isChecked(), "playing")
    before = compare(hand, 2)
    assert not window.player.engine.playing
    window.actions_["last"].trigger()
    desk.wait(lambda: apart(pictures(hand)[0], before[0]) > 1, "the last frame")
    desk.wait(lambda: apart(pictures(hand)[1], before[1]) > 1, "the last frame")
    window.player.play(True)
    desk.wait(lambda: not window.overlays.comparison.is_on, "the end")
    assert window.view.painted.isVisible()


def test_a_look_that_is_damaged_says_so_and_the_others_are_there(film: Callable[..., Hand]) -> None:
    hand = film(2)
    desk, page = hand.desk, hand.desk.window.overlays.comparison.page
    (desk.window.inspector.looks.folder.path / "a wave.json").write_text("no look")
    write_look(Recipe(StyleSpec("nowhere.onnx")), desk.window.inspector.looks.folder.path / "b scream.json")
    hand.key("d", CTRL)
    refused = "This look cannot be painted."
    desk.wait(lambda: [pane.text() for pane in page.panes[1:3]] == [refused, refused], "the reason")
    desk.wait(lambda: not page.panes[0].image.isNull(), "the look in use")
    hand.click(page.panes[1])
    assert desk.window.session.choice.style.name == "none"


def test_without_a_saved_look_it_says_what_to_do(film: Callable[..., Hand]) -> None:
    hand = film(0)
    hand.key("d", CTRL)
    hand.desk.wait(lambda: "save a look first" in hand.desk.window.notes.text, "what to do")
    assert not hand.desk.window.actions_["compare-looks"].isChecked()
    assert hand.desk.window.view.painted.isVisible()


def test_a_window_closes_while_looks_are_compared(film: Callable[..., Hand]) -> None:
    hand = film(3)
    before = {thread.name for thread in threading.enumerate()}
    hand.key("d", CTRL)
    hand.desk.wait(lambda: [thread.name for thread in threading.enumerate()].count("tiles") == 3, "the painter")
    hand.desk.close()
    assert "tiles" in before
    assert "tiles" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.slow
def test_the_pane_in_focus_is_framed(film: Callable[..., Hand]) -> None:
    hand = film(1)
    compare(hand, 2)
    panes = hand.desk.window.overlays.comparison.page.panes
    hand.key(Qt.Key.Key_Tab)
    hand.desk.wait(panes[1].hasFocus, "the focus")
    accent = panes[1].palette().highlight().color()
    corner = pixels_of(panes[1])[1, 1]
    assert np.abs(corner.astype(int) - [accent.red(), accent.green(), accent.blue()]).max() < 8
