"""An opened NVIDIA GPU."""

from __future__ import annotations

from contextlib import ExitStack, closing, suppress
from typing import Any
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from framebrush.gpu.copier import Copier
from framebrush.gpu.cuda.kernels import Kernel
from framebrush.gpu.cuda.native import DeviceMemory, Native, PinnedMemory, Stream, list_gpus
from framebrush.gpu.device import DeviceInfo, Diagnosis
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import DeviceFrame
from framebrush.gpu.kernel_sources import Variant


class Context:
    """Opened GPU of several stylizers. up, compute, down: streams.

    frames: unreleased, in GPU memory.
    """

    def __init__(self, info: DeviceInfo, diagnosis: Diagnosis) -> None:
        """Open a GPU. Raises DeviceError if it is gone or replaced."""
        self.info, self._diagnosis = info, diagnosis
        ordinal = next((gpu.ordinal for gpu in list_gpus() if gpu.uuid == info.uuid), None)
        if ordinal is None:
            raise DeviceError(f"{info.name} ({info.uuid}) is no longer there")
        self._kernels: dict[Variant, Kernel] = {}
        self.frames: WeakSet[DeviceFrame] = WeakSet()
        with ExitStack() as stack:
            self.native = stack.enter_context(closing(Native(ordinal)))
            if self.native.in_use.uuid != info.uuid:
                raise DeviceError(f"{info.name} ({info.uuid}) was asked for and {self.native.in_use.uuid} was opened")
            self.up, self.compute, self.down = (
                stack.enter_context(closing(Stream(self.native, name))) for name in ("upload", "compute", "download")
            )
            self.copier = stack.enter_context(closing(Copier()))
            self._stack = stack.pop_all()

    def kernel(self, variant: Variant) -> Kernel:
        """Return a kernel, compiled at first use."""
        if variant not in self._kernels:
            kernel = Kernel(self.native, variant, dump=self._diagnosis.dump_shaders)
            self._kernels[variant] = self._stack.enter_context(closing(kernel))
        return self._kernels[variant]

    def constant(self, values: npt.NDArray[Any], label: str) -> DeviceMemory:
        """Upload values, waiting for the copy."""
        with ExitStack() as on_failure:
            memory = on_failure.enter_context(closing(DeviceMemory(self.native, values.nbytes, label)))
            with closing(PinnedMemory(self.native, values.nbytes, f"{label} upload")) as pinned:
                pinned.mapped[:] = np.frombuffer(values.tobytes(), np.uint8)
                self.up.upload(memory.pointer, pinned, 0, values.nbytes)
                self.up.block()
            on_failure.pop_all()
        return memory

    def wait_idle(self) -> None:
        """Block until streams are idle, or the GPU lost."""
        with suppress(DeviceError):
            self.native.use()
            for stream in (self.up, self.compute, self.down):
                stream.block()

    def close(self) -> None:
        self.wait_idle()
        for frame in list(self.frames):
            frame.release()
        self._stack.close()
