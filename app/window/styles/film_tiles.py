"""Gallery tiles of the current frame."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from framebrush.analysis.cuts import is_blank, thumbnail
from framebrush.base.worker_thread import JOIN_S
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.media.video import VideoFrame, VideoInfo
from framebrush.playback import events
from framebrush.styles.specs import StyleSpec
from framebrush.window.state.current_settings import NO_STYLE
from framebrush.window.state.session import Session
from framebrush.window.styles.gallery import Gallery
from framebrush.window.styles.tile_painter import Painting, TilePainter
from framebrush.window.widgets.debounce import Debounce

REST_MS = 500
"""How long the picture must be still before tiles are painted, so that playing and seeking have the CPU to
themselves."""

_LOOK_OF_TILES = [field.name for field in fields(Look) if field.name not in ("split", "steady")]
"""Values of a look that tiles show: a single frame cannot be steadied."""


class StillTiles(QObject):
    """Requests pictures of a still frame while a widget is in view."""

    _came = Signal(object, object, QImage)

    def __init__(self, session: Session, seen: QWidget, paint: type[TilePainter], parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._seen = session, seen
        self._playing = False
        self._shown: tuple[object, ...] = ()  # frame and look of the last request
        self._rest = Debounce(REST_MS, self._ask, self)
        self._came.connect(self._take)
        self._painter = paint(self._came.emit)
        seen.installEventFilter(self)
        session.changed.connect(self.touch)
        session.loaded.connect(self.touch)
        session.film_changed.connect(self._open)
        session.events.on(events.Shown, lambda _: self.touch())
        session.events.on(events.Playing, self._follow_playing)

    def touch(self) -> None:
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
        self._forget()
        self._shown = ()
        self.touch()

    def close(self, *, wait: bool = False) -> None:
        """End. wait: for the picture in work."""
        self._rest.stop()
        self._painter.close()
        if wait:
            self._painter.join(JOIN_S)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Show:
            self.touch()
        return super().eventFilter(watched, event)

    def _ask(self) -> None:
        if not self._seen.isVisible():
            return
        if self._shown != self._wanted:
            self._shown = self._wanted
            self._begin()
        wanted = self._missing()
        if wanted:
            self._lend(partial(self._paint, wanted))

    def _paint(self, wanted: tuple[Recipe, ...], frame: VideoFrame, info: VideoInfo) -> None:
        if not is_blank(thumbnail(frame.frame)):  # of a single colour, as films begin with
            self._painter.request(Painting(frame, info, wanted, wanted[0].sizes))

    def _lend(self, take: Callable[[VideoFrame, VideoInfo], None]) -> None:
        self._session.player.lend(take)

    def _is_open(self, painting: Painting) -> bool:
        opened = self._session.opened
        return opened is not None and opened.info is painting.info

    @property
    @abstractmethod
    def _wanted(self) -> tuple[object, ...]:
        """Everything in the pictures."""

    @abstractmethod
    def _missing(self) -> tuple[Recipe, ...]:
        """Pictures to paint."""

    @abstractmethod
    def _begin(self) -> None:
        """Follow `_shown`."""

    @abstractmethod
    def _forget(self) -> None: ...

    @abstractmethod
    def _take(self, painting: Painting, wanted: Recipe, tile: QImage) -> None:
        """Show a picture, possibly null."""


class FilmTiles(StillTiles):
    """Requests the frame in each style once changes pause."""

    painted = Signal(str, QImage)  # the frame on the screen, in a style

    def __init__(self, session: Session, gallery: Gallery, parent: QObject) -> None:
        self._gallery = gallery
        self._there: set[str] = set()  # the styles whose tiles are painted
        super().__init__(session, gallery.tiles, TilePainter, parent)
        gallery.filled.connect(self._refill)
        # where the film is painted
        session.events.on(events.DeviceInUse, lambda used: self._painter.use_device(used.info))

    def _forget(self) -> None:
        self._gallery.forget_film()

    def renew(self, style: str) -> None:
        """Repaint a style's tile after it has learnt."""
        self._there.discard(style)
        self._rest.start()

    def picture(self, style: str) -> QImage | None:
        """Return the current frame in a style, if already painted."""
        name = self._gallery.tile_of(style)
        return self._gallery.of_film(name) if name in self._there and self._shown == self._wanted else None

    def _recipe(self) -> Recipe:
        seen = self._session.at_current_frame.recipe
        return replace(seen, style=NO_STYLE.style, look=seen.look.undivided, keys=())

    @property
    def _wanted(self) -> tuple[object, ...]:
        return values_of_tiles(self._session.shown_at.number, self._recipe())

    def _refill(self) -> None:
        self._there.intersection_update(self._gallery.names)
        self._painter.forget()
        self.touch()

    def _begin(self) -> None:
        self._there.clear()

    def _missing(self) -> tuple[Recipe, ...]:
        names = [name for name in self._gallery.names_in_sight_first if name not in self._there]
        return tuple(replace(self._recipe(), style=StyleSpec(name)) for name in names)

    def _take(self, painting: Painting, wanted: Recipe, tile: QImage) -> None:
        if not self._is_open(painting) or tile.isNull():
            return  # the film was closed, or the style cannot be used
        self._gallery.show_of_film(wanted.style.name, tile)
        if self._shown == values_of_tiles(painting.frame.number, wanted):
            self._there.add(wanted.style.name)
            self.painted.emit(wanted.style.name, tile)


def values_of_tiles(number: int, recipe: Recipe) -> tuple[object, ...]:
    """Return a tile's key."""
    look = tuple(getattr(recipe.look, name) for name in _LOOK_OF_TILES)
    return number, replace(recipe, style=NO_STYLE.style, look=NO_STYLE.look), look
