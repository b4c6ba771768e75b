"""File of a film's project."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from framebrush.base.files import place_of
from framebrush.base.text import first_line
from framebrush.base.user_folder import Lock
from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.project import NewerProjectError, Project, ProjectError, ProjectFolder, read_project, write_project
from framebrush.media.video import PLAIN_FILE


class Document:
    """Project file, locked against other windows. For one thread at a time."""

    def __init__(self, folder: ProjectFolder, place: Path | None, name: str, *, of_film: bool = False) -> None:
        """Lock the file.

        place: None for a copy under a free name, created by the first write. name: of copies. of_film: the place is
        found by the film's content.
        """
        self._folder, self._name, self.place, self._of_film = folder, name, place, of_film
        self._lock: Lock | None = None
        self.is_locked = place is None or self._take(place)
        """Whether no other window has the file."""
        if not self.is_locked:
            self.place, self._of_film = None, False

    def _take(self, place: Path) -> bool:
        digest = hashlib.sha256(place_of(place).encode(errors="surrogateescape")).hexdigest()[:32]
        lock = Lock(self._folder.path / f"{digest}.lock")
        try:
            self._folder.path.mkdir(parents=True, exist_ok=True)
            if not lock.try_lock():
                return False
        except OSError:  # reported when the project is written
            return True
        self._lock = lock
        return True

    @property
    def file(self) -> Path | None:
        """The file, if the user named it."""
        return None if self._of_film else self.place

    def write(self, project: Project) -> None:
        """Write the project, or a copy if the file is unwritable. Raises OSError."""
        if self.place is not None:
            try:
                write_project(project, self.place)
                return
            except OSError:
                if self._of_film:
                    raise
        place = self._folder.keep_copy(project, self._name)
        self.close()
        self._take(place)
        self.place = place

    def move(self, project: Project, place: Path) -> bool:
        """Write and use another file; return False if it is locked. Raises OSError."""
        other = self if place == self.place else Document(self._folder, place, place.stem)
        if not other.is_locked:
            return False
        try:
            write_project(project, place)
        except OSError:
            if other is not self:
                other.close()
            raise
        if other is not self:
            self.close()
            self._lock, other._lock = other._lock, None
            self._name, self.place, self._of_film, self.is_locked = place.stem, place, False, True
        return True

    def close(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __del__(self) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Found:
    """Project found for a film.

    Attributes:
        elsewhere: another window has the project; the document is a copy.
        problem: why the kept project was not read.
        aside: new name of a damaged project.
    """

    document: Document
    film: SourceIdentity
    project: Project | None = None
    elsewhere: bool = False
    problem: str = ""
    aside: Path | None = None


def find(folder: ProjectFolder, film: Path, opened: Path | None, project: Project | None) -> Found:
    """Find and lock a film's project. Slow. Raises InputError for an unreadable film.

    opened, project: file that the user opened, and its content; None for the film's own.
    """
    identity = SourceIdentity.of(film, PLAIN_FILE)
    if opened is not None:
        document = Document(folder, opened, opened.stem)
        return Found(document, identity, project, elsewhere=not document.is_locked)
    place = folder.place_of(identity)
    document = Document(folder, place, film.stem, of_film=True)
    elsewhere = not document.is_locked
    if not os.path.lexists(place):
        return Found(document, identity, elsewhere=elsewhere)
    try:
        return Found(document, identity, read_project(place, film=film), elsewhere=elsewhere)
    except NewerProjectError as error:
        document.close()
        return Found(Document(folder, None, film.stem), identity, problem=first_line(error))
    except ProjectError as error:
        aside = folder.put_aside(place) if document.is_locked else None
        if aside is None:
            document.close()
            document = Document(folder, None, film.stem)
        return Found(document, identity, problem=first_line(error), aside=aside)
