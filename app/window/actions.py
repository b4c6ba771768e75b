"""Everything that can be done, once: text, icon and keys, for menus, buttons and the help sheet."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from app.window import icons
from app.window.theme import Colours


@dataclass(frozen=True, slots=True)
class Entry:
    """One action. keys: as QKeySequence reads them, the first is shown. on_icon: drawn while it is checked."""

    name: str
    group: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False
    on_icon: str = ""


def entries() -> list[Entry]:
    """All of them, in the order of the help sheet, in the language of the application."""

    def tr(text: str) -> str:
        return QCoreApplication.translate("Actions", text)

    file, play, look, view, help_ = tr("File"), tr("Playback"), tr("Picture"), tr("View"), tr("Help")
    return [
        Entry("open", file, tr("Open video…"), ("Ctrl+O",), "open"),
        Entry("export", file, tr("Export…"), ("Ctrl+E",), "export"),
        Entry("screenshot", file, tr("Screenshot"), ("S",), "camera"),
        Entry("close", file, tr("Close video"), ("Ctrl+W",)),
        Entry("quit", file, tr("Quit"), ("Ctrl+Q",)),
        Entry("play", play, tr("Play or pause"), ("Space",), "play", checkable=True, on_icon="pause"),
        Entry("step-forward", play, tr("One frame forward"), (".",), "step-forward"),
        Entry("step-back", play, tr("One frame back"), (",",), "step-back"),
        Entry("forward", play, tr("5 seconds forward"), ("Right",)),
        Entry("back", play, tr("5 seconds back"), ("Left",)),
        Entry("forward-fine", play, tr("1 second forward"), ("Shift+Right",)),
        Entry("back-fine", play, tr("1 second back"), ("Shift+Left",)),
        Entry("first", play, tr("First frame"), ("Home",)),
        Entry("last", play, tr("Last frame"), ("End",)),
        Entry("slower", play, tr("Slower"), ("[",)),
        Entry("faster", play, tr("Faster"), ("]",)),
        Entry("normal-speed", play, tr("Normal speed"), ("Backspace",)),
        Entry("mark-in", play, tr("Mark in"), ("Shift+I",), "mark-in"),
        Entry("mark-out", play, tr("Mark out"), ("Shift+O",), "mark-out"),
        Entry("clear-marks", play, tr("Clear marks"), ("Shift+X",)),
        Entry("loop", play, tr("Loop between the marks"), ("L",), "loop", checkable=True),
        Entry("mute", play, tr("Mute"), ("M",), "sound", checkable=True, on_icon="mute"),
        Entry("split", look, tr("Compare with the source"), ("D",), "split", checkable=True),
        Entry("keep-colours", look, tr("Keep the source's colours"), ("K",), checkable=True),
        Entry("no-style", look, tr("No style"), ("0",)),
        Entry("open-style", look, tr("Open style file…"), ("Ctrl+Shift+O",), "add"),
        Entry("reset-look", look, tr("Set the look back"), ("Ctrl+0",), "reset"),
        Entry("statistics", view, tr("Statistics"), ("I",), checkable=True),
        Entry("full-screen", view, tr("Full screen"), ("F", "F11"), "full-screen", checkable=True),
        Entry("panel", view, tr("Side panel"), ("P",), checkable=True),
        Entry("ten-bits", view, tr("10-bit display"), checkable=True),
        Entry("help", help_, tr("Keys"), ("F1", "?")),
    ]


class Actions:
    """The actions of one window, by name."""

    def __init__(self, window: QMainWindow) -> None:
        self.entries = entries()
        self._actions: dict[str, QAction] = {}
        for entry in self.entries:
            action = QAction(entry.text, window)
            action.setObjectName(entry.name)
            action.setCheckable(entry.checkable)
            action.setShortcuts([QKeySequence(key) for key in entry.keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            if entry.keys:
                action.setToolTip(f"{entry.text.rstrip('…')} ({entry.keys[0]})")
            window.addAction(action)  # so that keys work while the menu bar is hidden
            self._actions[entry.name] = action

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def draw(self, colours: Colours) -> None:
        """Give them icons in a theme's colours."""
        for entry in self.entries:
            if entry.icon:
                self[entry.name].setIcon(icons.icon(entry.icon, colours, on=entry.on_icon or None))

    def enable_for_video(self, on: bool) -> None:
        """Some make sense only while a video is open."""
        names = "export screenshot close play step-forward step-back forward back forward-fine back-fine first last "
        names += "mark-in mark-out clear-marks"
        for name in names.split():
            self[name].setEnabled(on)
