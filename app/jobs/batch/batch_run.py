"""Painting of many videos into a folder."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from framebrush.base.files import FileState, file_state
from framebrush.base.status import Status
from framebrush.base.text import count_of, first_line
from framebrush.jobs.batch.result_names import Names, real
from framebrush.jobs.batch.results import Result, State
from framebrush.jobs.segments.job_folder import is_being_written
from framebrush.jobs.transcode import OnMessage
from framebrush.media.disk import free_bytes
from framebrush.media.video import InputError, OutputError
from framebrush.media.video_files import is_video_name

SETTLED_S = 5.0
LOOK_S = 1.0
"""Interval of scans of a watched folder. Files are painted once unchanged for SETTLED_S."""

FREED_BYTES = 50_000_000  # before a video that found the disk full is tried again: more than a disk in use varies by

_COUNTED: dict[State, str] = {
    "done": "done",
    "losses": "done with losses",
    "skipped": "skipped",
    "differs": "made with other settings",
    "failed": "failed",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Video with its target."""

    source: Path
    target: Path


def targets_of(sources: list[str], names: Names, *, recursive: bool) -> list[Pair]:
    """Return (video, target) of files, folders, patterns. Raises InputError."""
    inside = real(names.out)
    found: list[tuple[Path, Path]] = []
    seen: set[Path] = set()
    for source, below in _found(sources, recursive=recursive):
        place = real(source)
        if place in seen or place.is_relative_to(inside):
            continue  # results are not painted again
        seen.add(place)
        found.append((source, below))
    return [Pair(source, target) for (source, _), target in zip(found, names.assign(found), strict=True)]


def _found(sources: list[str], *, recursive: bool) -> Iterator[tuple[Path, Path]]:
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


def explain_no_video(sources: list[str], out: Path, *, recursive: bool) -> str:
    """Explain why no video was found."""
    named = ", ".join(sources)
    if any(os.path.isfile(path) for path, _ in _found(sources, recursive=recursive)):  # noqa: PTH113 - as above
        return f"{named}: files in {out}, the folder of the results, are not painted again; give another --out"
    return f"{named}: no video found"


class Watched:
    """Watched sources, some missing at times."""

    def __init__(self, find: Callable[[list[str]], list[Pair]], sources: list[str], out: Path, say: OnMessage) -> None:
        """Raises InputError, OutputError."""
        self._find, self._sources, self._say = find, sources, say
        self._problem = ""
        for text in sources:
            if not _may_have_videos(text):
                raise InputError(f"{text}: no such file or folder; check the name")
            if real(text).is_relative_to(real(out)):
                raise InputError(f"{text}: results in {out} are not painted again", do="give another --out")
        find(sources)

    def videos(self) -> list[Pair]:
        """Return videos, reporting missing sources once."""
        gone = [text for text in self._sources if not _may_have_videos(text)]
        problem = f"{', '.join(gone)}: no longer there; waiting" if gone else ""
        try:
            found = self._find([text for text in self._sources if text not in gone])
        except (InputError, OutputError) as error:
            found, problem = [], f"{error}; trying again"
        if problem and problem != self._problem:
            self._say(problem)
        self._problem = problem
        return found


def _may_have_videos(text: str) -> bool:
    return has_magic(text) or os.path.exists(text)  # noqa: PTH110 - as above


class Batch:
    """Runner of jobs in order."""

    def __init__(self, do_one: Callable[[Pair, bool], Result], on_results: Callable[[list[Result]], object]) -> None:
        """Prepare. do_one: receives a pair, and whether this batch made its target."""
        self._do_one, self._on_results = do_one, on_results
        self._results: dict[Pair, Result] = {}
        self._made: set[Pair] = set()

    @property
    def results(self) -> list[Result]:
        return list(self._results.values())

    @property
    def status(self) -> Status:
        """Exit status: USAGE for failures or other settings, LOSSES for incomplete results."""
        states = {result.state for result in self.results}
        if states & {"failed", "differs"}:
            return Status.USAGE
        return Status.LOSSES if any(result.status == Status.LOSSES for result in self.results) else Status.DONE

    @property
    def kept_words(self) -> str:
        """Description of work kept on interruption."""
        return f"{count_of(len(self._made), 'video', 'is/are')} complete" if self._made else ""

    def summary(self, status: Status) -> str:
        """Count videos by state."""
        counts = Counter(result.state for result in self.results)
        ends = [f"{counts[state]} {words}" for state, words in _COUNTED.items() if counts[state] or state == "done"]
        return f"{count_of(len(self.results), 'video')}: {', '.join(ends)}; exit status {int(status)}"

    def do(self, pairs: list[Pair]) -> None:
        """Run jobs despite failures."""
        for pair in pairs:
            result = self._do_one(pair, pair in self._made)
            if result.state in ("done", "losses"):
                self._made.add(pair)
            self._results.pop(pair, None)
            self._results[pair] = result
            self._on_results(self.results)

    def watch(self, look: Callable[[], list[Pair]], settled_s: float = SETTLED_S) -> None:
        """Run new and changed jobs, once settled, until KeyboardInterrupt."""
        since: dict[Path, tuple[FileState, float]] = {}
        known: dict[Path, FileState] = {}
        waiting: dict[Pair, Callable[[], bool]] = {}  # whether the obstacle is gone
        while True:
            for pair in look():
                try:
                    now, size_bytes = file_state(pair.source), pair.source.stat().st_size
                except OSError:
                    continue
                if since.get(pair.source, (None, 0.0))[0] != now:
                    since[pair.source] = now, time.monotonic()
                settled = time.monotonic() - since[pair.source][1] >= settled_s
                goes_on = pair in waiting and waiting[pair]()
                if settled and size_bytes and (goes_on or known.get(pair.source) != now):
                    known[pair.source] = now
                    self.do([pair])
                    waiting.pop(pair, None)
                    if (is_gone := _obstacle(self._results[pair])) is not None:
                        waiting[pair] = is_gone
            time.sleep(LOOK_S)


def _obstacle(result: Result) -> Callable[[], bool] | None:
    """Return a check whether a passing obstacle is gone, None for a lasting result."""
    target = Path(result.target)
    if result.status == Status.DISK_FULL:
        needed = free_bytes(target) + FREED_BYTES
        return lambda: free_bytes(target) >= needed
    if result.busy:
        return lambda: not is_being_written(target)
    return None
