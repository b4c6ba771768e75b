"""How long the window's thread is held up at worst while a person opens, plays, seeks, paints and compares.

    QT_QPA_PLATFORM=offscreen python benchmarks/window.py [VIDEO] [--style ink] [--device cpu]

A timer of 1 ms runs in the window's thread; the longest time between two of its ticks is the figure, for each act.
The promise is 50 ms.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QCoreApplication, QSettings, Qt, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from framebrush.media.video import Position  # noqa: E402
from framebrush.window.application import SWITCH_S  # noqa: E402
from framebrush.window.export_queue import ExportQueue  # noqa: E402
from framebrush.window.export_runner import ExportRunner  # noqa: E402
from framebrush.window.main_window import MainWindow  # noqa: E402
from framebrush.window.settings import Settings  # noqa: E402

ACT_S = 2.0


class Pulse:
    """The longest time without a tick."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self.worst_ms = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(1)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.worst_ms = max(self.worst_ms, 1e3 * (now - self._last))
        self._last = now


def act(name: str, call: Callable[[], None]) -> None:
    """Do something and say how long the thread was held up in the time after it."""
    pulse = Pulse()
    QTimer.singleShot(50, call)
    end = time.perf_counter() + ACT_S
    while time.perf_counter() < end:
        QCoreApplication.processEvents()
        time.sleep(0.0005)
    print(f"{name:<28}{pulse.worst_ms:8.1f} ms")


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", type=Path, default=ROOT / "assets" / "clips" / "landscape.mp4")
    parser.add_argument("--style", default="ink")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    sys.setswitchinterval(SWITCH_S)
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
        player = window.player
        act("nothing", lambda: None)
        act("open", lambda: window.open(arguments.video, play=False))
        act("style", lambda: player.use_style(arguments.style))
        act("play", lambda: player.play(True))
        act("seek while playing", lambda: player.seek(Position(Fraction(1, 2), "s")))
        act("pause, step back", lambda: player.step(-1))
        act("divider", lambda: window.look_panel.set_split(0.5))
        act("resize", lambda: window.resize(1280, 800))
        act("device", lambda: player.use_device(arguments.device))
        window.close()
        while not gone:
            QCoreApplication.processEvents()


if __name__ == "__main__":
    main()
