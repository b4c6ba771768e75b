"""Real file dialogs, answered by typing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QPushButton, QWidget

from framebrush.styles.style_folder import StyleFolder
from framebrush.window.exports.target_field import TargetField
from framebrush.window.state.window_settings import Settings
from framebrush.window.training.capabilities import TrainingCapabilities
from framebrush.window.training.form import NewStyleForm
from framebrush.window.widgets.file_dialogs import Files

Ask = Callable[[Files, str], Path | None]


class Asked(NamedTuple):
    """Name and folder that a dialog shows first."""

    name: str
    folder: Path
    patterns: str


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(QSettings(str(tmp_path / "ini"), QSettings.Format.IniFormat), tmp_path)


@pytest.fixture
def files(application: QApplication, settings: Settings, tmp_path: Path) -> Iterator[Files]:
    window = QWidget()
    (tmp_path / "new").mkdir()
    for kind in ("video", "look", "cube", "project"):
        settings.set_folder(kind, tmp_path / "new")
    yield Files(window, settings)
    window.deleteLater()


def typed(*answers: str | QMessageBox.StandardButton | None) -> list[Asked]:
    """Answer modal dialogs in turn: a name, or a button; "" accepts the proposed name, None cancels."""
    left, asked, timer = list(answers), list[Asked](), QTimer(QApplication.instance())

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QMessageBox) and isinstance(left[0], QMessageBox.StandardButton):
            dialog.button(left.pop(0)).click()
        elif isinstance(dialog, QFileDialog) and not isinstance(left[0], QMessageBox.StandardButton):
            field, name = dialog.findChild(QLineEdit, "fileNameEdit"), left.pop(0)
            folder, patterns = Path(dialog.directory().path()), dialog.nameFilters()
            asked.append(Asked(Path(field.text()).name, folder, patterns[0] if patterns else ""))
            field.setText(name or field.text())
            QTimer.singleShot(0, dialog.reject if name is None else dialog.accept)
        if not left:
            timer.stop()

    timer.timeout.connect(answer)
    timer.start(20)
    return asked


NAMES: list[tuple[Ask, str, str]] = [
    (Files.new_reveal, "mine", "mine.mp4"),
    (Files.new_reveal, "holiday 12.8.2026", "holiday 12.8.2026.mp4"),
    (Files.new_reveal, "mine.WebM", "mine.WebM"),
    (Files.new_look, "mine", "mine.fblook"),
    (Files.new_look, "mine.json", "mine.json"),
    (Files.new_cube, "mine.mp4", "mine.mp4.cube"),
    (Files.new_project, "mine", "mine.framebrush"),
]


@pytest.mark.parametrize(("ask", "name", "expected"), NAMES)
def test_a_name_without_a_known_ending_is_completed(
    files: Files, tmp_path: Path, ask: Ask, name: str, expected: str
) -> None:
    asked = typed(name)
    assert ask(files, "film-3") == tmp_path / "new" / expected
    assert Path(asked[0].name).stem == "film-3"


def test_a_completed_name_does_not_replace_a_file_unasked(files: Files, tmp_path: Path) -> None:
    (tmp_path / "new" / "mine.mp4").write_text("another film")
    answers = "mine", "", QMessageBox.StandardButton.No, "other"
    asked = typed(*answers)
    assert files.new_reveal("film") == tmp_path / "new" / "other.mp4"
    assert [each.name for each in asked] == ["film.mp4", "mine.mp4", "mine.mp4"]
    typed("mine", "", QMessageBox.StandardButton.Yes)
    assert files.new_reveal("film") == tmp_path / "new" / "mine.mp4"


OPENED: list[tuple[str, Callable[[Files], Path | None], str]] = [
    ("video", lambda files: next(iter(files.videos("Open")), None), "*.framebrush *.mkv *.webm"),
    ("style", lambda files: files.style(), "*.onnx *.png"),
    ("picture", lambda files: files.picture("Colours"), "*.png *.tiff"),
    ("picture", lambda files: files.brush("Brush"), "*.gbr *.png"),
    ("picture", lambda files: files.map("Mask"), "*.mp4 *.png"),
    ("cube", lambda files: files.cube(), "*.cube"),
    ("look", lambda files: files.saved_look(), "*.fblook *.json"),
    ("folder", lambda files: files.folder("Folder"), ""),
]
SAVED: list[tuple[str, Callable[[Files], Path | None], str]] = [
    ("cube", lambda files: files.new_cube("a"), "*.cube"),
    ("look", lambda files: files.new_look("a"), "*.fblook *.json"),
    ("project", lambda files: files.new_project("a"), "*.framebrush"),
    ("video", lambda files: files.new_reveal("a"), "*.gif *.mp4"),
]


@pytest.mark.parametrize(("kind", "ask", "patterns"), [*OPENED, *SAVED])
def test_a_dialog_begins_where_its_kind_was_chosen_last(
    files: Files, settings: Settings, tmp_path: Path, kind: str, ask: Callable[[Files], Path | None], patterns: str
) -> None:
    (tmp_path / "other").mkdir()
    ending = patterns.split("*")[1].strip() if patterns else ""
    file = tmp_path / "other" / f"b{ending}" if ending else tmp_path / "other"
    if ending:
        file.touch()
    settings.set_folder(kind, tmp_path / "new")
    yes = [QMessageBox.StandardButton.Yes] if (kind, ask, patterns) in SAVED else []
    asked = typed(str(file), *yes)
    assert ask(files) == file
    assert asked[0].folder == tmp_path / "new"
    shown = asked[0].patterns.partition("(")[2].rstrip(")").split()
    assert set(patterns.split()) <= set(shown)
    assert settings.folder(kind) == tmp_path / "other"
    asked = typed(None)
    assert ask(files) is None
    assert asked[0].folder == tmp_path / "other"
    assert settings.folder(kind) == tmp_path / "other"


def test_a_project_begins_beside_its_film(files: Files, tmp_path: Path) -> None:
    (tmp_path / "films").mkdir()
    asked = typed(None, None)
    files.new_project("a", tmp_path / "films")
    files.new_project("a", tmp_path / "gone")
    assert [(each.name, each.folder.name) for each in asked] == [("a.framebrush", "films"), ("a.framebrush", "new")]


def test_an_export_s_name_is_chosen_without_a_question(application: QApplication, tmp_path: Path) -> None:
    field, there = TargetField(tmp_path / "a.mp4"), tmp_path / "b.webm"
    there.touch()  # the export dialog asks about it
    button = field.findChild(QPushButton)
    for answer, path in ((str(there), there), (None, there)):
        asked = typed(answer)
        button.click()
        assert field.path == path
    assert asked[0].name == "b.webm"
    assert asked[0].folder == tmp_path
    assert {"*.mkv", "*.mp4", "*.webm"} <= set(asked[0].patterns.partition("(")[2].rstrip(")").split())


class Dialog(NamedTuple):
    """Dialog of the training form: its button, its patterns, a file for it, and what shows the answer."""

    button: Callable[[NewStyleForm], QPushButton]
    patterns: str
    file: str
    shown: Callable[[NewStyleForm, Settings], str]


def chooses(row: int) -> Callable[[NewStyleForm], QPushButton]:
    return lambda form: [each for each in form.findChildren(QPushButton) if each.text().startswith("Choose")][row]


TRAINING: dict[str, Dialog] = {
    "picture": Dialog(chooses(0), "*.png *.jpg", "a.png", lambda form, _: form.spec.picture),
    "photographs": Dialog(chooses(1), "", "", lambda form, _: form.photos_field.text()),
    "weights": Dialog(chooses(2), "*.pth *.npz", "a.pth", lambda form, _: form.features_field.text()),
    "python": Dialog(
        lambda form: form.other_python,
        "python.exe pythonw.exe" if os.name == "nt" else "*",
        "python.exe" if os.name == "nt" else "python",
        lambda _, settings: settings.path("python"),
    ),
}


@pytest.mark.parametrize("name", TRAINING)
def test_the_training_form_takes_what_is_chosen(
    application: QApplication, settings: Settings, tmp_path: Path, name: str
) -> None:
    button, patterns, file, shown = TRAINING[name]
    window = QWidget()
    form = NewStyleForm(settings, StyleFolder(tmp_path / "styles"), TrainingCapabilities("", window), window)
    chosen = tmp_path / "a folder" / file
    (tmp_path / "a folder").mkdir()
    if file:
        chosen.touch()
    before = shown(form, settings)
    asked = typed(None)
    button(form).click()
    assert shown(form, settings) == before
    assert set(patterns.split()) <= set(asked[0].patterns.partition("(")[2].rstrip(")").split())
    typed(str(chosen))
    button(form).click()
    assert shown(form, settings) == str(chosen)
    form.hide()
    window.deleteLater()
