"""Connecting to a display.

Qt would abort without one. Run as a process (`base/child.py`), this module reports the platform or the reason.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6 import __version__
from PySide6.QtCore import QCoreApplication, QLibrary, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from framebrush.base import parent, signals
from framebrush.base.text import printable
from framebrush.machine.window_needs import why_no_window

DISPLAYS = {"WAYLAND_DISPLAY": "libqwayland.so", "DISPLAY": "libqxcb.so"}
"""Environment variables that name a display, and Qt's plugin for each."""


def open_application(arguments: list[str]) -> QApplication:
    """Create the QApplication, or exit with status 1 and a sentence on stderr."""
    said: list[str] = []

    def hear(kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        if kind is not QtMsgType.QtFatalMsg:
            said.append(text)
            return
        print(f"framebrush-gui: {_why_none(text)}", file=sys.stderr, flush=True)
        os._exit(1 + signals.added_to_status)  # Qt aborts if this returns

    before = qInstallMessageHandler(hear)
    try:
        return QApplication(arguments)
    finally:
        qInstallMessageHandler(before)
        for text in said:
            print(text, file=sys.stderr)


def _why_none(words: str) -> str:
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if sys.platform == "linux" and platform in ("", "xcb", "wayland"):
        return _why_no_display()
    advice = f"; QT_QPA_PLATFORM is {platform}: unset it" if platform else ""
    return f"the window could not be opened ({printable(words.splitlines()[0])}){advice}"


def _why_no_display() -> str:
    named = {name: value for name in DISPLAYS if (value := os.environ.get(name))}
    if not named:
        return (
            "the window needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set; start it on a desktop, "
            "or paint without a window: framebrush transcode IN OUT"
        )
    for name in named:
        if missing := _not_loaded(DISPLAYS[name]):
            return why_no_window(ImportError(missing))
    shown = " and ".join(f"{name}={value}" for name, value in named.items())
    return f"the window cannot reach the display of {shown}; set the variable to one that this user may access"


def _not_loaded(plugin: str) -> str:
    given = os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH")
    folders = [
        *([Path(given)] if given else []),
        *(Path(path) / "platforms" for path in QCoreApplication.libraryPaths()),
    ]
    found = next((path for folder in folders if (path := folder / plugin).is_file()), None)
    library = QLibrary(str(found))  # QPluginLoader would not repeat the error of Qt's first attempt
    if found is None or library.load():
        return ""
    return printable(library.errorString().removeprefix(f"Cannot load library {found}: "))


if __name__ == "__main__":
    parent.listen(lambda _: None)
    parent.report({"platform": f"Qt {__version__} on {open_application(sys.argv[:1]).platformName()}"})
