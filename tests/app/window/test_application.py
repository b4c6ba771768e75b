"""From the entry point to the end of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from framebrush.window.application import own_list
from tests.app.window.conftest import CLIPS

CLOSED_WHILE_PLAYING = """
import sys
from PySide6.QtCore import QTimer
from framebrush.window import application, main

class Window(application.MainWindow):
    def take(self, event):
        super().take(event)
        if type(event).__name__ == "Shown" and event.at.number >= 3:  # a slow device drops some
            QTimer.singleShot(0, self.close)

application.MainWindow = Window
sys.argv = ["framebrush-gui", {clip!r}]
main()
"""


def python(code: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(home))}
    if sys.platform.startswith("linux"):  # on Windows a GPU presents into a window of the system's own
        environment["QT_QPA_PLATFORM"] = "offscreen"
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)


def test_a_window_closed_while_it_plays_ends_the_process(tmp_path: Path) -> None:
    done = python(CLOSED_WHILE_PLAYING.format(clip=str(CLIPS / "cfr.mp4")), tmp_path)
    complaints = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert (done.returncode, complaints) == (0, [])


HOLD = """
import sys
from pathlib import Path
from framebrush.window.application import own_list
jobs, lock = own_list(Path(sys.argv[1]))
print(jobs._path.name, flush=True)
sys.stdin.read()
"""


def test_windows_that_are_open_at_once_have_a_list_each(tmp_path: Path) -> None:
    def window() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", HOLD, str(tmp_path)]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def name(process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return process.stdout.readline().strip()

    first = window()
    assert name(first) == "exports.json"
    second = window()
    assert name(second) == "exports-2.json"
    first.kill()  # by force: its lock stays behind
    first.communicate()
    third = window()
    assert name(third) == "exports.json"
    for process in (second, third):
        process.communicate(timeout=20)


def test_a_folder_that_cannot_be_written_to_is_no_reason_to_wait(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    jobs, _ = own_list(tmp_path / "file" / "folder")
    assert list(jobs) == []


def test_the_entry_points_load_no_qt(tmp_path: Path) -> None:
    code = "import sys, framebrush.window, framebrush.cli as _; sys.exit('PySide6' in sys.modules)"
    assert python(code, tmp_path).returncode == 0
