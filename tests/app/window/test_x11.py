"""The window on a real screen of X11, without a window manager, as Xvfb has it in memory.

FRAMEBRUSH_REQUIRE_XVFB=1 promises what that takes, and then its absence fails."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton

from assets import frame_number
from framebrush.jobs.saved_look import SavedLook
from framebrush.jobs.spec import StyleSpec
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand
from tests.app.window.scenes import run
from tools import dev

MISSING = dev.missing_packages(dev.X11_NEEDS)

pytestmark = [
    pytest.mark.media,
    pytest.mark.skipif(
        bool(MISSING) and os.environ.get("FRAMEBRUSH_REQUIRE_XVFB") != "1",
        reason=f"no X11 without {', '.join(MISSING)}",
    ),
]


def number_on(desk: Desk) -> int | None:
    """The number of the frame that the X server shows where the video is, not of what Qt believes to have drawn."""
    view = desk.window.view
    image = QGuiApplication.primaryScreen().grabWindow(0).toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
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
    window, tiles = desk.window, desk.window.gallery.tiles
    desk.wait(lambda: len(window.gallery.names) > 5, "the gallery")
    QCursor.setPos(window.view.mapToGlobal(QPoint(9, 9)))
    desk.open("landscape.mp4")
    plain = desk.wait_still()
    item = tiles.item(window.gallery.names.index("great-wave"))
    QCursor.setPos(tiles.viewport().mapToGlobal(tiles.visualItemRect(item).center()))
    desk.wait(lambda: np.abs(desk.picture().astype(int) - plain).mean() > 10, "the style")
    QCursor.setPos(window.view.mapToGlobal(QPoint(9, 9)))
    desk.wait(lambda: np.array_equal(desk.picture(), plain), "the film")
    assert window.session.chosen_style == "none"
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
    window.looks._folder = folder / "looks"
    SavedLook(StyleSpec("ink")).write(folder / "looks" / "ink.json")
    desk.open("cfr.mp4")
    QTest.mouseMove(window.view, QPoint(9, 9))
    hand.key("g", Qt.KeyboardModifier.ControlModifier)
    desk.wait(window.transport.go_to.isVisible, "the field")
    for key in "12f":
        hand.key(key)
    hand.key(Qt.Key.Key_Return)
    desk.wait(lambda: number_on(desk) == 12, f"frame 12 (the screen has {number_on(desk)})")
    hand.key("d", Qt.KeyboardModifier.ControlModifier)
    panes = window.comparison.page.panes[:2]
    desk.wait(lambda: all(not pane.image.isNull() for pane in panes), "the pictures")
    hand.click(panes[1])
    desk.wait_style("ink")
    desk.wait(window.view.painted.isVisible, "the film")
    desk.close()


@pytest.fixture
def display() -> Iterator[str]:
    """The name of a display that nobody else has."""
    assert MISSING == []
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        number = pipe.readline().strip()
    assert number, f"Xvfb ended with status {server.wait()}"
    yield f":{number}"
    server.terminate()
    server.wait(60)


@pytest.mark.slow
def test_a_window_on_x11(display: str, tmp_path: Path) -> None:
    run(tmp_path, plays, points, tries, asks, goes, QT_QPA_PLATFORM="xcb", DISPLAY=display)
