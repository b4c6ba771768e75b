"""NVIDIA GPUs as devices. Listing or opening one loads CUDA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framebrush.gpu.cuda.diagnose import require
from framebrush.gpu.device import NO_DIAGNOSIS, Arithmetic, Device, DeviceInfo, Diagnosis
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, PlaneAddresses, SharedPlanes
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import StageBytes

if TYPE_CHECKING:
    from framebrush.gpu.cuda.engines import OpenRuntime
    from framebrush.gpu.cuda.stylizer import CudaStylizer


def list_devices() -> list[DeviceInfo]:
    """List the driver's GPUs. Raises DeviceError, AbsentError."""
    require()
    return list_as("cuda")


def list_as(kind: str) -> list[DeviceInfo]:
    """List the driver's GPUs as a kind."""
    from framebrush.gpu.cuda.native import list_gpus

    return [DeviceInfo(gpu.ordinal, kind, gpu.name, "NVIDIA", gpu.memory_bytes, uuid=gpu.uuid) for gpu in list_gpus()]


def open_device(info: DeviceInfo, diagnosis: Diagnosis = NO_DIAGNOSIS) -> CudaDevice:
    """Open a listed GPU. Raises DeviceError naming a missing part."""
    require()
    from framebrush.gpu.cuda.onnx_runtime import open_cuda

    return CudaDevice(info, diagnosis, open_cuda)


class CudaDevice(Device):
    """NVIDIA GPU. open_runtime: for networks other than painters."""

    def __init__(self, info: DeviceInfo, diagnosis: Diagnosis, open_runtime: OpenRuntime) -> None:
        super().__init__(info, diagnosis)
        from framebrush.gpu.cuda.context import Context

        self.context, self._open_runtime = Context(info, diagnosis), open_runtime

    @property
    def identity(self) -> object:
        return self.context

    @property
    def driver(self) -> str:
        """Driver's release, or its CUDA version without NVML."""
        from cuda.core import system

        try:
            release, *rest = system.get_kernel_mode_driver_version()
            return ".".join([str(release), *(f"{part:02}" for part in rest)])
        except (RuntimeError, system.NvmlError):
            return "CUDA {}.{}".format(*system.get_user_mode_driver_version())

    @property
    def decoder(self) -> tuple[str, int]:
        """NVDEC with the GPU's number."""
        return "cuda", self.context.native.in_use.ordinal

    def adopt(self, picture: FrameFormat, planes: PlaneAddresses | SharedPlanes) -> DeviceFrame:
        """Wrap planes that FFmpeg writes on the legacy default stream."""
        from framebrush.gpu.cuda.frame import CudaFrame

        self._check_open()
        if not isinstance(planes, PlaneAddresses):
            return super().adopt(picture, planes)
        native = self.context.native
        native.use()
        return CudaFrame(
            self.context, picture, tuple(planes.pointers), tuple(planes.pitches), planes.owner, native.legacy
        )

    def allocate(self, picture: FrameFormat, *, packed: bool = False) -> DeviceFrame:
        from framebrush.gpu.cuda.frame import allocate

        self._check_open()
        return allocate(self.context, picture, packed=packed)

    @property
    def arithmetic(self) -> Arithmetic:
        major, minor = divmod(self.context.native.in_use.capability, 10)
        return Arithmetic(f"compute capability {major}.{minor}", native=True, precision="float16")

    @property
    def prefers_float16(self) -> bool:
        return True

    def _make_stylizer(self, settings: Settings) -> CudaStylizer:
        from framebrush.gpu.cuda.stylizer import CudaStylizer

        return CudaStylizer(settings, self.context, self._open_runtime, self._forget)

    def _upload(self, frame: Frame) -> DeviceFrame:
        from framebrush.gpu.cuda.frame import upload

        return upload(self.context, frame)

    def _free_bytes(self) -> int:
        return self.context.native.free_bytes()

    def _stage_bytes(self, settings: Settings) -> StageBytes:
        from framebrush.gpu.cuda.finishing import stage_bytes

        return stage_bytes(settings)

    def _close(self) -> None:
        self.context.close()
