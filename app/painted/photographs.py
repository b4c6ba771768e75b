"""Photographs for training a style, from folders and films."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from torch import Tensor

from framebrush import sample
from framebrush.analysis.cuts import Thumbnail, is_blank, thumbnail
from framebrush.analysis.to_rgb import ToRgb
from framebrush.gpu.sizes import Sizes
from framebrush.jobs.still import as_seen
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, Position, VideoFrame
from framebrush.models.training.data import LONGEST_PX, from_jpeg, read_photos, to_jpeg
from framebrush.models.training_needs import ENOUGH_PHOTOS, MOST_PHOTOS
from framebrush.styles.passthrough import passthrough_style

LOOKED_AT = 2 * MOST_PHOTOS
"""Candidates of all films together."""

APART_CODES = 3.0
"""Least mean difference of two chosen frames' thumbnails, without their means; 0..255."""

READ_ON = 25
"""Frames between two candidates up to which reading on is faster than seeking."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """Frame to choose from. outline: thumbnail minus its mean. jpeg: upright frame."""

    outline: Thumbnail
    jpeg: Tensor


def photographs(
    sources: Sequence[Path] = (),
    say: Callable[[str], None] = lambda _: None,
    check: Callable[[], None] = lambda: None,
) -> list[Tensor]:
    """Read photographs, (3, H, W) uint8, from folders and films, reproducibly.

    check: called between frames; may raise. Raises ValueError or InputError for an empty source.
    """
    folders = [path for path in sources if os.path.isdir(path)]  # noqa: PTH112 - Path raises for a name that is too long
    films = [path for path in sources if path not in folders]
    share = max(1, MOST_PHOTOS // max(1, len(folders) + bool(films)))
    found = [photo for folder in folders for photo in read_photos(folder, most=share)]
    candidates: list[Candidate] = []
    for film in films:
        say(f"{film}: choosing frames to train on")
        seen = list(_candidates(film, LOOKED_AT // len(films), check))
        if not seen:
            raise InputError(f"{film}: shows nothing to train on: its frames are of one colour or cannot be decoded")
        candidates += seen
    chosen = unlike(candidates, MOST_PHOTOS - len(found))
    if not folders and len(chosen) < ENOUGH_PHOTOS:
        own = list(_candidates(sample.PATH, LOOKED_AT, check))
        chosen = unlike([*chosen, *own], ENOUGH_PHOTOS, first=len(chosen))
    return [*found, *(from_jpeg(each.jpeg) for each in chosen)]


def unlike(candidates: Sequence[Candidate], most: int, first: int = 0) -> list[Candidate]:
    """Choose frames that differ: the nearest to the mean, then always the farthest.

    first: number of leading candidates already chosen.
    """
    if not candidates or most < 1:
        return list(candidates[:first])
    shape = np.min([each.outline.shape for each in candidates], 0)
    outlines = np.stack([each.outline[: shape[0], : shape[1]] for each in candidates])
    chosen = list(range(first)) or [int(np.abs(outlines - outlines.mean(0)).mean((1, 2)).argmin())]
    distances = np.min([np.abs(outlines - outlines[n]).mean((1, 2)) for n in chosen], 0)
    while len(chosen) < most and distances.max() >= APART_CODES:
        chosen.append(int(distances.argmax()))
        distances = np.minimum(distances, np.abs(outlines - outlines[chosen[-1]]).mean((1, 2)))
    return [candidates[n] for n in chosen]


def _candidates(film: Path, most: int, check: Callable[[], None]) -> Iterator[Candidate]:
    with ExitStack() as stack:
        reader = stack.enter_context(Reader(film))
        info, own = reader.info, reader.info.format.size
        factor = min(1.0, LONGEST_PX / max(own))
        size = max(1, round(own[0] * factor)), max(1, round(own[1] * factor))
        to_rgb = ToRgb(stack, info.format, size, passthrough_style())
        for frame in _spread(reader, most):
            check()
            small = thumbnail(frame.host)
            if not is_blank(small):
                picture = as_seen(to_rgb(frame.host), info, Sizes.of(own, size, size))
                yield Candidate(small - small.mean(), to_jpeg(picture))


def _spread(reader: Reader, most: int) -> Iterator[VideoFrame]:
    indexed, info = reader.indexed_range(), reader.info
    count = round((info.duration_s or most) * info.usual_rate) if indexed is None else len(indexed[1])
    apart = max(1, count // most)
    if indexed is None or apart <= READ_ON:
        yield from islice(reader, apart // 2, apart // 2 + apart * most, apart)
        return
    index, numbers = indexed
    for number in numbers[apart // 2 :: apart]:
        before = [index.at_or_after(time) for time in index.keyframes_before(index.pts[number])[:1]]
        reader.seek(Position.of_frame(before[0] if before and number - before[0] < apart else number))
        yield from islice(reader, 1)
