"""Shot detection, and distances of frames from painted ones."""

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
from framebrush.painted.painted_folder import PaintedFolder
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
    """Shot to measure. first, end: see `distances`."""

    film: Path
    sha256: str
    keys: tuple[int, ...]
    first: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Unsearched:
    """Film without known shots."""

    film: Path
    folder: Path


class Measuring(LatestWorker[Wanted | Unsearched]):
    """Measures the latest shot or detects shots, with a cache. Errors are silent."""

    def __init__(self, on_line: Callable[[Wanted, Line], None], reading: ReadingProcess | None) -> None:
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
        with closing(steps):
            for step in steps:
                if not self._is_latest(wanted):
                    return False
                take(step)
                time.sleep(PAUSE_S / TOLD)
        return True
