"""When the gallery shows what its styles make of the film that is open: whenever the picture rests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QImage

from framebrush.gpu.stages.look import Look
from framebrush.jobs.saved_look import SavedLook
from framebrush.jobs.spec import ColourSpec, SizeSpec, StyleSpec
from framebrush.media.cuts import is_blank, thumbnail
from framebrush.media.video import VideoFrame, VideoInfo
from framebrush.window.session import Session
from framebrush.window.styles.gallery import Gallery
from framebrush.window.styles.tile_painter import Painting, TilePainter

REST_MS = 500
"""The picture stands so long before tiles are painted of it: who plays or seeks has the processor alone."""

JOIN_S = 5.0

Looks = tuple[Look, SizeSpec, ColourSpec]
"""What a film is painted with beside its style."""


class FilmTiles(QObject):
    """Asks for tiles when nothing has changed for a while; those that are there of the same picture stay."""

    _came = Signal(object, object, QImage)

    def __init__(self, session: Session, gallery: Gallery, looks: Callable[[], Looks], parent: QObject) -> None:
        """looks: those that are set now."""
        super().__init__(parent)
        self._session, self._gallery, self._looks_now = session, gallery, looks
        self._playing = False
        self._shown: tuple[object, ...] = ()  # what tiles were last asked for
        self._there: set[str] = set()  # of these, by the names of their styles
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._ask)
        self._came.connect(self._take)
        self._painter = TilePainter(self._came.emit)
        gallery.filled.connect(self._refill)
        gallery.tiles.installEventFilter(self)

    def touch(self) -> None:
        """The picture, or what it is painted with, may be another."""
        if self._playing or self._session.opened is None:
            return
        if self._wanted != self._shown:
            self._painter.ask(None)
        self._rest.start()

    def show_playing(self, on: bool) -> None:
        """The film plays, or pauses."""
        self._playing = on
        if on:
            self._rest.stop()
            self._painter.ask(None)
        else:
            self.touch()

    def show_opened(self) -> None:
        """Another film is open, or none."""
        self._rest.stop()
        self._painter.ask(None)
        self._gallery.forget_film()
        self._shown = ()
        self.touch()

    def picture(self, style: str) -> QImage | None:
        """What a style makes of the frame on the screen, where that is painted already: upright, in square pixels."""
        name = self._gallery.tile_of(style)
        return self._gallery.of_film(name) if name in self._there and self._shown == self._wanted else None

    def close(self, *, wait: bool = False) -> None:
        """The window closes. wait: until the tile is done that is being painted."""
        self._rest.stop()
        self._painter.close()
        if wait:
            self._painter.join(JOIN_S)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Tiles that come into sight may not be painted yet."""
        if event.type() == QEvent.Type.Show:
            self.touch()
        return super().eventFilter(watched, event)

    def _looks(self) -> Looks:
        """Those that are set now, without what is not seen in a tile."""
        look, sizes, colours = self._looks_now()
        return replace(look, split=None, mix=(), steady=0.0), sizes, colours

    @property
    def _wanted(self) -> tuple[object, ...]:
        return self._session.shown_at.number, *self._looks()

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
            self._session.player.lend(partial(self._paint, names, self._looks()))

    def _paint(self, names: tuple[str, ...], looks: Looks, frame: VideoFrame, info: VideoInfo) -> None:
        """In the player's thread. A frame of one colour tells nothing of a style: films begin black."""
        if not is_blank(thumbnail(frame.frame)):
            look, sizes, colours = looks
            wanted = tuple(SavedLook.of(StyleSpec(name), look, sizes, colours) for name in names)
            self._painter.ask(Painting(frame, info, wanted, sizes))

    def _take(self, painting: Painting, wanted: SavedLook, tile: QImage) -> None:
        opened = self._session.opened
        if opened is None or opened.info is not painting.info or tile.isNull():
            return  # of a film that is closed, or of a style that cannot be used
        self._gallery.show_of_film(wanted.style.name, tile)
        if self._shown == (painting.frame.number, wanted.look, painting.sizes, wanted.colours):
            self._there.add(wanted.style.name)
