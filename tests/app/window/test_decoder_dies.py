"""A film whose decoder crashes costs the window a message."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from framebrush.playback.reading.process import ReadingProcess
from tests.app import crashing
from tests.app.window.conftest import CLIPS, Desk

pytestmark = pytest.mark.media


@pytest.mark.skipif(sys.platform == "win32", reason="how it ended is said in the words of POSIX")
@pytest.mark.parametrize(("function", "count"), [("open_media", 1), ("Source.decode", 12)])
def test_the_window_says_so_and_stays(
    function: str, count: int, application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process aborts in the library's work, in the first film that it opens or while that plays."""
    reading = ReadingProcess()
    with monkeypatch.context() as patched:
        for name, value in crashing.environment(tmp_path, function, count).items():
            patched.setitem(os.environ, name, value)
        reading.start()
    desk = Desk(tmp_path, reading=reading)
    bar = desk.window.messages
    desk.window.open(str(CLIPS / "landscape.mp4"))
    desk.wait(lambda: "was ended by SIGABRT; check that the file is whole" in bar.text, "the message")
    desk.open("cfr.mp4")  # in a process that is started anew
    assert desk.number == 0
    assert reading.deaths == 1
    desk.close()
