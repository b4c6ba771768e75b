"""Playlist of videos opened together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject

from framebrush.media.video_files import is_video_name
from framebrush.playback.events import Opened, PlayedOut, Refused
from framebrush.window.picture.notes import Notes
from framebrush.window.state.menus import Menus
from framebrush.window.state.session import Session
from framebrush.window.transport.neighbours import in_order


def films_of(paths: Sequence[Path]) -> list[Path]:
    """Return the videos in natural order, or else the first file."""
    films = sorted((path for path in paths if is_video_name(path)), key=lambda path: (path.parent, in_order(path)))
    return films or list(paths[:1])


class Playlist(QObject):
    """Opens the next video at the end of each. Opening another video ends it."""

    def __init__(self, menus: Menus, session: Session, notes: Notes) -> None:
        super().__init__(menus)
        self._menus, self._session, self._player, self._notes = menus, session, session.player, notes
        self.paths: list[Path] = []
        self.index, self._by = 0, 1
        menus.film_chosen.connect(self.choose)
        session.film_changed.connect(self._open)
        session.events.on(Refused, self._skip)
        session.events.on(PlayedOut, lambda _: self.step(1))

    def begin(self, paths: Sequence[Path]) -> None:
        """Play these videos."""
        self.paths = list(paths)
        self.choose(0)

    def choose(self, index: int, by: int = 1) -> None:
        """Go to a video, or the next readable one in direction `by`."""
        if 0 <= index < len(self.paths):
            self.index, self._by = index, by
            self._player.open(self.paths[index])

    def step(self, by: int) -> bool:
        """Move on by some videos; return whether there is a playlist."""
        if len(self.paths) < 2:
            return False
        self.choose(self.index + by, by)
        return True

    def _open(self, opened: Opened | None) -> None:
        if opened is None:
            return
        info = opened.info
        if info.path not in self.paths:
            self.paths = []
        elif self.paths[self.index] != info.path:
            self.index = self.paths.index(info.path)
        self._menus.show_films(self.paths, self.index)
        if self.paths:
            self._notes.say(f"{self.index + 1} / {len(self.paths)}   {info.name}")

    def _skip(self, refused: Refused) -> None:
        if not self.paths or refused.source != str(self.paths[self.index]):
            return
        if 0 <= self.index + self._by < len(self.paths):
            self.step(self._by)
        else:
            self._open(self._session.opened)
