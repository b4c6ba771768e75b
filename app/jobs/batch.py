"""Many videos into a folder: which, under which names, and what became of each."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from glob import glob, has_magic
from pathlib import Path
from typing import Literal

from framebrush.gpu.errors import DeviceError
from framebrush.jobs.spec import JobSpec
from framebrush.media.containers import CONTAINERS
from framebrush.media.video import BusyOutputError, InputError, OutputError
from framebrush.models.text import count_of, first_line
from framebrush.transcode import Outcome, Status

_ENDINGS = "3gp asf avi divx f4v flv gif m2ts m2v m4v mkv mov mp4 mpeg mpg mts mxf nut ogv ts vob webm wmv y4m"
ENDINGS = frozenset(f".{ending}" for ending in _ENDINGS.split())
"""What counts as a video in a folder. A file that is named is tried whatever it is called."""

SETTLED_S = 5.0
LOOK_S = 1.0
"""In a watched folder a file is taken when it has not changed for the one; the folder is looked at every other."""

_FIELD = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one video. message: why, where it did not simply go well."""

    source: str
    target: str
    state: Literal["done", "losses", "skipped", "failed"]
    message: str = ""
    frames: int = 0
    lost: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Pair:
    """A video and the file to paint it into."""

    source: Path
    target: Path


def targets_of(sources: list[str], out: Path, name: str, style: str, *, recursive: bool) -> list[Pair]:
    """The videos that files, folders and patterns stand for, each once, with their targets.

    Those of a folder keep their place below it. name: of the targets, with {stem}, {suffix}, {style} and {number} (from
    1, three digits). Raises InputError for what is not there, ValueError for a name that cannot be.
    """
    inside = out.resolve()
    pairs: list[Pair] = []
    seen: set[Path] = set()
    for source, below in _found(sources, recursive=recursive):
        place = Path(os.path.realpath(source))  # unlike pathlib's it takes links that lead in a circle
        if place in seen or place.is_relative_to(inside):
            continue  # what was painted is not painted again
        seen.add(place)
        suffix = source.suffix.lower() if source.suffix.lower() in CONTAINERS else ".mp4"
        fields = {"stem": source.stem, "suffix": suffix, "style": _as_name(style), "number": f"{len(pairs) + 1:03}"}
        pairs.append(Pair(source, out / below / _filled(name, fields)))
    return pairs


def _found(sources: list[str], *, recursive: bool) -> Iterator[tuple[Path, Path]]:
    """Each file, and the folder below the one that was named in which it lies."""
    for text in sources:
        path = Path(text)
        if os.path.isdir(text):  # noqa: PTH112 - unlike pathlib's it takes a name that is too long
            try:
                found = sorted(path.rglob("*") if recursive else path.iterdir())
            except OSError as error:
                raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
            for file in found:
                if file.suffix.lower() in ENDINGS and file.is_file() and not file.name.startswith("."):
                    yield file, file.parent.relative_to(path)
        elif has_magic(text) and not os.path.exists(text):  # noqa: PTH110 - as above
            for match in sorted(glob(text, recursive=recursive)):  # noqa: PTH207 - absolute patterns too
                if Path(match).is_file():
                    yield Path(match), Path()
        else:
            yield path, Path()


def _as_name(style: str) -> str:
    return re.sub(r"[^\w.-]+", "-", Path(style).stem if style.endswith(".onnx") else style)


def _filled(name: str, fields: dict[str, str]) -> str:
    unknown = [field for field in _FIELD.findall(name) if field not in fields]
    if unknown or not name:
        raise ValueError(f"--name {name}: {{{unknown[0] if unknown else ''}}} is not one of {', '.join(fields)}")
    filled = _FIELD.sub(lambda match: fields[match[1]], name)
    if Path(filled).name != filled or filled in (".", ".."):
        raise ValueError(f"--name {name}: a name must not hold folders")
    return filled


class Batch:
    """Does jobs one after the other. results: what became of those that were looked at."""

    def __init__(
        self, job: JobSpec, paint: Callable[[JobSpec], Outcome], on_results: Callable[[list[Result]], object]
    ) -> None:
        """job: the settings. paint: does one job. on_results: called with all results after each."""
        self._job, self._paint, self._on_results = job, paint, on_results
        self.results: list[Result] = []
        self._taken: dict[Path, Path] = {}

    @property
    def status(self) -> Status:
        """Of the command: USAGE where a video failed, LOSSES where something of one was lost."""
        states = {result.state for result in self.results}
        return Status.USAGE if "failed" in states else Status.LOSSES if "losses" in states else Status.DONE

    @property
    def kept_words(self) -> str:
        """What a person should know of an interruption; empty where nothing was painted."""
        whole = sum(result.state in ("done", "losses") for result in self.results)
        return f"{count_of(whole, 'video')} {'is' if whole == 1 else 'are'} whole" if whole else ""

    def do(self, pairs: list[Pair]) -> None:
        """Do these; none that fails stops the others."""
        for pair in pairs:
            self.results.append(self._one(pair))
            self._on_results(self.results)

    def watch(self, look: Callable[[], list[Pair]], settled_s: float = SETTLED_S) -> None:
        """Do what `look` finds, and what it finds later, until KeyboardInterrupt. A video is taken when its file has
        not changed for a while, and once only unless it changes again."""
        since: dict[Path, tuple[tuple[int, int], float]] = {}
        known: dict[Path, tuple[int, int]] = {}
        while True:
            for pair in look():
                try:
                    state = pair.source.stat()
                except OSError:
                    continue
                now = (state.st_size, state.st_mtime_ns)
                if since.get(pair.source, (None, 0.0))[0] != now:
                    since[pair.source] = now, time.monotonic()
                settled = time.monotonic() - since[pair.source][1] >= settled_s
                if settled and state.st_size and known.get(pair.source) != now:
                    known[pair.source] = now
                    self.do([pair])
            time.sleep(LOOK_S)

    def _one(self, pair: Pair) -> Result:
        source, target = str(pair.source), str(pair.target)
        taken = self._taken.setdefault(pair.target, pair.source)
        if taken != pair.source:
            return Result(
                source, target, "failed", f"{taken} has the same name; use {{number}} or {{suffix}} in --name"
            )
        begin = time.monotonic()
        try:
            if pair.target.exists() and not self._job.output.overwrite:
                return Result(source, target, "skipped", "is there already")
            pair.target.parent.mkdir(parents=True, exist_ok=True)
            outcome = self._paint(replace(self._job, source=source, target=target))
        except BusyOutputError:
            return Result(source, target, "skipped", "another job writes to it", seconds=time.monotonic() - begin)
        except (InputError, OutputError, DeviceError, ValueError, OSError, MemoryError) as error:
            return Result(source, target, "failed", first_line(error), seconds=time.monotonic() - begin)
        state: Literal["done", "losses"] = "losses" if outcome.status is Status.LOSSES else "done"
        message = "" if state == "done" else "something was lost; see above"
        seconds = time.monotonic() - begin
        return Result(source, target, state, message, outcome.progress.frames, outcome.lost, seconds)
