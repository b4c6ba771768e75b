"""Opening of files by their kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from framebrush.base.file_names import PROJECT_SUFFIX
from framebrush.jobs.look_file import SUFFIX as LOOK_SUFFIX
from framebrush.playback.events import Notification
from framebrush.styles.keys_folder import is_keys
from framebrush.window.project.keeper import ProjectKeeper
from framebrush.window.shared import Shared
from framebrush.window.transport.neighbours import neighbour, videos_in
from framebrush.window.transport.playlist import Playlist, films_of
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.controls import pasted_files

NO_FILMS = NETWORK, TABLE, LOOK = ".onnx", ".cube", LOOK_SUFFIX


class Opening(QObject):
    """Opens films, projects, styles, colour tables and looks."""

    def __init__(
        self,
        shared: Shared,
        project: ProjectKeeper,
        playlist: Playlist,
        openers: Mapping[str, Callable[[Path], object]],
    ) -> None:
        """openers: by file ending."""
        super().__init__(shared.session)
        self._shared, self._session = shared, shared.session
        self._project, self._playlist, self._openers = project, playlist, openers
        project.film_asked.connect(self._open_film)
        shared.view.open_asked.connect(self.ask)
        shared.view.dropped.connect(self.open_dropped)
        shared.view.invitation.chosen.connect(self.open)
        shared.actions.connect_triggers(
            {
                "open": self.ask,
                "paste-path": self.open_copied,
                "next-file": lambda: self.open_beside(1),
                "previous-file": lambda: self.open_beside(-1),
            }
        )

    def open(self, source: str | Path, *, play: bool = True) -> None:
        """Open a source of `open_frame_source`, folder of painted frames, or file of another kind."""
        self._shared.messages.clear_problem()
        ending = Path(source).suffix.lower()
        if ending == NETWORK or is_keys(str(source)):
            self._session.use_style(str(source))
        elif ending in self._openers:
            self._openers[ending](Path(source))
        elif ending == PROJECT_SUFFIX:
            self._project.open(Path(source), play=play)
        else:
            self._project.open_other()
            self._open_film(str(source), play)

    def _open_film(self, source: str, play: bool) -> None:
        self._shared.view.setFocus()  # until it is open, too: Space would toggle what Qt has focused, such as Loop
        self._session.player.open(source, play=play)

    def ask(self) -> None:
        """Let the user choose videos."""
        paths = self._shared.files.videos(self.tr("Open video"))
        if paths:
            self.open_dropped(paths)

    def open_copied(self) -> None:
        """Open copied files, or paths in copied text."""
        paths = pasted_files(QApplication.clipboard().mimeData())
        if paths:
            self.open_dropped(paths)
        else:
            self._shared.notes.say(self.tr("No file or whole path was copied"))

    def open_dropped(self, paths: list[Path]) -> None:
        """Open dropped files and folders; several videos become a playlist."""
        Background(partial(_looked, paths), self._open_found, self)

    def _open_found(self, found: list[list[Path] | Notification]) -> None:
        for problem in (each for each in found if isinstance(each, Notification)):
            self._session.notified.emit(problem)
        films = films_of([path for each in found if isinstance(each, list) for path in each])
        if len(films) > 1:
            self._shared.messages.clear_problem()
            self._playlist.begin(films)
        elif films:
            self.open(films[0])

    def open_beside(self, by: int) -> None:
        """Open the playlist's, or else the folder's, next or previous video."""
        path = self._session.opened.info.path if self._session.opened is not None else None
        if not self._playlist.step(by) and path is not None:
            Background(partial(neighbour, path, by), self._open_neighbour, self)

    def _open_neighbour(self, path: Path | None) -> None:
        if path is not None:
            self.open(path)


def _looked(paths: list[Path]) -> list[list[Path] | Notification]:
    return [[path] if is_keys(str(path)) else videos_in(path) for path in paths]
