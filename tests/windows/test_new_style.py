"""The dialog for a new style, where PyTorch is or is not: here it asks another process, and that answers."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from framebrush.window.training.training_dialog import NewStyleDialog
from framebrush.window.training.training_runner import State
from framebrush.window.training.training_spec import TrainingSpec
from tests.windows.desk import Desk, wait

pytestmark = pytest.mark.windows

HAS_TORCH = importlib.util.find_spec("torch") is not None


def test_the_dialog_says_what_this_python_can_do(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    pixels = np.random.default_rng(0).integers(0, 256, (200, 300, 4), np.uint8)
    picture = tmp_path / "A painting.png"
    assert QImage(pixels.data, 300, 200, QImage.Format.Format_RGBX8888).save(str(picture))
    window.actions_["new-style"].trigger()
    dialog = window.findChild(NewStyleDialog)
    assert dialog is not None
    form = dialog.form
    form.show_picture(picture)
    assert form.name_field.text() == "A painting"
    if HAS_TORCH:
        wait(lambda: "Training takes" in form.estimate.text(), "the answer of the other process")
        assert form.missing.isHidden()
    else:
        wait(lambda: "needs PyTorch" in form.missing.text(), "the answer of the other process")
        assert not form.missing.isHidden()
        assert not dialog.start.isEnabled()
        form.copy.click()
        assert QApplication.clipboard().text() == f"{sys.executable} -m pip install torch pillow"
    dialog.close()


@pytest.mark.skipif(HAS_TORCH, reason="the message without PyTorch")
def test_a_training_without_pytorch_says_why_and_is_kept(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    picture = tmp_path / "painting.png"
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(0x336699)
    assert image.save(str(picture))
    runner = window.inspector.own_styles.training
    runner.start(TrainingSpec("Mine", str(picture), str(tmp_path), "", stroke_px=4.0, steps=10, batch=1))
    wait(lambda: runner.state is State.STOPPED, "the refusal")
    assert "torch" in window.messages.text.lower()
    assert runner.is_idle
    runner.discard()
    assert runner.state is State.NONE
