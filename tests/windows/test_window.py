"""The window on Direct3D 12: the desktop shows the right frame after everything that a person and a screen do, and
playback reads nothing back."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import win32more.Windows.Win32.Foundation as N
import win32more.Windows.Win32.Graphics.Gdi as I
import win32more.Windows.Win32.UI.WindowsAndMessaging as W
from PySide6.QtWidgets import QApplication

from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookFolder, write_look
from framebrush.media.video import Position
from framebrush.playback import events
from framebrush.playback.display.screen import Screen
from framebrush.styles.specs import StyleSpec
from framebrush.window.main_window import MainWindow
from tests.windows.desk import CLIPS, Desk, desktop, live, part, rect_of, wait
from tests.windows.harness import remove

pytestmark = pytest.mark.windows


def colourfulness(picture: np.ndarray) -> float:
    """Mean distance between a pixel's strongest and weakest colour, in codes."""
    return float(np.ptp(picture.astype(int), axis=2).mean())


def test_the_right_frame_after_everything(desk: Desk) -> None:
    player, window = desk.window.player, desk.window
    desk.open("cfr.mp4")
    desk.shows(0)
    player.seek(Position(Fraction(17), "frame"))
    desk.shows(17)
    player.step(1)
    desk.shows(18)
    player.step(-1)
    player.step(-1)
    desk.shows(16)
    for size in ((900, 560), (1040, 640)):
        before = desk.presented_size
        window.resize(*size)
        wait(lambda before=before: window.bridge.box.size_px != before, "the new size")
        desk.shows(16)
        assert desk.presented_size == desk.native_size
    window.inspector.panel.set_split(0.3)
    desk.shows(16)
    height, width = desk.picture.shape[:2]
    lines = desk.picture[height // 2 + 20 :].mean((0, 2))
    assert abs(lines.argmax() - 0.3 * width) <= 2
    desk.do(lambda: player.use_style("ink"))  # without colours
    desk.shows(16)
    assert colourfulness(desk.picture[height // 2 + 20 :, width // 2 :]) < 12
    assert colourfulness(desk.picture[height // 2 + 20 :, : width // 4]) > 40
    window.actions_["full-screen"].trigger()
    wait(lambda: rect_of(window.view).height() == desktop().shape[0], "the full screen")
    desk.shows(16)
    assert desk.presented_size == desk.native_size
    window.actions_["full-screen"].trigger()
    wait(lambda: rect_of(window.view).height() < desktop().shape[0], "the window")
    desk.shows(16)
    assert desk.painter.counters.readbacks == 0


def test_a_film_is_seen_while_its_style_is_loaded(
    application: QApplication, tmp_path: Path, one_device: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The film shows unpainted; the swap chain comes with the style, and then it plays."""
    go, real = threading.Event(), Screen._open_style

    def slowly(self: Screen, *given: object) -> object:
        go.wait()
        return real(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Screen, "_open_style", slowly)
    desk = Desk(tmp_path, str(CLIPS / "cfr.mp4"))
    try:
        wait(lambda: desk.count(events.DeviceInUse) > 0, "the device")
        wait(lambda: desk.window.session.opened is not None and desk.number == 0, "the first frame on the desktop")
        assert (desk.count(events.Shown), events.Playing(True) in desk.told) == (0, False)
    finally:
        go.set()
    wait(lambda: events.Playing(True) in desk.told, "playing")
    assert desk.window.view.page is desk.window.view.native
    desk.close()


def test_playing_reads_nothing_back(desk: Desk) -> None:
    desk.window.player.set_loop(True)
    desk.window.opening.open(CLIPS / "cfr.mp4")
    wait(lambda: desk.count(events.Shown) >= 40, "40 frames")
    desk.window.player.play(False)
    desk.settle()
    counters = desk.painter.counters
    assert counters.presents >= 40
    assert (counters.readbacks, counters.uploads) == (0, counters.runs)
    desk.shows(desk.window.session.shown_at.number)


def test_the_preview_is_smaller_and_reads_nothing_back(desk: Desk) -> None:
    """Half the size in playback, the whole in a pause; both on the card."""
    player = desk.window.player
    desk.open("cfr.mp4")
    desk.do(lambda: player.use_style("ink"))
    player.set_loop(True)
    player.set_preview("half")
    player.play(True)
    wait(lambda: desk.painter.plan.sizes is not None and desk.painter.plan.sizes.working[0] < 160, "the preview")
    before = desk.count(events.Shown)
    wait(lambda: desk.count(events.Shown) > before + 10, "playback")
    assert desk.painter.counters.readbacks == 0
    player.play(False)
    wait(lambda: desk.painter.plan.sizes.working == (160, 96), "the whole size")
    desk.settle()
    desk.shows(desk.window.session.shown_at.number)
    counters = desk.painter.counters
    assert counters.readbacks == 0
    assert counters.runs >= 1


def test_the_scopes_read_the_card_s_picture_while_they_are_shown(desk: Desk) -> None:
    player, window = desk.window.player, desk.window
    desk.open("cfr.mp4")
    window.actions_["scopes"].trigger()
    overlay = window.overlays.scopes.overlay
    wait(lambda: bool(overlay.images), "the scopes")
    first = overlay.images[0].copy()
    assert desk.painter.counters.readbacks >= 1
    desk._check_presented(0)  # they cover its number on the desktop
    desk.do(lambda: player.seek(Position(Fraction(17), "frame")))
    wait(lambda: overlay.images[0] != first, "those of another frame")
    desk._check_presented(17)
    window.actions_["scopes"].trigger()
    desk.shows(17)
    before = desk.painter.counters.readbacks
    player.step(1)
    desk.shows(18)
    assert desk.painter.counters.readbacks == before


def test_looks_that_are_compared_take_the_place_of_the_swap_chain(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")
    write_look(Recipe(StyleSpec("ink")), window.inspector.looks.folder.path / "ink.json")
    desk.open("cfr.mp4")
    desk.shows(0)
    window.actions_["compare-looks"].trigger()
    film, ink = window.overlays.comparison.page.panes[:2]
    wait(lambda: not film.image.isNull() and not ink.image.isNull(), "the pictures")
    wait(lambda: colourfulness(desktop(rect_of(film))) > 20, "the film on the desktop")
    assert colourfulness(desktop(rect_of(ink))) < 12
    window.actions_["compare-looks"].trigger()
    desk.shows(0)


def test_minimised_while_it_plays(desk: Desk) -> None:
    desk.window.player.set_loop(True)
    desk.window.opening.open(CLIPS / "cfr.mp4")
    wait(lambda: desk.count(events.Shown) >= 5, "playback")
    wait(lambda: desk.picture.max() > 200, "a picture on the desktop")
    place = rect_of(desk.window.view)
    desk.window.showMinimized()
    wait(lambda: np.array_equal(desktop(place), part(desk.empty, place)), "a desktop without the window")
    shown, begin = desk.count(events.Shown), time.monotonic()
    live(2.0)
    assert desk.count(events.Shown) - shown <= 25 * (time.monotonic() - begin) + 5  # the clip's rate: nothing spins
    desk.window.showNormal()
    before = desk.count(events.Shown)
    wait(lambda: desk.count(events.Shown) > before + 5, "playback")
    desk.window.player.play(False)
    desk.settle()
    desk.shows(desk.window.session.shown_at.number)
    assert not [event for event in desk.told if isinstance(event, events.Notification)]


def test_a_screen_of_another_density(desk: Desk) -> None:
    """Windows sends WM_DPICHANGED with the rectangle that the window is to have there."""
    desk.open("cfr.mp4")
    desk.do(lambda: desk.window.player.seek(Position(Fraction(21), "frame")))
    live_before = None
    for dpi, rect in ((144, N.RECT(40, 40, 1500, 900)), (96, N.RECT(100, 60, 1300, 680))):
        before = desk.presented_size
        W.SendMessage(int(desk.window.winId()), W.WM_DPICHANGED, dpi | dpi << 16, ctypes.addressof(rect))
        wait(lambda before=before: desk.window.bridge.box.size_px != before, "the new size")
        frame = N.RECT()
        assert W.GetWindowRect(int(desk.window.winId()), frame)
        assert (frame.left, frame.top, frame.right, frame.bottom) == (rect.left, rect.top, rect.right, rect.bottom)
        desk.shows(21)
        assert desk.presented_size == desk.native_size
        count = desk.held
        assert live_before in (None, count)
        live_before = count


def test_at_another_density_from_the_start() -> None:
    """A new process decides once on 1.5 physical pixels to each of Qt's."""
    test = f"{__file__}::{test_the_right_frame_after_everything.__name__}"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", test],
        env={**os.environ, "QT_SCALE_FACTOR": "1.5"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


def test_the_screen_changes_its_mode(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.do(lambda: desk.window.player.seek(Position(Fraction(9), "frame")))
    desk.window.actions_["full-screen"].trigger()
    wait(lambda: rect_of(desk.window.view).height() == desktop().shape[0], "the full screen")
    desk.shows(9)
    height, width = desktop().shape[:2]
    held = desk.held
    for size in ((1280, 720), (width, height)):
        mode = I.DEVMODEW()
        mode.dmSize = ctypes.sizeof(mode)
        (mode.dmPelsWidth, mode.dmPelsHeight), mode.dmFields = size, I.DM_PELSWIDTH | I.DM_PELSHEIGHT
        assert I.ChangeDisplaySettings(mode, 0) == I.DISP_CHANGE_SUCCESSFUL
        wait(lambda size=size: rect_of(desk.window.view).height() == size[1], f"a full screen of {size}")
        desk.shows(9)
        assert desk.presented_size == desk.native_size
        assert desk.held == held


def test_a_device_lost_while_it_plays(desk: Desk) -> None:
    player, window = desk.window.player, desk.window
    player.set_loop(True)
    window.opening.open(CLIPS / "cfr.mp4")
    wait(lambda: desk.count(events.Shown) >= 5, "playback")
    player.commands.post(lambda: remove(desk.painter.device))
    wait(lambda: "lost" in window.messages.text, "the message")
    wait(lambda: window.view.page is window.view.painted, "the CPU's page")
    before = desk.count(events.Shown)
    wait(lambda: desk.count(events.Shown) >= before + 5, "playback on the CPU")
    player.play(False)
    desk.settle()
    desk.shows(window.session.shown_at.number)


def test_from_the_cpu_to_the_gpu_and_back(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.do(lambda: desk.window.player.use_device("cpu"))
    wait(lambda: desk.window.view.painted.image is not None, "a picture")
    desk.shows(0)
    desk.do(lambda: desk.window.player.use_device("d3d12"))
    wait(lambda: desk.window.view.page is desk.window.view.native, "the GPU's page")
    desk.shows(0)


def test_open_and_close_leave_nothing(application: QApplication, tmp_path: Path, one_device: None) -> None:
    threads = set(threading.enumerate())
    for cycle in range(10):
        desk = Desk(tmp_path)
        if cycle % 2 == 0:
            desk.do(lambda desk=desk: desk.window.opening.open(CLIPS / "cfr.mp4"))
        desk.close()
        native = desk.told[0]
        del desk, native
    gc.collect()
    wait(lambda: set(threading.enumerate()) <= threads, "the end of all threads")
    assert not [thing for thing in gc.get_objects() if isinstance(thing, MainWindow)]
