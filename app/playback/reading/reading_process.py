"""Client of the process that reads files for playback."""

from __future__ import annotations

import pickle
import threading
from base64 import b64encode
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from framebrush.base.closing import Closing
from framebrush.base.request_process import RequestProcess
from framebrush.gpu.errors import is_memory_full, reported_error
from framebrush.gpu.frame import Frame
from framebrush.media.sources.frame_source import local_path, open_frame_source
from framebrush.media.video import PLAIN_FILE, FrameSource, InputError, OpenOptions, Position, VideoFrame
from framebrush.playback.reading.crash_list import Deadly, DiedError
from framebrush.playback.reading.decoded_cache import CACHE_BYTES
from framebrush.playback.reading.reading_worker import Closable, Film
from framebrush.playback.reading.shared_frames import SharedFrames, SlotLayout
from framebrush.styles.reference_pictures import Decoded, decode

MORE_SLOTS = 24
"""Slots beyond those of a full `FrameCache`: for frames read ahead, on the screen, or lent."""

FILM = "film"
"""Operation in the crash list: opening a film for its frames."""

Given = ParamSpec("Given")
Result = TypeVar("Result")
Item = TypeVar("Item")
Thing = TypeVar("Thing", bound=Closable)


class LostError(Exception):
    """Object lost with an earlier process."""


class ReadingProcess:
    """Window's reading process. Thread-safe; requests run in order.

    The first request starts it, also after a crash. Crashing requests are not repeated, except seeks.
    """

    def __init__(self) -> None:
        self._process = RequestProcess("decodes it", "framebrush.playback.reading.reading_worker")
        self._queue, self._turn = threading.Lock(), threading.Lock()
        self._numbers = count()
        self._films: set[int] = set()  # numbers of the open films
        self._deadly = Deadly()
        self.deaths = 0
        """Number of crashes so far; each lost all open objects."""

    def start(self) -> None:
        """Start without waiting. Raises OSError."""
        with self._turn:
            self._process.start()

    def ask(self, request: dict[str, Any], path: Path, doing: Hashable, life: int | None = None) -> tuple[int, Any]:
        """Send a request; return the process's number and its answer.

        path: file that it reads. doing: as for `Deadly.check`. life: required process. Raises InputError, DiedError,
        LostError.
        """
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
            if "problem" in said:
                error = reported_error(said)
                raise InputError(str(error)) from (error if is_memory_full(error) else None)
            data = bytearray(said["bytes"])
            self._process.receive(memoryview(data))
            if doing == FILM:
                self._films.add(request["open"])
            self._films.discard(request.get("close"))
            return self.deaths, pickle.loads(data)
        except (RuntimeError, OSError) as error:
            self.deaths += 1
            words = f"{path}: {error}; check that the file is whole, or convert it to H.264 first"
            self._deadly.add(deed, words, certain=certain)
            self._films.clear()
            raise DiedError(words) from error
        finally:
            self._turn.release()

    def number(self) -> int:
        """Return a new object's number."""
        return next(self._numbers)

    def call(self, path: Path, function: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """Call a function there, which reads `path`. Raises InputError."""
        result: Result = self.ask(work(function, given, named), path, function.__qualname__)[1]
        return result

    def film(self, path: Path, opening: OpenOptions = PLAIN_FILE) -> FilmReader:
        """Open a film, as `Reader`. Raises InputError."""
        return FilmReader(self, path, opening)

    def picture(self, path: str, place: Position | None) -> Decoded:
        """Decode a picture, as `pictures.decode`. Raises InputError."""
        decoded: Decoded = self.ask(work(decode, (path, place)), Path(path), ("picture", place))[1]
        return decoded

    def end(self) -> None:
        """End the process permanently; requests raise InputError."""
        self._process.end()

    def close(self) -> None:
        self.end()
        with self._turn:
            self._process.close()


class Far(Closing, Generic[Thing]):
    """Object in a `ReadingProcess`.

    Methods take functions of Qt-free modules, and raise InputError, DiedError, LostError.
    """

    def __init__(
        self,
        process: ReadingProcess,
        path: Path,
        doing: Hashable,
        make: Callable[Given, Thing],
        *given: Given.args,
        **named: Given.kwargs,
    ) -> None:
        """Create the object there. doing: as for `Deadly.check`."""
        self._process, self._path, self._number = process, path, process.number()
        self._life, _ = process.ask({"open": self._number, **work(make, given, named)}, path, doing)
        self._doing = None if doing == FILM else doing  # a film may crash in one place and not in others

    def do(
        self, function: Callable[Concatenate[Thing, Given], Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Call a function with the object."""
        result: Result = self._ask({"do": self._number, **work(function, given, named)}, self._doing)
        return result

    def each(
        self, function: Callable[Concatenate[Thing, Given], Iterable[Item]], *given: Given.args, **named: Given.kwargs
    ) -> Iterator[Item]:
        """Yield a generator function's items, batched."""
        self._ask({"begin": self._number, **work(function, given, named)}, self._doing)
        while some := self._ask({"some": self._number}, self._doing):
            yield from some

    def close(self) -> None:
        """Close the object there."""
        with suppress(InputError, LostError):  # the process has died
            self._ask({"close": self._number}, None)
        self._life = -1

    def _ask(self, request: dict[str, Any], doing: Hashable) -> Any:  # noqa: ANN401 - what it is asked for
        return self._process.ask(request, self._path, doing, self._life)[1]


class Near(Closing, Generic[Thing]):
    """Like `Far`, but in this process."""

    def __init__(self, make: Callable[Given, Thing], *given: Given.args, **named: Given.kwargs) -> None:
        self._thing = make(*given, **named)

    def do(
        self, function: Callable[Concatenate[Thing, Given], Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """See `Far.do`."""
        return function(self._thing, *given, **named)

    def each(
        self, function: Callable[Concatenate[Thing, Given], Iterable[Item]], *given: Given.args, **named: Given.kwargs
    ) -> Iterator[Item]:
        """See `Far.each`."""
        yield from function(self._thing, *given, **named)

    def close(self) -> None:
        """Close the object."""
        self._thing.close()


class FilmReader(FrameSource):
    """`Reader` in a `ReadingProcess`, which survives crashes by other requests."""

    can_seek = True  # warnings report lost frames and a truncated end

    def __init__(self, process: ReadingProcess, path: Path, opening: OpenOptions = PLAIN_FILE) -> None:
        self._process, self._path, self._opening, self.name = process, path, opening, path.name
        self._place = Position.of_frame(0)  # of the next frame
        self._open()

    def _open(self) -> None:
        self._far = Far(self._process, self._path, FILM, Film, self._path, self._opening)
        self.info, self._warnings = self._far.do(Film.facts)
        layout = SlotLayout(self.info.format)
        slots = CACHE_BYTES // layout.counted_bytes + MORE_SLOTS
        self._frames = SharedFrames(layout, slots)
        try:
            self._far.do(Film.share, self._frames.name, slots)
        finally:
            self._frames.shared()

    def close(self) -> None:
        self._far.close()

    @property
    def warnings(self) -> list[str]:
        """The reader's warnings."""
        return self._warnings

    def __next__(self) -> VideoFrame:
        try:
            return self._read()
        except LostError:
            self.seek(self._place)
            return self._read()

    def _read(self) -> VideoFrame:
        slot = self._frames.reserve()
        if slot is None:
            raise MemoryError(f"{self.name}: too many of its frames are kept")
        facts = None
        try:
            facts, self._warnings = self._far.do(Film.next, slot)
        finally:
            if facts is None:
                self._frames.give_back(slot)
        if facts is None:
            raise StopIteration
        self._place = Position.of_frame(facts[0] + 1)
        frame: Frame = self._frames.frame(slot)
        return VideoFrame(*facts, frame)

    def seek(self, position: Position) -> None:
        """Seek as `Reader` does."""
        self._place = position
        try:
            self._far.do(Film.seek, position)
        except LostError:
            self._open()
            self._far.do(Film.seek, position)


def work(
    function: Callable[..., object], given: tuple[object, ...], named: Mapping[str, object] = MappingProxyType({})
) -> dict[str, str]:
    """Return a function call for a request."""
    return {"work": b64encode(pickle.dumps((function, given, dict(named)))).decode()}


def opened(
    reading: ReadingProcess | None,
    path: Path,
    doing: Hashable,
    make: Callable[Given, Thing],
    *given: Given.args,
    **named: Given.kwargs,
) -> Far[Thing] | Near[Thing]:
    """Open an object as `Far` or `Near`."""
    if reading is None:
        return Near(make, *given, **named)
    return Far(reading, path, doing, make, *given, **named)


def call(
    reading: ReadingProcess | None,
    path: Path,
    function: Callable[Given, Result],
    *given: Given.args,
    **named: Given.kwargs,
) -> Result:
    """Call as `ReadingProcess.call`, or here."""
    if reading is None:
        return function(*given, **named)
    return reading.call(path, function, *given, **named)


def items(
    reading: ReadingProcess | None,
    path: Path,
    doing: Hashable,
    function: Callable[Given, Generator[Item, None, None]],
    *given: Given.args,
    **named: Given.kwargs,
) -> Generator[Item, None, None]:
    """Yield a generator function's items; see `Far.each`."""
    with opened(reading, path, doing, function, *given, **named) as generator:
        yield from generator.each(iter)


def open_film(source: str, reading: ReadingProcess | None) -> FrameSource:
    """Open a film. reading: decodes, if given."""
    path = local_path(source)
    return open_frame_source(source) if reading is None or path is None else reading.film(path)
