"""Training with a hung process, and with a folder that cannot be created."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from framebrush.window.training import training_runner
from framebrush.window.training.training_folder import FACTS, TrainingFolder
from framebrush.window.training.training_runner import State, TrainingRunner
from framebrush.window.training.training_spec import TrainingSpec
from framebrush.window.training.training_worker import NICENESS

pytestmark = [
    pytest.mark.media,
    pytest.mark.timeout(120),
    pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there"),
]

LEARNS_NOTHING = Path(__file__).parents[3] / "learns_nothing.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "grace"),
    [
        (["stop"], "GRACE_S"),
        (["finish"], "FINISH_GRACE_S"),
        (["close"], "GRACE_S"),
        (["finish", "close"], "GRACE_S"),
    ],
)
def test_its_process_is_ended_when_patience_is_over(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str], grace: str
) -> None:
    """The last checkpoint stays."""
    for name in ("GRACE_S", "FINISH_GRACE_S"):
        monkeypatch.setattr(training_runner, name, 0.2 if name == grace else 1000.0)
    python, picture, photos = tmp_path / "python", tmp_path / "painting.png", tmp_path / "photos"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{LEARNS_NOTHING}" "$@"\n')
    python.chmod(0o755)
    picture.write_bytes(b"a picture")
    photos.mkdir()
    training = TrainingRunner(tmp_path / "training")
    training.python = str(python)

    def wait(until: Callable[[], bool]) -> None:
        end = time.monotonic() + 60
        while not until():
            QCoreApplication.processEvents()
            time.sleep(0.005)
            assert time.monotonic() < end, f"it is {training.state}"

    training.start(TrainingSpec("Style", str(picture), str(photos), "", steps=100_000))
    wait(lambda: training.state is State.RUNNING)
    (photos / "hangs").touch()
    wait(lambda: not (photos / "hangs").exists())
    assert training.process_id is not None
    own, its = (os.getpriority(os.PRIO_PROCESS, process) for process in (0, training.process_id))
    assert its == min(own + NICENESS, 19)
    for each in asked:
        getattr(training, each)()
        assert training.state is State.STOPPING
    wait(lambda: training.is_idle)
    assert training.state is State.STOPPED
    assert training.message == "Its process ended unexpectedly."
    training.deleteLater()


def test_a_folder_that_cannot_be_made_is_said(application: QApplication, tmp_path: Path) -> None:
    """And not that another window trains."""
    (tmp_path / "data").write_text("a file")
    training = TrainingRunner(tmp_path / "data" / "training")
    told: list[str] = []
    training.notified.connect(lambda notification: told.append(notification.text))
    training.begin()
    training.start(TrainingSpec("Style", str(tmp_path / "data"), str(tmp_path), ""))
    end = time.monotonic() + 60
    while training.state is not State.STOPPED:
        QCoreApplication.processEvents()
        time.sleep(0.005)
        assert time.monotonic() < end
    [text] = told
    assert text.startswith("Training Style failed: The picture cannot be copied (")
    training.deleteLater()


@pytest.mark.parametrize("step", ["Infinity", "1e400", '"5"', "null"])
def test_a_training_of_no_step_is_put_aside(tmp_path: Path, step: str) -> None:
    folder = TrainingFolder(tmp_path / "training")
    folder.path.mkdir()
    spec = '{"name": "a", "picture": "p", "photos": "f", "features": "v"}'
    facts = f'{{"name": "1", "spec": {spec}, "step": STEP}}'
    (folder.path / FACTS).write_text(facts.replace("STEP", "5"))
    found = folder.find()
    assert found is not None
    assert (found.name, found.spec.name, found.step, found.whole, found.is_new) == ("1", "a", 5, False, False)
    (folder.path / FACTS).write_text(facts.replace("STEP", step))
    assert folder.find() is None
    assert folder.path.with_name("training.damaged").is_dir()
