"""NVIDIA GPUs as devices. This module loads nothing of CUDA; opening or listing a GPU does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cuda.diagnose import require
from framebrush.gpu.device import NO_DIAGNOSIS, Device, DeviceInfo, Diagnosis
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat
from framebrush.gpu.stylizer import Settings
from framebrush.gpu.surface import CallbackSurface, Surface, View

if TYPE_CHECKING:
    from framebrush.gpu.cuda.engines import Engine
    from framebrush.gpu.cuda.frame import CudaFrame
    from framebrush.gpu.cuda.kernels import Kernel, Variant
    from framebrush.gpu.cuda.native import Memory
    from framebrush.gpu.cuda.stylizer import CudaStylizer


def list_devices() -> list[DeviceInfo]:
    """Every GPU that the driver lists. Raises DeviceError saying what is missing and the command that mends it,
    AbsentError where this machine has no NVIDIA GPU."""
    require()
    return list_as("cuda")


def list_as(kind: str) -> list[DeviceInfo]:
    """Every GPU that the driver lists, as devices of a kind. Raises DeviceError."""
    from framebrush.gpu.cuda.native import list_gpus

    return [DeviceInfo(gpu.ordinal, kind, gpu.name, "NVIDIA", gpu.memory_bytes, uuid=gpu.uuid) for gpu in list_gpus()]


def open_device(info: DeviceInfo, diagnosis: Diagnosis = NO_DIAGNOSIS) -> CudaDevice:
    """Open a listed GPU. Raises DeviceError naming what is missing."""
    require()
    from framebrush.gpu.cuda.runtime import open_cuda

    return CudaDevice(info, diagnosis, open_cuda)


class CudaDevice(Device):
    """See `framebrush.gpu.device.Device`. up, compute, down: its streams. frames: in its memory, not
    released. copier: for copies in host memory. open_runtime: what runs networks that are no painters."""

    def __init__(self, info: DeviceInfo, diagnosis: Diagnosis, open_runtime: OpenRuntime) -> None:
        super().__init__(info, diagnosis)
        self.open_runtime = open_runtime
        from framebrush.gpu.cuda.native import Native, Stream, list_gpus
        from framebrush.gpu.cuda.planes import Copier

        ordinal = next((gpu.ordinal for gpu in list_gpus() if gpu.uuid == info.uuid), None)
        if ordinal is None:
            raise DeviceError(f"{info.name} ({info.uuid}) is not there any more")
        self._kernels: dict[Variant, Kernel] = {}
        self.frames: WeakSet[CudaFrame] = WeakSet()
        with ExitStack() as stack:
            self.native = stack.enter_context(closing(Native(ordinal)))
            if self.native.in_use.uuid != info.uuid:
                raise DeviceError(f"{info.name} ({info.uuid}) was asked for and {self.native.in_use.uuid} was opened")
            self.up, self.compute, self.down = (
                stack.enter_context(closing(Stream(self.native, name))) for name in ("upload", "compute", "download")
            )
            self.copier = stack.enter_context(closing(Copier()))
            self._stack = stack.pop_all()

    @property
    def decoder(self) -> tuple[str, int]:
        """See Device: NVDEC."""
        return "cuda", self.native.in_use.ordinal

    def adopt(
        self, picture: FrameFormat, pointers: Sequence[int], pitches: Sequence[int], owner: object
    ) -> DeviceFrame:
        """See Device. FFmpeg writes the planes on the legacy default stream."""
        from framebrush.gpu.cuda.frame import CudaFrame

        self._check_open()
        self.native.use()
        return CudaFrame(self, picture, tuple(pointers), tuple(pitches), owner, self.native.legacy)

    def allocate(self, picture: FrameFormat) -> DeviceFrame:
        """See Device."""
        from framebrush.gpu.cuda.frame import allocate

        self._check_open()
        return allocate(self, picture)

    @property
    def prefers_float16(self) -> bool:
        """See Device."""
        return True

    def kernel(self, variant: Variant) -> Kernel:
        """A kernel, compiled when it is first asked for. Raises DeviceError with the compiler's text."""
        from framebrush.gpu.cuda.kernels import Kernel

        if variant not in self._kernels:
            kernel = Kernel(self.native, variant, dump=self.diagnosis.dump_shaders)
            self._kernels[variant] = self._stack.enter_context(closing(kernel))
        return self._kernels[variant]

    def constant(self, values: npt.NDArray[Any], label: str) -> Memory:
        """Values in the GPU's memory, there when this returns."""
        from framebrush.gpu.cuda.native import Memory, PinnedMemory

        with ExitStack() as on_failure:
            memory = on_failure.enter_context(closing(Memory(self.native, values.nbytes, label)))
            with closing(PinnedMemory(self.native, values.nbytes, f"{label} upload")) as pinned:
                pinned.mapped[:] = np.frombuffer(values.tobytes(), np.uint8)
                self.up.upload(memory.pointer, pinned, 0, values.nbytes)
                self.up.block()
            on_failure.pop_all()
        return memory

    def wait_idle(self) -> None:
        """Sleep until every stream has finished; returns at once where the device is lost."""
        with suppress(DeviceError):
            self.native.use()
            for stream in (self.up, self.compute, self.down):
                stream.block()

    def _make_stylizer(self, settings: Settings) -> CudaStylizer:
        from framebrush.gpu.cuda.stylizer import CudaStylizer

        return CudaStylizer(settings, self, self._forget)

    def _make_surface(self, view: View) -> Surface:
        assert view.paint is not None
        return CallbackSurface(self.identity, view.paint)

    def _upload(self, frame: Frame) -> DeviceFrame:
        from framebrush.gpu.cuda.frame import upload

        return upload(self, frame)

    def _free_bytes(self) -> int:
        return self.native.free_bytes()

    def _close(self) -> None:
        self.wait_idle()
        for frame in list(self.frames):
            frame.release()
        self._stack.close()


OpenRuntime = Callable[[CudaDevice, bytes, str, str], "Engine"]
"""What opens an engine on a device for a network of a fixed size, its precision and its label. Raises DeviceError where
the GPU cannot run it, OutOfMemoryError."""
