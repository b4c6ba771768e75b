"""The colours of a painting in the window: its own, the film's, a picture's, a table's: seen, exported, undone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QScrollArea

from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookFolder, read_look, write_look
from framebrush.models.colours.colour_table import ColourTable, apply
from framebrush.styles.cube import read_cube, write_cube
from framebrush.styles.specs import FILM, OWN_COLOURS, ColourSpec, SizeSpec, StyleSpec
from framebrush.styles.style_names import open_style
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.state.window_settings import Settings
from framebrush.window.widgets import file_dialogs
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand
from tests.app.window.styles.test_own_pictures import drag, picture

pytestmark = pytest.mark.media

OWN, FILMS, KEPT = "The painting's own", "The film's palette", "The film's, pixel by pixel"


def choose(desk: Desk, text: str, box: QComboBox | None = None) -> None:
    """Choose an entry of an open list by keys.

    Args:
        box: default: the palettes.
    """
    box, hand = box or desk.window.inspector.panel.colours.palette, Hand(desk)
    column = desk.window.side.widget(0)
    assert isinstance(column, QScrollArea)
    desk.rest(0.1)  # rows come and go with the choice before
    column.ensureWidgetVisible(box)
    hand.click(box)
    desk.wait(box.view().isVisible, "the list")
    hand.key(Qt.Key.Key_Home)
    for _ in range(box.findText(text)):
        hand.key(Qt.Key.Key_Down)
    hand.key(Qt.Key.Key_Return)


def mean(desk: Desk) -> np.ndarray:
    """Return the shown picture's mean colour: R, G, B."""
    return desk.picture()[..., 2::-1].reshape(-1, 3).mean(axis=0)


def used(desk: Desk) -> ColourSpec | None:
    """Return the colours that the player reports as in use."""
    return desk.window.session.style_in_use.colours if desk.window.session.style_in_use else None


@pytest.mark.slow
def test_a_painting_gets_the_films_colours_and_those_of_a_picture(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, box = desk.window, desk.window.inspector.panel.colours.palette
    desk.open("landscape.mp4")
    source = mean(desk)
    window.session.use_style("ink")
    desk.wait_style("ink")
    desk.rest(0.6)
    ink = mean(desk)
    choose(desk, FILMS)
    desk.wait(lambda: used(desk) == ColourSpec("film"), "the film's colours")
    desk.wait(lambda: np.abs(mean(desk) - ink).max() > 5, "them on the screen")
    assert np.abs(mean(desk) - source).max() < np.abs(ink - source).max()
    desk.rest(0.6)  # a change is one that stands for a moment
    blue = picture(tmp_path / "blue sea.png", 250)
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    choose(desk, "From a picture…")
    assert box.currentText() == FILMS  # none was chosen
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: (str(blue), ""))
    choose(desk, "From a picture…")
    desk.wait(lambda: used(desk) == ColourSpec(str(blue)), "the picture's colours")
    desk.wait(lambda: mean(desk)[2] - mean(desk)[1] > 60, "blue on the screen")
    assert box.currentText() == "blue sea"
    window.exporting.ask()
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    assert dialog.spec.colours == ColourSpec(str(blue))
    assert "Ink   ·   colours of blue sea" in dialog.summary
    dialog.reject()
    desk.rest(0.6)
    Hand(desk).key("z", Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: used(desk) == ColourSpec("film"), "what was before")
    assert box.currentText() == FILMS
    desk.rest(0.6)
    Hand(desk).key("y", Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: used(desk) == ColourSpec(str(blue)), "it again")
    desk.close()
    again = Desk(tmp_path, style="")
    again.wait_style("ink")
    assert used(again) == ColourSpec(str(blue))
    again.window.actions_["reset-look"].trigger()
    again.wait(lambda: used(again) == OWN_COLOURS, "its own colours")
    assert again.window.inspector.panel.colours.palette.currentText() == OWN
    again.close()


def test_a_look_keeps_its_colours(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")
    photo = picture(tmp_path / "photo.png")
    window.inspector.panel.colours.set_colours(ColourSpec(str(photo)))
    desk.wait(lambda: used(desk) == ColourSpec(str(photo)), "the colours")
    window.inspector.looks.save("warm")
    window.inspector.panel.colours.set_colours(OWN_COLOURS)
    desk.wait(lambda: used(desk) == OWN_COLOURS, "its own")
    window.inspector.looks.open(tmp_path / "looks" / "warm.json")
    desk.wait(lambda: used(desk) == ColourSpec(str(photo)), "those of the look")


def test_files_beside_a_look_travel_with_it(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    colours = ColourSpec(str(there / "a.png"), str(there / "b.jpg"), str(there / "c.cube"), lut_first=True)
    write_look(Recipe(StyleSpec("ink"), Look(), SizeSpec(), colours), there / "look.json")
    assert "there" not in (there / "look.json").read_text()
    here = there.rename(tmp_path / "here")
    read = read_look(here / "look.json").colours
    assert read == ColourSpec(str(here / "a.png"), str(here / "b.jpg"), str(here / "c.cube"), lut_first=True)


def test_colours_that_are_gone_are_said_and_left_out(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    photo = picture(tmp_path / "photo.png")
    window.inspector.panel.colours.set_colours(ColourSpec(str(photo)))
    desk.wait(lambda: used(desk) == ColourSpec(str(photo)), "the colours")
    photo.unlink()
    window.session.use_style("ink")
    desk.wait_style("ink")
    assert "These colours cannot be used" in window.messages.text
    assert used(desk) == OWN_COLOURS
    assert window.inspector.panel.colours.palette.currentText() == OWN


@pytest.mark.slow
def test_an_own_picture_that_goes_takes_its_colours_along(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    window.session.use_style(str(picture(tmp_path / "photo.png")))
    kept = window.inspector.own_styles.folder.path / "pictures" / "photo.png"
    desk.wait_style(str(kept))
    window.session.use_style("ink")
    window.inspector.panel.colours.set_colours(ColourSpec(str(kept), str(kept)))
    desk.wait(lambda: used(desk) == ColourSpec(str(kept), str(kept)), "the colours")
    window.inspector.own_styles.rename(kept, "other")
    other = str(kept.with_name("other.png"))
    desk.wait(lambda: used(desk) == ColourSpec(other, other), "the new name")
    window.inspector.own_styles.remove(kept.with_name("other.png"))
    desk.wait(lambda: used(desk) == OWN_COLOURS, "its end")
    assert window.session.choice.style.name == "ink"


@pytest.mark.slow
def test_colours_are_saved_as_a_table(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window, target = desk.window, tmp_path / "saved.cube"
    desk.open("landscape.mp4")
    desk.wait_style("none")
    starts: list[str] = []

    def chosen(_: object, __: str, start: str, ___: str) -> tuple[str, str]:
        starts.append(Path(start).name)
        return str(target), ""

    monkeypatch.setattr(file_dialogs.QFileDialog, "getSaveFileName", chosen)
    window.actions_["save-colours"].trigger()
    desk.wait(lambda: "no colour table to save" in window.notes.text, "the refusal")
    window.messages.hide()
    window.inspector.panel.colours.set_colours(ColourSpec(str(picture(tmp_path / "photo.png"))))
    desk.wait(lambda: used(desk) != OWN_COLOURS, "the colours")
    target.write_text("what the person has agreed to replace")
    window.actions_["save-colours"].trigger()
    desk.wait(lambda: "saved.cube" in window.notes.text, "the table")
    assert starts == ["None.cube", "photo.cube"]
    painted = window.player.engine.presenter.fitted.style
    assert painted is not None
    assert painted.after is not None
    colours = np.random.default_rng(3).random((4, 5, 3), np.float32)
    assert np.abs(apply(read_cube(target), colours) - apply(painted.after, colours)).max() < 1e-5
    assert replace(painted, after=None) == open_style("none").style


def blue_of_red(path: Path) -> Path:
    """A table that gives each colour its red as blue."""
    table = ColourTable.identity()
    write_cube(replace(table, grid=table.grid[..., [0, 1, 0]]), path)
    return path


def summary(desk: Desk) -> tuple[ColourSpec, str]:
    """The colours of an export, and its words."""
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    found = dialog.spec.colours, dialog.summary
    dialog.reject()
    desk.wait(lambda: desk.window.findChild(ExportDialog) is None, "the end of the dialog")
    return found


@pytest.mark.slow
def test_each_pixel_keeps_the_films_colour_or_none_does(desk: Desk) -> None:
    window, controls = desk.window, desk.window.inspector.panel.colours
    desk.open("landscape.mp4")

    def vivid() -> float:
        shown = desk.picture()[..., :3].astype(float)
        return float(np.abs(shown - shown.mean(axis=2, keepdims=True)).mean())

    source = vivid()
    window.session.use_style("ink")
    desk.wait_style("ink")
    desk.rest(0.6)
    assert vivid() < source / 3  # grey, as good as
    choose(desk, KEPT)
    assert window.session.choice.look.keep_colours
    assert window.actions_["keep-colours"].isChecked()
    desk.wait(lambda: vivid() > source / 2, "the film's colours")
    assert summary(desk)[1].endswith("Ink   ·   film's colours, pixel by pixel")
    Hand(desk).key("c")
    assert not window.session.choice.look.keep_colours
    assert controls.palette.currentText() == OWN
    Hand(desk).key("c")
    assert controls.palette.currentText() == KEPT
    choose(desk, FILMS)
    desk.wait(lambda: used(desk) == ColourSpec("film"), "the film's palette")
    assert not window.session.choice.look.keep_colours
    choose(desk, KEPT)
    desk.wait(lambda: used(desk) == OWN_COLOURS, "the palette to go: one of the two")


@pytest.mark.slow
def test_a_table_is_dropped_on_the_film_and_goes_ahead_or_behind(desk: Desk, tmp_path: Path) -> None:
    window, box, cube = desk.window, desk.window.inspector.panel.colours.table, blue_of_red(tmp_path / "swap.cube")
    desk.open("landscape.mp4")
    desk.wait_style("none")
    desk.rest(0.6)
    source = mean(desk)
    assert abs(source[0] - source[2]) > 5
    assert drag(window.view, [cube])
    desk.wait(lambda: used(desk) == ColourSpec(lut=str(cube)), "the table")
    desk.wait(lambda: abs(mean(desk)[0] - mean(desk)[2]) < 2, "it on the screen")
    assert box.currentText() == "Painting: swap"
    assert window.session.opened is not None  # the film stays
    desk.rest(0.6)
    choose(desk, "Film: swap", box)
    first = ColourSpec(lut=str(cube), lut_first=True)
    desk.wait(lambda: used(desk) == first, "it ahead of the painting")
    assert summary(desk) == (first, "landscape.mp4   ·   no style   ·   table swap")
    desk.rest(0.6)
    Hand(desk).key("z", Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: used(desk) == ColourSpec(lut=str(cube)), "what was before")
    assert box.currentText() == "Painting: swap"
    choose(desk, "None", box)
    desk.wait(lambda: used(desk) == OWN_COLOURS, "no table")
    assert not box.isVisible()
    desk.wait(lambda: np.abs(mean(desk) - source).max() < 2, "the film as it is")


def test_a_list_that_is_open_stays_when_a_style_is_answered(desk: Desk) -> None:
    box, hand = desk.window.inspector.panel.colours.palette, Hand(desk)
    desk.open("cfr.mp4")
    desk.wait(lambda: not desk.window.session.awaits_style, "the style")
    hand.click(box)
    desk.wait(box.view().isVisible, "the list")
    hand.key(Qt.Key.Key_Home)
    hand.key(Qt.Key.Key_Down)
    desk.window.session.loaded.emit()
    hand.key(Qt.Key.Key_Return)
    assert desk.window.session.choice.colours.palette == FILM


def test_a_table_is_chosen_from_the_menu_and_a_bad_one_is_refused_in_words(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, cube, bad = desk.window, blue_of_red(tmp_path / "swap.cube"), tmp_path / "bad.cube"
    bad.write_text("LUT_3D_SIZE 2\n0 0 0\n")
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: (str(cube), ""))
    window.actions_["open-table"].trigger()
    desk.wait(lambda: used(desk) == ColourSpec(lut=str(cube)), "the table")
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: (str(bad), ""))
    choose(desk, "From a .cube file…")
    desk.wait(lambda: "bad.cube is not a .cube file that can be used" in window.messages.text, "the refusal")
    assert "These colours cannot be used" in window.messages.text
    desk.wait(lambda: window.inspector.panel.colours.table.currentText() == "Painting: swap", "the one before")
    assert window.inspector.panel.colours.palette.currentText() == OWN
    assert used(desk) == ColourSpec(lut=str(cube)) == window.settings.colours


@pytest.mark.slow
def test_colours_are_fitted_to_the_frame_that_is_shown(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, controls, photo = desk.window, desk.window.inspector.panel.colours, picture(tmp_path / "photo.png")
    desk.open("landscape.mp4")
    assert not controls.sample.isVisible()  # nothing is fitted to the film
    assert not window.actions_["fit-colours"].isEnabled()
    window.session.use_style(str(photo))
    kept = window.inspector.own_styles.folder.path / "pictures" / "photo.png"
    desk.wait_style(str(kept))
    assert controls.sample.currentText() == "Each shot"
    desk.key(".")
    desk.wait(lambda: window.session.shown_at.number == 1, "the second frame")
    desk.rest(0.6)
    choose(desk, "The current frame", controls.sample)
    assert window.session.opened is not None
    fixed = ColourSpec(palette_from=f"{window.session.opened.info.path}@1f")
    desk.wait(lambda: used(desk) == fixed, "the frame")
    assert controls.sample.currentText() == "landscape@1f"
    assert summary(desk) == (fixed, "landscape.mp4   ·   photo   ·   fitted to landscape@1f")
    desk.rest(0.6)
    window.session.use_style("ink")  # which has no palette
    desk.wait_style("ink")
    assert used(desk) == OWN_COLOURS
    assert window.messages.isHidden()
    assert not controls.sample.isVisible()
    desk.rest(0.6)
    Hand(desk).key("z", Qt.KeyboardModifier.ControlModifier)
    desk.wait_style(str(kept))
    desk.wait(lambda: used(desk) == fixed, "the frame again")
    choose(desk, "Each shot", controls.sample)
    desk.wait(lambda: used(desk) == OWN_COLOURS, "each shot")
    for chosen, spec in (("", OWN_COLOURS), (str(photo), ColourSpec(palette_from=str(photo)))):
        monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_, name=chosen: (name, ""))
        choose(desk, "A picture…", controls.sample)
        desk.wait(lambda spec=spec: used(desk) == spec, "the picture")  # type: ignore[misc]
    window.opening.open("live:testsrc2=size=96x64:rate=25")
    desk.wait(lambda: window.transport.live.isVisible(), "the live source")
    choose(desk, "The current frame", controls.sample)
    assert "Open a video first" in window.messages.text


def test_a_remembered_second_style_that_does_not_fit_leaves_the_other_colours(
    application: QApplication, tmp_path: Path
) -> None:
    kept = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat), tmp_path / "data")
    kept.colours = ColourSpec(palette="film", second="rhone")
    desk = Desk(tmp_path, style="oil")
    desk.wait_style("oil")
    assert used(desk) == ColourSpec(palette="film") == desk.window.session.choice.colours
    assert desk.window.messages.text == ""
    desk.close()
