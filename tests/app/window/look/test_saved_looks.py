"""Saved looks, undo and redo, the stroke: in the window and from file to file."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QInputDialog, QMenu, QMessageBox, QWidget

from framebrush.gpu.look import Look
from framebrush.jobs.look_file import SUFFIX
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import MAX_BYTES, LookError, LookFolder, read_look, write_look
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.window.widgets import file_dialogs
from tests.app.styles.test_dabs import ROUND, gbr
from tests.app.window.conftest import CLIPS, NEVER_MS, Desk

pytestmark = pytest.mark.media

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_a_look_survives_its_file(tmp_path: Path) -> None:
    look = Recipe(StyleSpec("scream:0.6,udnie:0.4"), Look(strength=0.7, exposure_ev=1.5, detail=0.6), SizeSpec(3.0))
    write_look(look, tmp_path / "new" / "a.json")
    assert read_look(tmp_path / "new" / "a.json") == look
    assert list((tmp_path / "new").iterdir()) == [tmp_path / "new" / "a.json"]


def test_what_is_beside_the_look_travels_with_it(tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    there.mkdir()
    maps = {"brush_sizes": str(there / "depth.mp4"), "brush_directions": str(there / "flow-%04d.png")}
    write_look(Recipe(StyleSpec(str(there / "own.onnx")), sizes=SizeSpec(**maps)), there / "a.json")
    assert "there" not in (there / "a.json").read_text()
    there.rename(here)
    look = read_look(here / "a.json")
    assert look.style.name == str(here / "own.onnx")
    assert (look.sizes.brush_sizes, look.sizes.brush_directions) == (
        str(here / "depth.mp4"),
        str(here / "flow-%04d.png"),
    )


GOOD = {"framebrush_look": 1, "style": {"name": "ink"}}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "5",
        "[" * 30_000,
        json.dumps({"style": {"name": "ink"}}),
        json.dumps({**GOOD, "framebrush_look": 3}),
        json.dumps({**GOOD, "framebrush_look": 2, "stroke": 2.0}),
        json.dumps({**GOOD, "framebrush_look": 2, "sizes": {"size": "2x"}}),
        json.dumps({**GOOD, "framebrush_look": True}),
        json.dumps({**GOOD, "stroke": 99}),
        json.dumps({**GOOD, "stroke": "x"}),
        json.dumps({**GOOD, "look": {"strength": 7}}),
        json.dumps({**GOOD, "look": {"split": 0.5}}),
        json.dumps({**GOOD, "look": {"mix": [1.0]}}),
        json.dumps({**GOOD, "more": 1}),
        json.dumps({**GOOD, "style": {"name": ""}}),
        " " * (MAX_BYTES + 1),
        "\xff\xfe",
    ],
)
def test_a_file_that_is_no_look_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "look.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(LookError, match=r"look\.json") as refused:
        read_look(path)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


@pytest.mark.slow
def test_a_look_is_saved_shared_imported_and_removed(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, looks = desk.window, desk.window.inspector.looks
    looks.folder = LookFolder(tmp_path / "looks")
    desk.open("cfr.mp4")
    window.session.use_style("ink")
    desk.wait_style("ink")
    window.inspector.panel.sliders["strength"].slider.setValue(55)
    window.inspector.stroke.slider.slider.setValue(8)
    looks.save("Warm / soft")
    assert list(looks.saved) == ["Warm soft"]
    window.inspector.panel.reset()
    window.session.use_style("none")
    window.inspector.stroke.slider.slider.setValue(4)
    desk.wait_style("none")
    looks.fill()
    looks.menu.actions()[0].trigger()
    desk.wait_style("ink")
    assert window.session.choice.look.strength == pytest.approx(0.55)
    assert window.session.choice.sizes.stroke == 2.0
    desk.wait(lambda: "80 × 48" in window.inspector.stroke.figure.text(), "the working size")
    shared = tmp_path / "shared.json"
    monkeypatch.setattr(file_dialogs.QFileDialog, "getSaveFileName", lambda *_: (str(shared), ""))
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: (str(shared), ""))
    looks.share(looks.saved["Warm soft"])
    assert window.settings.folder("look") == tmp_path
    looks.remove(looks.saved["Warm soft"])
    assert looks.saved == {}
    looks.import_look()
    assert list(looks.saved) == ["shared"]
    looks.import_look()  # the same one
    assert list(looks.saved) == ["shared"]
    shared.write_text("{")
    looks.import_look()
    assert "shared.json" in window.messages.text
    looks.save("con")  # a device of Windows, as a file of that name would be
    assert list(looks.saved) == ["_con", "shared"]
    kept = looks.saved["shared"]
    kept.unlink()
    (kept / "full").mkdir(parents=True)
    looks.remove(kept)
    assert "cannot be removed" in window.messages.text
    looks.folder = LookFolder(shared)  # no folder
    assert looks.saved == {}


def test_a_look_gets_another_name(desk: Desk, tmp_path: Path) -> None:
    window, looks = desk.window, desk.window.inspector.looks
    looks.folder = LookFolder(tmp_path / "looks")
    for name, value in (("one", 30), ("other", 60)):
        window.inspector.panel.sliders["strength"].slider.setValue(value)
        looks.save(name)
    looks.fill()
    (rename,) = [each for each in looks.menu.actions() if each.text() == "Rename"]
    rename.menu().actions()[0].trigger()
    (dialog,) = window.findChildren(QInputDialog)
    assert dialog.textValue() == "one"
    confirm = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    dialog.setTextValue(" / ")
    assert not confirm.isEnabled()
    dialog.setTextValue("one")
    assert confirm.isEnabled()
    dialog.setTextValue("Warm / soft")
    dialog.accept()
    assert list(looks.saved) == ["Warm soft", "other"]
    assert read_look(looks.saved["Warm soft"]).look.strength == pytest.approx(0.3)
    looks.rename(looks.saved["other"], "Warm soft")
    assert "already a look" in window.messages.text
    assert read_look(looks.saved["Warm soft"]).look.strength == pytest.approx(0.3)
    looks.rename(looks.saved["other"], " ")
    gone = looks.saved["other"]
    gone.unlink()
    looks.rename(gone, "third")
    assert "cannot be renamed" in window.messages.text
    assert list(looks.saved) == ["Warm soft"]
    next(each for each in looks.menu.actions() if each.text() == "Save this look…").trigger()
    dialog = window.findChildren(QInputDialog)[-1]
    assert (dialog.windowTitle(), dialog.textValue()) == ("Save this look", "")
    dialog.setTextValue("fourth")
    dialog.accept()
    assert list(looks.saved) == ["Warm soft", "fourth"]


def test_a_look_file_is_shared_and_dropped_anywhere(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file contains its brush tip, stored elsewhere afterwards."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    window, looks, packed = desk.window, desk.window.inspector.looks, tmp_path / f"Chalk{SUFFIX}"
    looks.folder, tip = LookFolder(tmp_path / "looks"), tmp_path / "tip.gbr"
    tip.write_bytes(gbr(ROUND))
    window.session.use(brush_mark=str(tip))
    looks.save("Chalk")
    asked: list[str] = []

    def save_dialog(*given: object) -> tuple[str, str]:
        asked.extend(map(str, given[2:]))
        return str(packed), ""

    monkeypatch.setattr(file_dialogs.QFileDialog, "getSaveFileName", save_dialog)
    looks.share(looks.saved["Chalk"])
    assert [Path(asked[0]).name, *asked[1:]] == ["Chalk.fblook", "Saved looks (*.fblook *.json)"]
    looks.folder.remove(looks.saved["Chalk"])
    tip.unlink()
    for number, part in enumerate(
        (window.view, window.inspector.gallery, window.export_panel.viewport(), window.inspector.stroke.kinds)
    ):
        window.session.use(brush_mark=None)
        dropped(part, packed)
        desk.wait(lambda: window.session.choice.sizes.brush_mark is not None, "the look")
        mark = window.session.choice.sizes.brush_mark
        assert Path(mark).read_bytes() == gbr(ROUND), f"{type(part).__name__}: {window.messages.text}"
        assert list(looks.saved) == ["Chalk"], number
    packed.write_bytes(packed.read_bytes()[:-200])
    window.session.use(brush_mark=None)
    dropped(window.view, packed)
    desk.wait(lambda: "Chalk.fblook is not a look file: it is damaged" in window.messages.text, "the refusal")
    assert window.session.choice.sizes.brush_mark is None


def test_what_no_part_of_the_window_takes_is_not_dropped(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.touch()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(other))])
    facts = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter, drop = QDragEnterEvent(QPoint(9, 9), *facts), QDropEvent(QPointF(9, 9), *facts)
    for event, take in ((enter, desk.window.dragEnterEvent), (drop, desk.window.dropEvent)):
        event.ignore()
        take(event)  # type: ignore[operator]
        assert not event.isAccepted()
    assert desk.window.session.opened is None


def dropped(part: QWidget, path: Path) -> None:
    """Drop a file on a part of the window, as the desktop does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    facts = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(part, QDragEnterEvent(QPoint(9, 9), *facts))
    QApplication.sendEvent(part, QDropEvent(QPointF(9, 9), *facts))


@pytest.mark.slow
def test_no_look_is_replaced_unasked(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window, looks = desk.window, desk.window.inspector.looks
    looks.folder = LookFolder(tmp_path / "looks")

    def kept() -> dict[str, float]:
        return {name: read_look(path).look.strength for name, path in looks.saved.items()}

    window.inspector.panel.sliders["strength"].slider.setValue(55)
    looks.save("Mine")
    window.inspector.panel.sliders["strength"].slider.setValue(80)
    for button, strength in (("Cancel", 0.55), ("Replace", 0.8)):
        looks.save("Mine")
        (box,) = window.findChildren(QMessageBox)
        assert kept() == {"Mine": 0.55}
        next(each for each in box.buttons() if each.text().replace("&", "") == button).click()
        desk.wait(lambda: not window.findChildren(QMessageBox), "the end of the question")
        assert kept() == {"Mine": strength}
    given = tmp_path / "Mine.json"
    write_look(Recipe(StyleSpec("none"), Look(strength=0.25)), given)
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", lambda *_: (str(given), ""))
    for _ in range(2):
        looks.import_look()
        assert kept() == {"Mine": 0.8, "Mine 2": 0.25}
    assert "There is already a look Mine; this one is kept as Mine 2." in window.notes.text
    assert window.session.choice.look.strength == 0.25


def test_a_change_is_undone_at_once(desk: Desk) -> None:
    """Before it has come to rest, also the first one of all; nothing can be redone after it."""
    desk.open("cfr.mp4")
    desk.wait_style("none")
    window, slider = desk.window, desk.window.inspector.panel.sliders["strength"].slider
    undo, redo = window.actions_["undo"], window.actions_["redo"]
    window.history.debounce.setInterval(NEVER_MS)
    for value in (90, 60):
        slider.setValue(value)
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)
    desk.key("z", CTRL)
    assert window.session.choice.look.strength == 1.0
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    slider.setValue(30)
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)
    desk.key("z", CTRL | SHIFT)
    assert window.session.choice.look.strength == pytest.approx(0.3)
    slider.setValue(100)  # as it was: nothing is left to undo
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    desk.key("z", CTRL | SHIFT)
    assert window.session.choice.look.strength == pytest.approx(0.6)


@pytest.mark.slow
def test_what_is_changed_as_the_window_is_closed_is_there_next_time(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    window, closed = desk.window, threading.Event()
    window.inspector.stroke.debounce.setInterval(NEVER_MS)
    window.player.post(closed.wait)
    window.session.use_style("ink")  # which is still to be loaded
    window.inspector.panel.sliders["strength"].slider.setValue(60)
    window.inspector.stroke.slider.slider.setValue(12)
    window.close()
    closed.set()
    desk.close()
    again = Desk(tmp_path, style="")
    again.wait_style("ink")
    choice = again.window.session.choice
    assert (choice.style.name, choice.look.strength, choice.sizes.stroke) == ("ink", 0.6, 3.0)
    again.close()


@pytest.mark.slow
def test_undo_and_redo(desk: Desk) -> None:
    window = desk.window
    desk.open("cfr.mp4")
    desk.wait_style("none")
    desk.rest(0.5)
    assert not window.actions_["undo"].isEnabled()
    for value in range(99, 39, -1):
        window.inspector.panel.sliders["strength"].slider.setValue(value)  # one drag, one step
    desk.rest(0.5)
    window.session.use_style("ink")
    desk.wait_style("ink")
    desk.rest(0.6)
    window.inspector.stroke.slider.slider.setValue(8)
    assert len(window.history.steps) == 2
    desk.key("z", CTRL)  # also what was changed a moment ago
    assert window.session.choice.sizes.stroke == "auto"
    desk.key("z", CTRL)
    desk.wait_style("none")
    desk.rest(0.6)  # what an undo changes is no change
    desk.key("z", CTRL)
    assert window.session.choice.look.strength == 1.0
    assert not window.actions_["undo"].isEnabled()
    for _ in range(3):
        desk.key("z", CTRL | SHIFT)
    desk.wait_style("ink")
    assert window.session.choice.look.strength == pytest.approx(0.4)
    assert window.session.choice.sizes.stroke == 2.0
    assert not window.actions_["redo"].isEnabled()
    desk.wait(lambda: "80 × 48" in window.inspector.stroke.figure.text(), "the working size")


@pytest.mark.slow
def test_detail_is_seen_at_once_undone_and_remembered(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    desk.open("cfr.mp4")
    window.session.use_style("ink")
    desk.wait_style("ink")
    window.inspector.stroke.slider.slider.setValue(12)
    desk.wait(lambda: "53 × 32" in window.inspector.stroke.figure.text(), "the working size")
    desk.rest(0.6)
    broad = desk.picture().astype(int)
    slider = window.inspector.panel.sliders["detail"].slider
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert window.session.choice.look.detail == 1.0
    desk.wait(lambda: np.abs(desk.picture() - broad).max() > 10, "detail")
    desk.rest(0.6)
    desk.key("z", CTRL)
    desk.wait(lambda: np.abs(desk.picture() - broad).max() == 0, "broad strokes")
    assert window.session.choice.look.detail == 0.0
    desk.key("z", CTRL | SHIFT)
    assert window.session.choice.look.detail == 1.0
    desk.close()
    again = Desk(tmp_path)
    assert again.window.inspector.panel.sliders["detail"].value == 1.0
    assert again.window.exporting.spec("a", "b").look.detail == 1.0
    again.close()


@pytest.mark.slow
def test_the_stroke_and_the_preview_are_remembered(desk: Desk, tmp_path: Path) -> None:
    desk.window.inspector.stroke.slider.slider.setValue(12)
    desk.wait(lambda: desk.settings.strokes.stroke == 3.0, "the stroke")
    desk.window.preferences.use("preview", "half")
    desk.close()
    again = Desk(tmp_path)
    assert again.window.session.choice.sizes.stroke == 3.0
    assert again.window.player.engine._quality.mode == "half"
    assert again.window.exporting.spec("a", "b").sizes.stroke == 3.0
    again.close()


@pytest.mark.slow
def test_one_line_says_what_is_seen(desk: Desk) -> None:
    window, figure, seen = desk.window, desk.window.inspector.stroke.figure, desk.window.status.seen
    assert seen.text() == ""
    desk.open("landscape.mp4")
    window.session.use_style("ink")
    desk.wait_style("ink")
    desk.wait(lambda: "Painted at 640 × 360" in figure.text(), "the working size")
    assert seen.text() == "Preview at full size"
    window.preferences.use("preview", "quarter")
    window.actions_["play"].trigger()
    desk.wait(lambda: seen.text() == "Preview at 160 × 90", "what the preview lacks")
    assert "Strokes are as wide as in an export" in seen.toolTip()
    assert "Painted at 640 × 360" in figure.text()  # an export
    window.actions_["play"].trigger()
    desk.wait(lambda: seen.text() == "Preview at full size", "all of it")
    window.actions_["close"].trigger()
    desk.wait(lambda: seen.text() == "", "nothing")


@pytest.mark.slow
def test_the_command_line_takes_a_look_and_options_count_more(tmp_path: Path) -> None:
    from framebrush.cli.command_line import run

    write_look(Recipe(StyleSpec("ink"), Look(strength=0.0)), tmp_path / "source.json")
    write_look(Recipe(StyleSpec("ink")), tmp_path / "ink.json")
    pictures = {}
    for name, more in (("source", []), ("ink", []), ("source", ["--strength", "1"]), ("ink", ["--style", "none"])):
        target = tmp_path / f"{name}{len(more)}.png"
        command = ["frame", str(CLIPS / "cfr.mp4"), str(target), "--device", "cpu"]
        assert run([*command, "--look", str(tmp_path / f"{name}.json"), *more]) == 0
        pictures[name, bool(more)] = target.read_bytes()
    assert pictures["source", False] == pictures["ink", True]
    assert pictures["source", True] == pictures["ink", False]
    assert pictures["source", False] != pictures["ink", False]
    write_look(Recipe(StyleSpec("ink"), Look(detail=1.0), SizeSpec(4.0)), tmp_path / "detail.json")
    fine = ["--stroke", "4", "--detail", "1"]
    for name, more in (("detail", []), ("ink", fine), ("detail", ["--detail", "0"]), ("ink", fine[:2])):
        target = tmp_path / "fine.png"
        command = ["frame", str(CLIPS / "cfr.mp4"), str(target), "--device", "cpu", "-y"]
        assert run([*command, "--look", str(tmp_path / f"{name}.json"), *more]) == 0
        pictures[name, len(more)] = target.read_bytes()
    assert pictures["detail", 0] == pictures["ink", 4]
    assert pictures["detail", 2] == pictures["ink", 2]
    assert pictures["detail", 0] != pictures["ink", 2]
    (tmp_path / "bad.json").write_text("{")
    assert run([*command, "--look", str(tmp_path / "bad.json")]) == 1


def test_the_menu_is_filled_anew_and_does_not_grow(desk: Desk) -> None:
    looks = desk.window.inspector.looks
    looks.save("one")
    counts = []
    for _ in range(3):
        looks.fill()
        counts.append((len(looks.menu.findChildren(QMenu)), len(looks.menu.findChildren(QAction))))
    assert counts[0] == counts[1] == counts[2]
