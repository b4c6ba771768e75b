"""Decode films for playback in a separate process: python -m framebrush.playback.reading.worker.

`process.py` is the other end. The requests (see `base/asked_process.py`), of a film by the number that it was given
when it was opened: {"open": a path, "film": its number}; {"film", "memory": the name of a `SharedFrames`, "slots"};
{"film", "seek": a position}; {"film", "slot"}, for the next frame, in this slot; {"film", "close": true}. The answers:
{"problem": why it cannot be done}, or {"info": the `VideoInfo` without its path, "warnings"}, {}, {}, {"number", "pts",
"duration", "warnings"} without "number" where the film ends, {}.
"""

from __future__ import annotations

import json
import mmap
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from framebrush.base.asked_process import answers, say
from framebrush.base.json_values import from_values, to_values
from framebrush.base.text import first_line
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, Position
from framebrush.playback.reading.memory import Layout, open_shared


class Film:
    """One open film, and the memory that its frames are written to."""

    def __init__(self, path: Path) -> None:
        """Raises InputError."""
        self._reader = Reader(path)
        self._layout = Layout(self._reader.info.format)
        self._memory: mmap.mmap | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what is requested of an open film. Raises InputError, OSError."""
        if "memory" in request:
            self._memory = open_shared(request["memory"], request["slots"] * self._layout.size_bytes)
        elif "seek" in request:
            self._reader.seek(from_values(Position, request["seek"], "position"))
        elif "slot" in request:
            return self._next(request["slot"])
        return {}

    def facts(self) -> dict[str, Any]:
        """The answer to the request that opened it."""
        return {"info": to_values(replace(self._reader.info, path=None)), "warnings": self._reader.warnings}

    def _next(self, slot: int) -> dict[str, Any]:
        assert self._memory is not None
        frame = next(self._reader, None)
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

    def close(self) -> None:
        """Release decoder, file and memory."""
        self._reader.close()
        self._memory = None


def answer(films: dict[int, Film], request: dict[str, Any]) -> dict[str, Any]:
    """Do what is requested. Raises what is a bug of ours."""
    number = request["film"]
    try:
        if "open" in request:
            films[number] = Film(Path(request["open"]))
            return films[number].facts()
        if number not in films:  # of a process that has died
            return {"problem": "the film has to be opened again"}
        if "close" in request:
            films.pop(number).close()
            return {}
        return films[number].answer(request)
    except InputError as error:
        return {"problem": str(error)}
    except (OSError, ValueError) as error:
        return {"problem": first_line(error)}


def main() -> None:
    """Entry point of the process."""
    out = answers()
    films: dict[int, Film] = {}
    for line in sys.stdin:
        say(out, answer(films, json.loads(line)))
        out.flush()


if __name__ == "__main__":
    main()
