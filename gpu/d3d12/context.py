"""Opened Direct3D 12 adapter."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from typing import Any

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.copier import Copier
from framebrush.gpu.d3d12 import adapters
from framebrush.gpu.d3d12.commands import READ, Recorder
from framebrush.gpu.d3d12.descriptors import Descriptors, Table
from framebrush.gpu.d3d12.directml import DirectML
from framebrush.gpu.d3d12.fenced_queue import FencePoint, OutsideFence, Queue
from framebrush.gpu.d3d12.hlsl_sources import Typed
from framebrush.gpu.d3d12.kernels import Kernel, compile_together
from framebrush.gpu.d3d12.native import Native
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.device import DeviceInfo, Diagnosis
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import DeviceFrame
from framebrush.gpu.kernel_sources import Variant

# Measured on an H200: one thread is faster for 1280x720, several for 1920x1080.
COPIED_BYTES = 1 << 20
"""Bytes that one thread copies at a time."""


class Context:
    """Opened adapter of several stylizers and swap chains.

    frames: unreleased, in GPU memory. outside: other programs' fences.
    """

    def __init__(self, info: DeviceInfo, diagnosis: Diagnosis) -> None:
        self.diagnosis = diagnosis
        self._kernels: dict[tuple[Variant, Typed], Kernel] = {}
        self._stack = ExitStack()
        self.frames: list[DeviceFrame] = []
        self.outside: set[OutsideFence] = set()
        self._retired: list[tuple[FencePoint, ExitStack]] = []
        factory = adapters.open_factory()
        try:
            adapter = adapters.open_adapter(factory, info)
            try:
                self.native = Native(adapter, debug=diagnosis.debug, markers=diagnosis.markers)
            except DeviceError as error:
                raise DeviceError(
                    f"'{info.name}' has no working Direct3D 12 ({error}); install or update the driver from its maker"
                ) from error
            finally:
                adapter.Release()
        finally:
            factory.Release()
        self._stack.enter_context(closing(self.native))
        try:
            self.info = self._in_use(info)
            self._make()
        except BaseException:
            self._stack.close()
            raise

    def _in_use(self, asked: DeviceInfo) -> DeviceInfo:
        # the device may report another adapter than the requested one
        luid = self.native.luid
        for info in adapters.list_adapters():
            if info.luid == luid:
                return info
        raise DeviceError(f"the device for '{asked.name}' runs on an adapter that DXGI does not list (LUID {luid:#x})")

    def _make(self) -> None:
        keep = self._stack.enter_context

        def queue(kind: int, label: str, *, no_timeout: bool = False) -> Queue:
            return keep(closing(Queue(self.native, kind, label, no_timeout=no_timeout)))

        self.copy = queue(D.D3D12_COMMAND_LIST_TYPE_COPY, "upload queue")
        self.download = queue(D.D3D12_COMMAND_LIST_TYPE_COPY, "readback queue")
        self.compute = queue(D.D3D12_COMMAND_LIST_TYPE_COMPUTE, "compute queue", no_timeout=True)
        self.direct = queue(D.D3D12_COMMAND_LIST_TYPE_DIRECT, "screen queue")
        self.descriptors = keep(closing(Descriptors(self.native)))
        self.copier = keep(closing(Copier(COPIED_BYTES)))
        self._directml: DirectML | None = None

    @property
    def live_count(self) -> int:
        """Number of living native objects, ONNX Runtime's included."""
        return self.native.live_count + (sum(self._directml.ort.live.values()) if self._directml else 0)

    @property
    def directml(self) -> DirectML:
        """DirectML provider, loaded at first use."""
        if self._directml is None:
            try:
                made = DirectML(self.native, self.compute)
            except OSError as error:
                raise DeviceError(f"DirectML cannot be loaded: {error}") from error
            self._directml = self._stack.enter_context(closing(made))
        return self._directml

    def kernel(self, variant: Variant, reads: Table, writes: Table) -> Kernel:
        """Return a kernel for views, compiled at first use."""
        return self.kernels([(variant, Typed(reads.typed, writes.typed))])[0]

    def kernels(self, wanted: Sequence[tuple[Variant, Typed]]) -> list[Kernel]:
        """Return kernels, compiled together at first use."""
        missing = [key for key in dict.fromkeys(wanted) if key not in self._kernels]
        if len(missing) > 1:
            compile_together(missing)
        for key in missing:
            kernel = Kernel(self.native, *key, dump=self.diagnosis.dump_shaders)
            self._kernels[key] = self._stack.enter_context(closing(kernel))
        return [self._kernels[key] for key in wanted]

    def constant(self, values: npt.NDArray[Any], label: str, *, unordered: bool = False) -> Buffer:
        """Create a read-only GPU buffer. unordered: for DirectML."""
        buffer = Buffer(self.native, values.nbytes, label, heap=D.D3D12_HEAP_TYPE_DEFAULT, unordered=unordered)
        with ExitStack() as on_failure, ExitStack() as stack:
            on_failure.callback(buffer.close)
            memory = Buffer(self.native, values.nbytes, f"{label} upload", heap=D.D3D12_HEAP_TYPE_UPLOAD)
            stack.enter_context(closing(memory))
            memory.mapped[:] = np.frombuffer(values.tobytes(), np.uint8)
            recorder = Recorder(self.native, D.D3D12_COMMAND_LIST_TYPE_COPY, label)
            stack.enter_context(closing(recorder))
            recorder.begin().copy_bytes(buffer, 0, memory, 0, values.nbytes)
            self.copy.execute(recorder.end())
            self.copy.signal().block()
            on_failure.pop_all()
        buffer.resting = READ  # reads promote a buffer that is never written, so lists need no transition
        return buffer

    def retire(self, point: FencePoint, memory: ExitStack) -> None:
        """Free memory after a fence point."""
        waiting = []
        for entry in [*self._retired, (point, memory)]:
            if entry[0].reached:
                entry[1].close()
            else:
                waiting.append(entry)
        self._retired = waiting

    def wait_idle(self) -> None:
        """Block until queues are idle, or the device lost."""
        self._let_pass()
        for queue in (self.copy, self.compute, self.direct, self.download):
            queue.idle()

    def _let_pass(self) -> None:
        for fence in tuple(self.outside):
            fence.let_pass()

    def close(self) -> None:
        self.wait_idle()
        for frame in list(self.frames):
            frame.release()
        self._let_pass()
        for point, memory in self._retired:
            with suppress(DeviceLostError):
                point.block()
            memory.close()
        self._retired.clear()
        self._stack.close()
