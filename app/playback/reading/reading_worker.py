"""Decode films for playback in a separate process: python -m framebrush.playback.reading.reading_worker.

`process.py` is the other end. The requests (see `base/child.py`) have the "number" of what they open or ask: {"open": a
path, "opening": the `OpenOptions`}, a film; {"memory": the name of a `SharedFrames`, "slots"}, for its frames; {"seek":
a position}, there; {"slot"}, for the next frame, in this slot; {"hear": a path, "at_s", "speed", "track"}, sound;
{"block": true}, for more of it; {"subtitles": a `SubtitleTrack`}, its cues; {"from_s"}, for the first of them from
there on; {"more": true}, for the following ones; {"call": a function with its arguments}, for what it returns;
{"thumbnails": a path, "info": of the film}; {"at": a time}, for one of them; {"items": a function with its arguments},
which yields items; {"some": true}, for the next of them; {"close": true}. The answers: {"problem": why it cannot be
done}, or for a film {"info": the `VideoInfo` without its path, "warnings"}, for a frame {"number", "pts", "duration",
"warnings"}, without "number" where the film ends, for a block {"bytes": how many follow, 0 at the end}, for cues
{"bytes"}, a list of what `SubtitleReader.cues` yields, empty at the end, likewise for items, for a call {"bytes"}, for
a thumbnail {"bytes", "height", "width"} if there is one, else {}. Python's own objects are pickled, in requests as
base64: both processes are this program, and either may do what the other may.
"""

from __future__ import annotations

import mmap
import os
import pickle
import time
from base64 import b64decode
from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import av
import numpy as np

from framebrush.base import parent
from framebrush.base.json_values import from_values, to_values
from framebrush.base.prefetch import Prefetcher
from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.media.reading.reader import Reader
from framebrush.media.reading.subtitles import Cue, SubtitleReader, SubtitleTrack
from framebrush.media.video import InputError, OpenOptions, OutputError, Position, VideoFrame, VideoInfo
from framebrush.playback.reading.memory import Layout, open_shared
from framebrush.playback.reading.samples import RATE, Samples, decode
from framebrush.playback.reading.thumbnails import Thumbnails

DECODED_AHEAD = 2
"""So that decoders work while a frame is written to where it is read."""

BLOCK_SAMPLES = RATE // 8
"""Of sound, in one answer: so many that it can wait for a frame that takes long."""


STEPS = 64
"""Of the reading of subtitles, in one answer, which also ends with the first cue: a picture may be large."""

ITEMS_S = 0.03
"""How long the work for one answer may take, but for the last item: a film may be played meanwhile."""


class Film:
    """One open film, and the memory that its frames are written to."""

    def __init__(self, path: Path, opening: OpenOptions) -> None:
        """Raises InputError."""
        self._reader = Reader(path, opening=opening)
        self._layout = Layout(self._reader.info.format)
        self._memory: mmap.mmap | None = None
        self._ahead: Prefetcher[VideoFrame] | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what is requested of an open film. Raises InputError, OSError."""
        if "memory" in request:
            self._memory = open_shared(request["memory"], request["slots"] * self._layout.size_bytes)
        elif "seek" in request:
            self._stop()
            self._reader.seek(from_values(Position, request["seek"], "position"))
        elif "slot" in request:
            return self._next(request["slot"])
        return {}

    def facts(self) -> dict[str, Any]:
        """The answer to the request that opened it."""
        return {"info": to_values(replace(self._reader.info, path=None)), "warnings": self._reader.warnings}

    def _next(self, slot: int) -> dict[str, Any]:
        assert self._memory is not None
        if self._ahead is None:
            self._ahead = Prefetcher(self._frames(), depth=DECODED_AHEAD, name="decode")
        try:
            frame = next(self._ahead, None)
        except InputError:
            self._stop()
            raise
        if frame is None:
            return {"warnings": self._reader.warnings}
        host = frame.host
        into = self._layout.frame(self._memory, slot * self._layout.size_bytes)
        for plane, target in zip(host.planes, into.planes, strict=True):
            np.copyto(target, plane)
        if into.alpha is not None and host.alpha is not None:
            np.copyto(into.alpha, host.alpha)
        return {
            "number": frame.number,
            "pts": frame.pts,
            "duration": frame.duration,
            "warnings": self._reader.warnings,
        }

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


class Hearing:
    """The sound of a film from one place on."""

    def __init__(self, path: Path, at_s: float, speed: float, track: int) -> None:
        self._blocks = decode(path, at_s, speed, track)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The next samples. Raises InputError, FFmpegError."""
        assert "block" in request
        blocks: list[Samples] = []
        while sum(map(len, blocks)) < BLOCK_SAMPLES and (block := next(self._blocks, None)) is not None:
            blocks.append(block)
        data = b"".join(np.ascontiguousarray(block).data for block in blocks)
        return {"bytes": len(data), "data": data}

    def close(self) -> None:
        """Release decoder and file."""
        self._blocks.close()


class Cues:
    """A track of subtitles."""

    def __init__(self, track: SubtitleTrack) -> None:
        """Raises InputError."""
        self._reader = SubtitleReader(track)
        self._steps: Iterator[tuple[float, Cue | None]] = iter(())

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The next steps of the reading."""
        if "from_s" in request:
            self._steps = self._reader.cues(request["from_s"])
        steps: list[tuple[float, Cue | None]] = []
        while len(steps) < STEPS and (step := next(self._steps, None)) is not None:
            steps.append(step)
            if step[1] is not None:
                break
        return pickled(steps)

    def close(self) -> None:
        """Release decoder and file."""
        self._reader.close()


class Small:
    """Thumbnails of a film."""

    def __init__(self, path: Path, info: VideoInfo) -> None:
        """Raises InputError, FFmpegError."""
        self._source = Thumbnails(path, info)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """A picture."""
        picture = self._source.picture(request["at"])
        if picture is None:
            return {}
        return {"bytes": picture.nbytes, "height": len(picture), "width": picture.shape[1], "data": picture.data}

    def close(self) -> None:
        """Release decoder and file."""
        self._source.close()


class Items:
    """What a function yields, a little at a time: a film that is played is decoded between."""

    def __init__(self, items: Iterator[object]) -> None:
        self._items = items

    def answer(self, _: dict[str, Any]) -> dict[str, Any]:
        """The items of the next ITEMS_S, at least one; none at the end."""
        until_s, found = time.perf_counter() + ITEMS_S, []
        for item in self._items:
            found.append(item)
            if time.perf_counter() >= until_s:
                break
        return pickled(found)

    def close(self) -> None:
        """End the function."""
        if isinstance(self._items, Generator):
            self._items.close()


Thing = Film | Hearing | Cues | Small | Items


def pickled(item: object) -> dict[str, Any]:
    """An answer that is followed by an item."""
    data = pickle.dumps(item)
    return {"bytes": len(data), "data": data}


def opened(request: dict[str, Any]) -> tuple[Thing | None, dict[str, Any]]:
    """What a request opens, and the answer to it. Raises InputError, FFmpegError, and what a called function raises."""
    if "open" in request:
        film = Film(Path(request["open"]), from_values(OpenOptions, request["opening"], "opening"))
        return film, film.facts()
    if "call" in request:
        return None, pickled(pickle.loads(b64decode(request["call"]))())
    if "items" in request:
        return Items(pickle.loads(b64decode(request["items"]))()), {}
    if "subtitles" in request:
        return Cues(pickle.loads(b64decode(request["subtitles"]))), {}
    if "thumbnails" in request:
        return Small(Path(request["thumbnails"]), from_values(VideoInfo, request["info"], "film")), {}
    return Hearing(Path(request["hear"]), request["at_s"], request["speed"], request["track"]), {}


def answer(things: dict[int, Thing], request: dict[str, Any]) -> dict[str, Any]:
    """Do what is requested. Raises what is a bug of ours."""
    number = request["number"]
    try:
        if number in things:
            if "close" in request:
                things.pop(number).close()
                return {}
            return things[number].answer(request)
        thing, said = opened(request)
        if thing is not None:
            things[number] = thing
        return said
    except (InputError, OutputError, DeviceError) as error:
        return {"problem": str(error)}
    except (av.error.FFmpegError, OSError, ValueError) as error:
        return {"problem": first_line(error)}


def main() -> None:
    """Entry point of the process."""
    requests: SimpleQueue[dict[str, Any]] = SimpleQueue()
    parent.listen(requests.put, lambda: os._exit(0))
    things: dict[int, Thing] = {}
    while True:
        said = answer(things, requests.get())
        data = said.pop("data", b"")
        parent.say(said, data)


if __name__ == "__main__":
    main()
