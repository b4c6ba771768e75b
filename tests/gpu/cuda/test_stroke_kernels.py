"""The kernels of strokes and relief against the processor's and against their float64 references, one by one, on a
GPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu import tiles
from framebrush.gpu.cpu.stages import stroke_kernels as processor
from framebrush.gpu.cpu.stages import strokes as cpu
from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.cpu.stages.stroke_kernels import LayerGuides, LayerStrokes, Steps
from framebrush.gpu.cuda.device import CudaDevice
from framebrush.gpu.cuda.native import DeviceMemory
from framebrush.gpu.cuda.pass_executor import Executor
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import nv12, rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, Buffer, Constant, Texture, Work
from framebrush.gpu.passes import Tensor as Named
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages import cells as cells_reference
from framebrush.gpu.stages import corners, masks, planes_to_tensor, tensor_to_planes
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.relief import broad_weights
from framebrush.gpu.stages.relief import reference as relief_reference
from framebrush.gpu.stages.relief.cuda import Relief
from framebrush.gpu.stages.strokes import (
    AGREEMENT_STEPS,
    CUT_EIGHTHS,
    LOST,
    OIL,
    WARM_UP_FRAMES,
    BrushKind,
    Layer,
    layout_of,
    paint_of,
)
from framebrush.gpu.stages.strokes import cuda as stage
from framebrush.gpu.stages.strokes import reference as strokes_reference
from framebrush.gpu.stages.strokes.advection import age, homes_of
from framebrush.gpu.stages.strokes.brush_maps import MAPS, pixels, planes
from framebrush.gpu.stages.strokes.cuda import Carrier, CudaStrokePainter
from framebrush.gpu.stages.strokes.drawn import DRAWN, cleared, cut, shares_of
from framebrush.gpu.stages.strokes.laying import times_of
from framebrush.gpu.stages.strokes.stroke_samples import WORDS
from framebrush.gpu.stages.strokes.stroke_samples import kept as kept_looks
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.soft_masks import NO_MASKS, Masks
from framebrush.models.style import Style
from tests.cuda import needs_cuda
from tests.gpu.cuda.test_kernels import TOLERANCE, noise, read, slot_for, start, write_tensor
from tests.gpu.easel import KINDS, assert_same_looks, parts_of
from tests.gpu.pictures import growing_noise
from tests.gpu.pictures import masks as some_masks
from tests.gpu.test_steady import texture
from tests.inside import executor_of
from tests.networks import identity

pytestmark = [pytest.mark.parity, pytest.mark.cuda, needs_cuda]

Values = npt.NDArray[np.float64]

SIZES: list[tuple[Size, Size]] = [
    ((141, 97), (70, 48)),
    ((96, 64), (96, 64)),
    ((200, 112), (26, 15)),
    ((33, 130), (9, 33)),
    ((640, 362), (320, 180)),
    ((1, 1), (1, 1)),
    ((9, 200), (3, 67)),
]
"""Sizes of the target and of the network's input: strokes of 5 to 40 px, cells of one to sixteen pixels, odd sides at
all levels, and the edges of groups, tiles, cells and blocks."""


LARGE: tuple[Size, Size] = ((640, 362), (320, 180))


@pytest.fixture(scope="module")
def device() -> Iterator[CudaDevice]:
    with open_device("cuda") as opened:
        assert isinstance(opened, CudaDevice)
        yield opened


class Kit:
    """What draws strokes of a size, and what goes through it."""

    def __init__(
        self,
        device: CudaDevice,
        size: Size,
        working: Size,
        stack: ExitStack,
        precision: str,
        kind: BrushKind,
        maps: Maps,
    ) -> None:
        card, picture = replace(identity().card, precision=precision, stride=8), rgba8(*size)
        self.sizes = Sizes.of(size, working, size)
        plan = tiles.plan(*working, card, "off")
        settings = Settings(Style(card, b""), picture, picture, self.sizes, plan, Look(), 1, kind=kind)
        device.context.native.use()
        self.device, self.size, self.working, self.layout = device, size, working, layout_of(settings)
        self.executor = executor = stack.enter_context(closing(Executor(device.context)))
        self.way = way = FramePasses(settings, "cuda")
        self.carrier, self.painter = Carrier(settings, way), CudaStrokePainter(settings, way)
        self.relief = Relief(self.painter, self.sizes)
        self.workers = Workers()
        stack.callback(self.workers.close)
        self.named = Named.of("painting of a test", (size[0] + 3, size[1] + 2), precision, kept=True)
        self.flag = stack.enter_context(closing(DeviceMemory(device.context.native, 4, "flag"))).pointer
        device.context.compute.clear(self.flag, 1)
        self.fine = np.random.default_rng(3).normal(0, 0.1, size[::-1]).astype(np.float32)
        for slot in range(2):
            executor.memory.give(FLAG, slot, self.flag)
            self.put(executor.memory.pointer(way.fine, slot), self.fine)
            executor.memory.change(MAPS, slot, pixels(maps))
        self.precision = precision

    def put(self, pointer: int, values: npt.NDArray[Any]) -> None:
        """Write values to the GPU's memory."""
        size = values.nbytes
        with closing(self.device.context.constant(values, "test")) as memory:
            self.device.context.compute.copy_rows(pointer, size, memory.pointer, size, size, 1)
            self.device.context.compute.block()

    def draw(self, look: Look, detail: float = 0.0, slot: int = 0, *, carried: bool = False) -> None:
        self.executor.queue_step(self.painter.step(slot, self.named, look, detail, carried=carried))

    def carry(self, slot: int, last: int | None, place: int) -> int:
        return self.executor.queue_step(self.carrier.step(slot, last, place))

    def look(self, slot: int) -> None:
        """Have its strokes look at the painting."""
        self.executor.queue(self.painter.looking(self.named), slot)

    def film_of(self, slot: int) -> Tensor:
        return self.executor.memory.tensor(self.way.frame, slot)

    def show(self, painting: Values, film: Values, slot: int = 0) -> tuple[Values, Values]:
        """Give it a painting (3, H, W) and a film (3, h, w); returns them as the GPU has them."""
        write_tensor(self.device, self.executor.memory.tensor(self.named, slot), painting)
        write_tensor(self.device, self.film_of(slot), film)
        held = (values.astype(self.precision).astype(np.float64) for values in (painting, film))
        return next(held), next(held)

    def get(
        self, memory: Buffer | Texture | Constant, count: int, dtype: npt.DTypeLike, slot: int = 0
    ) -> npt.NDArray[Any]:
        return read(self.device, self.executor.memory.pointer(memory, slot), count, dtype)

    def made(self, work: Work, kernel: str, name: str) -> Buffer:
        """The memory of that name which a kernel writes."""
        (found,) = (use for one in work.passes if one.kernel == kernel for use in one.writes if use.name == name)  # type: ignore[union-attr]
        assert isinstance(found, Buffer)
        return found

    def work(self, *, carried: bool = False) -> Work:
        return self.painter.drawing(self.named, self.named, carried, revealed=False)

    def planes(self, found: npt.NDArray[Any], firsts: list[int], levels: list[int]) -> list[npt.NDArray[np.float32]]:
        """(n, rows, columns) of each level, of samples of n values."""
        made = []
        for first, level in zip(firsts, levels, strict=True):
            columns, rows = self.layout.level_size(level)
            part = found[first : first + columns * rows].reshape(rows, columns, -1)
            made.append(np.ascontiguousarray(np.moveaxis(part, -1, 0)))
        return made


@contextmanager
def kit(
    device: CudaDevice,
    size: Size,
    working: Size,
    precision: str = "float32",
    kind: BrushKind = OIL,
    maps: Maps = NO_MAPS,
) -> Iterator[Kit]:
    with ExitStack() as stack:
        yield Kit(device, size, working, stack, precision, kind, maps)


def painting(size: Size) -> Values:
    """(3, H, W) of halves: slopes, an edge, a flat corner and noise."""
    chance, (width, height) = np.random.default_rng(12), size
    y, x = np.mgrid[0:height, 0:width]
    waves = [0.5 + 0.3 * np.sin(0.11 * x * k + 0.07 * y * (3 - k)) for k in (1, 2, 3)]
    made = np.stack(waves) + chance.normal(0, 0.04, (3, height, width))
    made[:, y > 0.3 * x + 0.6 * height] *= 0.4
    made[:, : height // 3, : width // 4] = 0.25
    values: Values = np.clip(made, 0, 1).astype(np.float16).astype(np.float64)
    return values


def film(size: Size, step: int, seed: int = 3) -> Values:
    """Return a scene (3, H, W) in 8-bit codes, moved by `step` px right and half as many down."""
    width, height = size
    far = np.moveaxis(texture(width + 40, height + 40, seed)[..., :3], -1, 0) / 255.0
    return np.ascontiguousarray(far[:, step // 2 : step // 2 + height, step : step + width])


def offsets_of(tools: Kit, slot: int) -> list[npt.NDArray[np.int16]]:
    """Of each layer (cells, slots, 2), bottom to top."""
    _, _, _, offsets, _ = tools.painter.memory.kept()
    return by_layers(tools, tools.get(offsets, 2 * offsets.count, np.int16, slot).reshape(-1, 2))


def looks_of(tools: Kit, slot: int) -> list[npt.NDArray[np.int32]]:
    """Of each layer (cells, slots, WORDS), bottom to top."""
    looks = tools.painter.memory.samples
    return by_layers(tools, tools.get(looks, WORDS * looks.count, np.int32, slot).reshape(-1, WORDS))


def by_layers(tools: Kit, strokes: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """Of each layer (cells, slots, n), bottom to top, of (strokes, n)."""
    ranks, found = stage.ranks_of(tools.layout).astype(np.int64), []
    for layer in tools.layout.layers:
        own = strokes[layer.first_slot : layer.first_slot + layer.count * layer.slots]
        place = np.argsort(ranks[layer.first : layer.first + layer.count])
        found.append(np.ascontiguousarray(own.reshape(layer.count, layer.slots, -1)[place]))
    return found


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize(("size", "working"), SIZES, ids=str)
def test_strokes_are_carried_as_the_processor_carries_them(
    device: CudaDevice, size: Size, working: Size, precision: str
) -> None:
    """Levels, cells, motion and places, bit for bit: over motion, a cut, and the end of lives."""
    with kit(device, size, working, precision) as tools:
        own = cpu.Carrier(tools.layout, tools.sizes, tools.workers)
        carriages = [own.allocate(), own.allocate()]
        last: int | None = None
        moved = filled = cuts = 0
        for number in range(18):
            slot, place = number % 2, 40 + number
            shown = film(working, 2 * number, 3 if number < 14 else 8).astype(precision)
            write_tensor(device, tools.film_of(slot), shown.astype(np.float64))
            assert tools.carry(slot, last, place) == (4 if last is None else 7 + len(AGREEMENT_STEPS))
            carriage = carriages[slot]
            own.compute_planes(shown.astype(np.float32, order="C"), carriage)
            own.carry(None if last is None else carriages[last], carriage, place)
            *planes, _, at = tools.painter.memory.kept()
            seen = carriage.film.fine, carriage.film.cells, carriage.film.far_cells
            for plane, wanted in zip(planes, seen, strict=True):
                np.testing.assert_array_equal(tools.get(plane, plane.count, np.int16, slot), wanted.ravel())
            if last is not None:
                found = tools.made(tools.carrier._next, "stroke_motion", "found blocks")
                blocks = tools.get(found, 4 * found.count, np.int32).reshape(-1, 4).T
                np.testing.assert_array_equal(blocks, own._found.reshape(4, -1))
                cuts += int(8 * np.count_nonzero(blocks[3] & LOST) >= CUT_EIGHTHS * found.count)
                if not cuts:
                    vectors = tools.made(tools.carrier._next, "stroke_settle", "motion of strokes")
                    got = tools.get(vectors, 2 * vectors.count, np.int32).reshape(-1, 2).T
                    np.testing.assert_array_equal(got, own._vectors.reshape(2, -1))
            for got, want in zip(offsets_of(tools, slot), carriage.offsets, strict=True):
                np.testing.assert_array_equal(got, want)
                moved += int((want[:, :2] != 0).sum())
                filled += int((want[:, 2:] > -30000).sum())
            assert tools.get(at, 1, np.uint32, slot)[0] == place
            last = slot
        if min(working) > 40:
            assert moved
            assert cuts
            assert filled or size != (640, 362)


def strokes_of(tools: Kit, work: Work) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
    """Keys and records of all strokes that are drawn, bottom to top."""
    counts = tools.get(tools.made(work, "stroke_pick", "counts"), stage.MOST_LAYERS, np.uint32)
    count = int(counts.sum())
    keys = tools.get(tools.made(work, "stroke_trace", "keys of strokes"), count, np.uint32)
    words = stage.RECORD_BYTES // 4
    records = tools.get(tools.made(work, "stroke_trace", "records of strokes"), count * words, np.float32)
    order = np.argsort(keys)
    return keys[order], records.reshape(count, words)[order]


POINTS = 9


def as_the_processor_has_them(records: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(strokes, 32), as `stroke_kernels.draw_strokes` takes them."""
    made = np.zeros((len(records), cpu.RECORD), np.float32)
    kind = records[:, 2].view(np.uint32)
    count = (kind >> 12).astype(int)
    there = np.arange(POINTS) < count[:, None]
    y, x = records[:, 6:15], records[:, 15:24]
    made[:, 0] = np.where(there, y, np.inf).min(axis=1) - records[:, 0]
    made[:, 1] = np.where(there, y, -np.inf).max(axis=1) + records[:, 0]
    made[:, 2], made[:, 3:6], made[:, 6] = records[:, 0], records[:, 3:6], records[:, 1]
    made[:, 7] = records[np.arange(len(records)), 22 + count]
    made[:, 8] = count.astype(np.int32).view(np.float32)
    made[:, 9] = (kind & 4095).view(np.float32)
    made[:, 10:19], made[:, 19:28] = np.where(there, y, 0), np.where(there, x, 0)
    return made


def steps_of(tools: Kit, layer: Layer) -> Steps:
    direction = tools.layout.tensor_level + tools.layout.tensor_levels[0]
    around, first, last = tools.layout.around_level, int(layer.index == 0), len(tools.layout.layers) - 1
    return Steps(layer.half_steps, layer.level, around, layer.detail + 1, direction, first, last, *tools.size)


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize(("size", "working"), SIZES, ids=str)
@pytest.mark.parametrize(("kind", "maps"), KINDS.values(), ids=KINDS)
def test_strokes_are_drawn_as_the_processor_draws_them(
    device: CudaDevice, size: Size, working: Size, precision: str, kind: BrushKind, maps: Maps
) -> None:
    """Each kernel reads the GPU results of the kernel before it."""
    with kit(device, size, working, precision, kind, maps) as tools:
        layout, memory, run = tools.layout, tools.painter.memory, tools.workers.run
        before = film(working, 4)
        tools.show(0.85 * painting(size) + 0.1, before)
        tools.carry(0, None, 8)
        tools.look(0)
        shown, seen = tools.show(painting(size), film(working, 7), slot=1)
        tools.carry(1, 0, 9)
        remembered, kept = looks_of(tools, 0), looks_of(tools, 1)
        blocks = tools.made(tools.carrier._next, "stroke_motion", "found blocks")
        lost = tools.get(blocks, 4 * blocks.count, np.int32).reshape(-1, 4)[:, 3] & LOST
        cuts = 8 * np.count_nonzero(lost) >= CUT_EIGHTHS * blocks.count  # as of pictures of a few pixels
        tools.look(1)
        looks = looks_of(tools, 1)
        tools.draw(Look(brush=1.0), slot=1, carried=True)
        work = tools.work(carried=True)

        guides = strokes_reference.guides_of(shown, seen, layout, maps)
        firsts, samples = memory.level_firsts
        found = tools.get(tools.made(work, "stroke_first_level", "pyramid"), 4 * samples, np.float32).reshape(-1, 4)
        levels = tools.planes(found, firsts[1:], list(range(1, layout.levels + 1)))
        for got, want in zip(levels, guides.levels, strict=True):
            assert_near(got, want, "stroke_first_level")
        direction = tools.made(work, "stroke_direction", "direction")
        directed = layout.tensor_level + layout.tensor_levels[0]
        (turned,) = tools.planes(tools.get(direction, 2 * direction.count, np.float32).reshape(-1, 2), [0], [directed])
        assert_near(turned, guides.direction, "stroke_direction")
        need_firsts, count = memory.need_firsts
        needs: list[npt.NDArray[np.float32]] = [np.zeros((1, 1), np.float32)]
        if count:
            values = tools.get(tools.made(work, "stroke_need", "needs"), count, np.float32).reshape(-1, 1)
            finer = [layer.detail + 1 for layer in layout.layers[1:]]
            needs += [plane[0] for plane in tools.planes(values, need_firsts[1:], finer)]
        for got, want in zip(needs[1:], guides.needs[1:], strict=True):
            assert_near(got, want, "stroke_need")

        keys, records = strokes_of(tools, work)
        offsets, wanted = offsets_of(tools, 1), []
        for number, (layer, need, own) in enumerate(zip(layout.layers, needs, offsets, strict=True)):
            ages = age(homes_of(layout)[number], 9, layer.slots)
            expected = np.zeros_like(kept[number]) if cuts else kept_looks(remembered[number], own, ages)
            np.testing.assert_array_equal(kept[number], expected)
            homes = np.ascontiguousarray(layout.homes[layer.first : layer.first + layer.count])
            picked, seen_shares = np.empty(layer.count, np.int32), np.zeros(layer.count * layer.slots, np.float32)
            reach, per_need = layer.width_px + 0.65 * layer.length_px, 1.0 / layer.need
            around = levels[layout.around_level - 1]
            expected, seen_by = kept[number].copy(), LayerGuides(need, levels[layer.level - 1], around, turned)
            strokes = LayerStrokes(homes, own, looks[number], 9)
            run(
                layer.count,
                cpu.CELL_WORK,
                processor.look_at_painting,
                homes,
                own,
                seen_by,
                steps_of(tools, layer),
                per_need,
                expected,
            )
            assert_same_looks(*(each.reshape(-1, 2, 2).view(np.uint32) for each in (looks[number], expected)))
            picking = strokes, planes(maps), need, steps_of(tools, layer), per_need
            run(layer.count, cpu.CELL_WORK, processor.pick_strokes, *picking, reach, *size, picked, seen_shares)
            bits = np.unpackbits(picked.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little").astype(bool)
            rank, bit = np.nonzero(bits)
            wanted.append(((layer.first + rank) << 4 | bit).astype(np.uint32))

            ours = (keys >> 4 >= layer.first) & (keys >> 4 < layer.first + layer.count)
            listed = np.empty(1 + 2 * int(ours.sum()), np.int32)
            listed[0] = ours.sum()
            listed[1::2], listed[2::2] = (keys[ours] >> 4) - layer.first, (keys[ours] & 15) % layer.slots
            traced = np.zeros((len(listed) // 2, cpu.RECORD), np.float32)
            drawn_by = strokes, seen_by, steps_of(tools, layer), seen_shares
            shape = cpu.figures_of(layout.kind), layer.width_px, layer.length_px
            run(len(traced), cpu.STROKE_WORK, processor.trace_strokes, *drawn_by, *shape, listed, 0, traced)
            got = as_the_processor_has_them(records[ours])
            same = got[:, 8].view(np.int32) == traced[:, 8].view(np.int32)  # an edge may lie on the limit
            assert (~same).sum() <= 1 + 0.005 * len(same)
            assert_near(got[same][:, 2:7], traced[same][:, 2:7], "stroke_trace")
            apart = np.abs(got[same][:, 10:28] - traced[same][:, 10:28]).max(axis=1, initial=0.0)
            assert (apart > TOLERANCE["stroke_trace"]["px"]).sum() <= 1 + 0.005 * len(same)
        np.testing.assert_array_equal(got[:, 9].view(np.uint32), traced[:, 9].view(np.uint32) & 4095)
        want_keys = np.concatenate(wanted)
        assert len(np.setxor1d(keys, want_keys)) <= 1 + 0.001 * len(want_keys)

        made = np.empty((5, size[1], size[0]), np.float32)
        given = as_the_processor_has_them(records), len(records), shown.astype(np.float32)
        ground = levels[layout.ground_level - 1], layout.ground_level
        paint = cpu.NO_MARK if kind.mark is None else paint_of(kind.mark)
        with_what = cpu.figures_of(kind), layout.hair_px, cpu.looped_noise(), paint
        run(size[1], size[0], processor.draw_strokes, *given, *ground, *with_what, made)
        picture, height = pictures(tools)
        left = corners.at_target(corners.corners(seen), working, size)
        assert_mostly_near(picture, np.clip(shown + (1.0 - left) * (made[:3] - shown), 0, 1), "stroke_draw")
        assert_mostly_near(height, (1.0 - left) * made[3], "stroke_draw")


@pytest.mark.parametrize(("size", "working"), SIZES, ids=str)
def test_strokes_are_cut_as_the_processor_cuts_them(device: CudaDevice, size: Size, working: Size) -> None:
    with kit(device, size, working) as tools:
        tools.show(painting(size), film(working, 0))
        tools.draw(Look(brush=1.0))
        work = tools.work()
        keys, whole = strokes_of(tools, work)
        counts = tools.get(tools.made(work, "stroke_pick", "counts"), stage.MOST_LAYERS, np.uint32)
        layers = np.repeat(np.arange(stage.MOST_LAYERS, dtype=np.int32), counts)
        drawn = as_the_processor_has_them(whole).view(DRAWN)[:, 0]
        for part in parts_of(len(tools.layout.layers)):
            tools.executor.memory.change(times_of(tools.layout), 0, part.times.table)
            tools.draw(Look(brush=1.0).revealed(part))
            again, records = strokes_of(tools, work)
            np.testing.assert_array_equal(again, keys)
            shares = shares_of(part, drawn, layers, size)
            begun, wanted = (records[:, 2].view(np.uint32) >> 12) > 1, shares > 0
            assert (begun != wanted).mean() <= TOLERANCE["stroke_cut"][""]
            got = as_the_processor_has_them(records[begun & wanted])
            want = cleared(cut(drawn, shares))[begun[wanted]].view(np.float32).reshape(-1, cpu.RECORD)
            alike = got[:, 8].view(np.int32) == want[:, 8].view(np.int32)
            assert (~alike).sum() <= TOLERANCE["stroke_cut"][""] * len(alike)
            for fields in (slice(2, 3), slice(7, 8), slice(10, 28)):
                apart = np.abs(got[alike, fields] - want[alike, fields])
                assert apart.max(initial=0) <= TOLERANCE["stroke_cut"]["px"]


def pictures(tools: Kit) -> tuple[Values, Values]:
    """The picture with strokes, (3, H, W), and their height."""
    width, height = tools.size
    pixels = tools.get(tools.painter.picture, 4 * width * height, np.float16).reshape(height, width, 4)
    heights = tools.get(tools.painter.height, width * height, np.float32).reshape(height, width)
    return np.moveaxis(pixels, -1, 0)[:3].astype(np.float64), heights.astype(np.float64)


def assert_near(got: npt.NDArray[Any], want: npt.NDArray[Any], kernel: str) -> None:
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE[kernel][""])


def assert_mostly_near(got: Values, want: Values, kernel: str) -> None:
    """A pixel may lie nearer to one piece of a stroke or to the next."""
    far = np.abs(got - want) > TOLERANCE[kernel][""]
    assert far.mean() <= 0.002 or far.sum() <= 6, f"{far.sum()} of {far.size} differ, up to {np.abs(got - want).max()}"


def test_what_a_look_makes_of_strokes(device: CudaDevice) -> None:
    """A share mixes strokes in, except in corners of the film, with fine luma; none, no change."""
    size, working = (141, 97), (70, 48)
    with kit(device, size, working) as tools:
        shown, seen = tools.show(painting(size), growing_noise(*working))
        tools.draw(Look(brush=1.0))
        whole, height = pictures(tools)
        tools.draw(Look(brush=0.4), 0.6)
        mixed, lower = pictures(tools)
        left = corners.at_target(corners.corners(seen), working, size)
        got = tools.get(tools.painter.left, tools.painter.left.count, np.float32)
        assert_near(got, corners.corners(seen).ravel(), "corner_share")
        assert left.max() > 0.9
        assert left.min() == 0.0
        want = np.clip(shown + 0.4 * (whole - shown) + 0.6 * tools.fine, 0, 1)
        np.testing.assert_allclose(mixed, want, rtol=0, atol=1e-3)
        np.testing.assert_allclose(lower, 0.4 * height, rtol=0, atol=1e-6)
        assert not read(device, tools.flag, 1, np.uint32)[0]
        tools.draw(Look(brush=0.0), 0.6)
        np.testing.assert_allclose(pictures(tools)[0], np.clip(shown + 0.6 * tools.fine, 0, 1), rtol=0, atol=3e-4)


@pytest.mark.parametrize("given", [NO_MASKS, some_masks()], ids=["none", "some"])
@pytest.mark.parametrize(("size", "working"), SIZES, ids=str)
def test_small_things_in_a_face_are_kept(device: CudaDevice, size: Size, working: Size, given: Masks) -> None:
    with kit(device, size, working) as tools:
        _, seen = tools.show(painting(size), growing_noise(*working))
        tools.executor.memory.change(masks.MASK_SAMPLES, 0, masks.pixels(given, 0.5, None))
        tools.draw(Look(brush=1.0))
        got = tools.get(tools.painter.left, tools.painter.left.count, np.float32)
    kept = masks.kept(masks.samples(given, 0.5), working)
    assert_near(got, corners.corners(seen, kept).ravel(), "corner_share")
    assert (kept.max() > 0.1) == (given is not NO_MASKS) or working == (1, 1)


@pytest.mark.parametrize("brush", [0.0, 1.0])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("precision", ["float32", "float16"])
def test_what_is_not_finite_is_black_and_is_flagged(
    device: CudaDevice, bad: float, precision: str, brush: float
) -> None:
    size = (61, 37)
    with kit(device, size, size, precision) as tools:
        values = painting(size)
        values[1, 36, 60] = bad
        tools.show(values, film(size, 0))
        tools.draw(Look(brush=brush))
        got = pictures(tools)[0]
        assert read(device, tools.flag, 1, np.uint32)[0] == 1
        values[1, 36, 60] = 0.0
        tools.show(values, film(size, 0))
        tools.draw(Look(brush=brush))
        np.testing.assert_array_equal(got, pictures(tools)[0])


@pytest.fixture
def shown(device: CudaDevice) -> Iterator[Kit]:
    """A picture with some thousand strokes."""
    with kit(device, *LARGE) as tools:
        tools.show(painting(tools.size), film(tools.working, 0))
        yield tools


def test_the_order_of_atomics_changes_nothing(shown: Kit) -> None:
    made = []
    for _ in range(10):
        shown.draw(Look(brush=1.0))
        picture, height = pictures(shown)
        made.append(picture.tobytes() + height.tobytes())
    assert len(set(made)) == 1


def test_a_list_that_is_longer_than_what_is_sorted_at_once_is_drawn_in_parts(
    shown: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown.draw(Look(brush=1.0))
    whole = pictures(shown)
    few = tuple((name, "16" if name == "SORTED" else value) for name, value in stage.DEFINES)
    monkeypatch.setattr(stage, "DEFINES", few)
    shown.painter.drawing.cache_clear()
    shown.draw(Look(brush=1.0))
    for one, other in zip(pictures(shown), whole, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("room", ["most_drawn", "list_room"])
def test_where_there_is_no_room_the_finest_layers_are_left_out(
    shown: Kit, room: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All strokes of broader ones are there, in every run."""
    shown.draw(Look(brush=1.0))
    work = shown.work()
    keys, _ = strokes_of(shown, work)
    counts = shown.get(shown.made(work, "stroke_pick", "counts"), stage.MOST_LAYERS, np.uint32)
    layers = shown.layout.layers
    tiles = [stage.tiles_of(layer) for layer in layers]
    held = {"most_drawn": int(counts[:2].sum()), "list_room": int(counts[:2] @ tiles[:2])}[room]
    monkeypatch.setattr(
        stage.CudaStrokeMemory, room, property(lambda _: held + 1 if room == "list_room" else -(-held // 64) * 64)
    )
    with ExitStack() as stack:
        tools = Kit(shown.device, shown.size, shown.working, stack, "float32", OIL, NO_MAPS)
        tools.show(painting(tools.size), film(tools.working, 0))
        tools.draw(Look(brush=1.0))
        work = tools.work()
        assert counts[2] > 64
        count = int(counts[:2].sum())
        got = np.sort(tools.get(tools.made(work, "stroke_trace", "keys of strokes"), count, np.uint32))
        np.testing.assert_array_equal(got, keys[:count])
        assert not np.array_equal(pictures(tools)[0], pictures(shown)[0])


def test_lists_have_all_tiles_that_strokes_touch(shown: Kit) -> None:
    """As many as there is room for at most; and drawn alone on a tile they would be seen there."""
    shown.draw(Look(brush=1.0))
    work = shown.work()
    firsts = shown.made(work, "stroke_offsets", "lists of tiles")
    ends = shown.get(firsts, firsts.count, np.uint32).astype(int)
    assert (np.diff(ends) >= 0).all()
    listed = shown.get(shown.made(work, "stroke_list", "listed strokes"), int(ends[-1]), np.uint32)
    keys = shown.get(shown.made(work, "stroke_trace", "keys of strokes"), shown.painter.memory.most_drawn, np.uint32)
    layers = shown.layout.layers
    numbers, touched = np.unique(listed, return_counts=True)
    for number, count in zip(numbers, touched, strict=True):
        cell = int(keys[number]) >> 4
        layer = next(one for one in layers if one.first <= cell < one.first + one.count)
        assert count <= stage.tiles_of(layer)
    for first, end in pairwise(ends):
        assert len(set(listed[first:end])) == end - first
    touched_now = shown.made(work, "stroke_count", "strokes of tiles")
    assert not shown.get(touched_now, touched_now.count, np.uint32).any()


def test_a_film_that_moves_shows_no_ground(device: CudaDevice) -> None:
    """White paint over a magenta ground, with a moving camera: uncovered parts are filled."""
    size = (320, 180)
    with kit(device, size, size) as tools:
        last: int | None = None
        for number in range(WARM_UP_FRAMES // 2):
            slot = number % 2
            step = min(number, 40 - abs(40 - number % 80))  # to and fro
            tools.show(np.ones((3, *size[::-1])), film(size, 2 * (step % 20)), slot)
            tools.carry(slot, last, number)
            last = slot
            if number % 6:
                continue
            tools.draw(Look(brush=1.0), slot=slot, carried=True)
            work = tools.work(carried=True)
            pyramid = tools.made(work, "stroke_first_level", "pyramid")
            magenta = np.tile(np.array([1, 0, 1, 1], np.float32), (pyramid.count, 1))
            tools.put(tools.executor.memory.pointer(pyramid, slot), magenta)
            record = tools.painter.memory.drawing(tools.named.size_px, Look(brush=1.0), 0.0)
            tools.executor.queue(Work("draw", work.passes[-1:]), slot, records={"drawing": record})
            green = pictures(tools)[0][1]
            assert (green < 0.7).mean() < 0.01, f"ground is seen in frame {number}"


RELIEFS = [Look(relief=1.0), Look(relief=0.4, canvas=1.0, lamp_degrees=20.0), Look(relief=0.0, canvas=0.5)]


@pytest.mark.parametrize("brush", [0.0, 0.7])
@pytest.mark.parametrize("look", RELIEFS, ids=["relief", "both", "canvas"])
@pytest.mark.parametrize(("size", "working"), SIZES, ids=str)
def test_kernels_of_the_relief(
    device: CudaDevice, size: Size, working: Size, look: Look, brush: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heights of pictures as the GPU draws them, and light on heights as it finds them."""
    look = replace(look, brush=brush)
    with kit(device, size, working) as tools:
        _, seen = tools.show(painting(size), growing_noise(*working))
        tools.draw(look)
        tools.executor.queue_step(tools.relief.step(0, look))
        values, strokes = pictures(tools)
        paint = Cells.of(tools.sizes)
        light = cells_reference.cells(values, paint)
        broad = cells_reference.smoothed(light, broad_weights(paint))
        work = tools.relief._works[bool(brush)]
        columns, rows = paint.cells(*size)
        got = tools.get(tools.made(work, "relief_cells", "luma of cells"), columns * rows, np.float32)
        assert_near(got.reshape(rows, columns), light, "relief_cells")
        got = tools.get(tools.made(work, "relief_smooth", "surroundings"), columns * rows, np.float32)
        assert_near(got.reshape(rows, columns), broad, "relief_smooth")
        height = tools.get(tools.relief.height, size[0] * size[1], np.float32).reshape(size[::-1]).astype(np.float64)
        raised: Values | float = 0.0
        covered: Values | float = 0.0
        if brush:
            covered = brush * (1.0 - corners.at_target(corners.corners(seen), working, size))
            raised = tools.layout.raised_px * strokes
        want = relief_reference.height(values, paint, look, raised, covered)
        assert_near(height, want, "relief_height")
        monkeypatch.setattr(relief_reference, "height", lambda *_: height)
        lit = relief_reference.lit(values, paint, look)
        pixels = tools.get(tools.relief.lit, 4 * size[0] * size[1], np.float16).reshape(size[1], size[0], 4)
        assert_near(np.moveaxis(pixels, -1, 0)[:3].astype(np.float64), lit, "relief_light")


@pytest.mark.parametrize("size", [(64, 48), (57, 33), (58, 42), (60, 41), (5, 3), (1, 1)], ids=str)
@pytest.mark.parametrize("look", [Look(), Look(strength=0.6, split=0.3, detail=0.5)], ids=["plain", "mixed"])
def test_outputs_of_pixels(device: CudaDevice, size: Size, look: Look) -> None:
    """Outputs of a painting that is given as pixels equal the reference's."""
    look = replace(look, brush=0.8, relief=0.3 if look.strength < 1 else 0.0)
    for target in (nv12(*size), nv12(*size, bits=10), yuv420p(*size), rgba8(*size)):
        slot, _, stack = slot_for(device, rgba8(*size), target)
        with stack:
            start(device, slot, noise(rgba8(*size)))
            slot.queue_convert()
            device.context.compute.block()
            source = planes_to_tensor.planes_to_rgb(noise(rgba8(*size))).astype(np.float32).astype(np.float64)
            write_tensor(device, slot.styled, painting(size))
            slot.queue_output(look)
            device.context.compute.record(slot.used)
            slot.queue_download()
            slot.delivered.block()
            got = target.allocate()
            slot.picture.copy_to(got)
            assert slot.picture.finite
            drawn = executor_of(slot).memory.pointer(slot._finishing.picture(look), 0)
            pixels = read(device, drawn, 4 * size[0] * size[1], np.float16).reshape(size[1], size[0], 4)
        painted = np.moveaxis(pixels, -1, 0)[:3].astype(np.float64)
        shown = tensor_to_planes.look(source, painted, replace(look, detail=0.0 if look.raises else look.detail))
        want = tensor_to_planes.rgb_to_output(shown, target, look.dither)
        for ours, theirs in zip(got.planes, want.planes, strict=True):
            codes = np.abs((ours.astype(int) >> target.shift) - (theirs.astype(int) >> target.shift))
            assert codes.max() <= TOLERANCE["tensor_to_yuv"]["codes"]
