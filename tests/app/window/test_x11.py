"""The window on a real screen of X11, without a window manager, as Xvfb has it in memory."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from assets import frame_number
from framebrush.gpu.hlsl.window_surface import WindowSurface
from framebrush.gpu.webgpu.device import WebGpuDevice
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookFolder, write_look
from framebrush.media.video import Position
from framebrush.styles.specs import StyleSpec
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand
from tests.app.window.scenes import run
from tests.gpu.webgpu.harness import needs_vulkan
from tests.x11 import needs_x11, screen

pytestmark = [pytest.mark.media, needs_x11]


def pixels_of_screen() -> npt.NDArray[np.uint8]:
    """Return the X server's picture: (H, W, 3) B, G, R."""
    image = QGuiApplication.primaryScreen().grabWindow(0).toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()


def number_on(desk: Desk) -> int | None:
    """The number of the frame that the X server shows where the video is, not of what Qt believes to have drawn."""
    view, pixels = desk.window.view, pixels_of_screen()
    place, corner = view.painted.place, view.mapToGlobal(QPoint(0, 0))
    assert place is not None
    top, left = round(corner.y() + place.y), round(corner.x() + place.x)
    return frame_number.read(pixels[top : top + round(place.height), left : left + round(place.width), 1])


def plays(folder: Path) -> None:
    """The screen shows the right frame, whatever is pressed."""
    assert QGuiApplication.platformName() == "xcb"
    desk = Desk(folder)
    window, view = desk.window, desk.window.view

    def wait_seen(number: int) -> None:
        desk.wait(lambda: number_on(desk) == number, f"frame {number} (the screen has {number_on(desk)})")

    desk.open("cfr.mp4")
    wait_seen(0)
    desk.key(".")
    wait_seen(1)
    desk.key(",")
    wait_seen(0)
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: (number_on(desk) or 0) >= 3, "frames that follow each other")
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: not window.player.engine.playing, "the pause")
    desk.rest(0.1)
    wait_seen(window.session.shown_at.number)
    QTest.mouseClick(window.transport.bar, Qt.MouseButton.LeftButton, pos=window.transport.bar.rect().center())
    desk.wait(lambda: abs(window.session.shown_at.number - 15) <= 1, "the middle")
    wait_seen(window.session.shown_at.number)
    desk.key("f")
    desk.wait(lambda: view.size() == window.size(), "nothing but the picture")  # to widen it is a window manager's work
    wait_seen(window.session.shown_at.number)
    desk.key(Qt.Key.Key_Escape)
    desk.wait(window.side.isVisible, "the window again")
    wait_seen(window.session.shown_at.number)
    desk.close()


def points(folder: Path) -> None:
    """The picture over the seek bar stays while the pointer rests on the bar: it never lies under the pointer."""
    desk = Desk(folder)
    bar, popup = desk.window.transport.bar, desk.window.transport.popup
    desk.open("cfr.mp4")
    QCursor.setPos(bar.mapToGlobal(bar.rect().center()))
    desk.wait(lambda: not popup.picture.pixmap().isNull(), "the picture")
    desk.rest(0.3)
    assert popup.isVisible()
    desk.close()


def tries(folder: Path) -> None:
    """The style of the tile under the pointer is on the whole picture until the pointer leaves."""
    desk = Desk(folder)
    window, tiles = desk.window, desk.window.inspector.gallery.tiles
    desk.wait(lambda: len(window.inspector.gallery.names) > 5, "the gallery")
    QCursor.setPos(window.view.mapToGlobal(QPoint(9, 9)))
    desk.open("landscape.mp4")
    plain = desk.wait_still()
    item = tiles.item(window.inspector.gallery.names.index("great-wave"))
    QCursor.setPos(tiles.viewport().mapToGlobal(tiles.visualItemRect(item).center()))
    desk.wait(lambda: np.abs(desk.picture().astype(int) - plain).mean() > 10, "the style")
    QCursor.setPos(window.view.mapToGlobal(QPoint(9, 9)))
    desk.wait(lambda: np.array_equal(desk.picture(), plain), "the film")
    assert window.session.choice.style.name == "none"
    desk.close()


def asks(folder: Path) -> None:
    """Buttons of dialogs have none of Qt's own pictures, which match no theme."""
    desk = Desk(folder)
    desk.open("cfr.mp4")
    desk.window.actions_["export"].trigger()
    (dialog,) = desk.window.findChildren(QDialog)
    assert [button.text() for button in dialog.findChildren(QPushButton) if not button.icon().isNull()] == []
    dialog.reject()
    desk.close()


def goes(folder: Path) -> None:
    """To a frame that is typed over the position, and to a look that is clicked beside the one in use."""
    desk = Desk(folder)
    hand, window = Hand(desk), desk.window
    window.inspector.looks.folder = LookFolder(folder / "looks")
    write_look(Recipe(StyleSpec("ink")), folder / "looks" / "ink.json")
    desk.open("cfr.mp4")
    QTest.mouseMove(window.view, QPoint(9, 9))
    hand.key("g", Qt.KeyboardModifier.ControlModifier)
    desk.wait(window.transport.go_to.isVisible, "the field")
    for key in "12f":
        hand.key(key)
    hand.key(Qt.Key.Key_Return)
    desk.wait(lambda: number_on(desk) == 12, f"frame 12 (the screen has {number_on(desk)})")
    hand.key("d", Qt.KeyboardModifier.ControlModifier)
    panes = window.overlays.comparison.page.panes[:2]
    desk.wait(lambda: all(not pane.image.isNull() for pane in panes), "the pictures")
    hand.click(panes[1])
    desk.wait_style("ink")
    desk.wait(window.view.painted.isVisible, "the film")
    desk.close()


def opens_menus(folder: Path) -> None:
    """Of the menu bar and the transport: the picture alone is a native window, or Qt complains about their parents."""
    desk = Desk(folder)
    window = desk.window
    desk.open("cfr.mp4")
    bar = window.menuBar()
    for menu in (bar.actions()[0].menu(), window.transport.more.menu()):
        menu.popup(QPoint(5, 5))
        desk.wait(menu.isVisible, "the menu")
        menu.close()
    natives = [each for each in window.findChildren(QWidget) if each.windowHandle() is not None and not each.isWindow()]
    assert natives == [window.view.native]
    desk.close()


def assert_fits(desk: Desk) -> None:
    """Check that the presented picture has the view's pixels."""
    surface, view = desk.window.player.engine.presenter.surface, desk.window.view
    assert isinstance(surface, WindowSurface)
    ratio = view.devicePixelRatioF()
    assert (surface.format.width, surface.format.height) == (round(view.width() * ratio), round(view.height() * ratio))


def presents(folder: Path) -> None:
    """The same on a GPU that presents to the window itself: nothing is read back, whatever happens."""
    desk = Desk(folder, device="webgpu")
    window, view, player = desk.window, desk.window.view, desk.window.player
    painter = player.engine.presenter

    def wait_seen(number: int) -> None:
        desk.wait(lambda: number_on(desk) == number, f"frame {number} (the screen has {number_on(desk)})")

    def stands(number: int) -> None:
        """Until the frame is seen, and nothing presents it again and again."""
        wait_seen(number)

        def rests() -> bool:
            desk.settle()
            before = painter.counters.presents
            desk.rest(0.3)
            desk.settle()
            return painter.counters.presents == before

        desk.wait(rests, "the end of presenting")
        wait_seen(number)
        assert_fits(desk)

    window.opening.open(CLIPS / "cfr.mp4", play=False)
    desk.wait(lambda: view.page is view.native, "the GPU's page")
    stands(0)
    assert isinstance(painter.surface, WindowSurface)
    player.seek(Position(Fraction(17), "frame"))
    stands(17)
    desk.key(",")
    stands(16)
    for size in ((1000, 560), (840, 640)):
        window.resize(*size)
        stands(16)
    window.inspector.panel.set_split(0.3)
    stands(16)
    window.overlays.looking.zoom_to(8.0)
    desk.settle()
    window.overlays.looking.reset()
    stands(16)
    desk.key("f")
    desk.wait(lambda: view.size() == window.size(), "nothing but the picture")
    stands(16)
    desk.key(Qt.Key.Key_Escape)
    desk.wait(window.side.isVisible, "the window again")
    stands(16)
    player.use_style("ink")
    desk.wait_style("ink")
    stands(16)
    assert painter.counters.readbacks == 0
    assert not view.painted.isVisible()
    window.actions_["statistics"].trigger()
    stages = {"decode", "upload", "convert", "network", "output", "present"}
    window.actions_["loop"].trigger()  # on a busy machine the film ends before they are told
    desk.key(Qt.Key.Key_Space)

    def is_told() -> bool:
        """Return whether the overlay has times of the GPU's stages, without readback."""
        return window.overlays.statistics.measured is not None and stages <= set(
            window.overlays.statistics.measured.stages_ms
        )

    desk.wait(is_told, "the times of all stages")
    desk.key(Qt.Key.Key_Space)
    desk.settle()
    assert window.overlays.statistics.isWindow()
    corner = window.overlays.statistics.mapToGlobal(QPoint(0, 0))
    size = window.overlays.statistics.size()
    shown = pixels_of_screen()[corner.y() : corner.y() + size.height(), corner.x() : corner.x() + size.width()]
    assert (shown.min(axis=2) > 180).mean() > 0.02, "no letters over the picture"
    assert painter.counters.readbacks == 0
    desk.close()


def is_managed(folder: Path) -> None:
    """With a window manager. What comes back after it was minimised, or fills the screen, has the frame that belongs
    there, and a film that stands is not presented again and again meanwhile."""
    desk = Desk(folder, device="webgpu")
    window, view, player = desk.window, desk.window.view, desk.window.player
    painter, engine = player.engine.presenter, player.engine

    def wait_seen() -> None:
        desk.wait(lambda: number_on(desk) == window.session.shown_at.number, "the frame")
        desk.settle()
        assert_fits(desk)

    def rests() -> bool:
        desk.settle()
        before = painter.counters.presents
        desk.rest(0.3)
        return painter.counters.presents == before

    def minimise() -> None:
        window.showMinimized()
        desk.wait(lambda: not window.windowHandle().isExposed(), "the window to go")
        assert window.isMinimized()

    def come_back() -> None:
        window.showNormal()
        desk.wait(lambda: window.windowHandle().isExposed() and not window.isMinimized(), "the window again")

    window.opening.open(CLIPS / "cfr.mp4", play=False)
    desk.wait(lambda: view.page is view.native, "the GPU's page")
    wait_seen()
    minimise()
    desk.wait(rests, "rest")
    desk.key(".")
    player.seek(Position(Fraction(17), "frame"))
    desk.wait(lambda: window.session.shown_at.number == 17, "the seek")
    come_back()
    wait_seen()
    window.actions_["loop"].trigger()
    desk.key(Qt.Key.Key_Space)
    minimise()
    before = painter.counters.presents
    desk.wait(lambda: painter.counters.presents > before + 5, "frames that nobody sees, beside the sound")
    come_back()
    desk.wait(lambda: number_on(desk) is not None, "frames")
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: not engine.playing, "the pause")
    wait_seen()
    desk.key("f")
    desk.wait(lambda: view.size() == window.screen().size(), "the whole screen")
    wait_seen()
    desk.key(Qt.Key.Key_Escape)
    desk.wait(window.side.isVisible, "the window again")
    wait_seen()
    window.showMaximized()
    desk.wait(window.isMaximized, "the maximised window")
    desk.settle()
    wait_seen()
    desk.close()


def loses(folder: Path) -> None:
    """Lose the GPU while it presents: a page of the processor takes its window's place."""
    desk = Desk(folder, device="webgpu")
    window, view = desk.window, desk.window.view
    window.opening.open(CLIPS / "cfr.mp4", play=False)
    desk.wait(lambda: view.page is view.native and number_on(desk) == 0, "the GPU's picture")
    desk.settle()
    device = window.player.engine.presenter.device
    assert isinstance(device, WebGpuDevice)
    device.context.native.device.destroy()
    desk.key(".")
    desk.wait(lambda: view.page is view.painted, "the processor's page")
    desk.wait(lambda: number_on(desk) == 1, "the next frame")
    desk.close()


def hands_over(folder: Path) -> None:
    """A GPU that cannot present to the window has its pictures read back, and the statistics say why."""
    from wgpu.backends.wgpu_native import GPUCanvasContext

    nothing = {"usages": 0, "formats": []}
    GPUCanvasContext._get_capabilities_screen = lambda *_: nothing
    desk = Desk(folder, device="webgpu")
    window, view = desk.window, desk.window.view
    window.opening.open(CLIPS / "cfr.mp4", play=False)
    desk.wait(lambda: view.page is view.painted and number_on(desk) == 0, "the picture")
    assert "cannot present to this window" in window.overlays.statistics.text()
    assert not window.actions_["ten-bits"].isEnabled()
    assert not window.overlays.statistics.isWindow()
    desk.key(".")
    desk.wait(lambda: number_on(desk) == 1, "the next frame")
    desk.close()


@pytest.fixture
def display() -> Iterator[str]:
    """The name of a display that nobody else has."""
    with screen() as name:
        yield name


@pytest.fixture
def managed(display: str) -> Iterator[str]:
    """The same with a window manager."""
    command = ["openbox", "--sm-disable"]
    manager = subprocess.Popen(command, env={**os.environ, "DISPLAY": display}, stderr=subprocess.DEVNULL)
    try:
        yield display
    finally:
        manager.terminate()
        manager.wait(60)


@needs_vulkan
@pytest.mark.slow
def test_a_managed_window_on_x11(managed: str, tmp_path: Path) -> None:
    run(tmp_path, is_managed, QT_QPA_PLATFORM="xcb", DISPLAY=managed)


@pytest.mark.slow
def test_a_window_on_x11(display: str, tmp_path: Path) -> None:
    run(tmp_path, plays, points, tries, asks, goes, opens_menus, QT_QPA_PLATFORM="xcb", DISPLAY=display)


@needs_vulkan
@pytest.mark.slow
def test_a_gpu_presents_to_a_window_on_x11(display: str, tmp_path: Path) -> None:
    run(tmp_path, presents, loses, hands_over, QT_QPA_PLATFORM="xcb", DISPLAY=display)
