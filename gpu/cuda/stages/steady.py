"""The filter over time on the GPU. The reference is `gpu.reference.steady`; kernels are named steady_."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.kernels import Arguments
from framebrush.gpu.cuda.native import Memory
from framebrush.gpu.cuda.records import STEADY
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.stages import steady
from framebrush.gpu.stylizer import Settings

NEIGHBOURS = 8
"""Most neighbours of a frame, as in the kernels."""

KEPT = ("source", "fine", "cells", "styled")
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

NEAR = np.dtype([(name, "<u8", (NEIGHBOURS,)) for name in KEPT])


class Kept:
    """What a frame's neighbours need of it: its source in whole numbers, and where its painting is. result: what the
    filter makes of it."""

    def __init__(self, context: Context, settings: Settings, styled: Tensor, result: Tensor, label: str) -> None:
        width, height = settings.sizes.working
        cells = -(-width // steady.CELL_PX) * -(-height // steady.CELL_PX)
        self._stack = ExitStack()
        keep = self._stack.enter_context
        self.styled, self.result = styled, result
        try:
            self.source, self.fine, self.cells = (
                keep(closing(Memory(context.native, 2 * count, f"{label} {name}")))
                for name, count in (("steady source", 3 * width * height), ("levels", width * height), ("cells", cells))
            )
        except BaseException:
            self._stack.close()
            raise

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self._stack.close()


class Steadier:
    """The filter of one stylizer, which its frames pass through one after another."""

    def __init__(self, context: Context, settings: Settings) -> None:
        self._context, self._settings = context, settings
        window = settings.window
        most = window.before + window.after
        if most > NEIGHBOURS:
            raise DeviceError(f"a window of {most} neighbours where {NEIGHBOURS} can be had")
        width, height = settings.sizes.working
        self._blocks = -(-width // steady.BLOCK_PX) * -(-height // steady.BLOCK_PX)
        order = [*steady.offsets(steady.COARSE_CELLS), *steady.offsets(steady.FINE_PX)]
        self._stack = ExitStack()
        keep = self._stack.enter_context
        try:
            self._order = keep(closing(context.constant(np.array(order, np.int8), "vectors of the search")))
            self._found = keep(closing(Memory(context.native, 4 * most * self._blocks, "motion from frame to frame")))
            self._vectors = keep(closing(Memory(context.native, 4 * most * self._blocks, "motion")))
            self._sure = keep(closing(Memory(context.native, 4 * most * self._blocks, "sureness")))
        except BaseException:
            self._stack.close()
            raise

    @property
    def found(self) -> int:
        """The address of the motion that `queue` finds: first of all that to the nearest frame before, y and x of
        each block as int16."""
        return self._found.pointer

    def queue_source(self, frame: Tensor, into: Kept) -> int:
        """Queue what is kept of a frame and its painting; returns the kernels run. frame: the network's input."""
        record, size, cell = self._record(frame, into.styled), self._settings.sizes.working, steady.CELL_PX
        pointers = frame.pointer, into.styled.pointer, into.source.pointer, into.fine.pointer
        self._launch("steady_source", frame, size, *pointers, record)
        cells = -(-size[0] // cell), -(-size[1] // cell)
        self._launch("steady_cells", frame, cells, into.fine.pointer, into.cells.pointer, record)
        return 2

    def queue(self, frame: Tensor, own: Kept, before: Sequence[Kept], after: Sequence[Kept], strength: float) -> int:
        """Queue the result of a frame, `own.result`; returns the kernels run. before, after: its neighbours, the
        nearest first."""
        record, near, count = self._record(frame, own.styled), np.zeros((), NEAR), len(before) + len(after)
        record["count"], record["before"], record["limit"] = count, len(before), steady.LIKENESS_CODES * strength
        for name in KEPT:
            near[name][:count] = [getattr(one, name).pointer for one in (*before, *after)]
        found, vectors, sure = self._found.pointer, self._vectors.pointer, self._sure.pointer
        if count:
            pointers = own.fine.pointer, own.cells.pointer
            self._launch_groups("steady_motion", frame, count, *pointers, near, self._order.pointer, found, record)
            self._launch_groups("steady_follow", frame, 1, own.fine.pointer, near, found, vectors, sure, record)
        pointers, size = (own.source.pointer, own.styled.pointer), self._settings.sizes.working
        self._launch("steady_mix", frame, size, *pointers, near, vectors, sure, own.result.pointer, record)
        return 3 if count else 1

    def _launch_groups(self, name: str, frame: Tensor, times: int, *values: int | npt.NDArray[Any]) -> None:
        """With a group for each block of the picture, so many times."""
        kernel = self._context.kernel(Variant(name, (*DEFINES, frame.element)))
        kernel.launch_groups(self._context.compute, (self._blocks, times), Arguments(*values))

    def _launch(self, name: str, frame: Tensor, threads: tuple[int, int], *values: int | npt.NDArray[Any]) -> None:
        kernel = self._context.kernel(Variant(name, (*DEFINES, frame.element)))
        kernel.launch(self._context.compute, threads, Arguments(*values))

    def _record(self, frame: Tensor, styled: Tensor) -> npt.NDArray[Any]:
        record = np.zeros((), STEADY)
        record["width"], record["height"] = self._settings.sizes.working
        record["padded_width"], record["padded_height"] = frame.size_px
        record["styled_width"], record["styled_height"] = styled.size_px
        record["scale"] = self._settings.style.card.scale
        return record

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self._stack.close()
