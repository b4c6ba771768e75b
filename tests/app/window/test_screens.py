"""A window that goes from one screen to another of twice the density, and back, while it plays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.media

ROOT = Path(__file__).parents[3]


def screen(name: str, x: int, size: tuple[int, int], dots: int) -> dict[str, object]:
    """Windows scales by the dots per inch that a screen says; so does Qt's platform without a screen."""
    width, height = size
    rectangle = {"x": x, "y": 0, "width": width, "height": height}
    return {"name": name, **rectangle, "logicalDpi": dots, "logicalBaseDpi": 96, "dpr": 1}


SCREENS = {"screens": [screen("plain", 0, (1600, 1000), 96), screen("dense", 1600, (3200, 2000), 192)]}

MOVED = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from tests.app.window.conftest import Desk

app = QApplication(["framebrush"])
app.setQuitOnLastWindowClosed(False)
desk = Desk(Path(sys.argv[1]))
window, view = desk.window, desk.window.view
desk.wait(lambda: len(window.gallery.names) > 5, "the gallery")
desk.open("cfr.mp4")
window.actions_["loop"].trigger()
window.player.play(True)
desk.wait(lambda: window.shown_at.number > 2, "playing")
for left, ratio in ((1700, 2), (100, 1), (1700, 2)):
    window.move(left, 50)
    desk.wait(lambda: window.devicePixelRatioF() == ratio, f"ratio {ratio}")
    wanted = view.width() * ratio, view.height() * ratio
    desk.wait(lambda: view._box.size_px == wanted, f"pictures for {wanted}, they are for {view._box.size_px}")
    place = lambda: view.painted.place  # the layout may settle later
    size = lambda: (round(place().width * ratio), round(place().height * ratio))
    desk.wait(lambda: view.painted.image.size().toTuple() == size(), "a picture of the right size")
    desk.wait(lambda: desk.number is not None, "a number that can be read")
    assert window.actions_["play"].isChecked(), "it stopped"
    tile = window.gallery.tiles.item(0).icon().pixmap(window.gallery.tiles.iconSize(), ratio)
    assert tile.size() == window.gallery.tiles.iconSize() * ratio, tile.size()
window.player.play(False)
desk.wait(lambda: not window.actions_["play"].isChecked(), "the pause")
for left, ratio in ((100, 1), (1700, 2)):  # also while it stands still
    window.move(left, 50)
    desk.wait(lambda: view.painted.image.width() == round(view.painted.place.width * ratio), f"ratio {ratio}")
    desk.wait_number(window.shown_at.number)
desk.close()
print("moved")
"""


def test_a_playing_window_goes_to_a_denser_screen_and_back(tmp_path: Path) -> None:
    (tmp_path / "screens.json").write_text(json.dumps(SCREENS))
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen:configfile=screens.json",  # a drive's colon would end the name
        "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
    }
    done = subprocess.run(
        [sys.executable, "-c", MOVED, str(tmp_path)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    complaints = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert done.stdout.strip() == "moved", done.stderr
    assert complaints == []


SMALL = {"screens": [screen("small", 0, (1920, 1080), 192)]}

ASKED = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QScrollArea, QWidget
from tests.app.window.conftest import Desk, speaking

app = QApplication(["framebrush"])
app.setQuitOnLastWindowClosed(False)
with speaking(app, "de"):
    desk = Desk(Path(sys.argv[1]), size=None)
    room = desk.window.screen().availableGeometry().height()
    assert room == 540, room
    assert desk.window.height() <= room
    desk.open("cfr.mp4")
    for name in ("export", "new-style", "help", "about", "open-camera"):
        desk.window.actions_[name].trigger()
        desk.rest(1.0)
        (dialog,) = [each for each in desk.window.findChildren(QDialog) if each.isVisible()]
        assert dialog.height() <= room - 40, (name, dialog.height())
        for each in dialog.findChildren(QWidget):
            wanted = each.minimumSizeHint()
            assert not each.isVisible() or each.height() >= wanted.height(), (name, each, each.height(), wanted)
        scrolled = {each for area in dialog.findChildren(QScrollArea) for each in area.findChildren(QPushButton)}
        buttons = [each for each in dialog.findChildren(QPushButton) if each.isVisible() and each not in scrolled]
        lowest = max(each.mapTo(dialog, each.rect().bottomRight()).y() for each in buttons)
        assert lowest < dialog.height(), name
        dialog.reject()
        desk.rest(0.1)
    desk.close()
print("asked")
"""


def test_dialogs_fit_on_a_dense_laptop_in_german(tmp_path: Path) -> None:
    (tmp_path / "screens.json").write_text(json.dumps(SMALL))
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen:configfile=screens.json",
        "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
    }
    done = subprocess.run(
        [sys.executable, "-c", ASKED, str(tmp_path)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.strip() == "asked", done.stderr
