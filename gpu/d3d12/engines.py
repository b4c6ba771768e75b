"""Engines of networks: own kernels for painters, else DirectML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from typing import Protocol

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import BufferView, typed
from framebrush.gpu.d3d12.directml import BoundTensor, Levers
from framebrush.gpu.d3d12.fenced_queue import CommandList
from framebrush.gpu.d3d12.hlsl_sources import Typed
from framebrush.gpu.d3d12.kernels import Kernel
from framebrush.gpu.d3d12.native import begin_event
from framebrush.gpu.d3d12.resources import Buffer, ConstantBuffers
from framebrush.gpu.d3d12.tensor import ELEMENTS_LIMIT, TensorBuffer, view_of
from framebrush.gpu.errors import TRY_TILES, DeviceError
from framebrush.gpu.hlsl.hlsl_records import BLEND
from framebrush.gpu.hlsl.painter_dispatches import Dispatch, conv_record, conv_variant, packed, shared_buffers
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.painter import FRAME, Painter
from framebrush.gpu.painter_plan import last_uses
from framebrush.gpu.passes import ElementType

VECTOR = "float32x4"  # of weights


class D3D12Engine(Protocol):
    """Network at one size."""

    def bind(self, frame: TensorBuffer, styled: TensorBuffer, mix: Buffer | None) -> Callable[[tuple[float, ...]], int]:
        """Bind tensors; return a function that queues the network.

        It takes changed weights, or (), and returns its kernels' number.
        """

    def close(self) -> None:
        """Release the engine, while the device is idle."""


class DirectMLEngine:
    """Session of ONNX Runtime."""

    def __init__(self, context: Context, model: bytes, label: str, levers: Levers) -> None:
        """Open a session. Raises DeviceError without DirectML or an operator."""
        self._context, self._stack = context, ExitStack()
        self._session = self._stack.enter_context(closing(context.directml.session(model, label, levers)))

    def bind(self, frame: TensorBuffer, styled: TensorBuffer, mix: Buffer | None) -> Callable[[tuple[float, ...]], int]:
        inputs = {"frame": self._tensor(frame.buffer, frame.shape, frame.precision)}
        if mix:
            inputs["mix"] = self._tensor(mix, (1, mix.size_bytes // 4), "float32")
        outputs = {"styled": self._tensor(styled.buffer, styled.shape, styled.precision)}
        binding = self._session.bind(
            {name: bound.tensor for name, bound in inputs.items()},
            {name: bound.tensor for name, bound in outputs.items()},
        )
        self._stack.enter_context(closing(binding))

        def run(weights: tuple[float, ...]) -> int:
            self._context.compute.submit()  # the network's inputs
            self._session.run(binding)
            return 0

        def run_marked(weights: tuple[float, ...]) -> int:
            compute = self._context.compute
            compute.submit()
            begin_event(compute.com, "network")
            try:
                return run(weights)
            finally:
                compute.com.EndEvent()

        return run_marked if self._context.native.markers else run

    def _tensor(self, buffer: Buffer, shape: tuple[int, ...], precision: str) -> BoundTensor:
        return self._stack.enter_context(closing(BoundTensor(self._context.directml, buffer, shape, precision)))

    def close(self) -> None:
        """Release bindings, tensors, session, in this order."""
        self._stack.close()


class PainterEngine:
    """Kernels of the painter, with float32 weights."""

    def __init__(
        self,
        context: Context,
        painter: Painter,
        dispatches: Sequence[Dispatch],
        stored: str,
        label: str,
    ) -> None:
        self._context, self._painter, self.dispatches = context, painter, dispatches
        self._stored, self._label = stored, label
        self.native = any(one.tile.native for one in dispatches)
        self._mixed: tuple[float, ...] | None = None  # weights in the mixed buffers
        self._stack = ExitStack()
        try:
            self._make()
        except BaseException:
            self._stack.close()
            raise

    def _make(self) -> None:
        context, dispatches, keep = self._context, self.dispatches, self._stack.enter_context
        default = D.D3D12_HEAP_TYPE_DEFAULT
        rows = packed(self._painter, dispatches)
        paintings, self._fours = rows.shape[0], rows.shape[1] // 4
        of_rows = keep(closing(context.constant(rows, f"paintings of {self._label}")))
        self._rows = view_of(of_rows, VECTOR, paintings * self._fours)
        name = f"weights of {self._label}"
        memory = keep(closing(Buffer(context.native, 16 * self._fours, name, heap=default, unordered=True)))
        self._weights = view_of(memory, VECTOR, self._fours)
        self._one = keep(closing(context.constant(np.ones(1, np.float32), f"mix of {self._label}")))
        places, elements = shared_buffers(dispatches, last_uses(self._painter.layers))
        element = f"{self._stored}x4"
        element_bytes = ElementType.of(element).size_bytes
        if max(elements, default=0) > ELEMENTS_LIMIT:
            raise DeviceError(f"{self._label} has layers of more than {ELEMENTS_LIMIT} elements", do=TRY_TILES)
        name = f"layers of {self._label}"
        buffers = [
            keep(closing(Buffer(context.native, element_bytes * count, name, heap=default, unordered=True)))
            for count in elements
        ]
        made = [(buffers[place], one.made_pieces) for place, one in zip(places, dispatches[:-1], strict=True)]
        self._between = {
            native: [view_of(buffer, kind, count) for buffer, count in made]
            for native, kind in ((False, element), (True, f"struct{element_bytes}"))
        }
        """Views of layers' results, by whether a kernel is native."""
        self._records = keep(closing(ConstantBuffers(context.native, 1 + len(dispatches), self._label)))
        blend = np.zeros((), BLEND)
        blend["paintings"], blend["fours"] = paintings, self._fours
        self._blend_constants = self._records.write(0, blend)
        self._constants, first = list[int](), 0
        for number, one in enumerate(dispatches, start=1):
            self._constants.append(self._records.write(number, conv_record(one, first)))
            first += one.vectors
        self._variants = [conv_variant(dispatches, number, self._stored) for number in range(len(dispatches))]
        tensor = view_of(memory, "float32", 1)
        self._kernels(self._bound(tensor, tensor))  # a driver that refuses one is found here
        kind = D.D3D12_COMMAND_LIST_TYPE_COMPUTE
        self._recorder = keep(closing(Recorder(context.native, kind, self._label, context.descriptors)))
        if not self._painter.mixed:
            context.compute.execute(self._record_blend(self._one))
            context.compute.signal().block()

    def _record_blend(self, mix: Buffer) -> CommandList:
        context, keep = self._context, self._stack.enter_context
        shares = view_of(mix, "float32", mix.size_bytes // 4)
        reads = keep(closing(context.descriptors.read(self._rows, shares)))
        writes = keep(closing(context.descriptors.write(self._weights)))
        kernel = context.kernel(Variant("blend"), reads, writes)
        self._recorder.begin("blend").dispatch(kernel, reads, writes, self._blend_constants, (self._fours, 1))
        return self._recorder.end()

    def bind(self, frame: TensorBuffer, styled: TensorBuffer, mix: Buffer | None) -> Callable[[tuple[float, ...]], int]:
        blend = self._record_blend(mix) if mix and self._painter.mixed else None
        layers, compute = self._record_layers(frame, styled), self._context.compute

        def run(weights: tuple[float, ...]) -> int:
            kernels = layers.dispatches
            if blend and weights and weights != self._mixed:
                compute.execute(blend)
                self._mixed, kernels = weights, kernels + blend.dispatches
            compute.execute(layers)
            return kernels

        return run

    def _record_layers(self, frame: TensorBuffer, styled: TensorBuffer) -> CommandList:
        views, keep, recorder = self._context.descriptors, self._stack.enter_context, self._recorder
        recorder.begin("network")
        bound = self._bound(frame.view, styled.view)
        layers = zip(self._kernels(bound), bound, self.dispatches, self._constants, strict=True)
        for kernel, (read, made), one, constants in layers:
            reads, writes = keep(closing(views.read(*read))), keep(closing(views.write(made)))
            recorder.dispatch(kernel, reads, writes, constants, (one.threads, 1), one.groups)
        return recorder.end()

    def _bound(self, frame: BufferView, styled: BufferView) -> list[tuple[list[BufferView], BufferView]]:
        found = []
        for number, one in enumerate(self.dispatches):
            between, first, last = self._between[one.tile.native], frame, styled
            if one.tile.native:
                first, last = first.as_elements(), last.as_elements()  # ENDS_TYPED
            a = first if one.layer.a == FRAME else between[one.layer.a]
            b = a if one.layer.b is None else between[one.layer.b]  # every descriptor has to be filled
            made = last if number == len(self.dispatches) - 1 else between[number]
            found.append(([a, b, self._weights], made))
        return found

    def _kernels(self, bound: list[tuple[list[BufferView], BufferView]]) -> list[Kernel]:
        registers = [Typed(typed(read), typed([made])) for read, made in bound]
        return self._context.kernels(list(zip(self._variants, registers, strict=True)))

    def close(self) -> None:
        self._stack.close()
