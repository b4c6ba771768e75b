"""Longest blocks of the window's thread while a user opens, plays, seeks, paints, compares and exports.

    QT_QPA_PLATFORM=offscreen python benchmarks/window.py [VIDEO] [--style ink] [--device cpu] [--rounds 3]
                                                          [--load 8] [--first] [--no-ahead]

A 1 ms timer runs in the window's thread. Figures per action: the longest gap between ticks (goal: 50 ms); the longest
gap without waits for a processor used by other programs, as reported by Linux; the most processor time of the thread
between ticks. A watcher thread reports where the window's thread stood in gaps beyond the goal. --load: number of
processes that use all processor time they get; the first line, an empty window beside them, is the lower bound.
--first: the window's thread precedes these processes, as on Windows; on Linux this needs the right to raise priorities.
--no-ahead: disables the render cache. Results are in benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QCoreApplication, QSettings, Qt, QTimer  # noqa: E402
from PySide6.QtWidgets import QAbstractSlider, QApplication, QDialog, QWidget  # noqa: E402

from framebrush.base.loading import loading  # noqa: E402

with loading():  # as the program does
    from framebrush.media.sources.frame_source import open_frame_source
    from framebrush.media.video import Position
    from framebrush.playback.display.seek_preview import SeekPreview
    from framebrush.window.application import load_early, put_first
    from framebrush.window.exports.export_queue import ExportQueue
    from framebrush.window.exports.export_runner import ExportRunner
    from framebrush.window.main_window import MainWindow
    from framebrush.window.project.launch import Launch
    from framebrush.window.state.window_settings import Settings
    from framebrush.window.widgets.controls import LabelledSlider

ACT_S = 2.0
PROMISE_MS = 50.0
LOOK_S = 0.004
FIRST = 5
"""Reduction of niceness by --first."""
PREVIEWS = 30


def queued_s() -> float:
    """Return this thread's total wait for a processor in seconds; 0 if the system does not report it."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


class Pulse:
    """Longest gap between ticks (total, and without waits for a processor), maximum processor time between ticks, and
    the line where the thread stood.
    """

    def __init__(self) -> None:
        self._last, self._worked, self._queued = time.perf_counter(), time.thread_time(), queued_s()
        self.worst_ms = self.own_ms = self.worked_ms = 0.0
        self.where = ""
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(1)
        self._watched, self._ended = threading.get_ident(), threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop watching."""
        self._timer.stop()
        self._ended.set()
        self._thread.join()

    def _tick(self) -> None:
        now, worked, queued = time.perf_counter(), time.thread_time(), queued_s()
        stood = now - self._last
        self.worst_ms = max(self.worst_ms, 1e3 * stood)
        self.own_ms = max(self.own_ms, 1e3 * (stood - (queued - self._queued)))
        self.worked_ms = max(self.worked_ms, 1e3 * (worked - self._worked))
        self._last, self._worked, self._queued = now, worked, queued

    def _watch(self) -> None:
        longest_ms = PROMISE_MS
        while not self._ended.wait(LOOK_S):
            stands_ms = 1e3 * (time.perf_counter() - self._last)
            if stands_ms > longest_ms:
                longest_ms = stands_ms
                self.where = innermost(self._watched)


def innermost(thread: int) -> str:
    """Return the innermost project line of a thread.

    Frames are released at once: they could keep a painter alive beyond its painting, and Qt would crash.
    """
    frame = sys._current_frames().get(thread)
    while frame is not None:
        code, line = frame.f_code, frame.f_lineno
        if "/app/" in code.co_filename or "/gpu/" in code.co_filename:
            return f"{Path(code.co_filename).name}:{line} {code.co_name}"
        frame = frame.f_back
    return "Qt"


class Acts:
    """A user's actions in sequence, and the worst gap of each over all rounds."""

    def __init__(self) -> None:
        self.worst: dict[str, Pulse] = {}

    def __call__(self, name: str, call: Callable[[], object], seconds: float = ACT_S) -> None:
        """Do something and watch the thread for a while."""
        pulse = Pulse()
        QTimer.singleShot(50, call)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            QCoreApplication.processEvents()
            time.sleep(0.0005)
        pulse.end()
        where = f"  {pulse.where}" if pulse.worst_ms > PROMISE_MS else ""
        print(f"{name:<28}{pulse.worst_ms:8.1f} ms{pulse.own_ms:8.1f} ms{pulse.worked_ms:8.1f} ms{where}", flush=True)
        if name not in self.worst or self.worst[name].own_ms < pulse.own_ms:
            self.worst[name] = pulse

    def print(self) -> None:
        """Print the number of actions with too long a gap."""
        late, own = (
            sum(figure > PROMISE_MS for figure in figures)
            for figures in zip(*((pulse.worst_ms, pulse.own_ms) for pulse in self.worst.values()), strict=True)
        )
        print(
            f"{late} of {len(self.worst)} acts held the thread up for more than {PROMISE_MS:g} ms, {own} by themselves"
        )


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Run processes that use all processor time they get."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def go_first() -> None:
    """Raise this thread's priority, but not its later child threads'. Raises PermissionError."""
    if sys.platform != "win32":  # Windows does this anyway
        os.setpriority(os.PRIO_PROCESS, 0, -FIRST)

        def stay(*_: object) -> None:
            sys.setprofile(None)
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 0)

        threading.setprofile(stay)  # called at the start of each thread


def preview_rate(video: Path) -> float:
    """Return seek bar previews per second, all uncached. Goal: ten, for a film of 3840x2160."""
    came: queue.SimpleQueue[float] = queue.SimpleQueue()
    with open_frame_source(str(video)) as source:
        info = source.info
    preview = SeekPreview(info, lambda at_s, _: came.put(at_s))
    preview.request((0.0,))
    came.get(timeout=30)
    begun = time.perf_counter()
    for number in range(1, PREVIEWS + 1):
        preview._kept.clear()  # else a nearby picture would be reused
        preview.request((number * 0.618 % 1 * (info.duration_s or 1.0),))
        came.get(timeout=30)
    rate = PREVIEWS / (time.perf_counter() - begun)
    preview.close()
    return rate


def leave(window: MainWindow) -> None:
    """Close a window's dialogs."""
    for dialog in window.findChildren(QDialog):
        dialog.reject()


def drag(slider: QAbstractSlider) -> None:
    """Move a slider back and forth."""
    low, high = slider.minimum(), slider.maximum()
    for step in range(21):
        share = abs(step - 10) / 10
        QTimer.singleShot(40 * step, slider, lambda share=share: slider.setValue(round(low + share * (high - low))))


def drag_all(window: MainWindow) -> None:
    """Move all sliders of the look at once."""
    for each in window.inspector.panel.findChildren(LabelledSlider):
        drag(each.slider)


def export_while_playing(window: MainWindow, video: Path) -> None:
    """Play while a child process exports the film."""
    window.player.play(True)
    window.exporting.add([video])


def play_round(act: Acts, video: Path, style: str, device: str, folder: Path, *, ahead: bool) -> None:
    """Run all actions in a new window."""
    settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat), folder / "data")
    settings.output_folder, settings.paint_ahead = folder, ahead
    exports = ExportRunner(ExportQueue(folder / "exports.json"))
    window = MainWindow(settings, exports, Launch(device, style="none"))
    load_early(window)
    gone: list[bool] = []
    window.destroyed.connect(lambda: gone.append(True))
    window.resize(1600, 1000)
    window.show()
    player, actions = window.player, window.actions_
    begun = time.perf_counter()
    while time.perf_counter() < begun + ACT_S:
        QCoreApplication.processEvents()
    act("nothing", lambda: None)
    act("open, tiles of the film", lambda: window.opening.open(video, play=False), 2 * ACT_S)
    act("style", lambda: player.use_style(style))
    act("play", lambda: player.play(True))
    act("seek while playing", lambda: player.seek(Position(Fraction(1, 2), "s")))
    act("theme while playing", lambda: window.preferences.use("theme", "light"))
    act("scopes while playing", lambda: actions["scopes"].trigger())
    act("a slider while playing", lambda: drag(window.inspector.panel.sliders["strength"].slider))
    act("pause, step back", lambda: player.step(-1))
    act("scopes away", lambda: actions["scopes"].trigger())
    act("theme", lambda: window.preferences.use("theme", "dark"))
    act("sliders", lambda: drag_all(window))
    act("divider", lambda: window.inspector.panel.set_split(0.5))
    act("side by side", lambda: actions["side-by-side"].trigger())
    act("zoom", lambda: window.overlays.looking.zoom_to(4.0))
    act("loupe", lambda: actions["loupe"].trigger())
    act("stroke", lambda: window.inspector.stroke.slider.slider.setValue(20))
    act("first painting", lambda: window.inspector.gallery.choose_slot(1))
    act("another painting", lambda: window.inspector.gallery.choose_slot(2))
    act("point at a tile", lambda: window.inspector.gallery.tiles.pointed.emit(3))
    act("point at none", lambda: window.inspector.gallery.tiles.pointed.emit(-1))
    act("blend", lambda: window.inspector.gallery.blend.button.setChecked(True))
    act("compare looks", lambda: actions["compare-looks"].trigger())
    act("the film again", lambda: actions["compare-looks"].trigger())
    act("go to", window.ask_place)
    window.transport.go_to.hide()
    act("statistics", lambda: actions["statistics"].trigger())
    act("exports", lambda: window.side.setCurrentIndex(1))
    act("exporting while playing", lambda: export_while_playing(window, video), 2 * ACT_S)
    act("pause", lambda: player.play(False))
    act("paintings", lambda: window.side.setCurrentIndex(0))
    act("seek preview", lambda: window.transport.bar.pointed.emit(300, 40))
    for name in ("help", "about", "export", "new-style", "open-camera"):
        act(name, lambda name=name: actions[name].trigger())  # type: ignore[misc]
        leave(window)
    act("full screen", lambda: actions["full-screen"].setChecked(True))
    act("back", lambda: actions["full-screen"].setChecked(False))
    act("resize", lambda: window.resize(1280, 800))
    act("device", lambda: player.use_device(device))
    act("start page with pictures", player.close_video)
    exports.stop()
    while not exports.is_idle:  # a window with a running export asks before closing
        QCoreApplication.processEvents()
    window.close()
    while not gone:
        QCoreApplication.processEvents()


def main() -> None:
    """Run the rounds and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", type=Path, default=ROOT / "assets" / "clips" / "landscape.mp4")
    parser.add_argument("--style", default="ink")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--load", type=int, default=0, metavar="N")
    parser.add_argument("--rounds", type=int, default=1, metavar="N")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--no-ahead", action="store_true")
    arguments = parser.parse_args()
    put_first()
    print(f"pictures over the seek bar  {preview_rate(arguments.video):8.1f} a second")
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    act = Acts()
    with busy(arguments.load):
        if arguments.first:
            go_first()
        empty = QWidget()
        Acts()("an empty window", empty.show, 5 * ACT_S)
        empty.close()
        for _ in range(arguments.rounds):
            with tempfile.TemporaryDirectory() as folder:
                ahead = not arguments.no_ahead
                play_round(act, arguments.video, arguments.style, arguments.device, Path(folder), ahead=ahead)
    act.print()


if __name__ == "__main__":
    main()
