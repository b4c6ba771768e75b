"""Strokes: advection, guides and drawing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.stages import stroke_kernels as kernels
from framebrush.gpu.cpu.stages.strips import Floats, Tensor, Workers
from framebrush.gpu.cpu.stages.stroke_kernels import Carried, LayerGuides, LayerStrokes, Steps
from framebrush.gpu.sizes import Size, Sizes, squares
from framebrush.gpu.stages.steady import BLOCK_PX, CELL_PX
from framebrush.gpu.stages.strokes import (
    AGREEMENT_STEPS,
    CAMERA_REST,
    CUT_EIGHTHS,
    DISTINCT,
    FIGURES,
    LOST,
    BrushKind,
    Layer,
    StrokeLayout,
    noise,
    paint_of,
)
from framebrush.gpu.stages.strokes.brush_maps import planes
from framebrush.gpu.stages.strokes.drawn import DRAWN, Canvas, DrawnStrokes, cleared, cut, lives, shares_of
from framebrush.gpu.stages.strokes.laying import laid
from framebrush.gpu.stages.strokes.stroke_samples import WORDS
from framebrush.gpu.unfinished import Unfinished
from framebrush.models.brushes import NO_MAPS

Shorts = npt.NDArray[np.int16]

RECORD = 32
"""Floats of a drawn stroke."""

HEIGHT, COVER = 3, 4
"""Planes of a drawn picture with the height of the paint, and the visible share of the ground."""

BLOCK_WORK, CELL_WORK, STROKE_WORK, DRAWN_WORK = 64, 8, 16, 8
"""Cost of block matching, of advecting or sampling a cell, of tracing a stroke, and of drawing a pixel, in pixels of
other work for `Workers.run`."""

NO_PLANES = planes(NO_MAPS)
NO_MARK = np.empty((0, 0), np.float32)
"""Absent brush tip, for brushes with hairs."""


@dataclass(slots=True)
class Film:
    """Planes for the motion search. fine: (H, W); others: means."""

    fine: Shorts
    cells: Shorts
    far_cells: Shorts


@dataclass(slots=True)
class Carriage:
    """Strokes of a frame. place: its number. begun: when all strokes began anew.

    offsets: of each layer, (cells, slots, 2). looks: samples, (cells, slots, WORDS).
    """

    film: Film
    offsets: list[Shorts]
    looks: list[npt.NDArray[np.int32]]
    place: int = 0
    begun: int = 0


class Carrier:
    """Advection of strokes."""

    def __init__(self, layout: StrokeLayout, sizes: Sizes, workers: Workers) -> None:
        self.layout, self._sizes, self._workers = layout, sizes, workers
        columns, rows = squares(sizes.working, BLOCK_PX)
        self._vectors, self._agreed = (np.zeros((2, rows, columns), np.int32) for _ in range(2))
        self._found = np.zeros((4, rows, columns), np.int32)
        layers = layout.layers
        self._covered = [np.zeros((layer.rows, layer.columns) if layer.fills else (1, 1), np.uint8) for layer in layers]
        self._homes = [layout.homes_of(layer) for layer in layers]

    def allocate(self) -> Carriage:
        working = self._sizes.working
        sizes = working, squares(working, CELL_PX), squares(working, 2 * CELL_PX)
        film = Film(*(np.zeros((rows, columns), np.int16) for columns, rows in sizes))
        cells = [(layer.count, layer.slots) for layer in self.layout.layers]
        offsets = [np.zeros((*each, 2), np.int16) for each in cells]
        return Carriage(film, offsets, [np.zeros((*each, WORDS), np.int32) for each in cells])

    def compute_planes(self, frame: Floats, carriage: Carriage) -> None:
        """Compute the planes for motion from a frame."""
        film, run = carriage.film, self._workers.run
        run(len(film.fine), film.fine.shape[1], kernels.film_levels, frame, film.fine)
        run(len(film.cells), film.cells.shape[1], kernels.film_cells, film.fine, CELL_PX, film.cells)
        run(len(film.far_cells), film.far_cells.shape[1], kernels.film_cells, film.cells, 2, film.far_cells)

    def carry(self, before: Carriage | None, after: Carriage, place: int) -> None:
        """Advect strokes to a frame with planes. before: None at first."""
        after.place = place
        run, fresh = self._workers.run, before is None
        if before is not None:
            fresh = not self._follow(before.film, after.film)
        last = before or after
        after.begun = place if fresh else last.begun
        for layer, homes, covered, old, new, known, looks in zip(
            self.layout.layers,
            self._homes,
            self._covered,
            last.offsets,
            after.offsets,
            last.looks,
            after.looks,
            strict=True,
        ):
            sizes = Carried(*self._sizes.target, *self._sizes.working, layer.cell)
            covered[:] = 0
            strokes = old, new, known, looks, covered
            run(layer.count, CELL_WORK, kernels.carry_strokes, homes, self._vectors, sizes, place, int(fresh), *strokes)
            if layer.fills and not fresh:
                run(layer.count, 1, kernels.fill_gaps, homes, place, layer.cell, covered, new)

    def motion(self, film: Film, other: Film) -> npt.NDArray[np.int32] | None:
        """Return where a frame's blocks are in another, None across a cut.

        (2, rows, columns): down and across in UNITS. Not for advecting carriers.
        """
        return self._vectors.copy() if self._follow(film, other) else None

    def _follow(self, film: Film, following: Film) -> bool:
        run, found = self._workers.run, self._found
        rows, work = found.shape[1], BLOCK_WORK * found.shape[2]
        films = film.fine, film.cells, film.far_cells, following.fine, following.cells, following.far_cells
        run(rows, work, kernels.film_motion, *films, found)
        kind = found[3]
        if 8 * np.count_nonzero(kind & LOST) >= CUT_EIGHTHS * kind.size:
            return False
        vectors = np.sort(found[:2, (kind & (DISTINCT | LOST)) == DISTINCT])
        camera = vectors[:, (vectors.shape[1] - 1) // 2] if vectors.size else np.zeros(2, np.int32)
        if np.abs(camera).max() < CAMERA_REST:
            camera = np.zeros(2, np.int32)
        down, over = map(int, camera)
        run(rows, work // 8, kernels.settle_motion, film.fine, following.fine, found, down, over, self._vectors)
        for step in AGREEMENT_STEPS:
            run(rows, work // 2, kernels.agree_motion, film.fine, following.fine, self._vectors, step, self._agreed)
            self._vectors, self._agreed = self._agreed, self._vectors
        return True


class Guides:
    """Pyramid, needs and directions at one size."""

    def __init__(self, layout: StrokeLayout, sizes: Sizes, workers: Workers) -> None:
        self.layout, self.workers, self._sizes = layout, workers, sizes
        self.homes = [layout.homes_of(layer) for layer in layout.layers]
        self.levels = [_planes(4, layout.level_size(level)) for level in range(1, layout.levels + 1)]
        finest = layout.tensor_level
        top = finest + layout.tensor_levels[-1]
        self.around = self.levels[layout.around_level - 1]
        self._tensors = [_planes(2, layout.level_size(level)) for level in range(finest, top + 1)]
        self.direction = _planes(2, layout.level_size(layout.direction_level))
        self.needs = [
            _planes(1, layout.level_size(layer.detail + 1) if layer.detail else (1, 1))[0] for layer in layout.layers
        ]

    def find(self, painting: Floats, frame: Tensor, maps: Floats) -> None:
        """Compute a painting's guides. maps: from `gpu.stages.strokes.brush_maps.planes`."""
        layout, run = self.layout, self.workers.run
        shown = frame.astype(np.float32, copy=False)
        width, height = self._sizes.target
        levels, tensors = self.levels, self._tensors
        sizes = width, height, shown, *self._sizes.working
        run(levels[0].shape[1], 2 * width, kernels.first_level, painting, *sizes, levels[0])
        for fine, coarse in pairwise(levels):
            run(coarse.shape[1], coarse.shape[2], kernels.next_level, fine, coarse)
        rows, columns = tensors[0].shape[1:]
        run(rows, columns, kernels.stroke_tensor, levels[layout.tensor_level - 1], tensors[0])
        for fine, coarse in pairwise(tensors):
            run(coarse.shape[1], coarse.shape[2], kernels.next_level, fine, coarse)
        near, far, farther = (tensors[level] for level in layout.tensor_levels)
        rows, columns = self.direction.shape[1:]
        steps = 2.0**layout.direction_level / height, 2.0**layout.direction_level / width
        run(rows, columns, kernels.stroke_direction, near, far, farther, maps, *steps, self.direction)
        for layer, need in zip(layout.layers, self.needs, strict=True):
            if layer.detail:
                seen_by = levels[layer.detail - 1], levels[layer.detail]
                run(len(need), need.shape[1], kernels.stroke_need, *seen_by, need)

    def sample(self, painting: Floats, frame: Tensor, carriage: Carriage, maps: Floats = NO_PLANES) -> None:
        """Sample a painting for a frame's strokes."""
        self.find(painting, frame, maps)
        for layer, homes, offsets, looks in zip(
            self.layout.layers, self.homes, carriage.offsets, carriage.looks, strict=True
        ):
            seen = self.of_layer(layer), self.steps(layer), 1.0 / layer.need
            self.workers.run(layer.count, CELL_WORK, kernels.look_at_painting, homes, offsets, *seen, looks)

    def of_layer(self, layer: Layer) -> LayerGuides:
        return LayerGuides(self.needs[layer.index], self.levels[layer.level - 1], self.around, self.direction)

    def steps(self, layer: Layer) -> Steps:
        layout = self.layout
        levels = layer.level, layout.around_level, layer.detail + 1, layout.direction_level
        return Steps(layer.half_steps, *levels, int(layer.index == 0), len(layout.layers) - 1, *self._sizes.target)


class StrokePainter:
    """Drawing with strokes."""

    def __init__(self, layout: StrokeLayout, sizes: Sizes, workers: Workers) -> None:
        self._layout, self._sizes, self._workers = layout, sizes, workers
        self.guides = Guides(layout, sizes, workers)
        self._picked = np.empty(max(layer.count for layer in layout.layers), np.int32)
        self._shown = np.empty(max(layer.count * layer.slots for layer in layout.layers), np.float32)
        self._listed = np.empty(2 * 4096 + 1, np.int32)
        self._drawn = np.empty((4096, RECORD), np.float32)
        self._made = _planes(5, layout.size)
        self._brush = figures_of(layout.kind)
        self.count = 0
        """Strokes of the last picture."""

        self._counts: list[int] = []

        self._home: Carriage | None = None

    def run(self, painting: Floats, frame: Tensor, carriage: Carriage | None, maps: Floats = NO_PLANES) -> Floats:
        """Draw a painting; return (5, H, W).

        Planes: red, green, blue, height, visible ground. carriage: None for strokes at home.
        """
        self._trace_all(painting, frame, carriage or self._at_home(), maps)
        draw(self._drawn, self.count, painting, self._ground, self._layout, self._workers, self._made)
        return self._made

    def run_part(self, painting: Floats, part: Unfinished) -> Floats:
        """Draw a part of the last strokes, as `run`."""
        records = self._drawn[: self.count].view(DRAWN)[:, 0]
        layers = np.repeat(np.arange(len(self._counts), dtype=np.int32), self._counts)
        drawn = cut(records, shares_of(part, records, layers, self._layout.size))
        rows, made = drawn.view(np.float32).reshape(-1, RECORD), self._made
        ground = np.ones_like(made[:3])
        if part.front < 1.0 and not part.covers:
            draw(rows, 0, painting, self._ground, self._layout, self._workers, made)
            ground[:] = made[:3]
        draw(rows, len(rows), painting, self._ground, self._layout, self._workers, made)
        if part.covers:
            made[:3] = 1.0
        if part.front < 1.0:
            made[:3] += made[COVER] * (laid(ground, part) - ground)
        return made

    def read(
        self, painting: Floats, frame: Tensor, carriage: Carriage | None, maps: Floats = NO_PLANES
    ) -> DrawnStrokes:
        """Return a copy of a painting's strokes. See `run`."""
        carriage, listed = carriage or self._at_home(), list[npt.NDArray[np.int32]]()
        self._trace_all(painting, frame, carriage, maps, listed)
        records = cleared(self._drawn[: self.count].copy().view(DRAWN)[:, 0])
        canvas = Canvas(painting.copy(), self._ground[:3].copy(), self._layout)
        facts = lives(self._layout, listed, carriage.place, carriage.begun)
        return DrawnStrokes(records, *facts, canvas)

    @property
    def height(self) -> Floats:
        """Last picture's height, (H, W)."""
        height: Floats = self._made[HEIGHT]
        return height

    @property
    def _ground(self) -> Floats:
        return self.guides.levels[self._layout.ground_level - 1]

    def _trace_all(
        self,
        painting: Floats,
        frame: Tensor,
        carriage: Carriage,
        maps: Floats,
        listed: list[npt.NDArray[np.int32]] | None = None,
    ) -> None:
        self.guides.find(painting, frame, maps)
        self.count, self._counts = 0, []
        for number, layer in enumerate(self._layout.layers):
            count = self._trace(layer, carriage.offsets[number], carriage.looks[number], carriage.place, maps)
            self._counts.append(count)
            if listed is not None:
                listed.append(self._listed[1 : 2 * count + 1].reshape(-1, 2).copy())

    def _at_home(self) -> Carriage:
        if self._home is None:
            carrier = Carrier(self._layout, self._sizes, self._workers)
            self._home = carrier.allocate()
            carrier.carry(None, self._home, 0)
        return self._home

    def _trace(self, layer: Layer, offsets: Shorts, looks: npt.NDArray[np.int32], place: int, maps: Floats) -> int:
        run, guides = self._workers.run, self.guides
        strokes, planes = LayerStrokes(guides.homes[layer.index], offsets, looks, place), guides.of_layer(layer)
        steps, per_need, picked = guides.steps(layer), 1.0 / layer.need, self._picked[: layer.count]
        seen = strokes, maps, planes.need, steps, per_need, layer.reach_px
        run(layer.count, CELL_WORK, kernels.pick_strokes, *seen, *self._sizes.target, picked, self._shown)
        kernels.list_strokes(picked, layer.slots, self._listed, 0, layer.count)
        count = int(self._listed[0])
        if 2 * count + 1 > len(self._listed):
            self._listed = np.empty(3 * count + 1, np.int32)
            kernels.list_strokes(picked, layer.slots, self._listed, 0, layer.count)
        if self.count + count > len(self._drawn):
            grown = np.empty((3 * (self.count + count) // 2, RECORD), np.float32)
            grown[: self.count] = self._drawn[: self.count]
            self._drawn = grown
        guided = strokes, planes, steps, self._shown
        shape = self._brush, layer.width_px, layer.length_px
        run(count, STROKE_WORK, kernels.trace_strokes, *guided, *shape, self._listed, self.count, self._drawn)
        self.count += count
        return count


def draw(
    drawn: Floats, count: int, painting: Floats, ground: Floats, layout: StrokeLayout, workers: Workers, made: Floats
) -> None:
    """Draw strokes over a ground into `made`, as `StrokePainter.run` does.

    drawn: rows of DRAWN, bottom to top. ground: (>=3, rows, columns) of the layout's `ground_level`.
    """
    kind, (width, height) = layout.kind, layout.size
    mark = NO_MARK if kind.mark is None else paint_of(kind.mark)
    drawing = drawn, count, painting, ground, layout.ground_level
    drawn_with = figures_of(kind), layout.hair_px, looped_noise(), mark, made
    workers.run(height, DRAWN_WORK * width, kernels.draw_strokes, *drawing, *drawn_with)


def numbers(drawn: Floats, layout: StrokeLayout, workers: Workers) -> npt.NDArray[np.int32]:
    """Return each pixel's uppermost stroke that covers half of it.

    Row of `drawn` plus 1; 0 for ground.
    """
    kind, (width, height) = layout.kind, layout.size
    mark, found = NO_MARK if kind.mark is None else paint_of(kind.mark), np.empty((height, width), np.int32)
    given = drawn, len(drawn), figures_of(kind), layout.hair_px, looped_noise(), mark
    workers.run(height, DRAWN_WORK * width, kernels.stroke_numbers, *given, found)
    return found


def figures_of(kind: BrushKind) -> Floats:
    return np.array([getattr(kind, name) for name, _ in FIGURES], np.float32)


@lru_cache(maxsize=1)
def looped_noise() -> Floats:
    """Return hairs' noise (NOISE_SIZE + 1,) for C kernels, the first value again at the end."""
    return np.append(noise(), noise()[:1])


def _planes(count: int, size: Size) -> Floats:
    return np.empty((count, size[1], size[0]), np.float32)
