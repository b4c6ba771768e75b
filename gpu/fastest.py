"""Which of several engines runs a network: the fastest on this card, measured once and kept."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import closing
from typing import Generic, NamedTuple, Protocol, TypeVar

from framebrush.gpu import kernel_cache
from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError

MEASURED_S = 0.3
"""How long each engine runs to be measured, after a first frame."""

BATCH = 8  # frames between two waits
PROCESSOR_S = 1e-5
"""Seconds for a pixel that no graphics card takes: an adapter that computes on the processor does not always say so."""


class Closing(Protocol):
    """What has an end."""

    def close(self) -> None:
        """Release it."""


E = TypeVar("E", bound=Closing)


class Opened(NamedTuple, Generic[E]):
    """An engine, its name, and what the user should know about it, '' for nothing."""

    engine: E
    name: str
    note: str = ""


class Ways(Generic[E]):
    """What opens each engine, by its name, the one to take unmeasured first. words: what a person calls one."""

    def __init__(self, ways: dict[str, Callable[[], E]], words: Callable[[str], str]) -> None:
        self._ways, self._words = ways, words

    def first(self, name: str = "") -> Opened[E]:
        """The engine of that name, or else the first, or the next that works. Raises what the first raised where none
        does."""
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
        """The fastest that works. facts: all that the choice depends on, besides the names. frame_s: seconds that a
        frame takes. is_enough: whether no other need be tried after one with such a time. Raises what the first raised
        where none works."""
        key = hashlib.sha256(repr((facts, list(self._ways))).encode()).hexdigest()[:32]
        kept = kernel_cache.cache_folder("engines") / key
        name = (kernel_cache.read(kept) or b"").decode()
        if name in self._ways:
            return self.first(name)
        measured: dict[str, float] = {}
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
        if not measured:
            raise next(iter(failed.values()))
        best = min(measured, key=lambda way: measured[way])
        if not failed:
            kernel_cache.keep(kept, best.encode())
        return Opened(self._ways[best](), best, self._note(best, failed))

    def _note(self, way: str, failed: dict[str, DeviceError]) -> str:
        others = list(failed.items())[:1]
        return "".join(f"{self._words(way)} paints instead of {self._words(other)}: {why}" for other, why in others)


def frame_s(run: Callable[[], object], wait: Callable[[], object], pixels: int) -> float:
    """Seconds that a frame of so many pixels takes. run: queues one. wait: for all that are queued."""
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
    """Whether a frame of so many pixels takes longer than any graphics card does."""
    return seconds > PROCESSOR_S * pixels
