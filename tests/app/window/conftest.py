"""Real window without a screen (QT_QPA_PLATFORM=xcb shows it), driven as by a person."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

if sys.platform.startswith("linux"):  # needs no window manager, and opens nothing on the desktop
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import numpy.typing as npt
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QLocale, QObject, QSettings, Qt, QTranslator
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from assets import frame_number
from framebrush.base.option import Section
from framebrush.playback.player import Player
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.window import main_window
from framebrush.window.application import translate
from framebrush.window.exports import trial_export
from framebrush.window.exports.export_queue import ExportQueue
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.main_window import MainWindow
from framebrush.window.project.launch import Launch
from framebrush.window.project.restore_point import RestorePoint
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.session import Session
from framebrush.window.state.window_settings import Settings
from framebrush.window.styles import film_tiles
from framebrush.window.widgets.controls import LabelledSlider
from framebrush.window.widgets.process_runner import ProcessRunner

if TYPE_CHECKING:
    import psutil

CLIPS = Path(__file__).parents[3] / "assets" / "clips"
SETTLING_TURNS = 20
DESKS: list[Desk] = []
"""Desks with possibly open windows."""
NEVER_MS = 2**31 - 1
ASKED = (
    *("seek", "set_volume", "paint_ahead", "set_preview", "use_precision", "limit_renders", "use_device", "use_look"),
    *("delay_sound", "record", "feed_camera", "renew_surface", "attach", "look_at", "try_style", "screenshot", "play"),
)
ALL_SECTIONS = *get_args(Section), "brush-advanced", "subject-advanced"


class Desk:
    """Window with settings in the test's folder."""

    def __init__(
        self,
        folder: Path,
        *,
        style: str = "none",
        size: tuple[int, int] | None = (900, 600),
        hints: bool = False,
        reading: ReadingProcess | None = None,
        source: str | None = None,
        unfolded: bool = True,
        device: str = "cpu",
        back_at: RestorePoint | None = None,
    ) -> None:
        """Open the window. size: None for the remembered one."""
        self.settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat), folder / "data")
        self.settings.hinted = not hints
        if unfolded:
            self.settings.sections = ALL_SECTIONS
        QApplication.clipboard().setText("")  # Ctrl+V would open a path that another test left
        self.exports = ExportRunner(ExportQueue(folder / "exports.json"))
        launch = Launch(device, style, source=source, back_at=back_at)
        self.window = MainWindow(self.settings, self.exports, launch, reading)
        self.gone = False
        DESKS.append(self)
        self.window.destroyed.connect(self._goes)
        if size is not None:
            self.window.resize(*size)
        self.window.show()
        self.wait(self._is_active, "the window")

    def _is_active(self) -> bool:
        """Activate the window, without a window manager."""
        if not self.window.isActiveWindow():
            self.window.activateWindow()
        return self.window.isActiveWindow()

    def _goes(self) -> None:
        self.gone = True
        DESKS.remove(self)

    def wait(self, until: Callable[[], bool], what: str = "") -> None:
        """Run the event loop until a condition holds."""
        end = time.monotonic() + 60
        while not until():
            QCoreApplication.processEvents()
            time.sleep(0.005)
            assert time.monotonic() < end, f"waited in vain for {what or until}"

    def rest(self, seconds: float) -> None:
        """Run the event loop until a layout has settled."""
        end, turns = time.monotonic() + seconds, count()
        self.wait(lambda: next(turns) >= SETTLING_TURNS and time.monotonic() > end)

    def key(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.window, key, modifier)  # type: ignore[call-overload]

    def open(self, clip: str | Path) -> None:
        self.window.view.painted.composed = None
        self.window.opening.open(CLIPS / clip, play=False)
        self.settle()
        self.wait(lambda: self.window.view.painted.image is not None, "the first frame")
        self.rest(0.1)  # let the layout settle

    def picture(self) -> npt.NDArray[np.uint8]:
        """Return the video area in physical pixels: (H, W, 4) uint8, B, G, R, unused."""
        view, place = self.window.view, self.window.view.painted.place
        assert place is not None
        image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
        ratio = view.devicePixelRatioF()
        top, left, height, width = (round(ratio * side) for side in (place.y, place.x, place.height, place.width))
        return pixels[top : top + height, left : left + width].copy()

    @property
    def number(self) -> int | None:
        info = self.window.session.opened.info if self.window.session.opened else None
        turned = info.rotation_degrees // 90 if info else 0  # numbers are upright in the stored frame
        return frame_number.read(np.rot90(self.picture()[..., 1], -turned))

    def wait_number(self, number: int) -> None:
        self.wait(lambda: self.number == number, f"frame {number} (it is {self.number})")

    def wait_style(self, name: str) -> None:
        session = self.window.session

        def is_used() -> bool:
            return not session.awaits_style and session.style_in_use is not None and session.style_in_use.name == name

        self.wait(is_used, name)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the player (not the window) busy."""
        begun, over = threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            over.wait()

        self.settle()
        self.window.player.commands.post(work)
        self.wait(begun.is_set, "the player")
        try:
            yield
        finally:
            over.set()

    def settle(self) -> None:
        """Wait until player and window have no events."""
        done = threading.Event()
        self.window.player.commands.post(done.set)
        self.wait(done.is_set, "the player")
        QCoreApplication.processEvents()

    def wait_still(self, for_s: float = 0.5) -> npt.NDArray[np.uint8]:
        """Wait until player and picture are still; return the picture."""
        self.settle()
        seen = [self.picture()]

        def stands() -> bool:
            self.rest(for_s)
            seen.append(self.picture())
            return np.array_equal(*seen[-2:])

        self.wait(stands, "a picture that stands")
        return seen[-1]

    def close(self) -> None:
        if not self.gone:
            self.window.close()
            self.wait(lambda: self.gone, "the end of the window")


def process_of(runner: ProcessRunner[Any]) -> psutil.Process:
    import psutil  # missing in the Windows rig

    assert runner.process_id is not None
    return psutil.Process(runner.process_id)


def weight_of(desk: Desk, title: str) -> LabelledSlider:
    return next(
        slider for slider in desk.window.inspector.gallery.blend.sliders if slider.slider.accessibleName() == title
    )


@pytest.fixture(scope="session")
def application() -> QApplication:
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    app = QApplication(["framebrush"])
    app.setQuitOnLastWindowClosed(False)
    return app


@contextmanager
def speaking(application: QApplication, locale: str) -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    there = set(application.findChildren(QTranslator))
    translate(application)
    try:
        yield
    finally:
        for translator in set(application.findChildren(QTranslator)) - there:
            application.removeTranslator(translator)
            translator.deleteLater()
        QLocale.setDefault(before)


@pytest.fixture(autouse=True)
def nothing_is_painted_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the render cache, which replaces previews."""
    monkeypatch.setattr(main_window, "memory_budget", lambda: 0)


@pytest.fixture(autouse=True)
def no_window_stays() -> Iterator[None]:
    """Close windows that a failed test left open."""
    yield
    for made in list(DESKS):
        made.close()
    if isinstance(QApplication.instance(), QApplication):
        left = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
        for each in left:
            each.hide()
        assert left == []


@pytest.fixture(autouse=True)
def no_tile_is_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable film tiles, which would paint all styles."""
    monkeypatch.setattr(film_tiles, "REST_MS", NEVER_MS)


@pytest.fixture(autouse=True)
def nothing_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable estimates, which would export frames."""
    monkeypatch.setattr(trial_export, "REST_MS", NEVER_MS)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    noted = list[tuple[object, ...]]()  # name and arguments of each command to a player made from now on

    def noting(name: str, command: Callable[..., None]) -> Callable[..., None]:
        def post(player: Player, *given: object, **named: object) -> None:
            noted.append((name, *given, *named.values()))
            command(player, *given, **named)

        return post

    for name in ASKED:
        monkeypatch.setattr(Player, name, noting(name, getattr(Player, name)))
    return noted


@pytest.fixture
def session(application: QApplication, asked: list[tuple[object, ...]], tmp_path: Path) -> Iterator[Session]:
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat), tmp_path / "data")
    owner = QObject()
    player = Player(lambda _: None, lambda _: None, lambda _, __, path: path)  # its thread is not started
    yield Session(player, settings, Choice(), owner)
    player.engine.close()
    shiboken6.delete(owner)


@pytest.fixture
def desk(application: QApplication, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()
    made.wait(lambda: made.exports.is_idle, "the exports' process")
