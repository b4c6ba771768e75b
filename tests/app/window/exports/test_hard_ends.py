"""Exports on a full disk or with a killed window: messages, offers and kept files."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from framebrush.jobs.segments.job_folder import folder_of
from framebrush.media.video import Position, TimeRange
from framebrush.window.exports.export_queue import ExportQueue, State
from tests.app.jobs import jobs
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.exports.test_exports import in_segments, job
from tests.app.window.test_application import surroundings
from tests.app.window.test_comes_back import lived
from tests.media.writing.test_writer_refusals import small_disk

pytestmark = [pytest.mark.media, pytest.mark.slow]


def fill(disk: Path) -> Path:
    """Leave no room on a disk."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass
    return ballast


def press(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_full_disk_is_said_and_what_is_whole_is_kept(desk: Desk, film: Path, tmp_path: Path) -> None:
    window = desk.window
    with small_disk(tmp_path / "disk", "1m") as disk:
        target = disk / "painted.mp4"
        made = in_segments(film, target)
        desk.exports.add(made)
        card = window.export_panel.cards[made.name]
        window.side.setCurrentWidget(window.export_panel)
        desk.wait(lambda: len(jobs.records(target)) > 1, "segments")
        ballast = fill(disk)
        said = rf"the disk of {re.escape(str(disk))} is full \(\d+ bytes left\); free some space or write elsewhere"
        for _ in range(2):  # nothing is lost by trying again too early
            desk.wait(lambda: made.is_over, "the end")
            assert made.state is State.FAILED
            assert re.fullmatch(f"Exporting painted.mp4 failed: {said}", window.messages.text)
            desk.wait(card.start_over.isVisible, "what is kept")
            failed, kept_words = card.state_line.text().splitlines()
            assert re.fullmatch(f"Failed: {said}", failed)
            assert kept_words.startswith("Painted and kept: 0:0")
            assert card.again.text() == "Resume"
            kept = jobs.records(target)
            assert len(kept) > 1
            press(card.again)
        desk.wait(lambda: made.is_over, "the end")
        ballast.unlink()
        changed = {path: path.stat().st_mtime_ns for path in folder_of(target).iterdir() if path.stem in kept}
        press(card.again)
        desk.wait(lambda: jobs.records(target) > kept or made.is_over, "another segment")
        assert all(path.stat().st_mtime_ns == at for path, at in changed.items() if path.exists())
        desk.wait(lambda: made.is_over, "the end")
        assert made.state is State.DONE
        assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
        assert [path.name for path in disk.iterdir()] == ["painted.mp4"]


def test_a_range_that_cannot_be_decoded_is_said_and_leaves_nothing(desk: Desk, tmp_path: Path) -> None:
    whole, film = (CLIPS / "bframes.mp4").read_bytes(), tmp_path / "cut.mp4"
    film.write_bytes(whole[: len(whole) * 9 // 10])  # 30 frames in its index, the last nine without content
    made = in_segments(film, tmp_path / "painted.mp4")
    made.spec = replace(made.spec, range=TimeRange(Position.of_frame(21)), segments=3)
    desk.exports.add(made)
    card = desk.window.export_panel.cards[made.name]
    desk.wait(lambda: made.is_over, "the end")
    assert made.state is State.FAILED
    assert made.message == "cut.mp4: no frame in the requested range can be decoded"
    desk.wait(lambda: made.kept is None and card.again.text() == "Start again", "that nothing is kept")
    assert card.state_line.text() == f"Failed: {made.message}"
    assert not list(tmp_path.glob("*painted*"))


def test_a_list_that_a_full_disk_has_no_room_for_is_said(application: QApplication, film: Path, tmp_path: Path) -> None:
    """The export itself goes on, as its own disk is another one."""
    with small_disk(tmp_path / "disk", "1m") as disk:
        desk = Desk(disk)
        fill(disk)
        made = job(tmp_path)
        desk.exports.add(made)
        desk.wait(lambda: made.is_over, "the export")
        assert made.state is State.DONE
        desk.wait(lambda: "The list of exports could not be saved." in desk.window.messages.text, "what is said")
        desk.close()


@pytest.mark.skipif(sys.platform == "win32", reason="where the list is")
def test_a_window_that_is_killed_keeps_its_export(application: QApplication, film: Path, tmp_path: Path) -> None:
    """The window's process ends, too, though nobody asks it to."""
    target, folder = tmp_path / "painted.mp4", tmp_path / "Framebrush" / "Framebrush"
    queue = ExportQueue(folder / "exports.json")
    queue.add(in_segments(film, target))
    queue.flush()
    command = [sys.executable, "-c", "from framebrush.window import work; work()"]
    with subprocess.Popen(command, env=surroundings(tmp_path), stderr=subprocess.DEVNULL) as program:
        try:
            end = time.monotonic() + 60
            while len(jobs.records(target)) < 2:
                assert time.monotonic() < end, "waited in vain for segments"
                time.sleep(0.01)
            workers = psutil.Process(program.pid).children(recursive=True)
        finally:
            program.kill()
    assert workers
    assert psutil.wait_procs(workers, timeout=60)[1] == []
    kept = jobs.records(target)
    assert len(kept) > 1
    assert not target.exists()
    assert [path.name for path in tmp_path.glob("*.part")] == []
    desk = Desk(folder)
    desk.exports.begin()
    (made,) = desk.exports.queue
    assert made.state is State.INTERRUPTED
    assert "did not finish last time; start them again under Exports." in desk.window.notes.text
    card = desk.window.export_panel.cards[made.name]
    desk.window.side.setCurrentWidget(desk.window.export_panel)
    desk.wait(card.start_over.isVisible, "what is kept")
    assert card.again.text() == "Resume"
    press(card.again)
    desk.wait(lambda: made.is_over, "the end")
    assert made.state is State.DONE
    assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
    assert not folder_of(target).exists()
    desk.close()


@pytest.mark.skipif(sys.platform == "win32", reason="where the list is")
def test_an_export_goes_on_in_the_window_that_follows(tmp_path: Path, film: Path) -> None:
    target = tmp_path / "painted.mp4"
    queue = ExportQueue(tmp_path / "Framebrush" / "Framebrush" / "exports.json")
    made = in_segments(film, target)
    made.state = State.INTERRUPTED
    queue.add(made)
    queue.flush()
    status, _, (before, after) = lived(tmp_path, "kill", 1, "cpu")
    assert (status, before["exports"], after["exports"]) == (0, [State.RUNNING], [State.DONE])
    assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
