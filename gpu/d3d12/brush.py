"""Strokes, relief and canvas on the GPU. The references are `gpu.reference.brush` and `gpu.reference.relief`.

Between its kernels a picture is a texture of 16 bits a value and four values a pixel, so that a sample is one load;
directions, a byte a pixel, are found once a pass. Cells of luma are textures of float32, which kernels read four at a
time.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import cached_property

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu import constants
from framebrush.gpu.brush import DIRECTIONS, PASSES, Line, Strokes
from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import TypedView, View
from framebrush.gpu.d3d12.kernels import Variant
from framebrush.gpu.d3d12.queue import CommandList, Queue
from framebrush.gpu.d3d12.resources import Buffer, ConstantBuffers, Texture
from framebrush.gpu.d3d12.slot import Slot
from framebrush.gpu.d3d12.tensor import Flag, TensorBuffer
from framebrush.gpu.d3d12.timing import SlotStamps
from framebrush.gpu.look import Look
from framebrush.gpu.relief import bristle_line, bristle_table, broad_weights, grain_px, noise
from framebrush.gpu.sizes import Size
from framebrush.gpu.stylizer import Settings

PICTURE = X.DXGI_FORMAT_R16G16B16A16_UNORM  # finer than float16 within 0..1, and no driver cuts it off
CELLS, TENSOR = X.DXGI_FORMAT_R32_FLOAT, X.DXGI_FORMAT_R32G32_FLOAT

SMOOTH_TENSOR, SMOOTH_LUMA, SMOOTH_BROAD, ALONG, ACROSS = range(5)  # the constants that all slots share
BEGIN, FINISH, RELIEF = range(3)  # and those of a slot
OF_A_SLOT = 3


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
        """The work that draws a slot's painting with a look that has a brush or a relief. The queue is through with
        what it drew of this slot before. Raises OutOfMemoryError."""
        self._write(slot, look)
        lists = [self._brushing(slot)] if look.brush else []
        return [*lists, self._raising(slot, brushed=bool(look.brush))] if look.raises else lists

    def is_written(self, slot: Slot, look: Look) -> bool:
        """Whether `lists` leaves the constants of a slot as they are, so that it need not wait."""
        return self._written.get(slot.index) == (drawn_with(look), slot.drift)

    def _make(self, slots: int) -> None:
        native, keep = self._context.native, self._stack.enter_context
        self.result = keep(closing(TensorBuffer(native, self._size, "unorm16", "painting as drawn")))
        self._picture = self._texture(PICTURE, "picture")
        self._means, self._tensor = self._plane(CELLS, "luma"), self._plane(TENSOR, "tensor")
        self._tensor_rows, self._rows = self._plane(TENSOR, "tensor along rows"), self._plane(CELLS, "luma along rows")
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
    def _directions(self) -> Texture:
        return self._texture(X.DXGI_FORMAT_R8_UINT, "directions")

    @cached_property
    def _smoothed(self) -> Texture:
        return self._plane(CELLS, "smoothed luma")

    @cached_property
    def _broad(self) -> Texture:
        return self._plane(CELLS, "surroundings")

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
        texture = Texture(self._context.native, size or self._size, fmt, f"brush {label}", unordered=True)
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
        self._put(slot, BEGIN, constants.relief(size, painted, working, strokes, Look()))
        self._put(slot, FINISH, constants.strokes(size, painted, strokes, line=line, brush=look.brush or 0.0))
        read = size if look.brush else painted
        self._put(slot, RELIEF, constants.relief(size, read, working, strokes, look, slot.drift))
        self._written[slot.index] = drawn_with(look), slot.drift

    def _put(self, slot: Slot, place: int, record: constants.Record) -> None:
        self._constants.write(OF_A_SLOT * slot.index + place, record)

    def _of(self, slot: Slot, place: int) -> int:
        return self._constants.address(OF_A_SLOT * slot.index + place)

    # Lists of a slot, recorded when they are first needed

    def _brushing(self, slot: Slot) -> CommandList:
        key = slot.index, "brush"
        if key not in self._lists:
            _ = self._other, self._directions, self._smoothed, self._lines  # before the list is begun
            self._start(slot, "brush")
            self._begin(slot, slot.painted, BEGIN)
            for index in range(PASSES):
                if index:
                    self._cell_means(self._picture)
                self._structure()
                self._along()
                self._cell_means(self._other)
                self._sharpen()
            self._cell_means(self._picture)
            self._structure()
            self._finish(slot)
            self._lists[key] = self._end(slot, "brush")
        return self._lists[key]

    def _raising(self, slot: Slot, *, brushed: bool) -> CommandList:
        key = slot.index, "relief", brushed, slot.detail is not None
        if key not in self._lists:
            _ = self._broad, self._variance, self._heights, self._noise, self._offsets
            self._start(slot, "relief")
            self._begin(slot, self.result if brushed else slot.painted, RELIEF)
            self._structure()
            self._surroundings()
            self._height(slot)
            self._light(slot)
            self._lists[key] = self._end(slot, "relief")
        return self._lists[key]

    # Kernels, in the order of a picture's way

    def _begin(self, slot: Slot, painted: TensorBuffer, place: int) -> None:
        """A painting, with its detail, as a picture, and the luma of its cells."""
        fine = slot.detail or painted
        reads, writes = (painted.view, fine.view), (self._picture, self._means, (self._flag or slot.flag).view)
        self._dispatch(Variant("stroke_begin"), reads, writes, self._of(slot, place), self._cells)

    def _cell_means(self, picture: Texture) -> None:
        """The luma of its cells."""
        address = self._shared.address(SMOOTH_TENSOR)
        self._dispatch(Variant("stroke_cells"), (picture,), (self._means,), address, self._cells)

    def _structure(self) -> None:
        """The structure tensor of luma."""
        for axis, (read, write) in enumerate(((self._means, self._tensor_rows), (self._tensor_rows, self._tensor))):
            self._blur(Variant("stroke_tensor", (("AXIS", str(axis)),)), SMOOTH_TENSOR, axis, (read,), write)

    def _along(self) -> None:
        """Means along the strokes, from the picture to the other one, and directions."""
        reads, writes = (self._picture, self._tensor, self._lines["along"]), (self._other, self._directions)
        variant = Variant("stroke_along", _count(self.strokes.along))
        self._dispatch(variant, reads, writes, self._shared.address(ALONG), self._size)

    def _sharpen(self) -> None:
        """Edges across the strokes, from the other picture to the picture."""
        self._smooth(self._means, self._smoothed, SMOOTH_LUMA)
        reads = self._other, self._directions, self._smoothed, self._lines["across"]
        variant = Variant("stroke_sharpen", _count(self.strokes.across))
        self._dispatch(variant, reads, (self._picture,), self._shared.address(ACROSS), self._size)

    def _finish(self, slot: Slot) -> None:
        """The last means along the strokes, mixed with the painting."""
        reads = self._picture, self._tensor, self._lines["finish"], slot.painted.view
        variant = Variant("stroke_finish", _count(self.strokes.finish))
        self._dispatch(variant, reads, (self.result.view,), self._of(slot, FINISH), self._size)

    def _surroundings(self) -> None:
        """Means of luma over the surroundings of cells, and the variance there."""
        self._smooth(self._means, self._broad, SMOOTH_BROAD)
        self._smooth(self._means, self._variance, SMOOTH_BROAD, self._broad)

    def _height(self, slot: Slot) -> None:
        """Of paint and canvas."""
        lines = TypedView(self._offsets, X.DXGI_FORMAT_R32G32_SINT, self._offsets.size_bytes // 8)
        # Where bristles stand still, nothing is read of the ways.
        ways = slot.ways or TypedView(self._offsets, X.DXGI_FORMAT_R32G32B32A32_SINT, self._offsets.size_bytes // 16)
        reads = self._picture, self._tensor, self._broad, self._variance, self._noise, lines, ways
        variant = Variant("relief_height", (("AVERAGED", "1"),) if self._is_averaged else ())
        self._dispatch(variant, reads, (self._heights,), self._of(slot, RELIEF), self._size)

    def _light(self, slot: Slot) -> None:
        """The picture under the lamp."""
        reads, writes = (self._heights, self._picture), (self.result.view,)
        self._dispatch(Variant("relief_light"), reads, writes, self._of(slot, RELIEF), self._size)

    def _smooth(self, plane: Texture, into: Texture, place: int, means: Texture | None = None) -> None:
        """A plane of cells, or the squares of what it differs from means by."""
        rows = (("AXIS", "0"), ("DEVIATION", "1")) if means else (("AXIS", "0"),)
        self._blur(Variant("stroke_smooth", rows), place, 0, (plane, means or plane), self._rows)
        self._blur(Variant("stroke_smooth", (("AXIS", "1"),)), place, 1, (self._rows, self._rows), into)

    def _blur(self, variant: Variant, place: int, axis: int, reads: tuple[View, ...], write: Texture) -> None:
        """A thread makes four cells of a row, or of a column."""
        columns, rows = self._cells
        threads = (-(-columns // 4), rows) if axis == 0 else (columns, -(-rows // 4))
        self._dispatch(variant, reads, (write,), self._shared.address(place), threads)

    def _dispatch(
        self, variant: Variant, reads: tuple[View, ...], writes: tuple[View, ...], address: int, threads: Size
    ) -> None:
        views, keep = self._context.descriptors, self._stack.enter_context
        read, written = keep(closing(views.read(*reads))), keep(closing(views.write(*writes)))
        self._recorder.dispatch(self._context.kernel(variant), read, written, address, threads)

    def _start(self, slot: Slot, part: str) -> None:
        self._recorder.begin()
        if self._stamps:
            self._stamps.begin(self._recorder, slot.index, part)

    def _end(self, slot: Slot, part: str) -> CommandList:
        if self._stamps:
            self._stamps.end(self._recorder, slot.index, part)
        return self._recorder.end()

    def close(self) -> None:
        """Release everything; the queue is through with it. Idempotent."""
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
