"""The process that decodes films for playback, as the player uses it; `reading_worker.py` is what runs there."""

from __future__ import annotations

import pickle
import threading
from base64 import b64encode
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numpy as np

from framebrush.base.asked_process import AskedProcess
from framebrush.base.closing import Closing
from framebrush.base.json_values import JsonError, from_values, to_values
from framebrush.gpu.frame import Frame
from framebrush.media.frame_source import local_path, open_frame_source
from framebrush.media.reading.subtitles import Cue, SubtitleTrack
from framebrush.media.video import PLAIN_FILE, FrameSource, InputError, OpenOptions, Position, VideoFrame, VideoInfo
from framebrush.playback.cache import CACHE_BYTES
from framebrush.playback.reading.deadly import Deadly, DiedError
from framebrush.playback.reading.memory import Layout, SharedFrames
from framebrush.playback.reading.samples import CHANNELS, Samples
from framebrush.playback.reading.thumbnails import Picture
from framebrush.styles.pictures import Decoded, decode

MORE_SLOTS = 24
"""Beside those of a full `FrameCache`: for frames that are read ahead, on the screen, or lent."""


PIECE_SAMPLES = 1024
"""Of sound, as decoders give it; `Sound` counts on that."""

Given = ParamSpec("Given")
Result = TypeVar("Result")


class LostError(Exception):
    """What a request is about was lost with an earlier process."""


class ReadingProcess:
    """One for all files that a window reads. Started by the first request, and again by the first one after its death.
    What it has died of is not tried again, but for places of a film, which is decoded ahead and played as far as it
    goes. Thread-safe; who has waited longest is next."""

    def __init__(self) -> None:
        self._process = AskedProcess("decodes it", "framebrush.playback.reading.reading_worker")
        self._queue, self._turn = threading.Lock(), threading.Lock()
        self._numbers = count()
        self._doing: dict[int, Hashable] = {}  # with what is open
        self._films: set[int] = set()
        self._deadly = Deadly()
        self.deaths = 0
        """How often it died, and what it had open was lost."""

    def start(self) -> None:
        """Start it, without waiting for it, so that the first film need not. Raises OSError."""
        with self._turn:
            self._process.start()

    def open(self, request: dict[str, Any], path: Path, doing: Hashable) -> tuple[int, int, dict[str, Any]]:
        """Open something there; returns its number, that of the process's life, and the answer. doing: what is done
        with the file. Raises InputError, DiedError."""
        number = next(self._numbers)
        life, said = self._ask({**request, "number": number}, path, None, doing)
        return number, life, said

    def ask(self, request: dict[str, Any], path: Path, number: int, life: int) -> dict[str, Any]:
        """The answer to a request about what was opened. Raises InputError, DiedError, LostError."""
        doing = None if "close" in request else self._doing.get(number)
        return self._ask({**request, "number": number}, path, life, doing)[1]

    def _ask(
        self, request: dict[str, Any], path: Path, life: int | None, doing: Hashable
    ) -> tuple[int, dict[str, Any]]:
        with self._queue:
            self._turn.acquire()
        deed: Hashable = None
        try:
            if life not in (None, self.deaths):
                raise LostError
            deed = self._deadly.check(path, doing)
            certain = not self._films and not self._process.has_ended
            self._process.start()
            self._process.send(request)
            said = self._process.answer()
            if "bytes" in said:
                said["data"] = bytearray(said["bytes"])
                self._process.receive(memoryview(said["data"]))
            life = self.deaths
            if "problem" not in said:
                self._note(request, doing)
        except (RuntimeError, OSError) as error:
            self.deaths += 1
            words = f"{path}: {error}; check that the file is whole, or convert it to H.264 first"
            self._deadly.add(deed, words, certain=certain)
            self._films.clear()
            self._doing.clear()
            raise DiedError(words) from error
        finally:
            self._turn.release()
        if "problem" in said:
            raise InputError(said["problem"])
        return life, said

    def _note(self, request: dict[str, Any], doing: Hashable) -> None:
        """What is open after a request."""
        number = request["number"]
        if "open" in request:
            self._films.add(number)
        elif "close" in request:
            self._films.discard(number)
            self._doing.pop(number, None)
        elif number not in self._films and "call" not in request:
            self._doing[number] = doing

    def samples(self, path: Path, at_s: float, speed: float, track: int) -> Iterator[Samples]:
        """As `sound.decode`. Raises InputError, DiedError, LostError."""
        request = {"hear": str(path), "at_s": at_s, "speed": speed, "track": track}
        with Far(self, request, path, ("hear", track)) as far:
            while data := far.ask({"block": True})["data"]:
                block = np.frombuffer(data, np.float32).reshape(-1, CHANNELS)
                for begin in range(0, len(block), PIECE_SAMPLES):
                    yield block[begin : begin + PIECE_SAMPLES]

    def call(self, path: Path, function: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """What a function of a module that knows no Qt returns there. path: of the file that it reads. Raises
        InputError."""
        return self._call(path, function.__qualname__, partial(function, *given, **named))

    def items(
        self, path: Path, function: Callable[Given, Iterable[Result]], *given: Given.args, **named: Given.kwargs
    ) -> Iterator[Result]:
        """What a function of a module that knows no Qt yields there, a little at a time, so that others get their turn.
        path: of the file that it reads. Raises InputError, LostError."""
        request = {"items": as_text(partial(function, *given, **named))}
        with Far(self, request, path, ("items", function.__qualname__)) as far:
            while found := pickle.loads(far.ask({"some": True})["data"]):
                yield from found

    def film(self, path: Path, opening: OpenOptions = PLAIN_FILE) -> FilmReader:
        """As `Reader`. Raises InputError."""
        return FilmReader(self, path, opening)

    def picture(self, path: str, place: Position | None) -> Decoded:
        """As `pictures.decode`. Raises InputError."""
        return self._call(Path(path), ("picture", place), partial(decode, path, place))

    def _call(self, path: Path, doing: Hashable, function: partial[Result]) -> Result:
        said = self.open({"call": as_text(function)}, path, doing)[2]
        result: Result = pickle.loads(said["data"])
        return result

    def close(self) -> None:
        """End it for good. A request in work raises InputError."""
        self._process.end()
        with self._turn:
            self._process.close()


class Far(Closing):
    """What a `ReadingProcess` has open, until it is closed or the process dies."""

    def __init__(self, process: ReadingProcess, request: dict[str, Any], path: Path, doing: Hashable) -> None:
        """See `ReadingProcess.open`. Raises InputError, DiedError."""
        self._process, self._path = process, path
        self._number, self._life, self.said = process.open(request, path, doing)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request about it. Raises InputError, DiedError, LostError."""
        return self._process.ask(request, self._path, self._number, self._life)

    def close(self) -> None:
        """Release decoder and file. Idempotent."""
        with suppress(InputError, LostError):  # it has died
            self.ask({"close": True})
        self._life = -1


class FilmReader(FrameSource):
    """A file that a `ReadingProcess` decodes, as `Reader` does, whose frames are exactly these. Where the
    process dies of something else, it goes on in the next one."""

    can_seek = True  # of lost frames and an end that is cut off the warnings tell

    def __init__(self, process: ReadingProcess, path: Path, opening: OpenOptions = PLAIN_FILE) -> None:
        """Raises InputError."""
        self._process, self._path, self._opening, self.name = process, path, opening, path.name
        self._place = Position(Fraction(0), "frame")  # of the next frame
        self._open()

    def _open(self) -> None:
        request = {"open": str(self._path), "opening": to_values(self._opening)}
        self._far = Far(self._process, request, self._path, "film")
        said = self._far.said
        self._warnings: list[str] = said["warnings"]
        try:
            self.info = replace(from_values(VideoInfo, said["info"], "film"), path=self._path)
        except JsonError as error:
            raise InputError(f"{self._path}: {error}; check that the file is whole") from None
        layout = Layout(self.info.format)
        slots = CACHE_BYTES // layout.counted_bytes + MORE_SLOTS
        self._frames = SharedFrames(layout, slots)
        try:
            self._far.ask({"memory": self._frames.name, "slots": slots})
        finally:
            self._frames.shared()

    def close(self) -> None:
        """Release decoder and file. Frames that were returned stay valid. Idempotent."""
        self._far.close()

    @property
    def warnings(self) -> list[str]:
        """As those of `Reader`."""
        return self._warnings

    def __next__(self) -> VideoFrame:
        try:
            return self._read()
        except LostError:
            self.seek(self._place)
            return self._read()

    def _read(self) -> VideoFrame:
        slot = self._frames.take()
        if slot is None:
            raise MemoryError(f"{self.name}: too many of its frames are kept")
        said: dict[str, Any] = {}
        try:
            said = self._far.ask({"slot": slot})
        finally:
            if "number" not in said:
                self._frames.give_back(slot)
        self._warnings = said["warnings"]
        if "number" not in said:
            raise StopIteration
        self._place = Position(Fraction(said["number"] + 1), "frame")
        frame: Frame = self._frames.frame(slot)
        return VideoFrame(said["number"], said["pts"], said["duration"], frame)

    def seek(self, position: Position) -> None:
        """As that of `Reader`."""
        self._place = position
        request = {"seek": to_values(position)}
        try:
            self._far.ask(request)
        except LostError:
            self._open()
            self._far.ask(request)


def call(
    reading: ReadingProcess | None,
    path: Path,
    function: Callable[Given, Result],
    *given: Given.args,
    **named: Given.kwargs,
) -> Result:
    """As `ReadingProcess.call`; without one, in this process."""
    if reading is None:
        return function(*given, **named)
    return reading.call(path, function, *given, **named)


def items(
    reading: ReadingProcess | None,
    path: Path,
    function: Callable[Given, Iterable[Result]],
    *given: Given.args,
    **named: Given.kwargs,
) -> Generator[Result, None, None]:
    """As `ReadingProcess.items`; without one, in this process."""
    if reading is None:
        yield from function(*given, **named)
    else:
        yield from reading.items(path, function, *given, **named)


def open_film(source: str, reading: ReadingProcess | None) -> FrameSource:
    """As `open_frame_source`. reading: decodes it if it is a file; without it, this process does."""
    path = local_path(source)
    return open_frame_source(source) if reading is None or path is None else reading.film(path)


def as_text(item: object) -> str:
    """An item that the process takes."""
    return b64encode(pickle.dumps(item)).decode()


class FarSubtitles(Far):
    """As `SubtitleReader`, decoded by a `ReadingProcess`."""

    def __init__(self, process: ReadingProcess, track: SubtitleTrack) -> None:
        """Raises InputError."""
        super().__init__(process, {"subtitles": as_text(track)}, track.path, ("subtitles", track.number))

    def cues(self, from_s: float) -> Iterator[tuple[float, Cue | None]]:
        """As `SubtitleReader.cues`. Raises InputError, LostError."""
        request: dict[str, Any] = {"from_s": from_s}
        while steps := pickle.loads(self.ask(request)["data"]):
            yield from steps
            request = {"more": True}


class FarThumbnails(Far):
    """As `Thumbnails`, decoded by a `ReadingProcess`."""

    def __init__(self, process: ReadingProcess, path: Path, info: VideoInfo) -> None:
        """Raises InputError."""
        request = {"thumbnails": str(path), "info": to_values(replace(info, path=None))}
        super().__init__(process, request, path, "thumbnails")

    def picture(self, time_s: float) -> Picture | None:
        """See `Thumbnails.picture`. Raises InputError, LostError."""
        said = self.ask({"at": time_s})
        if "bytes" not in said:
            return None
        return np.frombuffer(said["data"], np.uint8).reshape(said["height"], said["width"], 3)
