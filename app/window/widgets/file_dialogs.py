"""File dialogs."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from framebrush.base.file_names import PROJECT_SUFFIX
from framebrush.jobs.look_file import SUFFIX as LOOK_SUFFIX
from framebrush.media.containers import CONTAINERS
from framebrush.media.video_files import ENDINGS
from framebrush.styles.brush_tips import TIPS
from framebrush.styles.style_folder import FILES, SUFFIXES

LOOKS = LOOK_SUFFIX, ".json"
REVEALS = ".gif", ".mkv", ".mov", ".mp4", ".webp"

Location = QStandardPaths.StandardLocation


def own_folder(location: Location) -> Path:
    """Return the user's folder for a kind of files, else home."""
    places = (QStandardPaths.writableLocation(each) for each in (location, Location.HomeLocation))
    return next((Path(place) for place in places if place and Path(place).is_dir()), Path.home())


def pictures_folder() -> Path:
    """Return the folder for screenshots, which may not exist."""
    return Path(QStandardPaths.writableLocation(Location.PicturesLocation) or Path.home())


class Folders(Protocol):
    """Folders by kind of file."""

    def folder(self, kind: str) -> Path | None: ...

    def set_folder(self, kind: str, folder: Path) -> None: ...


class Files(QObject):
    """File dialogs, each starting in the last folder for its kind."""

    def __init__(self, window: QWidget, settings: Folders) -> None:
        super().__init__(window)
        self._window, self._settings = window, settings

    def videos(self, title: str) -> list[Path]:
        """Ask for videos or projects."""
        start, videos = self._start("video", Location.MoviesLocation), self.tr("Videos ({patterns});;All files (*)")
        names, _ = QFileDialog.getOpenFileNames(
            self._window, title, start, _matching(videos, (*ENDINGS, PROJECT_SUFFIX))
        )
        self._chosen("video", names[0] if names else "")
        return [Path(name) for name in names]

    def style(self) -> Path | None:
        """Ask for a style network or picture."""
        patterns = _matching(self.tr("Styles and pictures ({patterns})"), FILES)
        return self._open("style", self.tr("Open a style or picture"), patterns, Location.DocumentsLocation)

    def picture(self, title: str) -> Path | None:
        """Ask for a picture for its colours."""
        patterns = _matching(self.tr("Pictures ({patterns})"), SUFFIXES)
        return self._open("picture", title, patterns, Location.PicturesLocation)

    def brush(self, title: str) -> Path | None:
        """Ask for a brush tip, or a brush of GIMP or Krita."""
        patterns = _matching(self.tr("Pictures and brushes ({patterns})"), TIPS)
        return self._open("picture", title, patterns, Location.PicturesLocation)

    def map(self, title: str) -> Path | None:
        """Ask for a brush map: a picture or a film."""
        patterns = _matching(self.tr("Pictures and videos ({patterns})"), {*SUFFIXES, *ENDINGS})
        return self._open("picture", title, patterns, Location.PicturesLocation)

    def cube(self) -> Path | None:
        """Ask for a colour table."""
        return self._open("cube", self.tr("Colour table"), self._cubes, Location.DocumentsLocation)

    def new_cube(self, name: str) -> Path | None:
        """Ask where to save a colour table."""
        return self._save("cube", self.tr("Save the colours"), f"{name}.cube", self._cubes)

    def folder(self, title: str) -> Path | None:
        name = QFileDialog.getExistingDirectory(self._window, title, self._start("folder", Location.MoviesLocation))
        if name:
            self._settings.set_folder("folder", Path(name))
        return Path(name) if name else None

    def saved_look(self) -> Path | None:
        return self._open("look", self.tr("Import a look"), self._looks, Location.DocumentsLocation)

    def new_look(self, name: str) -> Path | None:
        """Ask where to save a look."""
        return self._save("look", self.tr("Share the look"), f"{name}{LOOK_SUFFIX}", self._looks, endings=LOOKS)

    def new_project(self, name: str, folder: Path | None = None) -> Path | None:
        """Ask where to save a project. folder: to begin in."""
        patterns = self.tr("Projects ({patterns})").format(patterns=f"*{PROJECT_SUFFIX}")
        return self._save("project", self.tr("Save project as"), f"{name}{PROJECT_SUFFIX}", patterns, folder=folder)

    def new_reveal(self, name: str) -> Path | None:
        """Ask where to save a time-lapse."""
        patterns, title = _matching(self.tr("Videos ({patterns})"), REVEALS), self.tr("Export the time-lapse")
        return self._save("video", title, f"{name}.mp4", patterns, Location.MoviesLocation, CONTAINERS)

    @property
    def _cubes(self) -> str:
        return self.tr("Colour tables (*.cube)")

    @property
    def _looks(self) -> str:
        return _matching(self.tr("Saved looks ({patterns})"), LOOKS)

    def _open(self, kind: str, title: str, patterns: str, location: Location) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._window, title, self._start(kind, location), patterns)
        return self._chosen(kind, name)

    def _save(
        self,
        kind: str,
        title: str,
        name: str,
        patterns: str,
        location: Location = Location.DocumentsLocation,
        endings: Container[str] = (),
        folder: Path | None = None,
    ) -> Path | None:
        begin = folder if folder is not None and folder.is_dir() else Path(self._start(kind, location))
        start, ending = begin / name, Path(name).suffix
        while True:
            path = self._chosen(kind, QFileDialog.getSaveFileName(self._window, title, str(start), patterns)[0])
            if path is None or path.suffix.lower() == ending or path.suffix.lower() in endings:
                return path
            start = path.with_name(f"{path.name}{ending}")
            if not os.path.lexists(start):
                return start

    def _chosen(self, kind: str, name: str) -> Path | None:
        if name:
            self._settings.set_folder(kind, Path(name).parent)
        return Path(name) if name else None

    def _start(self, kind: str, location: Location) -> str:
        return str(self._settings.folder(kind) or own_folder(location))


def _matching(words: str, endings: Iterable[str]) -> str:
    return words.format(patterns=" ".join(f"*{ending}" for ending in sorted(endings)))
