"""Tables of colours on the GPU. What a table does: `models.colours.table`."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import TypedView
from framebrush.gpu.d3d12.queue import CommandList
from framebrush.gpu.d3d12.resources import Buffer, ConstantBuffers
from framebrush.gpu.d3d12.tensor import Flag, TensorBuffer
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import constants
from framebrush.models.colours.table import ColourTable

USES = 2  # the source is needed at two sizes at most


class Colours:
    """A table in the GPU's memory: one for all slots of a stylizer, whose lists run one after another, or a slot's own.

    table: the one that is there."""

    def __init__(self, context: Context, table: ColourTable, label: str) -> None:
        self._context, self.table, self._label = context, table, label
        self._between: dict[Size, TensorBuffer] = {}
        self._upload: tuple[Buffer, CommandList] | None = None  # the grid's way to the GPU, where it was changed
        self._stack = ExitStack()
        keep = self._stack.enter_context
        grid = np.zeros((*table.grid.shape[:3], 4), np.float32)
        grid[..., :3] = table.grid
        try:
            memory = self._memory = keep(closing(context.constant(grid, f"{label} grid")))
            self._grid = TypedView(memory, X.DXGI_FORMAT_R32G32B32A32_FLOAT, grid.size // 4)
            # Where there are no curves, nothing is read of them, and the grid stands in.
            self._curves = TypedView(memory, X.DXGI_FORMAT_R32_FLOAT, grid.size)
            if table.curves is not None:
                memory = keep(closing(context.constant(table.curves, f"{label} curves")))
                self._curves = TypedView(memory, X.DXGI_FORMAT_R32_FLOAT, table.curves.size)
            self._constants = keep(closing(ConstantBuffers(context.native, USES, f"{label} constants")))
        except BaseException:
            self._stack.close()
            raise

    def change(self, table: ColourTable) -> CommandList:
        """Take another table, which is plain as this one is and has a grid of the same size. Returns what brings it to
        the GPU, for a copy queue. The device no longer uses this one."""
        native, size_bytes, label = self._context.native, self._memory.size_bytes, f"{self._label} upload"
        if self._upload is None:
            keep = self._stack.enter_context
            memory = keep(closing(Buffer(native, size_bytes, label, heap=D.D3D12_HEAP_TYPE_UPLOAD)))
            recorder = keep(closing(Recorder(native, D.D3D12_COMMAND_LIST_TYPE_COPY, label)))
            recorder.begin().copy_bytes(self._memory, 0, memory, 0, size_bytes)
            self._upload = memory, recorder.end()
        memory, commands = self._upload
        memory.mapped.view(np.float32).reshape(-1, 4)[:, :3] = table.grid.reshape(-1, 3)
        self.table = table
        return commands

    def between(self, size: Size) -> TensorBuffer:
        """Memory for a picture on its way to the table, one for all slots. Raises OutOfMemoryError."""
        if size not in self._between:
            made = TensorBuffer(self._context.native, size, "float32", f"{self._label} ahead of it")
            self._between[size] = self._stack.enter_context(closing(made))
        return self._between[size]

    def record(
        self,
        recorder: Recorder,
        source: TensorBuffer,
        target: TensorBuffer,
        size: Size,
        flag: Flag,
        keep: ExitStack,
        use: int = 0,
    ) -> None:
        """Record the kernel that takes a tensor to another one with planes of the same size. size: of the picture in
        them. flag: of values that are not finite, which become 0 ahead of the table. use: below USES, one for each
        size. keep: gets the views' end."""
        views = self._context.descriptors
        reads = keep.enter_context(closing(views.read(source.view, self._grid, self._curves)))
        writes = keep.enter_context(closing(views.write(target.view, flag.view)))
        address = self._constants.write(use, constants.table(self.table, size, target.size_px))
        recorder.dispatch(self._context.kernel(Variant("table")), reads, writes, address, size)

    def close(self) -> None:
        """Release it; the device has finished with it. Idempotent."""
        self._stack.close()
