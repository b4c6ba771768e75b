"""The reference of what strokes remember of the painting. The constants and what it is for: `gpu.stages.strokes`.

Looks of a layer are (cells, slots, 15) in whole numbers, which every device must find of the same samples: SEEN values
from which a stroke glides, SEEN to which it does, and how many looks these are of: 0 where it has not looked yet, at
most LOOKS - 1. The values are red, green and blue in GRADES; need, and both parts of the structure tensor by its
length, of which -1 is 1, in FEW_GRADES; and the light around, in AROUND_GRADES.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.stages.steady.reference import Whole
from framebrush.gpu.stages.strokes import AROUND_GRADES, FEW_GRADES, FORGOTTEN, GRADES, LOOK_EVERY, LOOKS, NONE, Layout

SEEN = 7
"""Values of a look."""

GRADES_OF = np.array([GRADES, GRADES, GRADES, FEW_GRADES, FEW_GRADES, FEW_GRADES, AROUND_GRADES])
ZEROS = np.array([0, 0, 0, 0, FEW_GRADES + 1, FEW_GRADES + 1, 0])
"""In how many grades each of them is, from 0 to 1, and the grade that is 0."""

WORDS = 4
"""What devices have looks in, each of a stroke: red, green and blue in ten bits each from the lowest on, and in the
upper two how many looks; and need in seven, the tensor in eight bits each, and the light around in nine; first those
from which it glides."""


def looks_at(place: int) -> bool:
    """Whether strokes look at the frame at that place in the film."""
    return place % LOOK_EVERY == 0


def none_of(layout: Layout) -> tuple[Whole, ...]:
    """Of each layer, of strokes that have not looked yet."""
    return tuple(np.zeros((layer.count, layer.slots, 2 * SEEN + 1), np.int64) for layer in layout.layers)


def kept(looks: Whole, offsets: Whole, ages: Whole) -> Whole:
    """Those of a layer in the next frame: a stroke that is born, or gone, has none."""
    found: Whole = np.where(((ages > 0) & (offsets[..., 0] != NONE))[..., None], looks, 0)
    return found


def graded(seen: Array) -> Whole:
    """(..., SEEN) of a look: the tensor within -1..1, all else within 0..1."""
    found: Whole = np.floor(GRADES_OF * seen + 0.5).astype(np.int64) + ZEROS
    return found


def taken(looks: Whole, seen: Whole, offsets: Whole) -> Whole:
    """Those of a layer after a look at (cells, slots, SEEN): the mean moves a share towards it, and from now on the
    stroke glides from what it was to what it is. Where it sees another colour, that is its first look."""
    former, count = looks[..., SEEN : 2 * SEEN], looks[..., 2 * SEEN :]
    other = (np.abs(seen - former)[..., :3] > FORGOTTEN).any(axis=-1, keepdims=True)
    count = np.where(other, 0, count)
    mean = (count * former + seen + (count + 1) // 2) // (count + 1)
    first = count == 0
    after = np.concatenate([np.where(first, seen, former), mean, np.minimum(count + 1, LOOKS - 1)], axis=-1)
    return np.where((offsets[..., 0] != NONE)[..., None], after, 0)


def remembered(looks: Whole, place: int) -> tuple[Array, npt.NDArray[np.bool_]]:
    """(..., SEEN), what strokes remember at a place in the film, the tensor within -1..1, all else within 0..1; and
    whether they do."""
    former, latter = looks[..., :SEEN], looks[..., SEEN : 2 * SEEN]
    share = (place % LOOK_EVERY + 1) / LOOK_EVERY
    value = former + share * (latter - former) - ZEROS
    return value / GRADES_OF, looks[..., 2 * SEEN] > 0
