"""Hostile input at start and on opening: damaged settings, forged lists, odd names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtWidgets import QApplication, QLabel

from framebrush.gpu.look import Look
from framebrush.playback import events
from framebrush.window.exports.export_queue import ExportQueue, State
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.state.window_settings import Settings
from framebrush.window.transport.seekbar import SeekBar
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.exports.test_exports import job

pytestmark = pytest.mark.media

HOSTILE = ["[]", "5", "null", '"text"', "{", "[" * 100_000, '{"strength": "x"}', '{"strength": NaN}', "\0", "1e999"]
LOOKS = ['{"keep_colours": "yes"}', '{"strength": true, "exposure_ev": null}', '{"split": "a"}', '{"dither": 5}']


def stored(folder: Path, **values: object) -> Settings:
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    for name, value in values.items():
        store.setValue(name.replace("_", "-"), value)
    store.sync()
    return Settings(store)


@pytest.mark.parametrize("text", HOSTILE + LOOKS)
def test_settings_that_nobody_understands_are_the_defaults(
    application: QApplication, tmp_path: Path, text: str
) -> None:
    names = ("look", "quality", "recent", "path-features", "volume", "muted", "theme", "ten_bits")
    settings = stored(tmp_path, **dict.fromkeys(names, text), geometry=text, columns=5)
    assert settings.look == Look()
    assert all(isinstance(number, int) for number in settings.quality.values())
    assert (settings.recent, settings.path("features")) == ([], "")
    assert 0 <= settings.volume <= 1
    assert (settings.muted, settings.ten_bits, settings.theme) == (False, False, "system")
    assert settings.geometry.isEmpty()
    assert settings.columns.isEmpty()


@pytest.mark.parametrize("text", ['{"x264": 1e999}', '{"x264": null}', '{"x264": [1]}'])
def test_qualities_that_are_no_numbers(application: QApplication, tmp_path: Path, text: str) -> None:
    assert stored(tmp_path, quality=text).quality == {}


@pytest.mark.slow
def test_a_window_opens_with_garbage_in_its_settings(application: QApplication, tmp_path: Path) -> None:
    garbage = QByteArray(bytes(range(256)) * 8)
    stored(tmp_path, geometry=garbage, columns=garbage, look='{"keep_colours": "yes"}', device="no such", style="x\0y")
    desk = Desk(tmp_path)
    desk.open("cfr.mp4")
    desk.wait_number(0)
    desk.close()


def test_a_style_that_has_gone_since_leaves_the_video_to_be_seen(application: QApplication, tmp_path: Path) -> None:
    desk = Desk(tmp_path, style=str(tmp_path / "gone.onnx"))
    desk.wait(lambda: "This style cannot be used" in desk.window.messages.text, "the message")
    desk.open("cfr.mp4")
    desk.wait_number(0)
    desk.close()


@pytest.mark.parametrize(
    "wrong",
    [
        {"spec": None},
        {"spec": {"version": 1}},
        {"state": 5},
        {"message": 7},
        {"name": []},
        {"took_s": float("inf")},
        {"took_s": 10**400},
        {"size_bytes": 10**30},
    ],
)
def test_a_list_with_values_of_other_types_is_put_aside(tmp_path: Path, wrong: dict[str, object]) -> None:
    path = tmp_path / "exports.json"
    path.write_text(json.dumps([{**job(tmp_path).to_values(), **wrong}]), encoding="utf-8")
    assert not list(ExportQueue(path))
    assert path.with_suffix(".damaged").exists()


def test_a_list_that_cannot_be_written_is_told_and_exports_go_on(application: QApplication, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file where a folder should be")
    runner = ExportRunner(ExportQueue(tmp_path / "file" / "exports.json"))
    told: list[events.Notification] = []
    shown: list[object] = []
    runner.notified.connect(told.append)
    runner.changed.connect(shown.append)
    runner.stop()  # so that nothing is started
    added = job(tmp_path)
    runner.add(added)
    assert added in shown
    runner.cancel(added)
    runner.remove(added)
    assert not list(runner.queue)
    runner.queue.flush()
    application.processEvents()
    assert {message.severity for message in told} == {"problem"}


@pytest.mark.slow
def test_a_name_is_not_read_as_html(desk: Desk, tmp_path: Path) -> None:
    name = "a&b.mp4" if sys.platform == "win32" else "a&b <h1>c<img src=x.png>.mp4"
    clip = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / name))
    desk.open(clip)
    desk.window.exporting.ask()
    desk.exports.add(replace(job(tmp_path, target=name), state=State.DONE, message=name))
    labels = [label for label in desk.window.findChildren(QLabel) if name in label.text()]
    assert len(labels) >= 3
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
    assert desk.window.menus.recent_menu.actions()[0].text() == name.replace("&", "&&")


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [1e300, 1e9])
def test_a_length_that_cannot_be(desk: Desk, seconds: float) -> None:
    desk.open("cfr.mp4")
    opened = desk.window.session.opened
    assert opened is not None
    desk.window.session.events.dispatch(replace(opened, info=replace(opened.info, duration_s=seconds)))
    desk.window.session.events.dispatch(events.Shown(events.InOutPoint(3, seconds)))
    bar = desk.window.findChild(SeekBar)
    assert bar is not None
    assert bar.value() == bar.maximum() > 1 << 30
    assert desk.window.transport.length.text() == ""


@pytest.mark.slow
def test_a_screenshot_that_cannot_be_written_is_told(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from framebrush.window.widgets import file_dialogs

    (tmp_path / "file").write_text("")
    monkeypatch.setattr(file_dialogs.QStandardPaths, "writableLocation", lambda _: str(tmp_path / "file" / "pictures"))
    desk.open("cfr.mp4")
    desk.key("s")
    desk.wait(lambda: "could not be written" in desk.window.messages.text, "the message")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the size of files is limited on POSIX systems")
def test_a_screenshot_on_a_full_disk_leaves_nothing(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    from framebrush.window.widgets import file_dialogs

    folder = tmp_path / "pictures"
    monkeypatch.setattr(file_dialogs.QStandardPaths, "writableLocation", lambda _: str(folder))
    desk.open("cfr.mp4")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        desk.key("s")
        desk.wait(lambda: "could not be written" in desk.window.messages.text, "the message")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_a_maximised_window_comes_back_so_from_full_screen(desk: Desk) -> None:
    desk.window.showMaximized()
    desk.rest(0.3)
    desk.window.actions_["full-screen"].trigger()
    desk.wait(desk.window.isFullScreen, "the full screen")
    desk.window.full_screen.leave()
    desk.wait(lambda: not desk.window.isFullScreen(), "the window")
    desk.wait(desk.window.isMaximized, "the maximised window")


@pytest.mark.slow
def test_a_window_closed_in_full_screen_opens_as_a_window(application: QApplication, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    size = desk.window.size()
    desk.window.actions_["full-screen"].trigger()
    desk.wait(desk.window.isFullScreen, "the full screen")
    desk.close()
    again = Desk(tmp_path, size=None)
    assert not again.window.isFullScreen()
    assert again.window.height() == size.height()  # the width may be more than the screen's
    again.close()


PARENT = """
import sys, time
sys.path.insert(0, ".")
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.styles.specs import StyleSpec
from framebrush.window.exports.export_queue import ExportJob, ExportQueue
from framebrush.window.exports.export_runner import ExportRunner
app = QCoreApplication([])
folder = Path(sys.argv[1])
runner = ExportRunner(ExportQueue(folder / "list" / "exports.json"))
pause = sys.argv[2] == "paused"
def progressed(job, line):
    if pause:
        runner.pause(job, True)
    print(runner.process_id, flush=True)
runner.progressed.connect(progressed)
runner.add(ExportJob(JobSpec(str(folder / "in.mp4"), str(folder / "out.mp4"), Recipe(StyleSpec("ink")), device="cpu")))
app.exec()
"""


def is_alive(pid: int) -> bool:
    """Whether a process that is no child of this one runs."""
    if sys.platform == "win32":
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(0x00100000, False, pid)  # SYNCHRONIZE
        if not handle:
            return False
        alive = ctypes.windll.kernel32.WaitForSingleObject(handle, 0) == 0x102  # WAIT_TIMEOUT
        ctypes.windll.kernel32.CloseHandle(handle)
        return bool(alive)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.slow
@pytest.mark.parametrize("state", ["running", "paused"])
def test_an_export_ends_when_the_window_is_killed(tmp_path: Path, state: str) -> None:
    """By force, so that the window can tell nobody; nothing is left of the file."""
    long_clip(tmp_path / "in.mp4")
    window = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path), state], stdout=subprocess.PIPE, text=True)
    assert window.stdout is not None
    worker = int(window.stdout.readline())
    window.kill()
    window.wait()
    end = time.monotonic() + 60
    while is_alive(worker):
        time.sleep(0.05)
        assert time.monotonic() < end, "the export goes on"
    window.stdout.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.mp4", "list"]
    assert [found.state for found in ExportQueue(tmp_path / "list" / "exports.json")] == [State.INTERRUPTED]


def long_clip(path: Path) -> None:
    """Two thousand frames."""
    import av
    import numpy as np

    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        stream.options = {"preset": "ultrafast"}
        picture = av.VideoFrame.from_ndarray(np.zeros((96, 160, 3), np.uint8), "rgb24")
        for number in range(2000):
            picture.pts = number
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
