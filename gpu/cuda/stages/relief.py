"""Relief and canvas on the GPU. The reference is `gpu.reference.relief`; kernels are named relief_."""

from __future__ import annotations

import numpy as np

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.kernels import Arguments
from framebrush.gpu.cuda.native import Memory
from framebrush.gpu.cuda.records import WAY
from framebrush.gpu.cuda.stages.brush import Brush, Picture, Scratch
from framebrush.gpu.kernel_sources import Defines, Variant
from framebrush.gpu.layouts import Record
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.brush import Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import (
    NOISE_PX,
    THICK_LUMA,
    THIN,
    bristle_line,
    broad_weights,
    grain_px,
    noise,
    phase_ages,
    phase_weight,
)
from framebrush.gpu.stages.steady import BLOCK_PX

THICK = (("THICK_LUMA", f"{THICK_LUMA}f"), ("THIN", f"{THIN}f"), ("THICK", "1"))

HEADER_BYTES, VECTOR_BYTES = 16, 8


def noise_defines(strokes: Strokes) -> Defines:
    """What the kernel of bristles is compiled with for the noise."""
    return ("NOISE_PX", str(NOISE_PX)), ("GRAIN_PX", str(grain_px(strokes)))


class Drift:
    """How far the bristles of a slot's frame have come with the film: `gpu.stages.relief.Drift` in the GPU's memory.
    place: of the frame in the film. pointer: what kernels read; the same for every frame of the slot."""

    def __init__(self, context: Context, sizes: Sizes, label: str) -> None:
        self._context, self._sizes = context, sizes
        self._blocks = tuple(-(-side // BLOCK_PX) for side in sizes.working)
        self._count = self._blocks[0] * self._blocks[1]
        self.place = 0
        self._memory = Memory(context.native, HEADER_BYTES + 4 * VECTOR_BYTES * self._count, label)
        self.pointer = self._memory.pointer

    def queue(self, place: int, found: int, last: Drift | None) -> int:
        """Queue that of a frame; returns the kernels run. found: address of its motion to the frame before it, whose
        drift is `last`; without one both ways begin with this frame, which has that place."""
        self.place = place if last is None else last.place + 1
        record = np.zeros((), WAY)
        (width, height), working = self._sizes.target, self._sizes.working
        record["factor"] = height / working[1], width / working[0]
        record["columns"], record["rows"] = self._blocks
        record["ages"], record["first_way"] = phase_ages(self.place), phase_weight(self.place)
        record["block_px"] = BLOCK_PX
        arguments = Arguments(found, 0 if last is None else last.pointer, self.pointer, record)
        self._context.kernel(Variant("relief_drift")).launch(self._context.compute, (self._count, 1), arguments)
        return 1

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self._memory.close()


class Relief:
    """The relief and the canvas of one stylizer."""

    def __init__(self, scratch: Scratch, brush: Brush, sizes: Sizes) -> None:
        self._scratch, self._brush, self._sizes = scratch, brush, sizes

    @property
    def lit(self) -> Picture:
        """What `queue` makes, in memory that the brush no longer needs."""
        return self._scratch.picture("strokes")

    def queue(self, picture: Picture, look: Look, drift: int) -> int:
        """Queue a picture with its relief and canvas under the lamp; returns the kernels run. drift: `Drift.pointer`, 0
        where bristles stand still. Raises OutOfMemoryError where memory is taken for the first time."""
        return self.queue_height(picture, look, drift) + self.queue_light(picture, look)

    def queue_height(self, picture: Picture, look: Look, drift: int) -> int:
        """Queue the height of each pixel."""
        brush, scratch, strokes = self._brush, self._scratch, self._scratch.strokes
        kernels = brush.queue_tensor(picture)
        weights, line = broad_weights(strokes), bristle_line(strokes)
        broad, paint = scratch.cells("surroundings"), scratch.cells("thickness", 2)
        kernels += brush.launch_cells("relief_blur", (), weights, brush.cells, 0, broad)
        kernels += brush.launch_cells("relief_blur", THICK, weights, brush.cells, broad, paint)
        offsets = scratch.constant("samples of bristles", constants.line_offsets(line))
        defines = *brush.cell, ("SAMPLES", str(line.count)), *noise_defines(strokes)
        pointers = (
            picture.pointer,
            brush.tensor,
            paint,
            scratch.constant("noise", noise()),
            offsets,
            drift,
            self._height,
        )
        return kernels + brush.launch("relief_height", defines, *pointers, self._record(look))

    def queue_light(self, picture: Picture, look: Look) -> int:
        """Queue `lit`, from the height."""
        pointers = picture.pointer, self._height, self.lit.pointer
        return self._brush.launch("relief_light", (), *pointers, self._record(look))

    @property
    def _height(self) -> int:
        return self._scratch.plane("height", 4)

    def _record(self, look: Look) -> Record:
        size = self._scratch.size
        return constants.relief(size, self._sizes.working, self._scratch.strokes, look)
