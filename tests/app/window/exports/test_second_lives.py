"""A second life of an export, and two windows: what one has kept is never deleted by another."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from rich.console import Console

from framebrush.jobs.progress import ProgressStyle, shown
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import folder_of
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Progress
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.window.exports.export_list import JobCard
from framebrush.window.exports.export_queue import ExportJob, ExportQueue, State
from framebrush.window.exports.export_runner import ExportRunner
from tests.app.jobs import jobs
from tests.app.window.conftest import Desk
from tests.app.window.exports.test_exports import in_segments

pytestmark = pytest.mark.media


def slow(film: Path, target: Path) -> ExportJob:
    """Return an export in many segments that keeps finished ones."""
    made = in_segments(film, target)
    made.spec = replace(made.spec, recipe=replace(made.spec.recipe, sizes=SizeSpec(size="4x")))
    return made


def keep_some(desk: Desk, exports: ExportRunner, made: ExportJob) -> None:
    """Run an export until it has segments, and hold it there."""
    target = Path(made.spec.target)
    before = len(jobs.records(target))
    exports.again(made) if made in exports.queue.jobs else exports.add(made)
    desk.wait(lambda: made.is_over or len(jobs.records(target)) > before, "segments")
    assert made.state is State.RUNNING, made.message
    exports.pause(made, True)


def interrupt(desk: Desk, exports: ExportRunner) -> None:
    """End the running export, as a closing window does."""
    exports.stop()
    desk.wait(lambda: exports.is_idle, "the end of its process")
    exports.stopping = False  # a window that goes on


def card_of(desk: Desk, made: ExportJob) -> JobCard:
    desk.window.side.setCurrentWidget(desk.window.export_panel)
    return desk.window.export_panel.cards[made.name]


@pytest.fixture
def other(desk: Desk, tmp_path: Path) -> ExportRunner:
    """Return the exports of another window, with a separate list."""
    return ExportRunner(ExportQueue(tmp_path / "exports-2.json"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a signal is how this test crashes a process")
def test_an_export_that_was_cancelled_once_and_then_fails_has_failed_and_keeps_its_segments(
    desk: Desk, film: Path, tmp_path: Path
) -> None:
    target = tmp_path / "painted.mp4"
    made = slow(film, target)
    keep_some(desk, desk.exports, made)
    desk.exports.cancel(made)
    desk.wait(lambda: made.is_over, "the end of the first attempt")
    assert (made.state, folder_of(target).exists()) == (State.CANCELLED, True)
    keep_some(desk, desk.exports, made)
    assert desk.exports.process_id is not None
    os.kill(desk.exports.process_id, signal.SIGKILL)
    desk.wait(lambda: made.is_over, "the end of the second attempt")
    assert made.state is State.FAILED
    assert "unexpectedly" in made.message
    assert jobs.records(target)
    assert [path.name for path in tmp_path.glob(".painted*")] == []
    card = card_of(desk, made)
    desk.wait(card.start_over.isVisible, "the choice")
    assert card.again.text() == "Resume"
    QTest.mouseClick(card.remove, Qt.MouseButton.LeftButton)
    desk.wait(lambda: bool(desk.window.findChildren(QMessageBox)), "the question")
    (box,) = desk.window.findChildren(QMessageBox)
    assert (box.text(), jobs.records(target) != []) == (f"Delete what is painted of {target.name}?", True)
    box.reject()
    desk.wait(lambda: not desk.window.findChildren(QMessageBox), "the end of the question")
    assert desk.exports.queue.jobs == [made]
    QTest.mouseClick(card.start_over, Qt.MouseButton.LeftButton)
    (box,) = desk.window.findChildren(QMessageBox)
    assert jobs.records(target)
    next(button for button in box.buttons() if button.text() == "Start over").click()
    assert made.state is State.RUNNING
    assert not jobs.records(target)
    desk.exports.start_over(made)  # by a question that was still open
    assert made.state is State.RUNNING
    desk.exports.cancel(made)
    desk.wait(lambda: desk.exports.is_idle, "the end of its process")


@pytest.mark.slow
def test_an_export_that_is_cancelled_while_the_window_closes_is_not_interrupted(
    desk: Desk, film: Path, tmp_path: Path
) -> None:
    target = tmp_path / "painted.mp4"
    made = slow(film, target)
    keep_some(desk, desk.exports, made)
    desk.exports.cancel(made)
    interrupt(desk, desk.exports)
    assert (made.state, folder_of(target).exists()) == (State.CANCELLED, True)


@pytest.mark.slow
def test_clearing_one_entry_leaves_what_another_has_kept_for_the_same_file(
    desk: Desk, film: Path, tmp_path: Path
) -> None:
    target = tmp_path / "painted.mp4"
    first, second = slow(film, target), slow(film, target)
    keep_some(desk, desk.exports, first)
    desk.exports.cancel(first)
    desk.wait(lambda: first.has_kept, "what the first has kept")
    keep_some(desk, desk.exports, second)  # which owns it from then on
    interrupt(desk, desk.exports)
    kept = jobs.records(target)
    desk.exports.begin()
    desk.wait(lambda: not first.has_kept, "a look at the disk")
    desk.exports.clear()
    assert desk.exports.queue.jobs == [second]
    assert (second.state, jobs.records(target)) == (State.INTERRUPTED, kept)
    desk.exports.remove(second)
    assert not folder_of(target).exists()


@pytest.mark.slow
def test_a_window_removes_only_what_its_own_export_has_kept(
    desk: Desk, other: ExportRunner, film: Path, tmp_path: Path
) -> None:
    """The other one is refused while this one runs, then resumes what this one has left, which it owns from then on."""
    target = tmp_path / "painted.mp4"
    ours, its = slow(film, target), slow(film, target)
    keep_some(desk, desk.exports, ours)
    other.add(its)
    desk.wait(lambda: its.is_over, "the refusal")
    assert (its.state, its.message) == (State.FAILED, "Another window or program is writing this file.")
    other.again(its)
    desk.wait(lambda: other._attempt is None or other._attempt.refused == "busy", "the second refusal")
    other.cancel(its)  # before its process has ended
    desk.wait(lambda: its.is_over, "its end")
    assert (its.state, its.message) == (State.CANCELLED, "")
    other.start_over(its)
    assert (its.state, its.message) == (State.FAILED, "Another window or program is writing this file.")
    interrupt(desk, desk.exports)
    kept = jobs.records(target)
    assert kept
    other.remove(its)
    assert jobs.records(target) == kept
    its = slow(film, target)
    keep_some(desk, other, its)
    interrupt(desk, other)
    desk.exports.remove(ours)
    assert len(jobs.records(target)) > len(kept)
    other.remove(its)
    assert not folder_of(target).exists()


@pytest.mark.slow
def test_cancelling_an_export_that_is_refused_leaves_what_another_has_kept(
    desk: Desk, film: Path, tmp_path: Path
) -> None:
    target = tmp_path / "painted.mp4"
    first = slow(film, target)
    keep_some(desk, desk.exports, first)
    interrupt(desk, desk.exports)
    desk.exports.queue.jobs.clear()
    kept = jobs.records(target)
    second = slow(film, target)
    desk.exports.add(second)
    desk.exports.cancel(second)  # before it has read its film
    desk.wait(lambda: desk.exports.is_idle, "its end")
    assert (second.state, jobs.records(target)) == (State.CANCELLED, kept)
    third = in_segments(film, target)
    desk.exports.add(third)
    desk.wait(lambda: third.is_over and third.kept is not None, "the refusal")
    assert third.state is State.FAILED
    assert third.message.startswith("Another export to this file was not finished")
    assert third.kept is not None
    assert (third.kept.owner, jobs.records(target)) == ("", kept)


HELD = """
import sys, time
from framebrush.base import parent
from framebrush.window.exports import export_worker
export_worker.OVERDUE_S = 0.1

def export(*_):
    parent.report({"held": True})
    time.sleep(600)

export_worker.export = export
sys.exit(export_worker.main())
"""


@pytest.mark.slow
def test_the_process_of_a_window_that_is_gone_ends_although_a_library_holds_it(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", HELD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    spec = JobSpec("in.mp4", str(tmp_path / "out.mp4"), Recipe(StyleSpec("none")))
    process.stdin.write(f"{spec.to_json()}\n")
    process.stdin.flush()
    assert process.stdout.readline() == '{"held": true}\n'
    process.stdin.close()
    assert process.wait(60) == 4
    process.stdout.close()


def test_a_line_of_progress_is_written_in_one_piece() -> None:
    """Another thread may write at any time."""
    written: list[str] = []

    class Out(StringIO):
        def write(self, text: str) -> int:
            written.append(text)
            return len(text)

    with shown(ProgressStyle.JSON, Console(), Out()) as show:
        show(Progress(1, 2, 1.0, 3, 0))
    assert [json.loads(line) for line in written]
    assert len(written) == 1
