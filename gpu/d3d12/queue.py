"""Command queues with one fence each: GPU-side waits between queues, and waits of the CPU that sleep."""

from __future__ import annotations

import ctypes
import math
import time
from contextlib import suppress
from typing import NamedTuple

import win32more.Windows.Win32.Graphics.Direct3D12 as D
from win32more.Windows.Win32.Foundation import WAIT_TIMEOUT, CloseHandle
from win32more.Windows.Win32.System.Threading import CreateEvent, WaitForSingleObject

from framebrush.gpu.d3d12.native import Method, Native, Owned
from framebrush.gpu.errors import DeviceError, DeviceLostError

ALIVE_CHECK_MS = 2000  # how often a wait checks whether the device is gone; some drivers never signal then
PATIENCE_MS = 10_000  # how long closing waits for another program


class CommandList(NamedTuple):
    """A closed list, ready to be executed any number of times. address: of its ID3D12CommandList. dispatches: how many
    kernels it runs."""

    address: int
    dispatches: int


class FencePoint(NamedTuple):
    """A moment in the work of a queue, or of another program: everything before it is finished once it is reached."""

    fence: Fence
    value: int

    @property
    def reached(self) -> bool:
        """Whether the device has passed it."""
        return self.fence.completed >= self.value

    def block(self) -> None:
        """Sleep until the device has passed it; Python threads run meanwhile. Raises DeviceLostError."""
        self.fence.block(self.value)


class Fence:
    """A number that work on a device raises, and sleeping until it has a value."""

    def __init__(self, native: Native, owned: Owned, label: str) -> None:
        """owned: the ID3D12Fence, which ends with this."""
        self.native, self.label, self._fence = native, label, owned
        self.fence_com = owned.com
        self._completed = Method(owned.com, "GetCompletedValue", ctypes.c_uint64)
        self._event = CreateEvent(None, False, False, None)

    @property
    def completed(self) -> int:
        """The last value that the device has reached."""
        return int(self._completed())

    def block(self, value: int) -> None:
        """Sleep until a value is reached. Raises DeviceLostError where it never will be."""
        while not self.comes(value, ALIVE_CHECK_MS):
            pass

    def comes(self, value: int, within_ms: int) -> bool:
        """Sleep until a value is reached, but not for longer; whether it is. Raises DeviceLostError."""
        end_s = time.monotonic() + within_ms / 1000
        while True:
            self.native.check_removed("waiting for", self.label)  # removal completes every fence
            if self.completed >= value:
                return True
            left_ms = math.ceil(1000 * (end_s - time.monotonic()))
            if left_ms <= 0:
                return False
            call = self.fence_com.SetEventOnCompletion(value, self._event)
            self.native.check(call, "ID3D12Fence::SetEventOnCompletion", self.label)
            waited = WaitForSingleObject(self._event, left_ms)  # which a wait that was given up before may end, too
            if waited not in (0, WAIT_TIMEOUT):
                raise DeviceError(f"waiting for {self.label}: Windows says {waited:#x}")

    def close(self) -> None:
        """Release it. Idempotent."""
        if self._event:
            CloseHandle(self._event)
            self._event = None
        self._fence.close()


class OutsideFence(Fence):
    """The fence of another program. ready: the value that our queues wait for."""

    def __init__(self, native: Native, owned: Owned, label: str, ready: int) -> None:
        super().__init__(native, owned, label)
        self.ready = ready

    def let_pass(self) -> None:
        """Sleep until the other program has signalled; where it does not, it is gone or hangs, and the value is set for
        it: a queue that waits could never be closed."""
        with suppress(DeviceLostError):
            if not self.comes(self.ready, PATIENCE_MS):
                self.native.check(self.fence_com.Signal(self.ready), "ID3D12Fence::Signal", self.label)


class Queue(Fence):
    """A command queue of one type, `kind`. `com` is what DirectML and swap chains are given.

    Lists go to the device together, since each submission costs the processor and the GPU some time: when the queue
    signals or waits, and when `submit` is called ahead of those who use `com`.
    """

    def __init__(self, native: Native, kind: int, label: str, *, no_timeout: bool = False) -> None:
        self.kind = kind
        description = D.D3D12_COMMAND_QUEUE_DESC()
        description.Type = kind
        if no_timeout:  # a slow GPU may need seconds for one network; Windows would reset it after two
            description.Flags = D.D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT
        self._queue = native.make("CreateCommandQueue", D.ID3D12CommandQueue, label, ctypes.byref(description))
        fence = native.make("CreateFence", D.ID3D12Fence, f"{label} fence", 0, D.D3D12_FENCE_FLAG_NONE)
        super().__init__(native, fence, label)
        self._value = 0
        self._lists: list[int] = []  # not submitted yet
        self.com = com = self._queue.com
        self._execute = Method(com, "ExecuteCommandLists", None, ctypes.c_uint32, ctypes.c_void_p)
        self._signal = Method(com, "Signal", ctypes.c_long, ctypes.c_void_p, ctypes.c_uint64)
        self._wait = Method(com, "Wait", ctypes.c_long, ctypes.c_void_p, ctypes.c_uint64)

    def execute(self, *lists: CommandList) -> None:
        """Queue closed lists, in order. They go to the device with the next signal, wait or `submit`."""
        self._lists += [commands.address for commands in lists]

    def submit(self) -> None:
        """Hand what is queued to the device."""
        if self._lists:
            lists, self._lists = self._lists, []
            self._execute(len(lists), (ctypes.c_void_p * len(lists))(*lists))

    def signal(self) -> FencePoint:
        """Mark this moment."""
        self._value += 1
        self.reach(FencePoint(self, self._value))
        return FencePoint(self, self._value)

    def reach(self, point: FencePoint) -> None:
        """Have the device reach a point of any fence once it has done what was executed here so far."""
        self.submit()
        call = self._signal(point.fence.fence_com.value, point.value)
        self.native.check(call, "ID3D12CommandQueue::Signal", self.label)

    def wait_for(self, point: FencePoint) -> None:
        """Hold this queue on the GPU until another has reached a point; the CPU continues."""
        self.submit()
        call = self._wait(point.fence.fence_com.value, point.value)
        self.native.check(call, "ID3D12CommandQueue::Wait", self.label)

    def idle(self) -> None:
        """Sleep until everything executed so far is finished; returns at once where the device is lost."""
        try:
            self.signal().block()
        except DeviceError:
            return  # nothing runs on a removed device

    def close(self) -> None:
        """Release the queue and its fence. Idempotent."""
        super().close()
        self._queue.close()
