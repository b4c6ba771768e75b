"""Expected size of a result, from trial parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from av.stream import AttachmentStream

from framebrush.media.containers import Container
from framebrush.media.reading.open import open_media, packets
from framebrush.media.video import InputError

GOP_FRAMES = 250
"""Frames from one keyframe to the next: the default of x264 and x265, and the least length of a segment."""


@dataclass(frozen=True, slots=True)
class PartSize:
    """Bytes within a part's file.

    keys: of keyframes. others: of other frames. beside: of other streams.
    """

    size: int
    keys: tuple[int, ...]
    others: tuple[int, ...]
    beside: int = 0

    @property
    def frames(self) -> int:
        return len(self.keys) + len(self.others)


def measure_part(path: Path, frames: int) -> PartSize:
    """Return a file's sizes; equal ones if unreadable (WebP)."""
    size = path.stat().st_size
    try:
        with open_media(path) as source:
            film = source.streams.video[0].index
            streams = [each for each in source.streams if not isinstance(each, AttachmentStream)]
            found = [(each.size, each.is_keyframe, each.stream_index == film) for each in packets(source, streams)]
    except InputError:
        return PartSize(size, (size // frames,) * frames, ())
    keys = tuple(size for size, is_key, is_picture in found if is_picture and is_key)
    others = tuple(size for size, is_key, is_picture in found if is_picture and not is_key)
    return PartSize(size, keys, others, sum(size for size, _, is_picture in found if not is_picture))


def expected_size(parts: Sequence[PartSize], frames: int, container: Container) -> int:
    """Return the expected bytes of a result.

    Short parts have too many keyframes, without them too few bytes: take the geometric mean.
    """
    measured = sum(part.frames for part in parts)
    if measured >= frames:
        return sum(part.size for part in parts)
    keys, others = [each for part in parts for each in part.keys], [each for part in parts for each in part.others]
    picture = most = (sum(keys) + sum(others)) * frames / measured
    if others:
        starts = math.ceil(frames / GOP_FRAMES)
        least = starts * sum(keys) / len(keys) + (frames - starts) * sum(others) / len(others)
        picture = math.sqrt(least * most)
    first, beside, payload = parts[0], sum(part.beside for part in parts), float(container.payload)
    within = (sum(first.keys) + sum(first.others) + first.beside) / payload
    head = max(0.0, first.size - within - container.packet_bytes * first.frames)
    return round(head + container.packet_bytes * frames + (picture + beside * frames / measured) / payload)
