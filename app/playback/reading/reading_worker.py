"""Process that reads files for playback, for `reading_process.py`.

Requests (see `base/child.py`):

- {"work"}: call a function and return its result
- {"open": number, "work"}: create an object, until {"close": number}
- {"do": number, "work"}: call a function with the object
- {"begin": number, "work"}: start a generator function with it
- {"some": number}: return the generator's next items, none at the end

Work is a pickled call, in base64: both processes have equal rights. Answers are `error_report`, or {"bytes"} and a
pickled result.
"""

from __future__ import annotations

import mmap
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
from framebrush.gpu.errors import DeviceError, error_report
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, OpenOptions, OutputError, Position, VideoFrame, VideoInfo
from framebrush.playback.reading.shared_frames import SlotLayout, open_shared

DECODED_AHEAD = 2
"""Frames decoded ahead, so that decoders work while a frame is copied to shared memory."""

MOST_ITEMS, ITEMS_S = 8, 0.03
"""Maximum number of items per answer, and seconds after which no further item is added, because a film may be playing.
That many sound blocks last an eighth of a second, enough to wait for a slow frame; that many subtitle pictures fit
memory.
"""

Facts = tuple[int, int, int]
"""Number, pts and duration of a frame."""


class Film(Closing):
    """Open film, with shared memory for its frames."""

    def __init__(self, path: Path, opening: OpenOptions) -> None:
        self._reader = Reader(path, opening=opening)
        self._layout = SlotLayout(self._reader.info.format)
        self._memory: mmap.mmap | None = None
        self._ahead: Prefetcher[VideoFrame] | None = None

    def facts(self) -> tuple[VideoInfo, list[str]]:
        """Return facts and warnings."""
        return self._reader.info, self._reader.warnings

    def share(self, name: str, slots: int) -> None:
        """Use a `SharedFrames` by name. Raises OSError."""
        self._memory = open_shared(name, slots * self._layout.size_bytes)

    def seek(self, position: Position) -> None:
        """Seek as `Reader` does."""
        self._stop()
        self._reader.seek(position)

    def next(self, slot: int) -> tuple[Facts | None, list[str]]:
        """Write the next frame to a slot; return facts (None at the end) and warnings.

        Raises InputError.
        """
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
        yield from iter(partial(next, self._reader, None), None)

    def _stop(self) -> None:
        if self._ahead is not None:
            self._ahead.close()
            self._ahead = None

    def close(self) -> None:
        self._stop()
        self._reader.close()
        self._memory = None


class Closable(Protocol):
    """Objects that can be kept open."""

    def close(self) -> None:
        """Release everything."""


class Kept:
    """Open object and its running generator."""

    def __init__(self, thing: Closable) -> None:
        self.thing = thing
        self.items: Iterator[object] = iter(())

    def some(self) -> list[object]:
        """Return the next items; none at the end."""
        until_s, found = time.perf_counter() + ITEMS_S, list[object]()
        for item in self.items:
            found.append(item)
            if len(found) == MOST_ITEMS or time.perf_counter() >= until_s:
                break
        return found


def carry_out(kept: dict[int, Kept], request: dict[str, Any]) -> object:
    """Return a request's result. Raises the work's errors."""
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
    """Unpickle work as a function."""
    function, given, named = pickle.loads(b64decode(text))
    return lambda *kept: function(*kept, *given, **named)


def answer(kept: dict[int, Kept], request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Return a request's answer. Raises only on bugs."""
    try:
        data = pickle.dumps(carry_out(kept, request))
    except (InputError, OutputError, DeviceError, av.error.FFmpegError, OSError, ValueError, MemoryError) as error:
        return error_report(error), b""
    return {"bytes": len(data)}, data


def main() -> None:
    """Run the process."""
    requests: SimpleQueue[dict[str, Any]] = SimpleQueue()
    parent.listen(requests.put)
    kept: dict[int, Kept] = {}
    while True:
        parent.report(*answer(kept, requests.get()))


if __name__ == "__main__":
    main()
