"""Strokes as passes for HLSL and WGSL.

Threads append strokes in any order; drawing sorts them. Without room for all, the finest layers are dropped.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from framebrush.gpu.layouts import Four, Record, packed
from framebrush.gpu.look import Look
from framebrush.gpu.passes import (
    PART_BYTES,
    Buffer,
    Constant,
    FromFrame,
    Part,
    Pass,
    PerFrame,
    Tensor,
    Texture,
    Use,
    Work,
    packed_define,
)
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, squares
from framebrush.gpu.stages import corners
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.corners import cells_per_px
from framebrush.gpu.stages.masks import MASK_SAMPLES
from framebrush.gpu.stages.steady import BLOCK_PX, CELL_PX, SAMPLES
from framebrush.gpu.stages.strokes import (
    AGREEMENT_STEPS,
    FIGURES,
    FIRST_CELLS,
    LEAST_LENGTH,
    REST_TENSOR,
    Layer,
    StrokeLayout,
    coverage,
    fill,
    layout_of,
    noise,
    paint_of,
)
from framebrush.gpu.stages.strokes.brush_maps import DIRECTION_MAP, SIZE_MAP
from framebrush.gpu.stages.strokes.laying import times_of
from framebrush.gpu.unfinished import Unfinished

TILE_PX = 16
"""Side of the tiles that groups draw."""

MOST_RECORDS, MOST_PAIRS = 1 << 18, 1 << 22
"""Maximum number of strokes in a picture, and of tiles that they touch, each counted as the largest of its layer."""

MOST_LAYERS = 16
"""Most layers that the kernels count in."""

FIRST_BOUND = MOST_LAYERS + 1
"""Index of the first tile's bounds."""

THREADS_OF_A_RECORD = 8
"""Threads that find a stroke's tiles."""

THREADS_THAT_TRACE = 4
"""Threads of a stroke's path and of its tiles' counts."""

PATH_ROWS = 3
"""Rows of 16 bytes of a path."""

PICKED_WORDS = 3
"""Words of a stroke that is drawn."""

FARTHEST = 1.4
"""Farthest paint from a stroke's path, in half widths."""

FIRST_LEVELS, NEXT_LEVELS = 5, 4
"""Pyramid levels made by the first kernel and by each next one."""

ALIGNED = PART_BYTES // 16
"""Alignment of pyramid levels, in samples."""

TENSORS = 5
"""Levels of the structure tensor."""

LEVELS = 14
"""Most levels in a pyramid's table."""

STROKE_FILM = packed(
    ("size", "<u4", (2,)),  # of the network's input without padding
    ("padded", "<u4", (2,)),  # of the network's input with padding
)
STROKE_CARRY = packed(
    ("size", "<u4", (2,)),  # of the network's input without padding
    ("target", "<u4", (2,)),  # of the painting
    ("stroke_count", "<u4"),  # strokes of all layers
    ("filled_count", "<u4"),  # cells of layers that fill gaps
    ("layer_count", "<u4"),
    ("place", "<u4"),  # number of the frame in the film
    ("rests", "<u4"),  # index of the first sample's rest
)
STROKE_AGREE = packed(
    ("size", "<u4", (2,)),  # of the network's input without padding
    ("change", "<u4"),  # change of a block's motion along each axis, in UNITS
)
STROKE_LEVELS = packed(
    ("levels", "<u4", (LEVELS, 4)),  # painting's pyramid: offset, columns, rows, whether it is needed
    ("last", "<u4"),  # last level
)
STROKE_DRAW = packed(
    ("levels", "<u4", (LEVELS, 4)),  # as above
    ("tensors", "<u4", (TENSORS, 4)),  # the same for structure tensors
    ("size", "<u4", (2,)),  # of the painting
    ("painted_size", "<u4", (2,)),  # of the painting's planes
    ("film", "<u4", (2,)),  # of the network's input without padding
    ("film_padded", "<u4", (2,)),  # of the network's input with padding
    ("film_step", "<f4", (2,)),  # film pixels per pixel of the painting
    ("tiles", "<u4", (2,)),  # columns and rows of tiles
    ("corner_cells", "<u4", (2,)),  # columns and rows of corner cells
    ("corner_step", "<f4", (2,)),  # corner cells per pixel
    ("rest", "<f4", (2,)),  # REST_TENSOR
    ("cells", "<u4", (2,)),  # columns and rows of the relief's cells
    ("cell_count", "<u4"),  # cells of all layers
    ("stroke_count", "<u4"),  # strokes of all layers
    ("layer_count", "<u4"),
    ("need_count", "<u4"),  # samples of all need planes
    ("place", "<u4"),  # number of the frame in the film
    ("rests", "<u4"),  # index of the first sample's rest
    ("cell_px", "<u4"),  # side of the relief's cells
    ("most_records", "<u4"),  # most strokes
    ("most_pairs", "<u4"),  # most touched tiles
    ("tensor_level", "<u4"),  # pyramid level for derivatives
    ("near_level", "<u4"),  # level of the structure tensor with the largest weight
    ("ground_level", "<u4"),  # pyramid level of the ground
    ("around_level", "<u4"),  # pyramid level of the luma around a stroke
    *FIGURES,
    ("per_hair", "<f4"),  # 1 / scale of hairs and ends, in pixels
    ("brush", "<f4"),  # share of strokes in the painting
    ("detail", "<f4"),  # share of the source's fine luma
    ("bare", *Four),  # R'G'B' of an unfinished painting's canvas
    ("front", "<f4"),  # laid share of its underpainting
    ("progress", "<f4"),  # time of its strokes
    ("covers", "<u4"),  # whether the picture is the canvas's opacity
)


@dataclass(frozen=True)
class StrokeMemory:
    """Resources of stroke passes. frame: the network's input."""

    settings: Settings
    frame: Tensor

    @cached_property
    def fine(self) -> Buffer:
        """Plane for the motion search."""
        width, height = self.settings.sizes.working
        return Buffer("levels of the film", "uint32", -(-width // 2) * height, kept=True)

    @cached_property
    def cells(self) -> Buffer:
        """Means of cells."""
        return Buffer("cells of the film", "int16", math.prod(squares(self.settings.sizes.working, CELL_PX)), kept=True)

    @cached_property
    def far_cells(self) -> Buffer:
        """Means of 2x2 cells."""
        far = squares(self.settings.sizes.working, 2 * CELL_PX)
        return Buffer("far cells of the film", "int16", math.prod(far), kept=True)

    @cached_property
    def offsets(self) -> Buffer:
        """Strokes' offsets."""
        return Buffer("offsets of strokes", "uint32", layout_of(self.settings).strokes, kept=True)

    @cached_property
    def samples(self) -> Buffer:
        """Strokes' samples: colours, then rests."""
        return Buffer("looks of strokes", "struct8", 2 * self.rests, kept=True)

    @cached_property
    def rests(self) -> int:
        """Index of the first rest."""
        strokes = PART_BYTES // 8
        return -(-layout_of(self.settings).strokes // strokes) * strokes

    @cached_property
    def homes(self) -> Constant:
        """Homes of all cells."""
        return Constant("homes of strokes", "uint32", lambda: home_places(layout_of(self.settings)))

    @cached_property
    def layers(self) -> Constant:
        """Table of layers."""
        return Constant("layers of strokes", "uint32x4", lambda: layer_table(self.settings))

    @cached_property
    def blocks(self) -> Size:
        """Columns and rows of motion blocks."""
        return squares(self.settings.sizes.working, BLOCK_PX)

    @cached_property
    def found(self) -> Buffer:
        """Blocks' matches in the next frame."""
        return Buffer("blocks as they are found", "int32x4", self.blocks[0] * self.blocks[1])

    @cached_property
    def camera(self) -> Buffer:
        """Camera's motion."""
        return Buffer("motion of the camera", "int32x2", 1)

    @cached_property
    def vectors(self) -> Buffer:
        """Motion from the previous frame, then the count of lost blocks."""
        return Buffer("motion of the film", "int32x2", self.blocks[0] * self.blocks[1] + 1)

    @cached_property
    def agreed(self) -> Buffer:
        """Second motion buffer."""
        return Buffer("motion that agrees", "int32x2", self.blocks[0] * self.blocks[1])

    @cached_property
    def lost(self) -> Buffer:
        """Count of lost blocks."""
        return Buffer("blocks that are lost", "uint32", 1)


class Carrying:
    """Works that advect strokes.

    film: planes for the motion search. begin: puts strokes at home. carry: advects from another slot. stay: puts
    strokes at home for pictures without a film.
    """

    def __init__(self, memory: StrokeMemory) -> None:
        settings, layout = memory.settings, layout_of(memory.settings)
        self.memory = memory
        filled = [layer for layer in layout.layers if layer.fills]
        self._settings = settings
        self._filled = sum(layer.count for layer in filled)
        covered = Buffer("cells that are covered", "uint32", max(1, self._filled))
        film = memory.fine, memory.cells, memory.far_cells
        homes, layers, lost, found = memory.homes, memory.layers, memory.lost, memory.found
        record = np.zeros((), STROKE_FILM)
        record["size"], record["padded"] = settings.sizes.working, settings.plan.padded_size
        threads = squares(settings.sizes.working, CELL_PX)
        self.film = Work("carry", (Pass("stroke_film", (memory.frame,), film, threads, record),), ends=False)
        into, threads = (memory.offsets, covered, memory.samples), (layout.strokes, 1)
        first = "stroke_carry", (homes, layers, layers, layers, layers), into, threads, "carry", (("FIRST", "1"),)
        self.begin = Work("carry", (Pass(*first),), begins=False)
        self.stay = Work("carry", self.begin.passes, begins=False, ends=False)
        blocks, count = memory.blocks, memory.blocks[0] * memory.blocks[1]
        camera = memory.camera
        both: tuple[Use, ...] = (*map(FromFrame, film), *film)
        moves = Pass("stroke_motion", both, (found, lost), blocks, "carry", clears=(lost,), groups=True)
        turns = Pass("stroke_camera", (found,), (camera,), (1, 1), "carry", groups=True)
        levels = FromFrame(memory.fine), memory.fine
        of_blocks = *levels, found, camera, lost
        settles = Pass("stroke_settle", of_blocks, (memory.vectors,), (SAMPLES * count, 1), "carry")
        carries = Pass(
            "stroke_carry",
            (homes, memory.vectors, FromFrame(memory.offsets), layers, FromFrame(memory.samples)),
            into,
            threads,
            "carry",
            clears=(covered,),
        )
        strokes = sum(layer.count * layer.slots for layer in filled)
        of_filled = Part(homes, 0, self._filled), covered, lost, layers
        fills = Pass("stroke_fill", of_filled, (Part(memory.offsets, 0, strokes),), (self._filled, 1), "carry")
        agrees = []
        ways = itertools.cycle([(memory.vectors, memory.agreed), (memory.agreed, memory.vectors)])
        for step, (vectors, agreed) in zip(AGREEMENT_STEPS, ways, strict=False):
            record = np.zeros((), STROKE_AGREE)
            record["size"], record["change"] = settings.sizes.working, step
            agrees.append(Pass("stroke_agree", (*levels, vectors), (agreed,), (SAMPLES * count, 1), record))
        passes = moves, turns, settles, *agrees, carries, *([fills] if filled else [])
        self.carry = Work("carry", passes, begins=False)

    def record(self, place: int) -> Record:
        """Make a frame's record."""
        settings, layout, record = self._settings, layout_of(self._settings), np.zeros((), STROKE_CARRY)
        record["size"], record["target"] = settings.sizes.working, settings.sizes.target
        record["stroke_count"], record["filled_count"] = layout.strokes, self._filled
        record["layer_count"], record["place"] = len(layout.layers), place
        record["rests"] = self.memory.rests
        return record


class Drawing:
    """Passes that draw strokes ("brush") and sample ("look")."""

    def __init__(self, memory: StrokeMemory, painted: Tensor, flag: Buffer | PerFrame) -> None:
        settings, layout = memory.settings, layout_of(memory.settings)
        layers = layout.layers
        if len(layers) > MOST_LAYERS:
            raise ValueError(f"a brush of {len(layers)} layers of strokes; {MOST_LAYERS} are the most")
        self._settings, self._memory, self._painted, self._flag = settings, memory, painted, flag
        self._levels, samples = level_table(layout, 1, layout.levels, LEVELS)
        self.pyramid = Buffer("pyramid of the painting", "struct16", samples)
        self._tensors, samples = tensor_table(layout)
        self.tensors = Buffer("structure of the painting", "float32x2", samples)
        columns, rows = layout.level_size(layout.direction_level)
        self.direction = Buffer("directions of strokes", "float32x2", columns * rows)
        self._need_count = sum(math.prod(layout.need_size(layer)) for layer in layers)
        self.needs = Buffer("needs of strokes", "float32", max(1, self._need_count))
        self.picked = Buffer("strokes that are drawn", "uint32", PICKED_WORDS * sum(picked_rooms(layout)))
        self.most_records, self.most_pairs = rooms(layout)
        # all paths, then all paints
        self.strokes = Buffer("paths and paints of strokes", "struct16", (PATH_ROWS + 1) * self.most_records)
        self._tiles = squares(settings.sizes.target, TILE_PX)
        tiles = math.prod(self._tiles)
        # of drawn strokes by layer, of all traced ones; all beginnings of lists, then all ends
        self.counts = Buffer("counts of strokes, and bounds of tiles' lists", "uint32", FIRST_BOUND + 2 * tiles)
        self.total = Buffer("length of tiles' lists", "uint32", 1)
        self.lists = Buffer("tiles' lists", "uint32", self.most_pairs)
        self.noise = Constant("noise of hairs", "float32x2", lambda: noise_pairs(layout.kind.mark))
        size = corners.cells(settings.sizes.working)
        self.corners = Texture("structure of corners", "float32x4", size)
        self.surroundings = Texture("surroundings of corners", "float32", corners.blocks(settings.sizes.working))
        self.left = Texture("corners", "float32", size)

    def passes(
        self,
        into: Tensor | Texture | PerFrame,
        fine: Buffer | None,
        sums: Buffer | None = None,
        *,
        revealed: bool = False,
    ) -> tuple[Pass, ...]:
        """Return the drawing passes. into: picture or relief's input. revealed: unfinished."""
        memory, layout, painted, pyramid = self._memory, layout_of(self._settings), self._painted, self.pyramid
        homes, offsets, layers, looks = memory.homes, memory.offsets, memory.layers, memory.samples
        direction, picked, counts = self.direction, self.picked, self.counts
        paths, lists = Part(self.strokes, 0, PATH_ROWS * self.most_records), self.lists
        cells, tiles = (layout.cells, 1), (self._tiles[0] * self._tiles[1], 1)
        each = THREADS_OF_A_RECORD * self.most_records, 1
        plan, working = self._settings.plan, self._settings.sizes.working
        of_corners = corners.constants(working, plan.padded_size)
        size = corners.cells(working)
        rests = Part(looks, memory.rests, layout.strokes)
        cuts = counts, layers, times_of(layout)
        first, *others = self._guides("brush")
        one = partial(_pass, "brush")
        found = [
            first,
            Pass("corner_cells", (memory.frame,), (self.corners, self.surroundings), size, of_corners),
            *others,
            Pass(
                "corner_share",
                (self.corners, self.surroundings, MASK_SAMPLES),
                (self.left,),
                size,
                "corners" if revealed else of_corners,
            ),
            one("stroke_pick", (homes, offsets, self.needs, layers, rests, SIZE_MAP), (picked, counts), cells, counts),
            one(
                "stroke_trace",
                (looks, pyramid, direction, picked, layers, homes),
                (self.strokes, counts),
                (THREADS_THAT_TRACE * self.most_records, 1),
            ),
            *([one("stroke_cut", cuts, (self.strokes,), (self.most_records, 1))] if revealed else ()),
            one("stroke_offsets", (layers,), (counts, self.total), tiles, self.total),
            one("stroke_list", (paths,), (lists, counts), each),
        ]
        ground = self._level(layout.ground_level)
        reads = self.strokes, lists, counts, painted, ground, self.noise, self.left, fine or painted
        marked, target = layout.kind.mark is not None, self._settings.sizes.target
        kinds = ("RAISED", sums), ("MARKED", marked), ("REVEALED", revealed)
        defines = (*((name, "1") for name, is_there in kinds if is_there), *packed_define(painted))
        writes, clears = (into, sums or into), (sums,) if sums else ()
        return (*found, Pass("stroke_draw", reads, writes, target, "brush", defines, clears=clears))

    @cached_property
    def sampling(self) -> Work:
        """Work that samples a painting for its strokes."""
        memory = self._memory
        seen = memory.homes, memory.offsets, self.needs, self.pyramid, self.direction, memory.layers
        look = _pass("look", "stroke_look", seen, (memory.samples,), (layout_of(self._settings).strokes, 1))
        return Work("look", (*self._guides("look"), look), begins=False, ends=False)

    def _guides(self, name: str) -> list[Pass]:
        memory, layout, pyramid = self._memory, layout_of(self._settings), self.pyramid
        into, needs, layers = (pyramid, self._flag), self.needs, memory.layers
        directed, one = layout.level_size(layout.direction_level), partial(_pass, name)
        return [
            Pass(
                "stroke_first_level",
                (self._painted, memory.frame),
                into,
                layout.level_size(1),
                name,
                packed_define(self._painted),
            ),
            *self._next_levels(),
            one(
                "stroke_tensor",
                (self._level(layout.tensor_level),),
                (self.tensors,),
                layout.level_size(layout.tensor_level),
            ),
            *([one("stroke_need", (pyramid, layers), (needs,), (self._need_count, 1))] if self._need_count else []),
            one("stroke_direction", (self.tensors, DIRECTION_MAP), (self.direction,), directed),
        ]

    def _next_levels(self) -> list[Pass]:
        layout, found = layout_of(self._settings), []
        for last in range(FIRST_LEVELS, layout.levels, NEXT_LEVELS):
            record, start = np.zeros((), STROKE_LEVELS), int(self._levels[last, 0])
            record["levels"], record["last"] = self._levels, last
            record["levels"][last : layout.levels + 1, 0] -= start
            reads, above = (self._memory.layers,), Part(self.pyramid, start, self.pyramid.count - start)
            found.append(Pass("stroke_next_level", reads, (above,), layout.level_size(last), record))
        return found

    def _level(self, number: int) -> Part:
        start, columns, rows, _ = map(int, self._levels[number])
        return Part(self.pyramid, start, columns * rows)

    def record(self, look: Look, place: int) -> Record:
        """Make a frame's record."""
        settings, layout, record = self._settings, layout_of(self._settings), np.zeros((), STROKE_DRAW)
        sizes = settings.sizes
        record["levels"], record["tensors"] = self._levels, self._tensors
        record["size"], record["painted_size"] = sizes.target, self._painted.size_px
        record["film"], record["film_padded"] = sizes.working, self._memory.frame.size_px
        record["film_step"] = np.divide(sizes.working, sizes.target)
        record["tiles"] = self._tiles
        record["corner_cells"] = corners.cells(sizes.working)
        record["corner_step"] = cells_per_px(sizes.working, sizes.target)
        record["rest"] = REST_TENSOR
        cells = Cells.of(sizes)
        record["cells"], record["cell_px"] = cells.cells(*sizes.target), cells.cell_px
        record["cell_count"], record["stroke_count"] = layout.cells, layout.strokes
        record["layer_count"] = len(layout.layers)
        record["need_count"], record["place"] = self._need_count, place
        record["rests"] = self._memory.rests
        record["most_records"], record["most_pairs"] = self.most_records, self.most_pairs
        record["tensor_level"], record["near_level"] = layout.tensor_level, layout.tensor_levels[0]
        record["ground_level"], record["around_level"] = layout.ground_level, layout.around_level
        fill(record, layout.kind)
        record["per_hair"], record["brush"] = 1.0 / layout.hair_px, coverage(look)
        record["detail"] = look.raised_detail
        if part := look.part:
            record["bare"][:3], record["front"], record["progress"] = part.bare, part.front, part.progress
            record["covers"] = part.covers
        return record

    def corner_record(self, part: Unfinished) -> Record:
        """Make the record of an unfinished painting's corners."""
        plan, working = self._settings.plan, self._settings.sizes.working
        return corners.constants(working, plan.padded_size, part.touches)


def _pass(
    name: str, kernel: str, reads: tuple[Use, ...], writes: tuple[Use, ...], threads: Size, *clears: Buffer
) -> Pass:
    return Pass(kernel, reads, writes, threads, name, clears=clears)


def level_table(layout: StrokeLayout, first: int, last: int, rows: int) -> tuple[npt.NDArray[np.uint32], int]:
    """Return pyramid levels (rows, 4): offset, columns, rows, 1; and samples."""
    table, end = np.zeros((rows, 4), np.uint32), 0
    for level in range(first, last + 1):
        columns, height = layout.level_size(level)
        table[level if rows == LEVELS else level - first] = end, columns, height, 1
        end += -(-columns * height // ALIGNED) * ALIGNED
    return table, end


def tensor_table(layout: StrokeLayout) -> tuple[npt.NDArray[np.uint32], int]:
    """Return structure tensors' levels, as `level_table`."""
    # those finer than directions are not stored
    finest, near = layout.tensor_level, layout.tensor_levels[0]
    table, samples = level_table(layout, finest + near, finest + 4, TENSORS - near)
    finer = [(0, *layout.level_size(finest + level), 0) for level in range(near)]
    return np.concatenate([np.array(finer, np.uint32), table]), samples


def layer_table(settings: Settings) -> npt.NDArray[np.uint32]:
    """Return the layers for stroke_layers.hlsli, (layers * 6, 4)."""
    layout = layout_of(settings)
    table = np.zeros((len(layout.layers), 6, 4), np.uint32)
    levels, _ = level_table(layout, 1, layout.levels, LEVELS)
    covered = needed = picked = 0
    for row, layer, room in zip(table, layout.layers, picked_rooms(layout), strict=True):
        row[0] = layer.first, layer.first_slot, layer.columns, layer.rows
        row[1] = layer.cell, layer.slots, layer.half_steps, covered
        row[2] = *levels[layer.level][:3], layer.level
        columns, rows = layout.need_size(layer)
        row[3] = needed, columns, rows, layer.detail + 1 if layer.detail else 0
        reach = layer.reach_px
        row[4] = np.array([1.0 / layer.need, reach, layer.width_px, layer.length_px], np.float32).view(np.uint32)
        row[5, :3] = most_tiles(layer), picked, room
        picked += room
        covered += layer.count if layer.fills else 0
        needed += columns * rows
    return table.reshape(-1, 4)


def rooms(layout: StrokeLayout) -> tuple[int, int]:
    """Return the most strokes and tiles. The broadest layer fits."""
    strokes = [layer.count * layer.slots for layer in layout.layers]
    tiles = [count * most_tiles(layer) for count, layer in zip(strokes, layout.layers, strict=True)]
    return min(sum(strokes), max(MOST_RECORDS, strokes[0])), min(sum(tiles), max(MOST_PAIRS, tiles[0]))


def picked_rooms(layout: StrokeLayout) -> list[int]:
    """Return each layer's most drawn strokes."""
    most, pairs = rooms(layout)
    return [min(layer.count * layer.slots, most, pairs // most_tiles(layer)) for layer in layout.layers]


def home_places(layout: StrokeLayout) -> npt.NDArray[np.uint32]:
    """Return row | column << 16 of each cell."""
    places = [layout.homes_of(layer)[:, :2] // layer.cell + FIRST_CELLS for layer in layout.layers]
    rows, columns = np.concatenate(places).astype(np.uint32).T
    words: npt.NDArray[np.uint32] = rows | columns << np.uint32(16)
    return words


def most_tiles(layer: Layer) -> int:
    """Return the most tiles of a stroke."""
    half_px, length_px = 0.6 * layer.width_px, 1.3 * layer.length_px + LEAST_LENGTH * 1.2 * layer.width_px
    reach = FARTHEST * half_px + math.sqrt(2.0) * TILE_PX
    return math.ceil((2.0 * reach * length_px + math.pi * reach * reach) / TILE_PX**2)


def noise_pairs(mark: bytes | None) -> npt.NDArray[np.float32]:
    """Return noise pairs (NOISE_SIZE, 2), then a tip."""
    found = np.stack([noise(), np.roll(noise(), -1)], axis=1)
    if mark is None:
        return found
    paint = paint_of(mark)
    pairs = np.stack([paint, np.append(paint[:, 1:], paint[:, -1:], axis=1)], axis=-1)
    return np.concatenate([found, pairs.reshape(-1, 2)])
