"""The application around the window: names, translation, settings, and the way in and out."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QStandardPaths, QTranslator
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app.window import icons
from app.window.export_queue import ExportQueue
from app.window.export_runner import ExportRunner
from app.window.main_window import MainWindow
from app.window.settings import Settings

SWITCH_S = 0.001
"""How soon another thread lets the window's have the interpreter; Python's own 5 ms add up with several threads."""

TRANSLATIONS = Path(__file__).with_name("translations")


def show(path: Path | None, *, device: str = "", style: str = "") -> int:
    """Run the application until its window is closed; the exit status."""
    sys.setswitchinterval(SWITCH_S)
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Framebrush")
    app.setOrganizationName("Framebrush")
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(QIcon(icons.picture("film", "#d29a4a", 64)))
    translate(app)
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation))
    exports = ExportRunner(ExportQueue(folder / "exports.json"))
    window = MainWindow(Settings(), exports, device=device, style=style)
    window.destroyed.connect(lambda: _leave_when_idle(app, exports))
    window.show()
    exports.begin()
    if path is not None:
        window.open(path)
    return app.exec()


def _leave_when_idle(app: QApplication, exports: ExportRunner) -> None:
    """The window is gone; an export that was running may still be putting away its half-written file."""
    if exports.is_idle:
        app.quit()
    else:
        exports.idle.connect(app.quit)


def translate(app: QApplication) -> None:
    """Qt's own words and ours in the person's language where there is a translation, else in English, whose file has
    the plural forms."""
    folders = {"qtbase": QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), "framebrush": str(TRANSLATIONS)}
    for name, folder in folders.items():
        translator = QTranslator(app)
        if translator.load(QLocale(), name, "_", folder) or translator.load(f"{name}_en", folder):
            app.installTranslator(translator)
