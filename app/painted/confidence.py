"""Confidence of a learnt network per frame, from the distance to painted frames.

Distance is the mean over blocks to the most similar painted one, less grain and small motion.
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
from framebrush.painted.painted_pictures import CELLS, around, cells

FAR = 0.045
"""Distance at which confidence reaches 0. In a film of a turning head, a hundred frames have 0.01; frames with new
content after a pan have 0.04.
"""

PLACES = 160
"""Maximum number of frames measured per shot."""

DARK_CODES = 32
"""Maximum code (8 bits) of a nearly black frame, such as in a fade. Such frames cannot be painted over."""

UNKNOWN_STEP = 8
"""Frames between measurements if the frame count is unknown."""


def confidence(distance: float) -> float:
    """Convert a distance to a confidence, 0..1."""
    return max(0.0, 1.0 - distance / FAR)


def distances(film: Path, keys: Sequence[int], first: int, end: int | None) -> Generator[tuple[int, float], None, None]:
    """Yield number and distance (0..1) of a shot's frames, without nearly black ones.

    keys: painted frames. end: None for the film's end. Raises InputError, DeviceError.
    """
    with frames_of(film) as shown:
        known = np.concatenate([around(cells(_small(shown, number))) for number in keys])
        lengths = (known**2).sum(1)

        def distance(picture: Picture) -> float:
            places = around(cells(picture))
            squares = (places**2).sum(1)[:, None] + lengths - 2 * places @ known.T
            return float(np.sqrt(np.maximum(squares.min(1), 0) / known.shape[1]).mean())

        end = end or shown.info.expected_frames or first + UNKNOWN_STEP * PLACES
        beside = keys[0] + 1 if keys[0] + 1 < end else max(first, keys[0] - 1)
        step = max(1, ceil((end - first) / PLACES))
        with suppress(InputError):  # the film is shorter than its container declares
            least = distance(_small(shown, beside))
            for number in sorted({*range(first, end, step), *(key for key in keys if first <= key < end)}):
                picture = _small(shown, number)
                if picture.max() > DARK_CODES:
                    yield number, max(0.0, distance(picture) - least)


def _small(shown: Shown, number: int) -> Picture:
    return shown.rgb(number, CELLS[::-1])
