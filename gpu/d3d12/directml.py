"""ONNX Runtime's DirectML provider on our device and queue."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from contextlib import ExitStack
from ctypes import POINTER, byref, c_char_p, c_int, c_uint32, c_void_p
from functools import cached_property
from typing import NamedTuple

import win32more.Windows.Win32.AI.MachineLearning.DirectML as M

from framebrush.gpu.d3d12.fenced_queue import Queue
from framebrush.gpu.d3d12.metacommands import WithoutMetacommands
from framebrush.gpu.d3d12.native import Com, Native
from framebrush.gpu.d3d12.ort import API_VERSION, RUN_LOCK, Ort, Session, SessionOptions, Tensor, capi_folder
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError
from framebrush.gpu.settings import EngineName

# order of the functions in OrtDmlApi (dml_provider_factory.h)
APPEND_DML1, CREATE_ALLOCATION, FREE_ALLOCATION = 1, 2, 3
STRICT = {"session.disable_cpu_ep_fallback": "1"}  # missing operators are errors, not slow runs on the CPU


class Levers(NamedTuple):
    """Optimisations of a session: driver's operators, fusion, kept memory."""

    metacommands: bool = True
    fusion: bool = True
    arena: bool = True

    @property
    def config(self) -> dict[str, str]:
        """A session's configuration."""
        switches = {"ep.dml.disable_graph_fusion": self.fusion, "ep.dml.disable_memory_arena": self.arena}
        return {key: "1" for key, on in switches.items() if not on}


LEVERS: dict[EngineName, Levers] = {
    "directml": Levers(),
    "directml-no-metacommands": Levers(metacommands=False),
    "directml-no-fusion": Levers(fusion=False),
    "directml-no-arena": Levers(arena=False),
    "directml-safe": Levers(metacommands=False, fusion=False, arena=False),
}
"""Optimisations of each engine."""

CURIOUS = {"session.record_ep_graph_assignment_info": "1"}


class BoundTensor:
    """Buffer as an ONNX Runtime tensor, which it must outlive."""

    def __init__(self, directml: DirectML, buffer: Buffer, shape: tuple[int, ...], precision: str) -> None:
        self._directml = directml
        self._allocation = directml.allocation(buffer)
        try:
            self.tensor = Tensor(directml.ort, directml.memory, self._allocation, shape, precision)
        except DeviceError:
            directml.free(self._allocation)
            raise

    def close(self) -> None:
        """Release tensor, then allocation."""
        if self._allocation:
            self.tensor.close()
            self._directml.free(self._allocation)
            self._allocation = c_void_p()


class DirectML:
    """DirectML provider of a device and its compute queue."""

    def __init__(self, native: Native, queue: Queue) -> None:
        folder = capi_folder()
        # By full path: System32's DirectML.dll is older and must not be loaded first.
        self._library = ctypes.CDLL(str(folder / "DirectML.dll"))
        self._device = M.IDMLDevice()
        flags = M.DML_CREATE_DEVICE_FLAG_DEBUG if native.debug_layer else M.DML_CREATE_DEVICE_FLAG_NONE
        create = self._library.DMLCreateDevice1
        create.restype = ctypes.c_int32
        result = create(
            c_void_p(native.device.value),
            c_int(flags),
            c_int(M.DML_FEATURE_LEVEL_2_0),
            byref(M.IDMLDevice._iid_),
            byref(self._device),
        )
        native.check(result, "DMLCreateDevice1", "feature level 2_0")
        self._native, self._queue = native, queue
        self._kinds: dict[Levers, SessionOptions] = {}  # by optimisations
        with ExitStack() as opened:
            opened.callback(self._release_device)
            self.ort = Ort(folder / "onnxruntime.dll")
            opened.callback(self.ort.close)
            table = c_void_p()
            self.ort.call("GetExecutionProviderApi", c_char_p(b"DML"), c_uint32(API_VERSION), ctypes.pointer(table))
            self._table = ctypes.cast(table, POINTER(c_void_p))
            # OrtDeviceAllocator 0, device 0, OrtMemTypeDefault 0
            self.memory = self.ort.new("MemoryInfo", "CreateMemoryInfo", c_char_p(b"DML"), c_int(0), c_int(0), c_int(0))
            opened.pop_all()  # `close` does it from here on

    @cached_property
    def _without_metacommands(self) -> WithoutMetacommands:
        return WithoutMetacommands(self._device)

    def _options(self, device: Com, config: Mapping[str, str]) -> SessionOptions:
        options = SessionOptions(self.ort, config)
        try:
            arguments = options.handle.value, device, self._queue.com
            self._call("AppendExecutionProvider_DML1", APPEND_DML1, *arguments)
        except DeviceError:
            options.close()
            raise
        return options

    def _call(self, name: str, index: int, *arguments: object) -> None:
        plain = [c_void_p(a.value) if isinstance(a, c_void_p) else a for a in arguments]
        self.ort.call(name, *plain, table=self._table, index=index)

    def allocation(self, buffer: Buffer) -> c_void_p:
        """Make a buffer usable for DirectML, until `free`."""
        out = c_void_p()
        self._call(
            f"CreateGPUAllocationFromD3DResource '{buffer.label}'", CREATE_ALLOCATION, buffer.com, ctypes.pointer(out)
        )
        self.ort.live["GPUAllocation"] += 1
        return out

    def free(self, allocation: c_void_p) -> None:
        """Release an allocation."""
        self._call("FreeGPUAllocation", FREE_ALLOCATION, allocation)
        self.ort.live["GPUAllocation"] -= 1

    def session(self, model: bytes, label: str, levers: Levers) -> Session:
        """Load a network."""
        if levers not in self._kinds:
            device = self._device if levers.metacommands else self._without_metacommands.com
            self._kinds[levers] = self._options(device, {**STRICT, **levers.config})
        try:
            return Session(self.ort, model, self._kinds[levers], label)
        except (OutOfMemoryError, DeviceLostError):
            raise
        except DeviceError as error:
            self._native.check_removed("CreateSession", label)
            missing = self._missing_operators(model, label)
            if missing:
                raise DeviceError(
                    f"DirectML does not have {missing} of network {label}", do="try --device cpu"
                ) from error
            raise DeviceError(f"DirectML cannot run network {label}", do=f"try --device cpu\n{error}") from error

    def _missing_operators(self, model: bytes, label: str) -> str:
        options = self._options(self._device, CURIOUS)
        try:
            session = Session(self.ort, model, options, label)
        except DeviceError:
            return ""
        finally:
            options.close()
        try:
            return ", ".join(session.operators_of("CPUExecutionProvider"))
        finally:
            session.close()

    def close(self) -> None:
        """Release the provider after sessions and tensors."""
        with RUN_LOCK:
            self.memory.close()
            for options in self._kinds.values():
                options.close()
            self.ort.close()
            self._release_device()

    def _release_device(self) -> None:
        if self._device:
            self._device.Release()
            self._device.value = None
