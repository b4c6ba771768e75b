"""Pictures between the threads of player and window, and their files."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from framebrush.gpu.frame import rgba8
from framebrush.media.reading.reader import Reader
from framebrush.media.video import VideoInfo
from framebrush.window.picture.bridge import Bridge, PictureBox, save_picture
from tests.app.window.conftest import CLIPS

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def info() -> VideoInfo:
    with Reader(CLIPS / "cfr.mp4") as reader:
        return replace(reader.info, sample_aspect=Fraction(1))


def picture(value: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    made = np.full((36, 64, 4), value, np.uint8)
    made[..., 3] = 255
    return made


def test_a_box_has_the_latest_picture_once_and_tells_of_the_first(application: QApplication, info: VideoInfo) -> None:
    owner, told, watched = QObject(), list[str](), list[int]()
    box = PictureBox(owner)
    box.fresh.connect(lambda: told.append("fresh"))
    box.watch = lambda pixels, _: watched.append(int(pixels[0, 0, 0]))
    box.info = info
    assert box.size_px == (0, 0)
    for size in ((0, 0), (0, 36), (64, 0)):  # of a window that is not laid out yet
        box.size_px = size
        box.put(picture(9))
    assert (box.latest(), told, watched) == (None, [], [])
    box.size_px, box.info = (64, 36), None  # a film that is closed
    box.put(picture(9))
    assert (box.latest(), told, watched) == (None, [], [])
    box.info = info
    box.put(picture(10))
    box.put(picture(200))
    assert (told, watched) == (["fresh"], [10, 200])
    latest = box.latest()
    assert latest is not None
    assert latest.image.pixelColor(30, 18).red() == 200
    assert box.latest() is None
    box.watch, box.size_px = None, (1, 1)
    box.put(picture(30))
    assert told == ["fresh", "fresh"]
    assert box.latest() is not None
    shiboken6.delete(owner)
    box.put(picture(40))  # Qt has ended


def test_a_frame_is_copied_and_saved_under_a_free_name(
    application: QApplication, info: VideoInfo, tmp_path: Path
) -> None:
    frame = rgba8(64, 36).allocate()
    np.asarray(frame.planes[0])[...] = picture(120)
    saved = [save_picture(frame, info, tmp_path / "new" / "a.png") for _ in range(3)]
    assert [path.name for path in saved] == ["a.png", "a-2.png", "a-3.png"]
    copied, bridge = list[QImage](), Bridge(None)
    bridge.copied.connect(copied.append)
    bridge.copy_picture(frame, info, 0)
    for image in (*copied, *(QImage(str(path)) for path in saved)):
        assert (image.width(), image.height(), image.pixelColor(0, 0).red()) == (60, 36, 120)  # the film is 5:3
    assert (bridge.window_shown, bridge.ten_bits, bridge.unable) == (False, False, {})
