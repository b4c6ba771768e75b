"""Engines of networks: own kernels, identity copy, or ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.cuda_records import BLEND, CONV, INK
from framebrush.gpu.cuda.ink_recognition import read_ink
from framebrush.gpu.cuda.kernels import Arguments, Kernel
from framebrush.gpu.cuda.native import DeviceMemory
from framebrush.gpu.cuda.painter_launches import Launch, packed, plan_launches
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.painter import FRAME, Painter, changes_nothing, read_painter

SHARED_BYTES = 80 << 10
"""Largest shared memory of a painter's group, so that two or more groups share a multiprocessor."""

GROUPS_PER_PROCESSOR = 6  # each group computes several tiles with the weights that it has loaded


class CudaEngine(Protocol):
    """Network at one size. name: None while it may change. note: for users.

    captures: its work may be captured in a CUDA graph.
    """

    name: str | None
    note: str
    captures: bool

    def bind(self, frame: Tensor, styled: Tensor, mix: int) -> Callable[[], int]:
        """Bind tensors; return a function that queues the network.

        mix: address of weights. The function returns the number of kernels.
        """

    def blend(self, weights: tuple[float, ...], mix: int) -> int:
        """Queue the mixing of weights, outside graphs; return its kernels."""

    def close(self) -> None:
        """Release the engine."""


OpenRuntime = Callable[[Context, bytes, str, str], CudaEngine]
"""Function that opens an engine for a third-party network of fixed size, by precision and label. Raises DeviceError if
the GPU cannot run it, OutOfMemoryError."""


def open_engine(
    context: Context, open_runtime: OpenRuntime, model: bytes, size: tuple[int, int], precision: str, label: str
) -> CudaEngine:
    """Open the engine for a network of a size."""
    painter = read_painter(model) if precision == "float16" else None
    if painter is not None:
        launches = plan_launches(painter, size, min(SHARED_BYTES, context.native.shared_bytes))
        if launches is not None:
            return PainterEngine(context, painter, launches, precision)
    if changes_nothing(model):
        return CopyEngine(context)
    ink = read_ink(model)
    if ink is not None:
        return InkEngine(context, ink, precision)
    return open_runtime(context, model, precision, label)


class CopyEngine:
    """Engine of the identity: copies frames."""

    name: str | None = "copy"
    note = ""
    captures = True

    def __init__(self, context: Context) -> None:
        self._stream = context.compute

    def bind(self, frame: Tensor, styled: Tensor, mix: int) -> Callable[[], int]:
        assert frame.size_bytes == styled.size_bytes
        rows = 3 * frame.size_px[1]
        width_bytes = frame.size_bytes // rows

        def run() -> int:
            self._stream.copy_rows(styled.pointer, width_bytes, frame.pointer, width_bytes, width_bytes, rows)
            return 0

        return run

    def blend(self, weights: tuple[float, ...], mix: int) -> int:
        return 0

    def close(self) -> None: ...


class InkEngine:
    """Engine of the style `ink`."""

    name: str | None = "kernels"
    note = ""
    captures = True

    def __init__(self, context: Context, weights: npt.NDArray[np.float32], precision: str) -> None:
        self._stream = context.compute
        self._kernel = context.kernel(Variant("ink", (("ELEMENT", "1" if precision == "float16" else "0"),)))
        self._weights = context.constant(weights, "ink")

    def bind(self, frame: Tensor, styled: Tensor, mix: int) -> Callable[[], int]:
        record = np.zeros((), INK)
        record["size"] = frame.size_px
        arguments = Arguments(frame.pointer, self._weights.pointer, styled.pointer, record)

        def run() -> int:
            self._kernel.launch(self._stream, frame.size_px, arguments)
            return 1

        return run

    def blend(self, weights: tuple[float, ...], mix: int) -> int:
        return 0

    def close(self) -> None:
        self._weights.close()


class PainterEngine:
    """Kernels of painters: half precision, sums in float32."""

    name: str | None = "kernels"
    note = ""
    captures = True

    def __init__(self, context: Context, painter: Painter, launches: tuple[Launch, ...], precision: str) -> None:
        self._context, self._painter, self._launches = context, painter, launches
        self._element = ("ELEMENT", "1" if precision == "float16" else "0")
        self._mix: tuple[float, ...] | None = None  # weights that were blended last
        self._stack = ExitStack()
        try:
            self._make()
        except BaseException:
            self._stack.close()
            raise

    def _make(self) -> None:
        context, launches, keep = self._context, self._launches, self._stack.enter_context
        rows, self._weight_offsets, self._bias_offsets = packed(self._painter, launches)
        biases = sum(launch.outputs for launch in launches)
        weights = rows.shape[1] - biases
        self._rows = keep(closing(context.constant(rows, "paintings")))
        self._weights = keep(closing(DeviceMemory(context.native, 2 * weights, "painter weights")))
        self._biases = keep(closing(DeviceMemory(context.native, 4 * biases, "painter biases")))
        self._one = keep(closing(context.constant(np.ones(1, np.float32), "mix of one painting")))
        self._record = np.zeros((), BLEND)
        self._record["paintings"], self._record["weights"], self._record["biases"] = rows.shape[0], weights, biases
        self._length = rows.shape[1]
        self._between = [
            keep(
                closing(
                    DeviceMemory(context.native, 2 * one.made_channels * one.made_size[0] * one.made_size[1], "painter")
                )
            )
            for one in launches[:-1]
        ]
        self._kernels = [self._kernel(number) for number in range(len(launches))]
        self._blend = context.kernel(Variant("blend"))
        if not self._painter.mixed:
            self.blend((1.0,), self._one.pointer)

    def _kernel(self, number: int) -> Kernel:
        kernel = self._context.kernel(conv_variant(self._launches, number, self._element))
        kernel.allow_shared(self._launches[number].shared_bytes)
        return kernel

    def bind(self, frame: Tensor, styled: Tensor, mix: int) -> Callable[[], int]:
        stream = self._context.compute
        calls = [
            (kernel, self._groups(launch), self._arguments(number, frame, styled), launch.shared_bytes)
            for number, (kernel, launch) in enumerate(zip(self._kernels, self._launches, strict=True))
        ]

        def run() -> int:
            for kernel, groups, arguments, shared_bytes in calls:
                kernel.launch_groups(stream, groups, arguments, shared_bytes)
            return len(calls)

        return run

    def blend(self, weights: tuple[float, ...], mix: int) -> int:
        if weights == self._mix or not weights:
            return 0
        pointers = (self._rows.pointer, mix, self._weights.pointer, self._biases.pointer)
        self._blend.launch(self._context.compute, (self._length, 1), Arguments(*pointers, self._record))
        self._mix = weights
        return 1

    def _arguments(self, number: int, frame: Tensor, styled: Tensor) -> Arguments:
        launch, layer = self._launches[number], self._launches[number].layer
        a = frame.pointer if layer.a == FRAME else self._between[layer.a].pointer
        b = 0 if layer.b is None else self._between[layer.b].pointer
        out = styled.pointer if number == len(self._launches) - 1 else self._between[number].pointer
        weights = self._weights.pointer + 2 * self._weight_offsets[number]
        biases = self._biases.pointer + 4 * self._bias_offsets[number]
        return Arguments(a, b, weights, biases, out, conv_record(launch))

    def _groups(self, launch: Launch) -> tuple[int, int]:
        native, (across, down) = self._context.native, launch.tile_counts
        fitting = native.processor_shared_bytes // (launch.shared_bytes + 1024)
        resident = native.processors * max(1, min(fitting, GROUPS_PER_PROCESSOR)) // launch.groups_of_outputs
        return min(across * down, max(1, resident)), launch.groups_of_outputs

    def close(self) -> None:
        self._stack.close()


def conv_variant(launches: Sequence[Launch], number: int, element: tuple[str, str]) -> Variant:
    """Return a layer's variant of `conv`."""
    launch, layer = launches[number], launches[number].layer
    first, last = layer.a == FRAME, number == len(launches) - 1
    sizes = {
        "CA": launch.a_channels,
        "CB": launch.b_channels,
        "SIDE": layer.side,
        "STRIDE": layer.stride,
        "COUT": launch.outputs,
        "N": launch.group_outputs,
        "TILES": launch.tiles,
    }
    kinds = {"STEM": first, "LAST": last, "RELU": layer.relu, "SHUFFLE": layer.shuffle and not last}
    defines = [(name, str(value)) for name, value in sizes.items()]
    defines += [(name, "1") for name, wanted in kinds.items() if wanted]
    return Variant("conv", (*defines, element) if first or last else tuple(defines))


def conv_record(launch: Launch) -> np.ndarray[Any, np.dtype[Any]]:
    """Make the argument `Conv` of kernels."""
    record = np.zeros((), CONV)
    record["in_w"], record["in_h"] = launch.in_size
    record["b_w"], record["b_offset"], record["pad"] = launch.b_size[0], launch.layer.crop, launch.layer.pad[0]
    record["out_w"], record["out_h"] = launch.out_size
    record["tiles_x"], record["tiles_y"] = launch.tile_counts
    return record
