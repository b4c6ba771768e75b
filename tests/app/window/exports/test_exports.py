"""Exports in processes of their own: to the end, held, cancelled, killed, and found again after a restart."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
import time
from math import ceil
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLineEdit, QMessageBox, QPushButton

from assets import frame_number
from framebrush.base.files import write_whole
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import folder_of
from framebrush.jobs.spec import JobSpec
from framebrush.media.reading.reader import Reader
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import StyleSpec
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import ExportJob, ExportQueue, State
from framebrush.window.exports.targets import free_name
from tests.app.jobs import jobs
from tests.app.window.conftest import CLIPS, Desk, process_of
from tests.app.window.hand import pixels_of

pytestmark = pytest.mark.media


def job(folder: Path, source: Path = CLIPS / "cfr.mp4", target: str = "out.mp4") -> ExportJob:
    return ExportJob(JobSpec(str(source), str(folder / target), Recipe(StyleSpec(PASSTHROUGH)), device="cpu"))


def long_job(folder: Path, target: str = "out.mp4") -> ExportJob:
    """One that is still running when a test looks at it: the slowest encoder of the fastest film."""
    source, output = CLIPS / "landscape.mp4", OutputOptions(codec="av1", crf=20)
    return ExportJob(JobSpec(str(source), str(folder / target), Recipe(StyleSpec("ink")), output=output, device="cpu"))


def in_segments(film: Path, target: Path) -> ExportJob:
    """Return an export that keeps finished segments."""
    output = OutputOptions(codec="libx264", preset="veryslow")
    spec = JobSpec(str(film), str(target), Recipe(StyleSpec("ink")), output=output, device="cpu", segments=jobs.SEGMENT)
    return ExportJob(spec)


@pytest.mark.slow
def test_from_the_dialog_to_the_file(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    desk.key(Qt.Key.Key_Period)
    desk.wait_number(1)
    desk.key("i", Qt.KeyboardModifier.ShiftModifier)
    desk.wait(lambda: desk.window.session.choice.range.first is not None)
    desk.key("e", Qt.KeyboardModifier.ControlModifier)
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    target = tmp_path / "painted.mp4"
    name = dialog.findChild(QLineEdit)
    buttons = dialog.findChild(QDialogButtonBox)
    assert name is not None
    assert buttons is not None
    name.setText(str(target))
    previews: list[object] = []
    desk.exports.previewed.connect(lambda _, image: previews.append(image.size()))
    buttons.accepted.emit()
    desk.wait(lambda: bool(desk.exports.queue.jobs), "the encoder")
    made = desk.exports.queue.jobs[0]
    desk.wait(lambda: made.is_over, "the export")
    assert (made.state, made.message) == (State.DONE, "")
    assert previews
    with Reader(target) as reader:
        numbers = [frame_number.read(frame.frame.planes[0]) for frame in reader]
    assert numbers == list(range(1, 30))


@pytest.mark.slow
def test_paused_jobs_stand_still_and_go_on(desk: Desk, tmp_path: Path) -> None:
    progress: list[tuple[float, float]] = []
    desk.exports.progressed.connect(lambda _, line: progress.append((time.monotonic(), line["elapsed_s"])))
    made = long_job(tmp_path)
    desk.exports.add(made)
    desk.wait(lambda: bool(progress), "the first progress")
    worker = process_of(desk.exports)

    def stands() -> bool:
        used = worker.cpu_times()
        desk.rest(0.5)
        return worker.cpu_times() == used

    desk.exports.pause(made, True)
    desk.wait(stands, "the frame that was being painted, and the encoder")
    held = len(progress)
    desk.rest(2.5)
    assert len(progress) == held
    assert made.state is State.PAUSED
    desk.exports.pause(made, False)
    desk.wait(lambda: len(progress) > held, "progress after the pause")
    passed_s, worked_s = (now - before for now, before in zip(progress[held], progress[held - 1], strict=True))
    assert passed_s - worked_s > 1.0  # the pause is no work: the time left does not grow by it
    desk.exports.cancel(made)
    desk.wait(lambda: made.is_over, "the end")


@pytest.mark.slow
def test_cancelled_jobs_leave_nothing_and_the_next_begins(desk: Desk, tmp_path: Path) -> None:
    first, second = long_job(tmp_path, "first.mp4"), job(tmp_path)
    running: list[object] = []
    desk.exports.progressed.connect(lambda _, line: running.append(line))
    desk.exports.add(first)
    desk.exports.add(second)
    assert second.state is State.WAITING
    desk.wait(lambda: bool(running), "the first progress")
    desk.exports.cancel(first)
    desk.wait(lambda: second.is_over, "the second job")
    assert (first.state, second.state) == (State.CANCELLED, State.DONE)
    assert sorted(path.name for path in tmp_path.glob("*first*")) == []


@pytest.mark.slow
def test_an_export_resumes_after_a_restart(desk: Desk, film: Path, tmp_path: Path) -> None:
    target = tmp_path / "painted.mp4"
    made = in_segments(film, target)
    desk.exports.add(made)
    desk.wait(lambda: len(jobs.records(target)) > 1, "segments")
    desk.exports.stop()
    desk.wait(lambda: desk.exports.is_idle, "the end of its process")
    kept = jobs.records(target)
    assert made.state is State.INTERRUPTED
    assert len(kept) > 1
    again = Desk(tmp_path)
    again.exports.begin()
    card = next(iter(again.window.export_panel.cards.values()))
    again.wait(lambda: card.again.text() == "Resume", "what is kept")
    said: list[str] = []
    again.exports.changed.connect(lambda one: said.append(one.message))
    again.exports.again(again.exports.queue.jobs[0])
    again.wait(lambda: again.exports.is_idle, "the end of its process")
    assert again.exports.queue.jobs[0].state is State.DONE
    assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
    assert not jobs.records(target)
    again.close()


def press(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.slow
def test_a_cancelled_export_keeps_what_is_painted_until_it_is_deleted(desk: Desk, film: Path, tmp_path: Path) -> None:
    """It says how much that is, goes on from there, and is no finished one that can be cleared."""
    target, panel = tmp_path / "painted.mp4", desk.window.export_panel
    desk.window.side.setCurrentWidget(panel)
    made = in_segments(film, target)
    desk.exports.add(made)
    card = panel.cards[made.name]
    desk.wait(lambda: len(jobs.records(target)) > 1, "segments")
    press(card.cancel_button)
    desk.wait(lambda: made.has_kept, "what is kept")
    kept = jobs.records(target)
    assert len(kept) > 1
    assert (made.state, made.message) == (State.CANCELLED, "")
    first, second = card.state_line.text().splitlines()
    assert first == "Cancelled"
    length_s = ceil(len(kept) * jobs.SEGMENT / 25)
    assert second == f"Painted and kept: 0:{length_s:02} of the film. Resume goes on from there."
    assert (card.again.text(), card.start_over.isVisible(), card.remove.text()) == ("Resume", True, "Delete…")
    assert not panel.clear_button.isVisible()
    desk.exports.clear()
    assert desk.exports.queue.jobs == [made]
    assert (made.can_go_on, desk.window.side.tabText(1)) == (True, "Exports")
    press(card.again)
    desk.wait(lambda: len(jobs.records(target)) > len(kept), "another segment")
    press(card.cancel_button)
    desk.wait(lambda: made.has_kept, "what is kept")
    press(card.remove)
    press(card.remove)  # as in a double click
    desk.wait(lambda: bool(desk.window.findChildren(QMessageBox)), "the question")
    desk.rest(0.3)
    (box,) = desk.window.findChildren(QMessageBox)
    assert (box.text(), "0:0" in box.informativeText()) == ("Delete what is painted of painted.mp4?", True)
    assert jobs.records(target)
    next(button for button in box.buttons() if button.text() == "Delete").click()
    assert not folder_of(target).exists()
    assert (desk.exports.queue.jobs, list(panel.cards)) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("way", ["again", "remove"])
def test_a_failure_is_told_until_it_is_tried_again_or_removed(desk: Desk, tmp_path: Path, way: str) -> None:
    panel, messages = desk.window.export_panel, desk.window.messages
    desk.window.side.setCurrentWidget(panel)
    made = job(tmp_path / "gone")
    desk.exports.add(made)
    desk.wait(lambda: "Exporting out.mp4 failed" in messages.text, "the message")
    (tmp_path / "gone").mkdir()
    card = panel.cards[made.name]
    press(card.again if way == "again" else card.remove)
    desk.wait(lambda: messages.text == "", "the end of the message")
    desk.wait(lambda: made.state is State.DONE or made not in desk.exports.queue.jobs, "the export")


@pytest.mark.slow
def test_a_double_click_removes_an_export_once(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: errors.append(error))  # of Qt's slots
    desk.exports.stop()
    desk.window.side.setCurrentWidget(desk.window.export_panel)
    for again in ("remove", "clear_button"):
        made = job(tmp_path)
        made.state = State.CANCELLED
        desk.exports.add(made)
        card = desk.window.export_panel.cards[made.name]
        desk.rest(0.1)
        press(card.remove)
        press(card.remove if again == "remove" else desk.window.export_panel.clear_button)
        desk.wait(lambda: desk.exports.queue.jobs == [], "the end of the entry")
        desk.rest(0.2)
    assert errors == []


@pytest.mark.slow
def test_nothing_is_resumed_where_nothing_is_left(desk: Desk, film: Path, tmp_path: Path) -> None:
    """A person may have deleted the kept segments, too."""
    target, panel = tmp_path / "painted.mp4", desk.window.export_panel
    desk.window.side.setCurrentWidget(panel)
    whole, made = long_job(tmp_path), in_segments(film, target)
    running: list[object] = []
    desk.exports.progressed.connect(lambda job, _: running.append(job))
    desk.exports.add(whole)
    desk.wait(lambda: whole in running, "the first progress")
    desk.exports.stop()
    desk.wait(lambda: desk.exports.is_idle, "the end of its process")
    desk.exports.stopping = False
    desk.exports.add(made)
    desk.wait(lambda: len(jobs.records(target)) > 1, "segments")
    desk.exports.stop()
    desk.wait(lambda: desk.exports.is_idle and made.has_kept, "what is kept")
    assert [each.state for each in (whole, made)] == [State.INTERRUPTED] * 2
    texts = [panel.cards[each.name].again.text() for each in (whole, made)]
    assert texts == ["Start again", "Resume"]
    assert not panel.cards[whole.name].start_over.isVisible()
    desk.exports.queue.flush()
    shutil.rmtree(folder_of(target))
    again = Desk(tmp_path)
    again.exports.begin()
    again.exports.stopping = True
    card = again.window.export_panel.cards[made.name]
    again.wait(lambda: card.again.text() == "Start again", "a look at the disk")
    assert card.state_line.text() == "Interrupted"
    again.close()


@pytest.mark.slow
def test_a_finished_card_has_its_picture_after_a_restart(desk: Desk, tmp_path: Path) -> None:
    desk.window.side.setCurrentWidget(desk.window.export_panel)
    made = job(tmp_path)
    desk.exports.add(made)
    desk.wait(lambda: made.is_over, "the export")
    assert made.state is State.DONE
    desk.rest(0.1)
    before = pixels_of(desk.window.export_panel.cards[made.name].picture)
    desk.exports.queue.flush()
    again = Desk(tmp_path)
    again.exports.begin()
    again.window.side.setCurrentWidget(again.window.export_panel)
    again.rest(0.1)
    after = pixels_of(again.window.export_panel.cards[made.name].picture)
    assert np.array_equal(before, after)
    (entry,) = again.exports.queue.jobs
    again.exports.queue.jobs[0].picture = "no picture"
    again.exports.removed.emit(entry)
    again.exports.changed.emit(entry)
    again.rest(0.1)
    assert not np.array_equal(before, pixels_of(again.window.export_panel.cards[made.name].picture))
    again.close()


@pytest.mark.slow
def test_a_new_card_is_seen(desk: Desk, tmp_path: Path) -> None:
    """In a window with many cards before it; of several new ones, the first."""
    desk.exports.stop()  # nothing is started: this is about the list
    panel = desk.window.export_panel
    desk.window.side.setCurrentWidget(panel)
    made = [job(tmp_path, target=f"{number}.mp4") for number in range(14)]

    def is_seen(one: ExportJob) -> bool:
        card = panel.cards[one.name]
        return panel.viewport().rect().contains(card.rect().translated(card.mapTo(panel.viewport(), QPoint())))

    for one in made[:8]:
        desk.exports.add(one)
        desk.rest(0.05)
        desk.wait(lambda one=one: is_seen(one), "the new card")  # type: ignore[misc]
    assert not is_seen(made[0])
    desk.exports.add(*made[8:])
    desk.rest(0.1)
    assert is_seen(made[8])
    assert not is_seen(made[13])
    panel.verticalScrollBar().setValue(0)
    desk.exports.changed.emit(made[8])  # which is no new one
    desk.rest(0.1)
    assert panel.verticalScrollBar().value() == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a signal is how this test crashes a process")
def test_a_crash_takes_neither_window_nor_queue_along(desk: Desk, tmp_path: Path) -> None:
    first, second = long_job(tmp_path), job(tmp_path, target="second.mp4")
    running: list[object] = []
    desk.exports.progressed.connect(lambda _, line: running.append(line))
    desk.exports.add(first)
    desk.wait(lambda: bool(running), "the first progress")
    desk.exports.add(second)
    assert desk.exports.process_id is not None
    os.kill(desk.exports.process_id, signal.SIGSEGV)
    desk.wait(lambda: second.is_over, "the second job")
    assert (first.state, second.state) == (State.FAILED, State.DONE)
    assert "unexpectedly" in desk.window.messages.text


@pytest.mark.slow
def test_failures_say_why(desk: Desk, tmp_path: Path) -> None:
    made = job(tmp_path, tmp_path / "gone.mp4", "x.mp4")
    desk.exports.add(made)
    desk.wait(lambda: made.is_over, "the end")
    assert made.state is State.FAILED
    assert "gone.mp4" in made.message
    assert "gone.mp4" in desk.window.messages.text


@pytest.mark.slow
def test_no_words_of_the_command_line_reach_the_window(desk: Desk, tmp_path: Path) -> None:
    playlist = tmp_path / "film.m3u8"
    playlist.write_text("#EXTM3U\n")
    said = f"{playlist} is a playlist; name the video itself"
    desk.window.opening.open(playlist)
    desk.wait(lambda: desk.window.messages.text == said, said)
    made = job(tmp_path, playlist, "x.mp4")
    desk.exports.add(made)
    desk.wait(lambda: made.is_over, "the end")
    assert (made.state, made.message) == (State.FAILED, said)
    assert desk.window.messages.text == f"Exporting x.mp4 failed: {said}"


@pytest.mark.slow
def test_closing_interrupts_and_a_restart_offers_again(desk: Desk, tmp_path: Path) -> None:
    running: list[object] = []
    desk.exports.progressed.connect(lambda _, line: running.append(line))
    desk.exports.add(long_job(tmp_path))
    desk.wait(lambda: bool(running), "the first progress")
    desk.window.close()
    desk.rest(0.1)
    assert not desk.gone
    assert desk.exports.queue.jobs[0].state is State.RUNNING
    question = desk.window.findChild(QMessageBox)
    assert question is not None
    desk.window.close()
    assert desk.window.findChildren(QMessageBox) == [question]
    buttons = {button.text().replace("&", ""): button for button in question.buttons()}
    QTest.mouseClick(buttons["Cancel"], Qt.MouseButton.LeftButton)
    desk.window.close()
    question = desk.window.findChildren(QMessageBox)[-1]
    stop = next(button for button in question.buttons() if "Stop" in button.text())
    QTest.mouseClick(stop, Qt.MouseButton.LeftButton)
    desk.wait(lambda: desk.gone, "the end of the window")
    desk.wait(lambda: desk.exports.is_idle, "the end of its process")
    assert not list(tmp_path.glob("*out*"))
    again = Desk(tmp_path)
    again.exports.begin()
    assert [job.state for job in again.exports.queue] == [State.INTERRUPTED]
    assert "did not finish" in again.window.notes.text
    assert again.window.side.tabText(1) == "Exports (1)"  # which stays, as the message does not
    card = next(iter(again.window.export_panel.cards.values()))
    again.window.side.setCurrentWidget(again.window.export_panel)
    QTest.mouseClick(card.again, Qt.MouseButton.LeftButton)
    assert again.exports.queue.jobs[0].state is State.RUNNING
    again.exports.cancel(again.exports.queue.jobs[0])
    again.wait(lambda: again.exports.is_idle, "the end of its process")
    again.close()
    again.wait(lambda: again.exports.is_idle, "the end of its process")


@pytest.mark.slow
def test_a_quit_waits_for_the_export_where_it_is_told_to(desk: Desk, tmp_path: Path) -> None:
    made = job(tmp_path)
    desk.exports.add(made)
    desk.window.close()
    question = desk.window.findChild(QMessageBox)
    assert question is not None
    later = next(button for button in question.buttons() if "when it is done" in button.text())
    QTest.mouseClick(later, Qt.MouseButton.LeftButton)
    desk.wait(lambda: desk.gone, "the end of the window")
    assert made.state is State.DONE
    assert (tmp_path / "out.mp4").exists()


def test_the_list_survives_a_crash_of_the_program_and_damage(tmp_path: Path) -> None:
    path = tmp_path / "exports.json"
    queue = ExportQueue(path)
    running = job(tmp_path)
    running.state = State.RUNNING
    queue.add(running)
    queue.add(job(tmp_path))
    queue.flush()
    assert [entry.state for entry in ExportQueue(path)] == [State.INTERRUPTED, State.WAITING]
    halted = job(tmp_path)
    halted.state = State.PAUSED
    queue.add(halted)
    queue.flush()
    followed = [State.WAITING, State.WAITING, State.INTERRUPTED]  # what a person has halted waits for that person
    assert [entry.state for entry in ExportQueue(path, goes_on=True)] == followed
    entry = job(tmp_path).to_values()
    newer = {**entry, "spec": {**entry["spec"], "version": 2}}
    for damaged in ("{", "[1]", "5", "[{}]", json.dumps([{**entry, "state": "?"}]), json.dumps([entry, newer])):
        path.write_text(damaged)
        assert ExportQueue(path).jobs == []
        assert path.with_suffix(".damaged").read_text() == damaged


def test_a_slow_disk_keeps_nobody_waiting_and_has_the_last_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, spins_up = tmp_path / "exports.json", threading.Event()

    def slowly(target: Path, content: str) -> None:
        assert spins_up.wait(60)
        write_whole(target, content)

    monkeypatch.setattr("framebrush.window.exports.export_queue.write_whole", slowly)
    queue = ExportQueue(path)
    jobs = [job(tmp_path) for _ in range(4)]
    for made in jobs:
        queue.add(made)
    queue.move(jobs[3], jobs[0])
    queue.remove(jobs[1])
    assert not path.exists()
    spins_up.set()
    queue.flush()
    assert [made.name for made in ExportQueue(path)] == [jobs[number].name for number in (3, 0, 2)]


@pytest.mark.slow
def test_videos_dropped_on_the_list_are_exported(desk: Desk, tmp_path: Path) -> None:
    """Each gets its own name, even a video dropped again before its export is done."""
    clips = [Path(shutil.copy(CLIPS / name, tmp_path)) for name in ("cfr.mp4", "bframes.mp4")]
    panel = desk.window.export_panel
    desk.window.side.setCurrentWidget(panel)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in (*clips, clips[0])])
    desk.wait(lambda: desk.window.session.style_in_use is not None, "the style")
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    inside = panel.viewport()
    QApplication.sendEvent(inside, QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))
    QApplication.sendEvent(inside, QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))
    jobs = desk.exports.queue.jobs
    desk.wait(lambda: len(jobs) == 3, "the videos")
    assert [Path(made.spec.target).name for made in jobs] == [
        "cfr-painted.mp4",
        "bframes-painted.mp4",
        "cfr-painted2.mp4",
    ]
    desk.wait(lambda: all(made.is_over for made in jobs), "the exports")
    assert [(made.state, made.spec.style.name) for made in jobs] == [(State.DONE, PASSTHROUGH)] * 3
    assert {path.name for path in tmp_path.glob("*-painted*")} == {Path(made.spec.target).name for made in jobs}


@pytest.mark.slow
def test_lost_frames_are_counted_in_words(desk: Desk, tmp_path: Path) -> None:
    whole = (CLIPS / "cfr.mp4").read_bytes()
    middle = len(whole) // 2
    (tmp_path / "damaged.mp4").write_bytes(whole[:middle] + b"\xff" * 3000 + whole[middle + 3000 :])
    made = job(tmp_path, tmp_path / "damaged.mp4")
    desk.exports.add(made)
    desk.wait(lambda: made.is_over, "the export")
    assert made.state is State.DONE, made.message
    assert "could not be read; all others were written" in made.message


def test_names_do_not_overwrite(tmp_path: Path) -> None:
    source = tmp_path / "film.AVI"
    assert free_name(source).name == "film-painted.mp4"
    (tmp_path / "film-painted.mp4").touch()
    assert free_name(source).name == "film-painted2.mp4"


@pytest.mark.parametrize("letter", ["x", "長"])
def test_names_made_of_long_ones_have_room_for_what_is_written_beside_them(tmp_path: Path, letter: str) -> None:
    """File systems end names at 255 bytes, or 255 characters."""
    source = tmp_path / f"{letter * (251 // len(letter.encode()))}.mp4"
    source.touch()
    target = free_name(source)
    assert target.name.endswith("-painted.mp4")
    assert target.name.startswith(letter * 40)
    folder_of(target).mkdir()
    target.touch()
    assert free_name(source).name.endswith("-painted2.mp4")
