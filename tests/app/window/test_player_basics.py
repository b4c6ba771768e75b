"""The next video of the folder, the tracks of the sound, the pointer and the screen saver in full screen, About."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QPushButton

from framebrush.jobs.batch.batch_run import targets_of
from framebrush.jobs.batch.result_names import Names
from framebrush.media.video_files import ENDINGS
from framebrush.playback import events
from framebrush.playback.player import Player
from framebrush.playback.reading.sound_samples import RATE, decode
from framebrush.window.about import About
from framebrush.window.picture import full_screen
from framebrush.window.transport.neighbours import in_order, neighbour, videos_in
from framebrush.window.widgets import file_dialogs
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.scenes import ROOT

pytestmark = pytest.mark.media


@pytest.mark.slow
def test_the_videos_of_a_folder_in_order(desk: Desk, tmp_path: Path) -> None:
    for name in ("clip 9.mp4", "clip 10.mp4", "Clip 2.mp4"):
        shutil.copy(CLIPS / "cfr.mp4", tmp_path / name)
    (tmp_path / "clip 11.txt").write_text("no video")
    desk.open(tmp_path / "Clip 2.mp4")
    for key, name in (
        (Qt.Key.Key_PageDown, "clip 9.mp4"),
        (Qt.Key.Key_PageDown, "clip 10.mp4"),
        (Qt.Key.Key_PageUp, "clip 9.mp4"),
    ):
        desk.key(key)
        desk.wait(
            lambda name=name: desk.window.session.opened is not None and desk.window.session.opened.info.name == name,
            name,
        )
    names = ["a10.mp4", "a9.mp4", "B.mp4", "a.mp4", "10.mp4", "9.mp4"]
    assert sorted(map(Path, names), key=in_order) == [
        Path(name) for name in ("9.mp4", "10.mp4", "a9.mp4", "a10.mp4", "a.mp4", "B.mp4")
    ]


def test_a_folder_holds_the_same_videos_for_the_window_and_for_a_batch(tmp_path: Path) -> None:
    videos = [tmp_path / f"{number:02}{ending}" for number, ending in enumerate(ENDINGS)]
    for name in ("7.txt", "8.jpg", "._01.mp4", ".hidden.mov", "mp4"):
        (tmp_path / name).touch()
    for video in videos:
        video.touch()
    videos[1] = videos[1].rename(videos[1].with_suffix(videos[1].suffix.upper()))
    assert len(videos) == 24
    names = Names(tmp_path / "out", "{number}{suffix}", "none")
    pairs = targets_of([str(tmp_path)], names, recursive=False)
    assert {pair.source for pair in pairs} == set(videos)
    assert videos_in(tmp_path) == videos
    passed = [videos[0]]
    while (following := neighbour(passed[-1], 1)) is not None:
        passed.append(following)
    assert passed == videos


def two_tracks(path: Path) -> None:
    """A short video with two tracks of constant samples."""
    with av.open(str(path), "w") as container:
        video = container.add_stream("ffv1", rate=25)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        tracks = [container.add_stream("pcm_s16le", rate=RATE, layout="stereo") for _ in range(2)]
        tracks[0].metadata["language"], tracks[1].metadata["language"] = "eng", "deu"
        tracks[1].metadata["title"] = "Kommentar"
        for _ in range(25):
            frame = av.VideoFrame.from_ndarray(np.full((72, 64), 90, np.uint8), format="yuv420p")
            container.mux(video.encode(frame))
        for track, level in zip(tracks, (8192, -16384), strict=True):
            samples = np.full((1, 2 * RATE), level, np.int16)
            sound = av.AudioFrame.from_ndarray(samples, format="s16", layout="stereo")
            sound.sample_rate, sound.pts = RATE, 0
            container.mux(track.encode(sound))
        for stream in (video, *tracks):
            container.mux(stream.encode(None))


def test_another_track_is_heard(tmp_path: Path) -> None:
    two_tracks(tmp_path / "two.mkv")
    for track, level in ((0, 0.25), (1, -0.5)):
        samples = np.concatenate(list(decode(tmp_path / "two.mkv", 0.0, 1.0, track)))
        assert np.abs(samples[RATE // 10 : RATE // 2] - level).max() < 0.01


@pytest.mark.slow
def test_the_menu_of_tracks(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    opened = desk.window.session.opened
    assert opened is not None
    desk.window.session.events.dispatch(events.Opened(opened.info, True, tracks=("eng", "deu, R&B")))
    menu = desk.window.menus.tracks
    assert menu.isEnabled()
    assert [action.text() for action in menu.actions()] == ["1  eng", "2  deu, R&&B"]
    chosen: list[int] = []
    desk.window.menus.track_chosen.connect(chosen.append)
    menu.actions()[1].trigger()
    assert chosen == [1]
    desk.window.session.events.dispatch(events.Opened(opened.info, True, tracks=("eng",)))
    assert not menu.isEnabled()


def test_the_menu_of_the_picture(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.window.view.painted.customContextMenuRequested.emit(QPoint(20, 20))
    menus = [menu for menu in desk.window.findChildren(QMenu) if menu.isVisible()]
    assert [action.objectName() for action in menus[0].actions() if action.objectName()][:2] == ["play", "zoom-actual"]
    menus[0].close()


@pytest.mark.slow
def test_the_pointer_hides_in_full_screen(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_screen, "HIDE_MS", 100)
    desk.window.full_screen.hiding.setInterval(100)
    desk.open("cfr.mp4")
    view = desk.window.view
    desk.key("f")
    desk.wait(lambda: view.cursor().shape() is Qt.CursorShape.BlankCursor, "no pointer")
    desk.window.full_screen.hiding.setInterval(60_000)  # a busy machine must not hide it before it is seen
    QTest.mouseMove(view.painted, QPoint(50, 50))
    QTest.mouseMove(view.painted, QPoint(60, 60))
    desk.wait(lambda: view.cursor().shape() is not Qt.CursorShape.BlankCursor, "the pointer")
    desk.key(Qt.Key.Key_Escape)
    desk.rest(0.3)
    assert view.cursor().shape() is not Qt.CursorShape.BlankCursor


def test_a_video_that_is_opened_plays(desk: Desk) -> None:
    desk.window.opening.open(CLIPS / "cfr.mp4")
    desk.wait(lambda: desk.window.player.engine.playing, "playing")


def test_the_screen_is_kept_on_while_it_plays_in_full_screen(desk: Desk) -> None:
    awake = desk.window.awake
    desk.open("cfr.mp4")
    desk.window.actions_["loop"].trigger()
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: desk.window.player.engine.playing, "playing")
    assert not awake.held
    desk.key("f")
    desk.wait(lambda: awake.held, "the hold")
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: not awake.held, "its end")


SAVER = """
import os
import signal
import sys
from PySide6.QtCore import QCoreApplication, QObject, Slot, ClassInfo
from PySide6.QtDBus import QDBusConnection, QDBusInterface
import multiprocessing

SERVICE = "org.freedesktop.ScreenSaver"


def serve(ready, told):
    app = QCoreApplication(["saver"])

    @ClassInfo(**{"D-Bus Interface": SERVICE})
    class Saver(QObject):
        @Slot(str, str, result=int)
        def Inhibit(self, name, reason):
            told.put(("hold", name, reason))
            return 7

        @Slot("uint")
        @Slot(int)
        def UnInhibit(self, cookie):
            told.put(("release", cookie, ""))

    bus, saver = QDBusConnection.sessionBus(), Saver()
    bus.registerObject("/org/freedesktop/ScreenSaver", saver, QDBusConnection.RegisterOption.ExportAllSlots)
    assert bus.registerService(SERVICE)
    ready.set()
    app.exec()


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    ready, told = context.Event(), context.Queue()
    server = context.Process(target=serve, args=(ready, told), daemon=True)
    server.start()
    assert ready.wait(60)
    app = QCoreApplication(["test"])
    from framebrush.window.picture.keep_awake import Awake
    awake = Awake(app)

    def heard():
        while told.empty():
            app.processEvents()
        return told.get(timeout=30)[:2]

    awake.show_playing(True)
    awake.show_full_screen(True)
    assert heard() == ("hold", "Framebrush")
    awake.show_playing(False)
    assert heard() == ("release", 7)
    os.kill(server.pid, signal.SIGSTOP)  # it does not answer: the window goes on
    awake.show_playing(True)
    awake.show_playing(False)
    awake.show_playing(True)
    os.kill(server.pid, signal.SIGCONT)
    assert [heard() for _ in range(2)] == [("hold", "Framebrush")] * 2
    awake.show_playing(False)
    assert [heard() for _ in range(2)] == [("release", 7)] * 2
    server.terminate()
    print("kept")
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="D-Bus is Linux's")
@pytest.mark.skipif(shutil.which("dbus-run-session") is None, reason="no dbus-run-session")
def test_the_screen_saver_is_asked_over_dbus(tmp_path: Path) -> None:
    script = tmp_path / "saver.py"
    script.write_text(SAVER)
    done = subprocess.run(
        ["dbus-run-session", "--", sys.executable, str(script)],
        capture_output=True,
        text=True,
        timeout=150,
        env={**os.environ, "PYTHONPATH": ":".join([str(ROOT), *sys.path])},
    )
    assert done.stdout.strip() == "kept", done.stderr


@pytest.mark.slow
def test_about_says_version_licences_and_privacy(desk: Desk) -> None:
    desk.window.actions_["about"].trigger()
    about = desk.window.findChild(About)
    assert about is not None
    text = about.findChild(QPlainTextEdit)
    assert text is not None
    desk.wait(lambda: "MIT" in text.toPlainText(), "the licences")
    assert QApplication.activeModalWidget() is about
    (close,) = about.findChildren(QPushButton)
    close.click()
    assert QApplication.activeModalWidget() is None


@pytest.mark.slow
def test_the_remembered_volume_is_that_of_the_next_start(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []
    monkeypatch.setattr(Player, "set_volume", lambda _, volume: told.append(volume))
    desk.window.transport.volume.setValue(40)
    for muted in (True, False, True):
        desk.window.actions_["mute"].setChecked(muted)
    assert told == [0.4, 0.0, 0.4, 0.0]
    desk.close()
    Desk(tmp_path).window.actions_["louder"].trigger()  # is heard, too
    assert told[4:] == [0.0, 0.4, 0.45]


@pytest.mark.slow
def test_what_is_not_heard_says_why(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)  # a computer without PortAudio
    window = desk.window

    def said() -> tuple[str, bool, list[str]]:
        tracks = window.menus.tracks
        return window.transport.volume.toolTip(), tracks.isEnabled(), [each.text() for each in tracks.actions()]

    desk.open("extras.mkv")
    text = "There is no sound output: connect one, and open the video again."
    assert said() == (text, True, [text])
    assert not window.transport.volume.isEnabled()
    desk.open("cfr.mp4")
    assert said() == ("This video has no sound.", True, ["This video has no sound."])
    window.player.close_video()
    desk.wait(lambda: window.session.opened is None, "the end of the film")
    assert said() == ("Volume (↑ and ↓)", False, [])


def test_the_keys_of_video_editors_are_in_the_menu(desk: Desk) -> None:
    menu = next(each.menu() for each in desk.window.menuBar().actions() if "Playback" in each.text().replace("&", ""))
    assert isinstance(menu, QMenu)
    (speed,) = [each.menu() for each in menu.actions() if each.text() == "Speed"]
    assert isinstance(speed, QMenu)
    keys = {action.shortcut().toString() for action in speed.actions()}
    assert {"J", "K", "L"} <= keys


@pytest.mark.slow
def test_menus_leave_nothing_behind_when_they_are_filled_again(desk: Desk) -> None:
    menus = desk.window.menus

    def groups() -> int:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return len(menus.tracks.findChildren(QActionGroup) + menus.subtitles.findChildren(QActionGroup))

    desk.open("extras.mkv")
    first = groups()
    for _ in range(3):
        desk.open("extras.mkv")
    assert groups() == first


def test_a_mac_puts_two_actions_into_the_menu_of_the_program(desk: Desk) -> None:
    """Without a role it would guess by their texts, and move others there."""
    roles = {entry.name: desk.window.actions_[entry.name].menuRole() for entry in desk.window.actions_.entries}
    assert roles.pop("about") is QAction.MenuRole.AboutRole
    assert roles.pop("quit") is QAction.MenuRole.QuitRole
    assert set(roles.values()) == {QAction.MenuRole.NoRole}


def test_the_frame_is_copied_in_full_size_as_a_screenshot_has_it(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Upright, with square pixels and without the divider."""
    monkeypatch.setattr(file_dialogs.QStandardPaths, "writableLocation", lambda _: str(tmp_path / "pictures"))
    desk.open("anamorphic.mp4")
    desk.window.actions_["split"].trigger()
    desk.settle()
    desk.key("s")
    desk.wait(lambda: len(list((tmp_path / "pictures").glob("*.png"))) == 1, "the screenshot")
    saved = QImage(str(next((tmp_path / "pictures").glob("*.png"))))
    clipboard = QApplication.clipboard()
    clipboard.clear()
    desk.key("c", Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: not clipboard.image().isNull(), "the copy")
    copied = clipboard.image().convertToFormat(QImage.Format.Format_RGB32)
    assert copied == saved.convertToFormat(QImage.Format.Format_RGB32)
    assert desk.window.notes.word == f"Copied: {saved.width()} × {saved.height()}"
