"""A video in the window that is no file: it plays, its seek bar rests, and it can be exported and photographed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QStandardPaths, Qt
from PySide6.QtTest import QTest

from framebrush.media.reading.reader import Reader
from framebrush.styles.specs import SizeSpec
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import ExportJob, ExportQueue, State
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.main_window import MainWindow
from framebrush.window.picture.notes import Note
from framebrush.window.project.launch import Launch
from tests.app.window.conftest import Desk

pytestmark = pytest.mark.media

ENDLESS = "lavfi:testsrc2=size=96x64:rate=25"


def opened(desk: Desk, source: str, *, play: bool = False) -> None:
    desk.window.opening.open(source, play=play)
    desk.wait(lambda: desk.window.session.opened is not None and desk.window.view.painted.image is not None, "a frame")
    desk.rest(0.1)


@pytest.mark.slow
def test_it_plays_and_every_action_of_the_bar_and_keys_is_harmless(desk: Desk) -> None:
    opened(desk, ENDLESS, play=True)
    assert desk.window.windowTitle() == f"{ENDLESS} – Framebrush"
    assert desk.settings.recent == []
    bar = desk.window.transport.bar
    assert not bar.isEnabled()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() // 2, bar.height() // 2))
    desk.wait(lambda: desk.window.session.shown_at.number > 5, "playing")
    for name in ("first", "last", "forward", "back", "forward-fine", "back-fine"):
        for note in desk.window.notes.findChildren(Note):
            note.leave()
        desk.window.actions_[name].trigger()
        if name != "first":  # that one is in the cache
            desk.wait(lambda: "not support seeking" in desk.window.notes.text, f"the message after {name}")
    number = desk.window.session.shown_at.number
    desk.wait(lambda: desk.window.session.shown_at.number > number + 2, "playing on")  # there are two to step back to
    desk.window.player.play(False)
    desk.settle()
    for name, step in (("step-back", -1), ("step-back", -1), ("step-forward", 1)):
        number = desk.window.session.shown_at.number
        desk.window.actions_[name].trigger()
        desk.wait(lambda number=number, step=step: desk.window.session.shown_at.number == number + step, name)
    assert desk.window.messages.text == ""


def test_a_file_after_it_can_be_sought_again(desk: Desk) -> None:
    opened(desk, ENDLESS)
    desk.open("cfr.mp4")
    assert desk.window.transport.bar.isEnabled()


@pytest.mark.slow
def test_its_marked_range_is_exported(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path))
    opened(desk, ENDLESS)
    desk.window.actions_["mark-in"].trigger()
    desk.window.player.step(9)
    desk.wait(lambda: desk.window.session.shown_at.number == 9, "frame 9")
    desk.window.actions_["mark-out"].trigger()
    desk.wait(lambda: desk.window.session.choice.range.last is not None, "the marks")
    desk.window.actions_["screenshot"].trigger()
    desk.wait(lambda: "Saved as" in desk.window.notes.text, "the screenshot")
    assert (tmp_path / "lavfi-testsrc2-size-96x64-rate-25-000009.png").exists()
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    assert dialog.spec.source == ENDLESS
    dialog.queued.emit(dialog.spec)
    dialog.reject()
    made = desk.exports.queue.jobs[0]
    desk.wait(lambda: made.is_over, "the export")
    assert made.state is State.DONE, made.message
    with Reader(made.spec.target) as reader:
        assert len(list(reader)) == 10


@pytest.mark.slow
def test_an_export_without_an_end_fails_with_the_reason(desk: Desk, tmp_path: Path) -> None:
    opened(desk, ENDLESS)
    made = ExportJob(desk.window.exporting.spec(ENDLESS, str(tmp_path / "out.mp4")))
    desk.exports.add(made)
    desk.wait(lambda: made.is_over, "the export")
    assert made.state is State.FAILED
    assert "has no end" in made.message


@pytest.mark.slow
def test_sizes_of_the_command_line_reach_picture_and_exports(desk: Desk, tmp_path: Path) -> None:
    sizes = SizeSpec(2.0, "48x32")
    runner = ExportRunner(ExportQueue(tmp_path / "other.json"))
    window = MainWindow(desk.settings, runner, Launch("cpu", "none", sizes))
    gone: list[bool] = []
    window.destroyed.connect(lambda: gone.append(True))
    window.show()
    window.opening.open(ENDLESS, play=False)
    desk.wait(lambda: window.view.painted.image is not None, "a frame")
    pipeline = window.player.engine.presenter.pipeline
    assert pipeline is not None
    assert (pipeline.plan.target.width, pipeline.plan.target.height) == (48, 32)
    assert window.exporting.spec("a", "b").sizes == sizes
    window.close()
    desk.wait(lambda: bool(gone), "the end of the window")
