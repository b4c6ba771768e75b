"""Subscriptions to the player's events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

from framebrush.playback.events import Event

E = TypeVar("E", bound=Event)


class PlayerEvents:
    """Subscribers by kind of event, in the window's thread."""

    def __init__(self) -> None:
        self._subscribers: defaultdict[type, list[Callable[[Any], object]]] = defaultdict(list)

    def on(self, kind: type[E], call: Callable[[E], object]) -> None:
        """Call a function with each event of a kind."""
        self._subscribers[kind].append(call)

    def dispatch(self, event: Event) -> None:
        """Pass an event on."""
        for call in self._subscribers[type(event)]:
            call(event)
