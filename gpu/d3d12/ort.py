"""ONNX Runtime's C API by ctypes: Python cannot bind sessions to our memory.

The table is append-only; see onnxruntime_c_api.h (API 24).
"""

from __future__ import annotations

import ctypes
import importlib.util
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_void_p
from pathlib import Path
from typing import Any, TypeAlias

from framebrush.base.text import printable
from framebrush.gpu.d3d12.errors import code_in, failure
from framebrush.gpu.errors import DeviceError

API_VERSION = 24  # the oldest with all functions below
INDEX = {
    "CreateStatus": 0,
    "GetErrorMessage": 2,
    "CreateEnv": 3,
    "CreateSessionFromArray": 8,
    "CreateSessionOptions": 10,
    "SetSessionExecutionMode": 13,
    "DisableMemPattern": 17,
    "SetSessionGraphOptimizationLevel": 23,
    "SetIntraOpNumThreads": 24,
    "CreateRunOptions": 39,
    "CreateTensorWithDataAsOrtValue": 49,
    "CreateMemoryInfo": 68,
    "ReleaseEnv": 92,
    "ReleaseStatus": 93,
    "ReleaseMemoryInfo": 94,
    "ReleaseSession": 95,
    "ReleaseValue": 96,
    "ReleaseRunOptions": 97,
    "ReleaseSessionOptions": 100,
    "AddSessionConfigEntry": 130,
    "RunWithBinding": 133,
    "CreateIoBinding": 134,
    "ReleaseIoBinding": 135,
    "BindInput": 136,
    "BindOutput": 137,
    "GetExecutionProviderApi": 195,
    "Session_GetEpGraphAssignmentInfo": 407,
    "EpAssignedSubgraph_GetEpName": 408,
    "EpAssignedSubgraph_GetNodes": 409,
    "EpAssignedNode_GetOperatorType": 412,
}
SEQUENTIAL = 0  # ExecutionMode
ENABLE_ALL = 99  # GraphOptimizationLevel
LOG_FATAL = 4  # errors arrive as a status; stderr would repeat them
ELEMENT = {"float32": (1, 4), "float16": (10, 2)}  # ONNXTensorElementDataType, bytes of an element

Table: TypeAlias = Any  # ctypes.POINTER(c_void_p): function table of the API or a provider
Function: TypeAlias = Any  # ctypes function, typed when it is looked up

RUN_LOCK = threading.RLock()
"""Lock over creation and runs of sessions: concurrent DirectML sessions crash the process
(microsoft/onnxruntime#25577)."""


def capi_folder() -> Path:
    """Return the folder of onnxruntime's libraries."""
    spec = importlib.util.find_spec("onnxruntime")
    if spec is None or spec.origin is None:
        raise DeviceError("onnxruntime is not installed; pip install framebrush brings it")
    return Path(spec.origin).parent / "capi"


class Handle:
    """Object of ONNX Runtime."""

    def __init__(self, ort: Ort, kind: str, value: c_void_p) -> None:
        self._ort, self.kind, self.value = ort, kind, value
        ort.live[kind] += 1

    def close(self) -> None:
        if self.value:
            self._ort.function(f"Release{self.kind}", c_void_p, result=None)(self.value)
            self.value = c_void_p()
            self._ort.live[self.kind] -= 1


class Ort:
    """Function table of a library. live: objects by kind."""

    def __init__(self, library: Path) -> None:
        self._library = ctypes.CDLL(str(library))
        get_base = self._library.OrtGetApiBase
        get_base.restype = POINTER(c_void_p)
        table = ctypes.CFUNCTYPE(c_void_p, c_uint32)(get_base()[0] or 0)(API_VERSION)
        if not table:
            raise DeviceError(f"{library} is too old: it has no ONNX Runtime API {API_VERSION}")
        self._table = ctypes.cast(table, POINTER(c_void_p))
        self._functions: dict[tuple[Any, ...], Any] = {}
        self.live: Counter[str] = Counter()
        self.env = self.new("Env", "CreateEnv", c_int(LOG_FATAL), c_char_p(b"framebrush"))

    def function(
        self, name: str, *types: type, result: type | None = c_void_p, table: Table | None = None, index: int = -1
    ) -> Function:
        """Return a function of this table or a provider's."""
        key = (name, *types)
        if key not in self._functions:
            address = (table or self._table)[INDEX[name] if table is None else index]
            self._functions[key] = ctypes.CFUNCTYPE(result, *types)(address)
        return self._functions[key]

    def call(self, name: str, *arguments: object, table: Table | None = None, index: int = -1, label: str = "") -> None:
        """Call a function, and raise an OrtStatus that it returns."""
        types = [type(argument) for argument in arguments]
        self.check(self.function(name, *types, table=table, index=index)(*arguments), name, label)

    def check(self, status: int | None, name: str, label: str = "") -> None:
        """Release an OrtStatus and raise its error."""
        if not status:
            return
        text = self.function("GetErrorMessage", c_void_p, result=c_char_p)(status).decode(errors="replace")
        self.function("ReleaseStatus", c_void_p, result=None)(status)
        raise failure(code_in(text) or 0x80004005, name, label, messages=printable(text))  # names of a hostile file

    def new(self, kind: str, name: str, *arguments: object, label: str = "") -> Handle:
        """Call a Create function and own its result."""
        out = c_void_p()
        self.call(name, *arguments, ctypes.pointer(out), label=label)
        return Handle(self, kind, out)

    def close(self) -> None:
        """Release the environment after its objects."""
        self.env.close()


class SessionOptions:
    """Session options: one thread, no memory pattern, no CPU."""

    def __init__(self, ort: Ort, config: Mapping[str, str]) -> None:
        self.ort, self.handle = ort, ort.new("SessionOptions", "CreateSessionOptions")
        try:
            ort.call("SetSessionExecutionMode", self.handle.value, c_int(SEQUENTIAL))
            ort.call("DisableMemPattern", self.handle.value)
            ort.call("SetSessionGraphOptimizationLevel", self.handle.value, c_int(ENABLE_ALL))
            ort.call("SetIntraOpNumThreads", self.handle.value, c_int(1))  # the CPU does no work
            # DisableCpuMemArena would save 5 of 2,070 MB.
            for key, value in config.items():
                ort.call("AddSessionConfigEntry", self.handle.value, c_char_p(key.encode()), c_char_p(value.encode()))
        except DeviceError:
            self.close()
            raise

    def close(self) -> None:
        self.handle.close()


class Tensor:
    """Tensor over memory, which must outlive it."""

    def __init__(self, ort: Ort, memory: Handle, data: c_void_p, shape: Sequence[int], precision: str) -> None:
        element, size = ELEMENT[precision]
        count = 1
        for side in shape:
            count *= side
        dimensions = (c_int64 * len(shape))(*shape)
        self.handle = ort.new(
            "Value",
            "CreateTensorWithDataAsOrtValue",
            memory.value,
            data,
            c_size_t(count * size),
            ctypes.cast(dimensions, POINTER(c_int64)),
            c_size_t(len(shape)),
            c_int(element),
        )

    def close(self) -> None:
        """Release the tensor, not its memory."""
        self.handle.close()


class Session:
    """Network with fixed dimensions."""

    def __init__(self, ort: Ort, model: bytes, options: SessionOptions, label: str) -> None:
        self._ort, self.label = ort, label
        with RUN_LOCK:
            self._handle = ort.new(
                "Session",
                "CreateSessionFromArray",
                ort.env.value,
                c_char_p(model),
                c_size_t(len(model)),
                options.handle.value,
                label=label,
            )
            try:
                self._options = ort.new("RunOptions", "CreateRunOptions")
            except DeviceError:
                self._handle.close()
                raise
        self._run = ort.function("RunWithBinding", c_void_p, c_void_p, c_void_p)

    def bind(self, inputs: Mapping[str, Tensor], outputs: Mapping[str, Tensor]) -> Handle:
        """Bind names to tensors; runs neither copy nor allocate."""
        binding = self._ort.new("IoBinding", "CreateIoBinding", self._handle.value)
        try:
            for call, tensors in (("BindInput", inputs), ("BindOutput", outputs)):
                for name, tensor in tensors.items():
                    arguments = binding.value, c_char_p(name.encode()), tensor.handle.value
                    self._ort.call(call, *arguments, label=f"'{name}' of {self.label}")
        except DeviceError:
            binding.close()
            raise
        return binding

    def run(self, binding: Handle) -> None:
        """Run the network; DirectML returns before the GPU is done."""
        with RUN_LOCK:
            self._ort.check(
                self._run(self._handle.value, self._options.value, binding.value), "RunWithBinding", self.label
            )

    def operators_of(self, provider: str) -> list[str]:
        """List a provider's operators. Needs session.record_ep_graph_assignment_info."""
        found: set[str] = set()
        for part in self._list("Session_GetEpGraphAssignmentInfo", self._handle.value):
            if self._text("EpAssignedSubgraph_GetEpName", part) == provider:
                nodes = self._list("EpAssignedSubgraph_GetNodes", part)
                found |= {self._text("EpAssignedNode_GetOperatorType", node) for node in nodes}
        return sorted(found)

    def _list(self, name: str, of: c_void_p) -> list[c_void_p]:
        items, count = POINTER(c_void_p)(), c_size_t()
        self._ort.call(name, of, ctypes.pointer(items), ctypes.pointer(count))
        return [c_void_p(items[index]) for index in range(count.value)]

    def _text(self, name: str, of: c_void_p) -> str:
        text = c_char_p()
        self._ort.call(name, of, ctypes.pointer(text))
        return (text.value or b"").decode(errors="replace")

    def close(self) -> None:
        """Release the session after bindings."""
        with RUN_LOCK:
            self._options.close()
            self._handle.close()
