"""Painting many videos into a folder: which videos, their names, and their results."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from framebrush.base.files import FileState, file_state
from framebrush.base.text import count_of, first_line
from framebrush.jobs.batch.names import Names, real
from framebrush.jobs.batch.results import Result, State
from framebrush.jobs.transcode import Status
from framebrush.media.video import InputError
from framebrush.media.video_files import is_video_name

SETTLED_S = 5.0
LOOK_S = 1.0
"""A file in a watched folder is painted once it has not changed for SETTLED_S; the folder is scanned every LOOK_S."""

_COUNTED: dict[State, str] = {
    "done": "done",
    "losses": "done with losses",
    "skipped": "skipped",
    "differs": "made with other settings",
    "failed": "failed",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """A video and its target."""

    source: Path
    target: Path


def targets_of(sources: list[str], names: Names, *, recursive: bool) -> list[Pair]:
    """The videos that files, folders and patterns stand for, each once, with their targets.

    Videos in subfolders keep their relative path. Raises InputError for what does not exist.
    """
    inside = real(names.out)
    found: list[tuple[Path, Path]] = []
    seen: set[Path] = set()
    for source, below in _found(sources, recursive=recursive):
        place = real(source)
        if place in seen or place.is_relative_to(inside):
            continue  # do not paint the results again
        seen.add(place)
        found.append((source, below))
    return [Pair(source, target) for (source, _), target in zip(found, names.assign(found), strict=True)]


def _found(sources: list[str], *, recursive: bool) -> Iterator[tuple[Path, Path]]:
    """Each file, with its folder relative to the one that was given."""
    for text in sources:
        path = Path(text)
        if os.path.isdir(text):  # noqa: PTH112 - unlike pathlib's, it accepts a name that is too long
            try:
                found = sorted(path.rglob("*") if recursive else path.iterdir())
            except OSError as error:
                raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
            for file in found:
                if is_video_name(file) and file.is_file():
                    yield file, file.parent.relative_to(path)
        elif has_magic(text) and not os.path.exists(text):  # noqa: PTH110 - as above
            for match in sorted(glob(text, recursive=recursive)):  # noqa: PTH207 - absolute patterns too
                if Path(match).is_file():
                    yield Path(match), Path()
        else:
            yield path, Path()


def why_none(sources: list[str], out: Path) -> str:
    """What to say where `targets_of` finds no video."""
    named = ", ".join(sources)
    inside, places = real(out), [real(source) for source in sources]
    if any(place.is_file() and place.is_relative_to(inside) for place in places):
        return f"{named}: what is in {out}, the folder of the results, is not painted again; give another --out"
    return f"{named}: no video found"


class Batch:
    """Does jobs one after another."""

    def __init__(self, do_one: Callable[[Pair, bool], Result], on_results: Callable[[list[Result]], object]) -> None:
        """do_one: does the job of a pair; its second argument says whether this batch made the target before.
        on_results: called with all results after each job."""
        self._do_one, self._on_results = do_one, on_results
        self._results: dict[Pair, Result] = {}
        self._made: set[Pair] = set()

    @property
    def results(self) -> list[Result]:
        """The latest result of each video, in the order in which they were finished."""
        return list(self._results.values())

    @property
    def status(self) -> Status:
        """The exit status of the command: USAGE if a video failed or has a result made with other settings; LOSSES if a
        result lacks something."""
        states = {result.state for result in self.results}
        if states & {"failed", "differs"}:
            return Status.USAGE
        return Status.LOSSES if any(result.status == Status.LOSSES for result in self.results) else Status.DONE

    @property
    def kept_words(self) -> str:
        """A description for the user of what an interruption leaves; empty if nothing was painted."""
        return f"{count_of(len(self._made), 'video', 'is/are')} complete" if self._made else ""

    def summary(self, status: Status) -> str:
        """How many videos ended in which state, and the exit status."""
        counts = Counter(result.state for result in self.results)
        ends = [f"{counts[state]} {words}" for state, words in _COUNTED.items() if counts[state] or state == "done"]
        return f"{count_of(len(self.results), 'video')}: {', '.join(ends)}; exit status {int(status)}"

    def do(self, pairs: list[Pair]) -> None:
        """Do these jobs; a failure does not stop the others."""
        for pair in pairs:
            result = self._do_one(pair, pair in self._made)
            if result.state in ("done", "losses"):
                self._made.add(pair)
            self._results.pop(pair, None)
            self._results[pair] = result
            self._on_results(self.results)

    def watch(self, look: Callable[[], list[Pair]], settled_s: float = SETTLED_S) -> None:
        """Do the jobs that `look` finds, now and later, until KeyboardInterrupt. A video is painted once its file has
        not changed for a while, and again only if it changes."""
        since: dict[Path, tuple[FileState, float]] = {}
        known: dict[Path, FileState] = {}
        while True:
            for pair in look():
                try:
                    now, size_bytes = file_state(pair.source), pair.source.stat().st_size
                except OSError:
                    continue
                if since.get(pair.source, (None, 0.0))[0] != now:
                    since[pair.source] = now, time.monotonic()
                settled = time.monotonic() - since[pair.source][1] >= settled_s
                if settled and size_bytes and known.get(pair.source) != now:
                    known[pair.source] = now
                    self.do([pair])
            time.sleep(LOOK_S)
