"""The form for a new style by itself: its defaults, memory, offers and orders."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QWidget

from framebrush.models.training_needs import (
    ENOUGH_PHOTOS,
    FEWEST_PHOTOS,
    GOOD_PAINTING_PX,
    MOST_PHOTOS,
    SMALLEST_PAINTING_PX,
)
from framebrush.styles.style_folder import StyleFolder
from framebrush.window.state.window_settings import Settings
from framebrush.window.training import form as form_module
from framebrush.window.training.capabilities import Facts, TrainingCapabilities
from framebrush.window.training.form import NewStyleForm
from framebrush.window.training.training_spec import TrainingSpec
from tests.app.window.test_background import wait

pytestmark = pytest.mark.unit


@dataclass
class Made:
    """A form and its arguments."""

    form: NewStyleForm
    settings: Settings
    facts: TrainingCapabilities
    folder: Path

    def tell(self, facts: Facts) -> None:
        self.facts.facts = facts
        self.facts.found.emit(facts)

    def button(self, text: str, number: int = 0) -> QPushButton:
        return [each for each in self.form.findChildren(QPushButton) if each.text() == text][number]


@pytest.fixture
def make(application: QApplication, tmp_path: Path) -> Iterator[Callable[[], Made]]:
    parent = QWidget()

    def made() -> Made:
        store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        settings, facts = Settings(store, tmp_path / "data"), TrainingCapabilities("", parent)
        form = NewStyleForm(settings, StyleFolder(tmp_path / "styles"), facts, parent, lambda: "film.mp4")
        return Made(form, settings, facts, tmp_path)

    yield made
    shiboken6.delete(parent)


def painting(folder: Path, side_px: int, name: str = "the_old-mill.png") -> Path:
    image = QImage(side_px, side_px + 10, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    image.save(str(folder / name))
    return folder / name


def test_only_a_picture_is_needed_and_it_gives_the_name(make: Callable[[], Made]) -> None:
    made = make()
    form = made.form
    assert (form.name_field.text(), form.photos_field.text(), form.count_line.text()) == ("", "", "")
    assert form.photos_field.placeholderText() == "Optional: frames of the open film and of the sample film"
    assert form.features_field.placeholderText() == "Optional: part of Framebrush"
    assert form.name_field.maxLength() == 60
    assert form.problem.isHidden()
    made.tell(Facts(device="A card", gpu=True))
    assert not form.is_complete
    path = painting(made.folder, SMALLEST_PAINTING_PX)
    form.show_picture(path)
    assert not form.is_complete  # until it was read
    wait(lambda: form.is_complete)
    assert form.name_field.text() == "The old mill"
    spec = form.spec
    assert spec == TrainingSpec("The old mill", str(path), stroke_px=10.0, film="film.mp4")
    (shown,) = [each for each in form.findChildren(QLabel) if each.accessibleName() == "Picture"]
    assert shown.alignment() == Qt.AlignmentFlag.AlignCenter
    assert 0 < shown.pixmap().height() <= shown.height()
    other = painting(made.folder, SMALLEST_PAINTING_PX - 1, "other.png")
    form.show_picture(other)
    assert not form.is_complete
    wait(
        lambda: form.size_line.text().startswith(
            f"{SMALLEST_PAINTING_PX - 1} × {SMALLEST_PAINTING_PX + 9} pixels: too small"
        )
    )
    assert (form.is_complete, form.name_field.text()) == (False, "The old mill")
    form.show_picture(path)
    wait(lambda: form.is_complete)
    form.name_field.setText("...")
    assert not form.is_complete
    form.name_field.setText("Mill")
    assert form.is_complete
    for facts in (Facts("Not installed: PyTorch."), None):
        made.facts.facts = facts
        assert not form.is_complete


@pytest.mark.parametrize(
    ("side_px", "said"),
    [
        (SMALLEST_PAINTING_PX, "256 × 266 pixels: low resolution for brush strokes."),
        (GOOD_PAINTING_PX - 1, "599 × 609 pixels: low resolution for brush strokes."),
        (GOOD_PAINTING_PX, "600 × 610 pixels"),
        (0, "This file is not a readable picture."),
    ],
)
def test_a_picture_is_judged(make: Callable[[], Made], side_px: int, said: str) -> None:
    made = make()
    path = painting(made.folder, side_px) if side_px else made.folder / "none.png"
    made.form.show_picture(path)
    wait(lambda: made.form.size_line.text() == said)
    assert made.form.name_field.text() == ("The old mill" if side_px else "None")


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, f"At least {FEWEST_PHOTOS} are needed"),
        (FEWEST_PHOTOS - 1, f"At least {FEWEST_PHOTOS} are needed"),
        (FEWEST_PHOTOS, f"{ENOUGH_PHOTOS} or more would be better."),
        (ENOUGH_PHOTOS - 1, f"{ENOUGH_PHOTOS} or more would be better."),
        (ENOUGH_PHOTOS, f"Up to {MOST_PHOTOS} of them are used; none leaves"),
    ],
)
def test_photographs_are_counted_below_a_folder(make: Callable[[], Made], count: int, said: str) -> None:
    made = make()
    form, photos = made.form, made.folder / "photos" / "below"
    photos.mkdir(parents=True)
    (photos / "notes.txt").touch()
    for number in range(count):
        (photos / f"{number}.JPG").touch()
    form.photos_field.setText(str(photos.parent))
    assert form.count_line.text() == "Looking for photographs…"
    wait(lambda: form.count_line.text() != "Looking for photographs…")
    assert form.count_line.text().startswith(f"{count} photograph")
    assert said in form.count_line.text()
    form.photos_field.clear()
    wait(lambda: form.count_line.text() == "")
    (made.folder / "film.mp4").touch()
    form.photos_field.setText(str(made.folder / "film.mp4"))
    wait(lambda: form.count_line.text() == "Frames from all over this film are used.")


def test_material_is_remembered_as_whole_paths_and_an_attempt_is_filled_in(make: Callable[[], Made]) -> None:
    made, picture = make(), "none.png"
    made.form.photos_field.setText(str(made.folder))
    made.form.features_field.setText("weights.npz")
    assert made.form.spec.features == str(Path("weights.npz").absolute())
    weights = made.folder / "weights.npz"
    weights.touch()
    made.form.features_field.setText(str(weights))
    made.form.remember()
    again = make()
    assert again.form.photos_field.text() == str(made.folder)
    assert again.form.features_field.text() == str(weights)
    again.form.photos_field.clear()
    again.form.features_field.clear()
    again.form.remember()
    assert make().form.photos_field.text() == ""
    former = TrainingSpec("Mill", picture, str(made.folder), "a.npz", "quality", 20.4, 700, 2)
    again.form.show_spec(former)
    spec = again.form.spec
    assert (spec.name, spec.picture, spec.photos) == ("Mill", picture, str(made.folder))
    assert (spec.size, spec.stroke_px, spec.steps, spec.batch) == ("quality", 20.0, 700, 2)
    assert again.form.stroke.slider.accessibleName() == "Width of the strokes"
    assert again.form.features_field.text() == "a.npz"
    for text in ("It failed.", ""):
        again.form.show_problem(text)
        assert (again.form.problem.text(), again.form.problem.isHidden()) == (text, not text)


def test_what_training_takes_or_lacks_is_said(make: Callable[[], Made], monkeypatch: pytest.MonkeyPatch) -> None:
    made = make()
    form = made.form
    asking = [form.missing, form.copy, form.look_again, form.other_python]
    assert form.estimate.text() == "Checking what this computer can train with…"
    assert [each.isHidden() for each in (*asking, form.estimate)] == [True] * 4 + [False]
    slow = "PyTorch finds no usable GPU; training works on the CPU, but slowly. "
    for facts, said in (
        (Facts("", "A card", True), "A card. The time is being measured…"),
        (Facts("", "A card", True, 0.01), "A card. Training takes about 4 min, as just measured."),
        (Facts("", "", False, 1.0), f"{slow}Training takes about 7 h, as just measured."),
    ):
        made.tell(facts)
        assert form.estimate.text() == said
    made.tell(Facts("Not installed: PyTorch."))
    assert [each.isHidden() for each in (*asking, form.estimate)] == [False] * 4 + [True]
    lacks = "Training a style needs PyTorch and Pillow. Not installed: PyTorch."
    command = f"{sys.executable} -m pip install torch pillow"
    assert form.missing.text() == f"{lacks} Install it with this command, then look again:\n{command}"
    form.copy.click()
    assert QApplication.clipboard().text() == command
    made.facts.python = "/a folder/python"
    form.copy.click()
    assert QApplication.clipboard().text() == '"/a folder/python" -m pip install torch pillow'
    monkeypatch.setattr(form_module, "IN_BUNDLE", True)
    made.tell(Facts("This program does not include Python."))
    assert form.missing.text().endswith('then choose that Python:\npython -m pip install "framebrush[train]"')


def test_files_are_chosen_and_their_folders_remembered(
    make: Callable[[], Made], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made, asked = make(), list[tuple[object, ...]]()
    form, chosen = made.form, [""]

    def choose(_: QWidget, *given: object) -> tuple[str, str]:
        asked.append(given)
        return chosen[0], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *given: choose(*given)[0])
    buttons = (
        made.button("Choose a picture…"),
        made.button("Choose…"),
        made.button("Choose…", 1),
        form.other_python,
    )
    for button in buttons:  # and the dialog is left
        button.click()
    assert (form.photos_field.text(), form.features_field.text(), form.name_field.text()) == ("", "", "")
    assert made.settings.folder("painting") is None
    assert [given[0] for given in asked] == [
        *("Picture of a painting", "Folder of photographs", "VGG16 weights", "A Python with PyTorch")
    ]
    assert "*.png" in str(asked[0][2])
    assert made.settings.path("python") == ""
    chosen[0] = str(painting(tmp_path, 300))
    buttons[0].click()
    assert form.spec.picture == chosen[0]
    assert made.settings.folder("painting") == tmp_path
    buttons[0].click()
    assert asked[-1][1] == str(tmp_path)
    chosen[0] = str(tmp_path)
    buttons[1].click()
    assert form.photos_field.text() == str(tmp_path)
    chosen[0] = str(tmp_path / "vgg.pth")
    buttons[2].click()
    assert form.features_field.text() == chosen[0]
    (tmp_path / "python").touch()  # no program
    chosen[0] = str(tmp_path / "python")
    buttons[3].click()
    assert (made.settings.path("python"), made.facts.python) == (chosen[0], chosen[0])
    assert form.estimate.text() == "Checking what this computer can train with…"
    wait(lambda: made.facts.is_idle)
    assert made.facts.facts is not None
    assert made.facts.facts.missing == f"{chosen[0]} could not be started."
