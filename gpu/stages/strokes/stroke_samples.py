"""Reference of the strokes' samples of the painting.

A layer's samples are (cells, slots, 15) whole numbers: SEEN values to glide from, SEEN to glide to, and the number of
samples, below LOOKS. Red, green, blue are in GRADES; need and the unit structure tensor (-1..1) in FEW_GRADES;
surrounding luma in AROUND_GRADES.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.stages.steady.reference import Whole
from framebrush.gpu.stages.strokes import (
    AROUND_GRADES,
    FEW_GRADES,
    FORGOTTEN,
    GRADES,
    LOOK_EVERY,
    LOOKS,
    NONE,
    StrokeLayout,
)

SEEN = 7
"""Values of a sample."""

GRADES_OF = np.array([GRADES, GRADES, GRADES, FEW_GRADES, FEW_GRADES, FEW_GRADES, AROUND_GRADES])
ZEROS = np.array([0, 0, 0, 0, FEW_GRADES + 1, FEW_GRADES + 1, 0])
"""Grade that stands for 0, of each value."""

WORDS = 4
"""Words of a stroke's samples on devices.

Two words each for the values to glide from and to: red, green, blue in ten bits and the count in two; need in seven
bits, the tensor in eight each, luma around in nine.
"""


def looks_at(place: int) -> bool:
    """Return whether strokes sample a frame."""
    return place % LOOK_EVERY == 0


def none_of(layout: StrokeLayout) -> tuple[Whole, ...]:
    """Return empty samples for each layer."""
    return tuple(np.zeros((layer.count, layer.slots, 2 * SEEN + 1), np.int64) for layer in layout.layers)


def kept(looks: Whole, offsets: Whole, ages: Whole) -> Whole:
    """Return a layer's next samples, without newborn and vanished strokes'."""
    found: Whole = np.where(((ages > 0) & (offsets[..., 0] != NONE))[..., None], looks, 0)
    return found


def graded(seen: Array) -> Whole:
    """Quantise samples: the tensor is -1..1, others 0..1."""
    found: Whole = np.floor(GRADES_OF * seen + 0.5).astype(np.int64) + ZEROS
    return found


def taken(looks: Whole, seen: Whole, offsets: Whole) -> Whole:
    """Add samples (cells, slots, SEEN) to means; another colour starts anew."""
    former, count = looks[..., SEEN : 2 * SEEN], looks[..., 2 * SEEN :]
    other = (np.abs(seen - former)[..., :3] > FORGOTTEN).any(axis=-1, keepdims=True)
    count = np.where(other, 0, count)
    mean = (count * former + seen + (count + 1) // 2) // (count + 1)
    first = count == 0
    after = np.concatenate([np.where(first, seen, former), mean, np.minimum(count + 1, LOOKS - 1)], axis=-1)
    return np.where((offsets[..., 0] != NONE)[..., None], after, 0)


def remembered(looks: Whole, place: int) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return stored values (..., SEEN), and whether strokes have any."""
    former, latter = looks[..., :SEEN], looks[..., SEEN : 2 * SEEN]
    share = (place % LOOK_EVERY + 1) / LOOK_EVERY
    value = former + share * (latter - former) - ZEROS
    return value / GRADES_OF, looks[..., 2 * SEEN] > 0
