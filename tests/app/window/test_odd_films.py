"""Films that nobody would show: of sound alone, of one frame, of ten hours, and one that is deleted while it plays."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from assets import frame_number
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import State
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand

pytestmark = [pytest.mark.media, pytest.mark.slow]

CONTROL = Qt.KeyboardModifier.ControlModifier
MINUTES = 600


def sound(target: Path) -> Path:
    """A second of silence, and nothing to see."""
    with av.open(str(target), "w") as container:
        stream = container.add_stream("aac", rate=48_000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 48_000), np.float32), format="fltp", layout="mono")
        frame.rate = 48_000
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return target


def numbered(target: Path, count: int, second_s: int) -> Path:
    """Write numbered frames, `second_s` apart, with a key frame every hundred."""
    with av.open(str(target), "w") as container:
        stream = container.add_stream("mpeg4", rate=25, options={"g": "100"})
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        for number in range(count):
            picture = np.full((96, 160, 3), 128, np.uint8)
            frame_number.draw(picture, number)
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = number * second_s * 1000, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return target


def export(desk: Desk, hand: Hand) -> None:
    """Export the open film by keys."""
    hand.key("e", CONTROL)
    desk.wait(lambda: bool(desk.window.findChildren(ExportDialog)), "the dialog")
    (dialog,) = desk.window.findChildren(ExportDialog)
    desk.wait(lambda: dialog.isActiveWindow() and dialog.quality.encoder is not None, "its encoder")
    hand.key(Qt.Key.Key_Return)


def test_sound_alone_is_no_film(desk: Desk, tmp_path: Path) -> None:
    window, hand = desk.window, Hand(desk)
    desk.open("cfr.mp4")
    desk.wait_number(0)
    window.opening.open(sound(tmp_path / "song.m4a"))
    desk.wait(lambda: "song.m4a holds only sound" in window.messages.text, "the message")
    assert window.windowTitle().startswith("cfr.mp4")
    hand.key(".")
    desk.wait_number(1)


def test_one_frame_is_a_film(desk: Desk, tmp_path: Path) -> None:
    window, hand = desk.window, Hand(desk)
    desk.open(numbered(tmp_path / "one.mkv", 1, 1))
    desk.wait_number(0)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_End, ".", ",", Qt.Key.Key_Home, "r", Qt.Key.Key_Space, Qt.Key.Key_Space):
        hand.key(key)
        desk.settle()
    hand.click(window.transport.bar)
    desk.wait_number(0)
    assert window.transport.frame.text().startswith("Frame 0")
    export(desk, hand)
    (job,) = desk.exports.queue.jobs
    desk.wait(lambda: job.is_over, "the export")
    assert job.state is State.DONE, job.message
    with av.open(job.spec.target) as film:
        assert sum(1 for _ in film.decode(video=0)) == 1


def test_ten_hours(desk: Desk, tmp_path: Path) -> None:
    window, hand, bar = desk.window, Hand(desk), desk.window.transport.bar
    desk.open(numbered(tmp_path / "long.mkv", MINUTES + 1, 60))
    desk.wait_number(0)
    assert window.transport.length.text().startswith("10:00:00.")
    hand.key(Qt.Key.Key_End)
    desk.wait_number(MINUTES)
    assert window.transport.time.text() == "10:00:00.000"
    hand.key(",")
    desk.wait_number(MINUTES - 1)
    hand.key("g", CONTROL)
    desk.wait(window.transport.go_to.isVisible, "the field")
    for key in "5:00:00":
        hand.key(key)
    hand.key(Qt.Key.Key_Return)
    desk.wait_number(MINUTES // 2)
    quarter = QPoint(bar.width() // 4, bar.height() // 2)
    hand.move(bar, quarter)
    desk.wait(lambda: not window.transport.popup.picture.pixmap().isNull(), "the picture over the bar")
    hand.click(bar, quarter)
    desk.wait(lambda: 0 < window.session.shown_at.number < MINUTES // 2, "a quarter")
    desk.wait_number(bar.value() // 60_000)


def test_a_film_that_is_deleted_while_it_plays(desk: Desk, tmp_path: Path) -> None:
    """A message says so; the picture stays, an export fails with a reason, the next film plays."""
    window, hand = desk.window, Hand(desk)
    film = numbered(tmp_path / "gone.mkv", 300, 1)
    desk.open(film)
    desk.wait_number(0)
    hand.key(Qt.Key.Key_Space)
    desk.wait(lambda: window.player.engine.playing, "playback")
    film.unlink()
    hand.key(Qt.Key.Key_End)
    desk.wait(lambda: "gone.mkv: no such file" in window.messages.text, "the message")
    desk.wait(lambda: not window.player.engine.playing, "a pause")
    assert desk.number is not None
    export(desk, hand)
    (job,) = desk.exports.queue.jobs
    desk.wait(lambda: job.is_over, "its end")
    assert (job.state, "no such file" in job.message) == (State.FAILED, True)
    desk.open("cfr.mp4")
    desk.wait_number(0)


def test_a_film_that_is_cut_short_while_it_plays(desk: Desk, tmp_path: Path) -> None:
    """Playback goes on to the new end."""
    window, hand = desk.window, Hand(desk)
    film = numbered(tmp_path / "cut.mkv", 300, 1)
    desk.open(film)
    desk.wait_number(0)
    hand.key(Qt.Key.Key_Space)
    desk.wait(lambda: window.player.engine.playing, "playback")
    with film.open("r+b") as file:
        file.truncate(3000)
    hand.key(Qt.Key.Key_End)
    desk.settle()
    hand.key(Qt.Key.Key_K)
    hand.key(Qt.Key.Key_Home)
    desk.wait_number(0)
    hand.key(".")
    desk.wait_number(1)
    desk.open("cfr.mp4")
    desk.wait_number(0)
