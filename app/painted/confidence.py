"""How far the frames of a shot are from those that a person painted: where its network has to guess.

A network sees the colours and forms around a pixel. So each place of a frame is compared with the place of the painted
frames that is most like it; a frame is as far as its places are on the mean, less what already the frame beside a
painted one differs by: grain, and the leaves of a tree. No network is needed, and no painting.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path

import numpy as np

from framebrush.analysis.to_rgb import Picture
from framebrush.media.video import InputError
from framebrush.painted.extract import Shown, frames_of
from framebrush.painted.pictures import CELLS, around, cells

FAR = 0.045
"""A distance from which on nothing in a frame is known. In a film of a head that turns, a hundred frames have 0.01;
those that show other things, after a pan, 0.04."""

PLACES = 160
"""Of a shot that are measured, at most."""

DARK_CODES = 32
"""Brightest codes, of 8 bits, of a nearly black frame, such as of a fade: nobody can paint over it."""

UNKNOWN_STEP = 8
"""Frames from one to the next where it is not known how many there are."""


def confidence(distance: float) -> float:
    """0..1, of a distance."""
    return max(0.0, 1.0 - distance / FAR)


def distances(film: Path, keys: Sequence[int], first: int, end: int | None) -> Generator[tuple[int, float], None, None]:
    """Measure how far frames of a shot are from the nearest painted frame, in order: number and distance, 0..1.

    Nearly black frames are left out.

    Args:
        keys: Numbers of the painted frames, at least one.
        first, end: Of the shot, None for the end of the film.

    Raises: InputError, DeviceError.
    """
    with frames_of(film) as shown:
        known = np.concatenate([around(cells(_small(shown, number))) for number in keys])
        lengths = (known**2).sum(1)

        def distance(picture: Picture) -> float:
            places = around(cells(picture))
            squares = (places**2).sum(1)[:, None] + lengths - 2 * places @ known.T
            return float(np.sqrt(np.maximum(squares.min(1), 0) / known.shape[1]).mean())

        end = end or _count(shown) or first + UNKNOWN_STEP * PLACES
        beside = keys[0] + 1 if keys[0] + 1 < end else max(first, keys[0] - 1)
        step = max(1, ceil((end - first) / PLACES))
        with suppress(InputError):  # the film is shorter than it says
            least = distance(_small(shown, beside))
            for number in sorted({*range(first, end, step), *(key for key in keys if first <= key < end)}):
                picture = _small(shown, number)
                if picture.max() > DARK_CODES:
                    yield number, max(0.0, distance(picture) - least)


def _count(shown: Shown) -> int:
    """Of the frames of a film, as it says; 0 where it does not say."""
    info = shown.info
    if info.frame_count is not None:
        return info.frame_count
    return round(info.duration_s * info.rate) if info.duration_s and info.rate else 0


def _small(shown: Shown, number: int) -> Picture:
    return shown.rgb(number, CELLS[::-1])
