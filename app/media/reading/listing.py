"""Index of a file."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from framebrush.base.files import FileState, file_state
from framebrush.media.reading.decoder import Decoder
from framebrush.media.reading.index import FrameIndex
from framebrush.media.reading.missing_time import PacketTimes
from framebrush.media.reading.source import open_source
from framebrush.media.video import OpenOptions


def index_of(path: Path, opening: OpenOptions, first_pts: int) -> FrameIndex | None:
    """Return a file's index, cached. Raises InputError."""
    try:
        state = file_state(path)
    except (OSError, ValueError):  # numbered pictures have no file of that name
        return _scanned.__wrapped__(path, opening, first_pts, None)
    return _scanned(path.absolute(), opening, first_pts, state)


@lru_cache(maxsize=1)
def _scanned(path: Path, opening: OpenOptions, first_pts: int, _: FileState | None) -> FrameIndex | None:
    with closing(open_source(path, opening)) as source:
        times = PacketTimes(path, opening, source)
        index = FrameIndex.scan(source, first_pts, times)
        if index is None:
            return None
        missing = times.missing()
    if index.certain:
        return replace(index, missing=missing)
    decoded = _decoded_times(path, opening)
    return None if decoded is None else FrameIndex(decoded, index.keyframes, index.last_duration, missing=missing)


def _decoded_times(path: Path, opening: OpenOptions) -> list[int] | None:
    times: list[int] = []
    with closing(Decoder(path, opening, hardware=None, threads=0, deinterlace="off")) as decoder:
        for frame in decoder.frames:
            assert frame.pts is not None
            times += [*decoder.missing_before(frame), frame.pts]
        times += decoder.expected.missing_before(None)
        return None if decoder.counted else times
