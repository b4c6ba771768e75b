"""The one gate to Direct3D 12: the device, what its calls return, and everything that it keeps alive.

Nothing is decided here. A COM object made through the gate is an `Owned`: it has a label that reaches the debug layer
and the error texts, an explicit end, and is counted while it lives. Bindings come from win32more (Microsoft's
metadata); methods that return a struct by value are called here, because the x64 ABI passes a hidden pointer for them.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import win32more.Windows.Win32.Graphics.Direct3D12 as D
from win32more.Windows.Win32.Foundation import LUID
from win32more.Windows.Win32.Graphics.Direct3D import D3D_FEATURE_LEVEL_11_0

from framebrush.gpu.d3d12.errors import failure
from framebrush.gpu.errors import DeviceError

Com: TypeAlias = Any  # a COM pointer, an interface or a struct of win32more, which has no types for mypy
Struct = TypeVar("Struct", bound=ctypes.Structure)

ANSI_EVENT = 1  # PIX_EVENT_ANSI_VERSION


def check(hresult: int, call: str, label: str = "") -> None:
    """Raise a DeviceError for a failed HRESULT of a call that has no device yet."""
    if hresult < 0:
        raise failure(hresult, call, label)


def returned(method_of: Com, name: str, kind: type[Struct]) -> Struct:
    """Call a COM method without arguments that returns a struct by value."""
    result = kind()
    Method(method_of, name, ctypes.c_void_p, ctypes.c_void_p)(ctypes.addressof(result))
    return result


class Method:
    """A COM object's method for calls with every frame, which take some tenths of a microsecond: win32more, which looks
    names and types up at each call, takes ten. The object has to live as long as it is called."""

    def __init__(self, com: Com, name: str, result: type[Any] | None, *arguments: type[Any]) -> None:
        """result, arguments: their types of ctypes; objects are addresses (c_void_p)."""
        index = getattr(type(com), name)._vtbl_index
        self._this = com.value
        table = ctypes.cast(ctypes.c_void_p(self._this), ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
        self._call = ctypes.CFUNCTYPE(result, ctypes.c_void_p, *arguments)(table[index] or 0)

    def __call__(self, *arguments: object) -> int:
        result: int = self._call(self._this, *arguments)
        return result


def begin_event(com: Com, name: str) -> None:
    """Begin what a profiler shows as `name`, on a command list or a queue, until its EndEvent. Metadata 1 says that the
    data is a string of 8-bit characters with its zero, which PIX, RenderDoc and Nsight read."""
    data = ctypes.create_string_buffer(name.encode("ascii", "replace"))
    com.BeginEvent(ANSI_EVENT, data, len(data))


def luid_number(luid: Com) -> int:
    """A LUID as one integer, as DeviceInfo carries it."""
    return int((luid.HighPart << 32 | luid.LowPart) & 0xFFFFFFFFFFFFFFFF)


class Owned:
    """A COM object with a label and an end. `com` is win32more's pointer; closing twice is harmless."""

    def __init__(self, native: Native, com: Com, label: str) -> None:
        self.native, self.com, self.label = native, com, label
        native.live[label] += 1

    def close(self) -> None:
        """Release the object. The caller has waited for the device to finish with it."""
        if self.com is None:
            return
        self.com.Release()
        self.com = None
        self.native.live[self.label] -= 1
        if not self.native.live[self.label]:
            del self.native.live[self.label]


class Native:
    """A Direct3D 12 device of feature level 11_0 or better on one adapter.

    live: how many objects of each label there are now; the sum is 0 after a clean end.
    """

    def __init__(self, adapter: Com, *, debug: bool = False, markers: bool = False) -> None:
        """markers: name the stages of command lists and queues, for profilers."""
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
        """The adapter that the device really runs on."""
        return luid_number(returned(self.device, "GetAdapterLuid", LUID))

    @property
    def live_count(self) -> int:
        """How many objects made here are still alive."""
        return sum(self.live.values())

    def check(self, hresult: int, call: str, label: str = "") -> None:
        """Raise DeviceError, OutOfMemoryError or DeviceLostError for a failed HRESULT, with debug messages."""
        if hresult < 0:
            raise self.failure(hresult, call, label)

    def failure(self, hresult: int, call: str, label: str = "") -> DeviceError:
        """The error for a failed call, knowing whether the device is still there."""
        reason = self._reason()
        return failure(hresult, call, label, reason=reason, messages=self.messages())

    def check_removed(self, call: str, label: str = "") -> None:
        """Raise DeviceLostError where the device has gone: calls without an HRESULT do not tell."""
        self.check(self._reason(), call, label)

    def make(self, call: str, interface: Com, label: str, *arguments: object) -> Owned:
        """Call a Create method of the device that ends in (riid, out) and own what it makes."""
        com = interface()
        self.check(getattr(self.device, call)(*arguments, interface._iid_, com), call, label)
        if hasattr(com, "SetName"):
            com.SetName(label)
        return Owned(self, com, label)

    def messages(self) -> str:
        """What the debug layer has said since the last time, one message a line; '' without it."""
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
        """Release the device itself; objects made on it come first."""
        self._reason = _closed
        for com in (self._messages, self.device):
            if com:
                com.Release()
                com.value = None


def _closed() -> int:
    raise DeviceError("the device is closed")


def _enable_debug_layer() -> bool:
    """Switch the debug layer on for devices made from now on; False where Windows' Graphics Tools are missing."""
    debug = D.ID3D12Debug()
    if D.D3D12GetDebugInterface(D.ID3D12Debug._iid_, debug) < 0:
        return False
    debug.EnableDebugLayer()
    debug.Release()
    return True
