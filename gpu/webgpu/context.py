"""An opened WebGPU adapter."""

from __future__ import annotations

from contextlib import ExitStack, closing, suppress
from typing import Any
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from framebrush.gpu.copier import Copier
from framebrush.gpu.device import DeviceInfo, Diagnosis
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import DeviceFrame
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.webgpu import adapters
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.kernels import split_variant
from framebrush.gpu.webgpu.native import Buffer, Native, Readback
from framebrush.gpu.webgpu.pipelines import Kernel


class Context:
    """Opened adapter of several stylizers and surfaces.

    frames: unreleased, in GPU memory. nothing: for unused bindings.
    """

    def __init__(self, info: DeviceInfo, diagnosis: Diagnosis) -> None:
        self.info, self._diagnosis = info, diagnosis
        adapter = adapters.find_adapter(info)
        self.driver = adapters.driver_of(adapter)
        self.frames: WeakSet[DeviceFrame] = WeakSet()
        self._kernels: dict[Variant, Kernel] = {}
        with ExitStack() as stack:
            self.native = stack.enter_context(closing(Native(adapter, info.name)))
            self.nothing = stack.enter_context(closing(Buffer(self.native, 16, "nothing")))
            self.copier = stack.enter_context(closing(Copier()))
            self._stack = stack.pop_all()

    def kernel(self, variant: Variant) -> Kernel:
        """Return a kernel, compiled at first use."""
        if variant not in self._kernels:
            text, options = split_variant(variant)
            self._kernels[variant] = Kernel(self.native, text, options, self.nothing, dump=self._diagnosis.dump_shaders)
        return self._kernels[variant]

    def constant(self, values: npt.NDArray[Any], label: str) -> Buffer:
        """Upload values for later kernels."""
        buffer = Buffer(self.native, values.nbytes, label)
        buffer.write(np.frombuffer(values.tobytes().ljust(-(-values.nbytes // 4) * 4, b"\0"), np.uint8))
        return buffer

    def wait_idle(self) -> None:
        """Block until work is done, or the device lost."""
        with suppress(DeviceError), closing(Readback(self.native, 16, "the end of the queue")) as end:
            recorder = Recorder(self.native, "the end of the queue")
            recorder.copy(end.buffer, self.nothing, 16)
            recorder.submit(end)
            end.wait()

    def close(self) -> None:
        for frame in list(self.frames):
            frame.release()
        self._kernels.clear()
        self._stack.close()
