"""Names for new files, typed into the real dialog."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget

from framebrush.window.state.window_settings import Settings
from framebrush.window.widgets.file_dialogs import Files

Ask = Callable[[Files, str], Path | None]


@pytest.fixture
def files(application: QApplication, tmp_path: Path) -> Iterator[Files]:
    window, settings = QWidget(), Settings(QSettings(str(tmp_path / "ini"), QSettings.Format.IniFormat), tmp_path)
    (tmp_path / "new").mkdir()
    for kind in ("video", "look", "cube", "project"):
        settings.set_folder(kind, tmp_path / "new")
    yield Files(window, settings)
    window.deleteLater()


def typed(*answers: str | QMessageBox.StandardButton) -> list[str]:
    """Answer modal dialogs in turn: a name, or a button; "" accepts the proposed name. Returns the proposed names."""
    left, proposed, timer = list(answers), list[str](), QTimer(QApplication.instance())

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QMessageBox) and isinstance(left[0], QMessageBox.StandardButton):
            dialog.button(left.pop(0)).click()
        elif isinstance(dialog, QFileDialog) and isinstance(left[0], str):
            field, name = dialog.findChild(QLineEdit, "fileNameEdit"), left.pop(0)
            proposed.append(Path(field.text()).name)
            field.setText(name or field.text())
            QTimer.singleShot(0, dialog.accept)
        if not left:
            timer.stop()

    timer.timeout.connect(answer)
    timer.start(20)
    return proposed


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
    proposed = typed(name)
    assert ask(files, "film-3") == tmp_path / "new" / expected
    assert Path(proposed[0]).stem == "film-3"


def test_a_completed_name_does_not_replace_a_file_unasked(files: Files, tmp_path: Path) -> None:
    (tmp_path / "new" / "mine.mp4").write_text("another film")
    answers = "mine", "", QMessageBox.StandardButton.No, "other"
    proposed = typed(*answers)
    assert files.new_reveal("film") == tmp_path / "new" / "other.mp4"
    assert proposed == ["film.mp4", "mine.mp4", "mine.mp4"]
    typed("mine", "", QMessageBox.StandardButton.Yes)
    assert files.new_reveal("film") == tmp_path / "new" / "mine.mp4"
