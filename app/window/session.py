"""The state that the parts of a window share: settings, player, the open video, and how it is painted."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from framebrush.jobs.spec import ColourSpec
from framebrush.models.style import Precision
from framebrush.playback import events
from framebrush.playback.player import Player
from framebrush.styles.names import PLAIN
from framebrush.window.settings import Settings


class Session(QObject):
    """The window stores here what the player last reported, and its parts read it."""

    notified = Signal(object)  # a Notification, for the message bar

    def __init__(self, player: Player, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self.player, self.settings = player, settings
        self.opened: events.Opened | None = None
        self.shown_at = events.Mark(0, 0.0)
        self.marks = events.Marked(None, None)
        self.style_in_use: events.StyleInUse | None = None
        self.style_asked = ""  # requested, until it is in use or refused
        self.mix: tuple[float, ...] = ()
        self.precision: Precision = "auto"  # the current one

    @property
    def style_name(self) -> str:
        """The current style and weights, as for the command line."""
        return self.style_in_use.full_name(self.mix) if self.style_in_use else PLAIN

    def use_style(self, name: str, colours: ColourSpec | None = None) -> None:
        """Paint in the style of this name, which may include weights. colours: for it; by default the current ones."""
        self.style_asked = name
        self.player.use_style(name, colours)

    @property
    def chosen_style(self) -> str:
        """The style that was asked for last, although another may still be in use; PLAIN if there is none."""
        return self.style_asked or (self.style_in_use.name if self.style_in_use else PLAIN)
