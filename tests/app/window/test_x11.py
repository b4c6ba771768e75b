"""The window on a real screen of X11, without a window manager, as Xvfb has it in memory.

FRAMEBRUSH_REQUIRE_XVFB=1 promises what that takes, and then its absence fails."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import dev

ROOT = Path(__file__).parents[3]
MISSING = dev.missing_packages(dev.X11_NEEDS)

pytestmark = [
    pytest.mark.media,
    pytest.mark.skipif(
        bool(MISSING) and os.environ.get("FRAMEBRUSH_REQUIRE_XVFB") != "1",
        reason=f"no X11 without {', '.join(MISSING)}",
    ),
]

SEEN = """
import sys
from pathlib import Path
import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from assets import frame_number
from tests.app.window.conftest import Desk

app = QApplication(["framebrush"])
app.setQuitOnLastWindowClosed(False)
assert app.platformName() == "xcb", app.platformName()
desk = Desk(Path(sys.argv[1]))
window, view = desk.window, desk.window.view


def on_the_screen():
    # What the X server shows where the video is, not what Qt believes to have drawn.
    image = app.primaryScreen().grabWindow(0).toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    place, corner = view.painted.place, view.mapToGlobal(QPoint(0, 0))
    top, left = round(corner.y() + place.y), round(corner.x() + place.x)
    return frame_number.read(pixels[top : top + round(place.height), left : left + round(place.width), 1])


def wait_seen(number):
    desk.wait(lambda: on_the_screen() == number, f"frame {number} (the screen has {on_the_screen()})")


desk.open("cfr.mp4")
wait_seen(0)
desk.key(".")
wait_seen(1)
desk.key(",")
wait_seen(0)
desk.key(Qt.Key.Key_Space)
desk.wait(lambda: (on_the_screen() or 0) >= 3, "frames that follow each other")
desk.key(Qt.Key.Key_Space)
desk.wait(lambda: not window.player.engine.playing, "the pause")
desk.rest(0.1)
wait_seen(window.shown_at.number)
QTest.mouseClick(window.transport.bar, Qt.MouseButton.LeftButton, pos=window.transport.bar.rect().center())
desk.wait(lambda: abs(window.shown_at.number - 15) <= 1, "the middle")
wait_seen(window.shown_at.number)
desk.key("f")
desk.wait(lambda: view.size() == window.size(), "nothing but the picture")  # to widen it is a window manager's work
wait_seen(window.shown_at.number)
desk.key(Qt.Key.Key_Escape)
desk.wait(window.side.isVisible, "the window again")
wait_seen(window.shown_at.number)
app.primaryScreen().grabWindow(0).save(str(Path(sys.argv[1]) / "screen.png"))
desk.close()
print("seen")
"""


@pytest.fixture
def display() -> Iterator[str]:
    """The name of a display that nobody else has."""
    assert MISSING == []
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        number = pipe.readline().strip()
    assert number, f"Xvfb ended with status {server.wait()}"
    yield f":{number}"
    server.terminate()
    server.wait(10)


def test_the_screen_shows_the_right_frame(display: str, tmp_path: Path) -> None:
    paths = os.pathsep.join([str(ROOT), *sys.path])
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb", "DISPLAY": display, "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-c", SEEN, str(tmp_path)], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "seen", done.stderr
