"""The popup above the seek bar by itself: its words, its place, and when it goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import QApplication, QWidget

from framebrush.media.reading.reader import Reader
from framebrush.media.video import VideoInfo
from framebrush.window.transport.seek_popup import SeekPopup
from framebrush.window.transport.seekbar import SeekBar
from tests.app.window.conftest import CLIPS
from tests.app.window.test_background import wait

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def info() -> VideoInfo:
    with Reader(CLIPS / "extras.mkv") as reader:
        return reader.info


@pytest.fixture
def bar(application: QApplication) -> Iterator[SeekBar]:
    window = QWidget()
    window.setGeometry(50, 300, 400, 200)
    made = SeekBar()
    made.setParent(window)
    made.setGeometry(0, 100, 400, 20)
    made.setRange(0, 4000)
    window.show()
    yield made
    shiboken6.delete(window)


def test_it_says_time_and_chapter_above_the_pointer(bar: SeekBar, info: VideoInfo) -> None:
    popup = SeekPopup(bar)
    bar.pointed.emit(1000, 200)
    assert not popup.isVisible()  # without a film
    assert len(info.chapters) >= 2
    first, second = info.chapters[:2]
    popup.show_video(replace(info, path=None))
    starts_ms = round(1000 * first.start_s), round(1000 * second.start_s)
    for ms, chapter in ((starts_ms[0], first), (starts_ms[1] - 1, first), (starts_ms[1], second)):
        bar.pointed.emit(ms, 200)
        assert popup.isVisible()
        time, _, title = popup.time.text().partition("\n")
        assert title == chapter.title
        assert time
    left, middle = popup.geometry(), bar.mapToGlobal(QPoint(200, 0))
    assert abs(left.center().x() - middle.x()) <= 1
    assert left.bottom() < middle.y()
    bar.pointed.emit(2000, 240)
    assert abs(popup.geometry().center().x() - middle.x() - 40) <= 3
    for kind in (QEvent.Type.Leave, QEvent.Type.Hide):
        bar.pointed.emit(0, 10)
        assert popup.isVisible()
        QApplication.sendEvent(bar, QEvent(kind))
        assert not popup.isVisible()
    popup.show_video(replace(info, path=None, chapters=()))
    bar.pointed.emit(1000, 10)
    assert "\n" not in popup.time.text()


def test_it_shows_the_picture_of_the_open_film_alone(bar: SeekBar, info: VideoInfo) -> None:
    popup, white = SeekPopup(bar), np.full((8, 12, 3), 255, np.uint8)
    popup.show_video(info)
    popup.came.emit(0.0, white)
    assert popup.picture.pixmap().isNull()  # it was not asked for
    bar.pointed.emit(int(Fraction(1, 2) * 1000), 100)
    wait(lambda: not popup.picture.pixmap().isNull())
    before = popup.picture.pixmap().size()
    popup.came.emit(0.5, white)
    assert popup.picture.pixmap().width() == 12 != before.width()
    popup.show_video(None)
    assert not popup.isVisible()
    assert popup.picture.pixmap().isNull()
    popup.close_preview(wait=True)
