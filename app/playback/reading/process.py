"""The process that decodes films for playback, as the player uses it; `worker.py` is what runs there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from framebrush.base.asked_process import AskedProcess
from framebrush.base.json_values import JsonError, from_values, to_values
from framebrush.gpu.frame import Frame
from framebrush.media.video import InputError, Position, VideoFrame, VideoInfo
from framebrush.playback.cache import CACHE_BYTES
from framebrush.playback.reading.memory import Layout, SharedFrames

MORE_SLOTS = 24
"""Beside those of a full `FrameCache`: for frames that are read ahead, on the screen, or lent."""


class ReadingProcess:
    """One for all films of a player. Started by the first request, and again by the first one after its death. Thread-
    safe."""

    def __init__(self) -> None:
        self._process = AskedProcess("decodes it", "framebrush.playback.reading.worker")
        self._lock = threading.Lock()
        self.deaths = 0
        """How often it died, and what it had open was lost."""

    def start(self) -> None:
        """Start it, without waiting for it, so that the first film need not. Raises OSError."""
        with self._lock:
            self._process.start()

    def ask(self, request: dict[str, Any], path: Path) -> dict[str, Any]:
        """The answer to a request about a film. Raises InputError, also if the process dies of it."""
        with self._lock:
            try:
                self._process.start()
                self._process.send(request)
                said = self._process.answer()
            except (RuntimeError, OSError) as error:
                self.deaths += 1
                raise InputError(
                    f"{path}: {error}; check that the file is whole, or convert it to H.264 first"
                ) from error
        if "problem" in said:
            raise InputError(said["problem"])
        return said

    def close(self) -> None:
        """End it for good. A request in work raises InputError."""
        self._process.end()
        with self._lock:
            self._process.close()


class FilmReader:
    """A file that a `ReadingProcess` decodes; a `FrameSource` like `Reader`, whose frames are exactly these."""

    can_seek, has_end, live = True, True, False
    lost_frames, cut_off = 0, False  # `warnings` say so

    _count = 0

    def __init__(self, process: ReadingProcess, path: Path) -> None:
        """Raises InputError."""
        FilmReader._count += 1
        self._number = FilmReader._count
        self._process, self._path, self.name = process, path, path.name
        self._life = -1  # the deaths of the process when the film was opened there
        self._open()
        self._next = 0  # the number of the next frame, to go on there in another life

    def _open(self) -> None:
        said = self._ask({"open": str(self._path)})
        self._life = self._process.deaths
        self.warnings: list[str] = said["warnings"]
        try:
            self.info = replace(from_values(VideoInfo, said["info"], "film"), path=self._path)
        except JsonError as error:
            raise InputError(f"{self._path}: {error}; check that the file is whole") from None
        layout = Layout(self.info.format)
        slots = CACHE_BYTES // layout.counted_bytes + MORE_SLOTS
        self._frames = SharedFrames(layout, slots)
        try:
            self._ask({"memory": self._frames.name, "slots": slots})
        finally:
            self._frames.shared()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release decoder and file. Frames that were returned stay valid. Idempotent."""
        if self._is_open:
            with suppress(InputError):  # it has just died
                self._ask({"close": True})
            self._life = -1

    def __iter__(self) -> Iterator[VideoFrame]:
        return self

    def __next__(self) -> VideoFrame:
        if not self._is_open:
            self.seek(Position(Fraction(self._next), "frame"))
        slot = self._frames.take()
        if slot is None:
            raise MemoryError(f"{self.name}: too many of its frames are kept")
        try:
            said = self._ask({"slot": slot})
        except InputError:
            self._frames.give_back(slot)
            raise
        self.warnings = said["warnings"]
        if "number" not in said:
            self._frames.give_back(slot)
            raise StopIteration
        self._next = said["number"] + 1
        frame: Frame = self._frames.frame(slot)
        return VideoFrame(said["number"], said["pts"], said["duration"], frame)

    def seek(self, position: Position) -> None:
        """As that of `Reader`."""
        if not self._is_open:
            self._open()
        self._ask({"seek": to_values(position)})

    @property
    def _is_open(self) -> bool:
        return self._life == self._process.deaths

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._process.ask({**request, "film": self._number}, self._path)
