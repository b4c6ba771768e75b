"""Calls that wait for a seek."""

from __future__ import annotations

from collections.abc import Callable

from framebrush.playback.events import Moved
from framebrush.playback.player import Player
from framebrush.window.state.player_events import PlayerEvents


class Seeks:
    """Queue of calls for the frame of the latest seek."""

    def __init__(self, player: Player, events: PlayerEvents) -> None:
        self._player = player
        self._arrived = 0  # the latest seek to have ended
        self._waiting: dict[object, Callable[[], None]] = {}
        events.on(Moved, self._arrive)

    def when_there(self, call: Callable[[], None], instead_of: object = None) -> None:
        """Call a function now, or after a pending seek.

        Args:
            instead_of: kind of waiting call to replace.
        """
        if self._arrived == self._player.last_move:
            call()
        else:
            kind = call if instead_of is None else instead_of
            self._waiting.pop(kind, None)
            self._waiting[kind] = call

    def cancel(self) -> None:
        """Drop waiting calls."""
        self._waiting.clear()

    def _arrive(self, moved: Moved) -> None:
        self._arrived = moved.number
        if self._arrived == self._player.last_move:
            waiting, self._waiting = self._waiting, {}
            for call in waiting.values():
                call()
