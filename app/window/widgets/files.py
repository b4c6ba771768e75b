"""The file dialogs, which start in suitable folders."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from framebrush.media.video_files import ENDINGS
from framebrush.styles.folder import FILES, SUFFIXES
from framebrush.window.settings import Settings

Location = QStandardPaths.StandardLocation


def own_folder(location: QStandardPaths.StandardLocation) -> Path:
    """The user's folder for videos, pictures or documents, or their home folder if there is none."""
    places = (QStandardPaths.writableLocation(each) for each in (location, Location.HomeLocation))
    return next((Path(place) for place in places if place and Path(place).is_dir()), Path.home())


def pictures_folder() -> Path:
    """The folder for screenshots, which may not exist yet."""
    return Path(QStandardPaths.writableLocation(Location.PicturesLocation) or Path.home())


class Files(QObject):
    """The file dialogs of a window. Each starts in the folder where a file of its kind was last chosen."""

    def __init__(self, window: QWidget, settings: Settings) -> None:
        super().__init__(window)
        self._window, self._settings = window, settings

    def videos(self, title: str) -> list[Path]:
        """Videos to open, or to export."""
        start = self._start("video", Location.MoviesLocation)
        names, _ = QFileDialog.getOpenFileNames(self._window, title, start, self._videos)
        for name in names[:1]:
            self._settings.set_folder("video", Path(name).parent)
        return [Path(name) for name in names]

    def style(self) -> Path | None:
        """A style network, or a picture to use as a style."""
        patterns = self.tr("Styles and pictures ({patterns})").format(patterns=" ".join(sorted(f"*{e}" for e in FILES)))
        return self._open("style", self.tr("Open a style or picture"), patterns, Location.DocumentsLocation)

    def picture(self, title: str) -> Path | None:
        """A picture, for its colours or as a brush's mark."""
        patterns = self.tr("Pictures ({patterns})").format(patterns=" ".join(sorted(f"*{e}" for e in SUFFIXES)))
        return self._open("picture", title, patterns, Location.PicturesLocation)

    def map(self, title: str) -> Path | None:
        """A map of the brush: a picture or a film."""
        patterns = " ".join(sorted(f"*{ending}" for ending in {*SUFFIXES, *ENDINGS}))
        words = self.tr("Pictures and videos ({patterns})").format(patterns=patterns)
        found = self._open("picture", title, words, Location.PicturesLocation)
        return Path(found) if found else None

    def cube(self) -> Path | None:
        """A colour table to read."""
        return self._open("cube", self.tr("Colour table"), self._cubes, Location.DocumentsLocation)

    def new_cube(self, name: str) -> Path | None:
        """Where to write a colour table; overwriting is confirmed in the dialog."""
        start = str(Path(self._start("cube", Location.DocumentsLocation)) / f"{name}.cube")
        found, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save the colours"), start, self._cubes)
        if not found:
            return None
        self._settings.set_folder("cube", Path(found).parent)
        return Path(found)

    def folder(self, title: str) -> Path | None:
        """A folder with videos, or for results."""
        name = QFileDialog.getExistingDirectory(self._window, title, self._start("folder", Location.MoviesLocation))
        if name:
            self._settings.set_folder("folder", Path(name))
        return Path(name) if name else None

    def saved_look(self) -> Path | None:
        """A saved look to read."""
        patterns = self.tr("Saved looks (*.json)")
        return self._open("look", self.tr("Import a look"), patterns, Location.DocumentsLocation)

    def new_look(self, name: str) -> Path | None:
        """Where to write a saved look."""
        start = str(Path(self._start("look", Location.DocumentsLocation)) / f"{name}.json")
        patterns = self.tr("Saved looks (*.json)")
        found, _ = QFileDialog.getSaveFileName(self._window, self.tr("Share the look"), start, patterns)
        return Path(found) if found else None

    @property
    def _cubes(self) -> str:
        return self.tr("Colour tables (*.cube)")

    @property
    def _videos(self) -> str:
        patterns = " ".join(f"*{ending}" for ending in ENDINGS)
        return self.tr("Videos ({patterns});;All files (*)").format(patterns=patterns)

    def _open(self, kind: str, title: str, patterns: str, location: QStandardPaths.StandardLocation) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._window, title, self._start(kind, location), patterns)
        if name:
            self._settings.set_folder(kind, Path(name).parent)
        return Path(name) if name else None

    def _start(self, kind: str, location: QStandardPaths.StandardLocation) -> str:
        return str(self._settings.folder(kind) or own_folder(location))
