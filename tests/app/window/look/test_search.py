"""The field that finds settings: by title, tooltip or choice, in folded sections, by keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox

from framebrush.window.look.search import SettingSearch, settings_in
from tests.app.window.conftest import Desk, speaking
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media


@pytest.fixture
def hand(application: QApplication, tmp_path: Path) -> Iterator[Hand]:
    """A new user's window, with a style."""
    desk = Desk(tmp_path, style="ink", size=(1100, 700), unfolded=False)
    desk.wait_style("ink")
    desk.open("cfr.mp4")
    yield Hand(desk)
    desk.close()


def found(hand: Hand, text: str) -> list[str]:
    """Return the titles that are listed once a text is typed."""
    desk, search = hand.desk, hand.desk.window.inspector.panel.search
    if not search.hasFocus():
        hand.key("/")
        desk.wait(search.hasFocus, "the field")
    search.selectAll()
    for letter in text:
        hand.key(letter)
    return [each.title for each in search.settings]


@pytest.mark.slow
def test_a_folded_setting_is_found_opened_and_moved_by_keys_alone(hand: Hand) -> None:
    desk, panel = hand.desk, hand.desk.window.inspector.panel
    canvas = panel.sliders["canvas"].slider
    desk.window.actions_["panel"].setChecked(False)
    assert not canvas.isVisible()
    assert found(hand, "canvas")[0] == "Canvas"
    hand.key(Qt.Key.Key_Return)
    desk.wait(canvas.hasFocus, "the slider")
    desk.wait(lambda: panel.search.text() == "", "an empty field")
    desk.rest(0.1)
    assert panel.folds["brush-advanced"].isChecked()
    assert not canvas.visibleRegion().isEmpty()
    before = canvas.value()
    hand.key(Qt.Key.Key_Right)
    assert canvas.value() == before + 1
    assert found(hand, "faces")[0] == "Faces"  # in another section
    hand.key(Qt.Key.Key_Return)
    desk.wait(panel.sliders["faces"].slider.hasFocus, "the other slider")
    assert canvas.isVisible()
    hand.click(panel.style_section.title)
    assert not panel.style_section.isVisible()
    assert found(hand, "strength")[0] == "Strength"  # beside the gallery
    hand.key(Qt.Key.Key_Return)
    desk.wait(panel.sliders["strength"].slider.hasFocus, "the slider of the style")
    assert panel.style_section.isVisible()


@pytest.mark.slow
def test_the_weight_of_a_painting_is_found_where_paintings_are_blended(hand: Hand) -> None:
    desk, gallery = hand.desk, hand.desk.window.inspector.gallery
    desk.window.session.use_style("starry-night")
    desk.wait(lambda: len(gallery.blend.sliders) > 3, "the blend's sliders")
    assert not gallery.blend.button.isChecked()
    assert found(hand, "weight udnie") == ["Udnie"]
    hand.key(Qt.Key.Key_Return)
    desk.wait(lambda: any(each.slider.hasFocus() for each in gallery.blend.sliders), "its slider")


def test_titles_come_before_tooltips_and_choices(hand: Hand) -> None:
    titles = found(hand, "mask")
    named = ["mask" in title.casefold() for title in titles]
    assert named == sorted(named, reverse=True)
    assert not all(named)
    assert found(hand, "pixel")[0] == "Colours"  # the choice "The film's, pixel by pixel"
    assert found(hand, "own colours") == found(hand, "colours own") != []
    assert found(hand, "nothing of this kind") == []
    hand.key(Qt.Key.Key_Return)
    assert hand.desk.window.inspector.panel.search.hasFocus()


def test_an_entry_of_the_list_is_chosen(hand: Hand) -> None:
    panel, desk = hand.desk.window.inspector.panel, hand.desk
    titles = found(hand, "strength")
    assert "Strength" in titles
    popup = panel.search.list
    desk.wait(popup.isVisible, "the list")
    hand.click(popup.viewport(), popup.visualRect(popup.model().index(titles.index("Strength"), 0)).center())
    desk.wait(panel.sliders["strength"].slider.hasFocus, "the slider")
    assert panel.search.text() == ""


def test_escape_goes_back_to_the_picture_and_does_not_leave_full_screen(hand: Hand) -> None:
    desk, window = hand.desk, hand.desk.window
    window.actions_["full-screen"].setChecked(True)
    window.find_setting()
    assert found(hand, "zzz") == []
    hand.key(Qt.Key.Key_Escape)
    assert window.view.hasFocus()
    assert window.inspector.panel.search.text() == ""
    assert window.actions_["full-screen"].isChecked()
    desk.key(Qt.Key.Key_Escape)
    assert not window.actions_["full-screen"].isChecked()


def test_settings_that_do_not_apply_are_left_out(hand: Hand) -> None:
    """Tone mapping of HDR, and the shares of a second style."""
    panel = hand.desk.window.inspector.panel
    titles = {each.title for part in panel.search.parts for each in settings_in(part)}
    assert {"Strength", "Lamp", "Area", "Compare with the source"} <= titles
    assert "HDR to SDR" not in titles
    assert "Second inside" not in titles
    hand.desk.open("pq.mp4")
    assert "HDR to SDR" in {each.title for each in settings_in(panel)}


def test_every_row_has_a_name_in_german(application: QApplication, tmp_path: Path) -> None:
    with speaking(application, "de_DE"):
        desk = Desk(tmp_path)
        window = desk.window
        assert isinstance(window.inspector.panel.search, SettingSearch)
        rows = [each for part in window.inspector.panel.search.parts for each in settings_in(part)]
        titles = {each.title for each in rows}
        assert {"Stärke", "Strichgröße"} <= titles
        boxes = [box for box in window.inspector.panel.findChildren(QComboBox) if not box.isHidden()]
        assert {each.control for each in rows} >= set(boxes)
        desk.close()
