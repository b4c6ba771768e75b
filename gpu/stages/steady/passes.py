"""Temporal filter as passes. Reference: `gpu.stages.steady.reference`.

HLSL and WGSL follow neighbours singly, nearest first; all mix them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np

from framebrush.gpu.errors import DeviceError
from framebrush.gpu.layouts import Pixels, Record, packed
from framebrush.gpu.look import Look
from framebrush.gpu.passes import Addresses, Buffer, Constant, FromFrame, Pass, Step, Use, Work
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, Sizes, squares
from framebrush.gpu.stages import steady
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.tiles import Plan

NAME = "steady"
"""Name of the works, and of the record with a look's strength."""

STEADY = packed(
    ("size", *Pixels),  # of the network's input without padding
    ("padded", *Pixels),  # of the network's input with padding
    ("painted_size", *Pixels),  # of the planes of its output
    ("cells", *Pixels),  # columns and rows of cells
    ("grid", *Pixels),  # columns and rows of blocks
    ("scale", "<u4"),  # scale of the network
    ("sure_share", "<f4"),  # SURE_SHARE
    ("together_px", "<u4"),  # TOGETHER_PX
    ("falloff", "<f4"),  # of a weight per unit of difference
    ("number", "<u4"),  # of a neighbour: before the frame, then after it, nearest first
)

OF_CUDA = packed(
    ("width", "<i4"),  # working size
    ("height", "<i4"),
    ("padded_width", "<i4"),  # of the network's input with padding
    ("padded_height", "<i4"),
    ("styled_width", "<i4"),  # of the planes of its output
    ("styled_height", "<i4"),
    ("scale", "<i4"),  # scale of the network
    ("count", "<i4"),  # neighbours: before the frame, then after it, nearest first
    ("before", "<i4"),  # neighbours before the frame
    ("limit", "<f4"),  # T of gpu/stages/steady, in codes
)
"""Record of CUDA kernels."""


MOST = 4
"""Most neighbours in HLSL and WGSL."""


class Steadying:
    """Temporal filter for HLSL and WGSL. levels: makes kept data."""

    def __init__(self, settings: Settings, way: FramePasses) -> None:
        """Make the passes. Raises DeviceError beyond MOST neighbours."""
        self._sizes, self._plan, self._way = settings.sizes, settings.plan, way
        if (most := settings.window.before + settings.window.after) > MOST:
            raise DeviceError(f"a window of {most} neighbours where {MOST} can be had")
        working, scale = settings.sizes.working, settings.plan.scale
        self._cells, self._grid = squares(working, steady.CELL_PX), squares(working, steady.BLOCK_PX)
        cells, blocks = (side[0] * side[1] for side in (self._cells, self._grid))
        # halves hold whole numbers up to 2048
        self.fine = Buffer("levels", "uint32", -(-working[0] // 2) * working[1], kept=True)
        self.means = Buffer("cells", "float16", cells, kept=True)
        words = sum(3 * -(-each * working[0] // 2) * each * working[1] for each in (1, scale))
        self.pixels = Buffer("pixels of source and painting", "uint32", words, kept=True)
        self.found = Buffer("motion from frame to frame", "int32", 2 * blocks)
        self.motion = Buffer("motion and sureness", "uint32", 3 * most * blocks)
        self._constants = constants(self._sizes, self._plan, 0.0)
        kept = self.fine, self.means, self.pixels
        levels = Pass("steady_levels", (way.frame, way.styled), kept, self._cells, self._constants)
        self.levels = Work(NAME, (levels,), begins=False, ends=False)
        self._search, self._follow, self._mix = cache(self._searching), cache(self._following), cache(self._mixing)

    def steps(self, own: int, before: Sequence[int], after: Sequence[int], look: Look) -> list[Step]:
        """Return the steps to a result. before, after: nearest first."""
        records = {NAME: constants(self._sizes, self._plan, look.steady)}
        pairs = [pair for side in (before, after) for pair in pairwise([own, *side])] if look.needs_neighbours else []
        steps = []
        for number, (last, near) in enumerate(pairs):
            steps += [
                Step(self._search(number == 0), last, (near,)),
                Step(self._follow(last == own, number), own, (near,)),
            ]
        return [*steps, Step(self._mix(len(pairs)), own, tuple(near for _, near in pairs), records)]

    def _searching(self, begins: bool) -> Work:
        reads = (self.fine, self.means, FromFrame(self.fine), FromFrame(self.means))
        search = Pass("steady_motion", reads, (self.found,), self._for_blocks(16, 8), self._constants)
        return Work(NAME, (search,), begins=begins, ends=False)

    def _following(self, first: bool, number: int) -> Work:
        reads, defines = (self.fine, FromFrame(self.fine), self.found), (("FIRST", str(int(first))),)
        record = constants(self._sizes, self._plan, 0.0, number)
        follow = Pass("steady_follow", reads, (self.motion,), self._for_blocks(8, 8), record, defines)
        return Work(NAME, (follow,), begins=False, ends=False)

    def _mixing(self, count: int) -> Work:
        near = [FromFrame(self.pixels, number) if number < count else self.pixels for number in range(MOST)]
        exact = self.means if count else self._way.styled  # pixels have 16 bits
        reads, defines = (self.pixels, *near, self.motion, exact), (("NEIGHBOURS", str(count)),)
        mix = Pass("steady_mix", reads, (self._way.steadied,), self._sizes.working, NAME, defines)
        return Work(NAME, (mix,), begins=count == 0)

    def _for_blocks(self, across: int, down: int) -> Size:
        return across * self._grid[0], down * self._grid[1]


NEIGHBOURS = 8
"""Most neighbours of a frame, as in the CUDA kernels."""

NUMBERS = (
    "SIXTEENTHS",
    "BLOCK_PX",
    "CELL_PX",
    "COARSE_CELLS",
    "FINE_PX",
    "SAMPLES",
    "STEP_BIAS",
    "REST_BIAS",
    "SURE_NOISE",
    "TOGETHER_PX",
)
DEFINES = (*((name, str(getattr(steady, name))) for name in NUMBERS), ("SURE_SHARE", f"{steady.SURE_SHARE}f"))


class CudaSteadying:
    """Temporal filter for CUDA. found: motion from nearer frames."""

    def __init__(self, settings: Settings, way: FramePasses) -> None:
        """Make the passes. Raises DeviceError beyond NEIGHBOURS."""
        self._settings, self._way = settings, way
        most = settings.window.before + settings.window.after
        if most > NEIGHBOURS:
            raise DeviceError(f"a window of {most} neighbours where {NEIGHBOURS} can be had")
        working = settings.sizes.working
        pixels, cells = working[0] * working[1], squares(working, steady.CELL_PX)
        columns, rows = squares(working, steady.BLOCK_PX)
        self._blocks = columns * rows
        self.source = Buffer("steady source", "int16", 3 * pixels, kept=True)
        self.fine = Buffer("levels", "int16", pixels, kept=True)
        self.cells = Buffer("cells", "int16", cells[0] * cells[1], kept=True)
        self.found = Buffer("motion from frame to frame", "int16", 2 * most * self._blocks)
        self.vectors = Buffer("motion", "int16", 2 * most * self._blocks)
        self.sure = Buffer("sureness", "float32", most * self._blocks)
        order = [*steady.offsets(steady.COARSE_CELLS), *steady.offsets(steady.FINE_PX)]
        self._order = Constant("vectors of the search", "int8", lambda: np.array(order, np.int8))
        reads, kept, still = (way.frame, way.styled), (self.source, self.fine), self._record(0, 0, 0.0)
        self.levels = Work(
            NAME,
            (
                self._pass("source", reads, kept, working, still),
                self._pass("cells", (self.fine,), (self.cells,), cells, still),
            ),
        )
        self.mixed = cache(self._mixed)

    def steps(self, own: int, before: Sequence[int], after: Sequence[int], look: Look) -> list[Step]:
        """Return the steps to a result. before, after: nearest first."""
        others = (*before, *after)
        records = {NAME: self._record(len(others), len(before), steady.LIKENESS_CODES * look.steady)}
        return [Step(self.mixed(len(others)), own, others, records)]

    def _mixed(self, count: int) -> Work:
        near = Addresses((self.source, self.fine, self.cells, self._way.styled), NEIGHBOURS)
        blocks, moved = self._blocks, (self.vectors, self.sure)
        searched = (self.fine, self.cells, near, self._order)
        motion = (
            self._pass("motion", searched, (self.found,), (blocks, count), NAME, groups=True),
            self._pass("follow", (self.fine, near, self.found), moved, (blocks, 1), NAME, groups=True),
        )
        reads = (self.source, self._way.styled, near, *moved)
        mix = self._pass("mix", reads, (self._way.steadied,), self._settings.sizes.working, NAME)
        return Work(NAME, (*motion, mix) if count else (mix,))

    def _pass(
        self,
        name: str,
        reads: tuple[Use, ...],
        writes: tuple[Use, ...],
        threads: Size,
        record: Record | str,
        *,
        groups: bool = False,
    ) -> Pass:
        kernel, frame = f"steady_{name}", self._way.frame
        return Pass(kernel, reads, writes, threads, record, DEFINES, element_of=frame, groups=groups)

    def _record(self, count: int, before: int, limit: float) -> Record:
        record = np.zeros((), OF_CUDA)
        record["width"], record["height"] = self._settings.sizes.working
        record["padded_width"], record["padded_height"] = self._way.frame.size_px
        record["styled_width"], record["styled_height"] = self._way.styled.size_px
        record["scale"] = self._settings.style.card.scale
        record["count"], record["before"], record["limit"] = count, before, limit
        return record


def constants(sizes: Sizes, plan: Plan, strength: float, number: int = 0) -> Record:
    """Make the constants of the HLSL kernels."""
    record = np.zeros((), STEADY)
    record["size"], record["padded"], record["painted_size"] = sizes.working, plan.padded_size, plan.output_size
    record["cells"], record["grid"] = squares(sizes.working, steady.CELL_PX), squares(sizes.working, steady.BLOCK_PX)
    record["scale"], record["sure_share"] = plan.scale, steady.SURE_SHARE
    record["together_px"], record["number"] = steady.TOGETHER_PX, number
    if strength:  # of a difference summed over nine pixels, twice
        record["falloff"] = 2.0 / (18 * steady.SIXTEENTHS * steady.LIKENESS_CODES * strength)
    return record
