"""Engines of networks: kernels for painters, copies for the identity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from typing import Protocol, TypeAlias

import numpy as np

from framebrush.gpu.hlsl.hlsl_records import BLEND
from framebrush.gpu.hlsl.painter_dispatches import Dispatch, conv_record, conv_variant, packed, shared_buffers
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.painter import FRAME, Painter
from framebrush.gpu.painter_plan import last_uses
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.context import Context
from framebrush.gpu.webgpu.native import Buffer
from framebrush.gpu.webgpu.pass_executor import uniform

STORED_BYTES = {"float32": 16, "float16": 8}
"""Bytes of four numbers of an intermediate tensor."""

Run: TypeAlias = Callable[[Recorder, tuple[float, ...]], None]
"""Function that records a network. Arguments: the recorder, and the weights of paintings, () if they have not changed.
"""


class WebGpuEngine(Protocol):
    """Network at one size. name: for users."""

    name: str

    def bind(self, frame: Buffer, styled: Buffer, mix: Buffer | None) -> Run:
        """Bind tensors; return a function that records the network."""

    def close(self) -> None: ...


class CopyEngine:
    """Engine of the identity: copies frames."""

    name = "copy"

    def bind(self, frame: Buffer, styled: Buffer, mix: Buffer | None) -> Run:
        return lambda recorder, weights: recorder.copy(styled, frame, frame.size_bytes)

    def close(self) -> None: ...


class PainterEngine:
    """Kernels of the painter, with float32 weights. name: of their tile."""

    def __init__(
        self, context: Context, painter: Painter, name: str, dispatches: Sequence[Dispatch], stored: str, label: str
    ) -> None:
        """Build kernels. stored: key of STORED_BYTES. Raises MissingKernelError."""
        self.name, self.dispatches = f"shader {name}", dispatches
        self._context, self._painter, self._stored, self._label = context, painter, stored, label
        self._mixed: tuple[float, ...] | None = None  # weights of paintings in the mixed buffers
        self._stack = ExitStack()
        try:
            self._make()
        except BaseException:
            self._stack.close()
            raise

    def _make(self) -> None:
        context, dispatches, keep = self._context, self.dispatches, self._stack.enter_context
        self._kernels = [
            context.kernel(conv_variant(dispatches, number, self._stored)) for number in range(len(dispatches))
        ]
        rows = packed(self._painter, dispatches)
        paintings, self._fours = rows.shape[0], rows.shape[1] // 4
        label = f"weights of {self._label}"
        if self._painter.mixed:
            self._rows = keep(closing(context.constant(rows, f"paintings of {self._label}")))
            self._weights = keep(closing(Buffer(context.native, STORED_BYTES["float32"] * self._fours, label)))
            record = np.zeros((), BLEND)
            record["paintings"], record["fours"] = paintings, self._fours
            self._blend, self._blend_constants = context.kernel(Variant("blend")), self._uniform(record.tobytes())
        else:
            self._weights = keep(closing(context.constant(rows, label)))
        places, elements = shared_buffers(dispatches, last_uses(self._painter.layers))
        buffers = [
            keep(closing(Buffer(context.native, STORED_BYTES[self._stored] * count, f"layers of {self._label}")))
            for count in elements
        ]
        self._between = [buffers[place] for place in places]
        self._constants, first = list[Buffer](), 0
        for one in dispatches:
            self._constants.append(self._uniform(conv_record(one, first).tobytes()))
            first += one.vectors

    def _uniform(self, content: bytes) -> Buffer:
        return self._stack.enter_context(closing(uniform(self._context, content, f"constants of {self._label}")))

    def bind(self, frame: Buffer, styled: Buffer, mix: Buffer | None) -> Run:
        runs = []
        layers = zip(self._kernels, self.dispatches, self._constants, strict=True)
        for number, (kernel, one, constants) in enumerate(layers):
            a = frame if one.layer.a == FRAME else self._between[one.layer.a]
            b = a if one.layer.b is None else self._between[one.layer.b]
            made = styled if number == len(self.dispatches) - 1 else self._between[number]
            reads = (a.bound(), b.bound(), self._weights.bound())
            bindings = kernel.bind(reads, (made.bound(),), constants.bound())
            runs.append((kernel, bindings, kernel.groups((one.threads, 1)), one.groups))
        blend = None
        if self._painter.mixed:
            assert mix is not None
            paintings = (self._rows.bound(), mix.bound())
            blend = self._blend.bind(paintings, (self._weights.bound(),), self._blend_constants.bound())

        def run(recorder: Recorder, weights: tuple[float, ...]) -> None:
            if blend and weights and weights != self._mixed:
                recorder.dispatch(self._blend, blend, self._blend.groups((self._fours, 1)))
                self._mixed = weights
            for kernel, bindings, groups, groups_z in runs:
                recorder.dispatch(kernel, bindings, groups, groups_z)

        return run

    def close(self) -> None:
        self._stack.close()
