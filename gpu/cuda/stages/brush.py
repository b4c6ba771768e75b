"""Strokes on the GPU. The reference is `gpu.reference.brush`; kernels are named stroke_."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.kernels import Argument, Arguments
from framebrush.gpu.cuda.native import Memory, Native
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.kernel_sources import Defines, Variant
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import constants, corners
from framebrush.gpu.stages.brush import DIRECTIONS, PASSES, Line, Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stylizer import Settings

PIXEL_BYTES = 8

ROWS_OF_A_THREAD = 4
"""A group of 32x8 threads makes 32x32 cells of a grid."""


class Picture:
    """A picture of the target's size as pixels: R'G'B' as halves, 8 bytes each. element_number: as a tensor's."""

    element_number = "2"

    def __init__(self, native: Native, size_px: Size, label: str) -> None:
        self.size_px = size_px
        self._memory = Memory(native, PIXEL_BYTES * size_px[0] * size_px[1], label)
        self.pointer = self._memory.pointer

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self._memory.close()


class Scratch:
    """Memory of one stylizer's brush and relief, taken when it is first asked for by its name. All slots share it,
    since the compute stream works in order. size: of the target. working: of the
    picture before the network. grid: columns and rows of the target's cells."""

    def __init__(self, context: Context, settings: Settings) -> None:
        self.size, self.strokes = settings.sizes.target, Strokes.of(settings.sizes)
        self.working = settings.sizes.working
        self.grid = self.strokes.cells(*self.size)
        self._context = context
        self._memory: dict[str, Memory] = {}
        self._pictures: dict[str, Picture] = {}
        self._stack = ExitStack()

    def picture(self, name: str) -> Picture:
        """A picture. Raises OutOfMemoryError."""
        if name not in self._pictures:
            made = Picture(self._context.native, self.size, f"brush: {name}")
            self._pictures[name] = self._stack.enter_context(closing(made))
        return self._pictures[name]

    def plane(self, name: str, pixel_bytes: int) -> int:
        """The address of so many bytes for each pixel. Raises OutOfMemoryError."""
        return self.taken(name, pixel_bytes * self.size[0] * self.size[1])

    def cells(self, name: str, values: int = 1) -> int:
        """The address of so many float32 for each cell. Raises OutOfMemoryError."""
        return self.taken(name, 4 * values * self.grid[0] * self.grid[1])

    def constant(self, name: str, values: npt.NDArray[Any]) -> int:
        """The address of values that stay the same. Raises OutOfMemoryError."""
        if name not in self._memory:
            memory = self._context.constant(values, f"brush: {name}")
            self._memory[name] = self._stack.enter_context(closing(memory))
        return self._memory[name].pointer

    def taken(self, name: str, size_bytes: int) -> int:
        """The address of so many bytes. Raises OutOfMemoryError."""
        if name not in self._memory:
            memory = Memory(self._context.native, size_bytes, f"brush: {name}")
            self._memory[name] = self._stack.enter_context(closing(memory))
        return self._memory[name].pointer

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self._stack.close()


def cell_defines(strokes: Strokes) -> Defines:
    """What kernels that read pixels and cells are compiled with."""
    return ("CELL_PX", str(strokes.cell_px)), ("DIRECTIONS", str(DIRECTIONS))


class Brush:
    """The brush of one stylizer."""

    def __init__(self, context: Context, scratch: Scratch) -> None:
        self._context, self._scratch, self._strokes = context, scratch, scratch.strokes
        self.cell = cell_defines(self._strokes)

    @property
    def painting(self) -> Picture:
        """What `queue` makes."""
        return self._scratch.picture("painting")

    @property
    def tensor(self) -> int:
        """The address of what `queue_tensor` makes: the structure tensor of a picture, two float32 a cell."""
        return self._scratch.cells("structure tensor", 2)

    @property
    def cells(self) -> int:
        """The address of what it makes, too: the mean luma of each cell."""
        return self._scratch.cells("luma of cells")

    def queue(self, painted: Tensor, film: Tensor, fine: int, flag: int, look: Look) -> int:
        """Queue the painting that a look makes of what the network painted, at the target's size; returns the kernels
        run. film: what the network was given. fine: address of the fine luma. flag: of values that are not finite.
        Raises OutOfMemoryError where memory is taken for the first time."""
        detail = look.detail if look.raises else 0.0  # of a painting without relief the output adds it
        if not look.brush:
            return self.queue_pack(painted, fine, flag, detail)
        kernels = self.queue_pack(painted, fine, flag, 0.0)
        picture, sharp = self.painting, self._scratch.picture("sharp strokes")
        for _ in range(PASSES):
            means = self._scratch.picture("strokes")
            kernels += self.queue_tensor(picture) + self.queue_along(picture, means) + self.queue_sharpen(means, sharp)
            picture = sharp
        kernels += self.queue_tensor(picture) + self.queue_corners(film)
        return kernels + self.queue_finish(picture, look.brush, fine, detail)

    def queue_pack(self, painted: Tensor, fine: int, flag: int, detail: float) -> int:
        """Queue `painting` as it is, within 0..1, with so much fine luma."""
        record = constants.strokes(self._scratch.size, painted.size_px, self._strokes, detail=detail)
        pointers = painted.pointer, fine, self.painting.pointer, flag
        return self.launch("stroke_pack", (painted.element,), *pointers, record)

    def queue_tensor(self, picture: Picture) -> int:
        """Queue `tensor` and `cells` of a picture."""
        pointers = picture.pointer, self.tensor, self.cells
        return self.launch_cells("stroke_tensor", self.cell, self._strokes.tensor_weights, *pointers)

    def queue_along(self, picture: Picture, into: Picture) -> int:
        """Queue means along the strokes of a picture, whose tensor is queued before."""
        line = self._strokes.along
        offsets = self._scratch.constant("samples along", constants.line_offsets(line))
        pointers = picture.pointer, self.tensor, offsets, into.pointer, self._directions
        return self.launch("stroke_along", self._sampled(line.count), *pointers, *self._line(line))

    def queue_sharpen(self, picture: Picture, into: Picture) -> int:
        """Queue the shock filter across the strokes of what `queue_along` made."""
        line, luma = self._strokes.across, self._scratch.cells("smooth luma of cells")
        kernels = self.launch_cells("stroke_luma", self.cell, self._strokes.luma_weights, picture.pointer, luma)
        places = np.concatenate([line.offsets, self._strokes.far[:, None]], axis=1, dtype=np.int32)
        offsets = self._scratch.constant("samples across", places)
        pointers = picture.pointer, self._directions, luma, offsets, into.pointer
        return kernels + self.launch("stroke_sharpen", self._sampled(line.count + 1), *pointers, *self._line(line))

    @property
    def left(self) -> int:
        """The address of what `queue_corners` makes: how much of each cell of the network's input is left as it is, a
        float32 each."""
        columns, rows = corners.cells(self._scratch.working)
        return self._scratch.taken("corners", 4 * columns * rows)

    @property
    def structure(self) -> int:
        """The address of what it makes first: their structure tensor, four float32 a cell."""
        columns, rows = corners.cells(self._scratch.working)
        return self._scratch.taken("structure of corners", 16 * columns * rows)

    def queue_corners(self, film: Tensor) -> int:
        """Queue `left` of what the network was given."""
        working, context = self._scratch.working, self._context
        record, cells = constants.corners(working, film.size_px), corners.cells(working)
        find, share = context.kernel(Variant("corner_cells", (film.element,))), context.kernel(Variant("corner_share"))
        find.launch(context.compute, cells, Arguments(film.pointer, self.structure, record))
        share.launch(context.compute, cells, Arguments(self.structure, self.left, record))
        return 2

    def queue_finish(self, picture: Picture, brush: float, fine: int, detail: float) -> int:
        """Queue the last mean along the strokes of a picture, whose tensor is queued before, and mix so much of it into
        `painting`, with so much fine luma; where `left` says so, less."""
        line = self._strokes.finish
        offsets = self._scratch.constant("samples of the last mean", constants.line_offsets(line))
        pointers = picture.pointer, self.tensor, offsets, self.painting.pointer, fine, self.left
        defines = *self._sampled(line.count), ("FINISH", "1")
        return self.launch("stroke_along", defines, *pointers, *self._line(line, brush, detail))

    def launch(self, name: str, defines: Defines, *values: Argument) -> int:
        """Queue a kernel with a thread for each pixel."""
        self._context.kernel(Variant(name, defines)).launch(
            self._context.compute, self._scratch.size, Arguments(*values)
        )
        return 1

    def launch_cells(self, name: str, defines: Defines, weights: Array, *pointers: int) -> int:
        """Queue a kernel on a grid, which smooths it by a Gaussian."""
        size, (columns, rows) = self._scratch.size, self._scratch.grid
        record = constants.strokes(size, size, self._strokes, weights=weights)
        kernel = self._context.kernel(Variant(name, (*defines, ("RADIUS", str(len(weights) // 2)))))
        kernel.launch(self._context.compute, (columns, -(-rows // ROWS_OF_A_THREAD)), Arguments(*pointers, record))
        return 1

    @property
    def _directions(self) -> int:
        return self._scratch.plane("directions", 1)

    def _sampled(self, samples: int) -> Defines:
        return (*self.cell, ("SAMPLES", str(samples)))

    def _line(self, line: Line, brush: float = 1.0, detail: float = 0.0) -> tuple[Argument, Argument]:
        """What a kernel gets of a line: the constants, and how far its samples lie away."""
        size, margin = self._scratch.size, np.int32(np.abs(line.offsets).max())
        reach, working = self._strokes, self._scratch.working
        return constants.strokes(size, size, reach, line=line, brush=brush, detail=detail, working=working), margin
