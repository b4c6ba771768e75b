"""CUDA driver API: labelled, counted, explicitly released objects."""

from __future__ import annotations

import ctypes
import os
import threading
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from cuda.bindings import driver

from framebrush.gpu.cuda.errors import NOT_READY, failure

Bytes = npt.NDArray[np.uint8]
PLANE_ALIGNMENT = 256  # bytes, of planes within one allocation


def check(result: tuple[Any, ...], call: str, label: str = "") -> Any:  # noqa: ANN401 - as the driver's functions return
    """Return a driver function's value, or raise DeviceError."""
    code, *values = result
    if int(code):
        raise failure(int(code), call, label)
    return values[0] if values else None


@dataclass(frozen=True, slots=True)
class Gpu:
    """GPU of the driver. capability: times ten. uuid: as in nvidia-smi."""

    ordinal: int
    name: str
    uuid: str
    memory_bytes: int
    capability: int


def driver_version() -> int:
    """Return the driver's newest CUDA version, 13000 for 13.0."""
    return int(check(driver.cuDriverGetVersion(), "cuDriverGetVersion"))


def list_gpus() -> list[Gpu]:
    """List GPUs, in the order that CUDA_VISIBLE_DEVICES changes."""
    check(driver.cuInit(0), "cuInit")
    return [_gpu(ordinal) for ordinal in range(int(check(driver.cuDeviceGetCount(), "cuDeviceGetCount")))]


def _gpu(ordinal: int) -> Gpu:
    device = check(driver.cuDeviceGet(ordinal), "cuDeviceGet", f"{ordinal}")
    name = check(driver.cuDeviceGetName(128, device), "cuDeviceGetName").split(b"\0")[0].decode(errors="replace")
    memory = int(check(driver.cuDeviceTotalMem(device), "cuDeviceTotalMem"))
    kinds = driver.CUdevice_attribute
    major = attribute(device, kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
    minor = attribute(device, kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
    return Gpu(ordinal, name, _uuid(device), memory, 10 * major + minor)


def attribute(device: Any, kind: Any) -> int:  # noqa: ANN401 - the driver's own types
    return int(check(driver.cuDeviceGetAttribute(kind, device), "cuDeviceGetAttribute", str(kind)))


def _uuid(device: Any) -> str:  # noqa: ANN401 - the driver's own type
    return f"GPU-{uuid.UUID(bytes=bytes(check(driver.cuDeviceGetUuid(device), 'cuDeviceGetUuid').bytes))}"


class Native:
    """Primary context of a GPU, shared with ONNX Runtime and FFmpeg, and a memory pool.

    live: objects by label. in_use: GPU that the context reports.
    """

    def __init__(self, ordinal: int) -> None:
        self.live: Counter[str] = Counter()
        self._counting = threading.Lock()
        self._closed = False
        check(driver.cuInit(0), "cuInit")
        self._device = check(driver.cuDeviceGet(ordinal), "cuDeviceGet", f"{ordinal}")
        # must come first: NVDEC does not open after ONNX Runtime otherwise
        blocking = driver.CUctx_flags.CU_CTX_SCHED_BLOCKING_SYNC
        check(driver.cuDevicePrimaryCtxSetFlags(self._device, int(blocking)), "cuDevicePrimaryCtxSetFlags")
        self._context = check(driver.cuDevicePrimaryCtxRetain(self._device), "cuDevicePrimaryCtxRetain")
        try:
            self.use()
            check(driver.cuCtxSynchronize(), "cuCtxSynchronize")  # reports a context that was lost earlier
            self.in_use = _gpu(int(check(driver.cuCtxGetDevice(), "cuCtxGetDevice")))
            kinds = driver.CUdevice_attribute
            self.processors = self.attribute(kinds.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
            self.shared_bytes = self.attribute(kinds.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
            self.processor_shared_bytes = self.attribute(kinds.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)
            self._pool = self._make_pool()
            self._order = Stream(self, "memory")
            self.legacy = Stream(self, "legacy default", handle=driver.CUstream(driver.CU_STREAM_LEGACY))
        except BaseException:
            driver.cuDevicePrimaryCtxRelease(self._device)
            raise

    def use(self) -> None:
        """Make the context current on this thread."""
        check(driver.cuCtxSetCurrent(self._context), "cuCtxSetCurrent")

    @property
    def place(self) -> dict[str, str]:
        """GPU's names for ONNX Runtime's hardware list."""
        if os.name == "nt":
            luid = check(driver.cuDeviceGetLuid(self._device), "cuDeviceGetLuid")
            return {"LUID": str(int.from_bytes(luid[:8], "little"))}
        bus = check(driver.cuDeviceGetPCIBusId(16, self._device), "cuDeviceGetPCIBusId")
        return {"pci_bus_id": bus.split(b"\0")[0].decode().lower()}

    def attribute(self, kind: Any) -> int:  # noqa: ANN401 - the driver's own type
        return attribute(self._device, kind)

    def _make_pool(self) -> Any:  # noqa: ANN401 - the driver's own type
        wanted = driver.CUmemPoolProps()
        wanted.allocType = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        wanted.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        wanted.location.id = self.in_use.ordinal
        return check(driver.cuMemPoolCreate(wanted), "cuMemPoolCreate")

    def free_bytes(self) -> int:
        self.use()
        code, free, _ = driver.cuMemGetInfo()
        check((code,), "cuMemGetInfo")
        return int(free)

    def pool_bytes(self) -> int:
        """Return the bytes allocated from the pool."""
        self.use()
        kind = driver.CUmemPool_attribute.CU_MEMPOOL_ATTR_USED_MEM_CURRENT
        return int(check(driver.cuMemPoolGetAttribute(self._pool, kind), "cuMemPoolGetAttribute"))

    def allocate(self, size_bytes: int, label: str) -> int:
        """Allocate pool memory, valid on every stream."""
        self.use()
        call = f"cuMemAllocFromPoolAsync of {size_bytes} bytes"
        pointer = check(driver.cuMemAllocFromPoolAsync(size_bytes, self._pool, self._order.handle), call, label)
        self._order.block()
        self.remember(label)
        return int(pointer)

    def free(self, pointer: int, label: str) -> None:
        """Return unused memory to the pool."""
        driver.cuCtxSetCurrent(self._context)
        driver.cuMemFreeAsync(pointer, self._order.handle)
        self.forget(label)

    def remember(self, label: str) -> None:
        """Count a new object; decoders' threads call it too."""
        with self._counting:
            self.live[label] += 1

    def forget(self, label: str) -> None:
        """Count an object's end."""
        with self._counting:
            self.live[label] -= 1
            if not self.live[label]:
                del self.live[label]

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        driver.cuCtxSetCurrent(self._context)
        self._order.close()
        self.legacy.close()
        driver.cuMemPoolDestroy(self._pool)
        driver.cuDevicePrimaryCtxRelease(self._device)


class Event:
    """Event on a stream. timing: `ms_since` may be called."""

    def __init__(self, native: Native, label: str, *, timing: bool = False) -> None:
        flags = driver.CUevent_flags
        kind = int(flags.CU_EVENT_BLOCKING_SYNC) | (0 if timing else int(flags.CU_EVENT_DISABLE_TIMING))
        self._native, self._label = native, f"event of {label}"
        self.handle = check(driver.cuEventCreate(kind), "cuEventCreate", label)
        native.remember(self._label)

    @property
    def reached(self) -> bool:
        """Whether the GPU has passed the event; True if never recorded."""
        (code,) = driver.cuEventQuery(self.handle)
        if int(code) == NOT_READY:
            return False
        check((code,), "cuEventQuery", self._label)
        return True

    def block(self) -> None:
        """Block until the event has passed. Raises DeviceLostError."""
        check(driver.cuEventSynchronize(self.handle), "cuEventSynchronize", self._label)

    def ms_since(self, other: Event) -> float:
        """Return milliseconds since another event; both have passed."""
        return float(check(driver.cuEventElapsedTime(other.handle, self.handle), "cuEventElapsedTime", self._label))

    def close(self) -> None:
        if self.handle is not None:
            driver.cuEventDestroy(self.handle)
            self.handle = None
            self._native.forget(self._label)


class Stream:
    """Stream: a queue of GPU work in order."""

    def __init__(self, native: Native, label: str, *, handle: Any = None) -> None:  # noqa: ANN401 - the driver's own type
        """Create a stream, or wrap a handle without owning it."""
        flags = int(driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
        self._native, self._label, self._made = native, f"stream {label}", handle is None
        self.handle = check(driver.cuStreamCreate(flags), "cuStreamCreate", label) if handle is None else handle
        native.remember(self._label)

    def record(self, event: Event) -> None:
        """Record an event behind the queued work."""
        check(driver.cuEventRecord(event.handle, self.handle), "cuEventRecord", self._label)

    def wait_for(self, event: Event) -> None:
        """Make later work wait for an event."""
        check(driver.cuStreamWaitEvent(self.handle, event.handle, 0), "cuStreamWaitEvent", self._label)

    def upload(self, pointer: int, memory: PinnedMemory, offset: int, size_bytes: int) -> None:
        """Queue a copy from pinned to GPU memory."""
        check(
            driver.cuMemcpyHtoDAsync(pointer, memory.pointer + offset, size_bytes, self.handle),
            "cuMemcpyHtoDAsync",
            memory.label,
        )

    def download(self, memory: PinnedMemory, offset: int, pointer: int, size_bytes: int) -> None:
        """Queue a copy from GPU to pinned memory."""
        check(
            driver.cuMemcpyDtoHAsync(memory.pointer + offset, pointer, size_bytes, self.handle),
            "cuMemcpyDtoHAsync",
            memory.label,
        )

    def download_rows(self, to: int, to_pitch: int, source: int, width_bytes: int, rows: int) -> None:
        """Queue a copy of rows to page-locked memory. Pitch in bytes."""
        if to_pitch == width_bytes:
            result = driver.cuMemcpyDtoHAsync(to, source, width_bytes * rows, self.handle)
            check(result, "cuMemcpyDtoHAsync", self._label)
            return
        copy = driver.CUDA_MEMCPY2D()
        copy.srcMemoryType, copy.srcDevice = driver.CUmemorytype.CU_MEMORYTYPE_DEVICE, source
        copy.dstMemoryType, copy.dstHost = driver.CUmemorytype.CU_MEMORYTYPE_HOST, to
        copy.srcPitch, copy.dstPitch, copy.WidthInBytes, copy.Height = width_bytes, to_pitch, width_bytes, rows
        check(driver.cuMemcpy2DAsync(copy, self.handle), "cuMemcpy2DAsync", self._label)

    def copy_rows(self, to: int, to_pitch: int, source: int, source_pitch: int, width_bytes: int, rows: int) -> None:
        """Queue a copy of rows. Pitches in bytes."""
        copy = driver.CUDA_MEMCPY2D()
        copy.srcMemoryType = copy.dstMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_DEVICE
        copy.srcDevice, copy.srcPitch, copy.dstDevice, copy.dstPitch = source, source_pitch, to, to_pitch
        copy.WidthInBytes, copy.Height = width_bytes, rows
        check(driver.cuMemcpy2DAsync(copy, self.handle), "cuMemcpy2DAsync", self._label)

    def clear(self, pointer: int, words: int) -> None:
        """Queue a fill with zeros."""
        check(driver.cuMemsetD32Async(pointer, 0, words, self.handle), "cuMemsetD32Async", self._label)

    def block(self) -> None:
        """Block until queued work has finished. Raises DeviceLostError."""
        check(driver.cuStreamSynchronize(self.handle), "cuStreamSynchronize", self._label)

    def close(self) -> None:
        """Release the stream. Queued work still runs."""
        if self.handle is not None:
            if self._made:
                driver.cuStreamDestroy(self.handle)
            self.handle = None
            self._native.forget(self._label)


class Graph:
    """CUDA graph of captured work."""

    def __init__(self, native: Native, stream: Stream, queue: Callable[[], object], label: str) -> None:
        """Capture the work that a function queues."""
        self._native, self._stream, self._label = native, stream, f"graph of {label}"
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        check(driver.cuStreamBeginCapture(stream.handle, mode), "cuStreamBeginCapture", self._label)
        try:
            queue()
        except BaseException:
            code, captured = driver.cuStreamEndCapture(stream.handle)
            if not int(code):
                driver.cuGraphDestroy(captured)
            raise
        captured = check(driver.cuStreamEndCapture(stream.handle), "cuStreamEndCapture", self._label)
        try:
            self._handle = check(driver.cuGraphInstantiate(captured, 0), "cuGraphInstantiate", self._label)
        finally:
            driver.cuGraphDestroy(captured)
        native.remember(self._label)

    def launch(self) -> None:
        """Queue the graph."""
        check(driver.cuGraphLaunch(self._handle, self._stream.handle), "cuGraphLaunch", self._label)

    def close(self) -> None:
        """Release the graph. Queued launches still run."""
        if self._handle is not None:
            driver.cuGraphExecDestroy(self._handle)
            self._handle = None
            self._native.forget(self._label)


class DeviceMemory:
    """Allocation of GPU memory."""

    def __init__(self, native: Native, size_bytes: int, label: str) -> None:
        self._native, self.size_bytes, self.label = native, size_bytes, label
        self.pointer = native.allocate(size_bytes, label)

    def close(self) -> None:
        if self.pointer:
            self._native.free(self.pointer, self.label)
            self.pointer = 0


class PageLock:
    """Page lock of a caller's memory, for direct copies."""

    def __init__(self, native: Native, pointer: int, size_bytes: int, label: str) -> None:
        call = f"cuMemHostRegister of {size_bytes} bytes"
        check(driver.cuMemHostRegister(pointer, size_bytes, 0), call, label)
        self._native, self._label, self._pointer = native, f"lock of {label}", pointer
        native.remember(self._label)

    def close(self) -> None:
        """Unlock the memory."""
        if self._pointer:
            driver.cuMemHostUnregister(self._pointer)
            self._pointer = 0
            self._native.forget(self._label)


class PinnedMemory:
    """Pinned host memory. mapped: its bytes."""

    def __init__(self, native: Native, size_bytes: int, label: str) -> None:
        self._native, self.size_bytes, self.label = native, size_bytes, label
        self.pointer = int(check(driver.cuMemHostAlloc(size_bytes, 0), f"cuMemHostAlloc of {size_bytes} bytes", label))
        self.mapped: Bytes = np.ctypeslib.as_array((ctypes.c_uint8 * size_bytes).from_address(self.pointer))
        native.remember(label)

    def close(self) -> None:
        """Free the memory; no view may be in use."""
        if self.pointer:
            self.mapped = np.empty(0, np.uint8)
            driver.cuMemFreeHost(self.pointer)
            self.pointer = 0
            self._native.forget(self.label)
