"""Window on Direct3D 12, and its pixels on the desktop."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Foundation as N
import win32more.Windows.Win32.Graphics.Gdi as I
import win32more.Windows.Win32.UI.WindowsAndMessaging as W
from PySide6.QtCore import QCoreApplication, QPoint, QRect, QSettings
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from assets import frame_number
from framebrush.gpu.hlsl.window_surface import fit
from framebrush.playback import events
from framebrush.window.exports.export_queue import ExportQueue
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.main_window import MainWindow
from framebrush.window.project.launch import Launch
from framebrush.window.state.window_settings import Settings
from tests.windows.harness import on_screen

CLIPS = Path(__file__).parents[2] / "assets" / "clips"
PATIENCE_S = 600  # beside other work, the rig paints a hundred times slower than a GPU
SETTLED_S = 0.4

Pixels = npt.NDArray[np.uint8]


def wait(until: Callable[[], bool], what: str) -> None:
    """Run the event loop until a condition holds."""
    end = time.monotonic() + PATIENCE_S
    while not until():
        QCoreApplication.processEvents()
        time.sleep(0.01)
        assert time.monotonic() < end, f"waited in vain for {what}"


def live(seconds: float = SETTLED_S) -> None:
    end = time.monotonic() + seconds
    wait(lambda: time.monotonic() >= end, "the clock")


def desktop(rect: QRect | None = None) -> Pixels:
    """Capture the desktop or a part, (H, W, 3) RGB, physical pixels."""
    image = QGuiApplication.primaryScreen().grabWindow(0).toImage().convertToFormat(QImage.Format.Format_RGBX8888)
    whole = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3]
    return part(whole, rect or image.rect()).copy()


def part(picture: Pixels, rect: QRect) -> Pixels:
    return picture[rect.top() : rect.bottom() + 1, rect.left() : rect.right() + 1]


def rect_of(widget: QWidget) -> QRect:
    ratio = widget.devicePixelRatioF()
    corner, size = widget.mapToGlobal(QPoint(0, 0)), widget.size()
    return QRect(*(round(ratio * length) for length in (corner.x(), corner.y(), size.width(), size.height())))


class Desk:
    """Window on the GPU. Its engine is inspected only while idle."""

    def __init__(self, folder: Path, source: str | None = None) -> None:
        settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat), folder / "data")
        settings.hinted = True
        exports = ExportRunner(ExportQueue(folder / "exports.json"))
        self.window = MainWindow(settings, exports, Launch("d3d12", "none", source=source))
        self.empty = desktop()
        self.gone = False
        self.told: list[events.Event] = []
        self.window.destroyed.connect(self._goes)
        self.window.bridge.event_posted.connect(self.told.append)
        self.window.resize(1180, 620)
        self.window.move(100, 60)
        self.window.show()

    def _goes(self) -> None:
        self.gone = True

    @property
    def painter(self):  # noqa: ANN201
        return self.window.player.engine.presenter

    def count(self, kind: type) -> int:
        return sum(isinstance(event, kind) for event in self.told)

    def open(self, name: str) -> None:
        self.do(lambda: self.window.opening.open(CLIPS / name, play=False))

    def do(self, call: Callable[[], None]) -> None:
        before = self.count(events.Shown)
        call()
        wait(lambda: self.count(events.Shown) > before, "a frame")

    def settle(self) -> None:
        before = self.count(events.InOutChanged)
        self.window.player.clear_marks()
        wait(lambda: self.count(events.InOutChanged) > before, "the player")

    @property
    def native_size(self) -> tuple[int, int]:
        """Return the presenting child window's physical size."""
        client = N.RECT()
        assert W.GetClientRect(self.window.view.native_window.handle, client)
        return client.right, client.bottom

    @property
    def presented_size(self) -> tuple[int, int]:
        made = self.painter.surface.format
        return made.width, made.height

    @property
    def held(self) -> int:
        """Count the device's objects, except command lists of swap chains."""
        images = self.painter.surface._images
        return self.painter.device.context.live_count - sum(len(image.recorder._lists) for image in images)

    @property
    def picture(self) -> Pixels:
        """Capture the video without bars."""
        assert self.window.session.opened is not None
        info = self.window.session.opened.info
        shown = desktop(rect_of(self.window.view.page))
        size = (info.format.width, info.format.height)
        x, y, wide, high = fit(size, (shown.shape[1], shown.shape[0]), float(info.sample_aspect))
        return shown[y : y + high, x : x + wide]

    @property
    def number(self) -> int | None:
        return frame_number.read(self.picture[..., 1])

    def shows(self, number: int) -> None:
        """Check that the desktop shows a frame and keeps it."""
        self.settle()
        if self.window.view.page is self.window.view.native:
            self._check_presented(number)
        wait(lambda: self.number == number, f"frame {number} on the desktop")
        live()
        assert self.number == number

    def _is_still(self) -> bool:
        before = self.painter.counters.presents
        live()
        self.settle()
        return self.painter.counters.presents == before

    def _check_presented(self, number: int) -> None:
        """Check that this frame was presented at the window's size, then repaint.

        In the rig, child windows may lag until repainted.
        """
        wait(self._is_still, "a picture that is presented once")
        assert self.window.session.opened is not None
        surface, info = self.painter.surface, self.window.session.opened.info
        presented = on_screen(self.painter.device, surface)
        assert presented.shape[1::-1] == self.native_size
        x, y, wide, high = fit(
            (info.format.width, info.format.height), presented.shape[1::-1], float(info.sample_aspect)
        )
        green = (presented[y : y + high, x : x + wide, 1] >> surface.format.bits - 8).astype(np.uint8)
        assert frame_number.read(green) == number
        if "WINRIG" in os.environ:
            I.RedrawWindow(self.window.view.native_window.handle, None, 0, I.RDW_INVALIDATE)

    def close(self) -> None:
        if not self.gone:
            self.window.close()
            wait(lambda: self.gone, "the end of the window")
