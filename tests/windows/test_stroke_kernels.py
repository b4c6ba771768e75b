"""The kernels of strokes, one after another, against those of the CPU in C."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu import tiles
from framebrush.gpu.cpu.stages.strokes import Carriage, Carrier, StrokePainter
from framebrush.gpu.cpu.strips import Workers
from framebrush.gpu.d3d12 import kernels
from framebrush.gpu.d3d12.descriptors import TypedView
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.passes import Executor, Memory
from framebrush.gpu.d3d12.resources import Texture as D3D12Texture
from framebrush.gpu.d3d12.slot import Slot
from framebrush.gpu.frame import rgba8
from framebrush.gpu.passes import FLAG, Buffer, Tensor, Texture, Work
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.look import Look, ToneMap
from framebrush.gpu.stages.strokes import CUT_EIGHTHS, LOST
from framebrush.gpu.stages.strokes import passes as strokes
from framebrush.gpu.stages.strokes.passes import Carrying, Drawing, StrokeMemory
from framebrush.gpu.stages.way import Way
from framebrush.gpu.stylizer import Settings
from framebrush.models.style import Style
from tests.gpu.test_steady import texture
from tests.networks import identity
from tests.windows.harness import read_texture, read_view, run, write_tensor
from tests.windows.test_kernels import TOLERANCE

pytestmark = [pytest.mark.windows, pytest.mark.parity]

SIZES = {
    "half": ((160, 100), (80, 50)),
    "same": ((61, 47), (61, 47)),
    "broad": ((130, 90), (15, 11)),
    "one pixel": ((1, 1), (1, 1)),
    "a line": ((3, 200), (2, 100)),
}
"""Of the target and before the network."""

RAISED = Look(brush=1.0, relief=1.0)

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Easel:
    """Slots with frames, and what carries and draws their strokes, here and on the CPU."""

    device: D3D12Device
    settings: Settings
    slots: list[Slot]
    memory: StrokeMemory
    carrying: Carrying
    drawing: Drawing
    executor: Executor
    carrier: Carrier
    painter: StrokePainter
    into: Tensor
    picture: Texture

    def see(self, index: int, frame: Floats, place: int, before: int | None = None) -> None:
        """Take a frame (3, H, W) of the working size, and carry its strokes from those of another slot."""
        slot = self.slots[index]
        write_tensor(self.device, slot.frame, frame)
        record = {"carry": self.carrying.record(place)}
        others = () if before is None else (before,)
        work = self.carrying.begin if before is None else self.carrying.carry
        lists = (
            self.executor.lists(self.carrying.film, index),
            self.executor.lists(work, index, others=others, records=record),
        )
        run(self.device.context.compute, *lists[0], *lists[1])

    def kept(self, buffer: Buffer, index: int, kind: type[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
        """The content of a buffer."""
        view = self.executor.view(buffer, index)
        assert isinstance(view, TypedView)
        return read_view(self.device, view, kind, shape)

    def offsets(self, index: int) -> list[npt.NDArray[np.int16]]:
        """Of each layer (cells, slots, 2)."""
        whole = self.kept(self.memory.offsets, index, np.int16, (self.memory.offsets.count, 2))
        layers = self.settings.layout.layers
        return [whole[one.first_slot :][: one.count * one.slots].reshape(one.count, one.slots, 2) for one in layers]

    def draw(self, look: Look, index: int, painting: Floats, place: int) -> None:
        write_tensor(self.device, self.slots[index].painted, painting)
        work = Work("brush", self.drawing.passes(self.picture if look.raises else self.into, None))
        records = {"brush": self.drawing.record(look, place)}
        run(self.device.context.compute, *self.executor.lists(work, index, records=records))


@contextmanager
def easel(device: D3D12Device, name: str, slots: int = 2) -> Iterator[Easel]:
    target, working = SIZES[name]
    card = replace(identity().card, stride=4)
    sizes = Sizes.of(target, working, target)
    plan = tiles.plan(*working, card, "off")
    settings = Settings(Style(card, b""), rgba8(*target), rgba8(*target), sizes, plan, Look(), slots)
    with ExitStack() as stack:
        keep, context = stack.enter_context, device.context
        memory = keep(closing(Memory(context)))
        executor = keep(closing(Executor(context, context.compute, memory, None, "test")))
        way = Way(settings, "hlsl")
        made = [keep(closing(Slot(context, n, settings, way, executor, None))) for n in range(slots)]
        for slot in made:
            slot.begin(ToneMap.BT2390, ())
        workers = keep(closing(Workers()))
        named = StrokeMemory(settings, way.frame)
        yield Easel(
            device,
            settings,
            made,
            named,
            Carrying(named),
            Drawing(named, way.painted(way.styled), FLAG),
            executor,
            Carrier(settings.layout, sizes, workers),
            StrokePainter(settings.layout, sizes, workers),
            Tensor.of("made", target),
            Texture("picture", "float32x4", target),
        )


def film(size: tuple[int, int], count: int, step: int) -> list[Floats]:
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


def assert_carried(made: Easel, index: int, carriage: Carriage) -> None:
    height, width = carriage.film.fine.shape
    np.testing.assert_array_equal(made.kept(made.memory.fine, index, np.int16, (height, width)), carriage.film.fine)
    for buffer, cells in ((made.memory.cells, carriage.film.cells), (made.memory.far_cells, carriage.film.far_cells)):
        np.testing.assert_array_equal(made.kept(buffer, index, np.int16, cells.shape), cells)
    for ours, theirs in zip(made.offsets(index), carriage.offsets, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", SIZES)
def test_strokes_are_carried_to_the_same_places(device: D3D12Device, name: str) -> None:
    """From frame to frame, over a cut, and on."""
    with easel(device, name) as made:
        working = SIZES[name][1]
        frames = [*film(working, 8, 3), *(1.0 - frame for frame in film(working, 3, 2))]
        last: Carriage | None = None
        for place, frame in enumerate(frames, 40):
            carriage = made.carrier.allocate()
            made.carrier.see(frame, carriage)
            made.carrier.carry(last, carriage, place)
            made.see(place % 2, frame, place, None if last is None else 1 - place % 2)
            assert_carried(made, place % 2, carriage)
            if last is not None:
                blocks = made.carrier._found.shape[1:]
                found = made.kept(made.memory.found, 0, np.int32, (*blocks, 4))
                np.testing.assert_array_equal(np.moveaxis(found, -1, 0), made.carrier._found)
                lost = int(made.kept(made.memory.lost, 0, np.uint32, (1,))[0])
                assert lost == np.count_nonzero(found[..., 3] & LOST)
                if 8 * lost < CUT_EIGHTHS * found[..., 0].size:
                    vectors = made.kept(made.memory.vectors, 0, np.int32, (*blocks, 2))
                    np.testing.assert_array_equal(np.moveaxis(vectors, -1, 0), made.carrier._vectors)
            last = carriage


def painting_of(size: tuple[int, int]) -> Floats:
    """(3, H, W), of patches and lines, as 16 bits have it."""
    values = np.moveaxis(texture(*size, 5)[..., :3], -1, 0) / 255.0
    return np.ascontiguousarray(np.rint(65535.0 * values) / 65535.0, np.float32)


@dataclass(frozen=True)
class Painted:
    """A picture with strokes that a film has carried for some frames, to be drawn here, and as the CPU draws it.
    theirs: (5, H, W)."""

    easel: Easel
    painting: Floats
    place: int
    theirs: Floats

    def draw(self, look: Look = RAISED) -> tuple[Floats, Floats]:
        """(3, H, W), and (2, H, W): the height of the paint, and how much of the picture it covers."""
        easel = self.easel
        easel.draw(look, self.place % 2, self.painting, self.place)
        picture, body = easel.executor.view(easel.picture, 0), easel.executor.view(easel.drawing.body, 0)
        assert isinstance(picture, D3D12Texture)
        assert isinstance(body, D3D12Texture)
        both = [read_texture(easel.device, *each) for each in ((picture, np.float32, 4), (body, np.float32, 2))]
        shown, raised = (np.moveaxis(each, -1, 0) for each in both)
        return shown[:3], raised


@contextmanager
def painted(device: D3D12Device, name: str, frames: int = 3) -> Iterator[Painted]:
    """A picture of patches and lines, as 16 bits have it."""
    with easel(device, name) as made:
        target, working = SIZES[name]
        last: Carriage | None = None
        for place, frame in enumerate(film(working, frames, 3), 5):
            carriage = made.carrier.allocate()
            made.carrier.see(frame, carriage)
            made.carrier.carry(last, carriage, place)
            made.see(place % 2, frame, place, None if last is None else 1 - place % 2)
            last = carriage
        assert last is not None
        values = np.moveaxis(texture(*target, 5)[..., :3], -1, 0) / 255.0
        painting = np.ascontiguousarray(np.rint(65535.0 * values) / 65535.0, np.float32)
        theirs = made.painter.run(painting, frame, last).copy()
        yield Painted(made, painting, last.place, theirs)


@pytest.mark.parametrize("name", SIZES)
def test_strokes_are_drawn_as_on_the_processor(device: D3D12Device, name: str) -> None:
    with painted(device, name) as made:
        picture, body = made.draw()
        assert_guided(made.easel)
        assert_traced(made.easel)
        cover = body[1]
        assert cover.mean() > 0.9
        expected = np.clip(made.painting + cover * (made.theirs[:3] - made.painting), 0.0, 1.0)
        for ours, theirs in ((picture, expected), (body[0], cover * made.theirs[3])):
            apart = np.abs(ours - theirs)
            assert (apart > 2e-3).mean() <= TOLERANCE["stroke_draw"]
            assert np.sqrt((apart**2).mean()) <= 3e-3


def assert_guided(easel: Easel) -> None:
    """The pyramid, directions and needs are the processor's."""
    painter, drawing = easel.painter, easel.drawing
    pyramid = easel.kept(drawing.pyramid, 0, np.float32, (drawing.pyramid.count, 4))
    for number, level in enumerate(painter._levels, 1):
        start, columns, rows, _ = drawing._levels[number]
        ours = pyramid[start : start + columns * rows].reshape(rows, columns, 4)
        np.testing.assert_allclose(np.moveaxis(ours, -1, 0), level, atol=TOLERANCE["stroke_first_level"])
    direction = easel.kept(drawing.direction, 0, np.float32, (*painter._direction.shape[1:], 2))
    np.testing.assert_allclose(np.moveaxis(direction, -1, 0), painter._direction, atol=TOLERANCE["stroke_direction"])
    needs = easel.kept(drawing.needs, 0, np.float32, (drawing.needs.count,))
    layers = easel.settings.layout.layers
    wanted = [need.ravel() for layer, need in zip(layers, painter._needs, strict=True) if layer.detail]
    if wanted:
        np.testing.assert_allclose(needs, np.concatenate(wanted), atol=TOLERANCE["stroke_need"])


def records_of(easel: Easel) -> npt.NDArray[np.uint32]:
    """(strokes, 8, 4), from the lowest up."""
    drawing = easel.drawing
    count = easel.kept(drawing.picks, 0, np.uint32, (strokes.MOST_LAYERS,)).sum()
    rows = easel.kept(drawing.records, 0, np.uint32, (drawing.most_records, 8, 4))[:count]
    found: npt.NDArray[np.uint32] = rows[np.argsort(rows[:, 3, 0])]
    return found


def assert_traced(easel: Easel) -> None:
    """The strokes are the processor's; few of their paths may turn or end another way."""
    ours, theirs = records_of(easel), easel.painter._drawn[: easel.painter.count]
    assert len(ours) == len(theirs)
    np.testing.assert_array_equal(ours[:, 2, 3], theirs[:, 9].view(np.uint32))  # seeds
    floats, tolerance = ours.view(np.float32), TOLERANCE["stroke_trace"]
    np.testing.assert_allclose(floats[:, 1], theirs[:, [2, 3, 4, 5]], atol=tolerance)  # half widths, colours
    np.testing.assert_allclose(floats[:, 2, 0], theirs[:, 6], atol=tolerance)  # opacities
    ends, counts = ours[:, 2, 2], theirs[:, 8].view(np.int32)
    path = np.concatenate([floats[:, 4:8].reshape(-1, 8, 2), floats[:, 3, None, 2:]], axis=1)
    alike = (ends >> 8) - (ends & 255) + 1 == counts
    for index in np.flatnonzero(alike):
        own = path[index, ends[index] & 255 : (ends[index] >> 8) + 1]
        other = np.stack([theirs[index, 19:28], theirs[index, 10:19]], axis=-1)[: len(own)]
        alike[index] = np.abs(own - other).max() < 0.05
    assert alike.mean() >= 0.98


def test_a_picture_does_not_depend_on_the_order_of_threads(device: D3D12Device) -> None:
    with painted(device, "half") as made:
        first = made.draw()
        lists = made.easel.kept(made.easel.drawing.lists, 0, np.uint32, (1000, 2))
        for _ in range(4):
            for ours, theirs in zip(made.draw(), first, strict=True):
                np.testing.assert_array_equal(ours, theirs)
        assert (lists > 0).any()


def test_a_tile_may_have_more_strokes_than_are_put_in_order_at_once(
    device: D3D12Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = kernels.source
    with painted(device, "half") as made:
        assert made.easel.kept(made.easel.drawing.counts, 0, np.uint32, (1,)).size
        monkeypatch.setattr(
            kernels, "source", lambda name: read(name).replace("#define SORTED 1024", "#define SORTED 48")
        )
        with monkeypatch.context() as patch:
            patch.setattr(device.context, "_kernels", {})
            few, _ = made.draw()
            drawn = device.context._kernels
        assert made.easel.kept(made.easel.drawing.counts, 0, np.uint32, (made.easel.drawing.counts.count,)).max() > 96
    monkeypatch.setattr(kernels, "source", read)
    with painted(device, "half") as made:
        np.testing.assert_array_equal(few, made.draw()[0])
    for kernel in drawn.values():
        kernel.close()


@pytest.mark.parametrize("limit", ["MOST_RECORDS", "MOST_PAIRS"])
def test_what_there_is_no_room_for_is_left_out_from_the_finest_layer_on(
    device: D3D12Device, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(strokes, limit, 2000 if limit == "MOST_RECORDS" else 60_000)
    with painted(device, "half") as made:
        picture, body = made.draw()
        drawing, layers = made.easel.drawing, made.easel.settings.layout.layers
        counts = made.easel.kept(drawing.picks, 0, np.uint32, (len(layers),)).astype(int)
        tiles_of_all = [count * strokes.most_tiles(layer) for count, layer in zip(counts, layers, strict=True)]
        fit = (np.cumsum(counts) <= drawing.most_records) & (np.cumsum(tiles_of_all) <= drawing.most_pairs)
        assert made.easel.kept(drawing.drawn, 0, np.uint32, (1,))[0] == counts[fit].sum()
        assert fit[0]
        assert not fit[-1]
        total = made.easel.kept(drawing.total, 0, np.uint32, (1,))[0]
        assert 0 < total <= sum(tiles_of_all[: fit.sum()])
        assert body[0].min() > 0.05
        assert np.abs(picture - made.theirs[:3]).mean() < 0.1


def test_white_over_white_shows_no_underpainting(device: D3D12Device) -> None:
    """While a film moves: what strokes leave bare is the painting, not black; and most of it is under paint."""
    with easel(device, "half") as made:
        white = np.ones((3, 100, 160), np.float32)
        for place, frame in enumerate(film((80, 50), 12, 4)):
            made.see(place % 2, frame, place, None if place == 0 else 1 - place % 2)
            made.draw(RAISED, place % 2, white, place)
            picture, body = (made.executor.view(each, 0) for each in (made.picture, made.drawing.body))
            assert isinstance(picture, D3D12Texture)
            assert isinstance(body, D3D12Texture)
            assert read_texture(device, picture, np.float32, 4).min() > 0.85
            height, cover = np.moveaxis(read_texture(device, body, np.float32, 2), -1, 0)
            assert ((height > 0.2) | (cover < 0.5)).mean() > 0.97
