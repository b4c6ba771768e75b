"""Choice of a network's fastest engine, measured once per card."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import closing
from typing import Generic, NamedTuple, Protocol, TypeVar

from framebrush.gpu import kernel_cache
from framebrush.gpu.errors import DeviceError, DeviceLostError, DriverFaultError, OutOfMemoryError

MEASURED_S = 0.3
"""Seconds of measurement for each engine, after a first frame."""

BATCH = 8  # frames between two waits
PROCESSOR_S = 1e-5
"""Seconds per pixel that no graphics card needs. Not every adapter that computes on the processor says so."""


class Closable(Protocol):
    """Object that can be closed."""

    def close(self) -> None: ...


E = TypeVar("E", bound=Closable)


class Opened(NamedTuple, Generic[E]):
    """Engine with its name and a message for users."""

    engine: E
    name: str
    note: str = ""


class Ways(Generic[E]):
    """Openers of engines by name, the default first."""

    def __init__(self, ways: dict[str, Callable[[], E]], words: Callable[[str], str]) -> None:
        self._ways, self._words = ways, words

    def first(self, name: str = "") -> Opened[E]:
        """Open the named engine, or the first that works."""
        failed: dict[str, DeviceError] = {}
        for way in sorted(self._ways, key=lambda way: way != name):
            try:
                return Opened(self._ways[way](), way, self._note(way, failed))
            except (OutOfMemoryError, DeviceLostError):
                raise
            except DeviceError as error:
                failed[way] = error
        raise next(iter(failed.values()))

    def fastest(
        self, facts: object, frame_s: Callable[[E], float], is_enough: Callable[[str, float], bool] = lambda *_: False
    ) -> Opened[E]:
        """Open the fastest working engine. Raises the first error.

        facts: cache key. frame_s: measures seconds per frame. is_enough: ends the search.
        """
        key = hashlib.sha256(repr((facts, list(self._ways))).encode()).hexdigest()[:32]
        kept = kernel_cache.cache_folder("engines") / key
        name = (kernel_cache.read(kept) or b"").decode()
        if name in self._ways:
            return self.first(name)
        measured: dict[str, float] = {}
        changeable = False  # a failure may end without another driver, which is among the facts
        failed: dict[str, DeviceError] = {}
        for way, opened in self._ways.items():
            try:
                with closing(opened()) as engine:
                    measured[way] = frame_s(engine)
                if is_enough(way, measured[way]):
                    break
            except (OutOfMemoryError, DeviceLostError):
                raise
            except DeviceError as error:
                failed[way] = error
                changeable |= not isinstance(error, DriverFaultError)
        if not measured:
            raise next(iter(failed.values()))
        best = min(measured, key=lambda way: measured[way])
        if not changeable:
            kernel_cache.keep(kept, best.encode())
        return Opened(self._ways[best](), best, self._note(best, failed))

    def _note(self, way: str, failed: dict[str, DeviceError]) -> str:
        others = list(failed.items())[:1]
        return "".join(f"{self._words(way)} paints instead of {self._words(other)}: {why}" for other, why in others)


def frame_s(run: Callable[[], object], wait: Callable[[], object], pixels: int) -> float:
    """Measure seconds per frame. run: queues a frame. wait: blocks."""
    run()
    wait()
    end, frames, best = time.perf_counter() + MEASURED_S, 1, float("inf")
    while best == float("inf") or time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(frames):
            run()
        wait()
        best, frames = min(best, (time.perf_counter() - begin) / frames), BATCH
        if is_slow(best, pixels):
            break
    return best


def is_slow(seconds: float, pixels: int) -> bool:
    return seconds > PROCESSOR_S * pixels
