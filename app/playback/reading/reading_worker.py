"""Read files for playback in a separate process: python -m framebrush.playback.reading.reading_worker.

`process.py` is the other end. The requests (see `base/child.py`) are {"work"}, for what the work returns; {"open": a
number, "work"}, which returns what is kept under that number, until {"close": the number}; {"do": a number, "work"},
which is given what is kept, for what it returns; {"begin": a number, "work"}, likewise, for what it yields; and
{"some": a number}, for the next items of that, none at the end. Work is a function with its arguments, pickled, as
base64: both processes are this program, and either may do what the other may. The answers are {"problem": why it cannot
be done}, and {"bytes"}, which are followed by what was asked for, pickled.
"""

from __future__ import annotations

import mmap
import os
import pickle
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

import av
import numpy as np

from framebrush.base import parent
from framebrush.base.closing import Closing
from framebrush.base.prefetch import Prefetcher
from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, OpenOptions, OutputError, Position, VideoFrame, VideoInfo
from framebrush.playback.reading.memory import Layout, open_shared

DECODED_AHEAD = 2
"""So that decoders work while a frame is written to where it is read."""

MOST_ITEMS, ITEMS_S = 8, 0.03
"""How many items are in one answer, and how long the work for it may take, but for the last item: a film may be played
meanwhile. So many blocks of sound are about an eighth of a second, which can wait for a frame that takes long; and so
many pictures of subtitles do not fill the memory."""

Facts = tuple[int, int, int]
"""Number, pts and duration of a frame."""


class Film(Closing):
    """One open film, and the memory that its frames are written to."""

    def __init__(self, path: Path, opening: OpenOptions) -> None:
        """Raises InputError."""
        self._reader = Reader(path, opening=opening)
        self._layout = Layout(self._reader.info.format)
        self._memory: mmap.mmap | None = None
        self._ahead: Prefetcher[VideoFrame] | None = None

    def facts(self) -> tuple[VideoInfo, list[str]]:
        """What is known of it, and its warnings."""
        return self._reader.info, self._reader.warnings

    def share(self, name: str, slots: int) -> None:
        """Write frames to the `SharedFrames` of that name. Raises OSError."""
        self._memory = open_shared(name, slots * self._layout.size_bytes)

    def seek(self, position: Position) -> None:
        """As that of `Reader`."""
        self._stop()
        self._reader.seek(position)

    def next(self, slot: int) -> tuple[Facts | None, list[str]]:
        """Write the next frame to a slot; its facts, None where the film ends, and all warnings so far. Raises
        InputError."""
        assert self._memory is not None
        if self._ahead is None:
            self._ahead = Prefetcher(self._frames(), depth=DECODED_AHEAD, name="decode")
        try:
            frame = next(self._ahead, None)
        except InputError:
            self._stop()
            raise
        if frame is None:
            return None, self._reader.warnings
        host = frame.host
        into = self._layout.frame(self._memory, slot * self._layout.size_bytes)
        for plane, target in zip(host.planes, into.planes, strict=True):
            np.copyto(target, plane)
        if into.alpha is not None and host.alpha is not None:
            np.copyto(into.alpha, host.alpha)
        return (frame.number, frame.pts, frame.duration), self._reader.warnings

    def _frames(self) -> Iterator[VideoFrame]:
        """Those of the reader, which stays open where a `Prefetcher` closes what it reads."""
        yield from iter(partial(next, self._reader, None), None)

    def _stop(self) -> None:
        if self._ahead is not None:
            self._ahead.close()
            self._ahead = None

    def close(self) -> None:
        """Release decoder, file and memory."""
        self._stop()
        self._reader.close()
        self._memory = None


class Closable(Protocol):
    """What can be kept open."""

    def close(self) -> None:
        """Release everything."""


class Kept:
    """What was opened, and what it yields."""

    def __init__(self, thing: Closable) -> None:
        self.thing = thing
        self.items: Iterator[object] = iter(())

    def some(self) -> list[object]:
        """The next items, at least one; none at the end."""
        until_s, found = time.perf_counter() + ITEMS_S, list[object]()
        for item in self.items:
            found.append(item)
            if len(found) == MOST_ITEMS or time.perf_counter() >= until_s:
                break
        return found


def carry_out(kept: dict[int, Kept], request: dict[str, Any]) -> object:
    """Do what is requested; what is asked for. Raises what the work raises."""
    match request:
        case {"close": number}:
            kept.pop(number).thing.close()
        case {"some": number}:
            return kept[number].some()
        case {"open": number, "work": work}:
            kept[number] = Kept(unpacked(work)())
        case {"do": number, "work": work}:
            return unpacked(work)(kept[number].thing)
        case {"begin": number, "work": work}:
            kept[number].items = iter(unpacked(work)(kept[number].thing))
        case {"work": work}:
            return unpacked(work)()
    return None


def unpacked(text: str) -> Callable[..., Any]:
    """The work of a request, which takes what is kept before its own arguments."""
    function, given, named = pickle.loads(b64decode(text))
    return lambda *kept: function(*kept, *given, **named)


def answer(kept: dict[int, Kept], request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Do what is requested, and say what came of it. Raises what is a bug of ours."""
    try:
        data = pickle.dumps(carry_out(kept, request))
    except (InputError, OutputError, DeviceError) as error:
        return {"problem": str(error)}, b""
    except (av.error.FFmpegError, OSError, ValueError) as error:
        return {"problem": first_line(error)}, b""
    return {"bytes": len(data)}, data


def main() -> None:
    """Entry point of the process."""
    requests: SimpleQueue[dict[str, Any]] = SimpleQueue()
    parent.listen(requests.put, lambda: os._exit(0))
    kept: dict[int, Kept] = {}
    while True:
        parent.say(*answer(kept, requests.get()))


if __name__ == "__main__":
    main()
