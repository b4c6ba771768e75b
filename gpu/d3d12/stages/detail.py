"""Fine luma of the source on the GPU. The reference is `gpu.reference.kernels.detail`."""

from __future__ import annotations

from contextlib import ExitStack, closing

import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import TypedView
from framebrush.gpu.d3d12.resources import Buffer, ConstantBuffers
from framebrush.gpu.d3d12.stages.resampling import Resampling
from framebrush.gpu.d3d12.tensor import Flag, TensorBuffer
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.scaling import Scaling


class Detail:
    """Of one slot. view: float32, of the target's size."""

    def __init__(self, context: Context, scaling: Scaling[Resampling], source: TensorBuffer, label: str) -> None:
        """source: at the target's size."""
        self._context, self._source = context, source
        self._down, self._up = scaling.detail()
        self._size = width, height = self._up.between.size_px[0], self._down.between.size_px[1]
        self._stack = ExitStack()
        keep, native = self._stack.enter_context, context.native
        try:
            coarse = self._down.between.size_px[0], self._up.between.size_px[1]
            self._coarse = keep(closing(TensorBuffer(native, coarse, "float32", f"{label} low-pass")))
            heap = D.D3D12_HEAP_TYPE_DEFAULT
            memory = keep(closing(Buffer(native, 4 * width * height, label, heap=heap, unordered=True)))
            self._constants = keep(closing(ConstantBuffers(native, 2, f"{label} constants")))
        except BaseException:
            self._stack.close()
            raise
        self.view = TypedView(memory, X.DXGI_FORMAT_R32_FLOAT, width * height)

    def record(self, recorder: Recorder, flag: Flag) -> None:
        """Record the kernels. flag: of values that are not finite, which a source has none of."""
        down, up, source = self._down, self._up, self._source
        views, keep = self._context.descriptors, self._stack.enter_context
        size = down.between.size_px
        reads = keep(closing(views.read(source.view, down.columns.view)))
        writes = keep(closing(views.write(down.between.view)))
        address = self._constants.write(0, constants.resample(source.size_px, size, size, down.columns.count))
        recorder.dispatch(self._context.kernel(Variant("detail_moments")), reads, writes, address, size)
        down.record_columns(recorder, self._coarse, self._stack)
        up.record_rows(recorder, self._coarse, flag, self._stack)
        reads = keep(closing(views.read(source.view, up.between.view, up.rows.view)))
        writes = keep(closing(views.write(self.view)))
        record = constants.detail(source.size_px, up.between.size_px, self._size, up.rows.count)
        address = self._constants.write(1, record)
        recorder.dispatch(self._context.kernel(Variant("detail")), reads, writes, address, self._size)

    def close(self) -> None:
        """Release it; the device has finished with it. Idempotent."""
        self._stack.close()
