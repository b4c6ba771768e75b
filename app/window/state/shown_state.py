"""State of the frame on the screen."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from framebrush.models.style import Precision
from framebrush.playback import events
from framebrush.playback.player import Player
from framebrush.window.state.player_events import PlayerEvents


class ShownState(QObject):
    """Sizes, precision and look of the frame on the screen."""

    changed = Signal()  # another frame, or the same in another state, or the player was asked for another one

    def __init__(self, player: Player, of_player: PlayerEvents, parent: QObject) -> None:
        super().__init__(parent)
        self._player = player
        self.sizes: events.SizesInUse | None = None
        self.precision: Precision = "auto"
        self.is_export = False  # whether an export would have exactly this frame
        self._has = 0  # the latest request for a look, keyframes or sizes that the frame has
        self._next_has = 0  # the same of the next frame
        of_player.on(events.LookAnswered, self._take_look)
        of_player.on(events.SizesInUse, self._take_sizes)
        of_player.on(events.Shown, self._take_shown)
        of_player.on(events.Playing, self._take_playing)

    @property
    def is_up_to_date(self) -> bool:
        """Whether the frame has the requested look, keyframes and sizes."""
        return self._has == self._player.last_look

    def _take_look(self, answer: events.LookAnswered) -> None:
        self._next_has = answer.number
        if not answer.playing:
            self._have(answer.number)

    def _take_shown(self, shown: events.Shown) -> None:
        self.is_export = shown.exported
        self._have(self._next_has)

    def _take_playing(self, playing: events.Playing) -> None:
        if not playing.on:
            self._have(self._next_has)

    def _take_sizes(self, sizes: events.SizesInUse) -> None:
        self.sizes, self.precision = sizes, sizes.precision
        self.changed.emit()

    def _have(self, request: int) -> None:
        self._has = request
        self.changed.emit()
