"""Strokes, relief and canvas on the GPU. The references are `gpu.reference.brush` and `gpu.reference.relief`.

Between its kernels a picture is a texture of 16 bits a value and four values a pixel, so that a sample is one load;
directions, which are found once a pass, are the fourth. Cells of luma are textures of float32, which kernels read four
at a time. Every change of a texture's state costs the GPU microseconds, on some drivers as much as a small kernel: all
of these rest as what is read.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

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
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.brush import DIRECTIONS, PASSES, Line, Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import NOISE_PX, bristle_line, bristle_table, broad_weights, grain_px, noise
from framebrush.gpu.stages.steady import BLOCK_PX
from framebrush.gpu.stylizer import Settings

PICTURE = X.DXGI_FORMAT_R16G16B16A16_UNORM  # finer than float16 within 0..1, and no driver truncates it
CELLS, TENSOR = X.DXGI_FORMAT_R32_FLOAT, X.DXGI_FORMAT_R32G32_FLOAT

SMOOTH_TENSOR, SMOOTH_LUMA, SMOOTH_BROAD, ALONG, ACROSS = range(5)  # the constants that all slots share
BARE, DETAILED, RELIEF = range(3)  # and those of a slot
OF_A_SLOT = 3


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
        self._tensor_rows = self._plane(TENSOR, "tensor along rows")
        size, strokes = self._size, self.strokes
        self._shared = keep(closing(ConstantBuffers(native, 5, "brush constants")))
        for place, record in (
            (SMOOTH_TENSOR, constants.strokes(size, size, strokes, weights=strokes.tensor_weights)),
            (SMOOTH_LUMA, constants.strokes(size, size, strokes, weights=strokes.luma_weights)),
            (SMOOTH_BROAD, constants.strokes(size, size, strokes, weights=broad_weights(strokes))),
            (ALONG, constants.strokes(size, size, strokes, line=strokes.along)),
            (ACROSS, constants.strokes(size, size, strokes, line=strokes.across)),
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
    def _smoothed(self) -> Texture:
        return self._plane(CELLS, "smoothed luma")

    @cached_property
    def _broad(self) -> Texture:
        return self._plane(CELLS, "surroundings")

    @cached_property
    def _broad_rows(self) -> Texture:
        return self._plane(CELLS, "surroundings along rows")

    @cached_property
    def _variance(self) -> Texture:
        return self._plane(CELLS, "variance")

    @cached_property
    def _heights(self) -> Texture:
        return self._texture(CELLS, "heights")

    @cached_property
    def _lines(self) -> dict[str, TypedView]:
        """For each direction the samples of a line, as lines.hlsli reads them; those across lie at a right angle."""
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
        record = constants.strokes(size, painted, strokes, line=line, brush=look.brush or 0.0, detail=detail)
        self._put(slot, DETAILED, record)
        record = constants.drifting_relief(constants.relief(size, working, strokes, look), slot.drift)
        self._put(slot, RELIEF, record)
        self._written[slot.index] = drawn_with(look), slot.drift

    def _put(self, slot: Slot, place: int, record: constants.Record) -> None:
        self._constants.write(OF_A_SLOT * slot.index + place, record)

    def _of(self, slot: Slot, place: int) -> int:
        return self._constants.address(OF_A_SLOT * slot.index + place)

    # Lists of a slot, recorded when they are first needed

    def _brushing(self, slot: Slot, *, raised: bool) -> CommandList:
        key = slot.index, "brush", raised and slot.detail is not None, raised
        if key not in self._lists:
            _ = self._other, self._smoothed, self._lines  # before the list is begun
            self._start(slot, "brush")
            self._begin(slot, BARE)
            for index in range(PASSES):
                if index:
                    self._cell_means(self._picture)
                self._structure()
                self._along()
                self._cell_means(self._other)
                self._sharpen()
            self._cell_means(self._picture)
            self._structure()
            self._finish(slot, raised=raised)
            self._lists[key] = self._end(slot, "brush")
        return self._lists[key]

    def _raising(self, slot: Slot, *, brushed: bool) -> CommandList:
        key = slot.index, "relief", brushed, slot.detail is not None
        if key not in self._lists:
            _ = self._broad, self._broad_rows, self._variance, self._heights, self._noise, self._offsets
            self._start(slot, "relief")
            picture = self._picture
            if brushed:
                picture = self._other
                self._cell_means(picture)
            else:
                self._begin(slot, DETAILED)
            self._ground()
            self._height(slot, picture)
            self._light(slot, picture)
            self._lists[key] = self._end(slot, "relief")
        return self._lists[key]

    # Kernels, in the order of a picture's way

    def _begin(self, slot: Slot, place: int) -> None:
        """A painting, with its detail, as a picture, and the luma of its cells."""
        painted, fine = slot.painted, slot.detail or slot.painted
        reads, writes = (painted.view, fine.view), (self._picture, self._means, (self._flag or slot.flag).view)
        self._dispatch(Variant("stroke_begin"), reads, writes, self._of(slot, place), self._cells)

    def _cell_means(self, picture: Texture) -> None:
        """The luma of its cells."""
        address = self._shared.address(SMOOTH_TENSOR)
        variant = Variant("stroke_cells", (("CELL_PX", str(self.strokes.cell_px)),))
        self._dispatch(variant, (picture,), (self._means,), address, self._cells)

    def _structure(self) -> None:
        """The structure tensor of luma."""
        for work in self._of_structure():
            self._run(work)

    def _of_structure(self) -> tuple[Work, Work]:
        """Along rows, and then along columns."""
        reads, writes = (self._means, self._tensor_rows), (self._tensor_rows, self._tensor)
        rows, columns = (
            self._blur(Variant("stroke_tensor", (("AXIS", str(axis)),)), SMOOTH_TENSOR, axis, (read,), write)
            for axis, (read, write) in enumerate(zip(reads, writes, strict=True))
        )
        return rows, columns

    def _along(self) -> None:
        """Means along the strokes, from the picture to the other one, and directions."""
        reads = self._picture, self._tensor, self._lines["along"]
        variant = Variant("stroke_along", _count(self.strokes.along))
        self._dispatch(variant, reads, (self._other,), self._shared.address(ALONG), self._size)

    def _sharpen(self) -> None:
        """Edges across the strokes, from the other picture to the picture."""
        columns, rows = self._cells
        address, threads = self._shared.address(SMOOTH_LUMA), (-(-columns // 2), -(-rows // 2))
        self._dispatch(Variant("stroke_luma"), (self._means,), (self._smoothed,), address, threads)
        reads = self._other, self._smoothed, self._lines["across"]
        variant = Variant("stroke_sharpen", _count(self.strokes.across))
        self._dispatch(variant, reads, (self._picture,), self._shared.address(ACROSS), self._size)

    def _finish(self, slot: Slot, *, raised: bool) -> None:
        """The last means along the strokes, mixed with the painting: the result or, raised, the other picture, with
        its detail."""
        fine, write = slot.detail or slot.painted, self._other if raised else self.result.view
        reads = self._picture, self._tensor, self._lines["finish"], slot.painted.view, fine.view
        variant = Variant("stroke_finish", _count(self.strokes.finish) + ((("RAISED", "1"),) if raised else ()))
        self._dispatch(variant, reads, (write,), self._of(slot, DETAILED), self._size)

    def _ground(self) -> None:
        """The structure tensor of luma, its means over the surroundings of cells, and the variance there."""
        rows, columns = self._of_smoothing(self._means, self._broad, self._broad_rows)
        for together in zip(self._of_structure(), (rows, columns), strict=True):
            self._run(*together)
        for work in self._of_smoothing(self._means, self._variance, self._broad_rows, self._broad):
            self._run(work)

    def _height(self, slot: Slot, picture: Texture) -> None:
        """Of paint and canvas."""
        lines = TypedView(self._offsets, X.DXGI_FORMAT_R32G32_SINT, self._offsets.size_bytes // 8)
        # Where bristles stand still, nothing is read of the ways.
        ways = slot.ways or TypedView(self._offsets, X.DXGI_FORMAT_R32G32B32A32_SINT, self._offsets.size_bytes // 16)
        reads = picture, self._tensor, self._broad, self._variance, self._noise, lines, ways
        sides = (("NOISE_PX", NOISE_PX), ("GRAIN_PX", grain_px(self.strokes)), ("BLOCK_PX", BLOCK_PX))
        defines = tuple((name, str(side)) for name, side in sides)
        variant = Variant("relief_height", defines + ((("AVERAGED", "1"),) if self._is_averaged else ()))
        self._dispatch(variant, reads, (self._heights,), self._of(slot, RELIEF), self._size)

    def _light(self, slot: Slot, picture: Texture) -> None:
        """The picture under the lamp."""
        reads, writes = (self._heights, picture), (self.result.view,)
        self._dispatch(Variant("relief_light"), reads, writes, self._of(slot, RELIEF), self._size)

    def _of_smoothing(
        self, plane: Texture, into: Texture, between: Texture, means: Texture | None = None
    ) -> tuple[Work, Work]:
        """Means over the surroundings of a plane of cells, or of the squares of its differences from means: along rows,
        and then along columns."""
        rows = (("AXIS", "0"), ("DEVIATION", "1")) if means else (("AXIS", "0"),)
        return (
            self._blur(Variant("stroke_smooth", rows), SMOOTH_BROAD, 0, (plane, means or plane), between),
            self._blur(Variant("stroke_smooth", (("AXIS", "1"),)), SMOOTH_BROAD, 1, (between, between), into),
        )

    def _blur(self, variant: Variant, place: int, axis: int, reads: tuple[View, ...], write: Texture) -> Work:
        """A thread makes four cells of a row, or of a column."""
        columns, rows = self._cells
        threads = (-(-columns // 4), rows) if axis == 0 else (columns, -(-rows // 4))
        return self._work(variant, reads, (write,), self._shared.address(place), threads)

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


def _count(line: Line) -> tuple[tuple[str, str], ...]:
    return (("COUNT", str(line.count)),)


def packed(offsets: npt.NDArray[np.int32], last: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.uint32]:
    """(DIRECTIONS, 4): up to eight samples (DIRECTIONS, n, 2) of a line in each row, x and y in 8 bits each, as
    lines.hlsli reads them. last: (DIRECTIONS, 2), in the place of the eighth."""
    table = np.zeros((DIRECTIONS, 8, 2), np.int8)
    table[:, : offsets.shape[1]] = offsets[:, :, ::-1]
    if last is not None:
        table[:, 7] = last[:, ::-1]
    return table.reshape(DIRECTIONS, 16).view(np.uint32)
