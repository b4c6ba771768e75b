"""The application: settings, translation, start and end."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, Qt, QThread, QTimer, QTranslator, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from framebrush.base import signals
from framebrush.base.loading import loading
from framebrush.base.user_folder import Lock
from framebrush.media.output_file import discard_unfinished
from framebrush.media.sources.frame_source import absolute_source
from framebrush.playback.events import DeviceInUse
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.window.display import open_application
from framebrush.window.exports.export_queue import ExportQueue
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.main_window import MainWindow
from framebrush.window.project.launch import Launch
from framebrush.window.project.restore_point import former_restore_point
from framebrush.window.state.window_settings import Settings
from framebrush.window.widgets import icons
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.process_runner import ProcessRunner

SWITCH_S = 0.001
"""How soon the window's thread gets the interpreter from another thread; Python's default of 5 ms adds up with several
threads."""

TRANSLATIONS = Path(__file__).with_name("translations")


def load_early(window: MainWindow) -> None:
    """Load painting libraries before the first film: later they would stall the window."""
    window.session.events.on(DeviceInUse, lambda _: Background(_load, lambda _: None, window, must_end=True))


def _load() -> None:
    with loading():
        import onnx

        onnx.defs.has("Identity")  # the first call lists ONNX's operators


class Requests(QObject):
    """Wakes Python for signals such as SIGTERM while Qt waits."""

    _came = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._came.connect(lambda: None, Qt.ConnectionType.QueuedConnection)
        signals.wake = self._came.emit
        parent.destroyed.connect(self._sleep)

    @staticmethod
    def _sleep() -> None:
        signals.wake = None


def show(launch: Launch, look_file: Path | None = None) -> int:
    """Run the application and return the exit status. Arguments: see `window.run`."""
    app, reading = open_application(sys.argv[:1]), ReadingProcess()
    with suppress(OSError):  # the first film is told
        reading.start()
    put_first()
    app.setApplicationName("Framebrush")
    app.setOrganizationName("Framebrush")
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(QIcon(icons.picture("film", "#d29a4a", 64)))
    settings = Settings()
    if settings.language:
        QLocale.setDefault(QLocale(settings.language))
    translate(app)
    back_at = former_restore_point()
    if back_at is not None:
        launch, look_file = Launch.after_crash(back_at), None
    jobs, _lock = own_list(settings.data_folder, goes_on=back_at is not None)
    exports = ExportRunner(jobs)
    if launch.colours is not None:
        settings.colours = launch.colours
    if launch.source is not None:  # so that all that is kept of it holds in any folder
        launch = replace(launch, source=absolute_source(launch.source))
    window = MainWindow(settings, exports, launch, reading)
    load_early(window)
    window.destroyed.connect(lambda: _leave_when_idle(app))
    window.show()
    if launch.source is None and not settings.toured:
        window.show_tour()
    exports.begin()
    window.place.tell_former()
    if look_file is not None:
        open_look = partial(window.inspector.looks.open, look_file)
        open_look()
        if launch.source is not None:  # and over the settings that are kept for its film
            window.project.began.connect(open_look, Qt.ConnectionType.SingleShotConnection)
    Requests(window)
    signals.loaded(discard_unfinished, speaks=False)

    def close() -> None:
        # Qt would print the error that a second request raises, and the window would stay half closed.
        signals.ignore_requests()
        QTimer.singleShot(0, window.quit)  # as by hand; exports can be resumed

    with signals.deferred(close):
        status = app.exec()
        exports.queue.flush()  # before another window may have the list
    return status


def put_first() -> None:
    """Prioritise the window's thread over other threads."""
    sys.setswitchinterval(SWITCH_S)
    QThread.currentThread().setPriority(QThread.Priority.HighPriority)


def _leave_when_idle(app: QApplication) -> None:
    runners: list[ProcessRunner[Any]] = app.findChildren(ProcessRunner)

    def leave() -> None:
        if all(runner.is_idle for runner in runners):
            app.quit()

    for runner in runners:
        runner.idle.connect(leave)
    leave()


def own_list(folder: Path, *, goes_on: bool = False) -> tuple[ExportQueue, Lock]:
    """Return the first export list that no other window has, with its lock."""
    for number in count(1):
        path = folder / ("exports.json" if number == 1 else f"exports-{number}.json")
        lock = Lock(path.with_suffix(".lock"))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if lock.try_lock():
                break
        except OSError:  # reported when the list is saved
            break
    return ExportQueue(path, goes_on=goes_on), lock


def translate(app: QApplication) -> None:
    """Install Qt's and our translations, also English plural forms."""
    folders = {"qtbase": QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), "framebrush": str(TRANSLATIONS)}
    for name, folder in folders.items():
        translator = QTranslator(app)
        if translator.load(QLocale(), name, "_", folder) or translator.load(f"{name}_en", folder):
            app.installTranslator(translator)
