"""Fine luma of the source on the GPU. The reference is `gpu.reference.kernels.detail`."""

from __future__ import annotations

from contextlib import ExitStack, closing

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.kernels import Arguments
from framebrush.gpu.cuda.native import Memory
from framebrush.gpu.cuda.stages.resampling import Resampling
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.scaling import Scaling


class Detail:
    """Of one slot. pointer: float32, of the target's size."""

    def __init__(self, context: Context, scaling: Scaling[Resampling], label: str) -> None:
        self._context = context
        self._down, self._up = scaling.detail()
        self._size = width, height = self._up.between.size_px[0], self._down.between.size_px[1]
        self._stack = ExitStack()
        keep = self._stack.enter_context
        try:
            coarse = self._down.between.size_px[0], self._up.between.size_px[1]
            self._coarse = keep(closing(Tensor(context.native, coarse, "float32", f"{label} low-pass")))
            self._memory = keep(closing(Memory(context.native, 4 * width * height, label)))
        except BaseException:
            self._stack.close()
            raise
        self.pointer = self._memory.pointer

    def queue(self, source: Tensor, flag: int) -> int:
        """Queue the kernels; returns how many. source: at the target's size. flag: of values that are not finite, which
        a source has none of."""
        down, up, context = self._down, self._up, self._context
        size = down.between.size_px
        record = constants.resample(source.size_px, size, size, down.columns.count)
        arguments = Arguments(source.pointer, down.columns.pointer, down.between.pointer, record)
        context.kernel(Variant("detail_moments", (source.element,))).launch(context.compute, size, arguments)
        kernels = down.queue_columns(self._coarse) + up.queue_rows(self._coarse, flag)
        record = constants.detail(source.size_px, up.between.size_px, self._size, up.rows.count)
        arguments = Arguments(source.pointer, up.between.pointer, up.rows.pointer, self.pointer, record)
        context.kernel(Variant("detail", (source.element,))).launch(context.compute, self._size, arguments)
        return kernels + 2

    def close(self) -> None:
        """Release it; the device has finished with it. Idempotent."""
        self._stack.close()
