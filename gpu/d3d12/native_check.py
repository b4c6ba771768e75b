"""One frame through kernels, to check them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.engines import PainterEngine
from framebrush.gpu.d3d12.fenced_queue import Queue
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.hlsl.painter_dispatches import Dispatch
from framebrush.gpu.painter import Painter
from framebrush.gpu.painter_reference import Picture


def painted(
    context: Context, painter: Painter, dispatches: Sequence[Dispatch], frame: Picture, mix: Sequence[float]
) -> Picture:
    """See `half_check.Paint`."""
    native, size = context.native, (frame.shape[2], frame.shape[1])
    given = np.frombuffer(frame.astype(np.float32).tobytes(), np.uint8)
    with ExitStack() as stack:
        keep = stack.enter_context

        def host(heap: int) -> Buffer:
            return keep(closing(Buffer(native, given.size, "check", heap=heap)))

        source, styled = (keep(closing(TensorBuffer(native, size, "float32", "check"))) for _ in range(2))
        shares = keep(closing(context.constant(np.array(mix, np.float32), "check")))
        engine = keep(closing(PainterEngine(context, painter, dispatches, "float16", "check")))
        upload, readback = host(D.D3D12_HEAP_TYPE_UPLOAD), host(D.D3D12_HEAP_TYPE_READBACK)
        recorder = keep(closing(Recorder(native, D.D3D12_COMMAND_LIST_TYPE_COPY, "check")))

        def copy(target: Buffer, of: Buffer, queue: Queue) -> None:
            recorder.begin().copy_bytes(target, 0, of, 0, given.size)
            queue.execute(recorder.end())
            queue.signal().block()

        upload.mapped[:] = given
        copy(source.buffer, upload, context.copy)
        engine.bind(source, styled, shares)(tuple(mix))
        context.compute.signal().block()
        copy(readback, styled.buffer, context.download)
        made = readback.mapped.copy()
    return made.view(np.float32).reshape(frame.shape).astype(np.float64)
