"""Preview of the style under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QObject

from framebrush.playback.events import Tried
from framebrush.window.picture.composing import Composed, whole
from framebrush.window.picture.view import VideoView
from framebrush.window.state.session import Session
from framebrush.window.styles.film_tiles import FilmTiles
from framebrush.window.styles.gallery import Gallery


class Trial(QObject):
    """Shows the enlarged tile until the player's picture comes.

    When the pointer leaves, the previous picture returns at once.
    """

    def __init__(self, session: Session, gallery: Gallery, tiles: FilmTiles, view: VideoView) -> None:
        super().__init__(view)
        self._session, self._tiles, self._view = session, tiles, view
        self._asked: str | None = None
        self._is_done = True
        self._before: Composed | None = None  # the picture before the trial
        self._number = -1  # the number of its frame
        gallery.tried.connect(self._try)
        gallery.chosen.connect(self._choose)
        session.events.on(Tried, self._take)

    def _take(self, done: Tried) -> None:
        if done.name == self._asked:
            self._is_done = True
            self._view.show_meanwhile(None)

    def _try(self, name: str | None) -> None:
        if self._asked is None and self._is_done:
            self._before, self._number = self._view.painted.composed, self._session.shown_at.number
        self._asked, self._is_done = name, False
        tile = self._tiles.picture(name) if name is not None else None
        self._view.show_meanwhile(self._former if name is None else whole(tile) if tile is not None else None)
        self._session.player.try_style(name)

    def _choose(self, _: str) -> None:
        self._before = None

    @property
    def _former(self) -> Composed | None:
        return self._before if self._number == self._session.shown_at.number else None
