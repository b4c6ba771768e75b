"""Memory and response time of a window over hundreds of random gestures.

    QT_QPA_PLATFORM=offscreen python -m benchmarks.gestures [--gestures 600] [--seed 1] [--device cpu] [FILM...]

Random system events on three films: tiles, sliders, keyframes, seek bar, wheel, dialogs, exports, themes, window size.
After every hundred gestures it pauses and prints this process's memory, its child processes' memory, the number of
Python and Qt objects, and the longest block of the window's thread: total, minus waits for a processor, and working.
Memory may grow until caches are full; object counts may not. A seed repeats the gestures. Results are in
benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from benchmarks.window import ROOT, Pulse
from framebrush.base.loading import loading

with loading():  # as the program does
    from framebrush.base.option import Section
    from framebrush.window.application import load_early, put_first
    from framebrush.window.exports.export_queue import ExportQueue
    from framebrush.window.exports.export_runner import ExportRunner
    from framebrush.window.main_window import MainWindow
    from framebrush.window.project.launch import Launch
    from framebrush.window.state.window_settings import Settings
    from framebrush.window.widgets.controls import LabelledSlider

FILMS = [ROOT / "assets/clips/landscape.mp4", ROOT / "app/sample/sample.mp4", ROOT / "assets/clips/extras.mkv"]
EVERY, LETS_GO_S, END_S = 100, 3.0, 60.0
PAUSES_S = (0.02, 0.1, 0.3, 0.8)
LEFT, NO_BUTTON, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
KEYS = [
    *((Qt.Key(ord(key)), NONE) for key in "JKL.,ZDWNICRFMPB0123456789"),
    *((Qt.Key(ord(key)), SHIFT) for key in "DZIOX"),
    *((Qt.Key(ord(key)), CONTROL) for key in "ZYDG0"),
    *((key, NONE) for key in (Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home)),
]


class Hand:
    """Random input to one window."""

    def __init__(self, window: MainWindow, exports: ExportRunner, films: list[Path], seed: int) -> None:
        self._window, self._exports, self._films, self._chance = window, exports, films, random.Random(seed)
        self._gestures: list[Callable[[], object]] = [
            *[self._key] * 6,
            *[self._tile] * 4,
            *[self._slider] * 4,
            *[self._seek] * 4,
            *[self._wheel] * 2,
            self._point,
            self._drop,
            self._export,
            self._dialog,
            self._theme,
            self._resize,
            self._page,
            self._minimise,
        ]
        self.done: Counter[str] = Counter()

    def act(self) -> None:
        """Make one gesture, then pause."""
        for dialog in self._window.findChildren(QDialog):
            dialog.reject()
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
        gesture = self._chance.choice(self._gestures)
        self.done[gesture.__name__] += 1
        gesture()
        rest(self._chance.choice(PAUSES_S))

    def _native(self, widget: QWidget) -> QWindow:
        handle = widget.window().windowHandle()
        assert handle is not None
        return handle

    def _place(self, widget: QWidget, x: float, y: float) -> QPoint:
        return widget.mapTo(widget.window(), QPoint(round(x * widget.width()), round(y * widget.height())))

    def _somewhere(self, widget: QWidget) -> QPoint:
        return self._place(widget, self._chance.uniform(0.05, 0.95), self._chance.uniform(0.2, 0.8))

    def _click(self, widget: QWidget, at: QPoint | None = None) -> None:
        if widget.isVisible():
            QTest.mouseClick(self._native(widget), LEFT, NONE, at or self._place(widget, 0.5, 0.5))

    def _key(self) -> None:
        key, modifier = self._chance.choice(KEYS)
        QTest.keyClick(self._native(self._window), key, modifier)

    def _tile(self) -> None:
        tiles = self._window.inspector.gallery.tiles
        if tiles.count():
            item = tiles.item(self._chance.randrange(tiles.count()))
            tiles.scrollToItem(item)
            self._click(tiles, tiles.viewport().mapTo(self._window, tiles.visualItemRect(item).center()))

    def _slider(self) -> None:
        sliders = [
            each.slider for each in self._window.inspector.panel.findChildren(LabelledSlider) if each.isVisible()
        ]
        sliders.append(self._window.inspector.stroke.slider.slider)
        slider = self._chance.choice(sliders)
        if not slider.isVisible():
            return
        window = self._native(slider)
        QTest.mousePress(window, LEFT, NONE, self._place(slider, 0.5, 0.5))
        for _ in range(self._chance.randint(1, 8)):
            QTest.mouseMove(window, self._somewhere(slider))
            rest(0.03)
        QTest.mouseRelease(window, LEFT, NONE, self._somewhere(slider))

    def _seek(self) -> None:
        self._click(self._window.transport.bar, self._somewhere(self._window.transport.bar))

    def _wheel(self) -> None:
        place = QPointF(self._somewhere(self._window.view))
        QTest.wheelEvent(self._native(self._window), place, QPoint(0, self._chance.choice((-240, -120, 120, 240))))

    def _point(self) -> None:
        widget = self._chance.choice(
            (self._window.inspector.gallery.tiles, self._window.transport.bar, self._window.view)
        )
        QTest.mouseMove(self._native(widget), self._somewhere(widget))
        rest(0.3)

    def _drop(self) -> None:
        """Drop a film from another program."""
        data, view = QMimeData(), self._window.view
        data.setUrls([QUrl.fromLocalFile(str(self._chance.choice(self._films)))])
        at, action = view.rect().center(), Qt.DropAction.CopyAction
        QCoreApplication.sendEvent(view, QDragEnterEvent(at, action, data, LEFT, NONE))
        QCoreApplication.sendEvent(view, QDropEvent(QPointF(at), action, data, LEFT, NONE))
        rest(1.0)

    def _export(self) -> None:
        """Export a few frames until the next gesture."""
        unfinished = [job for job in self._exports.queue.jobs if not job.is_over]
        for job in unfinished:
            self._exports.cancel(job)
        if unfinished or self._window.session.opened is None:
            return
        self._window.actions_["export"].trigger()
        rest(0.5)
        for dialog in self._window.findChildren(QDialog):
            QTest.keyClick(dialog, Qt.Key.Key_Return)

    def _dialog(self) -> None:
        self._window.actions_[self._chance.choice(("help", "about", "export", "new-style"))].trigger()
        rest(0.3)

    def _theme(self) -> None:
        self._window.preferences.use("theme", self._chance.choice(("dark", "light", "contrast")))

    def _resize(self) -> None:
        self._window.resize(self._chance.randint(700, 1900), self._chance.randint(400, 1050))

    def _page(self) -> None:
        self._window.side.setCurrentIndex(self._chance.randrange(2))

    def _minimise(self) -> None:
        self._window.showMinimized()
        rest(0.3)
        self._window.showNormal()


def rest(seconds: float) -> None:
    """Run the event loop for a while."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        QCoreApplication.processEvents()
        time.sleep(0.0005)


def resident_mb(status: Path) -> float:
    """Return a process's memory from its file `status`; 0 if the process is gone or the system lacks the file."""
    try:
        lines = status.read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def beside_mb() -> float:
    """Return memory of this process's children."""
    tasks = Path("/proc/self/task").glob("*/children")
    return sum(resident_mb(Path(f"/proc/{child}/status")) for task in tasks for child in task.read_text().split())


def main() -> None:
    """Run the gestures and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("films", nargs="*", type=Path, default=FILMS)
    parser.add_argument("--gestures", type=int, default=600, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    put_first()
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat), folder / "data")
        settings.output_folder, settings.sections = folder, get_args(Section)
        exports = ExportRunner(ExportQueue(folder / "exports.json"))
        window = MainWindow(settings, exports, Launch(device=arguments.device))
        load_early(window)
        gone: list[bool] = []
        window.destroyed.connect(lambda: gone.append(True))
        window.resize(1600, 1000)
        window.show()
        window.opening.open(arguments.films[0])
        rest(5.0)
        hand = Hand(window, exports, arguments.films, arguments.seed)
        print("gestures    here  beside    Python        Qt   longest       own   working")
        for number in range(0, arguments.gestures + 1, EVERY):
            pulse = Pulse()
            for _ in range(EVERY if number else 0):
                hand.act()
            pulse.end()
            rest(LETS_GO_S)
            gc.collect()
            objects = len(window.findChildren(QObject)) + len(app.allWidgets())
            print(
                f"{number:8}{resident_mb(Path('/proc/self/status')):5.0f} MB{beside_mb():5.0f} MB"
                f"{len(gc.get_objects()):10}{objects:10}"
                f"{pulse.worst_ms:7.0f} ms{pulse.own_ms:7.0f} ms{pulse.worked_ms:7.0f} ms  {pulse.where}",
                flush=True,
            )
        print(", ".join(f"{count} {name.lstrip('_')}" for name, count in hand.done.most_common()))
        exports.stop()
        window.quit()
        end = time.perf_counter() + END_S
        while not (gone and exports.is_idle) and time.perf_counter() < end:
            QCoreApplication.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


if __name__ == "__main__":
    main()
