"""The network between a slot's tensors: on the GPU, in one run or tile by tile, or on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import Protocol

import numpy as np

from framebrush.gpu.fastest import Ways, frame_s
from framebrush.gpu.hlsl_painter_plan import TILES, stored_in
from framebrush.gpu.painter import Painter, changes_nothing, read_painter
from framebrush.gpu.passes import Work
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.tile_copies import TileCopies
from framebrush.gpu.stages.way import Way
from framebrush.gpu.stylizer import Counters, Settings
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.context import Context
from framebrush.gpu.webgpu.kernels import MissingKernelError
from framebrush.gpu.webgpu.native import Buffer, Readback
from framebrush.gpu.webgpu.networks.engines import CopyEngine, Engine, PainterEngine
from framebrush.gpu.webgpu.passes import Executor
from framebrush.gpu.webgpu.slot import Slot


class Network(Protocol):
    """A network bound to the tensors of each slot. name: of what runs it. note: what the user should know about it, ''
    for nothing."""

    name: str
    note: str

    def paint(self, recorder: Recorder, slot: Slot, counters: Counters) -> Recorder:
        """Record the network on a slot whose frame is recorded before. Returns what records the rest. Raises
        DeviceError."""

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""


def open_network(context: Context, settings: Settings, way: Way, executor: Executor, slots: Sequence[Slot]) -> Network:
    """The network of a stylizer. Raises DeviceError where nothing runs it, OutOfMemoryError."""
    plan, style = settings.plan, settings.style
    size = plan.tile_width, plan.tile_height
    label = f"'{style.card.name}' at {size[0]}x{size[1]}"
    model = style.fixed(*size)
    if changes_nothing(model):
        return GpuNetwork(settings, way, executor, slots, CopyEngine())
    painter = read_painter(model)
    if painter:
        stored = stored_in(style.card) if context.native.has_halves else "float32"
        try:
            return GpuNetwork(settings, way, executor, slots, _fastest(context, painter, size, stored, label))
        except MissingKernelError:  # a painter of another shape than those of the bundled styles
            pass
    return ProcessorNetwork(context, settings, slots)


def _fastest(context: Context, painter: Painter, size: Size, stored: str, label: str) -> PainterEngine:
    """The painter's kernels by the tile that is the fastest on this card. Raises MissingKernelError, OutOfMemoryError,
    DeviceLostError."""
    ways = Ways(
        {tile: partial(PainterEngine, context, painter, size, tile, stored, label) for tile in TILES},
        lambda tile: f"our shader by the tile '{tile}'",
    )
    if context.info.software:
        return ways.first().engine

    def seconds(engine: PainterEngine) -> float:
        pixels = size[0] * size[1]
        with ExitStack() as stack:
            keep = stack.enter_context
            frame, styled = (keep(closing(Buffer(context.native, 12 * pixels, "measured"))) for _ in range(2))
            run = engine.bind(frame, styled, keep(closing(Buffer(context.native, 4 * len(painter.rows), "mix"))))

            def queue() -> None:
                recorder = Recorder(context.native, "measured")
                run(recorder, ())
                recorder.submit()

            return frame_s(queue, context.wait_idle, pixels)

    layers = tuple(map(repr, painter.layers))
    return ways.fastest(
        (context.info.name, context.info.pci, context.driver, layers, size, stored, TILES), seconds
    ).engine


class GpuNetwork:
    """An engine of the plan's tile size, bound to each slot's tensors, or to a tile's that all slots share: the queue
    works in order, so one tile at a time is in them."""

    note = ""

    def __init__(self, settings: Settings, way: Way, executor: Executor, slots: Sequence[Slot], engine: Engine) -> None:
        self.name, self._executor, plan, memory = engine.name, executor, settings.plan, executor.memory
        copies = None if plan.whole else TileCopies(plan, way.frame, way.styled)
        read, written = (copies.tile, copies.styled) if copies else (way.frame, way.styled)
        self._works: tuple[Work, ...] = copies.works if copies else ()
        self._stack = ExitStack()
        try:
            self._stack.enter_context(closing(engine))
            tensors = [(memory.buffer(read, slot.index), memory.buffer(written, slot.index)) for slot in slots]
            self._runs = [engine.bind(*own, slot.mix) for own, slot in zip(tensors, slots, strict=True)]
            for work in self._works:
                for slot in slots:
                    executor.take(work, slot.index)
        except BaseException:
            self._stack.close()
            raise

    def paint(self, recorder: Recorder, slot: Slot, counters: Counters) -> Recorder:
        """See Network."""
        run, works = self._runs[slot.index], self._works
        if works:
            self._executor.record(recorder, works[0], slot.index)
        for work in works[1:] or (None,):
            run(recorder, slot.weights)
            counters.runs += 1
            if work:
                self._executor.record(recorder, work, slot.index)
        return recorder

    def close(self) -> None:
        """See Network."""
        self._stack.close()


class ProcessorNetwork:
    """ONNX Runtime on the processor, with a copy each way and a wait for the first."""

    name = "onnxruntime on the processor"

    def __init__(self, context: Context, settings: Settings, slots: Sequence[Slot]) -> None:
        from framebrush.gpu.cpu.network import Network as OnnxRuntime  # which takes its time to load
        from framebrush.gpu.cpu.network import allocate

        plan, card = settings.plan, settings.style.card
        self.note = (
            f"the network {card.title} runs on the processor: {context.info.name} runs those of the bundled paintings"
        )
        self._context = context
        self._network = OnnxRuntime(settings.style, plan, settings.mix(settings.look), moving=settings.moving)
        self._tensors = allocate(*plan.padded_size, plan.scale, card.precision)
        self._readback = Readback(context.native, slots[0].frame.size_bytes, "frame for the processor")

    def paint(self, recorder: Recorder, slot: Slot, counters: Counters) -> Recorder:
        """See Network."""
        tensors, readback = self._tensors, self._readback
        recorder.copy(readback.buffer, slot.frame, slot.frame.size_bytes)
        recorder.submit(readback)
        counters.cpu_waits += 1
        frame = readback.read()[: 4 * tensors.frame.size].view(np.float32)
        np.copyto(tensors.frame, frame.reshape(tensors.frame.shape), casting="same_kind")
        readback.free()
        counters.runs += self._network.run(tensors, slot.weights)
        slot.styled.write(np.ascontiguousarray(tensors.styled, np.float32))
        return Recorder(self._context.native, "frame behind the processor")

    def close(self) -> None:
        """See Network."""
        self._readback.close()
