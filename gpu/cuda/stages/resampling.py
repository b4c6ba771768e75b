"""Resizing pictures on the GPU: filters in its memory, and the two passes."""

from __future__ import annotations

from contextlib import ExitStack, closing

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.kernels import Arguments
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.resample import Filter, taps


class FilterMemory:
    """A filter along one axis, float32: for each sample made the index of the first that is read, and the weights.
    count: weights of a sample."""

    def __init__(self, context: Context, length: int, resized: int, shape: Filter) -> None:
        values = taps(length, resized, shape).table
        self.count = values.shape[1] - 1
        self._memory = context.constant(values, f"{shape} filter {length} to {resized}")
        self.pointer = self._memory.pointer

    def close(self) -> None:
        """Release it. Idempotent."""
        self._memory.close()


class Resampling:
    """A filter from one size to another, made once for all slots of a stylizer, whose work runs in order.

    The pass along the rows is here, where it reads a tensor, or whoever converts planes does it (`columns` is its
    filter); either writes to `between`. The pass along the columns (`rows` is its filter) reads that.
    """

    def __init__(self, context: Context, size: Size, resized: Size, shape: Filter, label: str) -> None:
        self._context, self._resized = context, resized
        self._stack = ExitStack()
        keep = self._stack.enter_context
        try:
            self.columns = keep(closing(FilterMemory(context, size[0], resized[0], shape)))
            self.rows = keep(closing(FilterMemory(context, size[1], resized[1], shape)))
            between = Tensor(context.native, (resized[0], size[1]), "float32", f"{label} between two passes")
            self.between = keep(closing(between))
        except BaseException:
            self._stack.close()
            raise

    def queue_rows(self, source: Tensor, flag: int) -> int:
        """Queue the pass along the rows of a tensor, which is clipped to 0..1; returns the kernels run."""
        size = self.between.size_px
        record = constants.resample(source.size_px, size, size, self.columns.count)
        arguments = Arguments(source.pointer, self.columns.pointer, self.between.pointer, flag, record)
        variant = Variant("resample", (("AXIS", "0"), source.element))
        self._context.kernel(variant).launch(self._context.compute, size, arguments)
        return 1

    def queue_columns(self, target: Tensor) -> int:
        """Queue the pass along the columns, from `between` to a tensor, which is clipped to 0..1 and may be larger than
        the picture: the edge is repeated. Returns the kernels run."""
        record = constants.resample(self.between.size_px, self._resized, target.size_px, self.rows.count)
        arguments = Arguments(self.between.pointer, self.rows.pointer, target.pointer, 0, record)
        variant = Variant("resample", (("AXIS", "1"), target.element))
        self._context.kernel(variant).launch(self._context.compute, target.size_px, arguments)
        return 1

    def close(self) -> None:
        """Release it; the device has finished with it. Idempotent."""
        self._stack.close()
