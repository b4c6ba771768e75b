"""Strokes as CUDA passes. Reference: `gpu.stages.strokes.reference`.

Fewer than in HLSL, in another memory layout: warps cooperate.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
import numpy.typing as npt

from framebrush.gpu.kernel_sources import Defines
from framebrush.gpu.layouts import Four, Record, packed
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, Buffer, Constant, FromFrame, Pass, Step, Tensor, Texture, Work, element_define
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, squares
from framebrush.gpu.stages import corners, steady, strokes
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.lighting import RELIEF
from framebrush.gpu.stages.masks import MASK_SAMPLES
from framebrush.gpu.stages.strokes import (
    FIGURES,
    LEAST_LENGTH,
    NONE,
    REST_TENSOR,
    Layer,
    StrokeLayout,
    coverage,
    fill,
    layout_of,
)
from framebrush.gpu.stages.strokes.brush_maps import MAPS
from framebrush.gpu.stages.strokes.laying import times_of
from framebrush.gpu.stages.strokes.stroke_samples import WORDS

TILE_PX = 16
"""Side of the tiles with stroke lists."""

SORTED = 1024
"""Strokes of a tile that are sorted at once."""

ROOM, PX_A_STROKE = 1 << 19, 8
"""Room for strokes: ROOM, one per PX_A_STROKE pixels, and all of the broadest layer."""

LIST_ROOM, LISTED_PER_PX = 1 << 22, 4
"""Room of all tile lists: LIST_ROOM, LISTED_PER_PX per pixel, and all of the broadest layer."""

SHARING = 1 << 18
"""Most threads, eight per stroke, that share all drawn strokes: as many as a large GPU runs at once."""

BESIDE = 8, 4
"""Columns and rows of cells for the strokes of a warp."""

RECORD_BYTES = 128
CORNER_CELL = (("CELL_PX", str(corners.CELL_PX)),)
MOST_LAYERS = 8
FUSED_LEVELS, TENSOR_TILE_PX = 5, 64
"""Pyramid levels in one kernel; side of a group's samples for tensors."""

WHOLE = (
    "UNITS",
    "NONE",
    "MOST_OFFSET",
    "LIFE",
    "GROWTH",
    "FILL_EVERY",
    "FILL_LIFE",
    "FILL_GROWTH",
    "FILL_SHRINK",
    "TWINS",
    "LOOK_EVERY",
    "LOOKS",
    "GRADES",
    "FEW_GRADES",
    "AROUND_GRADES",
    "FORGOTTEN",
    "UNSURE_EIGHTHS",
    "DISTINCT_PX",
    "DISTINCT_COST",
    "AGREEMENT",
    "AGREEMENT_REST",
    "CAMERA_BIAS",
    "CAMERA_REST",
    "CUT_EIGHTHS",
    "DISTINCT",
    "MOVES",
    "LOST",
    "FIRST_CELLS",
    "POINTS",
    "NOISE_SIZE",
    "MAP_SIDE",
    "MARK_ROWS",
    "MARK_COLUMNS",
    "MARK_TIP",
)
SHARES = (
    "COVERING",
    "ALIKE",
    "UNFOLLOWED",
    "NEED_ALIKE",
    "TENSOR_FILM",
    "FAR_SHARE",
    "FARTHER_SHARE",
    "FILM_NEED",
    "LEAST_SEEN",
    "LEAST_GROWN",
    "LEAST_LENGTH",
    "TURN",
    "COVERED",
    "GROUND_HEIGHT",
    "MARK_END",
    "MARK_FULL",
    "TINY",
)
FARTHEST = (2 * steady.CELL_PX * steady.COARSE_CELLS + steady.CELL_PX + steady.FINE_PX + 1) * strokes.UNITS
"""Largest motion of a block along an axis, in UNITS."""

SEARCH = ("BLOCK_PX", "CELL_PX", "COARSE_CELLS", "FINE_PX", "SAMPLES", "STEP_BIAS", "REST_BIAS", "SURE_NOISE")
DEFINES: Defines = (
    *((name, f"({getattr(strokes, name)})") for name in WHOLE),
    *((name, f"{getattr(strokes, name)!r}f") for name in SHARES),
    *((name, str(getattr(steady, name))) for name in SEARCH),
    ("PROPERTY", f"{strokes.PROPERTY}u"),
    ("REST_TENSOR_X", f"({REST_TENSOR[0]!r}f)"),
    ("REST_TENSOR_Y", f"({REST_TENSOR[1]!r}f)"),
    ("FARTHEST", str(FARTHEST)),
    ("MOST_LAYERS", str(MOST_LAYERS)),
    ("TILE", str(TILE_PX)),
    ("SORTED", str(SORTED)),
)
"""Constants of `gpu.stages` that kernels are compiled with."""


MARKED = "MARKED", "1"
"""Define for strokes of a brush tip, which follows the noise in memory."""

REVEALED = "REVEALED", "1"
"""Define for unfinished paintings."""

LAYERS = packed(
    ("size", "<i4", (2,)),  # of the target
    ("working", "<i4", (2,)),  # of the film
    ("padded", "<i4", (2,)),  # of the network's input with padding
    ("painted", "<i4", (2,)),  # of the painting's planes
    ("blocks", "<i4", (2,)),  # columns and rows of motion blocks
    ("tiles", "<i4", (2,)),  # columns and rows of tiles
    ("place", "<u4"),  # number of the frame in the film
    ("count", "<i4"),  # layers
    ("cells", "<i4"),  # cells of all layers
    ("filled_cells", "<i4"),  # cells of layers that fill gaps, which come first
    ("needs", "<i4"),  # samples of all need planes
    ("room", "<u4"),  # most drawn strokes
    ("list_room", "<u4"),  # most entries of tile lists
    ("tensor_level", "<i4"),  # pyramid level for derivatives
    ("direction_level", "<i4"),  # pyramid level of directions
    ("around_level", "<i4"),  # pyramid level of the luma around a stroke
    ("progress", "<f4"),  # time of an unfinished painting's strokes
    *FIGURES,
    ("tensor_ups", "<i4", (3,)),  # levels from the tensor's to the kept ones
    ("tensor_first", "<i4", (3,)),  # offsets of the kept tensor levels
    ("level_first", "<i4", (4, 4)),  # offsets of pyramid levels, by number
    ("places", "<i4", (8, 4)),  # of each layer: first cell, first stroke, cells, strokes of a cell
    ("grids", "<i4", (8, 4)),  # of each layer: columns, rows, side of a cell, steps of a path
    ("levels", "<i4", (8, 4)),  # of each layer: level of colours, level of needs, offset of needs, finer level
    ("forms", "<f4", (8, 4)),  # of each layer: width, length, 1 / need, reach outside the picture
    ("rooms", "<u4", (8, 4)),  # most tiles of a stroke of each layer
)
DRAWING = packed(
    ("size", "<i4", (2,)),  # of the target
    ("painted", "<i4", (2,)),  # of the painting's planes
    ("corner_cells", "<i4", (2,)),  # columns and rows of corner cells
    ("corner_step", "<f4", (2,)),  # corner cells per pixel
    ("ground_level", "<i4"),  # pyramid level of the ground
    ("ground_first", "<i4"),  # offset of the ground level
    *FIGURES,
    ("hairs", "<f4", (2,)),  # position of hairs per pixel across a stroke, at its beginning and end
    ("streaks", "<f4", (4,)),  # the same for broad and fine streaks, across and along
    ("soft", "<f4"),  # 1 / length of the fading ends
    ("rim", "<f4"),  # 1 / width of the fading sides
    ("low", "<f4"),  # 1 / half the width from which the height is full
    ("brush", "<f4"),  # share of strokes in the painting
    ("detail", "<f4"),  # share of the source's fine luma
    ("bare", *Four),  # R'G'B' of an unfinished painting's canvas
    ("front", "<f4"),  # laid share of its underpainting
    ("covers", "<u4"),  # whether the picture is the canvas's opacity
)


def _at_rest(layout: StrokeLayout) -> tuple[Constant, Constant, Constant]:
    return (
        Constant("offsets of strokes at home", "uint32", lambda: homes_at_rest(layout)),
        Constant("no place", "uint32", lambda: np.zeros(1, np.uint32)),
        Constant("no looks", "struct16", lambda: np.zeros((layout.strokes, WORDS), np.uint32)),
    )


def homes_at_rest(layout: StrokeLayout) -> npt.NDArray[np.uint32]:
    """Return offsets (strokes,): two strokes of each cell at home."""
    nowhere = (NONE & 0xFFFF) * 0x10001
    found = []
    for layer in layout.layers:
        cell = np.full((layer.count, layer.slots), nowhere, np.uint32)
        cell[:, :2] = 0
        found.append(cell.reshape(-1))
    return np.concatenate(found)


@lru_cache(maxsize=4)
def ranks_of(layout: StrokeLayout) -> npt.NDArray[np.uint32]:
    """Return cells' places in `StrokeLayout.homes`, in GPU order."""
    found = []
    for layer in layout.layers:
        row, column = layout.homes_of(layer)[:, :2].T.astype(np.int64) // layer.cell
        order = np.lexsort((column % BESIDE[0], row % BESIDE[1], column // BESIDE[0], row // BESIDE[1]))
        found.append(layer.first + order)
    return np.concatenate(found).astype(np.uint32)


def noise_steps(mark: bytes | None) -> npt.NDArray[np.float32]:
    """Return noise and its steps (NOISE_SIZE, 2), then a tip."""
    values = strokes.noise()
    found = np.stack([values, np.roll(values, -1) - values], axis=-1)
    if mark is None:
        return found
    paint = strokes.paint_of(mark)
    steps = np.diff(paint, axis=1, append=paint[:, -1:])
    return np.concatenate([found, np.stack([paint, steps], axis=-1).reshape(-1, 2)])


def tiles_of(layer: Layer) -> int:
    """Return the most tiles of a straight stroke."""
    width = 1.2 * layer.width_px
    length = 1.3 * layer.length_px + LEAST_LENGTH * width
    return math.ceil(((length * math.sqrt(0.5) + width) / TILE_PX + 2.0) ** 2)


@dataclass(frozen=True)
class CudaStrokeMemory:
    """Resources of stroke passes. working: size of the film."""

    layout: StrokeLayout
    working: Size

    def __post_init__(self) -> None:
        if len(self.layout.layers) > MOST_LAYERS:
            raise ValueError(f"{len(self.layout.layers)} layers of strokes where {MOST_LAYERS} can be had")

    def kept(self) -> tuple[Buffer, Buffer, Buffer, Buffer, Buffer]:
        """Return a frame's levels, means of cells and 2x2 cells, offsets, number."""
        cells = squares(self.working, steady.CELL_PX)
        return (
            Buffer("film of strokes", "int16", math.prod(self.working), kept=True),
            Buffer("cells of the film of strokes", "int16", math.prod(cells), kept=True),
            Buffer("far cells of the film of strokes", "int16", math.prod(squares(cells, 2)), kept=True),
            Buffer("offsets of strokes", "uint32", self.layout.strokes, kept=True),
            Buffer("place of strokes", "uint32", 1, kept=True),
        )

    @property
    def samples(self) -> Buffer:
        """Strokes' stored samples."""
        return Buffer("looks of strokes", "struct16", self.layout.strokes, kept=True)

    @property
    def homes(self) -> Constant:
        """All cells' homes in GPU order."""
        return Constant("homes of strokes", "struct16", lambda: self.layout.homes[ranks_of(self.layout)])

    @property
    def ranks(self) -> Constant:
        """Cells' ranks from bottom to top."""
        return Constant("ranks of strokes", "uint32", lambda: ranks_of(self.layout))

    @property
    def most_drawn(self) -> int:
        """Most drawn strokes, in groups of 64."""
        first, pixels = self.layout.layers[0], math.prod(self.layout.size)
        return -(-min(self.layout.strokes, max(ROOM, pixels // PX_A_STROKE, first.count * first.slots)) // 64) * 64

    @property
    def list_room(self) -> int:
        """Most entries of tile lists."""
        layers, (width, height) = self.layout.layers, self.layout.size
        every = sum(layer.count * layer.slots * tiles_of(layer) for layer in layers)
        first = layers[0].count * layers[0].slots * tiles_of(layers[0])
        return min(every, max(LIST_ROOM, LISTED_PER_PX * width * height, first))

    @property
    def level_firsts(self) -> tuple[list[int], int]:
        """Pyramid levels' offsets (0 if absent), and all samples."""
        firsts, end = _stacked(map(self.layout.level_size, range(1, self.layout.levels + 1)))
        return [0, *firsts], end

    @property
    def need_firsts(self) -> tuple[list[int], int]:
        """Layers' offsets of needs, and all samples."""
        return _stacked(map(self.layout.need_size, self.layout.layers))

    @property
    def tensor_firsts(self) -> tuple[list[int], int]:
        """Three tensor levels' offsets, and all samples."""
        return _stacked(self.layout.level_size(self.layout.tensor_level + up) for up in self.layout.tensor_levels)

    @property
    def directed(self) -> Size:
        """Columns and rows of directions."""
        return self.layout.level_size(self.layout.direction_level)

    @property
    def size_bytes(self) -> int:
        """Bytes for drawing."""
        tensors = self.tensor_firsts[1] + math.prod(self.directed)
        guides = 16 * self.level_firsts[1] + 4 * self.need_firsts[1] + 8 * tensors
        strokes_there = (
            20 * self.layout.cells + (2 * 4 + 16) * self.layout.strokes + (RECORD_BYTES + 4) * self.most_drawn
        )
        return guides + strokes_there + 2 * 4 * math.prod(squares(self.layout.size, TILE_PX)) + 4 * self.list_room

    def record(self, padded: Size, painted: Size) -> Record:
        """Make all constants but drawing's."""
        layout, record = self.layout, np.zeros((), LAYERS)
        record["size"], record["working"], record["padded"], record["painted"] = (
            layout.size,
            self.working,
            padded,
            painted,
        )
        record["blocks"], record["tiles"] = squares(self.working, steady.BLOCK_PX), squares(layout.size, TILE_PX)
        record["count"], record["cells"] = len(layout.layers), layout.cells
        record["filled_cells"] = sum(layer.count for layer in layout.layers if layer.fills)
        (need_firsts, record["needs"]), (firsts, _) = self.need_firsts, self.level_firsts
        record["room"], record["list_room"] = self.most_drawn, self.list_room
        record["tensor_level"], record["tensor_ups"] = layout.tensor_level, layout.tensor_levels
        record["direction_level"] = layout.direction_level
        record["around_level"] = layout.around_level
        record["tensor_first"], _ = self.tensor_firsts
        fill(record, layout.kind)
        record["level_first"].reshape(-1)[: len(firsts)] = firsts
        for index, (layer, need_first) in enumerate(zip(layout.layers, need_firsts, strict=True)):
            record["places"][index] = layer.first, layer.first_slot, layer.count, layer.slots
            record["grids"][index] = layer.columns, layer.rows, layer.cell, layer.half_steps
            record["levels"][index] = layer.level, layer.detail + 1, need_first, layer.detail
            reach = layer.reach_px
            record["forms"][index] = layer.width_px, layer.length_px, 1.0 / layer.need, reach
            record["rooms"][index, 0] = tiles_of(layer)
        return record

    def drawing(self, painted: Size, look: Look, detail: float) -> Record:
        """Make the drawing kernel's constants."""
        layout, record = self.layout, np.zeros((), DRAWING)
        record["size"], record["painted"] = layout.size, painted
        record["corner_cells"] = corners.cells(self.working)
        record["corner_step"] = corners.cells_per_px(self.working, layout.size)
        record["ground_level"] = layout.ground_level
        record["ground_first"] = self.level_firsts[0][layout.ground_level]
        hair_px = layout.hair_px
        fill(record, layout.kind)
        record["hairs"] = 1.0 / (1.3 * hair_px), 1.0 / (2.1 * hair_px)
        record["streaks"] = 1.0 / (1.6 * hair_px), 0.016 / hair_px, 1.0 / (0.9 * hair_px), 0.02 / hair_px
        record["soft"], record["rim"], record["low"] = 1.0 / (1.5 * hair_px), 1.0 / (1.2 * hair_px), 0.2 / hair_px
        record["brush"], record["detail"] = coverage(look), detail
        if part := look.part:
            record["bare"][:3], record["front"], record["covers"] = part.bare, part.front, part.covers
        return record


def _stacked(planes: Iterable[Size]) -> tuple[list[int], int]:
    *firsts, end = itertools.accumulate(map(math.prod, planes), initial=0)
    return firsts, end


class Carrier:
    """Advection of a stylizer's strokes from slot to slot."""

    def __init__(self, settings: Settings, way: FramePasses) -> None:
        self._frame, self.memory = way.frame, CudaStrokeMemory(layout_of(settings), settings.sizes.working)
        self._record = self.memory.record(self._frame.size_px, self._frame.size_px)
        self._first, self._next = self._described(first=True), self._described(first=False)

    def _described(self, *, first: bool) -> Work:
        memory = self.memory
        layout, working = memory.layout, memory.working
        fine, cells, far_cells, offsets, place = memory.kept()
        blocks = math.prod(squares(working, steady.BLOCK_PX))
        vectors, found = Buffer("motion of strokes", "int32x2", blocks), Buffer("found blocks", "int32x4", blocks)
        agreed = Buffer("motion that agrees", "int32x2", blocks)
        tally = Buffer("tally of blocks", "uint32", 1 + 2 * (2 * FARTHEST + 1))
        filled = sum(layer.count for layer in layout.layers if layer.fills)
        covered = Buffer("covered cells", "uint32", max(1, filled))
        run = partial(Pass, constants="layers", defines=DEFINES)
        small, side = squares(working, steady.CELL_PX), str(steady.CELL_PX)
        seen = (
            run("stroke_film", (self._frame,), (fine,), working, element_of=self._frame),
            run("stroke_cells", (fine,), (cells,), small, defines=(*DEFINES, ("UNDER", "1"), ("SIDE", side))),
            run(
                "stroke_cells",
                (cells,),
                (far_cells,),
                squares(small, 2),
                defines=(*DEFINES, ("UNDER", side), ("SIDE", "2")),
            ),
        )
        if first:
            carried = offsets, memory.samples, covered, place
            begin = Pass(
                "stroke_carry", (memory.homes,), carried, (layout.cells, 1), "layers", (*DEFINES, ("FIRST", "1"))
            )
            return Work("carry", (*seen, begin))
        films = FromFrame(fine), FromFrame(cells), FromFrame(far_cells), fine, cells, far_cells
        before = memory.homes, vectors, tally, FromFrame(offsets), FromFrame(memory.samples)
        agrees, ways = [], itertools.cycle([(vectors, agreed), (agreed, vectors)])
        for step, (old, new) in zip(strokes.AGREEMENT_STEPS, ways, strict=False):
            reads, defines = (FromFrame(fine), fine, old), (*DEFINES, ("STEP", str(step)))
            agrees.append(run("stroke_agree", reads, (new,), (32 * blocks, 1), defines=defines))
        return Work(
            "carry",
            (
                *seen,
                run("stroke_motion", films, (found, tally), (192 * blocks, 1), clears=(tally,)),
                run("stroke_settle", (FromFrame(fine), fine, found, tally), (vectors,), (32 * blocks, 1)),
                *agrees,
                run(
                    "stroke_carry",
                    before,
                    (offsets, memory.samples, covered, place),
                    (layout.cells, 1),
                    clears=(covered,),
                ),
                run("stroke_fill", (memory.homes, tally, covered), (offsets,), (max(1, filled), 1)),
            ),
        )

    def step(self, slot: int, last: int | None, place: int) -> Step:
        """Return the step that advects a slot's strokes from the last."""
        record = self._record.copy()
        record["place"] = place
        work, others = (self._first, ()) if last is None else (self._next, (last,))
        return Step(work, slot, others, {"layers": record})


class CudaStrokePainter:
    """Drawing of a stylizer's paintings with strokes."""

    def __init__(self, settings: Settings, way: FramePasses) -> None:
        self._way, self.memory = way, CudaStrokeMemory(layout_of(settings), settings.sizes.working)
        width, height = size = settings.sizes.target
        self.picture = Texture("painting", "float16x4", size)
        self.height = Buffer("height of strokes", "float32", width * height)
        self.left = Buffer("corners", "float32", math.prod(corners.cells(self.memory.working)))
        self.drawing, self._packing, self.looking = cache(self._drawing), cache(self._packed), cache(self._looking)

    def step(self, slot: int, painted: Tensor, look: Look, detail: float, *, carried: bool) -> Step:
        """Return the step that makes `picture` with fine luma, strokes, `height` and `left`.

        painted: at the target's size. carried: strokes were advected.
        """
        fine = self._way.fine if detail else painted  # a stand-in that is not read
        records, memory, part = {}, self.memory, look.part
        if look.draws:
            work = self.drawing(painted, fine, carried, revealed=part is not None)
            record = memory.drawing(painted.size_px, look, detail)
        else:
            work, record = self._packing(painted, fine), np.zeros((), RELIEF)
            record["size"], record["painted_size"] = self.memory.layout.size, painted.size_px
            record["detail"] = detail
        if part:
            padded = self._way.frame.size_px
            records["corners"] = corners.constants(memory.working, padded, part.touches)
            records["layers"] = memory.record(padded, painted.size_px)
            records["layers"]["progress"] = part.progress
        return Step(work, slot, (), records | {"drawing": record})

    def _packed(self, painted: Tensor, fine: Buffer) -> Work:
        size = self.memory.layout.size
        pack = Pass("relief_begin", (painted, fine), (self.picture, FLAG), size, "drawing", element_of=painted)
        return Work("strokes", (pack,))

    def _looking(self, painted: Tensor) -> Work:
        memory = self.memory
        guides, levels, need, direction = self._guides(painted)
        seen, cells = (memory.homes, memory.kept()[3], need, levels, direction), (memory.layout.cells, 1)
        record = memory.record(self._way.frame.size_px, painted.size_px)
        return Work("look", (*guides, Pass("stroke_look", seen, (memory.samples,), cells, record, DEFINES)))

    def _guides(self, painted: Tensor) -> tuple[tuple[Pass, ...], Buffer, Buffer, Buffer]:
        memory, frame = self.memory, self._way.frame
        layout = memory.layout
        (_, samples), (_, needs), (_, tensors) = memory.level_firsts, memory.need_firsts, memory.tensor_firsts
        levels, need = Buffer("pyramid", "float32x4", samples), Buffer("needs", "float32", max(1, needs))
        kept, direction = (
            Buffer("tensors", "float32x2", tensors),
            Buffer("direction", "float32x2", math.prod(memory.directed)),
        )
        run = partial(Pass, constants=memory.record(frame.size_px, painted.size_px), defines=DEFINES)
        fused = min(layout.levels, FUSED_LEVELS)
        film = *DEFINES, ("FILM", element_define(frame)[1]), ("LEVELS", str(fused))
        groups = squares(layout.level_size(layout.tensor_level), TENSOR_TILE_PX)
        reads, into = (painted, frame), (levels, FLAG)
        passes = (
            run("stroke_first_level", reads, into, layout.level_size(1), defines=film, element_of=painted),
            *(
                run(
                    "stroke_next_level",
                    (),
                    (levels,),
                    layout.level_size(level),
                    defines=(*DEFINES, ("LEVEL", str(level))),
                )
                for level in range(fused + 1, layout.levels + 1)
            ),
            *((run("stroke_need", (levels,), (need,), (needs, 1)),) if needs else ()),
            run("stroke_tensor", (levels,), (kept,), (32 * groups[0], 32 * groups[1])),
            run("stroke_direction", (kept, MAPS), (direction,), memory.directed),
        )
        return passes, levels, need, direction

    def _carried(self) -> tuple[Buffer, Buffer, Buffer]:
        _, _, _, offsets, place = self.memory.kept()
        return offsets, place, self.memory.samples

    def _drawing(self, painted: Tensor, fine: Buffer, carried: bool, *, revealed: bool) -> Work:
        memory, frame = self.memory, self._way.frame
        layout, working, size = memory.layout, memory.working, memory.layout.size
        offsets, place, looks = self._carried() if carried else _at_rest(layout)
        guides, levels, need, direction = self._guides(painted)
        picked, counts = Buffer("picked", "uint32", layout.strokes), Buffer("counts", "uint32", MOST_LAYERS)
        records = Buffer("records of strokes", f"struct{RECORD_BYTES}", memory.most_drawn)
        keys, tiles = Buffer("keys of strokes", "uint32", memory.most_drawn), math.prod(squares(size, TILE_PX))
        touched, firsts = Buffer("strokes of tiles", "uint32", tiles), Buffer("lists of tiles", "uint32", tiles + 1)
        listed = Buffer("listed strokes", "uint32", memory.list_room)
        structure = Buffer("structure of corners", "float32x4", self.left.count)
        around = Buffer("surroundings of corners", "float32", math.prod(corners.blocks(working)))
        mark, cuts = layout.kind.mark, (counts, times_of(layout))
        kinds = (MARKED, mark is not None), (REVEALED, revealed)
        noise = Constant("noise of hairs", "float32x2", partial(noise_steps, mark))
        run = partial(Pass, constants=memory.record(frame.size_px, painted.size_px), defines=DEFINES)
        corner, cells = corners.constants(working, frame.size_px), corners.cells(working)
        drawing = records, keys, firsts, listed, painted, levels, noise, self.left, fine
        traces = memory.homes, memory.ranks, offsets, looks, place, need, MAPS, levels, direction, picked, counts
        picks, shares = (memory.homes, offsets, looks, place, need, MAPS), min(8 * memory.most_drawn, SHARING)
        return Work(
            "strokes",
            (
                Pass("corner_cells", (frame,), (structure, around), cells, corner, CORNER_CELL, frame),
                Pass(
                    "corner_share",
                    (structure, around, MASK_SAMPLES),
                    (self.left,),
                    cells,
                    "corners" if revealed else corner,
                ),
                *guides,
                run("stroke_pick", picks, (picked, counts), (layout.cells, 1), clears=(counts,)),
                run("stroke_trace", traces, (records, keys), (memory.most_drawn, 1)),
                *(
                    (run("stroke_cut", cuts, (records,), (memory.most_drawn, 1), constants="layers"),)
                    if revealed
                    else ()
                ),
                run("stroke_count", (records, counts), (touched,), (shares, 1), clears=(touched,)),
                run("stroke_offsets", (touched,), (firsts,), (1, 1)),
                run("stroke_list", (records, counts, firsts), (touched, listed), (shares, 1)),
                Pass(
                    "stroke_draw",
                    drawing,
                    (self.picture, self.height),
                    size,
                    "drawing",
                    (*DEFINES, *(define for define, is_there in kinds if is_there)),
                    painted,
                ),
            ),
        )
