"""Reference of stroke advection in whole numbers. Constants: `gpu.stages.strokes`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.steady import (
    BLOCK_PX,
    CELL_PX,
    COARSE_CELLS,
    FINE_PX,
    REST_BIAS,
    SAMPLES,
    SURE_NOISE,
)
from framebrush.gpu.stages.steady import reference as steady
from framebrush.gpu.stages.steady.reference import Whole
from framebrush.gpu.stages.strokes import (
    AGREEMENT,
    AGREEMENT_REST,
    AGREEMENT_STEPS,
    CAMERA_BIAS,
    CAMERA_REST,
    COVERING,
    CUT_EIGHTHS,
    DISTINCT,
    DISTINCT_COST,
    DISTINCT_PX,
    FILL_EVERY,
    FILL_GROWTH,
    FILL_LIFE,
    FILL_SHRINK,
    FIRST_CELLS,
    GROWTH,
    LIFE,
    LOST,
    MOST_OFFSET,
    MOVES,
    NONE,
    UNITS,
    UNSURE_EIGHTHS,
    Layer,
    StrokeLayout,
)
from framebrush.gpu.stages.strokes.stroke_samples import kept, none_of


@dataclass(frozen=True, slots=True)
class Carriage:
    """Strokes of a frame. film: (H, W), for the motion search.

    offsets: of each layer, (cells, slots, 2), y and x from home in UNITS, or NONE. place: frame number. looks: samples.
    """

    film: Whole
    offsets: tuple[Whole, ...]
    place: int
    looks: tuple[Whole, ...]


def search_plane(working: Array) -> Whole:
    """Return the motion search's plane of (3, H, W), 0..1020."""
    return np.clip(steady.luma(working), 0, 1020)


def carried(before: Carriage | None, film: Whole, place: int, layout: StrokeLayout, sizes: Sizes) -> Carriage:
    """Advect strokes to a frame. before: None for the first.

    film, place: the new frame's plane and number.
    """
    if before is None:
        return strokes_at_home(film, place, layout)
    vectors, lost = motion(before.film, film)
    if 8 * int(lost.sum()) >= CUT_EIGHTHS * lost.size:
        return strokes_at_home(film, place, layout)
    found, looks = [], []
    for layer, homes, offsets, former in zip(
        layout.layers, homes_of(layout), before.offsets, before.looks, strict=True
    ):
        ages = age(homes, place, layer.slots)
        moved = _moved(homes, offsets, vectors, sizes)
        first = np.where(np.arange(layer.slots) < 2, 0, NONE)  # of newborn strokes: fills wait for a gap
        there = np.where((ages == 0)[..., None], first[:, None], moved)
        if layer.fills:
            row, column = homes[:, :2].T // layer.cell + FIRST_CELLS
            bare = ~covered(layer, homes, there, ages)[row, column]
            filling = bare[:, None] & (ages == 0) & (np.arange(layer.slots) >= 2)
            there = np.where(filling[..., None], 0, there)
        found.append(there)
        looks.append(kept(former, there, ages))
    return Carriage(film, tuple(found), place, tuple(looks))


def strokes_at_home(film: Whole, place: int, layout: StrokeLayout) -> Carriage:
    """Return all strokes at home, gaps unfilled."""
    offsets = []
    for layer in layout.layers:
        home = np.where(np.arange(layer.slots) < 2, 0, NONE)[None, :, None]
        offsets.append(np.broadcast_to(home, (layer.count, layer.slots, 2)).astype(np.int64))
    return Carriage(film, tuple(offsets), place, none_of(layout))


def homes_of(layout: StrokeLayout) -> list[Whole]:
    """Return layers' `StrokeLayout.homes`, seeds unsigned."""
    homes = layout.homes.astype(np.int64)
    homes[:, 2] &= 0xFFFFFFFF
    return [homes[layer.first : layer.first + layer.count] for layer in layout.layers]


def age(homes: Whole, place: int, slots: int) -> Whole:
    """Return frames since strokes' birth, (cells, slots)."""
    phase, slot = homes[:, 2:3] >> 8, np.arange(slots)
    main = (phase + place + slot * (LIFE // 2)) % LIFE
    fill = (phase + place + (slot - 2) * FILL_EVERY) % FILL_LIFE
    return np.where(slot < 2, main, fill)


def grown(ages: Whole) -> Array:
    """Return strokes' size by age, (cells, slots), 0..1."""
    slot = np.arange(ages.shape[1])
    main = np.minimum(ages, LIFE - ages) / GROWTH
    fill = np.minimum((ages + 1) / FILL_GROWTH, (FILL_LIFE - ages) / FILL_SHRINK)
    return np.minimum(np.where(slot < 2, main, fill), 1.0)


def motion(own: Whole, following: Whole) -> tuple[Whole, npt.NDArray[np.bool_]]:
    """Return motion to the next frame, y and x in UNITS, and lost blocks."""
    vectors, cost, kind = found(own, following)
    vectors = settled(own, following, vectors, cost, kind, camera(vectors, kind))
    for step in AGREEMENT_STEPS:
        vectors = agreed(own, following, vectors, step)
    return vectors, (kind & LOST) != 0


def found(own: Whole, following: Whole) -> tuple[Whole, Whole, Whole]:
    """Match blocks in the next frame.

    Returns vectors (2, rows, columns), y and x in UNITS; costs; flags. Lines of equal slope through three costs give
    fractions.
    """
    places: Whole = np.mgrid[0 : -(-own.shape[0] // BLOCK_PX), 0 : -(-own.shape[1] // BLOCK_PX)]
    still, corners, step = np.zeros_like(places), places * BLOCK_PX, BLOCK_PX // SAMPLES

    def apart(vectors: Whole) -> Whole:
        _, costs = steady.search((own, following), corners, vectors, 0, step)
        return costs

    near = steady.cells(own), steady.cells(following)
    far = _halved(near[0]), _halved(near[1])
    around = (corners - (SAMPLES * CELL_PX - BLOCK_PX) // 2) // CELL_PX
    around_far = (corners - (2 * SAMPLES * CELL_PX - BLOCK_PX) // 2) // (2 * CELL_PX)
    beginning, _ = steady.search(far, around_far, still, COARSE_CELLS)
    ways = [
        steady.search(near, around, still, COARSE_CELLS)[0],
        steady.search(near, around, 2 * beginning, 1)[0],
    ]
    resting = apart(still)
    best: Whole = still
    cost: Whole = resting
    least: Whole = resting - REST_BIAS
    for coarse in ways:
        tried, _ = steady.search((own, following), corners, coarse * CELL_PX, FINE_PX, step)
        here = apart(tried)
        better = here < least
        best, cost, least = (np.where(better, new, old) for new, old in ((tried, best), (here, cost), (here, least)))
    between, beside = [], []
    for axis in (0, 1):
        pixel = np.zeros((2, 1, 1), np.int64)
        pixel[axis] = 1
        less, more = apart(best - pixel), apart(best + pixel)
        rise = np.maximum(less, more) - cost
        fit = np.sign(less - more) * (UNITS // 2 * np.abs(less - more) // np.maximum(rise, 1))
        most = UNITS * cost // np.maximum(rise, 1)  # costs of such lines equal their distance
        between.append(np.where(rise > 0, np.clip(fit, -most, most), 0))
        beside += [apart(best - DISTINCT_PX * pixel), apart(best + DISTINCT_PX * pixel)]
    samples = corners[:, :, :, None, None] + step * np.mgrid[0:SAMPLES, 0:SAMPLES][:, None, None]
    ours, theirs = steady.at(own, samples), steady.at(following, samples + best[:, :, :, None, None])
    varied = SURE_NOISE + steady.deviation(ours) + steady.deviation(theirs)
    kind: Whole = np.where(np.min(beside, axis=0) - cost >= DISTINCT_COST, DISTINCT, 0)
    kind = kind | np.where(best.any(axis=0), MOVES, 0) | np.where(8 * cost >= UNSURE_EIGHTHS * varied, LOST, 0)
    return best * UNITS + np.stack(between), cost, kind


def camera(vectors: Whole, kind: Whole) -> Whole:
    """Return the camera's motion in UNITS: distinct, found blocks' median."""
    sure = np.sort(vectors[:, (kind & (DISTINCT | LOST)) == DISTINCT])
    median: Whole = sure[:, (sure.shape[1] - 1) // 2] if sure.size else np.zeros(2, np.int64)
    return median if np.abs(median).max() >= CAMERA_REST else np.zeros(2, np.int64)


def settled(own: Whole, following: Whole, vectors: Whole, cost: Whole, kind: Whole, camera: Whole) -> Whole:
    """Return block motion, (2, rows, columns): distinct blocks keep theirs.

    Blocks that match in place follow a slow camera, others if it costs little.
    """
    places: Whole = np.mgrid[0 : vectors.shape[1], 0 : vectors.shape[2]] * BLOCK_PX
    pixels = np.broadcast_to((camera[:, None, None] + UNITS // 2) // UNITS, vectors.shape)
    _, costs = steady.search((own, following), places, pixels, 0, BLOCK_PX // SAMPLES)
    resting = kind == DISTINCT
    unsure = ((kind & LOST) != 0) | ((kind & DISTINCT) == 0)
    as_little = np.abs(vectors - camera[:, None, None]).sum(axis=0) <= UNITS // 2
    follows = (resting & as_little) | (unsure & (costs <= cost + CAMERA_BIAS))
    alone = np.where((kind & MOVES) != 0, vectors, 0)
    return np.where(follows, camera[:, None, None], alone)


def agreed(own: Whole, following: Whole, vectors: Whole, step: int) -> Whole:
    """Let adjacent blocks agree: each takes its own, a neighbour's or its changed motion.

    The cheapest wins; if none of the five moves, the block stays (de Haan et al., 1993).
    """
    _, rows, columns = vectors.shape
    around = np.pad(vectors, ((0, 0), (1, 1), (1, 1)), "edge")
    beside = [around[:, 1 + y :, 1 + x :][:, :rows, :columns] for y, x in ((-1, 0), (0, -1), (0, 1), (1, 0))]
    places: Whole = np.mgrid[0:rows, 0:columns] * BLOCK_PX
    samples = places[:, :, :, None, None] + BLOCK_PX // SAMPLES * np.mgrid[0:SAMPLES, 0:SAMPLES][:, None, None]
    ours = steady.at(own, samples)

    def cost(tried: Whole) -> Whole:
        (row, column), (down, over) = np.divmod(tried, UNITS)
        shown = np.full(ours.shape, UNITS * UNITS // 2)
        for y, vertical in ((0, UNITS - down), (1, down)):
            for x, horizontal in ((0, UNITS - over), (1, over)):
                moved = np.stack([row + y, column + x])[:, :, :, None, None]
                shown += (vertical * horizontal)[:, :, None, None] * steady.at(following, samples + moved)
        apart = np.abs(ours - shown // (UNITS * UNITS)).sum(axis=(2, 3))
        alone = sum((np.abs(tried - other).sum(axis=0) for other in beside), start=np.zeros_like(apart))
        found: Whole = apart + AGREEMENT * alone - AGREEMENT_REST * ~tried.any(axis=0)
        return found

    away = np.array([(step, 0), (-step, 0), (0, step), (0, -step)])[:, :, None, None]
    best, least = vectors, cost(vectors)
    for tried in (*beside, *(vectors + away)):
        here = cost(tried)
        best, least = np.where(here < least, tried, best), np.minimum(here, least)
    moves = np.any([other.any(axis=0) for other in (vectors, *beside)], axis=0)
    return np.where(moves, best, vectors)


def _halved(cells: Whole) -> Whole:
    height, width = cells.shape
    whole = np.pad(cells, ((0, height % 2), (0, width % 2)), "edge")
    means: Whole = (whole.reshape(whole.shape[0] // 2, 2, -1, 2).sum(axis=(1, 3)) + 2) // 4
    return means


def covered(layer: Layer, homes: Whole, offsets: Whole, ages: Whole) -> npt.NDArray[np.bool_]:
    """Return the cells (rows, columns) that hold a grown stroke."""
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
    side = BLOCK_PX * UNITS
    at = homes[:, None, :2] + offsets
    target, working = sizes.target[::-1], sizes.working[::-1]  # rows first
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
