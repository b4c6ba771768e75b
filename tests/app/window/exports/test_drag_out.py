"""A card of an export is dragged into another program, by a pointer and over the protocol of X11."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt

from framebrush.window.exports.export_queue import State
from tests.app.window.conftest import Desk
from tests.app.window.drop_target import SIZE
from tests.app.window.exports.test_exports import job
from tests.app.window.scenes import run
from tests.x11 import needs_x11, screen

pytestmark = [pytest.mark.media, needs_x11]

OTHER = 1000, 20
"""The corner of the other program, beside the window."""
STEPS, STEP_S = 20, 0.01


class Pointer:
    """The pointer of a display, moved by its server as by a mouse."""

    def __init__(self) -> None:
        self._x11, self._test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        pointer, whole, late = ctypes.c_void_p, ctypes.c_int, ctypes.c_ulong
        self._x11.XOpenDisplay.restype = pointer
        for call in (self._x11.XCloseDisplay, self._x11.XFlush):
            call.argtypes = [pointer]
        self._test.XTestFakeMotionEvent.argtypes = [pointer, *[whole] * 3, late]
        self._test.XTestFakeButtonEvent.argtypes = [pointer, ctypes.c_uint, whole, late]
        self._display = self._x11.XOpenDisplay(None)
        assert self._display

    def move(self, to: tuple[int, int]) -> None:
        """Move to a point of the screen."""
        self._test.XTestFakeMotionEvent(self._display, -1, *to, 0)
        self._x11.XFlush(self._display)

    def press(self, *, down: bool) -> None:
        """Press or release the left button."""
        self._test.XTestFakeButtonEvent(self._display, 1, down, 0)
        self._x11.XFlush(self._display)

    def close(self) -> None:
        self._x11.XCloseDisplay(self._display)


class Other:
    """The other program, and its reports."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "tests.app.window.drop_target", *map(str, OTHER), str(folder)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.told: list[dict[str, Any]] = []
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.told.append(json.loads(line))

    def wait(self, count: int) -> None:
        """Wait until that many lines are there; from a thread that need not serve the window."""
        end = time.monotonic() + 60
        while len(self.told) < count:
            assert time.monotonic() < end, self.told
            time.sleep(0.005)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(60)
        self._thread.join(60)


def drag(pointer: Pointer, begin: tuple[int, int], arrived: Callable[[], None]) -> None:
    """Drag from a point of the screen into the middle of the other program, and let go once that has noticed."""
    goal = OTHER[0] + SIZE[0] // 2, OTHER[1] + SIZE[1] // 2
    pointer.move(begin)
    pointer.press(down=True)
    for step in range(1, STEPS + 1):
        time.sleep(STEP_S)
        pointer.move((begin[0] + (goal[0] - begin[0]) * step // STEPS, begin[1] + (goal[1] - begin[1]) * step // STEPS))
    arrived()
    pointer.press(down=False)


def drags(folder: Path) -> None:
    """A finished export arrives as a copy; an export that waits has no file to give."""
    given = folder / "given"
    given.mkdir()
    desk, pointer, other = Desk(folder), Pointer(), Other(given)
    try:
        desk.window.move(0, 0)
        desk.window.side.setCurrentWidget(desk.window.export_panel)
        made = job(folder, target="a film & more.mp4")
        desk.exports.add(made)
        desk.wait(lambda: made.state is State.DONE, "the export")
        desk.exports.stop()
        waiting = job(folder, target="waits.mp4")
        desk.exports.add(waiting)
        desk.rest(0.2)
        desk.wait(lambda: bool(other.told), "the other program")
        cards = desk.window.export_panel.cards

        def carry(card: str, lines: int) -> None:
            """In a thread, as a drag does not return before its end."""
            begin = cards[card].mapToGlobal(QPoint(12, cards[card].height() - 12)).toTuple()
            hand = threading.Thread(target=drag, args=(pointer, begin, lambda: other.wait(lines)))
            hand.start()
            desk.wait(lambda: not hand.is_alive(), "the drop")

        carry(waiting.name, 2)
        assert other.told[1:] == [{"actions": Qt.DropAction.MoveAction.value, "files": []}]
        carry(made.name, 3)
        desk.wait(lambda: len(other.told) >= 4, "the copy")
        source = Path(made.spec.target)
        copy = {"actions": Qt.DropAction.CopyAction.value, "files": [str(source)]}
        assert other.told[2:] == [copy, {"copied": source.name}]
        assert (given / source.name).read_bytes() == source.read_bytes()  # and it is still here
        assert [each.name for each in given.iterdir()] == [source.name]
    finally:
        other.close()
        pointer.close()
    desk.close()


@pytest.mark.slow
def test_a_finished_file_is_dragged_into_another_program_as_a_copy(tmp_path: Path) -> None:
    """With a move, the other program would delete it here."""
    with screen() as display:
        run(tmp_path, drags, QT_QPA_PLATFORM="xcb", DISPLAY=display)
