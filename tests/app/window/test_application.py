"""From the entry point to the end of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.app.window.conftest import CLIPS

CLOSED_WHILE_PLAYING = """
import sys
from PySide6.QtCore import QTimer
from app.window import application, main

class Window(application.MainWindow):
    def take(self, event):
        super().take(event)
        if type(event).__name__ == "Shown" and event.at.number == 3:
            QTimer.singleShot(0, self.close)

application.MainWindow = Window
sys.argv = ["framebrush-gui", {clip!r}]
main()
"""


def python(code: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    environment["XDG_DATA_HOME"] = str(home)
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)


def test_a_window_closed_while_it_plays_ends_the_process(tmp_path: Path) -> None:
    done = python(CLOSED_WHILE_PLAYING.format(clip=str(CLIPS / "cfr.mp4")), tmp_path)
    complaints = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert (done.returncode, complaints) == (0, [])


def test_the_entry_points_load_no_qt(tmp_path: Path) -> None:
    code = "import sys, app.window, app.cli; sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    assert python(code, tmp_path).returncode == 0
