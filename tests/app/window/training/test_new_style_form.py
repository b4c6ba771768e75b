"""Advice of the new-style form on picture and photographs, by the trainer's numbers. Needs no PyTorch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel

from framebrush.models.training_needs import (
    ENOUGH_PHOTOS,
    FEWEST_PHOTOS,
    GOOD_PAINTING_PX,
    MOST_PHOTOS,
    PICTURE_SUFFIXES,
    SMALLEST_PAINTING_PX,
)
from framebrush.window.training.capabilities import Facts, about
from framebrush.window.training.training_dialog import NewStyleDialog
from framebrush.window.training.training_runner import State
from framebrush.window.training.training_spec import TrainingSpec
from tests.app.window.conftest import Desk

pytestmark = pytest.mark.media


@pytest.fixture
def dialog(desk: Desk) -> NewStyleDialog:
    desk.window.actions_["new-style"].trigger()
    found = desk.window.findChild(NewStyleDialog)
    assert found is not None
    desk.wait(lambda: not found.facts.is_idle, "the question")
    found.facts.end()
    found.facts.facts = Facts()
    found.facts.found.emit(found.facts.facts)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("side_px", "word"),
    [
        (SMALLEST_PAINTING_PX - 1, f"too small to train on; at least {SMALLEST_PAINTING_PX} per side are needed."),
        (SMALLEST_PAINTING_PX, "low resolution for brush strokes."),
        (GOOD_PAINTING_PX - 1, "low resolution for brush strokes."),
        (GOOD_PAINTING_PX, " pixels"),
    ],
)
def test_the_size_of_the_picture_is_judged(
    desk: Desk, dialog: NewStyleDialog, tmp_path: Path, side_px: int, word: str
) -> None:
    form, picture = dialog.form, tmp_path / "painting.png"
    image = QImage(side_px + 40, side_px, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    assert image.save(str(picture))
    form.show_picture(picture)
    desk.wait(lambda: str(side_px) in form.size_line.text(), "the size")
    assert form.size_line.text().endswith(word)
    assert dialog.start.isEnabled() is (side_px >= SMALLEST_PAINTING_PX)
    texts = [label.text() for label in form.findChildren(QLabel)]
    assert len([text for text in texts if f"at least {GOOD_PAINTING_PX} pixels" in text]) == 1


@pytest.mark.slow
def test_what_is_no_picture_cannot_be_trained_on(desk: Desk, dialog: NewStyleDialog, tmp_path: Path) -> None:
    form, picture = dialog.form, tmp_path / "painting.png"
    picture.write_bytes(b"no picture")
    form.show_picture(picture)
    assert not dialog.start.isEnabled()  # before it is read
    desk.wait(lambda: form.size_line.text() == "This file is not a readable picture.", "the word")
    assert not dialog.start.isEnabled()
    image = QImage(GOOD_PAINTING_PX, GOOD_PAINTING_PX, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    assert image.save(str(picture))
    form.show_picture(picture)
    desk.wait(dialog.start.isEnabled, "the same file, which is a picture now")


@pytest.mark.slow
def test_photographs_are_counted_and_judged(desk: Desk, dialog: NewStyleDialog, tmp_path: Path) -> None:
    form = dialog.form
    for count, words in (
        (FEWEST_PHOTOS - 1, f"At least {FEWEST_PHOTOS} are needed"),
        (FEWEST_PHOTOS, f"{ENOUGH_PHOTOS} or more would be better"),
        (ENOUGH_PHOTOS, f"Up to {MOST_PHOTOS} of them are used"),
    ):
        folder = tmp_path / str(count)
        folder.mkdir()
        for number in range(count):
            (folder / f"{number}{PICTURE_SUFFIXES[number % len(PICTURE_SUFFIXES)].upper()}").touch()
        form.photos_field.setText(str(folder))
        desk.wait(lambda words=words: words in form.count_line.text(), words)
        assert f"{QLocale().toString(count)} photograph(s)" in form.count_line.text()
    (tmp_path / "film.mp4").touch()
    for text, words in ((str(tmp_path / "film.mp4"), "Frames from all over this film are used."), ("", "")):
        form.photos_field.setText(text)
        desk.wait(lambda words=words: form.count_line.text() == words, words)


def test_a_picture_is_enough_and_the_open_film_is_learnt_from(
    desk: Desk, dialog: NewStyleDialog, tmp_path: Path
) -> None:
    form, picture = dialog.form, tmp_path / "painting.png"
    image = QImage(GOOD_PAINTING_PX, GOOD_PAINTING_PX, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    assert image.save(str(picture))
    form.show_picture(picture)
    desk.wait(dialog.start.isEnabled, "the picture")
    assert (form.spec.photos, form.spec.features, form.spec.film) == ("", "", "")
    desk.open("cfr.mp4")
    assert Path(form.spec.film).name == "cfr.mp4"
    assert Path(form.spec.film).is_absolute()
    form.photos_field.setText(str(tmp_path))
    form.remember()
    assert desk.settings.folder("photos") == tmp_path
    form.photos_field.clear()
    form.remember()
    assert desk.settings.folder("photos") is None


def test_the_docs_name_the_same_sizes() -> None:
    root = Path(__file__).parents[4]
    for text in (root / "docs" / "making-a-style.md", root / "models" / "README.md"):
        assert f"{GOOD_PAINTING_PX} px or more a side" in " ".join(text.read_text(encoding="utf-8").split())


def probed(code: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run code in a process with an open standard input; return its output."""
    reading, writing = os.pipe()
    try:
        command, pipe = [sys.executable, "-c", code], subprocess.PIPE
        return subprocess.run(command, env=environment, stdin=reading, stdout=pipe, stderr=pipe, text=True, timeout=60)
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize(
    ("hidden", "answer"),
    [
        (("torch",), {"absent": ["PyTorch"]}),
        (("PIL",), {"absent": ["Pillow"]}),
        (("torch", "PIL"), {"absent": ["PyTorch", "Pillow"]}),
    ],
)
def test_what_is_not_installed_is_named(tmp_path: Path, hidden: tuple[str, ...], answer: dict[str, object]) -> None:
    """Missing packages have their usual names, and present ones are not named."""
    for name in ("torch", "PIL"):
        (tmp_path / f"{name}.py").touch()
    hide = "".join(f"sys.modules[{name!r}] = None; " for name in hidden)
    code = f"import sys; {hide}from framebrush.window.training.training_probe import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = probed(code, environment)
    assert json.loads(done.stdout) == answer, done.stderr


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("import one_of_its_own_parts", "No module named 'one_of_its_own_parts'"),
        ("raise OSError('shm.dll or one of its dependencies')", "shm.dll or one of its dependencies"),
    ],
)
def test_what_is_installed_and_broken_says_why(tmp_path: Path, broken: str, why: str) -> None:
    (tmp_path / "torch.py").write_text(broken)
    code = "from framebrush.window.training.training_probe import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = probed(code, environment)
    assert json.loads(done.stdout) == {"broken": why}, done.stderr


def test_the_bar_shows_prepared_material_and_steps_and_else_that_it_is_busy(desk: Desk, dialog: NewStyleDialog) -> None:
    runner, seen = desk.window.inspector.own_styles.training, []
    runner.spec = TrainingSpec("Style", "a.png", "photos", "", steps=4000)
    for state, prepared, step in (
        (State.STARTING, 0.0, 0),
        (State.STARTING, 0.5, 0),
        (State.RUNNING, 1.0, 1000),
        (State.STOPPING, 1.0, 1000),
    ):
        runner.state, runner.prepared, runner.step = state, prepared, step
        runner.changed.emit()
        seen.append((dialog.bar.maximum(), dialog.bar.value() if dialog.bar.maximum() else None))
    runner.state, runner.spec = State.NONE, None
    assert seen == [(0, None), (100, 50), (4000, 1000), (0, None)]


@pytest.mark.unit
@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (1, "1 min"),
        (80, "1 min"),
        (100, "2 min"),
        (89 * 60, "89 min"),
        (90 * 60, "2 h"),
        (7.2 * 3600, "7 h"),
        (360_000, "100 h"),
    ],
)
def test_a_time_is_said_roughly(seconds: float, expected: str) -> None:
    assert about(seconds) == f"about {expected}"
