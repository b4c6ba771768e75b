"""Overlays and input over the swap chain: statistics, mouse, a dropped file, 10 bits."""

from __future__ import annotations

import ctypes
import shutil
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import win32more.Windows.Win32.Graphics.Dxgi as G
import win32more.Windows.Win32.Graphics.Dxgi.Common as X
import win32more.Windows.Win32.UI.WindowsAndMessaging as W
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QDrag
from PySide6.QtTest import QTest

from framebrush.gpu.d3d12.swapchain import SwapChain
from framebrush.media.video import Position
from framebrush.playback.events import Notification
from framebrush.window.widgets import theme
from tests.media.subtitle_clips import Line, srt
from tests.windows.desk import CLIPS, Desk, desktop, live, part, rect_of, wait
from tests.windows.harness import on_screen

pytestmark = pytest.mark.windows

LEFT_DOWN, LEFT_UP = 2, 4  # MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP
STEP_S = 0.1


def move_mouse(x: int, y: int) -> None:
    ctypes.windll.user32.SetCursorPos(x, y)


def press(event: int) -> None:
    ctypes.windll.user32.mouse_event(event, 0, 0, 0, 0)


def cursor() -> int:
    """The system's cursor that the mouse has now."""
    info = W.CURSORINFO()
    info.cbSize = ctypes.sizeof(info)
    assert W.GetCursorInfo(info)
    return info.hCursor


def is_readable(desk: Desk) -> bool:
    """Whether the overlay's place on the desktop is dark and has bright letters, none of it covered."""
    pixels = desktop(rect_of(desk.window.overlays.statistics)).astype(int)
    bright, dark = (pixels.min(2) > 180).mean(), (pixels.max(2) < 110).mean()
    rows = np.flatnonzero((pixels.min(2) > 180).any(1))
    return bool(bright > 0.02 and dark > 0.6 and np.ptp(rows) > 0.6 * len(pixels))


def test_the_statistics_lie_over_the_picture(desk: Desk) -> None:
    window, overlay = desk.window, desk.window.overlays.statistics
    window.opening.open(CLIPS / "landscape.mp4")  # bright where the overlay will be
    wait(lambda: bool(desk.told) and overlay.measured is not None, "figures")
    window.player.play(False)
    desk.settle()
    assert not is_readable(desk)
    window.actions_["statistics"].trigger()

    def check(what: str) -> None:
        """The overlay is in the view's corner, and can be read there."""
        corner = rect_of(window.view).topLeft() + QPoint(12, 12)
        wait(lambda: rect_of(overlay).topLeft() == corner, f"the overlay {what}")
        wait(lambda: is_readable(desk), f"the statistics {what}")

    check("when it was asked for")
    window.move(240, 150)
    check("after the window was moved")
    window.resize(1240, 700)
    check("after the window was resized")
    place = rect_of(window.view)
    window.messages.show_notification(Notification("A message lies over the lower edge.", "", "problem"))
    wait(window.messages.isVisible, "the message")
    check("beside a message")

    raised = QColor(theme.colours(window.settings.theme).raised).getRgb()[:3]

    def is_bare() -> bool:
        """Nothing lies on the message, which has its own background."""
        bar = desktop(rect_of(window.messages))
        return bool((np.abs(bar.astype(int) - raised).max(2) < 3).mean() > 0.7)

    wait(is_bare, "the whole message")
    assert rect_of(window.view) == place
    window.actions_["full-screen"].trigger()
    check("in full screen")
    window.actions_["full-screen"].trigger()
    check("after full screen")
    place = rect_of(window)
    window.showMinimized()
    wait(lambda: np.array_equal(desktop(place), part(desk.empty, place)), "an empty desktop")
    window.showNormal()
    check("after it was minimised")
    place = rect_of(window)
    desk.close()
    wait(lambda: np.array_equal(desktop(place), part(desk.empty, place)), "an empty desktop")


def test_subtitles_lie_over_the_picture(desk: Desk, tmp_path: Path) -> None:
    """Wine blends nothing, so that their window is black between the letters; on Windows the picture shows there."""
    window, overlay = desk.window, desk.window.subtitles.overlay
    video = Path(shutil.copy(CLIPS / "landscape.mp4", tmp_path))
    lines: list[Line] = [(0.0, 0.9, "Over the swap chain"), (1.0, 1.9, "And another line")]
    video.with_suffix(".srt").write_text(srt(lines), encoding="utf-8")
    window.opening.open(video, play=False)
    wait(lambda: len(window.subtitles.tracks) == 1, "the track")
    window.subtitles.choose(0)

    def check(words: str, what: str) -> None:
        """The words are at the lower edge of the picture, and can be read there."""
        wait(lambda: overlay.isVisible() and overlay.text == words, f"{words} {what}")
        wait(lambda: rect_of(window.view).contains(rect_of(overlay)), f"the place {what}")

        def is_readable() -> bool:
            pixels = desktop(rect_of(overlay)).astype(int)
            return bool((pixels.min(2) > 200).mean() > 0.05 and (pixels.max(2) < 60).mean() > 0.1)

        wait(is_readable, f"the words {what}")
        assert rect_of(overlay).center().y() > rect_of(window.view).center().y()

    check("Over the swap chain", "at first")
    window.player.seek(Position(Fraction(3, 2), "s"))
    check("And another line", "after a seek")
    window.overlays.looking.zoom_to(4.0)
    check("And another line", "while enlarged")
    window.move(200, 120)
    check("And another line", "after a move")
    window.actions_["full-screen"].trigger()
    check("And another line", "in full screen")
    window.actions_["full-screen"].trigger()
    window.player.seek(Position(Fraction(19, 10), "s"))
    wait(lambda: not overlay.isVisible(), "the end of the words")
    assert desk.painter.counters.readbacks == 0


def test_the_statistics_know_every_stage(desk: Desk, tmp_path: Path) -> None:
    """The GPU's stages are timed by the GPU, without readback."""
    window = desk.window
    window.actions_["statistics"].trigger()
    window.player.set_loop(True)
    window.opening.open(CLIPS / "cfr.mp4")
    stages = ["decode", "upload", "convert", "network", "output", "present"]

    def complete() -> bool:
        figures = window.overlays.statistics.measured
        return figures is not None and list(figures.stages_ms) == stages

    wait(complete, "all stages")
    window.player.play(False)
    desk.settle()
    figures = window.overlays.statistics.measured
    assert figures is not None
    assert all(0 < ms < 1000 for ms in figures.stages_ms.values()), figures.stages_ms
    assert figures.readbacks_per_frame == 0
    assert figures.fps > 0
    text = window.overlays.statistics.text()
    assert all(f"\n{stage} " in text for stage in stages)
    assert text.startswith(desk.painter.device.info.name)
    window.player.screenshot(lambda *_: tmp_path / "picture.png")  # what waits for its planes is no delay of playback
    wait(lambda: desk.painter.stages_ms.get("fetch", 0) > 0, "a fetch")
    desk.settle()
    assert desk.painter.latency_s * 1e3 < sum(desk.painter.stages_ms.values())


def test_the_divider_is_dragged_over_the_picture(desk: Desk) -> None:
    desk.open("cfr.mp4")
    view = desk.window.view
    desk.window.inspector.panel.set_split(0.5)
    desk.settle()
    centre = rect_of(view).center()
    x, y, width = centre.x(), centre.y(), view.painted.place.width

    def point(dx: int, until: Callable[[], bool]) -> None:
        """Move the mouse there; a hair to and fro, since the first move only enters the window, until it rests there:
        the rig's display may report an earlier move late."""
        moves = iter(range(10**6))

        def moved() -> bool:
            move_mouse(x + dx, y + next(moves) % 2)
            live(STEP_S)
            arrived = until()
            live(STEP_S)
            return arrived and until()

        wait(moved, f"the mouse at {dx:+}")

    arrow = W.LoadCursor(None, W.IDC_ARROW)
    point(150, lambda: cursor() == arrow)
    point(0, lambda: cursor() not in (0, arrow))
    press(LEFT_DOWN)
    live(STEP_S)
    try:
        for dx in (40, 120):
            point(dx, lambda dx=dx: abs(desk.window.session.choice.look.split - (0.5 + dx / width)) < 2 / width)
    finally:
        press(LEFT_UP)
    live(STEP_S)
    point(200, lambda: cursor() == arrow)
    assert desk.window.session.choice.look.split == pytest.approx(0.5 + 120 / width, abs=2 / width)
    desk.shows(0)
    lower = desk.picture[desk.picture.shape[0] // 2 + 20 :].mean((0, 2))
    split = desk.window.session.choice.look.split
    assert desk.window.session.opened is not None
    column = lower.size / desk.window.session.opened.info.format.width  # the split lies between columns of the painting
    assert abs(lower.argmax() + 0.5 - split * lower.size) <= column + 0.5  # the line on the desktop


def test_a_file_is_dropped_on_the_picture(desk: Desk) -> None:
    desk.open("cfr.mp4")
    file = CLIPS / "vfr.mp4"
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file.resolve()))])
    drag = QDrag(desk.window.transport)
    drag.setMimeData(data)
    begin, end = (rect_of(widget).center() for widget in (desk.window.transport, desk.window.view))

    def hand() -> None:
        """Move the mouse in a thread: the system tracks it in a loop until the button is released."""
        for step in range(6):
            time.sleep(2 * STEP_S)
            move_mouse(end.x() + step, end.y() + step)
        time.sleep(2 * STEP_S)
        press(LEFT_UP)

    move_mouse(begin.x(), begin.y())
    press(LEFT_DOWN)
    live(STEP_S)
    thread = threading.Thread(target=hand)
    thread.start()
    assert drag.exec(Qt.DropAction.CopyAction) is Qt.DropAction.CopyAction
    thread.join()
    wait(
        lambda: desk.window.session.opened is not None and desk.window.session.opened.info.path.name == file.name,
        "the video",
    )


def test_zoom_and_the_held_source_read_nothing_back(desk: Desk) -> None:
    """On the desktop and in the swap chain: pixels as blocks, both halves, the source while a key is held."""
    desk.open("cfr.mp4")
    desk.do(lambda: desk.window.player.use_style("ink"))
    window, looking = desk.window, desk.window.overlays.looking
    runs = desk.painter.counters.runs

    def presented() -> np.ndarray:
        desk.settle()
        return (on_screen(desk.painter.device, desk.painter.surface)[..., :3]).astype(int)

    painted = presented()
    QTest.keyPress(window, Qt.Key.Key_B)
    source = presented()
    QTest.keyRelease(window, Qt.Key.Key_B)
    assert np.abs(source - painted).mean() > 5
    assert np.array_equal(presented(), painted)
    window.actions_["pixels"].trigger()
    looking.zoom_to(8.0)
    blocks = presented()
    place = window.view.place_in(looking.viewport)
    assert place is not None
    left, top = (round(corner * window.devicePixelRatioF()) % 8 for corner in (place.x, place.y))
    rows, columns = (side // 8 - 1 for side in blocks.shape[:2])
    part = blocks[top : top + 8 * rows, left : left + 8 * columns].reshape(rows, 8, columns, 8, 3)
    assert (np.ptp(part[:, 1:7, :, 1:7], axis=(1, 3)) <= 1).all()  # the dither
    assert np.ptp(part[:, 4, :, 4], axis=(0, 1)).max() > 40  # of different colours
    looking.reset()
    window.actions_["side-by-side"].trigger()
    halves = presented()
    middle = halves.shape[1] // 2
    spread = [float(np.ptp(half, axis=2).mean()) for half in (halves[:, :middle], halves[:, middle:])]
    assert spread[0] > 2 * spread[1]
    counters = desk.painter.counters
    assert (counters.readbacks, counters.runs) == (0, runs)


def test_the_detail_slider_runs_no_network_and_reads_nothing_back(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.do(lambda: desk.window.player.use_style("ink"))
    desk.do(lambda: desk.window.inspector.stroke.slider.slider.setValue(12))
    desk.settle()
    runs = desk.painter.counters.runs

    def presented(detail: int) -> np.ndarray:
        desk.window.inspector.panel.sliders["detail"].slider.setValue(detail)
        desk.settle()
        return (on_screen(desk.painter.device, desk.painter.surface)[..., :3]).astype(int)

    broad, half, full = (presented(detail) for detail in (0, 50, 100))
    assert 3 < np.abs(half - broad).max() < np.abs(full - broad).max()
    assert np.array_equal(presented(0), broad)
    assert desk.window.session.choice.look.detail == 0.0
    assert (desk.painter.counters.readbacks, desk.painter.counters.runs) == (0, runs)


def buffers(surface: SwapChain) -> int:
    """The format of the chain's images, as DXGI says."""
    description = G.DXGI_SWAP_CHAIN_DESC1()
    assert surface._chain.GetDesc1(description) >= 0
    return description.Format


def test_ten_bits_when_asked(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.do(lambda: desk.window.player.seek(Position(Fraction(13), "frame")))
    assert buffers(desk.painter.surface) == X.DXGI_FORMAT_R8G8B8A8_UNORM
    held = []
    for turn in range(2):
        desk.do(desk.window.actions_["ten-bits"].trigger)
        assert desk.window.settings.ten_bits
        desk.shows(13)
        assert buffers(desk.painter.surface) == X.DXGI_FORMAT_R10G10B10A2_UNORM
        desk.window.resize(1200 + 40 * turn, 600)
        desk.shows(13)
        assert buffers(desk.painter.surface) == X.DXGI_FORMAT_R10G10B10A2_UNORM
        desk.do(desk.window.actions_["ten-bits"].trigger)
        desk.shows(13)
        assert buffers(desk.painter.surface) == X.DXGI_FORMAT_R8G8B8A8_UNORM
        held.append(desk.held)
    assert held[0] == held[1]
    assert not [event for event in desk.told if isinstance(event, Notification)]


def test_ten_bits_are_remembered(desk: Desk, tmp_path: Path) -> None:
    desk.window.actions_["ten-bits"].trigger()
    desk.close()
    again = Desk(tmp_path)
    try:
        again.open("cfr.mp4")
        assert again.window.actions_["ten-bits"].isChecked()
        assert buffers(again.painter.surface) == X.DXGI_FORMAT_R10G10B10A2_UNORM
        again.shows(0)
    finally:
        again.close()
