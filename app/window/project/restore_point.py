"""Film and position to open after a crash."""

from __future__ import annotations

import json
from dataclasses import dataclass

from PySide6.QtCore import QObject

from framebrush.base import supervision
from framebrush.base.json_values import from_values, to_values
from framebrush.media.video import Position
from framebrush.playback.events import Notification, Shown
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.film_keyframes import FilmKeyframes
from framebrush.window.state.session import Session
from framebrush.window.widgets.debounce import Debounce

TELL_MS = 500
"""Minimum interval between reports of a position: during playback, this much may be played again."""


@dataclass(frozen=True, slots=True)
class RestorePoint:
    """Position in a film. number: of the current frame; 0 without seekable frames."""

    source: str
    number: int
    choice: Choice
    project: str = ""

    def restore(self, session: Session, keys: FilmKeyframes) -> None:
        """Restore the film's frame, points and keyframes."""
        player, opened = session.player, session.opened
        if opened is not None and opened.info.source != self.source:
            return  # its film has gone, and the user opened another one
        keys.bring(self.choice.film, self.choice.keys, self.choice.markers)
        if self.number:
            player.seek(Position.of_frame(self.number))
        player.use_marks(self.choice.range)


def former_restore_point() -> RestorePoint | None:
    """Return a crashed window's restore point, if any."""
    former = supervision.followed
    return None if former is None else from_values(RestorePoint, json.loads(former.place), "place")


class RestorePointReporter(QObject):
    """Reports the restore point regularly."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._told = ""
        self._rest = Debounce(TELL_MS, self._tell, self)
        self._ends = False
        session.changed.connect(self._follow)
        session.film_changed.connect(self._follow)
        session.events.on(Shown, self._follow)

    def close(self, *, wait: bool = False) -> None:
        self._ends = True
        self._tell()

    def tell_former(self) -> None:
        """Tell the user that this window follows a crash."""
        former = supervision.followed
        if former is not None:
            text = self.tr(
                "The window ended unexpectedly, as a graphics driver or a lack of memory can cause. It is open again "
                "where it was, and paints on the CPU; another device can be chosen under Device."
            )
            details = f"The process of the window {former.death}."
            self._session.notified.emit(Notification(text, details, "problem"))

    def _follow(self, *_: object) -> None:
        if not self._rest.isActive():
            self._rest.start()

    def _tell(self) -> None:
        session, opened = self._session, self._session.opened
        text = ""
        if opened is not None and not self._ends:
            number = session.shown_at.number if opened.can_seek else 0
            text = json.dumps(
                to_values(RestorePoint(opened.info.source, number, session.choice, str(session.project or "")))
            )
        if text != self._told:
            self._told = text
            supervision.tell(text)
