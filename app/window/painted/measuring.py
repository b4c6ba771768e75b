"""Shots, and distances of their frames from painted ones, measured in the background."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from framebrush.base.worker_thread import LatestWorker
from framebrush.gpu.errors import DeviceError
from framebrush.media.video import InputError, OutputError
from framebrush.painted.confidence import distances
from framebrush.painted.extract import looking_for_shots
from framebrush.painted.folder import PaintedFolder
from framebrush.playback.reading.reading_process import LostError, ReadingProcess, items

PAUSE_S = 0.03
"""Seconds of pause after each step, so that it uses at most half of the reading process during playback."""

TOLD = 8
"""Frames between two reports."""

Step = TypeVar("Step")
Line = tuple[tuple[int, float], ...]
"""Frame numbers in order, each with its distance from the painted frames, 0..1."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A shot and its painted frames. first, end: as for `distances`. sha256: of the film."""

    film: Path
    sha256: str
    keys: tuple[int, ...]
    first: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Unsearched:
    """A film without known shots, to be written to its folder's manifest."""

    film: Path
    folder: Path


class Measuring(LatestWorker[Wanted | Unsearched]):
    """Measures the latest shot or detects shots; caches complete results.

    Errors are silent: the player reports unreadable films.
    """

    def __init__(self, on_line: Callable[[Wanted, Line], None], reading: ReadingProcess | None) -> None:
        """on_line: called in the worker's thread as results arrive. reading: as for `items`."""
        self._on_line, self._reading = on_line, reading
        self._kept: dict[Wanted, Line] = {}
        super().__init__("confidence")

    def _run(self) -> None:
        for wanted in self._requests():
            with suppress(InputError, OutputError, LostError, DeviceError, OSError, ValueError):
                if isinstance(wanted, Unsearched):
                    self._search(wanted)
                    continue
                if wanted not in self._kept:
                    self._measure(wanted)
                if wanted in self._kept:
                    self._on_line(wanted, self._kept[wanted])

    def _search(self, wanted: Unsearched) -> None:
        """Detect shots; the window finds the result in the folder."""
        steps = items(self._reading, wanted.film, "shots", looking_for_shots, wanted.film, PaintedFolder(wanted.folder))
        self._each(wanted, steps, lambda _: None)

    def _measure(self, wanted: Wanted) -> None:
        found: list[tuple[int, float]] = []
        film = wanted.film
        steps = items(self._reading, film, "distances", distances, film, wanted.keys, wanted.first, wanted.end)

        def add(step: tuple[int, float]) -> None:
            found.append(step)
            if len(found) % TOLD == 0:
                self._on_line(wanted, tuple(found))

        if self._each(wanted, steps, add):
            self._kept[wanted] = tuple(found)

    def _each(
        self, wanted: Wanted | Unsearched, steps: Generator[Step, None, None], take: Callable[[Step], None]
    ) -> bool:
        """Run steps with pauses until a new request; return whether they finished."""
        with closing(steps):
            for step in steps:
                if not self._is_latest(wanted):
                    return False
                take(step)
                time.sleep(PAUSE_S / TOLD)
        return True
