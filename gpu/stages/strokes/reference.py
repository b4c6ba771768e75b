"""Reference of drawing strokes in float64; advection: `gpu.stages.strokes.advection`.

Pictures are (3, H, W) encoded R'G'B' 0..1 in the target. Pyramid levels are (4, rows, columns): R, G, B, the film's
luma.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.bilinear import bilinear
from framebrush.gpu.stages.cells import derivatives, luma_of
from framebrush.gpu.stages.steady.reference import Whole
from framebrush.gpu.stages.strokes import (
    ALIKE,
    COVERED,
    FAR_SHARE,
    FARTHER_SHARE,
    FILM_NEED,
    GROUND_HEIGHT,
    LEAST_GROWN,
    LEAST_LENGTH,
    LEAST_SEEN,
    MARK_COLUMNS,
    MARK_END,
    MARK_FULL,
    MARK_ROWS,
    MARK_TIP,
    NEED_ALIKE,
    NOISE_SIZE,
    NONE,
    PROPERTY,
    REST_TENSOR,
    TENSOR_FILM,
    TINY,
    TURN,
    TWINS,
    UNFOLLOWED,
    UNITS,
    Layer,
    StrokeLayout,
    brush_maps,
    hashed,
    noise,
    paint_of,
    share,
)
from framebrush.gpu.stages.strokes import stroke_samples as rule
from framebrush.gpu.stages.strokes.advection import Carriage, age, grown, homes_of
from framebrush.gpu.stages.strokes.drawn import PRESSED
from framebrush.gpu.stages.strokes.laying import laid
from framebrush.gpu.unfinished import TIMES_SIDE, Unfinished
from framebrush.models.brushes import NO_MAPS, Maps

FILM = 3
"""Plane of a level with the film's luma."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """Drawn stroke. path: (points, 2), y and x in pixels, as `width`."""

    path: Array
    width: float
    colour: Array
    opacity: float
    seed: int
    layer: int


@dataclass(frozen=True, slots=True)
class Guides:
    """Inputs of stroke drawing.

    levels: pyramid from half the painting's size. needs: (rows, columns) by layer. direction: structure tensor (2,
    rows, columns).
    """

    levels: tuple[Array, ...]
    needs: tuple[Array, ...]
    direction: Array


def drawn(
    painting: Array,
    working: Array,
    carriage: Carriage,
    layout: StrokeLayout,
    given: Maps = NO_MAPS,
    part: Unfinished | None = None,
) -> tuple[Array, Array]:
    """Draw a painting with strokes; return picture and height (H, W)."""
    guides = guides_of(painting, working, layout, given)
    found = strokes(guides, carriage, layout, given)
    if part:
        found = [cut for stroke in found if (cut := drawn_part(stroke, part, layout.size))]
    return over_ground(found, painting, guides, layout, part)


def drawn_part(stroke: Stroke, part: Unfinished, size: Size) -> Stroke | None:
    """Return the drawn part of a stroke, None if it is not begun."""
    path = stroke.path
    down, over = np.clip(TIMES_SIDE * path[len(path) // 2] / size[::-1], 0, TIMES_SIDE - 1).astype(int)
    begins, spread, takes, _ = part.times.table[stroke.layer, down, over]
    drawn = min(1.0, (part.progress - begins - spread * (stroke.seed % NOISE_SIZE) / NOISE_SIZE) / takes)
    if drawn <= 0.0:
        return None
    passed = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    reach = drawn * passed[-1]
    tip = np.array([np.interp(reach, passed, axis) for axis in path.T])
    width = stroke.width * math.sqrt(min(drawn / PRESSED, 1.0))
    return replace(stroke, path=np.array([*path[passed < reach], tip]), width=width)


def sample_painting(
    painting: Array, working: Array, carriage: Carriage, layout: StrokeLayout, given: Maps = NO_MAPS
) -> Carriage:
    """Sample a painting for a frame's strokes."""
    guides, found = guides_of(painting, working, layout, given), []
    for layer, homes, offsets, former in zip(
        layout.layers, homes_of(layout), carriage.offsets, carriage.looks, strict=True
    ):
        at = (homes[:, None, :2] + np.where(offsets == NONE, 0, offsets)) / UNITS
        seen = np.concatenate(
            [
                np.clip(np.moveaxis(_colour(guides, layer, at), 0, -1), 0.0, 1.0),
                _needed(guides, layer, at)[..., None],
                np.moveaxis(_turned(guides, layout, at), 0, -1),
                np.clip(_around(guides, layout, at), 0.0, 1.0)[..., None],
            ],
            axis=-1,
        )
        found.append(rule.taken(former, rule.graded(seen), offsets))
    return replace(carriage, looks=tuple(found))


def guides_of(painting: Array, working: Array, layout: StrokeLayout, given: Maps = NO_MAPS) -> Guides:
    """Compute a painting's pyramid, needs and directions."""
    levels = [first_level(painting, working)]
    for _ in range(layout.levels - 1):
        levels.append(halved(levels[-1]))
    tensors = [structure_tensor(levels[layout.tensor_level - 1])]
    for _ in range(layout.tensor_levels[-1]):
        tensors.append(halved(tensors[-1]))
    near, far, farther = (tensors[level] for level in layout.tensor_levels)
    y, x = np.mgrid[: near.shape[1], : near.shape[2]] + 0.5
    direction = near + np.array(REST_TENSOR)[:, None, None]
    for part, weight, scale in ((far, FAR_SHARE, 0.25), (farther, FARTHER_SHARE, 0.0625)):
        direction = direction + weight * bilinear(part, y * scale - 0.5, x * scale - 0.5)
    scale, (width, height) = 2.0**layout.direction_level, layout.size
    mapped = brush_maps.read(given, y * scale / height, x * scale / width)[1:3]
    counts = np.hypot(*mapped)
    beside = (1.0 - counts) / (np.hypot(*direction) + TINY)
    direction = np.where(counts > 0.0, beside, 1.0) * direction + mapped
    needs = [
        need(levels[layer.detail - 1], levels[layer.detail]) if layer.detail else np.zeros((1, 1))
        for layer in layout.layers
    ]
    return Guides(tuple(levels), tuple(needs), direction)


def first_level(painting: Array, working: Array) -> Array:
    """Compute the first pyramid level and the film's luma."""
    _, height, width = painting.shape
    y, x = np.mgrid[: height + height % 2, : width + width % 2] + 0.5
    film = bilinear(luma_of(working)[None], y * working.shape[1] / height - 0.5, x * working.shape[2] / width - 0.5)
    return np.concatenate([halved(painting), halved(film)])


def halved(planes: Array) -> Array:
    """Return means of 2x2 samples, edges repeated."""
    _, height, width = planes.shape
    whole = np.pad(planes, ((0, 0), (0, height % 2), (0, width % 2)), "edge")
    means: Array = whole.reshape(len(planes), whole.shape[1] // 2, 2, -1, 2).mean(axis=(2, 4))
    return means


def need(fine: Array, coarse: Array) -> Array:
    """Return a level's difference from the next coarser."""
    y, x = np.mgrid[: fine.shape[1], : fine.shape[2]]
    apart = np.abs(fine - bilinear(coarse, 0.5 * y - 0.25, 0.5 * x - 0.25))
    apart[FILM] *= FILM_NEED
    means: Array = halved(apart.max(axis=0, keepdims=True))[0]
    return means


def structure_tensor(level: Array) -> Array:
    """Return gx² - gy² and 2 gx gy, (2, rows, columns)."""
    found = np.zeros((2, *level.shape[1:]))
    for weight, plane in ((1.0, luma_of(level[:3])), (TENSOR_FILM, level[FILM])):
        gx, gy = derivatives(plane)
        found += weight * np.stack([gx * gx - gy * gy, 2.0 * gx * gy])
    return found


def strokes(guides: Guides, carriage: Carriage, layout: StrokeLayout, given: Maps = NO_MAPS) -> list[Stroke]:
    """Return drawn strokes, bottom to top."""
    found: list[Stroke] = []
    for layer, homes, offsets, looks in zip(
        layout.layers, homes_of(layout), carriage.offsets, carriage.looks, strict=True
    ):
        ages = age(homes, carriage.place, layer.slots)
        size = grown(ages)
        at = (homes[:, None, :2] + offsets) / UNITS
        known, knows = rule.remembered(looks, carriage.place)
        needed = _needed(guides, layer, at)
        eased = needed + np.clip(known[..., 3] - needed, -NEED_ALIKE, NEED_ALIKE)
        needed = np.where(knows, eased, needed)
        if layer.index:
            broader = brush_maps.read(
                given, *(homes[:, None, axis] / (UNITS * layout.size[1 - axis]) for axis in (0, 1))
            )[0]
            needed = np.clip(needed, *brush_maps.limits(broader, layer.index, len(layout.layers) - 1))
        seen = size * needed
        reach = layer.reach_px
        inside = ((at >= -reach) & (at <= np.array(layout.size[::-1]) + reach)).all(axis=-1)
        picked = inside & (offsets[..., 0] != NONE) & (seen >= LEAST_SEEN) & ~_hidden(offsets, size)
        cell, slot = np.nonzero(picked)
        order = np.lexsort((slot, size[cell, slot] >= 1.0, cell))
        for c, s in zip(cell[order], slot[order], strict=True):
            own = known[c, s] if knows[c, s] else None
            found.append(trace_stroke(at[c, s], float(seen[c, s]), int(homes[c, 2]), own, guides, layer, layout))
    return found


def _needed(guides: Guides, layer: Layer, at: Array) -> Array:
    if not layer.detail:
        return np.ones(at.shape[:-1])
    y, x = (at[..., axis] / 2.0 ** (layer.detail + 1) - 0.5 for axis in (0, 1))
    found: Array = np.clip(2.0 * bilinear(guides.needs[layer.index][None], y, x)[0] / layer.need - 1.0, 0.0, 1.0)
    return found


def _hidden(offsets: Whole, size: Array) -> npt.NDArray[np.bool_]:
    # the smaller or second of two at one place
    twins = (np.abs(offsets[:, 0] - offsets[:, 1]).sum(axis=-1) < TWINS) & (offsets[:, :2, 0] != NONE).all(axis=-1)
    hidden = np.zeros(size.shape, np.bool_)
    hidden[:, 1] = twins & (size[:, 0] >= size[:, 1])
    hidden[:, 0] = twins & ~hidden[:, 1]
    return hidden


def trace_stroke(
    at: Array, seen: float, seed: int, known: Array | None, guides: Guides, layer: Layer, layout: StrokeLayout
) -> Stroke:
    """Trace a stroke from its middle, (2,) y and x.

    seen: its visibility. known: stored sample, None before the first.
    """
    kind = layout.kind
    chance = 2.0 * share(hashed([(seed + k * PROPERTY) & 0xFFFFFFFF for k in range(3, 7)])) - 1.0
    size = LEAST_GROWN + (1.0 - LEAST_GROWN) * seen
    width = layer.width_px * size * (0.8 + 0.4 * abs(chance[0]))
    step = layer.length_px * size * (1.0 + 0.3 * chance[3]) / (2 * layer.half_steps)
    own, turn = _colour(guides, layer, at), np.eye(2)
    if known is not None:
        lighter, tensor = _around(guides, layout, at) - known[6], _turned(guides, layout, at)
        followed = lighter - np.clip(lighter, -UNFOLLOWED, UNFOLLOWED)
        left = 1.0 + followed / known[6] if followed < 0.0 else 1.0
        apart = left * known[:3] + max(followed, 0.0) - own
        trusted = np.clip(2.0 - np.abs(apart).max() / (left * ALIKE), 0.0, 1.0)
        own = own + trusted * apart
        now, then = _along_tensor(tensor), _along_tensor(tensor + trusted * (known[4:6] - tensor))
        cosine, sine = now @ then, now[1] * then[0] - now[0] * then[1]
        turn = np.array([[cosine, sine], [-sine, cosine]])
    red, blue = 0.8 * kind.jitter * chance[1], 0.8 * kind.jitter * chance[2]
    colour = own * (1.0 + 1.2 * kind.jitter * chance[0]) + np.array([red, -0.3 * (red + blue), blue])
    before, after = (_side(at, sign, step, width, own, turn, guides, layer, layout) for sign in (-1.0, 1.0))
    return Stroke(np.array([*before[::-1], at, *after]), width, colour, min(1.0, 1.5 * seen), seed, layer.index)


def _side(
    at: Array,
    sign: float,
    step: float,
    width: float,
    own: Array,
    turned: Array,
    guides: Guides,
    layer: Layer,
    layout: StrokeLayout,
) -> list[Array]:
    points: list[Array] = []
    edge, last, apart = layout.kind.edge, np.zeros(2), 0.0
    for number in range(layer.half_steps):
        along = turned @ _along_tensor(_turned(guides, layout, at))
        if number == 0:
            along = sign * along
        else:
            turn = TURN if along @ last >= 0.0 else -TURN
            along = turn * along + (1.0 - TURN) * last
            along /= np.sqrt(along @ along) + TINY
        there = _colour(guides, layer, at + step * along) - own
        now = float(np.sqrt(there @ there))
        reach = step
        if now > edge:
            reach *= max((edge - apart) / (now - apart), 0.0)
        if number == 0:
            reach = max(reach, 0.5 * LEAST_LENGTH * width)
        at = at + reach * along
        points.append(at)
        if now > edge:
            break
        last, apart = along, now
    return points


def _turned(guides: Guides, layout: StrokeLayout, at: Array) -> Array:
    y, x = (at[..., axis] / 2.0**layout.direction_level - 0.5 for axis in (0, 1))
    found = bilinear(guides.direction, y, x)
    length = np.hypot(*found) + TINY
    turned: Array = found / length
    return turned


def _along_tensor(tensor: Array) -> Array:
    first, second = tensor
    first = first / (np.hypot(first, second) + TINY)
    over, down = np.sqrt(max(0.5 - 0.5 * first, 0.0)), np.sqrt(max(0.5 + 0.5 * first, 0.0))
    return np.array([-down if second > 0.0 else down, over])


def _colour(guides: Guides, layer: Layer, at: Array) -> Array:
    y, x = (at[..., axis] / 2.0**layer.level - 0.5 for axis in (0, 1))
    return bilinear(guides.levels[layer.level - 1][:3], y, x)


def _around(guides: Guides, layout: StrokeLayout, at: Array) -> Array:
    y, x = (at[..., axis] / 2.0**layout.around_level - 0.5 for axis in (0, 1))
    return luma_of(bilinear(guides.levels[layout.around_level - 1][:3], y, x))


def over_ground(
    strokes: list[Stroke], painting: Array, guides: Guides, layout: StrokeLayout, part: Unfinished | None = None
) -> tuple[Array, Array]:
    """Composite strokes, uppermost first; return picture and height."""
    _, height, width = painting.shape
    picture, body, seen = np.zeros_like(painting), np.zeros((height, width)), np.ones((height, width))
    for stroke in reversed(strokes):
        half = 0.5 * stroke.width
        low = np.maximum(np.floor(stroke.path.min(axis=0) - half).astype(int), 0)
        high = np.minimum(np.ceil(stroke.path.max(axis=0) + half).astype(int) + 1, (height, width))
        if (low >= high).any():
            continue
        place = slice(low[0], high[0]), slice(low[1], high[1])
        y, x = np.mgrid[place] + 0.5
        opacity, tone, thick = paint_stroke(stroke, y, x, layout)
        taken = np.where(seen[place] < COVERED, 0.0, opacity * seen[place])
        own = stroke.colour[:, None, None]
        picture[:, *place] += taken * (own * tone + layout.kind.wet * (painting[:, *place] - own))
        body[place] += taken * thick
        seen[place] -= taken
    y, x = (np.mgrid[:height, :width] + 0.5) / 2.0**layout.ground_level - 0.5
    ground = bilinear(guides.levels[layout.ground_level - 1][:3], y, x)
    if part:
        if part.covers:
            picture, ground = np.broadcast_to(1.0 - seen, picture.shape), np.ones_like(ground)
        ground = laid(ground, part)
    return picture + seen * ground, body + seen * GROUND_HEIGHT


def paint_stroke(stroke: Stroke, y: Array, x: Array, layout: StrokeLayout) -> tuple[Array, Array, Array]:
    """Return a stroke's cover, lightening and height at pixels."""
    u, v, far, total = _along(stroke.path, y, x)
    half, hair_px = 0.5 * stroke.width, layout.hair_px
    r = np.abs(v) / half
    rim = np.clip((1.0 - r) * half / (1.2 * hair_px), 0.0, 1.0)
    low = 0.5 + 0.5 * min(1.0, half / (5.0 * hair_px))
    if layout.kind.mark is not None:
        along, length = u + MARK_END * half, total + 2.0 * MARK_END * half
        inside = np.clip(np.minimum(along, length - along) / (1.5 * hair_px), 0.0, 1.0)
        across = -v / half if stroke.seed & 1 else v / half
        paint = _marked(paint_of(layout.kind.mark), across, along, length, half)
        opacity = np.minimum(1.0, paint / MARK_FULL) * inside * rim * stroke.opacity
        return np.where(far > half * half, 0.0, opacity), np.ones(v.shape), low * paint

    def hairs(place: Array, number: int) -> Array:
        return _noise(place, stroke.seed + number)

    hair, other = hairs(v / (1.3 * hair_px) + 100.0, 0), hairs(v / (2.1 * hair_px) + 300.0, 1)
    start, finish = -half * (0.25 + 0.6 * hair), total + half * (0.95 - 1.1 * other * other)
    inside = np.minimum(u - start, finish - u) / (1.5 * hair_px)
    opacity = np.clip(inside, 0.0, 1.0) * rim * stroke.opacity
    streak = 0.65 * hairs((v / 1.6 + 0.016 * u) / hair_px + 50.0, 2)
    streak = streak + 0.35 * hairs((v / 0.9 + 0.02 * u) / hair_px + 700.0, 3)
    dry = np.clip(2.2 * ((u - start) / (total + 2.0 * half) - 0.55), 0.0, 1.0)
    opacity = opacity * (1.0 - dry * np.clip((0.55 - streak) * 5.0, 0.0, 1.0))
    ridge = np.maximum(0.0, 1.0 - np.abs(r - 0.82) * 6.0)
    lip = np.maximum(0.0, 1.0 - np.abs(u - finish + 0.4 * half) / (0.5 * half))
    body = low * (0.45 + 0.5 * (streak - 0.5) + 0.35 * ridge + 0.25 * lip)
    return np.where(far > half * half, 0.0, opacity), 1.0 + 0.16 * (streak - 0.5), body


def _marked(paint: npt.NDArray[np.float32], across: Array, along: Array, length: float, half: float) -> Array:
    tip = min(half, length * MARK_TIP / MARK_COLUMNS)
    left = length - along
    between = MARK_TIP + (along - tip) * (MARK_COLUMNS - 2 * MARK_TIP) / max(length - 2.0 * tip, TINY)
    ends = np.where(along < tip, along * MARK_TIP / tip, MARK_COLUMNS - left * MARK_TIP / tip)
    column = np.where((along < tip) | (left < tip), ends, between)
    row = (0.5 + 0.5 * across) * MARK_ROWS
    found: Array = bilinear(paint[None].astype(np.float64), row - 0.5, column - 0.5)[0]
    return found


def _along(path: Array, y: Array, x: Array) -> tuple[Array, Array, Array, float]:
    """Return distances along and aside (squared), and length."""
    far, u, v = np.full(y.shape, np.inf), np.zeros(y.shape), np.zeros(y.shape)
    passed, pieces = 0.0, len(path) - 1
    for number in range(pieces):
        (ay, ax), (by, bx) = path[number], path[number + 1] - path[number]
        square = bx * bx + by * by + TINY
        length = np.sqrt(square)
        qy, qx = y - ay, x - ax
        least, most = 0.0 if number else -np.inf, 1.0 if number < pieces - 1 else np.inf
        t = np.clip((qx * bx + qy * by) / square, least, most)
        away = (qx - t * bx) ** 2 + (qy - t * by) ** 2
        nearer = away < far
        far = np.where(nearer, away, far)
        u = np.where(nearer, passed + t * length, u)
        v = np.where(nearer, (bx * qy - by * qx) / length, v)
        passed += length
    return u, v, far, passed


def _noise(place: Array, seed: int) -> Array:
    values = noise().astype(np.float64)
    low = np.floor(place)
    between = place - low
    between = between * between * (3.0 - 2.0 * between)
    first = low.astype(np.int64) + (seed & 0xFFFFFFFF)
    left, right = values[first % NOISE_SIZE], values[(first + 1) % NOISE_SIZE]
    found: Array = left + between * (right - left)
    return found
