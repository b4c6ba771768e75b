"""Check of 16-bit kernels against float64, as drivers may err."""

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
from framebrush.gpu.errors import DeviceError, WrongResultError
from framebrush.gpu.hlsl.painter_dispatches import Dispatch, Tile, plan_dispatches
from framebrush.gpu.painter import Painter
from framebrush.gpu.painter_reference import Picture, computed

CHECKED_SIZE = 64, 48
TOLERANCE = 2 / 255
"""Largest difference in a picture 0..1. Painters of the package differ by 0.9 / 255 at most."""


def check_native(context: Context, painter: Painter, dispatches: Sequence[Dispatch]) -> None:
    """Compare native kernels with the reference, in a small picture.

    Raises WrongResultError, or DeviceError if the driver refuses.
    """
    most = max((one.tile for one in dispatches), key=lambda tile: (tile.filtered, tile.lines))
    planned = plan_dispatches(painter, CHECKED_SIZE, Tile(2, most.lines, most.filtered))
    if planned is None:
        raise DeviceError("the network does not fit the picture for the check of 16-bit kernels")
    width, height = CHECKED_SIZE
    frame = np.random.default_rng(0).uniform(0.0, 1.0, (3, height, width))
    mix = [1.0, *[0.0] * (len(painter.rows) - 1)]
    with closing(PainterEngine(context, painter, planned, "float16", "check", native=True)) as engine:
        got = painted(context, engine, frame, mix)
    off = float(np.max(np.abs(np.clip(got, 0.0, 1.0) - np.clip(computed(painter, frame, mix), 0.0, 1.0))))
    if not off <= TOLERANCE:
        raise WrongResultError(f"the driver of {context.info.name} computes wrong in 16 bits, by {off:.3g} of 1")


def painted(context: Context, engine: PainterEngine, frame: Picture, mix: Sequence[float]) -> Picture:
    """Run an engine on a frame (3, H, W)."""
    native, size = context.native, (frame.shape[2], frame.shape[1])
    given = np.frombuffer(frame.astype(np.float32).tobytes(), np.uint8)
    with ExitStack() as stack:
        keep = stack.enter_context

        def host(heap: int) -> Buffer:
            return keep(closing(Buffer(native, given.size, "check", heap=heap)))

        source, styled = (keep(closing(TensorBuffer(native, size, "float32", "check"))) for _ in range(2))
        shares = keep(closing(context.constant(np.array(mix, np.float32), "check")))
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
        engine.close()  # before the tensors that it is bound to
    return made.view(np.float32).reshape(frame.shape).astype(np.float64)
