"""List of recent videos and projects."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from framebrush.playback.events import Opened
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.start.invitation import Invitation
from framebrush.window.start.recent_pictures import RecentPictures
from framebrush.window.state.menus import Menus
from framebrush.window.state.session import Session
from framebrush.window.styles.gallery import Gallery


class Recents(QObject):
    """Keeps and shows the list, with thumbnails."""

    def __init__(
        self, session: Session, menus: Menus, invitation: Invitation, gallery: Gallery, reading: ReadingProcess | None
    ) -> None:
        """reading: as for `RecentPictures`."""
        super().__init__(session)
        self._session, self._settings = session, session.settings
        self._menus, self._invitation, self._gallery = menus, invitation, gallery
        self._pictures = RecentPictures(session.settings.recent_folder, self, reading)
        menus.recent_cleared.connect(self.clear)
        session.events.on(Opened, self._remember)
        session.film_changed.connect(lambda opened: self.show() if opened is None else None)

    def clear(self) -> None:
        """Clear the list."""
        self._settings.clear_recent()
        self.show()

    def show(self) -> None:
        """Show the list in the menu and on the start page."""
        self._menus.show_recent(self._settings.recent)
        self._pictures.look(self._settings.recent, self._invitation.show_recent)

    def add_project(self) -> None:
        """Add the open project."""
        if self._session.project is not None:
            self._settings.add_recent(self._session.project)
            self._menus.show_recent(self._settings.recent)

    def keep_painted(self, style: str, painted: QImage) -> None:
        """Keep a frame in the chosen style as the film's thumbnail."""
        opened, chosen = self._session.opened, self._session.choice.style.name
        entry = self._session.project or (opened.info.path if opened is not None else None)
        is_chosen = style == self._gallery.tile_of(chosen) != PASSTHROUGH
        if entry is not None and is_chosen and entry.absolute() in self._settings.recent:
            self._pictures.keep(entry, painted)

    def close(self, *, wait: bool = False) -> None:
        self._pictures.close(wait=wait)

    def _remember(self, opened: Opened) -> None:
        if opened.info.path is not None:
            entry = self._session.project or opened.info.path
            self._settings.add_recent(entry)
            self._pictures.make(opened.info, entry)
        self._menus.show_recent(self._settings.recent)
