"""Passes that count, copy and draw, for tests of executors."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import Buffer, Constant, FromFrame, Pass, Texture, Work
from framebrush.gpu.stages import tile_copies

COUNT, BINS = 5000, 7


def item_values() -> npt.NDArray[Any]:
    """Return items, with bins and weights."""
    items = np.zeros(COUNT, [("bin", "<u4"), ("weight", "<f4", (3,))])
    items["bin"], items["weight"][:, 2] = np.arange(COUNT) % BINS, 1 + np.arange(COUNT) % 2
    return items


ITEMS = Constant("items", "struct16", item_values)
EXPECTED = np.bincount(np.arange(COUNT) % BINS, 1 + np.arange(COUNT) % 2).astype(np.int64)
COUNTS = Buffer("bins", "uint32", BINS)
STATE = Buffer("state", "uint32", BINS, kept=True)
PICTURE = Texture("picture", "float32", (BINS, 4))


def record(times: int = 1) -> Record:
    """Return the constants: items, bins, repetitions."""
    return tile_copies.copy_window((COUNT, BINS), (times, 0), (0, 0), (0, 0), (0, 0))


# Items in their bins; then the numbers of the previous and this frame; then an image with rows of these numbers.
COUNTING = Pass("counted", (ITEMS,), (COUNTS,), (COUNT, 1), "times", clears=(COUNTS,))
FIRST = Work("first", (COUNTING, Pass("carried", (COUNTS, COUNTS), (STATE,), (BINS, 1), record())))
NEXT = Work(
    "next",
    (
        COUNTING,
        Pass("carried", (FromFrame(STATE), COUNTS), (STATE,), (BINS, 1), record()),
        Pass("drawn", (STATE,), (PICTURE,), PICTURE.size_px, record()),
    ),
)


def counting(items: Constant) -> Work:
    count = Pass("counted", (items,), (COUNTS,), (COUNT, 1), record(), clears=(COUNTS,))
    return Work("counting", (count, Pass("carried", (COUNTS, COUNTS), (STATE,), (BINS, 1), record())))
