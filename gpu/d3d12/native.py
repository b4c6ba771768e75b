"""Direct3D 12 API: device, error checks, and labelled, counted COM objects.

win32more binds all methods that return no struct.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import win32more.Windows.Win32.Graphics.Direct3D12 as D
from win32more.Windows.Win32.Foundation import LUID
from win32more.Windows.Win32.Graphics.Direct3D import D3D_FEATURE_LEVEL_11_0

from framebrush.gpu.d3d12.errors import failure
from framebrush.gpu.errors import DeviceError

Com: TypeAlias = Any  # COM pointer, interface or struct of win32more, which is untyped
Struct = TypeVar("Struct", bound=ctypes.Structure)

ANSI_EVENT = 1  # PIX_EVENT_ANSI_VERSION


def check(hresult: int, call: str, label: str = "") -> None:
    """Raise DeviceError for a failed HRESULT before devices exist."""
    if hresult < 0:
        raise failure(hresult, call, label)


def returned(method_of: Com, name: str, kind: type[Struct]) -> Struct:
    """Call a COM method that returns a struct."""
    result = kind()
    Method(method_of, name, ctypes.c_void_p, ctypes.c_void_p)(ctypes.addressof(result))
    return result


class Method:
    """COM method called in 0.2 µs, win32more's 10. Objects must outlive it."""

    def __init__(self, com: Com, name: str, result: type[Any] | None, *arguments: type[Any]) -> None:
        """Look up a method with ctypes types; COM objects are c_void_p."""
        index = getattr(type(com), name)._vtbl_index
        self._this = com.value
        table = ctypes.cast(ctypes.c_void_p(self._this), ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
        self._call = ctypes.CFUNCTYPE(result, ctypes.c_void_p, *arguments)(table[index] or 0)

    def __call__(self, *arguments: object) -> int:
        result: int = self._call(self._this, *arguments)
        return result


def begin_event(com: Com, name: str) -> None:
    """Begin a profiler event, with metadata 1 for ANSI."""
    data = ctypes.create_string_buffer(name.encode("ascii", "replace"))
    com.BeginEvent(ANSI_EVENT, data, len(data))


def luid_number(luid: Com) -> int:
    """Convert a LUID to an integer of DeviceInfo."""
    return int((luid.HighPart << 32 | luid.LowPart) & 0xFFFFFFFFFFFFFFFF)


class Owned:
    """Labelled COM object. com: win32more's pointer."""

    def __init__(self, native: Native, com: Com, label: str) -> None:
        self.native, self.com, self.label = native, com, label
        native.live[label] += 1

    def close(self) -> None:
        if self.com is None:
            return
        self.com.Release()
        self.com = None
        self.native.live[self.label] -= 1
        if not self.native.live[self.label]:
            del self.native.live[self.label]


class Native:
    """Direct3D 12 device of feature level 11_0. live: objects by label."""

    def __init__(self, adapter: Com, *, debug: bool = False, markers: bool = False) -> None:
        self.live: Counter[str] = Counter()
        self.markers = markers
        self.debug_layer = debug and _enable_debug_layer()
        self.device = D.ID3D12Device()
        check(
            D.D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, D.ID3D12Device._iid_, self.device),
            "D3D12CreateDevice",
            "feature level 11_0",
        )
        self._reason: Callable[[], int] = Method(self.device, "GetDeviceRemovedReason", ctypes.c_long)
        self._messages = D.ID3D12InfoQueue()
        if self.debug_layer:
            self.device.QueryInterface(D.ID3D12InfoQueue._iid_, self._messages)

    @property
    def luid(self) -> int:
        return luid_number(returned(self.device, "GetAdapterLuid", LUID))

    @cached_property
    def shader_model(self) -> tuple[int, int]:
        """Newest supported shader model that has kernels."""
        asked = D.D3D12_FEATURE_DATA_SHADER_MODEL()
        asked.HighestShaderModel = D.D3D_SHADER_MODEL_6_2
        # a runtime or driver that does not know the question's value refuses it
        return divmod(asked.HighestShaderModel, 16) if self._supports(D.D3D12_FEATURE_SHADER_MODEL, asked) else (5, 1)

    @cached_property
    def has_halves(self) -> bool:
        """Whether kernels may compute in native 16 bits (6.2)."""
        options = D.D3D12_FEATURE_DATA_D3D12_OPTIONS4()
        known = self.shader_model >= (6, 2) and self._supports(D.D3D12_FEATURE_D3D12_OPTIONS4, options)
        return known and bool(options.Native16BitShaderOpsSupported)

    def _supports(self, feature: int, answer: Com) -> bool:
        result: int = self.device.CheckFeatureSupport(feature, ctypes.byref(answer), ctypes.sizeof(answer))
        return result >= 0

    @property
    def live_count(self) -> int:
        return sum(self.live.values())

    def check(self, hresult: int, call: str, label: str = "") -> None:
        """Raise DeviceError, OutOfMemoryError or DeviceLostError for a failed HRESULT."""
        if hresult < 0:
            raise self.failure(hresult, call, label)

    def failure(self, hresult: int, call: str, label: str = "") -> DeviceError:
        """Make the error for a failed call or a removal."""
        reason = self._reason()
        return failure(hresult, call, label, reason=reason, messages=self.messages())

    def check_removed(self, call: str, label: str = "") -> None:
        """Raise DeviceLostError if the device was removed."""
        self.check(self._reason(), call, label)

    def make(self, call: str, interface: Com, label: str, *arguments: object) -> Owned:
        """Call a Create method that ends in (riid, out)."""
        com = interface()
        self.check(getattr(self.device, call)(*arguments, interface._iid_, com), call, label)
        if hasattr(com, "SetName"):
            com.SetName(label)
        return Owned(self, com, label)

    def messages(self) -> str:
        """Return new messages of the debug layer."""
        if not self._messages:
            return ""
        lines = []
        for index in range(self._messages.GetNumStoredMessages()):
            size = ctypes.c_size_t()
            self._messages.GetMessage(index, None, ctypes.byref(size))
            memory = ctypes.create_string_buffer(size.value)
            message = ctypes.cast(memory, ctypes.POINTER(D.D3D12_MESSAGE))
            self._messages.GetMessage(index, message, ctypes.byref(size))
            lines.append(ctypes.string_at(message.contents.pDescription).decode(errors="replace"))
        self._messages.ClearStoredMessages()
        return "\n".join(lines)

    def close(self) -> None:
        """Release the device after its objects."""
        self._reason = _closed
        for com in (self._messages, self.device):
            if com:
                com.Release()
                com.value = None


def _closed() -> int:
    raise DeviceError("the device is closed")


def _enable_debug_layer() -> bool:
    debug = D.ID3D12Debug()
    if D.D3D12GetDebugInterface(D.ID3D12Debug._iid_, debug) < 0:
        return False
    debug.EnableDebugLayer()
    debug.Release()
    return True
