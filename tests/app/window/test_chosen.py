"""Actions while the player is busy use the chosen settings and frame, not the loaded or shown ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import write_look
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import Position
from framebrush.styles.specs import FILM, ColourSpec, StyleSpec
from framebrush.window import reports
from framebrush.window.exports.export_dialog import ExportDialog
from tests.app.window.conftest import Desk, weight_of
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def hand(application: QApplication, tmp_path: Path) -> Iterator[Hand]:
    desk = Desk(tmp_path, style="ink", size=(1100, 700))
    desk.wait_style("ink")
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.open("cfr.mp4")
    yield Hand(desk)
    desk.close()


def choose(hand: Hand, name: str) -> None:
    """Click the tile of a style."""
    gallery = hand.desk.window.inspector.gallery
    item = gallery.tiles.item(gallery.names.index(name))
    gallery.tiles.scrollToItem(item)
    hand.click(gallery.tiles.viewport(), gallery.tiles.visualItemRect(item).center())


def asked(hand: Hand) -> JobSpec:
    """Open and close the export dialog by keys; return the job that it would queue."""
    hand.key("e", CTRL)
    (dialog,) = hand.desk.window.findChildren(ExportDialog)
    spec: JobSpec = dialog.spec
    dialog.reject()
    hand.desk.wait(lambda: not hand.desk.window.findChildren(ExportDialog), "the end of the dialog")
    return spec


def marked(desk: Desk) -> str:
    """Return the style of the selected tile."""
    rows = [index.row() for index in desk.window.inspector.gallery.tiles.selectedIndexes()]
    return desk.window.inspector.gallery.names[rows[0]] if rows else ""


@pytest.mark.slow
def test_an_export_is_painted_in_the_style_that_was_chosen_last(hand: Hand) -> None:
    desk = hand.desk
    with desk.held():
        choose(hand, "udnie")
        choose(hand, "scream")
        assert marked(desk) == "scream"
        assert asked(hand).style.name == "scream"
        assert desk.window.inspector.looks.current().style.name == "scream"
        hand.key("0")
        assert marked(desk) == "none"
        assert asked(hand).style.name == "none"
        choose(hand, "scream")
    desk.wait_style("scream")
    assert asked(hand).style.name == "scream"


@pytest.mark.slow
def test_a_style_that_is_refused_leaves_the_one_in_use_chosen(hand: Hand, tmp_path: Path) -> None:
    desk, missing = hand.desk, str(tmp_path / "missing.onnx")
    with desk.held():
        desk.window.opening.open(missing)
        assert asked(hand).style.name == missing
        assert marked(desk) == ""
    desk.wait(lambda: not desk.window.session.awaits_style, "the answer")
    assert asked(hand).style.name == "ink"
    assert marked(desk) == "ink"


@pytest.mark.slow
def test_a_pointer_that_leaves_does_not_mark_the_style_in_use(hand: Hand) -> None:
    desk = hand.desk
    with desk.held():
        choose(hand, "scream")
        hand.leave()
        desk.rest(0.2)
        assert marked(desk) == "scream"


@pytest.mark.slow
def test_the_finer_version_is_that_of_the_style_that_was_chosen(hand: Hand) -> None:
    desk = hand.desk
    choose(hand, "udnie")
    desk.wait_style("udnie")
    with desk.held():
        choose(hand, "scream")
        hand.click(desk.window.inspector.gallery.finer, QPoint(9, 9))
        assert asked(hand).style.name == "scream-fine"


@pytest.mark.slow
def test_a_blend_overtakes_a_style_that_is_loaded(hand: Hand) -> None:
    desk, gallery = hand.desk, hand.desk.window.inspector.gallery
    choose(hand, "udnie")
    desk.wait_style("udnie")
    slider = weight_of(desk, "Scream").slider
    with desk.held():
        choose(hand, "ink")
        gallery.blend.button.click()
        desk.rest(0.1)
        slider.setFocus(Qt.FocusReason.TabFocusReason)
        hand.key(Qt.Key.Key_End)
        blend = asked(hand).style.name
        assert blend.split(",")[0].partition(":")[0] in ("scream", "udnie")
        assert "ink" not in blend
    desk.wait_style(blend)
    assert asked(hand).style.name == blend


@pytest.mark.slow
def test_a_look_brings_its_colours_before_they_are_in_use(hand: Hand, tmp_path: Path) -> None:
    desk, colours = hand.desk, ColourSpec(palette=FILM)
    write_look(Recipe(StyleSpec("udnie"), colours=colours), tmp_path / "a.json")
    with desk.held():
        choose(hand, "scream")
        desk.window.inspector.looks.open(tmp_path / "a.json")
        spec = asked(hand)
        assert (spec.style.name, spec.colours) == ("udnie", colours)
        choose(hand, "scream")
        spec = asked(hand)
        assert (spec.style.name, spec.colours) == ("scream", colours)
    desk.wait_style("scream")
    spec = asked(hand)
    assert (spec.style.name, spec.colours) == ("scream", colours)
    assert desk.window.inspector.panel.colours.palette.currentText() == "The film's palette"


@pytest.mark.slow
def test_colours_keep_the_blend(hand: Hand) -> None:
    desk, gallery = hand.desk, hand.desk.window.inspector.gallery
    choose(hand, "udnie")
    desk.wait_style("udnie")
    weight_of(desk, "Scream").slider.setValue(100)
    blend = asked(hand).style.name
    desk.window.inspector.panel.colours.use_palette(FILM)
    desk.wait(lambda: not desk.window.session.awaits_style, "the colours")
    assert asked(hand).style.name == blend
    assert sorted(each.value for each in gallery.blend.sliders)[-2:] == [0.5, 0.5]


@pytest.mark.slow
def test_keys_of_the_style_belong_to_the_network_that_was_chosen(hand: Hand) -> None:
    desk, window = hand.desk, hand.desk.window
    choose(hand, "udnie")
    desk.wait_style("udnie")
    hand.click(window.inspector.style_keys.button)
    with desk.held():
        choose(hand, "ink")
        assert not window.inspector.style_keys.button.isEnabled()
        assert asked(hand).keys == ()
    desk.wait_style("ink")
    with desk.held():
        choose(hand, "scream")  # is what the frame is painted in, in place of the key that has waited
        assert [str(key.value) for key in asked(hand).keys[0].keys] == ["scream"]
        hand.key("0")
        assert asked(hand).keys == ()
        choose(hand, "udnie")
        assert window.session.choice.style.name == "udnie"
        assert [str(key.value) for key in asked(hand).keys[0].keys] == ["udnie"]
    desk.wait_style("udnie")


def seek(hand: Hand, number: int) -> None:
    """Go to a frame by typing its number."""
    hand.key("g", CTRL)
    for key in f"{number}f":
        hand.key(key)
    hand.key(Qt.Key.Key_Return)


def keys(hand: Hand, of: str) -> dict[int, float | str]:
    """The keys of an export, by frame."""
    tracks = {track.of: track.keys for track in asked(hand).keys}
    return {int(key.at.value): key.value for key in tracks.get(of, ())}


@pytest.mark.slow
def test_a_key_is_set_at_the_frame_that_is_being_sought(hand: Hand) -> None:
    desk, panel = hand.desk, hand.desk.window.inspector.panel
    hand.click(panel.buttons["strength"])
    assert keys(hand, "strength") == {0: 1.0}
    with desk.held():
        seek(hand, 12)
        panel.sliders["strength"].slider.setFocus(Qt.FocusReason.TabFocusReason)
        hand.key(Qt.Key.Key_Home)
        hand.key(Qt.Key.Key_Right)
        assert panel.keys.places[-1].number == 0
    desk.wait(lambda: desk.window.session.shown_at.number == 12, "the frame")
    desk.settle()
    assert keys(hand, "strength") == {0: 1.0, 12: 0.01}
    assert panel.sliders["strength"].slider.value() == 1
    with desk.held():
        hand.key(".")
        hand.key(".")
        hand.click(panel.buttons["strength"])
        hand.click(panel.buttons["exposure_ev"])
    desk.settle()
    assert keys(hand, "strength") == {0: 1.0, 12: 0.01, 14: 0.01}
    assert list(keys(hand, "exposure_ev")) == [14]
    with desk.held():
        seek(hand, 12)
        hand.click(panel.buttons["strength"])
    desk.settle()
    assert list(keys(hand, "strength")) == [0, 14]


@pytest.mark.slow
def test_a_key_of_the_style_and_of_the_stroke_is_set_at_the_frame_that_is_being_sought(hand: Hand) -> None:
    desk, window = hand.desk, hand.desk.window
    choose(hand, "udnie")
    desk.wait_style("udnie")
    hand.click(window.inspector.style_keys.button)
    hand.click(window.inspector.stroke.button)
    with desk.held():
        seek(hand, 12)
        choose(hand, "scream")
        window.inspector.stroke.slider.slider.setFocus(Qt.FocusReason.TabFocusReason)
        hand.key(Qt.Key.Key_End)
        desk.wait(lambda: not window.inspector.stroke.debounce.isActive(), "the slider at rest")
    desk.settle()
    assert keys(hand, "style") == {0: "udnie", 12: "scream"}
    assert keys(hand, "stroke") == {0: "auto", 12: 8.0}


@pytest.mark.slow
def test_what_waited_for_a_frame_is_forgotten_with_its_film(hand: Hand) -> None:
    desk, panel = hand.desk, hand.desk.window.inspector.panel
    hand.click(panel.buttons["strength"])
    with desk.held():
        seek(hand, 12)
        panel.sliders["strength"].slider.setFocus(Qt.FocusReason.TabFocusReason)
        desk.window.player.close_video()
        hand.key(Qt.Key.Key_Home)
    desk.settle()
    desk.open("cfr.mp4")
    assert set(keys(hand, "strength")) <= {0, 12}


@pytest.mark.slow
def test_a_screenshot_and_marks_are_those_of_the_frame_that_is_being_sought(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "pictures_folder", lambda: tmp_path / "pictures")
    desk = hand.desk
    with desk.held():
        seek(hand, 12)
        hand.key("s")
        hand.key("i", SHIFT)
        hand.key("e", CTRL)
        assert not desk.window.findChildren(ExportDialog)
    desk.wait(lambda: bool(desk.window.findChildren(ExportDialog)), "the dialog, which waits for the mark")
    (dialog,) = desk.window.findChildren(ExportDialog)
    assert dialog.spec.range.start == Position(Fraction(12), "frame")
    dialog.reject()
    assert [path.name for path in (tmp_path / "pictures").iterdir()] == ["cfr-000012.png"]


@pytest.mark.slow
def test_colours_are_fitted_to_the_frame_that_is_being_sought(hand: Hand) -> None:
    desk, window = hand.desk, hand.desk.window
    window.inspector.panel.colours.use_palette(FILM)
    desk.wait(lambda: not window.session.awaits_style, "the palette")
    with desk.held():
        seek(hand, 12)
        window.actions_["fit-colours"].trigger()
    desk.settle()
    assert str(asked(hand).colours.palette_from).endswith("cfr.mp4@12f")
    assert replace(asked(hand).colours, palette_from=None) == ColourSpec(palette=FILM)
