"""Training a style from a picture: real training in a child process, a few CPU steps."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
Image = pytest.importorskip("PIL.Image")

import torch  # noqa: E402
from PySide6.QtGui import QImage  # noqa: E402
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox  # noqa: E402

from framebrush.window.training.training_dialog import NewStyleDialog  # noqa: E402
from framebrush.window.training.training_runner import State, TrainingRunner  # noqa: E402
from framebrush.window.training.training_spec import TrainingSpec  # noqa: E402
from tests.app.window.conftest import Desk, process_of  # noqa: E402
from tests.untrained import save_features  # noqa: E402

pytestmark = [pytest.mark.media, pytest.mark.timeout(600)]

FEW_CLIPS = Path(__file__).parents[3] / "few_clips.py"
PATIENCE_S = 240.0
LONG, SHORT = 4000, 3  # steps: one that is still running when a test looks at it, one that ends


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A painting, eight photographs, and features that were never trained."""
    folder = tmp_path_factory.mktemp("material")
    dice = np.random.default_rng(0)
    (folder / "photos").mkdir()
    (folder / "two").mkdir()
    names = ["The_painting.png", *(f"photos/{n}.png" for n in range(8)), "two/a.png", "two/b.jpg"]
    for name in names:
        small = Image.fromarray(dice.integers(0, 256, (12, 15, 3), dtype=np.uint8))
        small.resize((300, 256), Image.Resampling.BICUBIC).save(folder / name)
    save_features(folder / "random.npz")
    return folder


def spec(material: Path, steps: int = LONG, picture: str = "The_painting.png", photos: str = "photos") -> TrainingSpec:
    places = (str(material / name) for name in (picture, photos, "random.npz"))
    return TrainingSpec("Mine", *places, stroke_px=4.0, steps=steps, batch=1)


def wait(desk: Desk, until: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not until():
        assert time.monotonic() < end, f"waited in vain for {what}: {desk.window.messages.text}"
        desk.rest(0.05)


def training(desk: Desk) -> TrainingRunner:
    return desk.window.inspector.own_styles.training


def opened(desk: Desk) -> NewStyleDialog:
    desk.window.actions_["new-style"].trigger()
    dialog = desk.window.findChild(NewStyleDialog)
    assert dialog is not None
    return dialog


@pytest.fixture(autouse=True)
def none_left(desk: Desk, tmp_path: Path) -> object:
    """Training has little material, and ends with the test."""
    if sys.platform != "win32":  # where a script is no program
        python = tmp_path / "python-of-few-clips"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{FEW_CLIPS}" "$@"\n')
        python.chmod(0o755)
        desk.settings.set_path("python", str(python))
        training(desk).python = str(python)
    yield
    runner = training(desk)
    if not runner.is_idle:
        runner.stop()
        wait(desk, lambda: runner.is_idle, "the end of the training")


@pytest.mark.slow
def test_from_the_dialog_to_the_gallery(desk: Desk, material: Path) -> None:
    dialog = opened(desk)
    form = dialog.form
    assert not dialog.start.isEnabled()
    form.recipe = spec(material, SHORT)
    form.show_picture(material / "The_painting.png")
    assert form.name_field.text() == "The painting"
    form.photos_field.setText(str(material / "photos"))
    form.features_field.setText(str(material / "random.npz"))
    form.stroke.slider.setValue(4)
    wait(desk, lambda: dialog.start.isEnabled(), "what this Python can do")
    gpu = torch.cuda.is_available()
    assert gpu or form.estimate.text().startswith("PyTorch finds no usable GPU; training works on the CPU")
    desk.wait(lambda: "8 photograph(s) in this folder" in form.count_line.text(), "the count")
    words: list[str] = []
    training(desk).changed.connect(lambda: words.append(dialog.words.text()))
    dialog.start.click()
    assert training(desk).state is State.STARTING
    own = desk.window.inspector.own_styles.folder.path / "The painting.onnx"
    wait(desk, lambda: "The painting is trained" in desk.window.notes.text, "the note, which disappears on its own")
    wait(desk, lambda: str(own) in desk.window.inspector.gallery.names, "the style in the gallery")
    assert any("Step 3 of 3" in text for text in words)
    wait(desk, own.with_suffix(".jpg").is_file, "its thumbnail")
    assert QImage(str(own.with_suffix(".jpg"))).width() == 240
    desk.wait_style(str(own))
    assert training(desk).state is State.NONE
    assert not (desk.window.settings.data_folder / "training").exists()
    assert dialog.pages.currentWidget() is form


GOES_ON = "You can close this dialog; training continues."


def texts(dialog: NewStyleDialog) -> set[str]:
    return {label.text() for label in dialog.findChildren(QLabel)}


@pytest.mark.long
@pytest.mark.slow
def test_a_stopped_training_goes_on_after_a_restart(desk: Desk, material: Path, tmp_path: Path) -> None:
    """Stopped by the person, by the end of the window, and by a crash."""
    runner = training(desk)
    runner.start(spec(material))
    wait(desk, lambda: runner.step >= 1, "a step")
    dialog = opened(desk)
    assert dialog.stop.isVisible()
    assert not dialog.start.isVisible()
    assert GOES_ON in texts(dialog)
    dialog.stop.click()
    wait(desk, lambda: runner.state is State.STOPPED, "the stop")
    assert GOES_ON not in texts(dialog)
    assert (tmp_path / "data" / "training" / "Mine.checkpoint").is_file()
    assert "Stopped" in dialog.words.text()
    first = runner.step
    wait(desk, lambda: dialog.focusWidget() is dialog.resume, "the focus")
    dialog.resume.click()
    wait(desk, lambda: runner.state is State.RUNNING and runner.step > first, "a step after the stop")
    process_of(runner).kill()
    wait(desk, lambda: runner.state is State.STOPPED, "the end")
    assert "ended unexpectedly" in desk.window.messages.text
    runner.resume()
    wait(desk, lambda: runner.state is State.RUNNING, "a step after the crash")
    assert runner.step > first
    desk.close()
    wait(desk, lambda: runner.is_idle, "the end of the process")
    again = Desk(tmp_path)
    later = training(again)
    later.python = runner.python
    wait(again, lambda: later.state is State.STOPPED, "what was left")
    assert "is not finished" in again.window.notes.text
    assert later.step > first
    stopped = opened(again)
    wait(again, lambda: stopped.focusWidget() is stopped.resume, "the focus")
    stopped.close()
    second = later.step
    later.resume()
    wait(again, lambda: later.state is State.RUNNING and later.step > second, "a step after the restart")
    opened(again).finish.click()
    own = again.window.inspector.own_styles.folder.path / "Mine.onnx"
    wait(again, lambda: str(own) in again.window.inspector.gallery.names, "the style as it was")
    again.wait_style(str(own))
    again.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and processes")
def test_a_window_that_is_killed_takes_its_training_along_and_it_is_discarded(desk: Desk, material: Path) -> None:
    """The process learns of a dead window only when its orders end."""
    runner = training(desk)
    runner.start(spec(material))
    wait(desk, lambda: runner.step >= 1, "a step")
    runner._end(600)
    wait(desk, lambda: runner.state is State.STOPPED, "the end")
    folder = desk.window.settings.data_folder
    assert (folder / "training" / "Mine.checkpoint").is_file()
    dialog = opened(desk)
    dialog.discard.click()
    box = dialog.findChild(QMessageBox)
    assert box is not None
    next(button for button in box.buttons() if button.text() == "Discard").click()
    assert runner.state is State.NONE
    desk.wait(lambda: [path.name for path in folder.iterdir() if path.suffix != ".lock"] in ([], ["styles"]))


@pytest.mark.slow
def test_a_training_belongs_to_the_window_that_has_it_until_it_has_stopped(
    desk: Desk, material: Path, tmp_path: Path
) -> None:
    """Another window may neither destroy a running training nor discard an unseen stopped one."""
    runner, folder = training(desk), tmp_path / "data" / "training"
    other = TrainingRunner(folder, desk.window)
    other.python = runner.python
    told: list[str] = []
    other.notified.connect(lambda notification: told.append(notification.text))
    runner.start(spec(material))
    wait(desk, lambda: runner.step >= 1, "a step")
    kept = (folder / "training.json").read_text(encoding="utf-8")
    other.begin()
    other.start(replace(spec(material), name="Other"))
    desk.rest(0.1)
    assert (other.state, told) == (State.NONE, ["Another window of Framebrush is training a style."])
    assert json.loads((folder / "training.json").read_text(encoding="utf-8"))["name"] == json.loads(kept)["name"]
    runner.stop()
    wait(desk, lambda: runner.state is State.STOPPED, "the stop")
    checkpoint = (folder / "Mine.checkpoint").read_bytes()
    third = TrainingRunner(folder, desk.window)
    third.discard()  # what it does not know
    assert third.state is State.STOPPED
    other.start(replace(spec(material), name="Other"))
    wait(desk, lambda: other.state is State.STOPPED, "what was left")
    assert other.spec is not None
    assert (other.spec.name, other.step) == ("Mine", runner.step)
    assert (folder / "Mine.checkpoint").read_bytes() == checkpoint
    assert "Mine is not finished" in told[-1]
    other.discard()  # now that it is known
    runner.resume()
    wait(desk, lambda: runner.state is State.NONE, "the answer")
    assert "another window has completed or discarded it" in runner.message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"photos": "two"}, "holds 2 photographs"),
        ({"picture": "gone.png"}, "The picture cannot be copied"),
    ],
)
def test_what_cannot_be_learnt_from_is_said(desk: Desk, material: Path, change: dict[str, str], reason: str) -> None:
    runner = training(desk)
    runner.start(spec(material, **change))
    wait(desk, lambda: runner.state is State.STOPPED, "the refusal")
    assert reason in desk.window.messages.text
    dialog = opened(desk)
    assert dialog.pages.currentWidget() is dialog.form  # to be mended there
    assert reason in dialog.form.problem.text()
    assert dialog.form.photos_field.text() == str(material / change.get("photos", "photos"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_a_python_without_pytorch_is_told_what_to_install(desk: Desk, material: Path, tmp_path: Path) -> None:
    """The same Python, with an import of torch that fails."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text("import sys\nsys.modules['torch'] = None\n")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{hidden}:$PYTHONPATH" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    desk.settings.set_path("python", str(python))
    dialog = opened(desk)
    form = dialog.form
    wait(desk, lambda: not form.missing.isHidden(), "the answer")
    assert "needs PyTorch" in form.missing.text()
    assert f"{python} -m pip install torch pillow" in form.missing.text()
    form.copy.click()
    assert QApplication.clipboard().text() == f"{python} -m pip install torch pillow"
    assert not dialog.start.isEnabled()
    runner = training(desk)
    runner.python = str(python)
    runner.start(spec(material))  # as where it was taken away since
    wait(desk, lambda: runner.state is State.STOPPED, "the refusal")
    assert "torch" in desk.window.messages.text
    python.unlink()
    form.look_again.click()
    desk.wait(lambda: "could not be started" in form.missing.text(), "the answer")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_the_time_is_estimated_from_what_was_measured(desk: Desk, material: Path, tmp_path: Path) -> None:
    dialog, python = opened(desk), tmp_path / "python"
    for answer, crop_s, words in (
        ({"device": "A GPU", "gpu": True}, 0.004, "A GPU. Training takes about 2 min,"),
        ({"device": "", "gpu": False}, 1.5, "training works on the CPU, but slowly. Training takes about 10 h,"),
    ):
        answers = f"{json.dumps(answer)}\\n{json.dumps({'crop_s': crop_s})}\\n"
        python.write_text(f"#!/bin/sh\nprintf '{answers}'\n")
        python.chmod(0o755)
        dialog.facts.use(str(python))
        desk.wait(lambda words=words: words in dialog.form.estimate.text(), words)  # type: ignore[misc]


def test_a_damaged_training_is_put_aside(desk: Desk, material: Path, tmp_path: Path) -> None:
    desk.close()
    folder = tmp_path / "data" / "training"
    folder.mkdir(parents=True)
    (folder / "training.json").write_text('{"spec": {"name": 3}, "step": []}')
    again = Desk(tmp_path)
    again.wait(lambda: folder.with_name("training.damaged").is_dir(), "the damaged one")
    assert training(again).state is State.NONE
    again.close()
    shutil.rmtree(folder.with_name("training.damaged"))
