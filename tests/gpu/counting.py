"""Passes that count, carry and draw numbers, for tests of the executors; each has small kernels of its own for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import Buffer, Constant, Other, Pass, Texture, Work
from framebrush.gpu.stages import tile_copies

COUNT, BINS = 5000, 7


def item_values() -> npt.NDArray[Any]:
    """Items, each with a bin and a weight."""
    items = np.zeros(COUNT, [("bin", "<u4"), ("weight", "<f4", (3,))])
    items["bin"], items["weight"][:, 2] = np.arange(COUNT) % BINS, 1 + np.arange(COUNT) % 2
    return items


ITEMS = Constant("items", "struct16", item_values)
EXPECTED = np.bincount(np.arange(COUNT) % BINS, 1 + np.arange(COUNT) % 2).astype(np.int64)
COUNTS = Buffer("bins", "uint32", BINS)
STATE = Buffer("state", "uint32", BINS, kept=True)
PICTURE = Texture("picture", "float32", (BINS, 4))


def record(times: int = 1) -> Record:
    """Of so many items and bins, each of which counts so many times."""
    return tile_copies.copy_window((COUNT, BINS), (times, 0), (0, 0), (0, 0), (0, 0))


# Items in their bins; then the numbers of the frame before and of this one; then a picture of rows of these.
COUNTING = Pass("counted", (ITEMS,), (COUNTS,), (COUNT, 1), "times", clears=(COUNTS,))
FIRST = Work("first", (COUNTING, Pass("carried", (COUNTS, COUNTS), (STATE,), (BINS, 1), record())))
NEXT = Work(
    "next",
    (
        COUNTING,
        Pass("carried", (Other(STATE), COUNTS), (STATE,), (BINS, 1), record()),
        Pass("drawn", (STATE,), (PICTURE,), PICTURE.size_px, record(), runs=lambda look: bool(look.brush)),
    ),
)


def counting(items: Constant) -> Work:
    """The numbers of other items, twice."""
    count = Pass("counted", (items,), (COUNTS,), (COUNT, 1), record(), clears=(COUNTS,))
    return Work("counting", (count, Pass("carried", (COUNTS, COUNTS), (STATE,), (BINS, 1), record())))
