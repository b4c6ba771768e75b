"""The colours of a painting in the window: its own, the film's, a picture's; seen, exported, undone, kept and saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from framebrush.gpu.look import Look
from framebrush.jobs.saved_look import SavedLook
from framebrush.jobs.spec import OWN_COLOURS, ColourSpec, SizeSpec, StyleSpec
from framebrush.media.cube import read_cube
from framebrush.models.table import apply
from framebrush.styles import open_style
from framebrush.window import files
from framebrush.window.export_dialog import ExportDialog
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand
from tests.app.window.test_own_pictures import picture

pytestmark = pytest.mark.media

OWN, FILMS = "The painting's own", "The film's own"


def choose(desk: Desk, text: str) -> None:
    """Choose with the keys, as the list is opened and walked through."""
    box, hand = desk.window.look_panel.colours, Hand(desk)
    hand.click(box)
    desk.wait(box.view().isVisible, "the list")
    hand.key(Qt.Key.Key_Home)
    for _ in range(box.findText(text)):
        hand.key(Qt.Key.Key_Down)
    hand.key(Qt.Key.Key_Return)


def mean(desk: Desk) -> np.ndarray:
    """The mean colour of what is shown: R, G, B."""
    return desk.picture()[..., 2::-1].reshape(-1, 3).mean(axis=0)


def used(desk: Desk) -> ColourSpec | None:
    """What the player says that it paints in."""
    return desk.window.style_in_use.colours if desk.window.style_in_use else None


@pytest.mark.slow
def test_a_painting_gets_the_films_colours_and_those_of_a_picture(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, box = desk.window, desk.window.look_panel.colours
    desk.open("landscape.mp4")
    source = mean(desk)
    window.use_style("ink")
    desk.wait_style("ink")
    desk.rest(0.6)
    ink = mean(desk)
    choose(desk, FILMS)
    desk.wait(lambda: used(desk) == ColourSpec("film"), "the film's colours")
    desk.wait(lambda: np.abs(mean(desk) - ink).max() > 5, "them on the screen")
    assert np.abs(mean(desk) - source).max() < np.abs(ink - source).max()
    desk.rest(0.6)  # a change is one that stands for a moment
    blue = picture(tmp_path / "blue sea.png", 250)
    monkeypatch.setattr(files.QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    choose(desk, "Of a picture…")
    assert box.currentText() == FILMS  # none was chosen
    monkeypatch.setattr(files.QFileDialog, "getOpenFileName", lambda *_: (str(blue), ""))
    choose(desk, "Of a picture…")
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
    assert again.window.look_panel.colours.currentText() == OWN
    again.close()


def test_a_look_keeps_its_colours(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    window.looks._folder = tmp_path / "looks"
    photo = picture(tmp_path / "photo.png")
    window.look_panel.colours.take(ColourSpec(str(photo)))
    desk.wait(lambda: used(desk) == ColourSpec(str(photo)), "the colours")
    window.looks.save("warm")
    window.look_panel.colours.take(OWN_COLOURS)
    desk.wait(lambda: used(desk) == OWN_COLOURS, "its own")
    window.looks.open(tmp_path / "looks" / "warm.json")
    desk.wait(lambda: used(desk) == ColourSpec(str(photo)), "those of the look")


def test_files_beside_a_look_travel_with_it(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    colours = ColourSpec(str(there / "a.png"), str(there / "b.jpg"), str(there / "c.cube"), lut_first=True)
    SavedLook.of(StyleSpec("ink"), Look(), SizeSpec(), colours).write(there / "look.json")
    assert "there" not in (there / "look.json").read_text()
    here = there.rename(tmp_path / "here")
    read = SavedLook.read(here / "look.json").colours
    assert read == ColourSpec(str(here / "a.png"), str(here / "b.jpg"), str(here / "c.cube"), lut_first=True)


def test_colours_that_are_gone_are_said_and_left_out(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    photo = picture(tmp_path / "photo.png")
    window.look_panel.colours.take(ColourSpec(str(photo)))
    desk.wait(lambda: used(desk) == ColourSpec(str(photo)), "the colours")
    photo.unlink()
    window.use_style("ink")
    desk.wait_style("ink")
    assert "These colours cannot be used" in window.messages.text
    assert used(desk) == OWN_COLOURS
    assert window.look_panel.colours.currentText() == OWN


def test_an_own_picture_that_goes_takes_its_colours_along(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    window.open_style(picture(tmp_path / "photo.png"))
    kept = window.own_styles.folder.path / "pictures" / "photo.png"
    desk.wait_style(str(kept))
    window.use_style("ink")
    window.look_panel.colours.take(ColourSpec(str(kept)))
    desk.wait(lambda: used(desk) == ColourSpec(str(kept)), "the colours")
    window.own_styles.rename(kept, "other")
    desk.wait(lambda: used(desk) == ColourSpec(str(kept.with_name("other.png"))), "the new name")
    window.own_styles.remove(kept.with_name("other.png"))
    desk.wait(lambda: used(desk) == OWN_COLOURS, "its end")
    assert window.style_name == "ink"


def test_colours_are_saved_as_a_table(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window, target = desk.window, tmp_path / "saved.cube"
    desk.open("landscape.mp4")
    desk.wait_style("none")
    starts: list[str] = []

    def chosen(_: object, __: str, start: str, ___: str) -> tuple[str, str]:
        starts.append(Path(start).name)
        return str(target.with_suffix("")), ""

    monkeypatch.setattr(files.QFileDialog, "getSaveFileName", chosen)
    window.actions_["save-colours"].trigger()
    desk.wait(lambda: "no colours to save" in window.messages.text, "the refusal")
    window.messages.hide()
    window.look_panel.colours.take(ColourSpec(str(picture(tmp_path / "photo.png"))))
    desk.wait(lambda: used(desk) != OWN_COLOURS, "the colours")
    target.write_text("what the person has agreed to replace")
    window.actions_["save-colours"].trigger()
    desk.wait(lambda: "saved.cube" in window.messages.text, "the table")
    assert starts == ["None.cube", "photo.cube"]
    painted = window.player.engine.presenter.style
    assert painted is not None
    assert painted.after is not None
    colours = np.random.default_rng(3).random((4, 5, 3), np.float32)
    assert np.abs(apply(read_cube(target), colours) - apply(painted.after, colours)).max() < 1e-5
    assert replace(painted, after=None) == open_style("none").style
