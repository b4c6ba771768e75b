"""wgpu, which runs WebGPU on Vulkan or Metal: the one gate for its errors, and memory with a label and an end.

What is made once is made by the package's classes. What happens in every frame calls the functions of its native
library, which takes a tenth of the time: the package wraps each call in one that catches errors, `native_errors` many
of them in one.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt
import wgpu
from wgpu.backends.wgpu_native import GPUShaderModule, ffi, lib
from wgpu.backends.wgpu_native._api import error_handler, from_c_string_view
from wgpu.backends.wgpu_native.extras import set_instance_extras

from framebrush.gpu.errors import DeviceError
from framebrush.gpu.sizes import Size
from framebrush.gpu.webgpu.errors import failure, too_large

BACKEND = "Metal" if sys.platform == "darwin" else "Vulkan"
"""What WebGPU runs on. Not OpenGL, which lacks half of it, nor Direct3D 12, for which there is a backend of its own."""

FULL_PERCENT = 95
"""Of the memory that the driver grants this process: what would take more is refused in place of being swapped."""

PLANE_ALIGNMENT = 256
"""Bytes that what is bound begins at a multiple of: no adapter asks for more."""

LIMITS = {
    "max-compute-invocations-per-workgroup": 512,
    "max-compute-workgroup-size-x": 512,
    "max-compute-workgroup-storage-size": 16384,
    "max-storage-buffers-per-shader-stage": 8,
    "max-storage-textures-per-shader-stage": 4,
}
"""What the kernels need; most of it is what WebGPU promises anyway, and all graphics cards have the rest."""

ASKED = ("max-buffer-size", "max-storage-buffer-binding-size", "max-texture-dimension-2d", *LIMITS)
"""Of the limits of an adapter: those that are asked for in full."""

RUNTIME_CHECKS = lib.WGPUShaderRuntimeChecks_BoundsChecks if BACKEND == "Metal" else lib.WGPUShaderRuntimeChecks_None
"""What is added to kernels. Ours end their loops and stay within their arrays; what lies in buffers and textures Vulkan
guards by itself."""

TIMESTAMPS = ("timestamp-query", "timestamp-query-inside-encoders")
HALVES = "shader-f16"

USAGE = wgpu.BufferUsage
STORAGE = USAGE.STORAGE | USAGE.COPY_DST | USAGE.COPY_SRC

logging.getLogger("wgpu").addHandler(logging.NullHandler())  # all that it logs is raised, too
logging.getLogger("wgpu").propagate = False


@contextmanager
def native_errors(what: str) -> Iterator[None]:
    """Turn the errors of wgpu, whose types share no base but Exception, and what its library reports meanwhile, into
    DeviceError, OutOfMemoryError or DeviceLostError."""
    error_handler.capture(what)
    try:
        yield
    except DeviceError:
        raise
    except (wgpu.GPUError, RuntimeError, MemoryError) as error:
        full = "out of memory" if isinstance(error, MemoryError) else ""
        raise failure(f"{full}\n{error}", what) from error
    finally:
        reported = error_handler.release(what)
    if reported:
        raise failure("\n".join(reported), what)


@cache
def _start() -> None:
    """Choose the backend, once for the process: an instance of another program's stays as it is."""
    if sys.platform == "linux" and "XDG_RUNTIME_DIR" not in os.environ:
        # A layer of Mesa's that orders adapters for a screen, of which there is none: it complains for every adapter.
        os.environ.setdefault("NODEVICE_SELECT", "1")
    try:
        set_instance_extras(backends=[BACKEND], budget_for_device_creation=FULL_PERCENT, budget_for_device_loss=100)
    except RuntimeError:
        return


def adapters() -> list[wgpu.GPUAdapter]:
    """Every adapter, in the driver's order. Raises DeviceError."""
    with native_errors("listing the adapters of WebGPU"):
        _start()
        found = wgpu.gpu.enumerate_adapters_sync()
    return [adapter for adapter in found if adapter.info["backend_type"] == BACKEND]


class Native:
    """An opened adapter. label: its name. limits: what its device takes, by WebGPU's names."""

    def __init__(self, adapter: wgpu.GPUAdapter, label: str) -> None:
        """Raises DeviceError naming what is missing, with numbers."""
        self.label = label
        lacking = [
            f"{name} {adapter.limits[name]}, not {least}"
            for name, least in LIMITS.items()
            if adapter.limits[name] < least
        ]
        if lacking:
            raise DeviceError(f"{label} is too small for the kernels: it has {'; '.join(lacking)}")
        features = [one for one in (*TIMESTAMPS, HALVES) if one in adapter.features]
        self.has_timestamps, self.has_halves = set(TIMESTAMPS) <= set(features), HALVES in features
        with native_errors(f"opening {label}"):
            self.device: wgpu.GPUDevice = adapter.request_device_sync(
                label="framebrush",
                required_features=features,
                required_limits={name: int(adapter.limits[name]) for name in ASKED},
            )
        self.queue: wgpu.GPUQueue = self.device.queue
        self.limits: dict[str, int] = dict(self.device.limits)

    @property
    def most_bytes(self) -> int:
        """Of one buffer that kernels read or write."""
        return min(self.limits["max-buffer-size"], self.limits["max-storage-buffer-binding-size"])

    def check(self) -> None:
        """Raise DeviceLostError where the GPU is gone. Two calls of wgpu end the process there in place of raising:
        what asks for mapped memory calls this ahead of it, and commands that are finished have been checked."""
        with native_errors(self.label):
            self.device.create_bind_group_layout(entries=[])  # commands that are not submitted would stay for ever

    def submit(self, commands: object, what: str) -> int:
        """Queue a command buffer. Returns what `wait` takes. Raises DeviceError, DeviceLostError."""
        with native_errors(what):
            return int(lib.wgpuQueueSubmitForIndex(self.queue._internal, 1, [commands]))

    def wait(self, submission: int) -> None:
        """Sleep until what was submitted is done. From the thread that submits: wgpu takes no commands meanwhile, which
        is also why its promises, for which a thread of its own waits for the last submission, would hold them up."""
        with native_errors(self.label):
            lib.wgpuDevicePoll(self.device._internal, True, ffi.new("WGPUSubmissionIndex *", submission))

    def shader(self, text: str, label: str) -> wgpu.GPUShaderModule:
        """A module of WGSL, with RUNTIME_CHECKS alone. Raises DeviceError with the compiler's text."""
        code = ffi.new("char []", text.encode())
        source = ffi.new("WGPUShaderSourceWGSL *")
        source.chain.sType = lib.WGPUSType_ShaderSourceWGSL
        source.code.data, source.code.length = code, len(code) - 1
        described = ffi.new("WGPUShaderModuleDescriptor *")
        described.nextInChain = ffi.cast("WGPUChainedStruct *", source)
        with native_errors(f"compiling '{label}'"):
            made = lib.wgpuDeviceCreateShaderModuleTrusted(self.device._internal, described, RUNTIME_CHECKS)
        return GPUShaderModule(label, made, self.device)

    def close(self) -> None:
        """Release the device. Idempotent."""
        self.device.destroy()


class Buffer:
    """A piece of the GPU's memory. size_bytes: a multiple of 4."""

    def __init__(self, native: Native, size_bytes: int, label: str, usage: int = STORAGE) -> None:
        """Raises OutOfMemoryError, also where the adapter takes no such piece; DeviceLostError."""
        self._native, self.label = native, label
        self.size_bytes = -(-max(size_bytes, 16) // 16) * 16
        if self.size_bytes > native.most_bytes:
            raise too_large(label, self.size_bytes, native.most_bytes)
        with native_errors(label):
            self.com: wgpu.GPUBuffer = native.device.create_buffer(label=label, size=self.size_bytes, usage=usage)

    def write(self, values: npt.NDArray[Any], offset: int = 0) -> None:
        """Replace bytes, behind what is queued and ahead of what will be. values: contiguous, of whole words."""
        with native_errors(f"writing {self.label}"):
            self._native.queue.write_buffer(self.com, offset, values)

    def bound(self, offset: int = 0, size_bytes: int | None = None) -> dict[str, Any]:
        """As kernels find it: whole, or a part."""
        return {
            "buffer": self.com,
            "offset": offset,
            "size": self.size_bytes - offset if size_bytes is None else size_bytes,
        }

    def close(self) -> None:
        """Release it, once the GPU has passed what was queued. Idempotent."""
        self.com.destroy()


class Texture:
    """A picture for reading in two dimensions. fmt: of WebGPU, such as "rgba16float"."""

    def __init__(self, native: Native, size_px: Size, fmt: str, label: str) -> None:
        """Raises OutOfMemoryError, also where the adapter takes no such picture; DeviceLostError."""
        most = native.limits["max-texture-dimension-2d"]
        if max(size_px) > most:
            raise DeviceError(
                f"{label} of {size_px[0]}x{size_px[1]} has a side of more than {most}, which is all that "
                f"{native.label} takes; try --max-size"
            )
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.STORAGE_BINDING
        with native_errors(label):
            self._com = native.device.create_texture(label=label, size=(*size_px, 1), format=fmt, usage=usage)
            self._view = self._com.create_view()

    def bound(self) -> wgpu.GPUTextureView:
        """As kernels find it."""
        return self._view

    def close(self) -> None:
        """Release it, once the GPU has passed what was queued. Idempotent."""
        self._com.destroy()


_NUMBERS = count()
_SAID: dict[int, str] = {}
"""Of readbacks that have been mapped, or will never be: why not."""


@ffi.callback("void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)")  # type: ignore[untyped-decorator]
def _mapped(status: int, message: object, number: object, _: object) -> None:
    why = "" if status == lib.WGPUMapAsyncStatus_Success else from_c_string_view(message) or f"status {status}"
    _SAID[int(ffi.cast("intptr_t", number))] = why


class Mapped:
    """Memory of the host that the GPU copies to or from. It is mapped without waiting, once the copy is queued."""

    _usage: int
    _mode: int
    _ranged: Callable[..., Any]

    def __init__(self, native: Native, size_bytes: int, label: str) -> None:
        self.buffer = Buffer(native, size_bytes, label, self._usage)
        self._native, self._label = native, label
        self._number = next(_NUMBERS)
        self._told = ffi.new("WGPUBufferMapCallbackInfo *")
        self._told.mode, self._told.callback = lib.WGPUCallbackMode_AllowProcessEvents, _mapped
        self._told.userdata1 = ffi.cast("void *", self._number)
        self._coming: int | None = None
        self._is_mapped = False

    @property
    def is_idle(self) -> bool:
        """Whether the GPU may be told to copy to it."""
        return self._coming is None and not self._is_mapped

    @property
    def has_come(self) -> bool:
        """Whether what was asked for is there, so that reading it does not wait."""
        return self._is_mapped or (self._coming is not None and self._number in _SAID)

    def bring(self, submission: int) -> None:
        """Have it mapped when what was submitted is done."""
        self._coming = submission
        with native_errors(self._label):
            lib.wgpuBufferMapAsync(self.buffer.com._internal, self._mode, 0, self.buffer.size_bytes, self._told[0])

    def wait(self) -> bool:
        """Sleep until it is mapped. Returns whether there was anything to wait for. Raises DeviceLostError."""
        coming, self._coming = self._coming, None
        if coming is None:
            return False
        if self._number not in _SAID:
            self._native.wait(coming)
        said = _SAID.pop(self._number, "it is not mapped")
        if said:
            self._native.check()
            raise DeviceError(f"{self._label}: {said}")
        self._is_mapped = True
        return True

    def free(self) -> None:
        """Give it back to the GPU; waits for the copy that is on its way. What was had of it is gone."""
        self.wait()
        if self._is_mapped:
            self._is_mapped = False
            with native_errors(self._label):
                lib.wgpuBufferUnmap(self.buffer.com._internal)

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self.buffer.close()

    def _memory(self) -> npt.NDArray[np.uint8]:
        """All of it, until `free`. Waits where that is necessary."""
        self.wait()
        self._native.check()
        with native_errors(self._label):
            size_bytes = self.buffer.size_bytes
            memory = self._ranged(self.buffer.com._internal, 0, size_bytes)
            return np.frombuffer(ffi.buffer(memory, size_bytes), np.uint8)


class Readback(Mapped):
    """What the GPU copies to."""

    _usage, _mode = USAGE.MAP_READ | USAGE.COPY_DST, lib.WGPUMapMode_Read
    _ranged = staticmethod(lib.wgpuBufferGetConstMappedRange)

    def read(self) -> npt.NDArray[np.uint8]:
        """The bytes that were copied, until `free`. Waits where that is necessary. Raises DeviceLostError."""
        return self._memory()


class Upload(Mapped):
    """What the GPU copies from."""

    _usage, _mode = USAGE.MAP_WRITE | USAGE.COPY_SRC, lib.WGPUMapMode_Write
    _ranged = staticmethod(lib.wgpuBufferGetMappedRange)

    def room(self) -> npt.NDArray[np.uint8]:
        """Where bytes are written that are to be copied, until `free`. Waits for the copy that is on its way. Raises
        DeviceLostError."""
        if self.is_idle:
            self.bring(0)
        return self._memory()
