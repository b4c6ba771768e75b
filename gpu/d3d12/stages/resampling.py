"""Pictures at another size: a filter along the rows, then one along the columns, with a tensor between the two."""

from __future__ import annotations

from contextlib import ExitStack, closing

import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import TypedView
from framebrush.gpu.d3d12.kernels import Kernel
from framebrush.gpu.d3d12.resources import ConstantBuffers
from framebrush.gpu.d3d12.tensor import Flag, TensorBuffer
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.resample import Filter, taps


class FilterBuffer:
    """A filter along one axis in the GPU's memory, float32: for each sample made the index of the first that is read,
    and the weights. count: weights of a sample."""

    def __init__(self, context: Context, length: int, resized: int, shape: Filter) -> None:
        values = taps(length, resized, shape).table
        self.count = values.shape[1] - 1
        self._buffer = context.constant(values, f"{shape} filter {length} to {resized}")
        self.view = TypedView(self._buffer, X.DXGI_FORMAT_R32_FLOAT, values.size)

    def close(self) -> None:
        """Release it. Idempotent."""
        self._buffer.close()


class Resampling:
    """A filter from one size to another, made once for all slots of a stylizer, whose lists run one after another.

    The pass along the rows is recorded here, where it reads a tensor, or by whoever converts planes (`columns` is its
    filter); either writes to `between`. The pass along the columns (`rows` is its filter) reads that.
    """

    def __init__(self, context: Context, size: Size, resized: Size, shape: Filter, label: str) -> None:
        self._context, self._resized = context, resized
        self._stack = ExitStack()
        keep = self._stack.enter_context
        try:
            self.columns = keep(closing(FilterBuffer(context, size[0], resized[0], shape)))
            self.rows = keep(closing(FilterBuffer(context, size[1], resized[1], shape)))
            between = TensorBuffer(context.native, (resized[0], size[1]), "float32", f"{label} between two passes")
            self.between = keep(closing(between))
            self._constants = keep(closing(ConstantBuffers(context.native, 2, f"{label} constants")))
        except BaseException:
            self._stack.close()
            raise

    def record_rows(self, recorder: Recorder, source: TensorBuffer, flag: Flag, keep: ExitStack) -> None:
        """Record the pass along the rows of a tensor, which is clipped to 0..1. keep: gets the views' end."""
        views = self._context.descriptors
        reads = keep.enter_context(closing(views.read(source.view, self.columns.view)))
        writes = keep.enter_context(closing(views.write(self.between.view, flag.view)))
        size = self.between.size_px
        record = constants.resample(source.size_px, size, size, self.columns.count)
        address = self._constants.write(0, record)  # the same for every slot
        recorder.dispatch(self._kernel(0), reads, writes, address, size)

    def record_columns(self, recorder: Recorder, target: TensorBuffer, keep: ExitStack) -> None:
        """Record the pass along the columns, from `between` to a tensor, which is clipped to 0..1 and may be larger
        than the picture: the edge is repeated."""
        views = self._context.descriptors
        reads = keep.enter_context(closing(views.read(self.between.view, self.rows.view)))
        writes = keep.enter_context(closing(views.write(target.view, target.view)))
        record = constants.resample(self.between.size_px, self._resized, target.size_px, self.rows.count)
        address = self._constants.write(1, record)
        recorder.dispatch(self._kernel(1), reads, writes, address, target.size_px)

    def _kernel(self, axis: int) -> Kernel:
        return self._context.kernel(Variant("resample", (("AXIS", str(axis)),)))

    def close(self) -> None:
        """Release it; the device has finished with it. Idempotent."""
        self._stack.close()
