"""Command queues with one fence each: GPU-side waits between queues, and waits of the CPU that sleep."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import win32more.Windows.Win32.Graphics.Direct3D12 as D
from win32more.Windows.Win32.Foundation import WAIT_TIMEOUT, CloseHandle
from win32more.Windows.Win32.System.Threading import CreateEvent, WaitForSingleObject

from framebrush.gpu.d3d12.native import Native
from framebrush.gpu.errors import DeviceError

ALIVE_CHECK_MS = 2000  # how often a wait checks whether the device is gone; some drivers never signal then


class CommandList(NamedTuple):
    """A closed list, ready to be executed any number of times. dispatches: how many kernels it runs."""

    array: Any
    dispatches: int


class FencePoint(NamedTuple):
    """A moment in the work of a queue: everything that was executed before it is finished once it is reached."""

    queue: Queue
    value: int

    @property
    def reached(self) -> bool:
        """Whether the device has passed it."""
        return self.queue.completed >= self.value

    def block(self) -> None:
        """Sleep until the device has passed it; Python threads run meanwhile. Raises DeviceLostError."""
        self.queue.block(self.value)


class Queue:
    """A command queue of one type, `kind`. `com` is what DirectML and swap chains are given."""

    def __init__(self, native: Native, kind: int, label: str, *, no_timeout: bool = False) -> None:
        self.native, self.label, self.kind = native, label, kind
        description = D.D3D12_COMMAND_QUEUE_DESC()
        description.Type = kind
        if no_timeout:  # a slow GPU may need seconds for one network; Windows would reset it after two
            description.Flags = D.D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT
        self._queue = native.make("CreateCommandQueue", D.ID3D12CommandQueue, label, ctypes.byref(description))
        self._fence = native.make("CreateFence", D.ID3D12Fence, f"{label} fence", 0, D.D3D12_FENCE_FLAG_NONE)
        self._event = CreateEvent(None, False, False, None)
        self._value = 0
        self.com, self._fence_com = self._queue.com, self._fence.com

    @property
    def completed(self) -> int:
        """The last value that the device has reached."""
        return int(self._fence_com.GetCompletedValue())

    def execute(self, *lists: CommandList) -> None:
        """Hand closed lists to the device, in order, in one submission."""
        if len(lists) == 1:
            self.com.ExecuteCommandLists(1, lists[0].array)
        else:
            together = (D.ID3D12CommandList * len(lists))(*(commands.array[0] for commands in lists))
            self.com.ExecuteCommandLists(len(lists), together)

    def signal(self) -> FencePoint:
        """Mark this moment."""
        self._value += 1
        self.native.check(self.com.Signal(self._fence_com, self._value), "ID3D12CommandQueue::Signal", self.label)
        return FencePoint(self, self._value)

    def wait_for(self, point: FencePoint) -> None:
        """Hold this queue on the GPU until another has reached a point; the CPU continues."""
        call = self.com.Wait(point.queue._fence_com, point.value)
        self.native.check(call, "ID3D12CommandQueue::Wait", self.label)

    def block(self, value: int) -> None:
        """Sleep until a value is reached. Raises DeviceLostError where it never will be."""
        self.native.check_removed("waiting for", self.label)
        if self.completed >= value:
            return
        call = self._fence_com.SetEventOnCompletion(value, self._event)
        self.native.check(call, "ID3D12Fence::SetEventOnCompletion", self.label)
        while waited := WaitForSingleObject(self._event, ALIVE_CHECK_MS):
            self.native.check_removed("waiting for", self.label)
            if waited != WAIT_TIMEOUT:
                raise DeviceError(f"waiting for {self.label}: Windows says {waited:#x}")
        self.native.check_removed("waiting for", self.label)  # removal completes every fence

    def idle(self) -> None:
        """Sleep until everything executed so far is finished; returns at once where the device is lost."""
        try:
            self.signal().block()
        except DeviceError:
            return  # nothing runs on a removed device

    def close(self) -> None:
        """Release the queue and its fence. Idempotent."""
        if self._event:
            CloseHandle(self._event)
            self._event = None
        self._fence.close()
        self._queue.close()
