"""How far the frames of a shot are from its painted ones, found in the background and kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from framebrush.base.worker_thread import LatestWorker
from framebrush.gpu.errors import DeviceError
from framebrush.media.video import InputError
from framebrush.painted.confidence import distances
from framebrush.playback.reading.process import LostError, ReadingProcess, items

PAUSE_S = 0.03
"""After each part of the work, so that it takes at most half of the reading process while a film plays."""

TOLD = 8
"""Frames between two reports."""

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


class Measuring(LatestWorker[Wanted]):
    """Measures the latest shot that was asked for; what is complete is kept. A film that cannot be read has no line,
    and no error: the player reports it."""

    def __init__(self, on_line: Callable[[Wanted, Line], None], reading: ReadingProcess | None) -> None:
        """on_line: called in this worker's thread with the line as it grows. reading: as for `items`."""
        self._on_line, self._reading = on_line, reading
        self._kept: dict[Wanted, Line] = {}
        super().__init__("confidence")

    def _run(self) -> None:
        for wanted in self._requests():
            if wanted not in self._kept:
                with suppress(InputError, LostError, DeviceError, OSError, ValueError):
                    self._measure(wanted)
            if wanted in self._kept:
                self._on_line(wanted, self._kept[wanted])

    def _measure(self, wanted: Wanted) -> None:
        found: list[tuple[int, float]] = []
        steps = items(self._reading, wanted.film, distances, wanted.film, wanted.keys, wanted.first, wanted.end)
        with closing(steps):
            for step in steps:
                found.append(step)
                if self._ended or self._wanted is not None:
                    return
                if len(found) % TOLD == 0:
                    self._on_line(wanted, tuple(found))
                time.sleep(PAUSE_S / TOLD)
        self._kept[wanted] = tuple(found)
