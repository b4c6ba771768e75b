"""Actions for menus, buttons and the help sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMainWindow

from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.jobs.recipe import PARTS
from framebrush.playback.events import Opened
from framebrush.window.widgets import icons
from framebrush.window.widgets.theme import Colours


@dataclass(frozen=True, slots=True)
class Entry:
    """Description of an action. keys: in QKeySequence's syntax; the first is displayed."""

    name: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False
    on_icon: str = ""


ENTRIES: dict[str, tuple[Entry, ...]] = {
    QT_TRANSLATE_NOOP("Actions", "File"): (
        Entry("open", QT_TRANSLATE_NOOP("Actions", "Open video…"), ("Ctrl+O",), "open"),
        Entry("paste-path", QT_TRANSLATE_NOOP("Actions", "Open what was copied"), ("Ctrl+V",)),
        Entry("open-camera", QT_TRANSLATE_NOOP("Actions", "Open camera…"), ("Ctrl+Shift+C",), "camera"),
        Entry("save-project", QT_TRANSLATE_NOOP("Actions", "Save project as…"), ("Ctrl+S",)),
        Entry("export", QT_TRANSLATE_NOOP("Actions", "Export…"), ("Ctrl+E",), "export"),
        Entry("export-files", QT_TRANSLATE_NOOP("Actions", "Export several videos…"), ("Ctrl+Shift+E",)),
        Entry("export-list", QT_TRANSLATE_NOOP("Actions", "Export the playlist")),
        Entry("export-reveal", QT_TRANSLATE_NOOP("Actions", "Export this frame's time-lapse…"), ("Ctrl+T",)),
        Entry("screenshot", QT_TRANSLATE_NOOP("Actions", "Screenshot"), ("S",), "camera"),
        Entry("copy-frame", QT_TRANSLATE_NOOP("Actions", "Copy the frame"), ("Ctrl+C",)),
        Entry("next-file", QT_TRANSLATE_NOOP("Actions", "Next video in the playlist or folder"), ("PgDown",)),
        Entry("previous-file", QT_TRANSLATE_NOOP("Actions", "Previous video in the playlist or folder"), ("PgUp",)),
        Entry("close", QT_TRANSLATE_NOOP("Actions", "Close video"), ("Ctrl+W",)),
        Entry("quit", QT_TRANSLATE_NOOP("Actions", "Quit"), ("Ctrl+Q",)),
    ),
    QT_TRANSLATE_NOOP("Actions", "Playback"): (
        Entry(
            "play", QT_TRANSLATE_NOOP("Actions", "Play or pause"), ("Space",), "play", checkable=True, on_icon="pause"
        ),
        Entry("play-slower", QT_TRANSLATE_NOOP("Actions", "Half speed; while paused, one frame back"), ("J",)),
        Entry("pause", QT_TRANSLATE_NOOP("Actions", "Pause"), ("K",)),
        Entry("play-faster", QT_TRANSLATE_NOOP("Actions", "Play; again: double speed"), ("L",)),
        Entry("step-forward", QT_TRANSLATE_NOOP("Actions", "One frame forward"), (".",), "step-forward"),
        Entry("step-back", QT_TRANSLATE_NOOP("Actions", "One frame back"), (",",), "step-back"),
        Entry("forward", QT_TRANSLATE_NOOP("Actions", "5 seconds forward"), ("Right",)),
        Entry("back", QT_TRANSLATE_NOOP("Actions", "5 seconds back"), ("Left",)),
        Entry("forward-fine", QT_TRANSLATE_NOOP("Actions", "1 second forward"), ("Shift+Right",)),
        Entry("back-fine", QT_TRANSLATE_NOOP("Actions", "1 second back"), ("Shift+Left",)),
        Entry("first", QT_TRANSLATE_NOOP("Actions", "First frame"), ("Home",)),
        Entry("last", QT_TRANSLATE_NOOP("Actions", "Last frame"), ("End",)),
        Entry("next-chapter", QT_TRANSLATE_NOOP("Actions", "Next chapter"), ("Shift+PgDown",)),
        Entry(
            "previous-chapter",
            QT_TRANSLATE_NOOP("Actions", "This chapter's beginning, or the chapter before"),
            ("Shift+PgUp",),
        ),
        Entry("go-to", QT_TRANSLATE_NOOP("Actions", "Go to a time or frame…"), ("Ctrl+G",)),
        Entry("slower", QT_TRANSLATE_NOOP("Actions", "Slower"), ("[",)),
        Entry("faster", QT_TRANSLATE_NOOP("Actions", "Faster"), ("]",)),
        Entry("normal-speed", QT_TRANSLATE_NOOP("Actions", "Normal speed"), ("Backspace",)),
        Entry("mark-in", QT_TRANSLATE_NOOP("Actions", "Mark in"), ("Shift+I",), "mark-in"),
        Entry("mark-out", QT_TRANSLATE_NOOP("Actions", "Mark out"), ("Shift+O",), "mark-out"),
        Entry("clear-marks", QT_TRANSLATE_NOOP("Actions", "Clear marks"), ("Shift+X",)),
        Entry("marker", QT_TRANSLATE_NOOP("Actions", "Marker here; again: its name"), ("M",)),
        Entry("next-marker", QT_TRANSLATE_NOOP("Actions", "Next marker"), ("Ctrl+Right",)),
        Entry("previous-marker", QT_TRANSLATE_NOOP("Actions", "Previous marker"), ("Ctrl+Left",)),
        Entry("record", QT_TRANSLATE_NOOP("Actions", "Record"), ("Ctrl+R",), "record", checkable=True, on_icon="stop"),
        Entry(
            "virtual-camera",
            QT_TRANSLATE_NOOP("Actions", "Virtual camera"),
            ("Ctrl+Shift+V",),
            "camera",
            checkable=True,
        ),
        Entry("loop", QT_TRANSLATE_NOOP("Actions", "Loop between the marks"), ("R",), "loop", checkable=True),
        Entry("louder", QT_TRANSLATE_NOOP("Actions", "Louder"), ("Up",)),
        Entry("quieter", QT_TRANSLATE_NOOP("Actions", "Quieter"), ("Down",)),
        Entry("mute", QT_TRANSLATE_NOOP("Actions", "Mute"), ("Ctrl+M",), "sound", checkable=True, on_icon="mute"),
        Entry("sound-later", QT_TRANSLATE_NOOP("Actions", "Audio later"), ("Ctrl++", "Ctrl+=")),
        Entry("sound-earlier", QT_TRANSLATE_NOOP("Actions", "Audio earlier"), ("Ctrl+-",)),
        Entry("subtitles-later", QT_TRANSLATE_NOOP("Actions", "Subtitles later"), ("H",)),
        Entry("subtitles-earlier", QT_TRANSLATE_NOOP("Actions", "Subtitles earlier"), ("G",)),
        Entry("no-delays", QT_TRANSLATE_NOOP("Actions", "No delay")),
    ),
    QT_TRANSLATE_NOOP("Actions", "Picture"): (
        Entry("undo", QT_TRANSLATE_NOOP("Actions", "Undo"), ("Ctrl+Z",)),
        Entry("redo", QT_TRANSLATE_NOOP("Actions", "Redo"), ("Ctrl+Y", "Ctrl+Shift+Z")),
        Entry("split", QT_TRANSLATE_NOOP("Actions", "Compare with the source"), ("D",), "split", checkable=True),
        Entry("side-by-side", QT_TRANSLATE_NOOP("Actions", "Side by side"), ("Shift+D",), checkable=True),
        Entry("compare-looks", QT_TRANSLATE_NOOP("Actions", "Compare looks"), ("Ctrl+D",), checkable=True),
        Entry("reveal", QT_TRANSLATE_NOOP("Actions", "Watch it being painted"), ("T",), "brush", checkable=True),
        Entry("hold-source", QT_TRANSLATE_NOOP("Actions", "Source, while held"), ("B",)),
        Entry("hold-mask", QT_TRANSLATE_NOOP("Actions", "Mask, while held"), ("V",)),
        Entry(
            "mask-brush",
            QT_TRANSLATE_NOOP("Actions", "Correct the mask with a brush"),
            ("Shift+V",),
            "brush",
            checkable=True,
        ),
        Entry("mask-remove", QT_TRANSLATE_NOOP("Actions", "The mask's brush removes"), ("X",), "erase", checkable=True),
        Entry("mask-larger", QT_TRANSLATE_NOOP("Actions", "Larger brush for the mask"), ("Shift+Up",)),
        Entry("mask-smaller", QT_TRANSLATE_NOOP("Actions", "Smaller brush for the mask"), ("Shift+Down",)),
        Entry("mask-clear", QT_TRANSLATE_NOOP("Actions", "Remove all corrections of the mask")),
        Entry("map-sizes", QT_TRANSLATE_NOOP("Actions", "Map of the brush's sizes…"), checkable=True),
        Entry("map-directions", QT_TRANSLATE_NOOP("Actions", "Map of the brush's directions…"), checkable=True),
        Entry("few-strokes", QT_TRANSLATE_NOOP("Actions", "Fewer strokes, for slow devices"), checkable=True),
        Entry(
            "keep-colours", QT_TRANSLATE_NOOP("Actions", "The film's colours, pixel by pixel"), ("C",), checkable=True
        ),
        Entry("palette", QT_TRANSLATE_NOOP("Actions", "Colours from a picture…")),
        Entry("fit-colours", QT_TRANSLATE_NOOP("Actions", "Fit the colours to this frame")),
        Entry("open-table", QT_TRANSLATE_NOOP("Actions", "Colour table (.cube)…")),
        Entry("save-colours", QT_TRANSLATE_NOOP("Actions", "Save colours as .cube…")),
        Entry("shot-styles", QT_TRANSLATE_NOOP("Actions", "A style for each shot"), ("Ctrl+K",), checkable=True),
        Entry("style-everywhere", QT_TRANSLATE_NOOP("Actions", "This style for all shots"), ("Ctrl+Shift+K",)),
        Entry("no-style", QT_TRANSLATE_NOOP("Actions", "No style"), ("0",)),
        Entry("new-style", QT_TRANSLATE_NOOP("Actions", "Train a style from a picture…"), ("Ctrl+N",), "brush"),
        Entry("open-style", QT_TRANSLATE_NOOP("Actions", "Open a style or picture…"), ("Ctrl+Shift+O",), "add"),
        Entry("paint-frame", QT_TRANSLATE_NOOP("Actions", "Paint this frame…"), ("Ctrl+P",), "paint-frame"),
        Entry(
            "paint-another",
            QT_TRANSLATE_NOOP("Actions", "Paint another frame, where it helps most…"),
            ("Ctrl+Shift+P",),
            "add",
        ),
        Entry("learn", QT_TRANSLATE_NOOP("Actions", "Learn the style of the painted frames, or stop"), ("Ctrl+L",)),
        Entry("find-setting", QT_TRANSLATE_NOOP("Actions", "Find a setting"), ("/", "Ctrl+F")),
        Entry("reset-look", QT_TRANSLATE_NOOP("Actions", "Reset the look"), ("Ctrl+0",), "reset"),
    ),
    QT_TRANSLATE_NOOP("Actions", "View"): (
        Entry("statistics", QT_TRANSLATE_NOOP("Actions", "Statistics"), ("I",), checkable=True),
        Entry("scopes", QT_TRANSLATE_NOOP("Actions", "Waveform and vectorscope"), ("W",), checkable=True),
        Entry("paint-ahead", QT_TRANSLATE_NOOP("Actions", "Paint ahead"), checkable=True),
        Entry("clear-renders", QT_TRANSLATE_NOOP("Actions", "Clear frames painted ahead")),
        Entry("zoom-actual", QT_TRANSLATE_NOOP("Actions", "100% or whole picture"), ("Z",)),
        Entry("zoom-in", QT_TRANSLATE_NOOP("Actions", "Zoom in"), ("+", "=")),
        Entry("zoom-out", QT_TRANSLATE_NOOP("Actions", "Zoom out"), ("-",)),
        Entry("loupe", QT_TRANSLATE_NOOP("Actions", "Loupe"), ("Shift+Z",), checkable=True),
        Entry("pixels", QT_TRANSLATE_NOOP("Actions", "Enlarge without smoothing"), ("N",), checkable=True),
        Entry("timeline-in", QT_TRANSLATE_NOOP("Actions", "Enlarge the timeline"), ("Ctrl+Up",)),
        Entry("timeline-out", QT_TRANSLATE_NOOP("Actions", "Reduce the timeline"), ("Ctrl+Down",)),
        Entry("timeline-whole", QT_TRANSLATE_NOOP("Actions", "The whole film in the timeline"), ("Ctrl+Home",)),
        Entry("full-screen", QT_TRANSLATE_NOOP("Actions", "Full screen"), ("F", "F11"), "full-screen", checkable=True),
        Entry("panel", QT_TRANSLATE_NOOP("Actions", "Side panel"), ("P",), "panel", checkable=True),
        Entry("ten-bits", QT_TRANSLATE_NOOP("Actions", "10-bit display"), checkable=True),
    ),
    QT_TRANSLATE_NOOP("Actions", "Help"): (
        Entry("tour", QT_TRANSLATE_NOOP("Actions", "Tour of the window")),
        Entry("about", QT_TRANSLATE_NOOP("Actions", "About Framebrush")),
        Entry("help", QT_TRANSLATE_NOOP("Actions", "Keys"), ("F1", "?")),
    ),
}
"""Every action, by the title of its group on the help sheet."""


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


def key_text(key: str | QKeySequence) -> str:
    """Return a key in the desktop's notation."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


class Actions(QObject):
    """Actions of one window, by name."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.groups = {
            self.tr(title): [replace(entry, text=self.tr(entry.text)) for entry in entries]
            for title, entries in ENTRIES.items()
        }
        self.entries = [entry for entries in self.groups.values() for entry in entries]
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
            self[name].triggered.connect(lambda _, call=call: call())

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
