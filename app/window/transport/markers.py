"""Named markers of the open film."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from PySide6.QtCore import QObject

from framebrush.jobs.project import MOST_MARKERS, Marker
from framebrush.media.video import Position
from framebrush.window.state.actions import Actions
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.session import Session
from framebrush.window.transport.marker_strip import MarkerStrip


class Markers(QObject):
    """Edits the current markers, and shows them in their lane."""

    def __init__(self, session: Session, actions: Actions, strip: MarkerStrip) -> None:
        super().__init__(session)
        self._session, self._strip = session, strip
        session.changed.connect(self._follow)
        actions["marker"].triggered.connect(lambda: session.seeks.when_there(self._mark, "marker"))
        actions["next-marker"].triggered.connect(lambda: self._go(later=True))
        actions["previous-marker"].triggered.connect(lambda: self._go(later=False))
        strip.named.connect(self.name)
        strip.moved.connect(self.move)
        strip.removed.connect(self.remove)

    @property
    def _here(self) -> dict[int, Marker]:
        return {each.number: each for each in self._session.choice.markers}

    def _use(self, markers: dict[int, Marker]) -> None:
        found = tuple(markers[number] for number in sorted(markers))[:MOST_MARKERS]
        self._session.choose(replace(self._session.choice, markers=found))

    def _mark(self) -> None:
        number, markers = self._session.shown_at.number, self._here
        if not self._session.choice.film:
            return
        if number in markers:
            self._strip.ask_name(number)
            return
        names = {each.name for each in markers.values()}
        numbered = (self.tr("Marker {number}").format(number=index) for index in count(1))
        self._use({**markers, number: Marker(number, next(name for name in numbered if name not in names))})

    def name(self, number: int, name: str) -> None:
        """Rename a frame's marker; an empty name leaves it."""
        markers = self._here
        if name and number in markers:
            self._use({**markers, number: Marker(number, name)})

    def move(self, number: int, to: int) -> None:
        """Move a frame's marker to another frame, replacing others."""
        markers = self._here
        moved = markers.pop(number)
        self._use({**markers, to: replace(moved, number=to)})

    def remove(self, number: int) -> None:
        """Remove the marker at a frame."""
        self._use({at: each for at, each in self._here.items() if at != number})

    def _go(self, *, later: bool) -> None:
        here = self._session.shown_at.number
        beside = [number for number in self._here if (number > here if later else number < here)]
        if beside:
            number = min(beside) if later else max(beside)
            self._session.player.seek(Position.of_frame(number))

    def _follow(self, before: Choice, now: Choice) -> None:
        if now.markers != before.markers:
            self._strip.show_markers(now.markers)
