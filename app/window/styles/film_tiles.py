"""Requests gallery tiles of the open film while its picture is still."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QImage

from framebrush.analysis.cuts import is_blank, thumbnail
from framebrush.base.worker_thread import JOIN_S
from framebrush.gpu.stages.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.media.video import VideoFrame, VideoInfo
from framebrush.playback import events
from framebrush.styles.specs import StyleSpec
from framebrush.window.state.choice import NO_STYLE
from framebrush.window.state.session import Session
from framebrush.window.styles.gallery import Gallery
from framebrush.window.styles.tile_painter import Painting, TilePainter
from framebrush.window.widgets.debounce import Debounce

REST_MS = 500
"""How long the picture must be still before tiles are painted, so that playing and seeking have the CPU to
themselves."""

_LOOK_OF_TILES = [field.name for field in fields(Look) if field.name not in ("split", "steady")]
"""Values of a look that tiles show: a single frame cannot be steadied."""


class FilmTiles(QObject):
    """Requests tiles once changes pause; tiles of the same picture are kept."""

    painted = Signal(str, QImage)  # the frame on the screen, in a style
    _came = Signal(object, object, QImage)

    def __init__(self, session: Session, gallery: Gallery, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._gallery = session, gallery
        self._playing = False
        self._shown: tuple[object, ...] = ()  # what tiles were last requested for
        self._there: set[str] = set()  # the styles whose tiles are painted
        self._rest = Debounce(REST_MS, self._ask, self)
        self._came.connect(self._take)
        self._painter = TilePainter(self._came.emit)
        gallery.filled.connect(self._refill)
        gallery.tiles.installEventFilter(self)
        session.changed.connect(self.touch)
        session.loaded.connect(self.touch)
        session.film_changed.connect(self._open)
        session.events.on(events.Shown, lambda _: self.touch())
        session.events.on(events.Playing, self._follow_playing)
        session.events.on(
            events.DeviceInUse, lambda used: self._painter.use_device(used.info)
        )  # where the film is painted

    def touch(self) -> None:
        """Request tiles again after a change of picture or settings."""
        if self._playing or self._session.opened is None:
            return
        if self._wanted != self._shown:
            self._painter.request(None)
        self._rest.start()

    def _follow_playing(self, playing: events.Playing) -> None:
        self._playing = playing.on
        if playing.on:
            self._rest.stop()
            self._painter.request(None)
        else:
            self.touch()

    def _open(self) -> None:
        self._rest.stop()
        self._painter.request(None)
        self._gallery.forget_film()
        self._shown = ()
        self.touch()

    def renew(self, style: str) -> None:
        """Paint a style's tile again after it has learnt more."""
        self._there.discard(style)
        self._rest.start()

    def picture(self, style: str) -> QImage | None:
        """Return the screen's frame in a style if already painted: upright, square pixels."""
        name = self._gallery.tile_of(style)
        return self._gallery.of_film(name) if name in self._there and self._shown == self._wanted else None

    def close(self, *, wait: bool = False) -> None:
        """Stop when the window closes. wait: for the tile in work."""
        self._rest.stop()
        self._painter.close()
        if wait:
            self._painter.join(JOIN_S)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Request tiles that scroll into view."""
        if event.type() == QEvent.Type.Show:
            self.touch()
        return super().eventFilter(watched, event)

    def _recipe(self) -> Recipe:
        seen = self._session.at_current_frame.recipe
        return replace(seen, style=NO_STYLE.style, look=seen.look.undivided, keys=())

    @property
    def _wanted(self) -> tuple[object, ...]:
        return _values_of_tiles(self._session.shown_at.number, self._recipe())

    def _refill(self) -> None:
        self._there.intersection_update(self._gallery.names)
        self._painter.forget()
        self.touch()

    def _ask(self) -> None:
        if not self._gallery.tiles.isVisible():
            return
        if self._shown != self._wanted:
            self._shown = self._wanted
            self._there.clear()
        names = tuple(name for name in self._gallery.names_in_sight_first if name not in self._there)
        if names:
            self._session.player.lend(partial(self._paint, names, self._recipe()))

    def _paint(self, names: tuple[str, ...], recipe: Recipe, frame: VideoFrame, info: VideoInfo) -> None:
        """Paint tiles in the player's thread, but not of a single colour, as films begin with."""
        if not is_blank(thumbnail(frame.frame)):
            wanted = tuple(replace(recipe, style=StyleSpec(name)) for name in names)
            self._painter.request(Painting(frame, info, wanted, recipe.sizes))

    def _take(self, painting: Painting, wanted: Recipe, tile: QImage) -> None:
        opened = self._session.opened
        if opened is None or opened.info is not painting.info or tile.isNull():
            return  # the film was closed, or the style cannot be used
        self._gallery.show_of_film(wanted.style.name, tile)
        if self._shown == _values_of_tiles(painting.frame.number, wanted):
            self._there.add(wanted.style.name)
            self.painted.emit(wanted.style.name, tile)


def _values_of_tiles(number: int, recipe: Recipe) -> tuple[object, ...]:
    """Return a frame's number and the recipe's values that tiles show, without style."""
    look = tuple(getattr(recipe.look, name) for name in _LOOK_OF_TILES)
    return number, replace(recipe, style=NO_STYLE.style, look=NO_STYLE.look), look
