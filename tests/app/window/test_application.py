"""From the entry point to the end of the process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import PySide6
import pytest

from framebrush.window.application import own_list
from tests.app.window.conftest import CLIPS
from tools import dev

MISSING = dev.missing_packages([need for need in dev.X11_NEEDS if need.package != "xvfb"])

CLOSED_WHILE_PLAYING = """
import sys
from PySide6.QtCore import QTimer
from framebrush.playback import events
from framebrush.window import application, work

class Window(application.MainWindow):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.session.events.on(events.Shown, self.hear)

    def hear(self, event):
        if event.at.number >= 3:  # a slow device drops some
            QTimer.singleShot(0, self.close)

application.MainWindow = Window
sys.argv = ["framebrush-gui", {clip!r}]
work()
"""


def surroundings(home: Path) -> dict[str, str]:
    environment = {**os.environ, **dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(home))}
    if sys.platform.startswith("linux"):  # on Windows a GPU presents into a window of the system's own
        environment["QT_QPA_PLATFORM"] = "offscreen"
    return environment


def python(code: str, home: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=surroundings(home), capture_output=True, text=True, timeout=60)


@pytest.mark.slow
def test_a_window_closed_while_it_plays_ends_the_process(tmp_path: Path) -> None:
    done = python(CLOSED_WHILE_PLAYING.format(clip=str(CLIPS / "cfr.mp4")), tmp_path)
    complaints = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert (done.returncode, complaints) == (0, [])


QUIT_DURING_A_TRIAL = """
import sys, threading
from PySide6.QtCore import QTimer
from framebrush.window import application, work
from framebrush.window.exports.export_dialog import ExportDialog

class Window(application.MainWindow):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.look)
        self.timer.start(50)

    def look(self):
        dialog = self.findChild(ExportDialog)
        if dialog is None and self.session.opened is not None and not self.session.awaits_style:
            self.actions_["export"].trigger()
        elif dialog is not None and dialog.trial.runner.process_id is not None:
            self.timer.stop()
            self.quit()

application.MainWindow = Window
sys.argv = ["framebrush-gui", {clip!r}]
try:
    work()
finally:
    print(sorted(each.name for each in threading.enumerate() if each.name.startswith("process")))
"""


@pytest.mark.slow
def test_a_window_that_ends_with_its_export_dialog_waits_for_the_trial(tmp_path: Path) -> None:
    """A request of the desktop, for example, asks nothing about dialogs."""
    done = python(QUIT_DURING_A_TRIAL.format(clip=str(CLIPS / "landscape.mp4")), tmp_path)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


CHOSEN_LANGUAGE = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from framebrush.playback import events
from framebrush.window import application, work

class Window(application.MainWindow):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        QTimer.singleShot(0, self.choose)

    def choose(self):
        print(self.actions_["open"].text(), flush=True)
        next(each for each in self.findChildren(QAction) if each.text() == "Deutsch").trigger()
        self.close()

application.MainWindow = Window
sys.argv = ["framebrush-gui"]
work()
"""


@pytest.mark.slow
def test_the_window_has_the_language_that_was_chosen_in_it(tmp_path: Path) -> None:
    first, second = (python(CHOSEN_LANGUAGE, tmp_path) for _ in range(2))
    assert (first.returncode, first.stdout) == (0, "Open video…\n")
    assert (second.returncode, second.stdout) == (0, "Video öffnen…\n")


COLOURS = """
from PySide6.QtCore import QTimer
from framebrush.styles.specs import ColourSpec
from framebrush.window import application
from framebrush.window.project.launch import Launch

class Window(application.MainWindow):
    def __init__(self, settings, *args, **more):
        super().__init__(settings, *args, **more)
        print(settings.colours.second, flush=True)
        QTimer.singleShot(0, self.close)

application.MainWindow = Window
application.show(Launch("cpu", "none", colours={colours}))
"""


@pytest.mark.slow
def test_colours_are_those_of_the_command_line(tmp_path: Path) -> None:
    for second in ("ink", "oil"):
        done = python(COLOURS.format(colours=f"ColourSpec(second='{second}')"), tmp_path)
        assert (done.returncode, done.stdout) == (0, f"{second}\n"), done.stderr


ASKED_TO_END = """
import os, signal, sys, threading
from framebrush.playback import events
from framebrush.window import application

class Window(application.MainWindow):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.session.events.on(events.StyleAnswered, self.hear)

    def hear(self, event):
        threading.Thread(target=lambda: os.kill(os.getpid(), signal.{name})).start()

    def quit(self):
        os.kill(os.getpid(), signal.{name})  # whoever asks again does not wait
        super().quit()
        os.kill(os.getpid(), signal.{name})

application.MainWindow = Window
{run}
"""
STARTS = {
    "gui": "from framebrush.window import work; sys.argv = ['framebrush-gui']; work()",
    "play": "from framebrush.__main__ import work; sys.argv = ['framebrush', 'play', '-d', 'cpu']; work()",
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal to send to one process")
@pytest.mark.parametrize(("start", "name"), [("gui", "SIGTERM"), ("play", "SIGINT")])
def test_a_window_that_is_asked_to_end_closes_as_by_hand(tmp_path: Path, start: str, name: str) -> None:
    """Settings are kept, and no message complains about a file that nobody opened."""
    done = python(ASKED_TO_END.format(name=name, run=STARTS[start]), tmp_path)
    complaints = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert (done.returncode, complaints) == (0, [])
    (remembered,) = tmp_path.rglob("*.conf")
    assert "geometry=" in remembered.read_text()


CHOSEN_LOOK = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from framebrush.playback import events
from framebrush.window import application, work

class Window(application.MainWindow):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.session.events.on(events.StyleAnswered, self.hear)

    def hear(self, event):
        print(self.session.choice.look.strength, flush=True)
        QTest.keyClick(self.inspector.panel.sliders["strength"].slider, Qt.Key.Key_Home)
        print(self.session.choice.look.strength, flush=True)

application.MainWindow = Window
sys.argv = ["framebrush-gui"]
work()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="where settings are in a file")
def test_a_window_that_is_killed_comes_back_with_its_look(tmp_path: Path) -> None:
    for before in ("1.0", "0.0"):
        command = [sys.executable, "-c", CHOSEN_LOOK]
        with subprocess.Popen(command, env=surroundings(tmp_path), stdout=subprocess.PIPE) as window:
            try:
                assert window.stdout is not None
                assert [window.stdout.readline() for _ in range(2)] == [f"{before}\n".encode(), b"0.0\n"]
                end = time.monotonic() + 30
                while not any(b"strength" in file.read_bytes() for file in tmp_path.rglob("*.conf")):
                    assert time.monotonic() < end, "it is not remembered"
                    time.sleep(0.05)
            finally:
                window.kill()


ASLEEP = """
import os, signal, threading, time
from PySide6.QtCore import QCoreApplication
from framebrush.base import signals
from framebrush.window.application import Requests

signals.install()
app = QCoreApplication([])
signals.loaded(lambda: None, speaks=False)
Requests(app)

def end():
    time.sleep(0.3)  # so that nothing runs in Python any more
    os.kill(os.getpid(), signal.SIGTERM)

threading.Thread(target=end).start()
with signals.deferred(app.quit):
    app.exec()
print("over")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal to send to one process")
def test_a_request_wakes_a_window_that_waits_for_events(tmp_path: Path) -> None:
    done = python(ASLEEP, tmp_path)
    assert (done.returncode, done.stdout) == (0, "over\n"), done.stderr


OPENED_BY_A_RELATIVE_PATH = """
import os, sys
from PySide6.QtCore import QTimer
from framebrush.playback import events
from framebrush.window import application, run
from framebrush.window.exports.export_dialog import ExportDialog

class Window(application.MainWindow):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.session.events.on(events.Shown, self.hear)

    def hear(self, event):
        if self.isVisible():
            self.exporting.ask()
            dialog = self.findChild(ExportDialog)
            print(self.settings.recent, dialog.spec.source, dialog.spec.target, sep="\\n")
            dialog.reject()
            self.close()

application.MainWindow = Window
os.chdir({folder!r})
sys.exit(run("films/film.mp4", device="cpu"))
"""


@pytest.mark.slow
def test_what_is_kept_of_a_film_opened_by_a_relative_path_is_found_from_anywhere(tmp_path: Path) -> None:
    film = tmp_path / "films" / "film.mp4"
    film.parent.mkdir()
    shutil.copy(CLIPS / "cfr.mp4", film)
    done = python(OPENED_BY_A_RELATIVE_PATH.format(folder=str(tmp_path)), tmp_path)
    assert done.stdout.splitlines() == [str([film]), str(film), str(film.with_name("film-painted.mp4"))], done.stderr


HOLD = """
import sys
from pathlib import Path
from framebrush.window.application import own_list
jobs, lock = own_list(Path(sys.argv[1]))
print(jobs._path.name, flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
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
        process.communicate(timeout=60)


def test_a_folder_that_cannot_be_written_to_is_no_reason_to_wait(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    jobs, _ = own_list(tmp_path / "file" / "folder")
    assert list(jobs) == []


def test_the_entry_points_load_no_qt(tmp_path: Path) -> None:
    code = "import sys, framebrush.window, framebrush.cli.command_line as _; sys.exit('PySide6' in sys.modules)"
    assert python(code, tmp_path).returncode == 0


def opens(command: list[str], home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Start a command in a session with only the displays named by `variables`."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "QT_QPA_PLATFORM_PLUGIN_PATH", "XDG_SESSION_TYPE")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(home)) | variables
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def without_a_library(folder: Path) -> Path:
    """The folder of a copy of Qt's plugin for X11 that wants a library which no system has."""
    qt = Path(PySide6.__file__).parent / "Qt"
    platforms, libraries = folder / "plugins" / "platforms", folder / "lib"
    platforms.mkdir(parents=True)
    libraries.mkdir()
    for library in (qt / "lib").iterdir():
        (libraries / library.name).symlink_to(library)
    for source, target in (
        (qt / "lib" / "libQt6XcbQpa.so.6", libraries / "libQt6XcbQpa.so.6"),
        (qt / "plugins" / "platforms" / "libqxcb.so", platforms / "libqxcb.so"),
    ):
        target.unlink(missing_ok=True)
        target.write_bytes(source.read_bytes().replace(b"libxcb-cursor.so.0", b"libxcb-absent.so.0"))
    return platforms


ASKED = """
from framebrush.machine.doctor import CHECKS
answer = CHECKS["window"]()
print(answer.state.value, answer.says)
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Windows and macOS always have a display")
@pytest.mark.parametrize("case", ["no display", "no library", "no server", "no platform"])
def test_where_there_is_no_display_one_sentence_says_what_to_do(tmp_path: Path, case: str) -> None:
    """Qt's own end would be SIGABRT. `framebrush doctor` says the same."""
    absent = {"DISPLAY": ":9127"}
    variables, wanted = {
        "no display": ({}, "neither DISPLAY nor WAYLAND_DISPLAY is set; start it on a desktop"),
        "no library": (absent, "(libxcb-absent.so.0: cannot open shared object file: No such file or directory)"),
        "no server": (absent, "cannot reach the display of DISPLAY=:9127" if not MISSING else "apt install"),
        "no platform": ({"QT_QPA_PLATFORM": "easel"}, "QT_QPA_PLATFORM is easel: unset it"),
    }[case]
    if case == "no library":
        variables = {**variables, "QT_QPA_PLATFORM_PLUGIN_PATH": str(without_a_library(tmp_path))}
    done = opens([sys.executable, "-c", "from framebrush.window import main; main()"], tmp_path, **variables)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("framebrush-gui: the window ")
    assert wanted in line
    asked = opens([sys.executable, "-c", ASKED], tmp_path, **variables)
    assert asked.stdout.strip() == line.replace("framebrush-gui:", "warning")


@pytest.mark.slow
def test_the_doctor_names_the_platform_of_the_window(tmp_path: Path) -> None:
    platform = "offscreen" if sys.platform.startswith("linux") else "windows"
    asked = python(ASKED, tmp_path)
    assert asked.stdout.strip() == f"ok Qt {PySide6.__version__} on {platform}", asked.stderr


def test_the_window_s_own_command_says_that_qt_is_missing(tmp_path: Path) -> None:
    """In its child, which it starts with lifeline and memory."""
    (tmp_path / "PySide6.py").write_text("raise ImportError('no Qt here')")
    done = subprocess.run(
        [sys.executable, "-c", "from framebrush.window import main; main()", "film.mp4"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert done.stderr.startswith("framebrush-gui: ")
