"""Brush strokes that ride the film: where they are, when they live, and the constants that every device computes with.

A painting is drawn again with strokes, broad ones below and fine ones where the picture has something to say. Each has
a place, a direction, a length, one colour, ragged ends, hairs and a body. (P. Litwinowicz, "Processing images and video
for an impressionist effect", 1997: strokes that the film moves and that end at edges; A. Hertzmann, "Painterly
rendering with curved brush strokes of multiple sizes", 1998: layers by what is missing.)

Each cell of a layer has a home and two strokes, whose lives are half a life apart, so that one of them is always fully
grown. A stroke is born at home, moves with the film, and dies. Where both are in one place they count as one: where the
film stands still nothing changes. A cell of a broad layer from which the film has carried the strokes of all cells away
fills its gap with short-lived ones. All of that is computed in whole numbers, so that every device finds the same, and
nothing depends on more than WARM_UP_FRAMES frames before. `gpu.stages.strokes.reference` computes all of it in float64.

A painter does not change a stroke with each frame: every LOOK_EVERY frames a stroke looks at the painting, remembers
the mean of its looks since it was born, or since it saw something else, and glides from one mean to the next. Only
frames that are looked at need be painted for a stroke to be what it is in the whole film. It remembers, too, how light
the painting was around it, so that it goes along with a fade at once. `gpu.stages.strokes.looks` has the rule.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from framebrush.gpu.layouts import Record
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.steady import CELL_PX
from framebrush.models.brushes import MAP_SIDE as MAP_SIDE
from framebrush.models.brushes import MARK_COLUMNS as MARK_COLUMNS
from framebrush.models.brushes import MARK_ROWS as MARK_ROWS
from framebrush.models.brushes import OIL as OIL
from framebrush.models.brushes import BrushKind as BrushKind
from framebrush.models.masks import MASK_SIDE

Whole = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint32]

UNITS = 16
"""Positions and motion are in whole sixteenths of a pixel."""

NONE = -32768
"""The offset from its home of a stroke that is not there."""

MOST_OFFSET = 32000
"""In UNITS: a stroke that is carried farther away dies."""

LIFE, GROWTH = 48, 12
"""Frames from birth to death, and how many of them it grows, and shrinks."""

FILL_EVERY, FILLS, FILL_GROWTH, FILL_SHRINK = 3, 5, 2, 4
"""A cell looks every so many frames whether it is bare; it may have so many strokes for that; and frames in which one
grows and shrinks."""

FILL_LIFE = FILL_EVERY * FILLS
"""Frames from birth to death of a stroke that fills a gap."""

COVERING = 0.5
"""A stroke counts as covering its cell from this much of its size on."""

TWINS = 12
"""In UNITS, y and x together: two strokes of a cell that are less apart count as one."""

WARM_UP_FRAMES = LIFE + FILL_LIFE
"""So many frames before one must have been followed, for its strokes to be where they are in the whole film: the gaps
that a cell fills now were found by strokes that were all born since."""

LOOK_EVERY, LOOKS = 4, 4
"""Strokes look at the painting at every so many frames of the film; and a look counts for one in so many, but for more
among the first ones of a stroke."""

GRADES, FEW_GRADES, AROUND_GRADES = 1023, 127, 511
"""In so many grades from 0 to 1 a look is remembered: colours, need and direction, and how light it is around."""

ALIKE = 0.171875
"""Where what a stroke remembers and what it sees now differ by up to so much, in the largest channel, it has the colour
and the direction that it remembers; from twice as much on those that it sees."""

FORGOTTEN = 352
"""A look that differs in a channel by more of GRADES from what the stroke remembers, which then counts for nothing any
more, is as its first one: what it was on has gone, or has passed it."""

AROUND, UNFOLLOWED = 12.8, 0.0234375
"""A stroke remembers how light the painting was around it, over so many of the brush's units of width. Its remembered
colour follows the light there at once, as in a fade, but for UNFOLLOWED, within which paintings shimmer: where it has
become darker, it and what counts as ALIKE are so much less by ratio, else it is so much lighter by difference."""

NEED_ALIKE = 0.5
"""The need that a stroke remembers counts as far as it differs by no more from the one now."""

UNSURE_EIGHTHS = 3
"""A block of the film that differs by so many eighths of what it and its place in the next frame vary by in themselves
is lost."""

DISTINCT_PX, DISTINCT_COST = 2, 256
"""A block is distinct where being found so many pixels beside its place would cost so much more, a code a sample: what
is flat, or an edge alone, may be anywhere along it."""

CAMERA_BIAS = 64
"""What is not distinct, or lost, goes where the camera does, if that costs it no more than this."""

CAMERA_REST = 3
"""In UNITS: a camera that moves by less along both axes stands still."""

AGREEMENT = 8
"""A block costs so much for each of UNITS by which it moves otherwise than one of the four beside it."""

AGREEMENT_STEPS = 16, 8, 4, 2
"""In UNITS: one after the other, blocks take the motion of one beside them, or so much more or less than their own,
whichever costs least. An even number of them, as two planes take turns."""

AGREEMENT_REST = 64
"""A block that stands still costs so much less."""

CUT_EIGHTHS = 5
"""Where so many eighths of all blocks are lost, the film cuts, and all strokes begin anew."""

DISTINCT, MOVES, LOST = 1, 2, 4
"""What may be true of a block of the film, as bits: it is distinct; it is not found in its own place; it is lost."""

FIRST_CELLS = 1
"""So many rows and columns of cells lie before the picture's first, and at least as many after its last."""

LEAST_PX, LEAST_RATIO = 3.0, 1.5
"""No stroke is narrower; and layers that would be hardly narrower than the one above are left out."""

UNIT_PX = 10.0
"""The width of a stroke of the network, at which hairs are as wide as in a brush's table."""

BASE_WIDTH = 0.5
"""A brush's unit of width, in widths of a stroke of the network."""

POINTS, HALF_STEPS, FEW_STEPS, FEW_STEPS_PX = 9, 4, 1, 6.0
"""A path has up to so many points, to each side of its middle so many; of strokes narrower than so many pixels, fewer
do."""

NOISE_SIZE = 4096
"""Values of the noise that hairs are made of, which repeats."""


def hashed(words: npt.ArrayLike) -> Words:
    """A word for each word, which looks as if drawn at random (C. Wellons, "hash prospector", 2018, lowbias32)."""
    word = np.asarray(words, np.uint32).copy()
    with np.errstate(over="ignore"):
        word ^= word >> np.uint32(16)
        word *= np.uint32(0x7FEB352D)
        word ^= word >> np.uint32(15)
        word *= np.uint32(0x846CA68B)
        word ^= word >> np.uint32(16)
    return word


def share(words: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """0..1 for each word, by its upper 24 bits, which float32 holds."""
    upper: npt.NDArray[np.float64] = (np.asarray(words, np.uint32) >> np.uint32(8)).astype(np.float64) * 2.0**-24
    return upper


PROPERTY = 0x9E3779B1
"""The n-th property of a stroke is `share(hashed(seed + n * PROPERTY))`."""


@lru_cache(maxsize=1)
def noise() -> npt.NDArray[np.float32]:
    """(NOISE_SIZE,) 0..1: the same everywhere, smoothed by [1 2 1] / 4."""
    rough = share(hashed(np.arange(NOISE_SIZE)))
    smooth = 0.25 * np.roll(rough, 1) + 0.5 * rough + 0.25 * np.roll(rough, -1)
    found: npt.NDArray[np.float32] = ((smooth - smooth.min()) / np.ptp(smooth)).astype(np.float32)
    return found


@lru_cache(maxsize=8)
def paint_of(mark: bytes) -> npt.NDArray[np.float32]:
    """(MARK_ROWS, MARK_COLUMNS) 0..1: how high the paint of a mark lies, read-only."""
    codes = np.frombuffer(mark, np.uint8).reshape(MARK_ROWS, MARK_COLUMNS)
    found: npt.NDArray[np.float32] = codes.astype(np.float32) / np.float32(255)
    found.flags.writeable = False
    return found


@dataclass(frozen=True)
class Layer:
    """Strokes of one width. index: of the layer in the brush, 0 for the broadest that is drawn. first: how many cells
    the layers below it have. first_slot: the same of strokes. width_px, length_px: of a full stroke. cell: side of a
    cell, in UNITS. columns, rows: of cells. slots: strokes of a cell. half_steps: of a path, to either side. level: of
    the pyramid that colours are taken from. detail: the finer of the two levels whose difference is the need, 0 for the
    broadest layer, which is drawn everywhere. need: what counts as one.
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
        """Cells."""
        return self.columns * self.rows

    @property
    def reach_px(self) -> float:
        """How far outside of a picture a stroke's middle may lie whose ends are seen in it."""
        return self.width_px + 0.65 * self.length_px

    @property
    def fills(self) -> bool:
        """Whether cells fill gaps."""
        return self.slots > 2  # the two that every cell has


@dataclass(frozen=True)
class Layout:
    """Where strokes of a brush have their homes in a target of one size. base_px: the brush's unit of width."""

    kind: BrushKind
    size: Size
    base_px: float

    @classmethod
    def of(cls, kind: BrushKind, sizes: Sizes) -> Layout:
        """For frames of these sizes."""
        return _layout(kind, sizes.target, round(sizes.stroke_px * BASE_WIDTH, 3))

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """Broad to fine; the broadest is there, however narrow, and whatever is left out."""
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
        """Of all layers."""
        return self.layers[-1].first + self.layers[-1].count

    @property
    def strokes(self) -> int:
        """That may be there at once, of all layers."""
        return self.layers[-1].first_slot + self.layers[-1].count * self.layers[-1].slots

    @property
    def ground_level(self) -> int:
        """Of the pyramid: what lies under all strokes."""
        return max(1, _level(1.6 * self.base_px))

    @property
    def around_level(self) -> int:
        """Of the pyramid: how light it is around a stroke; at most one sample of it."""
        return min(max(1, _level(AROUND * self.base_px)), max(1, (min(self.size) - 1).bit_length()))

    @property
    def tensor_level(self) -> int:
        """Of the pyramid: that whose derivatives tell directions."""
        return max(1, _level(0.5 * self.base_px))

    @property
    def tensor_levels(self) -> tuple[int, int, int]:
        """Above `tensor_level`: the levels of the structure tensor that are added up, near, far and farther."""
        near = max(1, _level(1.92 * self.base_px) - self.tensor_level)
        return near, near + 2, near + 4

    @property
    def levels(self) -> int:
        """Levels of the pyramid of the painting, above the painting itself."""
        needed = [self.ground_level, self.around_level, self.tensor_level]
        needed += [max(layer.level, layer.detail + 1 if layer.detail else 0) for layer in self.layers]
        return max(needed)

    @property
    def hair_px(self) -> float:
        """Scale of hairs and ends."""
        return max(1.0, self.base_px / UNIT_PX)

    def homes_of(self, layer: Layer) -> Whole:
        """(cells, 4): of `homes`, those of a layer."""
        return self.homes[layer.first : layer.first + layer.count]

    def level_size(self, level: int) -> Size:
        """Columns and rows of a level of a pyramid."""
        return -(-self.size[0] >> level), -(-self.size[1] >> level)

    @cached_property
    def homes(self) -> Whole:
        """(cells, 4): of each cell, from the lowest stroke to the uppermost, y and x of its home in UNITS, its seed
        (the bits of a uint32), and the index of its layer."""
        found = []
        for layer in self.layers:
            row, column = np.divmod(np.arange(layer.count, dtype=np.uint32), np.uint32(layer.columns))
            seed = hashed(hashed(hashed(np.uint32(layer.index + 1)) + row) + column)
            order = np.argsort(hashed(seed ^ np.uint32(0xA511E9B3)), kind="stable")
            places = []
            for index, cells in ((1, row), (2, column)):
                away = (share(hashed(seed + np.uint32(index * 0x68E31DA4))) * layer.cell).astype(np.int64)
                places.append((cells.astype(np.int64) - FIRST_CELLS) * layer.cell + away)
            table = np.stack([*places, seed.view(np.int32), np.full(layer.count, layer.index)], axis=-1)
            found.append(table[order].astype(np.int32))
        homes: Whole = np.concatenate(found)
        homes.flags.writeable = False
        return homes


FIGURES = (
    ("jitter", "<f4"),  # how far the colour of a stroke lies from its place's
    ("edge", "<f4"),  # how much the colour may change along one
    ("wet", "<f4"),  # how much of the painting's own colour shows in one
)
"""Figures of a kind of brush by its names for them: fields of every GPU's record, and the struct of C."""


def fill(record: Record, kind: BrushKind) -> None:
    """FIGURES of a GPU's record."""
    for name, _ in FIGURES:
        record[name] = getattr(kind, name)


SPACING, BROADEST_SPACING = 0.85, 0.95
"""Side of a cell in widths of its stroke."""

FILLED_LAYERS = 3
"""Gaps are filled in so many broad layers; what lies under finer ones is paint."""

TENSOR_FILM = 1.5
"""Share of the film's structure tensor beside the painting's."""

FAR_SHARE, FARTHER_SHARE = 0.15, 0.05
"""Of the structure tensor of wide surroundings, beside that near a place."""

REST = 1e-5
REST_ANGLE = math.radians(145.0)
REST_TENSOR = (REST * math.cos(2.0 * REST_ANGLE - math.pi), REST * math.sin(2.0 * REST_ANGLE - math.pi))
"""Where the picture is flat, noise would turn strokes at random. A gradient with this square is added everywhere, so
that flat areas are hatched in one direction, rising to the right as a right-handed painter's are."""

FILM_NEED = 1.2
"""Weight of what the film says, in luma, against what the painting says in its largest channel."""


def carriage_bytes(layout: Layout, sizes: Sizes) -> int:
    """Memory that the strokes of one frame take: how far each is from home, and what it remembers; the film that they
    are carried from, at the working size and by cells, in 16 bits; and the maps of the brush and the masks."""
    width, height = sizes.working
    film = width * height + -(-width // CELL_PX) * -(-height // CELL_PX)
    return 20 * layout.strokes + 2 * film + 16 * (MAP_SIDE**2 + MASK_SIDE**2)


def _level(deviation_px: float) -> int:
    """The level of a pyramid of means of 2x2, read bilinearly, whose standard deviation comes nearest to half so many
    pixels, by ratio."""
    return math.floor(math.log2(max(1.0, deviation_px)) + 0.5)


@lru_cache(maxsize=8)
def _layout(kind: BrushKind, size: Size, base_px: float) -> Layout:
    return Layout(kind, size, base_px)


LEAST_SEEN, LEAST_GROWN = 0.05, 0.45
"""A stroke that is seen less is not drawn; and its size when it is seen least."""

LEAST_LENGTH = 0.5
"""In widths: no edge makes a stroke shorter."""

TURN = 0.6
"""Share of the direction at a point in that of the next step of a path; the rest is that of the step before."""

COVERED = 0.03
"""Strokes below are not drawn where less of them would be seen."""

GROUND_HEIGHT = 0.15
"""Of what lies under all strokes, where a stroke is about 0.5 high."""

MARK_END = 0.5
"""In half widths: how far beyond both ends of its path a mark of one's own leads."""

MARK_TIP = 32
"""So many columns at both ends of a mark are as long as they are broad, for half a stroke's width; what lies between
them is stretched. Where a stroke is too short for that, all of its mark is as long as it."""

MARK_FULL = 0.5
"""From this height on the paint of a mark hides what is below."""

TINY = 1e-9
"""Added to what is divided by."""
