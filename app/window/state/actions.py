"""Actions for menus, buttons and the help sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMainWindow

from framebrush.jobs.recipe import PARTS
from framebrush.playback.events import Opened
from framebrush.window.widgets import icons
from framebrush.window.widgets.theme import Colours


@dataclass(frozen=True, slots=True)
class Entry:
    """Description of an action. keys: in QKeySequence's syntax; the first is displayed."""

    name: str
    group: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False
    on_icon: str = ""


MENU_ROLES = {"about": QAction.MenuRole.AboutRole, "quit": QAction.MenuRole.QuitRole}
"""Actions that macOS has in the menu of the program; it would guess others by their texts."""


NEEDS = {
    "video": "next-file previous-file save-colours compare-looks screenshot copy-frame close play pause",
    "file": "save-project export play-slower play-faster step-forward step-back forward back forward-fine back-fine "
    "first last go-to mark-in mark-out clear-marks marker next-marker previous-marker timeline-in timeline-out "
    "timeline-whole subtitles-later subtitles-earlier no-delays reveal export-reveal",
    "sound": "sound-later sound-earlier",
    "chapters": "next-chapter previous-chapter",
    "live": "record virtual-camera",
    "not live": "slower faster normal-speed loop",  # also while nothing is open
}
"""What must be open for an action; other actions are always enabled, or by their owners."""


def key_text(key: str) -> str:
    """Return a key in the desktop's notation."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


class Actions(QObject):
    """Actions of one window, by name."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.entries = self._entries()
        self._actions: dict[str, QAction] = {}
        self._icons: dict[Colours, dict[str, QIcon]] = {}  # a cache, as drawing is slow
        for entry in self.entries:
            action = QAction(entry.text, window)
            action.setObjectName(entry.name)
            action.setMenuRole(MENU_ROLES.get(entry.name, QAction.MenuRole.NoRole))
            action.setCheckable(entry.checkable)
            action.setShortcuts([QKeySequence(key) for key in entry.keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            if entry.keys:
                action.setToolTip(f"{entry.text.rstrip('…')} ({key_text(entry.keys[0])})")
            window.addAction(action)  # so that keys work while the menu bar is hidden
            self._actions[entry.name] = action

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    @property
    def options(self) -> dict[str, str]:
        """Return the options that are actions."""
        switches = (each for options in PARTS.values() for each in options if each.kind is bool)
        return {each.spelling: each.field for each in switches if each.spelling in self._actions}

    def connect_triggers(self, calls: Mapping[str, Callable[[], Any]]) -> None:
        """Connect each action, by name, to its call."""
        for name, call in calls.items():
            self[name].triggered.connect(lambda _=False, call=call: call())

    def draw(self, colours: Colours) -> None:
        """Set the icons in a theme's colours."""
        if colours not in self._icons:
            self._icons[colours] = {
                entry.name: icons.icon(entry.icon, colours, checkable=entry.checkable, on=entry.on_icon or None)
                for entry in self.entries
                if entry.icon
            }
        for name, icon in self._icons[colours].items():
            self[name].setIcon(icon)

    def show_opened(self, opened: Opened | None) -> None:
        """Enable the actions that apply to the open video."""
        live = opened is not None and opened.live
        file = opened is not None and not live
        applies = {
            "video": opened is not None,
            "file": file,
            "sound": file and opened is not None and opened.sound,
            "chapters": opened is not None and bool(opened.info.chapters),
            "live": live,
            "not live": not live,
        }
        for need, names in NEEDS.items():
            for name in names.split():
                self[name].setEnabled(applies[need])

    def _entries(self) -> list[Entry]:
        file, play, look = self.tr("File"), self.tr("Playback"), self.tr("Picture")
        view, help_ = self.tr("View"), self.tr("Help")
        return [
            Entry("open", file, self.tr("Open video…"), ("Ctrl+O",), "open"),
            Entry("paste-path", file, self.tr("Open what was copied"), ("Ctrl+V",)),
            Entry("open-camera", file, self.tr("Open camera…"), ("Ctrl+Shift+C",), "camera"),
            Entry("save-project", file, self.tr("Save project as…"), ("Ctrl+S",)),
            Entry("export", file, self.tr("Export…"), ("Ctrl+E",), "export"),
            Entry("export-files", file, self.tr("Export several videos…"), ("Ctrl+Shift+E",)),
            Entry("export-list", file, self.tr("Export the playlist")),
            Entry("export-reveal", file, self.tr("Export this frame's time-lapse…"), ("Ctrl+T",)),
            Entry("screenshot", file, self.tr("Screenshot"), ("S",), "camera"),
            Entry("copy-frame", file, self.tr("Copy the frame"), ("Ctrl+C",)),
            Entry("next-file", file, self.tr("Next video in the playlist or folder"), ("PgDown",)),
            Entry("previous-file", file, self.tr("Previous video in the playlist or folder"), ("PgUp",)),
            Entry("close", file, self.tr("Close video"), ("Ctrl+W",)),
            Entry("quit", file, self.tr("Quit"), ("Ctrl+Q",)),
            Entry("play", play, self.tr("Play or pause"), ("Space",), "play", checkable=True, on_icon="pause"),
            Entry("play-slower", play, self.tr("Half speed; while paused, one frame back"), ("J",)),
            Entry("pause", play, self.tr("Pause"), ("K",)),
            Entry("play-faster", play, self.tr("Play; again: double speed"), ("L",)),
            Entry("step-forward", play, self.tr("One frame forward"), (".",), "step-forward"),
            Entry("step-back", play, self.tr("One frame back"), (",",), "step-back"),
            Entry("forward", play, self.tr("5 seconds forward"), ("Right",)),
            Entry("back", play, self.tr("5 seconds back"), ("Left",)),
            Entry("forward-fine", play, self.tr("1 second forward"), ("Shift+Right",)),
            Entry("back-fine", play, self.tr("1 second back"), ("Shift+Left",)),
            Entry("first", play, self.tr("First frame"), ("Home",)),
            Entry("last", play, self.tr("Last frame"), ("End",)),
            Entry("next-chapter", play, self.tr("Next chapter"), ("Shift+PgDown",)),
            Entry(
                "previous-chapter", play, self.tr("This chapter's beginning, or the chapter before"), ("Shift+PgUp",)
            ),
            Entry("go-to", play, self.tr("Go to a time or frame…"), ("Ctrl+G",)),
            Entry("slower", play, self.tr("Slower"), ("[",)),
            Entry("faster", play, self.tr("Faster"), ("]",)),
            Entry("normal-speed", play, self.tr("Normal speed"), ("Backspace",)),
            Entry("mark-in", play, self.tr("Mark in"), ("Shift+I",), "mark-in"),
            Entry("mark-out", play, self.tr("Mark out"), ("Shift+O",), "mark-out"),
            Entry("clear-marks", play, self.tr("Clear marks"), ("Shift+X",)),
            Entry("marker", play, self.tr("Marker here; again: its name"), ("M",)),
            Entry("next-marker", play, self.tr("Next marker"), ("Ctrl+Right",)),
            Entry("previous-marker", play, self.tr("Previous marker"), ("Ctrl+Left",)),
            Entry("record", play, self.tr("Record"), ("Ctrl+R",), "record", checkable=True, on_icon="stop"),
            Entry("virtual-camera", play, self.tr("Virtual camera"), ("Ctrl+Shift+V",), "camera", checkable=True),
            Entry("loop", play, self.tr("Loop between the marks"), ("R",), "loop", checkable=True),
            Entry("louder", play, self.tr("Louder"), ("Up",)),
            Entry("quieter", play, self.tr("Quieter"), ("Down",)),
            Entry("mute", play, self.tr("Mute"), ("Ctrl+M",), "sound", checkable=True, on_icon="mute"),
            Entry("sound-later", play, self.tr("Audio later"), ("Ctrl++", "Ctrl+=")),
            Entry("sound-earlier", play, self.tr("Audio earlier"), ("Ctrl+-",)),
            Entry("subtitles-later", play, self.tr("Subtitles later"), ("H",)),
            Entry("subtitles-earlier", play, self.tr("Subtitles earlier"), ("G",)),
            Entry("no-delays", play, self.tr("No delay")),
            Entry("undo", look, self.tr("Undo"), ("Ctrl+Z",)),
            Entry("redo", look, self.tr("Redo"), ("Ctrl+Y", "Ctrl+Shift+Z")),
            Entry("split", look, self.tr("Compare with the source"), ("D",), "split", checkable=True),
            Entry("side-by-side", look, self.tr("Side by side"), ("Shift+D",), checkable=True),
            Entry("compare-looks", look, self.tr("Compare looks"), ("Ctrl+D",), checkable=True),
            Entry("reveal", look, self.tr("Watch it being painted"), ("T",), "brush", checkable=True),
            Entry("hold-source", look, self.tr("Source, while held"), ("B",)),
            Entry("hold-mask", look, self.tr("Mask, while held"), ("V",)),
            Entry("mask-brush", look, self.tr("Correct the mask with a brush"), ("Shift+V",), "brush", checkable=True),
            Entry("mask-remove", look, self.tr("The mask's brush removes"), ("X",), "erase", checkable=True),
            Entry("mask-larger", look, self.tr("Larger brush for the mask"), ("Shift+Up",)),
            Entry("mask-smaller", look, self.tr("Smaller brush for the mask"), ("Shift+Down",)),
            Entry("mask-clear", look, self.tr("Remove all corrections of the mask")),
            Entry("map-sizes", look, self.tr("Map of the brush's sizes…"), checkable=True),
            Entry("map-directions", look, self.tr("Map of the brush's directions…"), checkable=True),
            Entry("few-strokes", look, self.tr("Fewer strokes, for slow devices"), checkable=True),
            Entry("keep-colours", look, self.tr("The film's colours, pixel by pixel"), ("C",), checkable=True),
            Entry("palette", look, self.tr("Colours from a picture…")),
            Entry("fit-colours", look, self.tr("Fit the colours to this frame")),
            Entry("open-table", look, self.tr("Colour table (.cube)…")),
            Entry("save-colours", look, self.tr("Save colours as .cube…")),
            Entry("shot-styles", look, self.tr("A style for each shot"), ("Ctrl+K",), checkable=True),
            Entry("style-everywhere", look, self.tr("This style for all shots"), ("Ctrl+Shift+K",)),
            Entry("no-style", look, self.tr("No style"), ("0",)),
            Entry("new-style", look, self.tr("Train a style from a picture…"), ("Ctrl+N",), "brush"),
            Entry("open-style", look, self.tr("Open a style or picture…"), ("Ctrl+Shift+O",), "add"),
            Entry("paint-frame", look, self.tr("Paint this frame…"), ("Ctrl+P",), "paint-frame"),
            Entry(
                "paint-another",
                look,
                self.tr("Paint another frame, where it helps most…"),
                ("Ctrl+Shift+P",),
                "add",
            ),
            Entry("learn", look, self.tr("Learn the style of the painted frames, or stop"), ("Ctrl+L",)),
            Entry("find-setting", look, self.tr("Find a setting"), ("/", "Ctrl+F")),
            Entry("reset-look", look, self.tr("Reset the look"), ("Ctrl+0",), "reset"),
            Entry("statistics", view, self.tr("Statistics"), ("I",), checkable=True),
            Entry("scopes", view, self.tr("Waveform and vectorscope"), ("W",), checkable=True),
            Entry("paint-ahead", view, self.tr("Paint ahead"), checkable=True),
            Entry("clear-renders", view, self.tr("Clear frames painted ahead")),
            Entry("zoom-actual", view, self.tr("100% or whole picture"), ("Z",)),
            Entry("zoom-in", view, self.tr("Zoom in"), ("+", "=")),
            Entry("zoom-out", view, self.tr("Zoom out"), ("-",)),
            Entry("loupe", view, self.tr("Loupe"), ("Shift+Z",), checkable=True),
            Entry("pixels", view, self.tr("Enlarge without smoothing"), ("N",), checkable=True),
            Entry("timeline-in", view, self.tr("Enlarge the timeline"), ("Ctrl+Up",)),
            Entry("timeline-out", view, self.tr("Reduce the timeline"), ("Ctrl+Down",)),
            Entry("timeline-whole", view, self.tr("The whole film in the timeline"), ("Ctrl+Home",)),
            Entry("full-screen", view, self.tr("Full screen"), ("F", "F11"), "full-screen", checkable=True),
            Entry("panel", view, self.tr("Side panel"), ("P",), "panel", checkable=True),
            Entry("ten-bits", view, self.tr("10-bit display"), checkable=True),
            Entry("tour", help_, self.tr("Tour of the window")),
            Entry("about", help_, self.tr("About Framebrush")),
            Entry("help", help_, self.tr("Keys"), ("F1", "?")),
        ]
