"""The tiles of brushes: clicks paint, undo, persist, save and export."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.jobs.saved_look import LookFolder, read_look
from framebrush.models.brushes import PRESETS
from framebrush.styles.brush_tips import open_brush_tip
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.look.brush_kinds import PICTURES, KindButton, titles
from framebrush.window.state.window_settings import Settings
from framebrush.window.widgets import file_dialogs
from tests.app.styles.test_dabs import ROUND, gbr
from tests.app.styles.test_map_films import encode, grey
from tests.app.styles.test_marks import wedge
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
    return desk.window.inspector.stroke.kinds.buttons


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
def test_a_picture_becomes_a_mark_of_ones_own(hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, window = hand.desk, hand.desk.window
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")
    first, own, path = desk.picture(), window.inspector.stroke.kinds.own, wedge(tmp_path / "my brush.png")
    assert (own.isChecked(), own.accessibleName()) == (False, "Brush: a tip of your own")
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    hand.click(own)
    assert not own.isChecked()
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    hand.click(own)
    desk.wait(lambda: farthest(desk.picture(), first) > 0, "the mark in the picture")
    desk.rest(HISTORY_S)
    marked = desk.picture()
    assert own.isChecked()
    assert own.toolTip() == "my brush.png\nClick again for a brush with hairs"
    assert window.exporting.spec("a", "b").sizes.brush_mark == path
    hand.key("e", CONTROL)
    dialog = window.findChildren(ExportDialog)[-1]
    assert "brush my brush" in dialog.summary
    dialog.reject()
    window.inspector.looks.save("mine")
    assert read_look(window.inspector.looks.saved["mine"]).sizes.brush_mark == path
    hand.key("z", CONTROL)
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "hairs again")
    assert not own.isChecked()
    window.inspector.looks.open(window.inspector.looks.saved["mine"])
    desk.wait(lambda: farthest(desk.picture(), marked) == 0, "the saved mark")
    desk.rest(HISTORY_S)
    hand.click(own)
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "hairs after another click")
    assert window.session.choice.sizes.brush_mark is None
    dropped(desk, path)
    desk.wait(lambda: farthest(desk.picture(), marked) == 0, "the mark that was dropped")
    hand.click(hand.button("reset-look"))
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "hairs after a reset")
    assert not own.isChecked()


def dropped(desk: Desk, path: str) -> None:
    """Drop a file on the brushes."""
    data, copy = QMimeData(), Qt.DropAction.CopyAction
    data.setUrls([QUrl.fromLocalFile(path)])
    by = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(9, 9), copy, data, *by)
    entering.ignore()
    desk.window.inspector.stroke.kinds.dragEnterEvent(entering)
    assert entering.isAccepted() == path.endswith((".png", ".gbr"))
    desk.window.inspector.stroke.kinds.dropEvent(QDropEvent(QPointF(9, 9), copy, data, *by))


def mark_of(desk: Desk) -> bytes | None:
    """Return the mark of the strokes that the film is painted with."""
    pipeline = desk.window.player.engine.presenter.pipeline
    assert pipeline is not None
    return pipeline.stylizer.settings.kind.mark


@pytest.mark.slow
def test_a_picture_that_is_no_mark_is_refused_in_words_and_the_brush_stays(hand: Hand, tmp_path: Path) -> None:
    desk, window = hand.desk, hand.desk.window
    first, broken = desk.picture(), tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    dropped(desk, str(tmp_path / "film.mp4"))
    assert window.session.choice.sizes.brush_mark is None
    dropped(desk, str(broken))
    desk.wait(lambda: "broken.png cannot be a brush" in window.messages.text, "the message")
    assert window.messages.text.startswith("This brush cannot be used: ")
    desk.settle()
    assert (window.session.choice.sizes.brush_mark, window.inspector.stroke.kinds.own.isChecked()) == (None, False)
    window.messages.clear_problem()
    assert farthest(desk.wait_still(), first) == 0
    good = wedge(tmp_path / "good.png")
    for path in (good, str(broken)):
        dropped(desk, path)
        desk.settle()
    assert window.session.choice.sizes.brush_mark == desk.settings.strokes.brush_mark == good
    assert window.inspector.stroke.kinds.own.toolTip().startswith("good.png")
    assert mark_of(desk) == open_brush_tip(good)
    of_gimp = tmp_path / "round.gbr"
    of_gimp.write_bytes(gbr(ROUND))
    dropped(desk, str(of_gimp))
    desk.settle()
    assert mark_of(desk) == open_brush_tip(str(of_gimp)) != open_brush_tip(good)


@pytest.mark.slow
def test_the_next_start_has_the_mark_while_its_picture_is_there(hand: Hand, tmp_path: Path) -> None:
    desk, path = hand.desk, wedge(tmp_path / "mark.png")
    dropped(desk, path)
    desk.settle()
    desk.close()
    again = Desk(tmp_path)
    assert again.window.inspector.stroke.kinds.own.isChecked()
    again.open("cfr.mp4")
    assert mark_of(again) == open_brush_tip(path)
    again.close()
    Path(path).unlink()
    last = Desk(tmp_path)
    last.wait(lambda: "mark.png cannot be a brush: there is no such file" in last.window.messages.text, "the message")
    assert not last.window.inspector.stroke.kinds.own.isChecked()
    last.close()


@pytest.mark.slow
def test_a_click_paints_with_another_brush_and_another_click_with_the_styles(hand: Hand, tmp_path: Path) -> None:
    desk, window = hand.desk, hand.desk.window
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")
    first = desk.picture()
    assert (chosen(desk), window.session.choice.sizes.brush_kind) == (["oil"], None)
    assert buttons(desk)["oil"].accessibleDescription() == "The style's brush"
    knife = choose(hand, "palette-knife")
    assert (chosen(desk), window.session.choice.sizes.brush_kind) == (["palette-knife"], "palette-knife")
    assert buttons(desk)["palette-knife"].accessibleName() == "Brush: Palette knife"
    assert window.exporting.spec("a", "b").sizes.brush_kind == "palette-knife"
    hand.key("e", CONTROL)
    dialog = window.findChildren(ExportDialog)[-1]
    assert "Palette knife" in dialog.summary
    dialog.reject()
    window.inspector.looks.save("slabs")
    assert read_look(window.inspector.looks.saved["slabs"]).sizes.brush_kind == "palette-knife"
    hand.key("z", CONTROL)
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "the brush before")
    assert (chosen(desk), window.session.choice.sizes.brush_kind) == (["oil"], None)
    window.inspector.looks.open(window.inspector.looks.saved["slabs"])
    desk.wait(lambda: farthest(desk.picture(), knife) == 0, "the saved brush")
    desk.rest(HISTORY_S)
    hand.click(buttons(desk)["palette-knife"])
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "the style's brush")
    assert window.session.choice.sizes.brush_kind is None
    choose(hand, "pointillist")
    hand.click(hand.button("reset-look"))
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "the style's brush after a reset")


@pytest.mark.slow
def test_fewer_strokes_are_those_of_the_preview_the_export_a_saved_look_and_the_next_start(
    hand: Hand, tmp_path: Path
) -> None:
    desk, window = hand.desk, hand.desk.window
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")
    first, action = desk.picture(), window.actions_["few-strokes"]
    action.trigger()
    desk.wait(lambda: farthest(desk.picture(), first) > 0, "fewer strokes")
    assert window.exporting.spec("a", "b").sizes.few_strokes
    hand.key("e", CONTROL)
    dialog = window.findChildren(ExportDialog)[-1]
    assert "fewer strokes" in dialog.summary
    dialog.reject()
    window.inspector.looks.save("quick")
    assert read_look(window.inspector.looks.saved["quick"]).sizes.few_strokes
    desk.rest(HISTORY_S)
    hand.key("z", CONTROL)
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "all strokes")
    assert not action.isChecked()
    window.inspector.looks.open(window.inspector.looks.saved["quick"])
    desk.wait(lambda: action.isChecked(), "the saved look")
    desk.close()
    again = Desk(tmp_path)
    assert again.window.session.choice.sizes.few_strokes
    assert again.window.actions_["few-strokes"].isChecked()
    again.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ending", "words"),
    [
        ("sizes", "png", "sizes by my map"),
        ("directions", "png", "directions by my map"),
        ("sizes", "mkv", "sizes by my map"),
    ],
)
def test_a_map_of_the_brush_is_chosen_in_the_menu_and_left_there(
    hand: Hand, name: str, ending: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, window = hand.desk, hand.desk.window
    first, action, path = desk.picture(), window.actions_[f"map-{name}"], str(tmp_path / f"my map.{ending}")
    if ending == "png":
        wedge(Path(path))
    else:
        encode(Path(path), [grey(code) for code in (255, 0, 255)])
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    action.trigger()
    assert not action.isChecked()
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    action.trigger()
    desk.wait(lambda: farthest(desk.picture(), first) > 0, "the map in the picture")
    assert action.isChecked()
    assert getattr(window.exporting.spec("a", "b").sizes, f"brush_{name}") == path
    hand.key("e", CONTROL)
    dialog = window.findChildren(ExportDialog)[-1]
    assert words in dialog.summary
    dialog.reject()
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    window.session.use(**{f"brush_{name}": str(broken)})
    desk.wait(lambda: f"broken.png cannot be a map of {name}" in window.messages.text, "the message")
    desk.settle()
    assert (getattr(window.session.choice.sizes, f"brush_{name}"), action.isChecked()) == (path, True)
    window.messages.clear_problem()
    action.trigger()
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "no map")
    assert getattr(window.session.choice.sizes, f"brush_{name}") is None


@pytest.mark.slow
def test_the_next_start_has_the_brush(hand: Hand, tmp_path: Path) -> None:
    desk = hand.desk
    choose(hand, "fine")
    desk.close()
    again = Desk(tmp_path)
    assert again.window.session.choice.sizes.brush_kind == "fine"
    assert chosen(again) == ["fine"]
    again.close()


def test_a_brush_that_is_no_longer_known_is_not_remembered(tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for text, kind in (("gouache", "gouache"), ("hairy", None), ("", None)):
        store.setValue("brush-kind", text)
        assert Settings(store, tmp_path).strokes.brush_kind == kind


@pytest.mark.slow
def test_arrow_keys_go_from_brush_to_brush_and_not_through_the_film(hand: Hand) -> None:
    desk, window = hand.desk, hand.desk.window
    buttons(desk)["oil"].setFocus(Qt.FocusReason.TabFocusReason)
    for key, name in ((Qt.Key.Key_Right, "bristle"), (Qt.Key.Key_Down, "impressionist")):
        QTest.keyClick(window.focusWidget(), key)
        assert chosen(desk) == [name]
        assert window.focusWidget() is buttons(desk)[name]
        assert window.session.choice.sizes.brush_kind == name
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Space)  # as a click
    assert (chosen(desk), window.session.choice.sizes.brush_kind) == (["oil"], None)
    assert window.session.shown_at.number == 0


@pytest.mark.slow
def test_without_strokes_there_is_no_brush_to_choose(hand: Hand) -> None:
    desk, panel = hand.desk, hand.desk.window.inspector.panel
    assert buttons(desk)["fine"].isEnabled()
    panel.brushwork.shares["brush"].slider.setValue(0)
    assert not buttons(desk)["fine"].isEnabled()
    panel.brushwork.shares["brush"].slider.setValue(50)
    assert buttons(desk)["fine"].isEnabled()


@pytest.mark.parametrize("name", ["Öl", "pgy", "ÄÖÜ Impressionistisch"])
def test_a_name_does_not_touch_the_edge_of_its_band(name: str, application: QApplication) -> None:
    button = KindButton("oil", name)
    button.resize(145, 32)
    black = QImage(145, 32, QImage.Format.Format_RGB32)
    black.fill(Qt.GlobalColor.black)
    button.show_picture(black)
    button.show_chosen(False, name, "")
    seen = button.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    inside = range(4, button.fontMetrics().horizontalAdvance(name))
    rows = [y for y in range(3, 29) if any(seen.pixelColor(x, y).value() > 60 for x in inside)]
    assert rows[-1] < 28, "the lower edge"
    top = next(y for y in range(3, 29) if seen.pixelColor(3, y).value() > 0)
    assert rows[0] >= top + 2, "the upper edge"
    button.close()
