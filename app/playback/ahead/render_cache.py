"""Render cache in memory."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

from framebrush.gpu import host_memory
from framebrush.gpu.frame import Frame
from framebrush.media.video import VideoFrame

if TYPE_CHECKING:
    from framebrush.playback.events import InOutChanged

MEMORY_SHARE = 8
MOST_BYTES = 2 << 30
"""Frames may take an eighth of this machine's memory, and at most two gigabytes: 27 seconds of 1080p at 25 frames per
second, or four minutes of 640x360."""

NEVER = sys.maxsize
"""The turn of a frame that is not going to be played."""


def memory_budget() -> int:
    """Return the bytes that painted frames may take."""
    return min(host_memory.total_bytes() // MEMORY_SHARE, MOST_BYTES)


def frame_bytes(frame: Frame) -> int:
    """Return the size of a frame's samples."""
    return sum(plane.nbytes for plane in frame.planes)


@dataclass(frozen=True, slots=True)
class Painted:
    """Painted frame. number, pts, duration: its source's."""

    number: int
    pts: int
    duration: int
    frame: Frame

    def is_of(self, frame: VideoFrame) -> bool:
        """Return whether a frame is its source."""
        return (self.number, self.pts) == (frame.number, frame.pts)


@dataclass(frozen=True, slots=True)
class Course:
    """Playing order: `here` to `end` (exclusive, None if unknown), then from `first`."""

    here: int = 0
    first: int = 0
    end: int | None = None

    @classmethod
    def of(cls, here: int, count: int | None, marked: InOutChanged, *, loop: bool) -> Course:
        """Return the order with in and out points. count: frames, if known."""
        first = marked.first.number if marked.first else 0
        end = marked.last.number + 1 if loop and marked.last and marked.last.number >= here else count
        return cls(here, first if loop else 0, end)

    def turn(self, number: int) -> int:
        """Return a frame's place in the order, or NEVER."""
        if self.end is not None and number >= self.end:
            return NEVER
        if number >= self.here:
            return number - self.here
        if self.end is None or number < self.first:
            return NEVER
        return max(0, self.end - self.here) + number - self.first

    def numbers(self) -> Iterator[int]:
        """Yield all frame numbers in order."""
        if self.end is None:
            yield from count(self.here)
        else:
            yield from chain(range(self.here, self.end), range(self.first, min(self.here, self.end)))


class RenderCache:
    """Thread-safe cache of painted frames by key and number.

    Evicts least recently used looks, then frames played last.
    """

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self._lock = threading.Lock()
        self._films: OrderedDict[str, dict[int, Painted]] = OrderedDict()  # the most recently used one last
        self._bytes = 0

    def get(self, key: str, number: int) -> Painted | None:
        with self._lock:
            return self._films.get(key, {}).get(number)

    def all(self, key: str) -> list[Painted]:
        """Return a key's frames, in order."""
        with self._lock:
            film = self._films.get(key, {})
            return [film[number] for number in sorted(film)]

    def latest(self, beginning: str) -> str | None:
        """Return the latest used key with a prefix."""
        with self._lock:
            keys = (key for key, film in reversed(self._films.items()) if film and key.startswith(beginning))
            return next(keys, None)

    def use(self, key: str) -> None:
        """Make a key current."""
        with self._lock:
            self._films[key] = self._films.pop(key, {})

    def next_missing(
        self, key: str, numbers: Iterable[int], *, of: Container[int] | None = None, without: Container[int] = ()
    ) -> int | None:
        """Return the first uncached number. of: allowed. without: skipped."""
        with self._lock:
            film = self._films.get(key, {})
            missing = (number for number in numbers if number not in film and number not in without)
            return next((number for number in missing if of is None or number in of), None)

    def add(self, key: str, painted: Painted, course: Course) -> bool:
        """Cache a frame, if there is room."""
        with self._lock:
            film = self._films.setdefault(key, {})
            self._bytes += frame_bytes(painted.frame) - self._size(film.get(painted.number))
            film[painted.number] = painted
            while self._bytes > self.limit_bytes:
                self._drop_one(key, course)
            return painted.number in film

    def clear(self) -> None:
        with self._lock:
            self._films.clear()
            self._bytes = 0

    def _drop_one(self, key: str, course: Course) -> None:
        oldest = next((other for other, film in self._films.items() if film and other != key), key)
        film = self._films[oldest]
        last = max(film, key=course.turn if oldest == key else int)
        self._bytes -= self._size(film.pop(last))

    @staticmethod
    def _size(painted: Painted | None) -> int:
        return frame_bytes(painted.frame) if painted is not None else 0
