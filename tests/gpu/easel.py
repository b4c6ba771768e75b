"""The kernels of strokes on a GPU, one after another, against those of the CPU in C; what runs them is a backend's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu import tiles
from framebrush.gpu.cpu.stages.strokes import Carriage, Carrier, StrokePainter
from framebrush.gpu.cpu.strips import Workers
from framebrush.gpu.frame import rgba8
from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import FLAG, NO_RECORDS, Buffer, Tensor, Texture, Work
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.strokes import CUT_EIGHTHS, LOST, OIL, BrushKind
from framebrush.gpu.stages.strokes import passes as strokes
from framebrush.gpu.stages.strokes.looks import WORDS
from framebrush.gpu.stages.strokes.maps import planes
from framebrush.gpu.stages.strokes.passes import Carrying, Drawing, StrokeMemory
from framebrush.gpu.stages.way import Way
from framebrush.gpu.stylizer import Settings
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.style import Style
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
"""Of the target and before the network."""

KINDS = {"hairs": (OIL, NO_MAPS), "a mark": (replace(OIL, mark=mark()), NO_MAPS), "maps": (OIL, maps())}
"""Of brushes, with the maps of each frame."""

RAISED = Look(brush=1.0, relief=1.0)

Floats = npt.NDArray[np.float32]
Values = npt.NDArray[Any]


class Easel(ABC):
    """Slots with frames, and what carries and draws their strokes, here and on the CPU."""

    def __init__(self, name: str, workers: Workers, kind: BrushKind, maps: Maps) -> None:
        """maps: which a backend gives both slots."""
        target, working = SIZES[name]
        card = replace(identity().card, stride=4)
        sizes = Sizes.of(target, working, target)
        plan = tiles.plan(*working, card, "off")
        self.settings = settings = Settings(
            Style(card, b""), rgba8(*target), rgba8(*target), sizes, plan, Look(), slots=2, kind=kind
        )
        self.way = way = Way(settings, "hlsl")
        self.painted = way.painted(way.styled)
        self.memory = memory = StrokeMemory(settings, way.frame)
        self.carrying, self.drawing = Carrying(memory), Drawing(memory, self.painted, FLAG)
        self.carrier = Carrier(settings.layout, sizes, workers)
        self.painter = StrokePainter(settings.layout, sizes, workers)
        self.made, self.maps = Tensor.of("made", target), planes(maps)
        self.picture = Texture("picture", "float32x4", target)

    @abstractmethod
    def fill(self, tensor: Tensor, slot: int, values: Floats) -> None:
        """Write (3, H, W) to a tensor, whose edge is repeated where that is larger."""

    @abstractmethod
    def content(self, buffer: Buffer, slot: int = 0) -> Values:
        """(count * lanes,): the numbers of a buffer, the words of a structure."""

    @abstractmethod
    def pixels(self, texture: Texture) -> Floats:
        """(H, W, lanes)."""

    @abstractmethod
    def run(
        self, work: Work, slot: int, others: Sequence[int] = (), records: Mapping[str, Record] = NO_RECORDS
    ) -> None:
        """Run passes, and wait."""

    def see(self, slot: int, frame: Floats, place: int, before: int | None = None) -> None:
        """Take a frame (3, H, W) of the working size, and carry its strokes from those of another slot."""
        self.fill(self.way.frame, slot, frame)
        self.run(self.carrying.film, slot)
        others = () if before is None else (before,)
        work = self.carrying.begin if before is None else self.carrying.carry
        self.run(work, slot, others, {"carry": self.carrying.record(place)})

    def looks(self, slot: int) -> list[npt.NDArray[np.int32]]:
        """Of each layer (cells, slots, WORDS), what strokes remember."""
        whole = self.content(self.memory.looks, slot).view(np.int32).reshape(-1, WORDS)
        return [
            whole[one.first_slot :][: one.count * one.slots].reshape(one.count, one.slots, WORDS).copy()
            for one in self.settings.layout.layers
        ]

    def look(self, slot: int, painting: Floats, place: int) -> None:
        """Have the strokes of a slot look at a painting (3, H, W)."""
        self.fill(self.painted, slot, painting)
        self.run(self.drawing.looking, slot, (), {"look": self.drawing.record(Look(brush=1.0), place)})

    def offsets(self, slot: int) -> list[npt.NDArray[np.int16]]:
        """Of each layer (cells, slots, 2)."""
        whole, layers = self.content(self.memory.offsets, slot).view(np.int16), self.settings.layout.layers
        return [
            whole[2 * one.first_slot :][: 2 * one.count * one.slots].reshape(one.count, one.slots, 2) for one in layers
        ]

    def draw(self, look: Look, slot: int, painting: Floats, place: int, fine: Buffer | None = None) -> None:
        """Draw strokes over a painting (3, H, W)."""
        self.fill(self.painted, slot, painting)
        work = Work("brush", self.drawing.passes(self.picture if look.raises else self.made, fine))
        self.run(work, slot, (), {"brush": self.drawing.record(look, place)})

    def records(self) -> npt.NDArray[np.uint32]:
        """(strokes, 8, 4): those that were drawn, from the lowest up."""
        count = self.content(self.drawing.picks).sum()
        rows = self.content(self.drawing.records).reshape(-1, 8, 4)[:count]
        found: npt.NDArray[np.uint32] = rows[np.argsort(rows[:, 3, 0])]
        return found

    def listed(self) -> npt.NDArray[np.int64]:
        """(tiles,): how many strokes the list of each tile has."""
        ends, firsts = (self.content(each).astype(np.int64) for each in (self.drawing.ends, self.drawing.firsts))
        return ends - firsts


def film(size: Size, count: int, step: int) -> list[Floats]:
    """Frames (3, H, W) of a scene past which a camera moves, a part of which is flat, with some noise."""
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
    """From frame to frame, over a cut, and on, strokes are where those of the processor are."""
    working = made.settings.sizes.working
    frames = [*film(working, 8, 3), *(1.0 - frame for frame in film(working, 3, 2))]
    last: Carriage | None = None
    painting = picture_of(made, 7)
    for place, frame in enumerate(frames, 40):
        carriage = made.carrier.allocate()
        made.carrier.see(frame, carriage)
        made.carrier.carry(last, carriage, place)
        slot = place % 2
        made.see(slot, frame, place, None if last is None else 1 - slot)
        seen = made.memory.fine, made.memory.cells, made.memory.far_cells
        film_there = carriage.film.fine, carriage.film.cells, carriage.film.far_cells
        for buffer, theirs in zip(seen, film_there, strict=True):
            np.testing.assert_array_equal(made.content(buffer, slot), theirs.ravel())
        for ours, theirs in zip(made.offsets(slot), carriage.offsets, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        assert_remembered(made, slot, carriage)
        made.look(slot, painting, place)
        made.painter.guides.look(painting, frame, carriage, made.maps)
        if last is not None:
            found = made.content(made.memory.found).reshape(-1, 4)
            np.testing.assert_array_equal(found.T, made.carrier._found.reshape(4, -1))
            (lost,) = made.content(made.memory.lost)
            assert lost == np.count_nonzero(found[:, 3] & LOST)
            if 8 * lost < CUT_EIGHTHS * len(found):
                vectors = made.content(made.memory.vectors).reshape(-1, 2)
                np.testing.assert_array_equal(vectors.T, made.carrier._vectors.reshape(2, -1))
        last = carriage


def picture_of(made: Easel, seed: int) -> Floats:
    """(3, H, W) of the target's size, as 16 bits have it: patches and lines."""
    values = np.moveaxis(texture(*made.settings.sizes.target, seed)[..., :3], -1, 0) / 255.0
    return np.ascontiguousarray(np.rint(65535.0 * values) / 65535.0, np.float32)


def assert_remembered(made: Easel, slot: int, carriage: Carriage) -> None:
    """Strokes remember what those of the processor do, but for how what they saw was rounded."""
    ours = np.concatenate([one.reshape(-1, 2, 2) for one in made.looks(slot)])
    theirs = np.concatenate([one.reshape(-1, 2, 2) for one in carriage.looks])
    assert_same_looks(ours.view(np.uint32), theirs.view(np.uint32))


def assert_same_looks(ours: npt.NDArray[np.uint32], theirs: npt.NDArray[np.uint32]) -> None:
    """(strokes, 2, 2): what those from one device remember is the same, up to the last bits of how it was rounded."""
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
        assert (apart > 1).mean() <= 1e-3  # where the picture is flat, its direction is anyone's


class Painted:
    """A picture of patches and lines, whose strokes a film has carried for some frames, to be drawn here, and as the
    CPU draws it. theirs: (5, H, W)."""

    def __init__(self, easel: Easel, frames: int = 3) -> None:
        sizes = easel.settings.sizes
        last: Carriage | None = None
        self.painting = picture_of(easel, 5)
        for place, frame in enumerate(film(sizes.working, frames, 3), 4):
            carriage = easel.carrier.allocate()
            easel.carrier.see(frame, carriage)
            easel.carrier.carry(last, carriage, place)
            easel.see(place % 2, frame, place, None if last is None else 1 - place % 2)
            if place > 4:  # what is seen differs from what is remembered, here and there too much
                seen = 0.6 * self.painting + 0.4 * picture_of(easel, place)
                easel.look(place % 2, seen, place)
                easel.painter.guides.look(seen, frame, carriage, easel.maps)
                assert_remembered(easel, place % 2, carriage)
                carriage.looks = easel.looks(place % 2)  # to be drawn by the same
            last = carriage
        assert last is not None
        self.easel, self.place = easel, last.place
        self.theirs = easel.painter.run(self.painting, frame, last, easel.maps).copy()

    def draw(self, look: Look = RAISED, fine: Buffer | None = None) -> tuple[Floats, Floats]:
        """(3, H, W), and (2, H, W): the height of the paint, and how much of the picture it covers."""
        self.easel.draw(look, self.place % 2, self.painting, self.place, fine)
        shown, raised = (
            np.moveaxis(self.easel.pixels(each), -1, 0) for each in (self.easel.picture, self.easel.drawing.body)
        )
        return shown[:3], raised


def assert_drawn(made: Painted, tolerance: Mapping[str, Any]) -> None:
    """Strokes are drawn as on the processor, with relief and without."""
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
    np.testing.assert_allclose(made.easel.content(made.easel.made), picture.ravel(), rtol=0, atol=1e-6)


def _assert_guided(easel: Easel, tolerance: Mapping[str, Any]) -> None:
    """The pyramid, directions and needs are the processor's."""
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
    layers = easel.settings.layout.layers
    wanted = [need.ravel() for layer, need in zip(layers, painter.guides.needs, strict=True) if layer.detail]
    if wanted:
        needs = easel.content(drawing.needs)
        np.testing.assert_allclose(needs, np.concatenate(wanted), atol=tolerance["stroke_need"])


def _assert_traced(easel: Easel, tolerance: Mapping[str, Any]) -> None:
    """The strokes are the processor's; few of their paths may turn or end another way."""
    ours, theirs = easel.records(), easel.painter._drawn[: easel.painter.count]
    assert len(ours) == len(theirs)
    np.testing.assert_array_equal(ours[:, 2, 3], theirs[:, 9].view(np.uint32))  # seeds
    floats = ours.view(np.float32)
    # half widths, colours; how much of a stroke is seen comes in 4095ths
    limits = {"rtol": 2e-4, "atol": tolerance["stroke_trace"]}
    np.testing.assert_allclose(floats[:, 1], theirs[:, [2, 3, 4, 5]], **limits)
    np.testing.assert_allclose(
        floats[:, 2, 0], theirs[:, 6], rtol=0, atol=2e-4 + tolerance["stroke_trace"]
    )  # opacities
    ends, counts = ours[:, 2, 2], theirs[:, 8].view(np.int32)
    path = np.concatenate([floats[:, 4:8].reshape(-1, 8, 2), floats[:, 3, None, 2:]], axis=1)
    alike = (ends >> 8) - (ends & 255) + 1 == counts
    for index in np.flatnonzero(alike):
        own = path[index, ends[index] & 255 : (ends[index] >> 8) + 1]
        other = np.stack([theirs[index, 19:28], theirs[index, 10:19]], axis=-1)[: len(own)]
        alike[index] = np.abs(own - other).max() < 0.05
    assert alike.mean() >= 0.98


def assert_finest_left_out(made: Painted) -> None:
    """Where there is no room for all strokes, whole layers are left out, from the finest on, and no hole is left."""
    picture, body = made.draw()
    drawing, layers = made.easel.drawing, made.easel.settings.layout.layers
    counts = made.easel.content(drawing.picks)[: len(layers)].astype(int)
    tiles_of_all = [count * strokes.most_tiles(layer) for count, layer in zip(counts, layers, strict=True)]
    fit = (np.cumsum(counts) <= drawing.most_records) & (np.cumsum(tiles_of_all) <= drawing.most_pairs)
    assert made.easel.content(drawing.drawn)[0] == counts[fit].sum()
    assert fit[0]
    assert not fit[-1]
    (total,) = made.easel.content(drawing.total)
    assert 0 < total <= sum(tiles_of_all[: fit.sum()])
    assert body[0].min() > 0.05
    assert np.abs(picture - made.theirs[:3]).mean() < 0.1


LIMITS = {"MOST_RECORDS": 2000, "MOST_PAIRS": 60_000}
"""Of the room for strokes, which a picture of "half" has more of."""
