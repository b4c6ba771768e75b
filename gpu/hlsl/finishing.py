"""Strokes, relief and canvas as passes for HLSL and WGSL."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, Buffer, Pass, Step, Tensor, Work
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Sizes, StageBytes
from framebrush.gpu.stages import corners
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.masks import masks_bytes
from framebrush.gpu.stages.output import Unlit
from framebrush.gpu.stages.relief.passes import Relief
from framebrush.gpu.stages.strokes import StrokeLayout, carriage_bytes, layout_of
from framebrush.gpu.stages.strokes.laying import Laying
from framebrush.gpu.stages.strokes.passes import (
    LEVELS,
    PATH_ROWS,
    PICKED_WORDS,
    Carrying,
    Drawing,
    level_table,
    picked_rooms,
    rooms,
    tensor_table,
)


class Finishing:
    """Drawing on one queue. result: the last picture."""

    def __init__(self, settings: Settings, way: FramePasses, carrying: Carrying, *, reports: bool) -> None:
        self._carrying, self._fine = carrying, way.fine
        self.result = Tensor.of("painting as drawn", settings.sizes.target, "unorm16")
        painted = way.painted(way.styled if settings.window.alone else way.steadied)
        flag = FLAG if reports else Buffer("flag", "uint32", 1)
        self._drawing = Drawing(carrying.memory, painted, flag)
        self._relief = Relief(settings, painted, flag)
        self.laying = Laying(way, settings.sizes.target)
        self._works: dict[tuple[object, ...], Work] = {}

    def steps(
        self, slot: int, look: Look, place: int | None, *, at_home: bool, detailed: bool, lit: bool = True
    ) -> list[Step]:
        """Return the steps that draw a slot's painting.

        place: None without advection. at_home: strokes are. detailed: the slot has fine luma.
        """
        records, steps = self.records(look, place), []
        if look.draws and place is None and not at_home:
            steps.append(Step(self._carrying.stay, slot, (), {"carry": self._carrying.record(0)}))
        revealed = look.part is not None
        works = self._works_for(brushed=look.draws, raised=look.raises, detailed=detailed, revealed=revealed, lit=lit)
        return [*steps, *(Step(work, slot, (), records) for work in works)]

    def unlit(self, look: Look) -> Unlit:
        left = self._drawing.left if look.draws else None
        return Unlit(self._relief.pictures(left), look.draws, self._relief.record(look))

    def records(self, look: Look, place: int | None) -> Mapping[str, Record]:
        """Return a drawing's records."""
        found = {}
        if look.draws:
            found["brush"] = self._drawing.record(look, place or 0)
        if look.part:
            found["corners"] = self._drawing.corner_record(look.part)
        if look.raises:
            found["relief"] = self._relief.record(look)
        return found

    def _works_for(self, *, brushed: bool, raised: bool, detailed: bool, revealed: bool, lit: bool) -> list[Work]:
        found, fine, drawing = [], self._fine if raised and detailed else None, self._drawing
        if brushed:
            into, sums = (self._relief.picture, self._relief.sums) if raised else (self.result, None)
            kind = raised, fine, revealed
            found.append(self._work("brush", kind, lambda: drawing.passes(into, fine, sums, revealed=revealed)))
        if raised:
            left = drawing.left if brushed else None
            begin = () if brushed else (self._relief.begin(fine),)
            passes, result = self._relief.passes, self.result if lit else None
            found.append(self._work("relief", (brushed, fine, lit), lambda: (*begin, *passes(left, result))))
        return found

    def _work(self, name: str, kind: tuple[object, ...], passes: Callable[[], tuple[Pass, ...]]) -> Work:
        if (name, *kind) not in self._works:
            self._works[name, *kind] = Work(name, passes())
        return self._works[name, *kind]


def stage_bytes(settings: Settings) -> StageBytes:
    sizes, look = settings.sizes, settings.shown
    finishing = finishing_bytes(sizes, layout_of(settings)) if look.finishes else 0
    return StageBytes(carriage_bytes(settings), finishing + masks_bytes(sizes, look, in_place=False))


def finishing_bytes(sizes: Sizes, layout: StrokeLayout) -> int:
    records, pairs = rooms(layout)
    columns, rows = Cells.of(sizes).cells(*sizes.target)
    of_pixels = (6 + 8) * math.prod(sizes.target)
    of_cells = 12 * columns * rows + corners.size_bytes(sizes.working)
    needs = sum(math.prod(layout.need_size(layer)) for layer in layout.layers)
    (_, pyramid), (_, tensors) = level_table(layout, 1, layout.levels, LEVELS), tensor_table(layout)
    directed = math.prod(layout.level_size(layout.direction_level))
    guides = 16 * pyramid + 4 * needs + 8 * (tensors + directed)
    filled = sum(layer.count for layer in layout.layers if layer.fills)
    lists = 16 * (PATH_ROWS + 1) * records + 4 * pairs
    return (
        of_pixels
        + of_cells
        + guides
        + 4 * (layout.cells + filled)
        + 4 * PICKED_WORDS * sum(picked_rooms(layout))
        + lists
    )
