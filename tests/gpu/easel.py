"""Comparison of a GPU's stroke kernels with the CPU's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu import tiles
from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.cpu.stages.strokes import Carriage, Carrier, StrokePainter
from framebrush.gpu.frame import rgba8
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, NO_RECORDS, Buffer, Language, Tensor, Texture, Work
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages import corners
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.strokes import CUT_EIGHTHS, LOST, OIL, BrushKind, layout_of
from framebrush.gpu.stages.strokes import passes as strokes
from framebrush.gpu.stages.strokes.brush_maps import planes
from framebrush.gpu.stages.strokes.passes import MOST_LAYERS, Carrying, Drawing, StrokeMemory
from framebrush.gpu.stages.strokes.stroke_samples import WORDS
from framebrush.gpu.unfinished import TIMES_SIDE, Times, Unfinished
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.style import Style
from tests.gpu.film import of_words
from tests.gpu.pictures import maps, mark
from tests.gpu.test_steady import texture
from tests.networks import identity

SIZES = {
    "half": ((160, 100), (80, 50)),
    "same": ((61, 47), (61, 47)),
    "broad": ((130, 90), (15, 11)),
    "one pixel": ((1, 1), (1, 1)),
    "a line": ((3, 200), (2, 100)),
}
"""Sizes of the target and the working frame."""

KINDS = {"hairs": (OIL, NO_MAPS), "a mark": (replace(OIL, mark=mark()), NO_MAPS), "maps": (OIL, maps())}
"""Kinds of brush, with the maps of each frame."""

RAISED = Look(brush=1.0, relief=1.0)

Floats = npt.NDArray[np.float32]
Values = npt.NDArray[Any]


class Traced(NamedTuple):
    """Traced strokes. sizes: half widths and colours."""

    seeds: npt.NDArray[np.uint32]
    sizes: Floats
    opacities: Floats
    ends: npt.NDArray[np.uint32]
    points: Floats


class Easel(ABC):
    """Frames in slots, on which a GPU and the CPU draw. Backends supply the executor."""

    language: Language = "hlsl"

    def __init__(self, name: str, workers: Workers, kind: BrushKind, maps: Maps) -> None:
        target, working = SIZES[name]
        card = replace(identity().card, stride=4)
        sizes = Sizes.of(target, working, target)
        plan = tiles.plan(*working, card, "off")
        self.settings = settings = Settings(
            Style(card, b""), rgba8(*target), rgba8(*target), sizes, plan, Look(), slots=2, kind=kind
        )
        self.way = way = FramePasses(settings, self.language)
        self.painted = way.painted(way.styled)
        self.memory = memory = StrokeMemory(settings, way.frame)
        self.carrying, self.drawing = Carrying(memory), Drawing(memory, self.painted, FLAG)
        self.carrier = Carrier(layout_of(settings), sizes, workers)
        self.painter = StrokePainter(layout_of(settings), sizes, workers)
        self.made, self.maps = Tensor.of("made", target), planes(maps)
        columns, rows = Cells.of(sizes).cells(*target)
        self.sums = Buffer("luma of cells", "uint32", columns * rows)
        self.picture, self.picture_step = Texture("picture", "float32x4", target), 1e-6

    @abstractmethod
    def fill(self, tensor: Tensor, slot: int, values: Floats) -> None:
        """Write (3, H, W) to a tensor, repeating the edge if larger."""

    @abstractmethod
    def content(self, buffer: Buffer, slot: int = 0) -> Values:
        """Return a buffer's values, or a structure's words: (count * lanes,)."""

    @abstractmethod
    def pixels(self, texture: Texture) -> Floats:
        """Return a texture's values: (H, W, lanes)."""

    @abstractmethod
    def run(
        self, work: Work, slot: int, others: Sequence[int] = (), records: Mapping[str, Record] = NO_RECORDS
    ) -> None: ...

    def see(self, slot: int, frame: Floats, place: int, before: int | None = None) -> None:
        """Load a frame, (3, H, W), and advect its strokes."""
        self.fill(self.way.frame, slot, frame)
        self.run(self.carrying.film, slot)
        others = () if before is None else (before,)
        work = self.carrying.begin if before is None else self.carrying.carry
        self.run(work, slot, others, {"carry": self.carrying.record(place)})

    def looks(self, slot: int) -> list[npt.NDArray[np.int32]]:
        """Return each layer's samples: (cells, slots, WORDS)."""
        words = self.content(self.memory.samples, slot).view(np.int32).reshape(2, -1, 2)
        whole = np.moveaxis(words, 0, -1).reshape(-1, WORDS)
        return [
            whole[one.first_slot :][: one.count * one.slots].reshape(one.count, one.slots, WORDS).copy()
            for one in layout_of(self.settings).layers
        ]

    def look(self, slot: int, painting: Floats, place: int) -> None:
        """Sample a painting, (3, H, W), under a slot's strokes."""
        self.fill(self.painted, slot, painting)
        self.run(self.drawing.sampling, slot, (), {"look": self.drawing.record(Look(brush=1.0), place)})

    def offsets(self, slot: int) -> list[npt.NDArray[np.int16]]:
        """Return each layer's offsets: (cells, slots, 2)."""
        whole, layers = self.content(self.memory.offsets, slot).view(np.int16), layout_of(self.settings).layers
        return [
            whole[2 * one.first_slot :][: 2 * one.count * one.slots].reshape(one.count, one.slots, 2) for one in layers
        ]

    @abstractmethod
    def use_times(self, slot: int, times: Times) -> None: ...

    def draw(self, look: Look, slot: int, painting: Floats, place: int, fine: Buffer | None = None) -> None:
        """Draw strokes over a painting, (3, H, W)."""
        self.fill(self.painted, slot, painting)
        into, sums = (self.picture, self.sums) if look.raises else (self.made, None)
        records = {"brush": self.drawing.record(look, place)}
        if look.part:
            self.use_times(slot, look.part.times)
            records["corners"] = self.drawing.corner_record(look.part)
        work = Work("brush", self.drawing.passes(into, fine, sums, revealed=look.part is not None))
        self.run(work, slot, (), records)

    def traced(self) -> Traced:
        """Return the traced strokes, bottom first."""
        count = self.content(self.drawing.counts)[MOST_LAYERS]
        rows = self.content(self.drawing.strokes).reshape(-1, 4)
        paths, paints = rows[: -self.drawing.most_records], rows[-self.drawing.most_records :][:count]
        heads, *sides = paths.reshape(-1, 3, 4)[:count].swapaxes(0, 1)
        floats, units = heads.view(np.float32), (heads[:, 3] | 127).view(np.float32)
        away = np.stack(sides, axis=1).view(np.int16).reshape(count, 2, 4, 2) * units[:, None, None, None]
        points = floats[:, None, :2] + np.insert(away.reshape(count, 8, 2), 4, 0.0, axis=1)
        halves = paints[:, :2].copy().view(np.uint16).astype(np.float32)
        sizes = np.concatenate([floats[:, 2:3], halves[:, :3] * 4.0 / 65535.0 - 1.0], axis=1)
        order = np.argsort(paints[:, 3])
        ends = np.stack([heads[:, 3] & 7, heads[:, 3] >> 3 & 15], axis=-1)
        opacities = np.minimum(1.0, 1.5 * halves[:, 3] / 4095.0)
        return Traced(*(each[order] for each in (paints[:, 2], sizes, opacities, ends, points)))

    def body(self) -> Floats:
        """Return the paint's height and cover, (2, H, W)."""
        left = self.pixels(self.drawing.left)
        plane = left.reshape(left.shape[:2])
        cover = 1.0 - corners.at_target(plane, self.settings.sizes.working, self.settings.sizes.target)
        return np.stack([2.0 * self.pixels(self.picture)[..., 3], cover])

    def listed(self) -> npt.NDArray[np.int64]:
        """Return lengths of tiles' stroke lists: (tiles,)."""
        firsts, ends = self.content(self.drawing.counts)[MOST_LAYERS + 1 :].astype(np.int64).reshape(2, -1)
        return ends - firsts


def film(size: Size, count: int, step: int) -> list[Floats]:
    """Return frames (3, H, W) of a moving camera."""
    width, height = size
    scene = np.moveaxis(texture(width + count * step, height + count, 3)[..., :3], -1, 0) / 255.0
    dice = np.random.default_rng(3)
    frames = []
    for number in range(count):
        frame = scene[:, number : number + height, number * step : number * step + width].copy()
        frame[:, :, : width // 4] = 0.3
        frames.append(np.clip(frame + 0.01 * dice.standard_normal(frame.shape), 0.0, 1.0).astype(np.float32))
    return frames


def assert_carried(made: Easel) -> None:
    """Compare advected strokes with the CPU's, also over a cut."""
    working = made.settings.sizes.working
    frames = [*film(working, 8, 3), *(1.0 - frame for frame in film(working, 3, 2))]
    last: Carriage | None = None
    painting = picture_of(made, 7)
    for place, frame in enumerate(frames, 40):
        carriage = made.carrier.allocate()
        made.carrier.compute_planes(frame, carriage)
        made.carrier.carry(last, carriage, place)
        slot = place % 2
        made.see(slot, frame, place, None if last is None else 1 - slot)
        seen = made.memory.fine, made.memory.cells, made.memory.far_cells
        film_there = carriage.film.fine, carriage.film.cells, carriage.film.far_cells
        for buffer, theirs in zip(seen, film_there, strict=True):
            ours = made.content(buffer, slot)
            if buffer is made.memory.fine:
                ours = of_words(ours, theirs.shape)
            np.testing.assert_array_equal(ours.ravel(), theirs.ravel())
        for ours, theirs in zip(made.offsets(slot), carriage.offsets, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        assert_remembered(made, slot, carriage)
        made.look(slot, painting, place)
        made.painter.guides.sample(painting, frame, carriage, made.maps)
        if last is not None:
            found = made.content(made.memory.found).reshape(-1, 4)
            np.testing.assert_array_equal(found.T, made.carrier._found.reshape(4, -1))
            (lost,) = made.content(made.memory.lost)
            assert lost == np.count_nonzero(found[:, 3] & LOST)
            if 8 * lost < CUT_EIGHTHS * len(found):
                vectors = made.content(made.memory.vectors).reshape(-1, 2)[:-1]
                np.testing.assert_array_equal(vectors.T, made.carrier._vectors.reshape(2, -1))
        last = carriage


def picture_of(made: Easel, seed: int) -> Floats:
    """Return patches and lines, (3, H, W), rounded to 16 bits."""
    values = np.moveaxis(texture(*made.settings.sizes.target, seed)[..., :3], -1, 0) / 255.0
    return np.ascontiguousarray(np.rint(65535.0 * values) / 65535.0, np.float32)


def assert_remembered(made: Easel, slot: int, carriage: Carriage) -> None:
    """Compare samples with the CPU's, except for rounding."""
    ours = np.concatenate([one.reshape(-1, 2, 2) for one in made.looks(slot)])
    theirs = np.concatenate([one.reshape(-1, 2, 2) for one in carriage.looks])
    assert_same_looks(ours.view(np.uint32), theirs.view(np.uint32))


def assert_same_looks(ours: npt.NDArray[np.uint32], theirs: npt.NDArray[np.uint32]) -> None:
    """Compare samples, (strokes, 2, 2), up to the last bits."""
    for word, shift, bits, most in (
        *((0, 10 * part, 10, 2) for part in range(3)),
        (0, 30, 2, 0),
        (1, 0, 7, 2),
        (1, 7, 8, 255),
        (1, 15, 8, 255),
        (1, 23, 9, 2),
    ):
        one, other = ((each[..., word] >> shift & (1 << bits) - 1).astype(int) for each in (ours, theirs))
        apart = np.abs(one - other)
        assert apart.max() <= most
        assert (apart > 1).mean() <= 1e-3  # in flat areas, direction is arbitrary


class Painted:
    """Picture with strokes advected over some frames. theirs: the CPU's, (5, H, W)."""

    def __init__(self, easel: Easel, frames: int = 3) -> None:
        sizes = easel.settings.sizes
        last: Carriage | None = None
        self.painting = picture_of(easel, 5)
        for place, frame in enumerate(film(sizes.working, frames, 3), 4):
            carriage = easel.carrier.allocate()
            easel.carrier.compute_planes(frame, carriage)
            easel.carrier.carry(last, carriage, place)
            easel.see(place % 2, frame, place, None if last is None else 1 - place % 2)
            if place > 4:  # the picture differs from the samples: too much in some places
                seen = 0.6 * self.painting + 0.4 * picture_of(easel, place)
                easel.look(place % 2, seen, place)
                easel.painter.guides.sample(seen, frame, carriage, easel.maps)
                assert_remembered(easel, place % 2, carriage)
                carriage.looks = easel.looks(place % 2)  # draw from the same samples
            last = carriage
        assert last is not None
        self.easel, self.place = easel, last.place
        self.theirs = easel.painter.run(self.painting, frame, last, easel.maps).copy()

    def draw(self, look: Look = RAISED, fine: Buffer | None = None) -> tuple[Floats, Floats]:
        """Return picture, (3, H, W), and paint's height and coverage, (2, H, W)."""
        self.easel.draw(look, self.place % 2, self.painting, self.place, fine)
        shown = np.moveaxis(self.easel.pixels(self.easel.picture), -1, 0)
        return shown[:3], self.easel.body()


def assert_drawn(made: Painted, tolerance: Mapping[str, Any]) -> None:
    picture, body = made.draw()
    _assert_guided(made.easel, tolerance)
    _assert_traced(made.easel, tolerance)
    cover = body[1]
    assert cover.mean() > 0.9
    expected = np.clip(made.painting + cover * (made.theirs[:3] - made.painting), 0.0, 1.0)
    for ours, theirs in ((picture, expected), (body[0], cover * made.theirs[3])):
        apart = np.abs(ours - theirs)
        assert (apart > 2e-3).mean() <= tolerance["stroke_draw"]
        assert np.sqrt((apart**2).mean()) <= 3e-3
    made.easel.draw(Look(brush=1.0), made.place % 2, made.painting, made.place)
    np.testing.assert_allclose(
        made.easel.content(made.easel.made), picture.ravel(), rtol=0, atol=made.easel.picture_step
    )


def assert_revealed(made: Painted, tolerance: Mapping[str, Any]) -> None:
    easel = made.easel
    for part in parts_of(len(layout_of(easel.settings).layers)):
        picture, body = made.draw(RAISED.revealed(part))
        theirs = easel.painter.run_part(made.painting, part)
        expected = np.clip(made.painting + body[1] * (theirs[:3] - made.painting), 0.0, 1.0)
        for ours, wanted in ((picture, expected), (body[0], body[1] * theirs[3])):
            assert (np.abs(ours - wanted) > 4e-3).mean() <= tolerance["stroke_cut"]
        covers = replace(part, covers=True, bare=(0.0, 0.0, 0.0), touches=0.0)
        easel.draw(Look(brush=1.0).revealed(covers), made.place % 2, made.painting, made.place)
        wanted = easel.painter.run_part(made.painting, covers)[:3]
        assert (np.abs(easel.content(easel.made) - wanted.ravel()) > 4e-3).mean() <= tolerance["stroke_cut"]


def parts_of(layers: int) -> list[Unfinished]:
    table = np.zeros((layers, TIMES_SIDE, TIMES_SIDE, 4), np.float32)
    table[..., 0] = 0.1 + 0.5 * np.linspace(0.0, 1.0, TIMES_SIDE)[:, None] + 0.02 * np.arange(layers)[:, None, None]
    table[..., 1], table[..., 2] = 0.1, 0.2
    times = Times(table)
    return [Unfinished(times, at, 1.5 * at, 0.5 * at, (0.94, 0.92, 0.87)) for at in (0.0, 0.4, 0.55, 0.8)]


def _assert_guided(easel: Easel, tolerance: Mapping[str, Any]) -> None:
    painter, drawing = easel.painter, easel.drawing
    pyramid = easel.content(drawing.pyramid).view(np.float32).reshape(-1, 4)
    for number, level in enumerate(painter.guides.levels, 1):
        start, columns, rows, _ = drawing._levels[number]
        ours = pyramid[start : start + columns * rows].reshape(rows, columns, 4)
        np.testing.assert_allclose(np.moveaxis(ours, -1, 0), level, atol=tolerance["stroke_first_level"])
    direction = easel.content(drawing.direction).reshape(*painter.guides.direction.shape[1:], 2)
    np.testing.assert_allclose(
        np.moveaxis(direction, -1, 0), painter.guides.direction, atol=tolerance["stroke_direction"]
    )
    layers = layout_of(easel.settings).layers
    wanted = [need.ravel() for layer, need in zip(layers, painter.guides.needs, strict=True) if layer.detail]
    if wanted:
        needs = easel.content(drawing.needs)
        np.testing.assert_allclose(needs, np.concatenate(wanted), atol=tolerance["stroke_need"])


def _assert_traced(easel: Easel, tolerance: Mapping[str, Any]) -> None:
    ours, theirs = easel.traced(), easel.painter._drawn[: easel.painter.count]
    assert len(ours.seeds) == len(theirs)
    np.testing.assert_array_equal(ours.seeds, theirs[:, 9].view(np.uint32))
    limits = {"rtol": 2e-4, "atol": tolerance["stroke_trace"]}
    np.testing.assert_allclose(ours.sizes, theirs[:, [2, 3, 4, 5]], **limits)
    # a stroke's visibility has steps of 1/4095
    np.testing.assert_allclose(ours.opacities, theirs[:, 6], rtol=0, atol=2e-4 + tolerance["stroke_trace"])
    counts = theirs[:, 8].view(np.int32)
    alike = ours.ends[:, 1] - ours.ends[:, 0] + 1 == counts
    for index in np.flatnonzero(alike):
        first, last = ours.ends[index]
        own = ours.points[index, first : last + 1]
        other = np.stack([theirs[index, 19:28], theirs[index, 10:19]], axis=-1)[: len(own)]
        alike[index] = np.abs(own - other).max() < 0.05
    assert alike.mean() >= 0.98


def assert_finest_left_out(made: Painted) -> None:
    """Check that too many strokes skip the finest layers."""
    picture, body = made.draw()
    drawing, layers = made.easel.drawing, layout_of(made.easel.settings).layers
    counts = made.easel.content(drawing.counts)[: len(layers)].astype(int)
    tiles_of_all = [count * strokes.most_tiles(layer) for count, layer in zip(counts, layers, strict=True)]
    fit = (np.cumsum(counts) <= drawing.most_records) & (np.cumsum(tiles_of_all) <= drawing.most_pairs)
    assert made.easel.content(drawing.counts)[MOST_LAYERS] == counts[fit].sum()
    assert fit[0]
    assert not fit[-1]
    (total,) = made.easel.content(drawing.total)
    assert 0 < total <= sum(tiles_of_all[: fit.sum()])
    assert body[0].min() > 0.05
    assert np.abs(picture - made.theirs[:3]).mean() < 0.1


LIMITS = {"MOST_RECORDS": 2000, "MOST_PAIRS": 60_000}
"""Capacities too small for all strokes of "half"."""
