"""The shots of a film, and how far the frames of one are from its painted ones, found in the background and kept."""

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
from framebrush.painted.folder import KeysFolder
from framebrush.playback.reading.process import LostError, ReadingProcess, items

PAUSE_S = 0.03
"""After each part of the work, so that it takes at most half of the reading process while a film plays."""

TOLD = 8
"""Frames between two reports."""

Step = TypeVar("Step")
Line = tuple[tuple[int, float], ...]
"""Numbers of frames, in order, and how far each is from what was learnt, 0..1."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A shot of a film, and its painted frames. first, end: as for `distances`. sha256: of the film."""

    film: Path
    sha256: str
    keys: tuple[int, ...]
    first: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Unsearched:
    """A film whose shots are not known, for the manifest of its folder."""

    film: Path
    folder: Path


class Measuring(LatestWorker[Wanted | Unsearched]):
    """Measures the latest shot that was asked for, or looks for shots; what is complete is kept. A film that cannot be
    read has no line, and no error: the player reports it."""

    def __init__(self, on_line: Callable[[Wanted, Line], None], reading: ReadingProcess | None) -> None:
        """on_line: called in this worker's thread with the line as it grows. reading: as for `items`."""
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
        """The window sees in the folder that it is done."""
        steps = items(self._reading, wanted.film, "shots", looking_for_shots, wanted.film, KeysFolder(wanted.folder))
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
        """Take steps, with pauses, while nothing else is asked for; whether they came to their end."""
        with closing(steps):
            for step in steps:
                if not self._is_latest(wanted):
                    return False
                take(step)
                time.sleep(PAUSE_S / TOLD)
        return True
