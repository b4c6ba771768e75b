"""The window on a real compositor of Wayland, weston in a screen in memory: pictures are read back, and it shows them.

FRAMEBRUSH_REQUIRE_WESTON=1 promises weston, and then its absence fails."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageGrab
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from assets import frame_number
from framebrush.media.video import Position
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.scenes import run
from tests.gpu.webgpu.harness import needs_vulkan
from tests.x11 import needs_x11, screen
from tools import dev

MISSING = dev.missing_packages(dev.WAYLAND_NEEDS)
SIZE = 1280, 800

pytestmark = [
    pytest.mark.media,
    needs_vulkan,
    needs_x11,
    pytest.mark.skipif(
        bool(MISSING) and os.environ.get("FRAMEBRUSH_REQUIRE_WESTON") != "1", reason="no Wayland without weston"
    ),
]


def plays(folder: Path) -> None:
    """A GPU paints, and a compositor shows the right frame, after a start, a seek, a step, another size and a turn."""
    assert QGuiApplication.platformName() == "wayland"
    desk = Desk(folder, device="webgpu")
    window, view, player = desk.window, desk.window.view, desk.window.player
    painter = player.engine.presenter

    def number_on_screen() -> int | None:
        pixels, place = np.asarray(ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).convert("RGB")), view.painted.place
        assert place is not None
        top, left = round(place.y), round(place.x)
        return frame_number.read(pixels[top : top + round(place.height), left : left + round(place.width), 1])

    def wait_seen(number: int) -> None:
        """The window fills the screen, so that it is known where the picture is."""
        desk.wait(lambda: window.session.shown_at.number == number, "the frame")
        desk.settle()
        desk.wait(lambda: number_on_screen() == number, f"frame {number} (the screen has {number_on_screen()})")

    window.opening.open(CLIPS / "cfr.mp4", play=False)
    desk.wait(lambda: view.page is view.painted and painter.counters.readbacks > 0, "a picture that was read back")
    assert view.native_window is None
    for size in ((1000, 560), (840, 640)):
        window.resize(*size)
        desk.wait(lambda size=size: window.size().toTuple() == size, "the size")
        desk.settle()
    desk.key("f")
    desk.wait(lambda: view.size().toTuple() == SIZE, "nothing but the picture")
    wait_seen(0)
    player.seek(Position(Fraction(17), "frame"))
    wait_seen(17)
    desk.key(",")
    wait_seen(16)
    window.actions_["loop"].trigger()
    before = painter.counters.readbacks
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: painter.counters.readbacks >= before + 5, "frames that follow each other")
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: not player.engine.playing, "the pause")
    desk.settle()
    wait_seen(window.session.shown_at.number)
    desk.key(Qt.Key.Key_Escape)
    desk.wait(window.side.isVisible, "the window again")
    assert "read back" in window.overlays.statistics.text()
    desk.close()


@pytest.fixture
def compositor(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The variables of the environment by which programs find a compositor that nobody else has, and its screen."""
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    found = {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": "framebrush"}
    size = [f"--width={SIZE[0]}", f"--height={SIZE[1]}"]
    command = ["weston", "--backend=x11-backend.so", "--use-pixman", "--no-config", "--idle-time=0", *size]
    with screen() as display:
        found["DISPLAY"] = display
        server = subprocess.Popen(
            [*command, f"--socket={found['WAYLAND_DISPLAY']}"],
            env={**os.environ, **found},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            until = time.monotonic() + 60
            while not (folder / found["WAYLAND_DISPLAY"]).exists():
                assert server.poll() is None
                assert time.monotonic() < until
                time.sleep(0.02)
            yield found
        finally:
            server.terminate()
            server.wait(60)


@pytest.mark.slow
def test_a_window_on_wayland(compositor: dict[str, str], tmp_path: Path) -> None:
    run(tmp_path, plays, QT_QPA_PLATFORM="wayland", **compositor)
