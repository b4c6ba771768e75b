"""How long the window's thread is held up at worst while a user opens, plays, seeks, paints, compares and asks.

    QT_QPA_PLATFORM=offscreen python benchmarks/window.py [VIDEO] [--style ink] [--device cpu]

A timer of 1 ms runs in the window's thread; the longest time between two of its ticks is the first figure, for each
act. The promise is 50 ms. The second is the most that the thread itself worked between two ticks: where other programs
take the processor, the first one is longer.
"""

from __future__ import annotations

import argparse
import queue
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QCoreApplication, QSettings, Qt, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication, QDialog  # noqa: E402

from framebrush.media.frame_source import open_frame_source  # noqa: E402
from framebrush.media.video import Position  # noqa: E402
from framebrush.playback.display.seek_preview import SeekPreview  # noqa: E402
from framebrush.window.application import SWITCH_S  # noqa: E402
from framebrush.window.exports.queue import ExportQueue  # noqa: E402
from framebrush.window.exports.runner import ExportRunner  # noqa: E402
from framebrush.window.main_window import MainWindow  # noqa: E402
from framebrush.window.settings import Settings  # noqa: E402

ACT_S = 2.0
PREVIEWS = 30


class Pulse:
    """The longest time without a tick, and the most processor time of this thread between two."""

    def __init__(self) -> None:
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self.worst_ms = self.worked_ms = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(1)

    def _tick(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.worst_ms = max(self.worst_ms, 1e3 * (now - self._last))
        self.worked_ms = max(self.worked_ms, 1e3 * (worked - self._worked))
        self._last, self._worked = now, worked


def act(name: str, call: Callable[[], object]) -> None:
    """Do something and print how long the thread was held up after it."""
    pulse = Pulse()
    QTimer.singleShot(50, call)
    end = time.perf_counter() + ACT_S
    while time.perf_counter() < end:
        QCoreApplication.processEvents()
        time.sleep(0.0005)
    print(f"{name:<28}{pulse.worst_ms:8.1f} ms{pulse.worked_ms:8.1f} ms")


def preview_rate(video: Path) -> float:
    """Pictures a second for the seek bar, none of them seen before. The promise is ten, of a film of 3840x2160."""
    came: queue.SimpleQueue[float] = queue.SimpleQueue()
    with open_frame_source(str(video)) as source:
        info = source.info
    preview = SeekPreview(info, lambda at_s, _: came.put(at_s))
    preview.ask(0.0)
    came.get(timeout=30)
    begun = time.perf_counter()
    for number in range(1, PREVIEWS + 1):
        preview.forget()
        preview.ask(number * 0.618 % 1 * (info.duration_s or 1.0))
        came.get(timeout=30)
    rate = PREVIEWS / (time.perf_counter() - begun)
    preview.close()
    return rate


def leave(window: MainWindow) -> None:
    """Close the dialogs of a window."""
    for dialog in window.findChildren(QDialog):
        dialog.reject()


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", type=Path, default=ROOT / "assets" / "clips" / "landscape.mp4")
    parser.add_argument("--style", default="ink")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    sys.setswitchinterval(SWITCH_S)
    print(f"pictures over the seek bar  {preview_rate(arguments.video):8.1f} a second")
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat))
        exports = ExportRunner(ExportQueue(Path(folder) / "exports.json"))
        window = MainWindow(settings, exports, device=arguments.device, style="none")
        gone: list[bool] = []
        window.destroyed.connect(lambda: gone.append(True))
        window.resize(1600, 1000)
        window.show()
        player, actions = window.player, window.actions_
        begun = time.perf_counter()
        while time.perf_counter() < begun + ACT_S:
            QCoreApplication.processEvents()
        act("nothing", lambda: None)
        act("open", lambda: window.open(arguments.video, play=False))
        act("style", lambda: player.use_style(arguments.style))
        act("play", lambda: player.play(True))
        act("seek while playing", lambda: player.seek(Position(Fraction(1, 2), "s")))
        act("theme while playing", lambda: window.use_theme("light"))
        act("pause, step back", lambda: player.step(-1))
        act("theme", lambda: window.use_theme("dark"))
        act("divider", lambda: window.look_panel.set_split(0.5))
        act("side by side", lambda: actions["side-by-side"].trigger())
        act("zoom", lambda: window.looking.zoom_to(4.0))
        act("loupe", lambda: actions["loupe"].trigger())
        act("stroke", lambda: window.stroke.slider.slider.setValue(20))
        act("first painting", lambda: window.gallery.choose_slot(1))
        act("another painting", lambda: window.gallery.choose_slot(2))
        act("point at a tile", lambda: window.gallery.tiles.pointed.emit(3))
        act("point at none", lambda: window.gallery.tiles.pointed.emit(-1))
        act("blend", lambda: window.gallery.blend_button.setChecked(True))
        act("exports", lambda: window.side.setCurrentIndex(1))
        act("paintings", lambda: window.side.setCurrentIndex(0))
        act("seek preview", lambda: window.transport.bar.pointed.emit(300, 40))
        for name in ("help", "about", "export", "new-style", "open-camera"):
            act(name, lambda name=name: actions[name].trigger())  # type: ignore[misc]
            leave(window)
        act("full screen", lambda: actions["full-screen"].setChecked(True))
        act("back", lambda: actions["full-screen"].setChecked(False))
        act("resize", lambda: window.resize(1280, 800))
        act("device", lambda: player.use_device(arguments.device))
        act("close the video", player.close_video)
        window.close()
        while not gone:
            QCoreApplication.processEvents()


if __name__ == "__main__":
    main()
