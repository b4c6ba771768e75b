"""The window on Direct3D 12: playback without a readback, the right frame drawn after everything a person does.

What is on the screen is read from the swap chain's own pictures, and once from the desktop. That once is a window of
the page alone: Wine on a CPU draws a swap chain within another window black, Windows does not.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.media.video import Position
from app.playback import events
from app.playback.player import Player
from app.window.bridge import Bridge, save_picture
from app.window.export_queue import ExportQueue
from app.window.export_runner import ExportRunner
from app.window.main_window import MainWindow
from app.window.settings import Settings
from app.window.view import NativePage
from assets import frame_number
from gpu.d3d12.swapchain import fit
from gpu.device import DeviceLost
from gpu.look import Look
from tests.windows.test_screen import on_screen

pytestmark = pytest.mark.windows

CLIPS = Path(__file__).parents[2] / "assets" / "clips"
PATIENCE_S = 120  # the rig draws on two cores


def wait(until: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not until():
        QCoreApplication.processEvents()
        time.sleep(0.01)
        assert time.monotonic() < end, f"waited in vain for {what}"


@pytest.fixture(scope="module")
def application(cache_of_shaders: Path) -> QApplication:
    app = QApplication.instance() or QApplication(["framebrush"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    return app


class Desk:
    """A window on the GPU. Its engine is looked into only while it stands still."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
        self.window = MainWindow(
            settings, ExportRunner(ExportQueue(folder / "exports.json")), device="d3d12", style="none"
        )
        self.gone = False
        self.told: list[events.Event] = []
        self.window.destroyed.connect(self._goes)
        self.window.bridge.news.connect(self.told.append)
        self.window.resize(1180, 620)
        self.window.show()

    def _goes(self) -> None:
        self.gone = True

    @property
    def painter(self):  # noqa: ANN201
        return self.window.player._engine._painter

    def count(self, kind: type) -> int:
        return sum(isinstance(event, kind) for event in self.told)

    def do(self, call: Callable[[], None]) -> None:
        """Something that ends with a frame shown."""
        before = self.count(events.Shown)
        call()
        wait(lambda: self.count(events.Shown) > before, "a frame")

    def settle(self) -> None:
        """Until the player has nothing to do."""
        before = self.count(events.Marked)
        self.window.player.clear_marks()
        wait(lambda: self.count(events.Marked) > before, "the player")

    @property
    def number(self) -> int | None:
        """Of the frame that was presented last."""
        surface, info = self.painter._surface, self.window._opened.info
        drawn = on_screen(self.painter.device, surface)
        height, width = drawn.shape[:2]
        x, y, wide, high = fit((info.format.width, info.format.height), (width, height), float(info.sample_aspect))
        return frame_number.read(drawn[y : y + high, x : x + wide, 1])

    def close(self) -> None:
        if not self.gone:
            self.window.close()
            wait(lambda: self.gone, "the end of the window")


@pytest.fixture
def desk(application: QApplication, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


def test_the_right_frame_after_everything(desk: Desk) -> None:
    player = desk.window.player
    desk.do(lambda: desk.window.open(CLIPS / "cfr.mp4", play=False))
    assert desk.number == 0
    desk.do(lambda: player.seek(Position(Fraction(17), "frame")))
    assert desk.number == 17
    desk.do(lambda: player.step(1))
    assert desk.number == 18
    desk.do(lambda: player.step(-1))
    desk.do(lambda: player.step(-1))
    assert desk.number == 16
    before = desk.painter._surface._size
    desk.window.resize(1300, 700)
    wait(lambda: desk.painter._surface._size == desk.window.bridge.box.size_px != before, "the new size")
    desk.settle()
    assert desk.number == 16
    desk.window.look_panel.set_split(0.3)
    desk.settle()
    assert desk.number == 16
    desk.do(lambda: player.use_style("ink"))
    desk.settle()
    assert desk.number == 16
    assert desk.painter.counters.readbacks == 0


def test_playing_reads_nothing_back(desk: Desk) -> None:
    desk.window.player.set_loop(True)
    desk.window.open(CLIPS / "cfr.mp4")
    wait(lambda: desk.count(events.Shown) >= 40, "40 frames")
    desk.window.player.play(False)
    desk.settle()
    counters = desk.painter.counters
    assert counters.presents >= 40
    assert (counters.readbacks, counters.uploads) == (0, counters.runs)
    assert desk.number == desk.window._at.number


def test_a_lost_device_means_the_cpu(desk: Desk) -> None:
    desk.do(lambda: desk.window.open(CLIPS / "cfr.mp4", play=False))

    def lose() -> None:
        raise DeviceLost("removed")

    desk.window.player._inbox.post(lose)
    wait(lambda: "lost" in desk.window.messages.text, "the message")
    wait(lambda: desk.window.view.currentWidget() is desk.window.view.painted, "the CPU's page")
    desk.window.player.step(1)
    wait(lambda: desk.window._at.number == 1, "the next frame")
    wait(lambda: desk.window.view.painted.image is not None, "a picture")


def test_from_the_cpu_to_the_gpu_and_back(desk: Desk) -> None:
    desk.do(lambda: desk.window.open(CLIPS / "cfr.mp4", play=False))
    desk.do(lambda: desk.window.player.use_device("cpu"))
    wait(lambda: desk.window.view.painted.image is not None, "a picture")
    desk.do(lambda: desk.window.player.use_device("d3d12"))
    desk.settle()
    assert desk.number == 0


def test_open_and_close_leave_nothing(application: QApplication, tmp_path: Path) -> None:
    threads = set(threading.enumerate())
    for cycle in range(30):
        desk = Desk(tmp_path)
        if cycle % 2 == 0:
            desk.do(lambda desk=desk: desk.window.open(CLIPS / "cfr.mp4"))
        desk.close()
        native = desk.told[0]
        del desk, native
    gc.collect()
    assert set(threading.enumerate()) <= threads
    assert not [thing for thing in gc.get_objects() if isinstance(thing, MainWindow)]


def test_the_desktop_shows_the_frame(application: QApplication) -> None:
    page = NativePage()
    page.resize(480, 288)
    page.move(40, 40)
    page.show()
    wait(page.isVisible, "the page")
    bridge = Bridge(int(page.winId()))
    bridge.window_shown, bridge.box.size_px = True, (480, 288)
    shown: list[events.Mark] = []
    ended: list[events.Ended] = []
    bridge.news.connect(lambda event: shown.append(event.at) if isinstance(event, events.Shown) else None)
    bridge.news.connect(lambda event: ended.append(event) if isinstance(event, events.Ended) else None)
    player = Player(bridge.tell, bridge.make_surface, save_picture)
    player.start("d3d12", "none", Look())
    player.open(CLIPS / "cfr.mp4", play=False)
    player.seek(Position(Fraction(11), "frame"))
    wait(lambda: len(shown) >= 2, "frame 11")

    def on_desktop() -> int | None:
        image = page.screen().grabWindow(0).toImage().convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
        corner = page.mapToGlobal(page.rect().topLeft())
        part = pixels[corner.y() : corner.y() + 288, corner.x() : corner.x() + 480, 1]
        return frame_number.read(part)

    try:
        wait(lambda: on_desktop() == 11, "frame 11 on the desktop")
    finally:
        player.quit()
        wait(lambda: bool(ended), "the player's end")
        page.close()
