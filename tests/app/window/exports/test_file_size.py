"""A file of a given size, from the dialog."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox

from framebrush.media.encoding.encoders import ENCODERS
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import State
from tests.app.window.conftest import Desk, speaking
from tests.app.window.exports.test_export_dialog import choose, dialog_of, settle

pytestmark = [pytest.mark.media, pytest.mark.slow]


def typed(desk: Desk, dialog: ExportDialog, megabytes: int) -> None:
    """Type a size over the old one."""
    box = dialog.controls.file_size.box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, str(megabytes))
    QTest.keyClick(box, Qt.Key.Key_Tab)
    assert box.value() == megabytes
    settle(desk, dialog)
    desk.rest(0.1)


def test_a_size_takes_the_place_of_the_quality_and_is_kept_to(desk: Desk, tmp_path: Path) -> None:
    desk.open("landscape.mp4")
    target = tmp_path / "out.mp4"
    dialog = dialog_of(desk, target)
    choose(desk, dialog, "h264")
    size, quality = dialog.controls.file_size, dialog.quality
    assert (size.box.text(), size.target_bytes, size.note.isVisible()) == ("Set by the quality", None, False)
    assert dialog.spec.output.crf is not None
    typed(desk, dialog, 1)
    desk.wait(lambda: "megabits a second" in size.note.text(), "what it leaves for the picture")
    assert not quality.slider.isEnabled()
    assert "as the size of the file allows" in quality.slider.slider.accessibleDescription()
    assert quality.encoder in [each for each in ENCODERS if each.takes_bit_rate]
    output = dialog.spec.output
    assert (output.crf, output.target_bytes) == (None, 1_000_000)
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    buttons.accepted.emit()
    desk.wait(lambda: bool(desk.exports.queue.jobs), "the export")
    made = desk.exports.queue.jobs[0]
    desk.wait(lambda: made.is_over, "its end")
    assert made.state is State.DONE, made.message
    assert 150_000 < target.stat().st_size <= 1_000_000  # which its quality does not need


def test_what_cannot_be_is_said_before_it_is_queued(desk: Desk, tmp_path: Path) -> None:
    desk.open("landscape.mp4")
    dialog = dialog_of(desk, tmp_path / "out.mov")
    typed(desk, dialog, 500)
    choose(desk, dialog, "prores")
    assert dialog.quality.problem == "ProRes cannot aim at a file size. Choose another codec, or no file size."
    choose(desk, dialog, "h264")
    assert dialog.quality.problem == ""
    dialog.controls.info = replace(dialog.controls.info, frame_count=10_000_000)  # as if it lasted for days
    dialog.controls.size_box.setCurrentIndex(1)
    desk.wait(lambda: dialog.controls.file_size.problem.startswith("Too small: this takes at least "), "the least size")
    assert dialog.controls.file_size.problem.endswith(" MB.")
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    buttons.accepted.emit()
    desk.wait(lambda: bool(dialog.findChildren(QMessageBox)), "why not")
    assert dialog.findChildren(QMessageBox)[0].text() == dialog.controls.file_size.problem
    assert desk.exports.queue.jobs == []
    dialog.findChildren(QMessageBox)[0].reject()
    typed(desk, dialog, 0)
    assert dialog.controls.file_size.problem == ""
    dialog.controls.info = replace(dialog.controls.info, frame_count=None, duration_s=None)
    dialog.controls.file_size.box.setValue(500)
    dialog.controls.size_box.setCurrentIndex(0)
    unknown = "The length of this video is unknown, so its file size cannot be set."
    desk.wait(lambda: dialog.controls.file_size.problem == unknown, "that its length is unknown")
    assert dialog.controls.file_size.note.text() == unknown
    dialog.reject()


def test_a_trial_has_its_share_of_the_size(desk: Desk, tmp_path: Path) -> None:
    desk.open("landscape.mp4")
    dialog = dialog_of(desk, tmp_path / "out.mp4")
    choose(desk, dialog, "h264")
    typed(desk, dialog, 1)
    dialog.trial.length.setCurrentIndex(0)
    QTest.mouseClick(dialog.trial.button, Qt.MouseButton.LeftButton)
    desk.wait(dialog.trial.play.isVisible, "the trial")
    info = dialog.controls.info
    assert info.frame_count is not None
    assert info.rate is not None
    share = round(2 * info.rate) / info.frame_count
    assert share < 1
    assert 0.1 * share < dialog.trial.target.stat().st_size / 1_000_000 <= share
    dialog.reject()


def test_in_german(desk: Desk, application: QApplication, tmp_path: Path) -> None:
    with speaking(application, "de_DE"):
        assert QLocale().name() == "de_DE"
        desk.open("cfr.mp4")
        desk.window.actions_["export"].trigger()
        dialog = desk.window.findChildren(ExportDialog)[-1]
        assert dialog.controls.file_size.box.text() == "Ergibt sich aus der Qualität"
        dialog.reject()
