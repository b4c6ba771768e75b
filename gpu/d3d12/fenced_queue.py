"""Command queues with a fence each."""

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

ALIVE_CHECK_MS = 2000  # interval of checks for device loss; some drivers never signal then
PATIENCE_MS = 10_000  # longest wait for another program while closing


class CommandList(NamedTuple):
    """Closed command list. address: COM object."""

    address: int
    dispatches: int


class FencePoint(NamedTuple):
    """Fence value after earlier work."""

    fence: Fence
    value: int

    @property
    def reached(self) -> bool:
        """Whether the device has passed the point."""
        return self.fence.completed >= self.value

    def block(self) -> None:
        """Block until passed, without Python's lock. Raises DeviceLostError."""
        self.fence.block(self.value)


class Fence:
    """Fence with blocking waits. Owns the ID3D12Fence."""

    def __init__(self, native: Native, owned: Owned, label: str) -> None:
        self.native, self.label, self._fence = native, label, owned
        self.fence_com = owned.com
        self._completed = Method(owned.com, "GetCompletedValue", ctypes.c_uint64)
        self._event = CreateEvent(None, False, False, None)

    @property
    def completed(self) -> int:
        """Last value that the device has reached."""
        return int(self._completed())

    def block(self, value: int) -> None:
        """Block until a value is reached. Raises DeviceLostError."""
        while not self.comes(value, ALIVE_CHECK_MS):
            pass

    def comes(self, value: int, within_ms: int) -> bool:
        """Block until a value or timeout; return whether it came."""
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
            waited = WaitForSingleObject(self._event, left_ms)  # may also be ended by an earlier wait that was given up
            if waited not in (0, WAIT_TIMEOUT):
                raise DeviceError(f"waiting for {self.label}: Windows says {waited:#x}")

    def close(self) -> None:
        if self._event:
            CloseHandle(self._event)
            self._event = None
        self._fence.close()


class OutsideFence(Fence):
    """Fence of another program. ready: value to wait for."""

    def __init__(self, native: Native, owned: Owned, label: str, ready: int) -> None:
        super().__init__(native, owned, label)
        self.ready = ready

    def let_pass(self) -> None:
        """Block until the other program signals, or signal in its place after PATIENCE_MS."""
        with suppress(DeviceLostError):
            if not self.comes(self.ready, PATIENCE_MS):
                self.native.check(self.fence_com.Signal(self.ready), "ID3D12Fence::Signal", self.label)


class Queue(Fence):
    """Command queue of one type, with lists submitted together."""

    def __init__(self, native: Native, kind: int, label: str, *, no_timeout: bool = False) -> None:
        self.kind = kind
        description = D.D3D12_COMMAND_QUEUE_DESC()
        description.Type = kind
        if no_timeout:  # slow GPUs may need seconds for a network; Windows resets them after two
            description.Flags = D.D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT
        self._queue = native.make("CreateCommandQueue", D.ID3D12CommandQueue, label, ctypes.byref(description))
        try:
            fence = native.make("CreateFence", D.ID3D12Fence, f"{label} fence", 0, D.D3D12_FENCE_FLAG_NONE)
        except DeviceError:
            self._queue.close()
            raise
        super().__init__(native, fence, label)
        self._value = 0
        self._lists: list[int] = []  # not submitted yet
        self.com = com = self._queue.com
        self._execute = Method(com, "ExecuteCommandLists", None, ctypes.c_uint32, ctypes.c_void_p)
        self._signal = Method(com, "Signal", ctypes.c_long, ctypes.c_void_p, ctypes.c_uint64)
        self._wait = Method(com, "Wait", ctypes.c_long, ctypes.c_void_p, ctypes.c_uint64)

    def execute(self, *lists: CommandList) -> None:
        """Queue lists until the next signal, wait or `submit`."""
        self._lists += [commands.address for commands in lists]

    def submit(self) -> None:
        """Submit the queued lists."""
        if self._lists:
            lists, self._lists = self._lists, []
            self._execute(len(lists), (ctypes.c_void_p * len(lists))(*lists))

    def signal(self) -> FencePoint:
        """Signal the fence and return the point."""
        self._value += 1
        self.reach(FencePoint(self, self._value))
        return FencePoint(self, self._value)

    def reach(self, point: FencePoint) -> None:
        """Signal another fence after queued work."""
        self.submit()
        call = self._signal(point.fence.fence_com.value, point.value)
        self.native.check(call, "ID3D12CommandQueue::Signal", self.label)

    def wait_for(self, point: FencePoint) -> None:
        """Make the queue wait for a point."""
        self.submit()
        call = self._wait(point.fence.fence_com.value, point.value)
        self.native.check(call, "ID3D12CommandQueue::Wait", self.label)

    def idle(self) -> None:
        """Block until lists are done, or the device lost."""
        try:
            self.signal().block()
        except DeviceError:
            return  # nothing runs on a removed device

    def close(self) -> None:
        """Release the queue and its fence."""
        super().close()
        self._queue.close()
