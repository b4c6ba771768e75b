"""The pictures over the seek bar: the right ones, and more than ten a second."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtTest import QTest

from assets import frame_number
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, VideoInfo
from framebrush.playback.display.seek_preview import STEP_S, OnPicture, SeekPreview
from framebrush.playback.reading.film_thumbnails import LONGEST_SIDE_PX
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.window.transport import seek_popup
from tests.app.window.conftest import CLIPS, Desk

pytestmark = pytest.mark.media


@pytest.mark.parametrize("clip", ["cfr.mp4", "bframes.mp4", "open-gop.ts", "vfr.mkv", "rotated.mp4"])
def test_the_picture_is_that_of_the_time(clip: str) -> None:
    came: queue.Queue[tuple[float, npt.NDArray[np.uint8]]] = queue.Queue()
    with Reader(CLIPS / clip) as reader:
        info = reader.info
        preview = SeekPreview(info, lambda at, picture: came.put((at, picture)))
        try:
            for time_s in (0.88, 0.12, 0.48, 0.0):
                preview.request((time_s,))
                at, picture = came.get(timeout=60)
                assert at == time_s
                assert max(picture.shape[:2]) == LONGEST_SIDE_PX
                reader.seek(Position(Fraction(str(time_s)), "s"))
                turned = info.rotation_degrees // 90  # the number is upright in the stored picture
                number, wanted = frame_number.read(np.rot90(picture[..., 1], -turned)), next(reader).number
                assert number is not None
                assert wanted - 1 <= number <= wanted, f"{clip} at {time_s}: {number} in place of {wanted}"
        finally:
            preview.close()
            preview.join(60)


@pytest.mark.slow
def test_questions_that_nobody_waits_for_are_not_answered() -> None:
    came: queue.Queue[float] = queue.Queue()
    with Reader(CLIPS / "landscape.mp4") as reader:
        preview = SeekPreview(reader.info, lambda at, _: came.put(at))
    for number in range(200):
        preview.request((number * STEP_S / 10,))
    answered = 1
    while came.get(timeout=60) != 199 * STEP_S / 10:
        answered += 1
    preview.close()
    preview.join(60)
    assert answered < 100


@pytest.mark.parametrize("time_s", [1e300, -1e300])
def test_a_time_beyond_all_timestamps_is_the_end_or_the_beginning(time_s: float) -> None:
    came: queue.Queue[npt.NDArray[np.uint8]] = queue.Queue()
    with Reader(CLIPS / "cfr.mp4") as reader:
        preview = SeekPreview(reader.info, lambda _, picture: came.put(picture))
    preview.request((time_s,))
    number = frame_number.read(came.get(timeout=60)[..., 1])
    preview.close()
    preview.join(60)
    assert number == (29 if time_s > 0 else 0)


def test_a_file_that_is_gone_gives_no_picture(tmp_path: Path) -> None:
    copy = tmp_path / "gone.mp4"
    copy.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    with Reader(copy) as reader:
        info = reader.info
    copy.unlink()
    preview = SeekPreview(info, lambda *_: pytest.fail("a picture"))
    preview.request((0.0,))
    preview.join(60)


@pytest.mark.slow
def test_the_popup_follows_the_mouse(desk: Desk) -> None:
    desk.open("cfr.mp4")
    bar, popup = desk.window.transport.bar, desk.window.transport.popup
    middle, steps = bar.rect().center(), itertools.cycle((0, 1))

    def moved() -> bool:
        """Move on, as a hand does; a single move may come before the window."""
        QTest.mouseMove(bar, middle + QPoint(next(steps), 0))
        QCoreApplication.processEvents()
        return popup.isVisible()

    desk.wait(moved, "the popup")
    desk.wait(lambda: not popup.picture.pixmap().isNull(), "its picture")
    assert popup.frameGeometry().bottom() <= bar.mapToGlobal(QPoint(0, 0)).y()
    shown = desk.window.session.shown_at.number
    desk.rest(0.1)
    assert desk.window.session.shown_at.number == shown  # looking is not seeking
    desk.window.player.close_video()
    desk.wait(lambda: not popup.isVisible(), "its end")
    desk.open("bframes.mp4")
    assert popup.picture.pixmap().isNull()  # that was of another video


@pytest.mark.slow
def test_no_thread_outlives_the_popup_that_it_tells(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview thread may be inside a signal when it ends; the sender must not vanish then."""
    desk.open("cfr.mp4")
    bar, inside, alive, previews = desk.window.transport.bar, threading.Event(), list[bool](), list[SeekPreview]()

    class Slow(SeekPreview):
        def __init__(self, info: VideoInfo, on_picture: OnPicture, reading: ReadingProcess | None = None) -> None:
            def slowly(at_s: float, picture: npt.NDArray[np.uint8]) -> None:
                inside.set()
                time.sleep(1.0)
                on_picture(at_s, picture)

            super().__init__(info, slowly, reading)
            previews.append(self)

    monkeypatch.setattr(seek_popup, "SeekPreview", Slow)
    bar.pointed.emit(500, 40)
    desk.wait(inside.is_set, "a picture")
    desk.open("bframes.mp4")
    desk.window.destroyed.connect(lambda: alive.append(previews[0].thread.is_alive()))
    desk.close()
    assert alive == [False]
