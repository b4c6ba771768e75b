"""Networks between a slot's tensors: own kernels or ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError
from framebrush.gpu.fastest import Opened, Ways, frame_s
from framebrush.gpu.hlsl.half_check import check_halves, opened_in_halves
from framebrush.gpu.hlsl.painter_dispatches import NATIVE_TILES, TILES, Dispatch, plans, stored_in
from framebrush.gpu.painter import Painter, changes_nothing, read_painter
from framebrush.gpu.painter_reference import Picture
from framebrush.gpu.passes import Tensor, Work
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.tile_copies import TileCopies
from framebrush.gpu.stylizer import Counters
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.context import Context
from framebrush.gpu.webgpu.engines import CopyEngine, PainterEngine, WebGpuEngine
from framebrush.gpu.webgpu.kernels import MissingKernelError
from framebrush.gpu.webgpu.native import Buffer, Readback
from framebrush.gpu.webgpu.pass_executor import Executor, WebGpuResources
from framebrush.gpu.webgpu.slot import WebGpuSlot

if TYPE_CHECKING:
    import onnxruntime as ort


class Tensors(NamedTuple):
    """Input and output of a network. mixes: slots have weights."""

    frame: Tensor
    painting: Tensor
    mixes: bool = True


class WebGpuNetwork(Protocol):
    """Network bound to each slot's tensors. note: for users."""

    name: str
    note: str

    def record(self, recorder: Recorder, slot: WebGpuSlot, counters: Counters) -> Recorder:
        """Record the network; return the recorder for later commands."""

    def close(self) -> None: ...


def open_network(
    context: Context, settings: Settings, tensors: Tensors, executor: Executor, slots: Sequence[WebGpuSlot]
) -> WebGpuNetwork:
    """Open a network of a stylizer."""
    plan, style = settings.plan, settings.style
    size = plan.tile_width, plan.tile_height
    label = f"'{style.card.name}' at {size[0]}x{size[1]}"
    model = style.fixed(*size)
    if changes_nothing(model):
        return GpuNetwork(context, settings, tensors, executor, slots, CopyEngine())
    painter = read_painter(model)
    if painter:
        stored = stored_in(style.card, settings.precision) if context.native.has_halves else "float32"
        try:
            engine, _, note = _fastest(context, painter, size, stored, label)
            return GpuNetwork(context, settings, tensors, executor, slots, engine, note)
        except MissingKernelError:  # a painter of another architecture than the bundled styles
            pass
    return _by_onnxruntime(context, settings, tensors, executor.memory)


def _by_onnxruntime(context: Context, settings: Settings, tensors: Tensors, memory: WebGpuResources) -> OnnxNetwork:
    from framebrush.gpu.cpu.network import on_processor  # slow to import
    from framebrush.gpu.webgpu import onnx_plugin

    title, name, why = settings.style.card.title, context.info.name, ""
    if not context.info.software:
        try:
            note = f"the network {title} runs on {name} by ONNX Runtime, with a copy of each frame there and back"
            opened = onnx_plugin.sessions(context.info, context.driver)
            made = OnnxNetwork(context, settings, tensors, memory, onnx_plugin.NAME, note, opened)
            return made.tried(settings.mix(settings.look))
        except (OutOfMemoryError, DeviceLostError):
            raise
        except DeviceError as error:
            why = f" ({error})"
    note = f"the network {title} runs on the processor: {name} runs those of the bundled paintings{why}"
    return OnnxNetwork(context, settings, tensors, memory, "onnxruntime on the processor", note, on_processor)


def _fastest(context: Context, painter: Painter, size: Size, stored: str, label: str) -> Opened[PainterEngine]:
    found: dict[str, Callable[[], PainterEngine]] = {}
    for tile, dispatches in plans(painter, size, native=stored == "float16").items():
        make = partial(PainterEngine, context, painter, tile, dispatches, stored, label)
        found[tile] = partial(opened_in_halves, make) if tile in NATIVE_TILES else make
    if not found:
        raise MissingKernelError(f"a layer of {label} has more weights than threads can share")
    ways = Ways(found, lambda tile: f"our shader by the tile '{tile}'")
    if context.info.software:
        return ways.first()

    def seconds(engine: PainterEngine) -> float:
        if any(one.tile.native for one in engine.dispatches):
            check_halves(context.info.name, painter, engine.dispatches, partial(painted, context))
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
    facts = context.info.name, context.info.pci, context.driver, layers, size, stored, TILES, NATIVE_TILES
    return ways.fastest(facts, seconds)


def painted(
    context: Context, painter: Painter, dispatches: Sequence[Dispatch], frame: Picture, mix: Sequence[float]
) -> Picture:
    """See `half_check.Paint`."""
    with ExitStack() as stack:
        keep = stack.enter_context
        given = keep(closing(context.constant(frame.astype(np.float32), "check")))
        shares = keep(closing(context.constant(np.array(mix, np.float32), "check")))
        styled = keep(closing(Buffer(context.native, given.size_bytes, "check")))
        engine = keep(closing(PainterEngine(context, painter, "check", dispatches, "float16", "check")))
        readback = keep(closing(Readback(context.native, given.size_bytes, "check")))
        run, recorder = engine.bind(given, styled, shares), Recorder(context.native, "check")
        run(recorder, tuple(mix))  # it owns the bindings, which the recorder reads at the end
        recorder.copy(readback.buffer, styled, given.size_bytes)
        recorder.submit(readback)
        return readback.read().view(np.float32).reshape(frame.shape).astype(np.float64)


class GpuNetwork:
    """Engine at the tile size. Tiles share tensors."""

    def __init__(
        self,
        context: Context,
        settings: Settings,
        tensors: Tensors,
        executor: Executor,
        slots: Sequence[WebGpuSlot],
        engine: WebGpuEngine,
        note: str = "",
    ) -> None:
        self.name, self.note, self._executor, plan = engine.name, note, executor, settings.plan
        memory = executor.memory
        copies = None if plan.whole else TileCopies(plan, tensors.frame, tensors.painting)
        read, written = (copies.tile, copies.styled) if copies else (tensors.frame, tensors.painting)
        self._weights = None if tensors.mixes else settings.mix(settings.look)
        self._works: tuple[Work, ...] = copies.works if copies else ()
        self._stack = ExitStack()
        try:
            self._stack.enter_context(closing(engine))
            mix = None
            if self._weights:
                weights = context.constant(np.array(self._weights, np.float32), f"mix of {settings.style.card.name}")
                mix = self._stack.enter_context(closing(weights))
            self._runs = [
                engine.bind(
                    memory.buffer(read, slot.index),
                    memory.buffer(written, slot.index),
                    slot.mix if tensors.mixes else mix,
                )
                for slot in slots
            ]
            for work in self._works:
                for slot in slots:
                    executor.allocate(work, slot.index)
        except BaseException:
            self._stack.close()
            raise

    def record(self, recorder: Recorder, slot: WebGpuSlot, counters: Counters) -> Recorder:
        run, works = self._runs[slot.index], self._works
        if works:
            self._executor.record(recorder, works[0], slot.index)
        for work in works[1:] or (None,):
            run(recorder, slot.weights if self._weights is None else self._weights)
            counters.runs += 1
            if work:
                self._executor.record(recorder, work, slot.index)
        return recorder

    def close(self) -> None:
        self._stack.close()


class OnnxNetwork:
    """ONNX Runtime in host memory, with copies both ways."""

    def __init__(
        self,
        context: Context,
        settings: Settings,
        tensors: Tensors,
        memory: WebGpuResources,
        name: str,
        note: str,
        opened: Callable[[bytes], ort.InferenceSession],
    ) -> None:
        from framebrush.gpu.cpu.network import Network as OnnxRuntime
        from framebrush.gpu.cpu.network import allocate

        self.name, self.note, self._context = name, note, context
        plan, mix = settings.plan, settings.mix(settings.look)
        self._weights = None if tensors.mixes else mix
        self._frames, self._memory = tensors, memory
        self._network = OnnxRuntime(settings.style, plan, mix, moving=settings.moving, opened=opened)
        self._tensors = allocate(*plan.padded_size, plan.scale, settings.style.card.precision)
        self._readback = Readback(context.native, memory.buffer(tensors.frame, 0).size_bytes, "frame for ONNX Runtime")

    def tried(self, mix: tuple[float, ...]) -> OnnxNetwork:
        """Run once and return self, or close and raise DeviceError."""
        try:
            self._tensors.frame[:] = 0
            self._network.run(self._tensors, mix)
        except DeviceError:
            self.close()
            raise
        return self

    def record(self, recorder: Recorder, slot: WebGpuSlot, counters: Counters) -> Recorder:
        tensors, readback = self._tensors, self._readback
        given, painting = (
            self._memory.buffer(tensor, slot.index) for tensor in (self._frames.frame, self._frames.painting)
        )
        recorder.copy(readback.buffer, given, given.size_bytes)
        recorder.submit(readback)
        counters.cpu_waits += 1
        frame = readback.read()[: 4 * tensors.frame.size].view(np.float32)
        np.copyto(tensors.frame, frame.reshape(tensors.frame.shape), casting="same_kind")
        readback.free()
        try:
            counters.runs += self._network.run(tensors, slot.weights if self._weights is None else self._weights)
        except DeviceError:
            self._context.native.check()  # ONNX Runtime's message would not name a lost card
            raise
        painting.write(np.ascontiguousarray(tensors.styled, np.float32))
        return Recorder(self._context.native, "frame behind ONNX Runtime")

    def close(self) -> None:
        self._readback.close()
