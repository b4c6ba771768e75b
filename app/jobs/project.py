"""Projects: films with recipes, points and export settings."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count, pairwise
from pathlib import Path
from typing import Any

from framebrush.base.file_names import PROJECT_SUFFIX
from framebrush.base.files import read_bounded, write_whole
from framebrush.base.json_values import JsonError, from_values, indented, to_values
from framebrush.base.text import first_line, printable
from framebrush.base.user_folder import UserFolder
from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.keyframes import Track, convert_keyframes
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.media.reading.fields import range_as_read
from framebrush.media.reading.open import is_numbered
from framebrush.media.video import PLAIN_FILE, Deinterlace, InputError

VERSION = 2
"""Version of the JSON. Increase it when adding a field: older programs refuse unknown ones. 2 has markers."""

VERSIONS = (1, VERSION)
"""Versions that are read."""

MAX_BYTES = 4 << 20  # any file may be given for a project, and is read whole

TARGET = "OUT"
"""Target of a film that was never exported."""

FARTHEST_MS = 60_000
"""Longest delay of sound and subtitles."""

LONGEST_NAME, MOST_MARKERS = 200, 10_000
"""Letters of a marker's name, and markers of a film."""

_VERSION, _FOLDER = "framebrush_project", "folder"


class ProjectError(InputError):
    """Invalid or unreadable project, or missing film."""


class NewerProjectError(ProjectError):
    """Project of a newer Framebrush."""


@dataclass(frozen=True, slots=True)
class Marker:
    """Named frame. number: as the window counts."""

    number: int
    name: str

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError(f"a marker is at frame {self.number}")
        if len(self.name) > LONGEST_NAME:
            raise ValueError(f"a marker's name has more than {LONGEST_NAME} letters")
        object.__setattr__(self, "name", printable(self.name))  # frozen


@dataclass(frozen=True, slots=True)
class Project:
    """Film with its settings.

    Args:
        job: source, recipe and last export; frames as the window counts them.
        film: identity, if known.
        waiting: keyframes of paintings that the style lacks.
        points_s: in and out points.
        sound_ms, subtitles_ms: delays.
    """

    job: JobSpec
    film: SourceIdentity | None = None
    waiting: tuple[Track, ...] = ()
    points_s: tuple[float | None, float | None] = (None, None)
    sound_ms: int = 0
    subtitles_ms: int = 0
    markers: tuple[Marker, ...] = ()

    def __post_init__(self) -> None:
        job = self.job
        own = JobSpec(
            job.source,
            job.target,
            replace(job.recipe, look=job.recipe.look.undivided),
            job.range,
            decode=DecodeOptions(job.decode.deinterlace),
            output=replace(job.output, overwrite=False, stream=None),
            statistics=job.statistics,
        )
        replace(job.recipe, keys=self.keys)  # a recipe refuses two tracks of a value
        if not all(abs(ms) <= FARTHEST_MS for ms in (self.sound_ms, self.subtitles_ms)):
            raise ValueError(f"a delay is more than {FARTHEST_MS} ms")
        numbers = [marker.number for marker in self.markers]
        if len(numbers) > MOST_MARKERS or any(later <= earlier for earlier, later in pairwise(numbers)):
            raise ValueError(f"more than {MOST_MARKERS} markers, two at a frame, or out of order")
        object.__setattr__(self, "job", own)  # frozen

    @property
    def keys(self) -> tuple[Track, ...]:
        return (*self.job.keys, *self.waiting)

    def job_to(self, target: str, deinterlace: Deinterlace | None = None) -> JobSpec:
        """Return an export's job. deinterlace: None for the project's."""
        job, mode = self.job, deinterlace or self.job.decode.deinterlace
        return replace(
            job,
            target=target,
            recipe=replace(job.recipe, keys=convert_keyframes(job.keys, mode)),
            range=range_as_read(job.range, mode),
            decode=DecodeOptions(mode),
        )

    def job_on(self, job: JobSpec, target: str) -> JobSpec:
        """Return an export's job with another's machine settings."""
        own = self.job_to(target)
        return replace(
            job,
            source=own.source,
            target=target,
            recipe=own.recipe,
            range=own.range,
            decode=replace(own.decode, hwaccel=job.decode.hwaccel),
            output=replace(own.output, overwrite=job.output.overwrite),
            statistics=own.statistics,
        )

    def with_files(self, moved: Callable[[str], str]) -> Project:
        """Return the project with paths mapped."""
        job = self.job
        target = job.target if job.target == TARGET else moved(job.target)
        moved_job = replace(job, source=moved(job.source), target=target, recipe=job.recipe.with_files(moved))
        return replace(self, job=moved_job)


def is_project(text: str | Path) -> bool:
    """Return whether a text names a project."""
    return Path(text).suffix.lower() == PROJECT_SUFFIX and os.path.isfile(text)  # noqa: PTH113 - takes any text


def job_of_source(job: JobSpec, source: str, target: str) -> JobSpec:
    """Return a source's or project's job. Raises ProjectError."""
    if is_project(source):
        return read_project(Path(source)).job_on(job, target)
    return replace(job, source=source, target=target)


def read_project(path: Path, say: Callable[[str], object] | None = None, *, film: Path | None = None) -> Project:
    """Read a project with absolute paths. Raises ProjectError.

    Paths are relative to its folder, else to its former folder. say: receives a sentence if the film changed. film:
    path, if known.
    """
    folder = path.absolute().parent
    project, written_in = _read(path)
    places = [folder, *([Path(written_in)] if written_in else [])]
    source = project.job.source
    if film is None:
        beside = folder / Path(source).name
        film = _film_of(project, path, dict.fromkeys([*_in(source, places), beside]), say)
    film = film.absolute()
    former = os.path.dirname(source)  # noqa: PTH120 - of a relative name

    def resolved(file: str) -> str:
        found = [*_in(file, places)]
        with suppress(ValueError):  # another drive
            found += _in(os.path.relpath(file, former), [film.parent])  # files that moved with the film
        return str(next(filter(_is_there, found), found[0]))

    moved = project.with_files(resolved)
    return replace(moved, job=replace(moved.job, source=str(film)))


def _read(path: Path) -> tuple[Project, str]:
    try:
        content = read_bounded(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        raise ProjectError(f"{path} cannot be read ({first_line(error)}); check the name and the folder") from None
    try:
        values = json.loads(content.decode("utf-8"))
        if not isinstance(values, dict) or _VERSION not in values:
            raise JsonError("it is JSON, but not a project")
        version, written_in = values.pop(_VERSION), values.pop(_FOLDER, "")
        if type(version) is int and version > VERSION:
            raise NewerProjectError(
                f"{path} was written by a newer Framebrush (format {str(version)[:9]}, this one reads {VERSION}); "
                "update Framebrush"
            )
        if version not in VERSIONS or not isinstance(written_in, str):
            raise JsonError("it has no version, or no folder")
        job = JobSpec.from_values(values.get("job"))  # of any version
        return from_values(Project, {**values, "job": to_values(job)}, "project"), written_in
    except (ValueError, RecursionError) as error:
        reason = str(error)[:200] if isinstance(error, JsonError) else "it is not JSON"
        raise ProjectError(f"{path} is not a project: {reason}; open a copy of it, or its film") from None


def _in(file: str, places: Iterable[Path]) -> Iterator[Path]:
    for folder in places:
        yield Path(os.path.normpath(folder / file))  # by names alone, as it was made relative


def _is_there(path: Path) -> bool:
    return os.path.lexists(path) or (is_numbered(path) and os.path.isdir(path.parent))  # noqa: PTH112 - takes any text


def _film_of(project: Project, path: Path, candidates: Iterable[Path], say: Callable[[str], object] | None) -> Path:
    there = [each for each in candidates if os.path.isfile(each)]  # noqa: PTH113 - takes any text
    if not there:
        name, places = Path(project.job.source).name, ", ".join(dict.fromkeys(str(each.parent) for each in candidates))
        raise ProjectError(f"{path}: its film {name} is not in {places}; put both into one folder")
    for each in there:
        if project.film is None or SourceIdentity.of(each, PLAIN_FILE) == project.film:
            return each
    if say is not None:
        say(f"{there[0]} is not the film that {path} was made for, or has changed since")
    return there[0]


def write_project(project: Project, path: Path) -> None:
    """Write a project, with relative paths. Raises OSError."""
    folder = path.absolute().parent
    moved = project.with_files(partial(_relative, folder=folder))
    values: dict[str, Any] = {
        _VERSION: VERSION,
        _FOLDER: str(folder),
        **to_values(moved),
        "job": moved.job.to_values(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, indented(values) + "\n")


def _relative(file: str, folder: Path) -> str:
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # another drive
        return file


class ProjectFolder(UserFolder):
    """Projects by their films' contents, and named copies."""

    def files(self) -> Iterator[Path]:
        """See `UserFolder.files`."""
        return self.path.glob(f"*{PROJECT_SUFFIX}")

    def place_of(self, film: SourceIdentity) -> Path:
        text = json.dumps(to_values(film), sort_keys=True)
        return self.path / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}{PROJECT_SUFFIX}"

    def keep_copy(self, project: Project, name: str) -> Path:
        """Write a copy under a free name; return its path. Raises OSError."""
        with self.changing():
            target = self.path / f"{self.free_name(name)}{PROJECT_SUFFIX}"
            write_project(project, target)
            return target

    def put_aside(self, path: Path) -> Path | None:
        """Rename a damaged project; return its path, if possible."""
        numbers = chain([""], (f"-{number}" for number in count(2)))
        aside = next(each for number in numbers if not (each := path.with_suffix(f".damaged{number}")).exists())
        try:
            path.replace(aside)
        except OSError:
            return None
        return aside
