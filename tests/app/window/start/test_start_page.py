"""The start page: painted at once, and open to every hand."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication

from framebrush.media.reading.source import Source
from framebrush.window.project.document import Document
from framebrush.window.start import moving_picture
from framebrush.window.start.moving_picture import MovingPicture
from framebrush.window.start.recent_pictures import picture_of, write, write_painted
from framebrush.window.widgets.controls import pasted_files
from framebrush.window.widgets.theme import STAGE
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media


def pixels(moving: MovingPicture) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the shown pixels: (H, W, 4)."""
    image = moving.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).astype(np.int64)


def test_it_is_painted_from_the_first_moment_and_moves_while_it_is_seen(desk: Desk) -> None:
    moving = desk.window.view.invitation.moving
    assert moving.isVisible()
    desk.wait(lambda: pixels(moving)[..., :3].std() > 15, "the first picture")
    first = pixels(moving)
    half = first.shape[1] // 2
    left, right = first[:, : half - 4, :3], first[:, half + 4 :, :3]
    assert min(left.std(), right.std()) > 15  # no black field
    desk.wait(lambda: bool(np.abs(pixels(moving) - first).max() > 30), "the next picture")
    desk.open("cfr.mp4")
    assert not moving.timer.isActive()
    desk.window.player.close_video()
    desk.wait(moving.timer.isActive, "the start page again")


def test_a_slow_disk_does_not_hold_the_window_up(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, read = threading.Event(), moving_picture.open_source

    def read_slowly(path: Path, *, threads: int) -> Source:
        answers.wait(60)
        return read(path, threads=threads)

    monkeypatch.setattr(moving_picture, "open_source", read_slowly)
    desk = Desk(tmp_path)  # waits in vain for a window that itself waits for the disk
    moving = desk.window.view.invitation.moving
    assert pixels(moving)[..., :3].std() < 15
    assert QColor(*pixels(moving)[0, 0, 2::-1].tolist()) == QColor(STAGE)
    answers.set()
    desk.wait(lambda: pixels(moving)[..., :3].std() > 15, "the first picture")
    desk.close()
    assert "start film" not in {thread.name for thread in threading.enumerate()}


def test_it_comes_to_rest(application: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving_picture, "TIMES", 1)
    moving = MovingPicture()
    moving.resize(320, 180)
    moving.show()
    shown, end = set[bytes](), time.monotonic() + 60
    while moving.timer.isActive():
        moving.timer.timeout.emit()
        if pixels(moving)[..., :3].std() > 15:  # it is decoded
            shown.add(pixels(moving).tobytes())
        assert time.monotonic() < end
    assert len(shown) == 51
    assert pixels(moving)[..., :3].std() > 15
    moving.hide()
    moving.show()
    assert not moving.timer.isActive()
    assert pixels(moving)[..., :3].std() > 15
    moving.hide()  # no other test must find it; it ends with its last name


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_first_key_opens_a_video(desk: Desk, monkeypatch: pytest.MonkeyPatch, key: Qt.Key) -> None:
    asked: list[str] = []

    def ask(title: str) -> list[Path]:
        asked.append(title)
        return [CLIPS / "cfr.mp4"]

    monkeypatch.setattr(desk.window.files, "videos", ask)
    assert QApplication.focusWidget() is desk.window.view.invitation.button
    Hand(desk).key(key)
    assert len(asked) == 1
    desk.wait(lambda: desk.window.session.opened is not None, "the film")
    assert not desk.window.actions_["loop"].isChecked()


def test_a_copied_path_opens(desk: Desk) -> None:
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("no path")
    desk.key("v", Qt.KeyboardModifier.ControlModifier)
    assert desk.window.session.opened is None
    clipboard.setText(f'"{CLIPS / "cfr.mp4"}"\n')
    desk.key("v", Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: desk.window.session.opened is not None, "the film")
    clipboard.clear()


def test_what_counts_as_copied(tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.mp4"))])
    assert pasted_files(data) == [tmp_path / "a.mp4"]
    text = QMimeData()
    text.setText(
        f"  '{tmp_path / 'b c.mp4'}'\n{QUrl.fromLocalFile(str(tmp_path / 'd e.mp4')).toString()}\n\nnot/whole\n"
    )
    assert pasted_files(text) == [tmp_path / "b c.mp4", tmp_path / "d e.mp4"]
    assert pasted_files(QMimeData()) == []


def test_a_thumbnail_of_the_film_never_replaces_a_painted_one(application: QApplication, tmp_path: Path) -> None:
    video, painted = tmp_path / "a.mp4", QImage(32, 18, QImage.Format.Format_RGB32)
    video.touch()
    painted.fill(Qt.GlobalColor.red)
    grey = np.full((9, 16, 3), 90, np.uint8)
    write(video, tmp_path / "cache", grey)
    write_painted(video, tmp_path / "cache", painted)
    write(video, tmp_path / "cache", grey)
    assert QImage(str(picture_of(video, tmp_path / "cache"))).width() == 32


def test_a_recent_project_has_a_picture(desk: Desk, tmp_path: Path) -> None:
    """The project replaces the film in the list, with the film's picture."""
    desk.open("cfr.mp4")
    desk.wait(lambda: isinstance(desk.window.project.document, Document), "the project")
    project = tmp_path / "mine.framebrush"
    desk.window.project.save_as(project)
    desk.wait(lambda: desk.window.session.project == project, "its file")
    desk.window.player.close_video()
    desk.wait(lambda: desk.window.session.opened is None, "the end of the film")
    desk.window.opening.open(project, play=False)
    desk.wait(lambda: picture_of(project, desk.settings.recent_folder).is_file(), "its picture")
