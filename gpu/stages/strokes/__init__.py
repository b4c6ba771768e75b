"""Brush strokes, advected along the motion of a film.

A painting is drawn again with strokes, broad ones first, fine ones where it has detail (Litwinowicz, 1997; Hertzmann,
1998).

Each cell of a layer has a home and two strokes, half a life apart. Two at one place count as one, so still films do not
change. Cells of broad layers fill gaps that motion uncovers. Whole numbers make devices equal. Every LOOK_EVERY frames
a stroke samples the painting, and glides between means (`gpu.stages.strokes.stroke_samples`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, Sizes, squares
from framebrush.gpu.stages.steady import CELL_PX
from framebrush.models.brushes import MAP_SIDE as MAP_SIDE
from framebrush.models.brushes import MARK_COLUMNS as MARK_COLUMNS
from framebrush.models.brushes import MARK_ROWS as MARK_ROWS
from framebrush.models.brushes import OIL as OIL
from framebrush.models.brushes import BrushKind as BrushKind
from framebrush.models.soft_masks import MASK_SIDE

Whole = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint32]

UNITS = 16
"""Fractions of a pixel in positions and motion."""

NONE = -32768
"""Offset of a stroke that does not exist."""

MOST_OFFSET = 32000
"""Largest offset in UNITS; strokes that are carried farther die."""

LIFE, GROWTH = 48, 12
"""Frames from birth to death, and frames of growing and of shrinking."""

FILL_EVERY, FILLS, FILL_GROWTH, FILL_SHRINK = 3, 5, 2, 4
"""Frames between two checks for gaps; strokes of a cell for gaps; frames of their growing and shrinking."""

FILL_LIFE = FILL_EVERY * FILLS
"""Frames from birth to death of a stroke that fills a gap."""

COVERING = 0.5
"""Share of its size from which a stroke covers its cell."""

TWINS = 12
"""Distance in UNITS, y and x together, below which two strokes of a cell count as one."""

WARM_UP_FRAMES = LIFE + FILL_LIFE
"""Frames before a frame that must be followed for the strokes of the whole film: strokes that found today's gaps were
born since."""

LOOK_EVERY, LOOKS = 4, 4
"""Frames between two samples of the painting, and the number of samples in a mean; a stroke's first samples count
more."""

GRADES, FEW_GRADES, AROUND_GRADES = 1023, 127, 511
"""Grades of stored samples from 0 to 1: colours; need and direction; luma around."""

ALIKE = 0.171875
"""Difference in the largest channel up to which a stroke shows its stored colour and direction; from twice as much it
shows the current ones."""

FORGOTTEN = 352
"""Difference of a channel in GRADES from which a sample replaces the mean: the object under the stroke has changed."""

AROUND, UNFOLLOWED = 12.8, 0.0234375
"""Radius of the luma around a stroke, in the brush's units of width; and the change that is ignored.

The stored colour follows this luma at once, as in fades. UNFOLLOWED is ignored, as paintings shimmer by it. Darkening
scales the colour and ALIKE; brightening adds to the colour.
"""

NEED_ALIKE = 0.5
"""Largest difference between the stored need and the current one."""

UNSURE_EIGHTHS = 3
"""Eighths of a block's and its match's own variation from which a block counts as lost."""

DISTINCT_PX, DISTINCT_COST = 2, 256
"""A block is distinct if its match would cost DISTINCT_COST more, a code per sample, when moved by DISTINCT_PX. Flat
areas and straight edges are not."""

CAMERA_BIAS = 64
"""Largest extra cost at which blocks that are not distinct, or lost, follow the camera."""

CAMERA_REST = 3
"""Camera motion in UNITS along each axis below which the camera rests."""

AGREEMENT = 8
"""Cost for each unit by which a block moves differently from an adjacent one."""

AGREEMENT_STEPS = 16, 8, 4, 2
"""Steps in UNITS: in turn, blocks take the cheapest of their own motion, an adjacent block's, or their own changed by
the step. An even number, as two planes alternate."""

AGREEMENT_REST = 64
"""Bonus for resting blocks."""

CUT_EIGHTHS = 5
"""Eighths of all blocks that are lost at a cut, where all strokes begin anew."""

DISTINCT, MOVES, LOST = 1, 2, 4
"""Flags of a block, as bits: distinct; not found at its own place; lost."""

FIRST_CELLS = 1
"""Rows and columns of cells before the picture's first; at least as many follow the last."""

LEAST_PX, LEAST_RATIO = 3.0, 1.5
"""Least width of a stroke, and least ratio of widths of successive layers."""

UNIT_PX = 10.0
"""Width of a network's stroke at which hairs have the width of a brush's table."""

STROKE_HEIGHT = 1.1
"""Height of strokes of height 1 at relief 1, in pixels where hairs have the width of the brush's table."""

BASE_WIDTH = 0.5
"""A brush's unit of width, in widths of a network's stroke."""

POINTS, HALF_STEPS, FEW_STEPS, FEW_STEPS_PX = 9, 4, 1, 6.0
"""Points of a path, and steps to each side of its middle; fewer steps for strokes narrower than FEW_STEPS_PX."""

NOISE_SIZE = 4096
"""Values of the periodic noise that hairs are made of."""


def hashed(words: npt.ArrayLike) -> Words:
    """Hash words pseudo-randomly (C. Wellons, lowbias32, 2018)."""
    word = np.asarray(words, np.uint32).copy()
    with np.errstate(over="ignore"):
        word ^= word >> np.uint32(16)
        word *= np.uint32(0x7FEB352D)
        word ^= word >> np.uint32(15)
        word *= np.uint32(0x846CA68B)
        word ^= word >> np.uint32(16)
    return word


def share(words: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Convert words to 0..1 by their upper bits."""
    upper: npt.NDArray[np.float64] = (np.asarray(words, np.uint32) >> np.uint32(8)).astype(np.float64) * 2.0**-24
    return upper


AWAY = 0x68E31DA4
"""Step between the seeds of a home's y and x."""

PROPERTY = 0x9E3779B1
"""Step between seeds: the n-th property of a stroke is `share(hashed(seed + n * PROPERTY))`."""


@lru_cache(maxsize=1)
def noise() -> npt.NDArray[np.float32]:
    """Return noise (NOISE_SIZE,) 0..1, smoothed by [1 2 1] / 4."""
    rough = share(hashed(np.arange(NOISE_SIZE)))
    smooth = 0.25 * np.roll(rough, 1) + 0.5 * rough + 0.25 * np.roll(rough, -1)
    found: npt.NDArray[np.float32] = ((smooth - smooth.min()) / np.ptp(smooth)).astype(np.float32)
    return found


@lru_cache(maxsize=8)
def paint_of(mark: bytes) -> npt.NDArray[np.float32]:
    """Return a brush tip's height (MARK_ROWS, MARK_COLUMNS) 0..1."""
    codes = np.frombuffer(mark, np.uint8).reshape(MARK_ROWS, MARK_COLUMNS)
    found: npt.NDArray[np.float32] = codes.astype(np.float32) / np.float32(255)
    found.flags.writeable = False
    return found


@dataclass(frozen=True)
class Layer:
    """Layer of strokes of one width.

    Attributes:
        index: 0 for the broadest.
        first, first_slot: cells and strokes of the layers below.
        cell: side in UNITS.
        slots: strokes of a cell.
        half_steps: of a path, to each side.
        level: pyramid level for colours.
        detail: finer of the two levels compared for the need; 0 for the broadest.
        need: difference that counts as one.
    """

    index: int
    first: int
    first_slot: int
    width_px: float
    length_px: float
    cell: int
    columns: int
    rows: int
    slots: int
    half_steps: int
    level: int
    detail: int
    need: float

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def reach_px(self) -> float:
        """Distance from which strokes outside reach into the picture."""
        return self.width_px + 0.65 * self.length_px

    @property
    def fills(self) -> bool:
        """Whether cells fill gaps."""
        return self.slots > 2  # two for every cell


@dataclass(frozen=True)
class StrokeLayout:
    """Homes of a brush's strokes in a target. base_px: unit of width."""

    kind: BrushKind
    size: Size
    base_px: float

    @classmethod
    def of(cls, kind: BrushKind, sizes: Sizes) -> StrokeLayout:
        """Make the layout for frames of sizes."""
        return _layout(kind, sizes.target, round(sizes.stroke_px * BASE_WIDTH, 3))

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """Layers, broad to fine. The broadest always exists."""
        made: list[Layer] = []
        first = first_slot = 0
        for factor, length in zip(self.kind.widths, self.kind.lengths, strict=True):
            width_px = max(LEAST_PX, factor * self.base_px)
            if made and LEAST_RATIO * width_px > made[-1].width_px:
                break
            index = len(made)
            cell = math.floor(width_px * (BROADEST_SPACING if index == 0 else SPACING) * UNITS + 0.5)
            columns, rows = (side * UNITS // cell + 2 * FIRST_CELLS + 1 for side in self.size)
            slots = 2 + FILLS if index < FILLED_LAYERS else 2
            layer = Layer(
                index,
                first,
                first_slot,
                width_px,
                length * width_px,
                cell,
                columns,
                rows,
                slots,
                FEW_STEPS if width_px < FEW_STEPS_PX else HALF_STEPS,
                max(1, _level(0.45 * width_px)),
                0 if index == 0 else max(1, _level(0.6 * width_px)),
                self.kind.need * (1.0 + 0.25 * max(0, index - 1)),
            )
            made.append(layer)
            first, first_slot = first + layer.count, first_slot + layer.count * slots
        return tuple(made[:-1] if self.kind.few and len(made) > 1 else made)

    @property
    def cells(self) -> int:
        """Cells of all layers."""
        return self.layers[-1].first + self.layers[-1].count

    @property
    def strokes(self) -> int:
        """Most strokes of all layers."""
        return self.layers[-1].first_slot + self.layers[-1].count * self.layers[-1].slots

    @property
    def ground_level(self) -> int:
        """Pyramid level under all strokes."""
        return max(1, _level(1.6 * self.base_px))

    @property
    def around_level(self) -> int:
        """Pyramid level for luma around strokes."""
        return min(max(1, _level(AROUND * self.base_px)), max(1, (min(self.size) - 1).bit_length()))

    @property
    def tensor_level(self) -> int:
        """Pyramid level for directions."""
        return max(1, _level(0.5 * self.base_px))

    @property
    def tensor_levels(self) -> tuple[int, int, int]:
        """Structure tensors' levels above `tensor_level`: near, far, farther."""
        near = max(1, _level(1.92 * self.base_px) - self.tensor_level)
        return near, near + 2, near + 4

    @property
    def direction_level(self) -> int:
        """Pyramid level of directions."""
        return self.tensor_level + self.tensor_levels[0]

    @property
    def levels(self) -> int:
        """Pyramid's levels above the painting."""
        needed = [self.ground_level, self.around_level, self.tensor_level]
        needed += [max(layer.level, layer.detail + 1 if layer.detail else 0) for layer in self.layers]
        return max(needed)

    @property
    def hair_px(self) -> float:
        """Scale of hairs and ends."""
        return max(1.0, self.base_px / UNIT_PX)

    @property
    def raised_px(self) -> float:
        """Height in pixels of strokes of height 1 at relief 1."""
        return STROKE_HEIGHT * self.kind.relief * self.hair_px

    def homes_of(self, layer: Layer) -> Whole:
        """Return a layer's `homes`."""
        return self.homes[layer.first : layer.first + layer.count]

    def level_size(self, level: int) -> Size:
        """Return columns and rows of a pyramid level."""
        return -(-self.size[0] >> level), -(-self.size[1] >> level)

    def need_size(self, layer: Layer) -> Size:
        """Return a need plane's columns and rows."""
        return self.level_size(layer.detail + 1) if layer.detail else (0, 0)

    @cached_property
    def homes(self) -> Whole:
        """(cells, 4), bottom to top: home's y and x in UNITS, seed, layer."""
        found = []
        for layer in self.layers:
            row, column = np.divmod(np.arange(layer.count, dtype=np.uint32), np.uint32(layer.columns))
            seed = hashed(hashed(hashed(np.uint32(layer.index + 1)) + row) + column)
            order = np.argsort(hashed(seed ^ np.uint32(0xA511E9B3)), kind="stable")
            places = []
            for index, cells in ((1, row), (2, column)):
                away = (share(hashed(seed + np.uint32(index * AWAY))) * layer.cell).astype(np.int64)
                places.append((cells.astype(np.int64) - FIRST_CELLS) * layer.cell + away)
            table = np.stack([*places, seed.view(np.int32), np.full(layer.count, layer.index)], axis=-1)
            found.append(table[order].astype(np.int32))
        homes: Whole = np.concatenate(found)
        homes.flags.writeable = False
        return homes


def layout_of(settings: Settings) -> StrokeLayout:
    return StrokeLayout.of(settings.kind, settings.sizes)


FIGURES = (
    ("jitter", "<f4"),  # variation of a stroke's colour
    ("edge", "<f4"),  # change of colour along a stroke at which it ends
    ("wet", "<f4"),  # share of the painting's own colour in a stroke
)
"""Figures of a kind of brush, as fields of every GPU's record and of the C struct."""


def coverage(look: Look) -> float:
    """Return the share of strokes in a painting."""
    brush, part = look.brush or 0.0, look.part
    return brush if part is None else 1.0 + part.touches * (brush - 1.0)


def fill(record: Record, kind: BrushKind) -> None:
    """Write FIGURES to a GPU's record."""
    for name, _ in FIGURES:
        record[name] = getattr(kind, name)


SPACING, BROADEST_SPACING = 0.85, 0.95
"""Side of a cell in widths of its stroke."""

FILLED_LAYERS = 3
"""Broad layers whose gaps are filled; under finer layers there is paint."""

TENSOR_FILM = 1.5
"""Weight of the film's structure tensor, the painting's being 1."""

FAR_SHARE, FARTHER_SHARE = 0.15, 0.05
"""Weights of the structure tensors of wider surroundings, the near one's being 1."""

REST = 1e-5
REST_ANGLE = math.radians(145.0)
REST_TENSOR = (REST * math.cos(2.0 * REST_ANGLE - math.pi), REST * math.sin(2.0 * REST_ANGLE - math.pi))
"""Tensor that is added everywhere, so that flat areas are hatched in one direction, rising to the right."""

FILM_NEED = 1.2
"""Weight of the film's luma difference against the painting's largest channel in the need."""


def carriage_bytes(settings: Settings) -> int:
    """Return the bytes of a frame's strokes, maps, masks."""
    if not (settings.carries or settings.shown.draws):
        return 0
    width, height = settings.sizes.working
    film = width * height + math.prod(squares(settings.sizes.working, CELL_PX))
    return 20 * layout_of(settings).strokes + 2 * film + 16 * (MAP_SIDE**2 + MASK_SIDE**2)


def _level(deviation_px: float) -> int:
    return math.floor(math.log2(max(1.0, deviation_px)) + 0.5)


@lru_cache(maxsize=8)
def _layout(kind: BrushKind, size: Size, base_px: float) -> StrokeLayout:
    return StrokeLayout(kind, size, base_px)


LEAST_SEEN, LEAST_GROWN = 0.05, 0.45
"""Least visibility of a drawn stroke, and its size at that visibility."""

LEAST_LENGTH = 0.5
"""Least length of a stroke in widths, whatever the edges."""

TURN = 0.6
"""Share of the local direction in the next step of a path; the rest is the previous step's."""

COVERED = 0.03
"""Remaining visibility below which lower strokes are not drawn."""

GROUND_HEIGHT = 0.15
"""Height of the ground under all strokes; a stroke's is about 0.5."""

MARK_END = 0.5
"""Distance by which a brush tip's mark extends beyond the path's ends, in half widths."""

MARK_TIP = 32
"""Columns at both ends of a mark that are not stretched, for half a stroke's width. Marks of shorter strokes shrink."""

MARK_FULL = 0.5
"""Height from which a mark's paint hides the paint below."""

TINY = 1e-9
"""Least divisor."""
