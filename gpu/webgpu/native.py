"""wgpu's device, buffers, textures and errors.

Setup uses the package wgpu; per-frame code calls its native library, unchecked, in a tenth of the time.
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

from framebrush.gpu.errors import TRY_SMALLER, DeviceError
from framebrush.gpu.sizes import Size
from framebrush.gpu.webgpu.errors import failure, too_large

BACKEND = "Metal" if sys.platform == "darwin" else "Vulkan"
"""API below WebGPU. OpenGL lacks features; Direct3D 12 has its own backend."""

FULL_PERCENT = 95
"""Share of the memory budget that allocations may use. Beyond it the driver would swap."""

PLANE_ALIGNMENT = 256
"""Alignment of bound ranges, in bytes. No adapter requires more."""

LIMITS = {
    "max-compute-invocations-per-workgroup": 512,
    "max-compute-workgroup-size-x": 512,
    "max-compute-workgroup-storage-size": 16384,
    "max-storage-buffers-per-shader-stage": 8,
    "max-storage-textures-per-shader-stage": 4,
}
"""Limits that the kernels need. Most are WebGPU's guaranteed minimum; all graphics cards have the others."""

ASKED = ("max-buffer-size", "max-storage-buffer-binding-size", "max-texture-dimension-2d", *LIMITS)
"""Limits that are requested at the adapter's maximum."""

RUNTIME_CHECKS = lib.WGPUShaderRuntimeChecks_BoundsChecks if BACKEND == "Metal" else lib.WGPUShaderRuntimeChecks_None
"""Bounds checks added to kernels. Ours stay within arrays and end their loops; Vulkan guards buffers and textures."""

TIMESTAMPS = ("timestamp-query", "timestamp-query-inside-encoders")
HALVES = "shader-f16"

USAGE = wgpu.BufferUsage
STORAGE = USAGE.STORAGE | USAGE.COPY_DST | USAGE.COPY_SRC

logging.getLogger("wgpu").addHandler(logging.NullHandler())  # wgpu's log repeats errors that are raised
logging.getLogger("wgpu").propagate = False


@contextmanager
def native_errors(what: str) -> Iterator[None]:
    """Convert wgpu's errors to DeviceError, OutOfMemoryError or DeviceLostError."""
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
    """Choose the process's backend, unless another library did."""
    if sys.platform == "linux" and "XDG_RUNTIME_DIR" not in os.environ:
        # A Mesa layer that sorts adapters by screen; without a screen it complains for every adapter.
        os.environ.setdefault("NODEVICE_SELECT", "1")
    try:
        set_instance_extras(backends=[BACKEND], budget_for_device_creation=FULL_PERCENT, budget_for_device_loss=100)
    except RuntimeError:
        return


def adapters() -> list[wgpu.GPUAdapter]:
    """List every adapter, in the driver's order."""
    with native_errors("listing the adapters of WebGPU"):
        _start()
        found = wgpu.gpu.enumerate_adapters_sync()
    return [adapter for adapter in found if adapter.info["backend_type"] == BACKEND]


class Native:
    """Opened adapter's device and queue. limits: by WebGPU's names."""

    def __init__(self, adapter: wgpu.GPUAdapter, label: str) -> None:
        """Open the device. Raises DeviceError for missing features or limits."""
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
        """Largest buffer that kernels can bind."""
        return min(self.limits["max-buffer-size"], self.limits["max-storage-buffer-binding-size"])

    def check(self) -> None:
        """Raise DeviceLostError if the GPU is gone: mapping would abort the process."""
        with native_errors(self.label):
            self.device.create_bind_group_layout(entries=[])  # an encoder that is never submitted would leak

    def submit(self, commands: object, what: str) -> int:
        """Submit a command buffer; return its number."""
        with native_errors(what):
            return int(lib.wgpuQueueSubmitForIndex(self.queue._internal, 1, [commands]))

    def wait(self, submission: int) -> None:
        """Block until a submission has finished, on the submitting thread.

        wgpu accepts no commands meanwhile.
        """
        with native_errors(self.label):
            lib.wgpuDevicePoll(self.device._internal, True, ffi.new("WGPUSubmissionIndex *", submission))

    def shader(self, text: str, label: str) -> wgpu.GPUShaderModule:
        """Compile WGSL. Raises DeviceError with the compiler's text."""
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
        self.device.destroy()


class Buffer:
    """Buffer in GPU memory. size_bytes: a multiple of 4."""

    def __init__(self, native: Native, size_bytes: int, label: str, usage: int = STORAGE) -> None:
        """Allocate. Raises OutOfMemoryError beyond the adapter's largest, too."""
        self._native, self.label = native, label
        self.size_bytes = -(-max(size_bytes, 16) // 16) * 16
        if self.size_bytes > native.most_bytes:
            raise too_large(label, self.size_bytes, native.most_bytes)
        with native_errors(label):
            self.com: wgpu.GPUBuffer = native.device.create_buffer(label=label, size=self.size_bytes, usage=usage)

    def write(self, values: npt.NDArray[Any], offset: int = 0) -> None:
        """Write contiguous whole words between queued commands."""
        with native_errors(f"writing {self.label}"):
            self._native.queue.write_buffer(self.com, offset, values)

    def bound(self, offset: int = 0, size_bytes: int | None = None) -> dict[str, Any]:
        """Return the binding of a buffer or range."""
        return {
            "buffer": self.com,
            "offset": offset,
            "size": self.size_bytes - offset if size_bytes is None else size_bytes,
        }

    def close(self) -> None:
        """Release the buffer after the queued commands."""
        self.com.destroy()


class Texture:
    """2D texture. fmt: WebGPU's name, such as "rgba16float"."""

    def __init__(self, native: Native, size_px: Size, fmt: str, label: str) -> None:
        """Allocate. Raises OutOfMemoryError beyond the adapter's largest, too."""
        most = native.limits["max-texture-dimension-2d"]
        if max(size_px) > most:
            raise DeviceError(
                f"{label} of {size_px[0]}x{size_px[1]} has a side of more than {most}, which is all that "
                f"{native.label} takes",
                do=TRY_SMALLER,
            )
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.STORAGE_BINDING
        with native_errors(label):
            self._com = native.device.create_texture(label=label, size=(*size_px, 1), format=fmt, usage=usage)
            self._view = self._com.create_view()

    def bound(self) -> wgpu.GPUTextureView:
        return self._view

    def close(self) -> None:
        """Release the texture after the queued commands."""
        self._com.destroy()


_NUMBERS = count()
_SAID: dict[int, str] = {}
"""Errors of failed mappings, by the mapping's number."""


@ffi.callback("void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)")  # type: ignore[untyped-decorator]
def _mapped(status: int, message: object, number: object, _: object) -> None:
    why = "" if status == lib.WGPUMapAsyncStatus_Success else from_c_string_view(message) or f"status {status}"
    _SAID[int(ffi.cast("intptr_t", number))] = why


class Mapped:
    """Host-visible buffer for transfers, mapped after its copy."""

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
        """Whether the GPU may copy to or from it."""
        return self._coming is None and not self._is_mapped

    @property
    def has_come(self) -> bool:
        """Whether the mapping has completed."""
        return self._is_mapped or (self._coming is not None and self._number in _SAID)

    def bring(self, submission: int) -> None:
        """Map the buffer when a submission has finished."""
        self._coming = submission
        with native_errors(self._label):
            lib.wgpuBufferMapAsync(self.buffer.com._internal, self._mode, 0, self.buffer.size_bytes, self._told[0])

    def wait(self) -> bool:
        """Block until mapped; False if not requested."""
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
        """Unmap the buffer after any copy, invalidating views."""
        self.wait()
        if self._is_mapped:
            self._is_mapped = False
            with native_errors(self._label):
                lib.wgpuBufferUnmap(self.buffer.com._internal)

    def close(self) -> None:
        self.buffer.close()

    def _memory(self) -> npt.NDArray[np.uint8]:
        self.wait()
        self._native.check()
        with native_errors(self._label):
            size_bytes = self.buffer.size_bytes
            memory = self._ranged(self.buffer.com._internal, 0, size_bytes)
            return np.frombuffer(ffi.buffer(memory, size_bytes), np.uint8)


class Readback(Mapped):
    """Buffer that the GPU copies to and the host reads."""

    _usage, _mode = USAGE.MAP_READ | USAGE.COPY_DST, lib.WGPUMapMode_Read
    _ranged = staticmethod(lib.wgpuBufferGetConstMappedRange)

    def read(self) -> npt.NDArray[np.uint8]:
        """Block for the bytes, valid until `free`."""
        return self._memory()


class Upload(Mapped):
    """Buffer that the host writes and the GPU copies from."""

    _usage, _mode = USAGE.MAP_WRITE | USAGE.COPY_SRC, lib.WGPUMapMode_Write
    _ranged = staticmethod(lib.wgpuBufferGetMappedRange)

    def room(self) -> npt.NDArray[np.uint8]:
        """Block for the memory to write, valid until `free`."""
        if self.is_idle:
            self.bring(0)
        return self._memory()
