"""The reference of how the film carries strokes. The constants and what it is for: `gpu.stages.strokes`.

All of it is in whole numbers, which every device must find.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.reference import steady
from framebrush.gpu.reference.steady import Whole
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.steady import (
    BLOCK_PX,
    CELL_PX,
    COARSE_CELLS,
    FINE_PX,
    REST_BIAS,
    SAMPLES,
    SURE_NOISE,
)
from framebrush.gpu.stages.strokes import (
    COVERING,
    CUT_EIGHTHS,
    FILL_EVERY,
    FILL_GROWTH,
    FILL_LIFE,
    FILL_SHRINK,
    FIRST_CELLS,
    GROWTH,
    LIFE,
    MOST_OFFSET,
    NONE,
    UNITS,
    UNSURE_EIGHTHS,
    Layer,
    Layout,
)


@dataclass(frozen=True, slots=True)
class Carriage:
    """Where the strokes of a frame are. film: (H, W) of the working size, what motion is searched on. offsets: of each
    layer (cells, slots, 2), how far strokes are from home, y and x in UNITS, or NONE. place: of the frame in the film.
    """

    film: Whole
    offsets: tuple[Whole, ...]
    place: int


def seen(working: Array) -> Whole:
    """(H, W), 0..1020: what motion is searched on, of a network's input (3, H, W)."""
    return np.clip(steady.luma(working), 0, 1020)


def carried(before: Carriage | None, film: Whole, place: int, layout: Layout, sizes: Sizes) -> Carriage:
    """The strokes of a frame. before: of the frame before it, None for the first. film: of the frame. place: of the
    frame in the film."""
    if before is None:
        return begun(film, place, layout)
    vectors, lost = motion(before.film, film)
    if 8 * int(lost.sum()) >= CUT_EIGHTHS * lost.size:
        return begun(film, place, layout)
    found = []
    for layer, homes, offsets in zip(layout.layers, homes_of(layout), before.offsets, strict=True):
        ages = age(homes, place, layer.slots)
        moved = _moved(homes, offsets, vectors, sizes)
        first = np.where(np.arange(layer.slots) < 2, 0, NONE)  # of strokes that are born: fills wait for a gap
        there = np.where((ages == 0)[..., None], first[:, None], moved)
        if layer.fills:
            bare = ~covered(layer, homes, there, ages)[homes[:, 3] >> 16, homes[:, 3] & 0xFFFF]
            filling = bare[:, None] & (ages == 0) & (np.arange(layer.slots) >= 2)
            there = np.where(filling[..., None], 0, there)
        found.append(there)
    return Carriage(film, tuple(found), place)


def begun(film: Whole, place: int, layout: Layout) -> Carriage:
    """All strokes at home, and no gaps."""
    offsets = []
    for layer in layout.layers:
        home = np.where(np.arange(layer.slots) < 2, 0, NONE)[None, :, None]
        offsets.append(np.broadcast_to(home, (layer.count, layer.slots, 2)).astype(np.int64))
    return Carriage(film, tuple(offsets), place)


def homes_of(layout: Layout) -> list[Whole]:
    """Of each layer, `Layout.homes` with seeds of 32 bits as they are."""
    homes = layout.homes.astype(np.int64)
    homes[:, 2] &= 0xFFFFFFFF
    return [homes[layer.first : layer.first + layer.count] for layer in layout.layers]


def age(homes: Whole, place: int, slots: int) -> Whole:
    """(cells, slots): frames since the birth of each stroke."""
    phase, slot = homes[:, 2:3] >> 8, np.arange(slots)
    main = (phase + place + slot * (LIFE // 2)) % LIFE
    fill = (phase + place + (slot - 2) * FILL_EVERY) % FILL_LIFE
    return np.where(slot < 2, main, fill)


def grown(ages: Whole) -> Array:
    """(cells, slots): size of each stroke by its age, 0..1."""
    slot = np.arange(ages.shape[1])
    main = np.minimum(ages, LIFE - ages) / GROWTH
    fill = np.minimum((ages + 1) / FILL_GROWTH, (FILL_LIFE - ages) / FILL_SHRINK)
    return np.minimum(np.where(slot < 2, main, fill), 1.0)


def motion(own: Whole, following: Whole) -> tuple[Whole, npt.NDArray[np.bool_]]:
    """Where each block of a frame goes in the next: vectors (2, rows, columns), y and x in UNITS; and whether it is
    lost, (rows, columns), for which it stands still.

    Searched as `gpu.reference.steady.motion` does it, and then between pixels: where two lines of one slope through the
    costs of three neighbours meet (the equiangular fit of S. Nishiguchi, for sums of absolute differences).
    """
    places: Whole = np.mgrid[0 : -(-own.shape[0] // BLOCK_PX), 0 : -(-own.shape[1] // BLOCK_PX)]
    still = np.zeros_like(places)
    corners = (places * BLOCK_PX - (SAMPLES * CELL_PX - BLOCK_PX) // 2) // CELL_PX
    coarse, _ = steady.search((steady.cells(own), steady.cells(following)), corners, still, COARSE_CELLS)
    corners, step = places * BLOCK_PX, BLOCK_PX // SAMPLES
    found, cost = steady.search((own, following), corners, coarse * CELL_PX, FINE_PX, step)

    def apart(vectors: Whole) -> Whole:
        _, costs = steady.search((own, following), corners, vectors, 0, step)
        return costs

    resting = apart(still)
    moves = cost + REST_BIAS < resting
    found = np.where(moves, found, 0)
    here = apart(found)
    between = []
    for axis in (0, 1):
        pixel = np.zeros((2, 1, 1), np.int64)
        pixel[axis] = 1
        less, more = apart(found - pixel), apart(found + pixel)
        rise = np.maximum(less, more) - here
        fit = np.sign(less - more) * (UNITS // 2 * np.abs(less - more) // np.maximum(rise, 1))
        between.append(np.where(moves & (rise > 0), fit, 0))
    samples = corners[:, :, :, None, None] + step * np.mgrid[0:SAMPLES, 0:SAMPLES][:, None, None]
    ours, theirs = steady.at(own, samples), steady.at(following, samples + found[:, :, :, None, None])
    varied = SURE_NOISE + steady.deviation(ours) + steady.deviation(theirs)
    lost: npt.NDArray[np.bool_] = 8 * here >= UNSURE_EIGHTHS * varied
    vectors: Whole = np.where(lost, 0, found * UNITS + np.stack(between))
    return vectors, lost


def covered(layer: Layer, homes: Whole, offsets: Whole, ages: Whole) -> npt.NDArray[np.bool_]:
    """(rows, columns) of a layer's cells: those that a grown one of the two strokes of any cell lies nearest to."""
    size = grown(ages)[:, :2]
    counts = (offsets[:, :2, 0] != NONE) & (size >= COVERING)
    at = homes[:, None, :2] + offsets[:, :2]
    rows, columns = (at[counts].T - layer.cell // 2) // layer.cell + FIRST_CELLS
    found = np.zeros((layer.rows, layer.columns), np.bool_)
    for down in (0, 1):
        for over in (0, 1):
            y, x = rows + down, columns + over
            inside = (y >= 0) & (y < layer.rows) & (x >= 0) & (x < layer.columns)
            found[y[inside], x[inside]] = True
    return found


def _moved(homes: Whole, offsets: Whole, vectors: Whole, sizes: Sizes) -> Whole:
    """The offsets of a layer in the next frame: bilinear between the middles of blocks, in whole numbers."""
    side = BLOCK_PX * UNITS
    at = homes[:, None, :2] + offsets
    target, working = _rows_first(sizes.target), _rows_first(sizes.working)
    place = np.stack([at[..., axis] * working[axis] // target[axis] - side // 2 for axis in (0, 1)])
    block, share = np.divmod(place, side)
    last = np.array(vectors.shape[1:])[:, None, None] - 1
    (top, left), (bottom, right) = np.clip(block, 0, last), np.clip(block + 1, 0, last)
    moved = []
    for axis in (0, 1):
        plane = vectors[axis]
        upper = (side - share[1]) * plane[top, left] + share[1] * plane[top, right]
        lower = (side - share[1]) * plane[bottom, left] + share[1] * plane[bottom, right]
        vector = ((side - share[0]) * upper + share[0] * lower + side * side // 2) // (side * side)
        moved.append(offsets[..., axis] + (2 * vector * target[axis] + working[axis]) // (2 * working[axis]))
    there = np.stack(moved, axis=-1)
    gone = (np.abs(there) > MOST_OFFSET).any(axis=-1) | (offsets[..., 0] == NONE)
    return np.where(gone[..., None], NONE, there)


def _rows_first(size: Size) -> tuple[int, int]:
    return size[1], size[0]
