"""The way to a display: where Qt finds none, it ends the process by SIGABRT, and this does so with one sentence.

python -m framebrush.window.display says whether a window can be shown: the platform on stdout, or the reason on stderr
with status 1.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6 import __version__
from PySide6.QtCore import QCoreApplication, QLibrary, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from framebrush.base.text import printable
from framebrush.window.needs import why_no_window

DISPLAYS = {"WAYLAND_DISPLAY": "libqwayland.so", "DISPLAY": "libqxcb.so"}
"""Variables that name a display, and Qt's plugin for each."""


def open_application(arguments: list[str]) -> QApplication:
    """The application, which there is one of in a process. Where Qt finds no display, the process ends here, with
    status 1 and one sentence on stderr."""
    said: list[str] = []

    def hear(kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        if kind is not QtMsgType.QtFatalMsg:
            said.append(text)
            return
        print(f"framebrush-gui: {_why_none(text)}", file=sys.stderr, flush=True)
        os._exit(1)  # to return would be to abort

    before = qInstallMessageHandler(hear)
    try:
        return QApplication(arguments)
    finally:
        qInstallMessageHandler(before)
        for text in said:
            print(text, file=sys.stderr)


def _why_none(words: str) -> str:
    """What a person does about it. words: Qt's own."""
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
    return f"the window cannot reach the display of {shown}; set the variable to one that runs and lets this user in"


def _not_loaded(plugin: str) -> str:
    """Why the system does not load one of Qt's plugins for displays; "" where it does, or there is none."""
    given = os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH")
    folders = [
        *([Path(given)] if given else []),
        *(Path(path) / "platforms" for path in QCoreApplication.libraryPaths()),
    ]
    found = next((path for folder in folders if (path := folder / plugin).is_file()), None)
    library = QLibrary(str(found))  # a plugin loader does not say again why Qt's own has failed
    if found is None or library.load():
        return ""
    return printable(library.errorString().removeprefix(f"Cannot load library {found}: "))


if __name__ == "__main__":
    print(f"Qt {__version__} on {open_application(sys.argv[:1]).platformName()}")
