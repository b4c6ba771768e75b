"""What the parts of a window share: settings and player, what is open, and what it is painted in."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from framebrush.jobs.spec import ColourSpec
from framebrush.models.style import Precision
from framebrush.playback import events
from framebrush.playback.player import Player
from framebrush.styles.names import PLAIN
from framebrush.window.settings import Settings
from framebrush.window.styles.catalog import parts_of


class Session(QObject):
    """The facts are what the player last reported; the window writes them down, and its parts read them."""

    notified = Signal(object)  # a Notification, for the message bar

    def __init__(self, player: Player, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self.player, self.settings = player, settings
        self.opened: events.Opened | None = None
        self.shown_at = events.Mark(0, 0.0)
        self.marks = events.Marked(None, None)
        self.style_in_use: events.StyleInUse | None = None
        self.style_asked = ""  # until it is in use
        self.mix: tuple[float, ...] = ()
        self.precision: Precision = "auto"  # in which frames are painted now

    @property
    def style_name(self) -> str:
        """The style and weights in use, as the command line takes them."""
        return self.style_in_use.full_name(self.mix) if self.style_in_use else PLAIN

    def use_style(self, name: str, colours: ColourSpec | None = None) -> None:
        """Paint in a style of this name, which may hold weights. colours: with it; those in use without."""
        self.style_asked = name
        self.player.use_style(name, colours)

    def paints_with(self, path: Path) -> bool:
        """Whether the style in use is this file, or a blend with it."""
        return self.style_in_use is not None and str(path) in parts_of(self.style_in_use.name)
