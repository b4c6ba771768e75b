"""Strokes, relief and canvas on the GPU. The references are `gpu.reference.brush` and `gpu.reference.relief`.

Between its kernels a picture is a texture of 16 bits a value and four values a pixel, so that a sample is one load;
directions, which are found once a pass, are the fourth. Cells of luma are textures of float32; the kernel that makes a
picture makes them too, where its groups have whole cells. A group reads what its threads share once, since a GPU reads
textures much more slowly than the memory of a group. Every change of a texture's state costs the GPU microseconds, on
some drivers as much as a small kernel: all of these rest as what is read.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.colour import Array
from framebrush.gpu.d3d12.commands import READ, Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import Table, TypedView, View
from framebrush.gpu.d3d12.kernels import Kernel
from framebrush.gpu.d3d12.queue import CommandList, Queue
from framebrush.gpu.d3d12.resources import Buffer, ConstantBuffers, Texture
from framebrush.gpu.d3d12.slot import Slot
from framebrush.gpu.d3d12.tensor import Flag, TensorBuffer
from framebrush.gpu.d3d12.timing import SlotStamps
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.layouts import Record
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import constants, corners
from framebrush.gpu.stages.brush import DIRECTIONS, PASSES, Line, Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import (
    NOISE_PX,
    THICK_LUMA,
    THIN,
    bristle_line,
    bristle_table,
    broad_weights,
    grain_px,
    noise,
)
from framebrush.gpu.stages.steady import BLOCK_PX
from framebrush.gpu.stylizer import Settings

PICTURE = X.DXGI_FORMAT_R16G16B16A16_UNORM  # finer than float16 within 0..1, and no driver truncates it
CELLS, TENSOR = X.DXGI_FORMAT_R32_FLOAT, X.DXGI_FORMAT_R32G32_FLOAT
STRUCTURE = X.DXGI_FORMAT_R32G32B32A32_FLOAT

SMOOTH_TENSOR, SMOOTH_BROAD, ALONG, ACROSS, CORNERS = range(5)  # the constants that all slots share
BARE, DETAILED, RELIEF = range(3)  # and those of a slot
OF_A_SLOT = 3

GROUP_PX = (32, 16)
"""Of the kernels that make a picture."""


class Work(NamedTuple):
    """A kernel, and what it is run with."""

    kernel: Kernel
    reads: Table
    writes: Table
    constants: int
    threads: Size


class Brush:
    """What draws the paintings of a stylizer's slots on one queue, whose lists run one after another and share all
    memory. result: the last one drawn, at the target's size.

    flag: of values that are not finite; None for that of each slot. stamps: None where nothing is timed.
    """

    def __init__(
        self,
        context: Context,
        queue: Queue,
        settings: Settings,
        slots: int,
        *,
        flag: Flag | None = None,
        stamps: SlotStamps | None = None,
    ) -> None:
        self._context, self._queue, self._settings = context, queue, settings
        self._flag, self._stamps = flag, stamps
        self._size, self.strokes = settings.sizes.target, Strokes.of(settings.sizes)
        self._cells = self.strokes.cells(*self._size)
        self._lists: dict[tuple[object, ...], CommandList] = {}
        self._written: dict[int, tuple[object, ...]] = {}
        self._stack = ExitStack()
        try:
            self._make(slots)
        except BaseException:
            self.close()
            raise

    def lists(self, slot: Slot, look: Look) -> list[CommandList]:
        """The work that draws a slot's painting with a look that has a brush or a relief. The queue is done with
        what it drew of this slot before. Raises OutOfMemoryError."""
        self._write(slot, look)
        lists = [self._brushing(slot, raised=look.raises)] if look.brush else []
        return [*lists, self._raising(slot, brushed=bool(look.brush))] if look.raises else lists

    def is_written(self, slot: Slot, look: Look) -> bool:
        """Whether `lists` leaves the constants of a slot as they are, so that it need not wait."""
        return self._written.get(slot.index) == (drawn_with(look), slot.drift)

    def _make(self, slots: int) -> None:
        native, keep = self._context.native, self._stack.enter_context
        self.result = keep(closing(TensorBuffer(native, self._size, "unorm16", "painting as drawn")))
        self._picture = self._texture(PICTURE, "picture")
        self._means, self._tensor = self._plane(CELLS, "luma"), self._plane(TENSOR, "tensor")
        size, strokes = self._size, self.strokes
        self._shared = keep(closing(ConstantBuffers(native, 5, "brush constants")))
        for place, record in (
            (SMOOTH_TENSOR, constants.strokes(size, size, strokes, weights=strokes.tensor_weights)),
            (SMOOTH_BROAD, constants.strokes(size, size, strokes, weights=broad_weights(strokes))),
            (ALONG, constants.strokes(size, size, strokes, line=strokes.along)),
            (ACROSS, constants.strokes(size, size, strokes, line=strokes.across, weights=strokes.luma_weights)),
            (CORNERS, constants.corners(self._settings.sizes.working, self._settings.plan.padded_size)),
        ):
            self._shared.write(place, record)
        self._constants = keep(closing(ConstantBuffers(native, OF_A_SLOT * slots, "brush constants of slots")))
        recorder = Recorder(native, self._queue.kind, "brush", self._context.descriptors)
        self._recorder = keep(closing(recorder))

    # Memory that not every look needs, made when one does

    @cached_property
    def _other(self) -> Texture:
        return self._texture(PICTURE, "other picture")

    @cached_property
    def _softened(self) -> Texture:
        return self._plane(CELLS, "luma of the other picture")

    @cached_property
    def _corners(self) -> Texture:
        return self._texture(CELLS, "corners", corners.cells(self._settings.sizes.working))

    @cached_property
    def _corner_structure(self) -> Texture:
        return self._texture(STRUCTURE, "structure of corners", corners.cells(self._settings.sizes.working))

    @cached_property
    def _broad(self) -> Texture:
        return self._plane(CELLS, "surroundings")

    @cached_property
    def _thickness(self) -> Texture:
        return self._plane(CELLS, "thickness")

    @cached_property
    def _heights(self) -> Texture:
        return self._texture(CELLS, "heights")

    @cached_property
    def _lines(self) -> dict[str, TypedView]:
        """For each direction the samples of a line, as along.hlsli and lines.hlsli read them; those across lie at a
        right angle."""
        turned = np.roll(np.arange(DIRECTIONS), -DIRECTIONS // 2)
        return {
            "along": self._table(packed(self.strokes.along.offsets), "lines along"),
            "finish": self._table(packed(self.strokes.finish.offsets), "short lines along"),
            "across": self._table(
                packed(self.strokes.across.offsets[turned], self.strokes.far[turned]), "lines across"
            ),
        }

    @cached_property
    def _offsets(self) -> Buffer:
        """The samples of bristles."""
        line = bristle_line(self.strokes)
        return self._stack.enter_context(closing(self._context.constant(constants.line_offsets(line), "bristle lines")))

    @cached_property
    def _noise(self) -> TypedView:
        """Averaged along each direction, where a sample of it is a pixel; that of larger ones would take too much."""
        values = bristle_table(self.strokes).astype(np.float16) if self._is_averaged else noise()
        memory = self._stack.enter_context(closing(self._context.constant(values, "noise of bristles")))
        fmt = X.DXGI_FORMAT_R16_FLOAT if self._is_averaged else X.DXGI_FORMAT_R32_FLOAT
        return TypedView(memory, fmt, values.size)

    @cached_property
    def _is_averaged(self) -> bool:
        return grain_px(self.strokes) == 1

    def _texture(self, fmt: int, label: str, size: Size | None = None) -> Texture:
        texture = Texture(self._context.native, size or self._size, fmt, f"brush {label}", unordered=True, resting=READ)
        return self._stack.enter_context(closing(texture))

    def _plane(self, fmt: int, label: str) -> Texture:
        return self._texture(fmt, label, self._cells)

    def _table(self, values: npt.NDArray[np.uint32], label: str) -> TypedView:
        memory = self._stack.enter_context(closing(self._context.constant(values, f"brush {label}")))
        return TypedView(memory, X.DXGI_FORMAT_R32G32B32A32_UINT, len(values))

    # Constants

    def _write(self, slot: Slot, look: Look) -> None:
        if self.is_written(slot, look):
            return
        size, strokes, working = self._size, self.strokes, self._settings.sizes.working
        painted, line = slot.painted.size_px, strokes.finish
        self._put(slot, BARE, constants.strokes(size, painted, strokes))
        detail = look.detail if look.raises else 0.0  # of a painting without relief the output adds it
        brush = look.brush or 0.0
        record = constants.strokes(size, painted, strokes, line=line, brush=brush, detail=detail, working=working)
        self._put(slot, DETAILED, record)
        record = constants.drifting_relief(constants.relief(size, working, strokes, look), slot.drift)
        self._put(slot, RELIEF, record)
        self._written[slot.index] = drawn_with(look), slot.drift

    def _put(self, slot: Slot, place: int, record: Record) -> None:
        self._constants.write(OF_A_SLOT * slot.index + place, record)

    def _of(self, slot: Slot, place: int) -> int:
        return self._constants.address(OF_A_SLOT * slot.index + place)

    # Lists of a slot, recorded when they are first needed

    def _brushing(self, slot: Slot, *, raised: bool) -> CommandList:
        key = slot.index, "brush", raised and slot.detail is not None, raised
        if key not in self._lists:
            # before the list is begun
            _ = self._other, self._softened, self._lines, self._corners, self._corner_structure
            self._start(slot, "brush")
            self._begin(slot, BARE)
            for _, beside in zip(range(PASSES), self._of_corners(slot), strict=True):
                self._run(self._of_structure(), beside)
                self._along()
                self._sharpen()
            self._structure()
            self._finish(slot, raised=raised)
            self._lists[key] = self._end(slot, "brush")
        return self._lists[key]

    def _raising(self, slot: Slot, *, brushed: bool) -> CommandList:
        key = slot.index, "relief", brushed, slot.detail is not None
        if key not in self._lists:
            _ = self._broad, self._thickness, self._heights, self._noise, self._offsets
            self._start(slot, "relief")
            picture = self._other if brushed else self._picture
            if not brushed:
                self._begin(slot, DETAILED)
            self._ground()
            self._height(slot, picture)
            self._light(slot, picture)
            self._lists[key] = self._end(slot, "relief")
        return self._lists[key]

    # Kernels, in the order of a picture's way

    def _begin(self, slot: Slot, place: int) -> None:
        """A painting, with its detail, as a picture, and the luma of its cells."""
        painted, flag = slot.painted.view, self._flag or slot.flag
        variant, reads = Variant("stroke_begin", self._of_cells), (painted, slot.detail or painted)
        self._draw(variant, reads, self._picture, self._means, self._of(slot, place), flag.view)

    def _structure(self) -> None:
        """The structure tensor of luma."""
        self._run(self._of_structure())

    def _of_structure(self) -> Work:
        return self._blur("stroke_tensor", (), SMOOTH_TENSOR, self.strokes.tensor_weights, (self._means,), self._tensor)

    def _along(self) -> None:
        """Means along the strokes, from the picture to the other one, and directions."""
        line = self.strokes.along
        variant = Variant("stroke_along", (_count(line), *self._of_cells))
        reads = self._picture, self._tensor, self._lines["along"]
        self._draw(variant, reads, self._other, self._softened, self._shared.address(ALONG))

    def _sharpen(self) -> None:
        """Edges across the strokes, from the other picture to the picture."""
        line, far = self.strokes.across, int(np.abs(self.strokes.far).max())
        sides = ("COUNT", line.count), ("MARGIN", line.margin_px), ("FAR", far)
        defines = tuple((name, str(side)) for name, side in sides)
        variant = Variant("stroke_sharpen", (*defines, *self._of_cells))
        reads = self._other, self._softened, self._lines["across"]
        self._draw(variant, reads, self._picture, self._means, self._shared.address(ACROSS))

    def _of_corners(self, slot: Slot) -> tuple[Work, Work]:
        """What finds how much of the painting is left as it is, one after the other."""
        address, structure, left = self._shared.address(CORNERS), self._corner_structure, self._corners
        return (
            self._work(Variant("corner_cells"), (slot.frame.view,), (structure,), address, left.size_px),
            self._work(Variant("corner_share"), (structure,), (left,), address, left.size_px),
        )

    def _finish(self, slot: Slot, *, raised: bool) -> None:
        """The last means along the strokes, mixed with the painting: the result or, raised, the other picture, with
        its detail."""
        painted, line = slot.painted.view, self.strokes.finish
        reads = self._picture, self._tensor, self._lines["finish"], painted, self._corners, slot.detail or painted
        if raised:
            variant = Variant("stroke_finish", (_count(line), ("RAISED", "1"), *self._of_cells))
            self._draw(variant, reads, self._other, self._means, self._of(slot, DETAILED))
        else:
            writes = self.result.view, self._means
            variant = Variant("stroke_finish", (_count(line), *self._of_cells[:1]))
            self._dispatch(variant, reads, writes, self._of(slot, DETAILED), self._size)

    @property
    def _of_cells(self) -> tuple[tuple[str, str], ...]:
        """What kernels that make a picture are compiled with; with MEANS, if their groups have whole cells, they make
        the means of cells, too."""
        side = self.strokes.cell_px
        cell = ("CELL_PX", str(side))
        return (cell,) if any(px % side for px in GROUP_PX) else (cell, ("MEANS", "1"))

    def _draw(
        self, variant: Variant, reads: tuple[View, ...], picture: Texture, means: Texture, address: int, *others: View
    ) -> None:
        """A kernel that makes a picture, the means of its cells, and others."""
        self._dispatch(variant, reads, (picture, means, *others), address, self._size)
        if len(self._of_cells) == 1:
            address = self._shared.address(SMOOTH_TENSOR)
            self._dispatch(Variant("stroke_cells"), (picture,), (means,), address, self._cells)

    def _ground(self) -> None:
        """The structure tensor of luma, its means over the surroundings of cells, and the thickness of the paint."""
        weights = broad_weights(self.strokes)
        surroundings = self._blur("stroke_smooth", (), SMOOTH_BROAD, weights, (self._means, self._means), self._broad)
        self._run(self._of_structure(), surroundings)
        defines = ("DEVIATION", "1"), ("THICK_LUMA", f"{THICK_LUMA}"), ("THIN", f"{THIN}")
        reads = self._means, self._broad
        self._run(self._blur("stroke_smooth", defines, SMOOTH_BROAD, weights, reads, self._thickness))

    def _height(self, slot: Slot, picture: Texture) -> None:
        """Of paint and canvas."""
        lines = TypedView(self._offsets, X.DXGI_FORMAT_R32G32_SINT, self._offsets.size_bytes // 8)
        # Where bristles stand still, nothing is read of the ways.
        ways = slot.ways or TypedView(self._offsets, X.DXGI_FORMAT_R32G32B32A32_SINT, self._offsets.size_bytes // 16)
        reads = picture, self._tensor, self._broad, self._thickness, self._noise, lines, ways
        sides = [("NOISE_PX", NOISE_PX), ("GRAIN_PX", grain_px(self.strokes)), ("BLOCK_PX", BLOCK_PX)]
        sides.append(("CELL_PX", self.strokes.cell_px))
        # The blocks in which a group's pixels lie, with one more at either end, and a part of one.
        for name, group, there, here in zip("XY", GROUP_PX, self._settings.sizes.working, self._size, strict=True):
            sides.append((f"WAYS_{name}", group * there // (here * BLOCK_PX) + 3))
        defines = tuple((name, str(side)) for name, side in sides)
        variant = Variant("relief_height", defines + ((("AVERAGED", "1"),) if self._is_averaged else ()))
        self._dispatch(variant, reads, (self._heights,), self._of(slot, RELIEF), self._size)

    def _light(self, slot: Slot, picture: Texture) -> None:
        """The picture under the lamp."""
        reads, writes = (self._heights, picture), (self.result.view,)
        self._dispatch(Variant("relief_light"), reads, writes, self._of(slot, RELIEF), self._size)

    def _blur(
        self,
        name: str,
        defines: tuple[tuple[str, str], ...],
        place: int,
        weights: Array,
        reads: tuple[View, ...],
        write: Texture,
    ) -> Work:
        """A kernel that smooths a plane of cells; a thread makes two of a column."""
        columns, rows = self._cells
        variant = Variant(name, (*defines, ("RADIUS", str(len(weights) // 2))))
        return self._work(variant, reads, (write,), self._shared.address(place), (columns, -(-rows // 2)))

    def _work(
        self, variant: Variant, reads: tuple[View, ...], writes: tuple[View, ...], address: int, threads: Size
    ) -> Work:
        views, keep = self._context.descriptors, self._stack.enter_context
        read, written = keep(closing(views.read(*reads))), keep(closing(views.write(*writes)))
        return Work(self._context.kernel(variant), read, written, address, threads)

    def _dispatch(
        self, variant: Variant, reads: tuple[View, ...], writes: tuple[View, ...], address: int, threads: Size
    ) -> None:
        self._run(self._work(variant, reads, writes, address, threads))

    def _run(self, *works: Work) -> None:
        """Kernels that do not depend on each other: the GPU runs them side by side."""
        self._recorder.prepare(*((work.reads, work.writes) for work in works))
        for work in works:
            self._recorder.dispatch(*work)

    def _start(self, slot: Slot, part: str) -> None:
        self._recorder.begin(part)
        if self._stamps:
            self._stamps.begin(self._recorder, slot.index, part)

    def _end(self, slot: Slot, part: str) -> CommandList:
        if self._stamps:
            self._stamps.end(self._recorder, slot.index, part)
        return self._recorder.end()

    def close(self) -> None:
        """Release everything; the queue is done with it. Idempotent."""
        self._stack.close()


def drawn_with(look: Look) -> tuple[object, ...]:
    """All of a look that brush and relief depend on."""
    return look.brush, look.relief, look.canvas, look.lamp_degrees, look.detail if look.raises else None


def _count(line: Line) -> tuple[str, str]:
    """What kernels that take means along a line are compiled with."""
    return "COUNT", str(line.count)


def packed(offsets: npt.NDArray[np.int32], last: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.uint32]:
    """(DIRECTIONS, 4): up to eight samples (DIRECTIONS, n, 2) of a line in each row, x and y in 8 bits each, as
    lines.hlsli reads them. last: (DIRECTIONS, 2), in the place of the eighth."""
    table = np.zeros((DIRECTIONS, 8, 2), np.int8)
    table[:, : offsets.shape[1]] = offsets[:, :, ::-1]
    if last is not None:
        table[:, 7] = last[:, ::-1]
    return table.reshape(DIRECTIONS, 16).view(np.uint32)
