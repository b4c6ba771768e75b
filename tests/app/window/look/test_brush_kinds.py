"""The row of brushes: what is clicked is painted with, undone, remembered, saved and exported."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from framebrush.jobs.saved_look import SavedLook
from framebrush.models.brushes import PRESETS
from framebrush.window.exports.dialog import ExportDialog
from framebrush.window.look.brush_kinds import PICTURES, KindButton, titles
from framebrush.window.settings import Settings
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand, Pixels, farthest

pytestmark = pytest.mark.media

CONTROL = Qt.KeyboardModifier.ControlModifier
HISTORY_S = 0.5
"""After which a change is a step for undo."""


@pytest.fixture
def hand(desk: Desk) -> Hand:
    """A paused film in oil."""
    desk.window.session.use_style("oil")
    desk.wait_style("oil")
    desk.open("cfr.mp4")
    desk.rest(HISTORY_S)
    return Hand(desk)


def buttons(desk: Desk) -> dict[str, KindButton]:
    return desk.window.stroke.kinds.buttons


def chosen(desk: Desk) -> list[str]:
    return [name for name, button in buttons(desk).items() if button.isChecked()]


def choose(hand: Hand, name: str) -> Pixels:
    """Click a kind, and wait until the picture is another one."""
    desk, before = hand.desk, hand.desk.picture()
    hand.click(buttons(desk)[name])
    desk.wait(lambda: farthest(desk.picture(), before) > 0, f"{name} in the picture")
    desk.rest(HISTORY_S)
    return desk.picture()


def test_every_kind_has_a_title_and_a_picture_of_its_own() -> None:
    assert list(titles()) == list(PRESETS)
    pictures = [QImage(str(PICTURES / f"{name}.jpg")) for name in PRESETS]
    assert not any(picture.isNull() for picture in pictures)
    assert all(one != other for one, other in pairwise(pictures))
    assert all((PICTURES / f"{name}.jpg").stat().st_size < 8000 for name in PRESETS)


@pytest.mark.slow
def test_a_click_paints_with_another_brush_and_another_click_with_the_styles(hand: Hand, tmp_path: Path) -> None:
    desk, window = hand.desk, hand.desk.window
    window.looks._folder = tmp_path / "looks"
    first = desk.picture()
    assert (chosen(desk), window.stroke.sizes.brush_kind) == (["oil"], None)
    assert buttons(desk)["oil"].accessibleDescription() == "The style's brush"
    knife = choose(hand, "palette-knife")
    assert (chosen(desk), window.stroke.sizes.brush_kind) == (["palette-knife"], "palette-knife")
    assert buttons(desk)["palette-knife"].accessibleName() == "Brush: Palette knife"
    assert window.exporting.spec("a", "b").sizes.brush_kind == "palette-knife"
    hand.key("e", CONTROL)
    dialog = window.findChildren(ExportDialog)[-1]
    assert "Palette knife" in dialog.summary
    dialog.reject()
    window.looks.save("slabs")
    assert SavedLook.read(window.looks.saved["slabs"]).brush_kind == "palette-knife"
    hand.key("z", CONTROL)
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "the brush before")
    assert (chosen(desk), window.stroke.sizes.brush_kind) == (["oil"], None)
    window.looks.open(window.looks.saved["slabs"])
    desk.wait(lambda: farthest(desk.picture(), knife) == 0, "the saved brush")
    desk.rest(HISTORY_S)
    hand.click(buttons(desk)["palette-knife"])
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "the style's brush")
    assert window.stroke.sizes.brush_kind is None
    choose(hand, "pointillist")
    hand.click(hand.button("reset-look"))
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "the style's brush after a reset")


def test_the_next_start_has_the_brush(hand: Hand, tmp_path: Path) -> None:
    desk = hand.desk
    choose(hand, "fine")
    desk.close()
    again = Desk(tmp_path)
    assert again.window.stroke.sizes.brush_kind == "fine"
    assert chosen(again) == ["fine"]
    again.close()


def test_a_brush_that_is_no_longer_known_is_not_remembered(tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for text, kind in (("gouache", "gouache"), ("hairy", None), ("", None)):
        store.setValue("brush-kind", text)
        assert Settings(store, tmp_path).strokes.brush_kind == kind


def test_arrow_keys_go_from_brush_to_brush_and_not_through_the_film(hand: Hand) -> None:
    desk, window = hand.desk, hand.desk.window
    buttons(desk)["oil"].setFocus(Qt.FocusReason.TabFocusReason)
    for name in ("bristle", "palette-knife"):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Right)
        assert chosen(desk) == [name]
        assert window.focusWidget() is buttons(desk)[name]
        assert window.stroke.sizes.brush_kind == name
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Space)  # as a click
    assert (chosen(desk), window.stroke.sizes.brush_kind) == (["oil"], None)
    assert window.session.shown_at.number == 0


def test_without_strokes_there_is_no_brush_to_choose(hand: Hand) -> None:
    desk, panel = hand.desk, hand.desk.window.look_panel
    assert buttons(desk)["fine"].isEnabled()
    panel.brushwork.shares["brush"].slider.setValue(0)
    assert not buttons(desk)["fine"].isEnabled()
    panel.brushwork.shares["brush"].slider.setValue(50)
    assert buttons(desk)["fine"].isEnabled()
