"""Frames whose planes are textures of a Direct3D 12 device."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.queue import FencePoint
from framebrush.gpu.d3d12.resources import Buffer, PlaneTextures
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat


class D3D12Frame(DeviceFrame):
    """See `framebrush.gpu.frame.DeviceFrame`. planes: in state COMMON. ready: when they may be read, and, once they are
    read, until when that lasts."""

    def __init__(self, context: Context, picture: FrameFormat, planes: PlaneTextures, ready: FencePoint) -> None:
        super().__init__(picture, context)
        self._context, self.planes, self.ready = context, planes, ready
        context.frames.append(self)

    def download(self, into: Frame) -> None:
        """See DeviceFrame."""
        native, copy = self._context.native, self._context.copy
        with ExitStack() as stack:
            heap = D.D3D12_HEAP_TYPE_READBACK
            memory = stack.enter_context(closing(Buffer(native, self.planes.size_bytes, "frame readback", heap=heap)))
            recorder = Recorder(native, D.D3D12_COMMAND_LIST_TYPE_COPY, "frame download")
            stack.enter_context(closing(recorder))
            recorder.begin("download").download(self.planes, memory)
            copy.wait_for(self.ready)
            copy.execute(recorder.end())
            self.ready = copy.signal()
            self.ready.block()
            for plane, mapped in zip(into.planes, self.planes.views(memory.mapped), strict=True):
                np.copyto(plane, mapped)

    def release(self) -> None:
        """See DeviceFrame."""
        if self in self._context.frames:
            self._context.frames.remove(self)
            memory = ExitStack()
            memory.callback(self.planes.close)
            self._context.retire(self.ready, memory)


def upload(context: Context, frame: Frame) -> D3D12Frame:
    """A frame in textures of its own. The memory that it is uploaded from goes when the copy is done."""
    native, copy = context.native, context.copy
    planes = PlaneTextures(native, frame.format.plane_shapes, frame.format.dtype, "frame")
    with ExitStack() as on_failure, ExitStack() as stack:
        on_failure.callback(planes.close)
        heap = D.D3D12_HEAP_TYPE_UPLOAD
        memory = stack.enter_context(closing(Buffer(native, planes.size_bytes, "frame upload", heap=heap)))
        for view, plane in zip(planes.views(memory.mapped), frame.planes, strict=True):
            np.copyto(view, plane)
        recorder = stack.enter_context(closing(Recorder(native, D.D3D12_COMMAND_LIST_TYPE_COPY, "frame upload")))
        recorder.begin("upload").upload(memory, planes)
        copy.execute(recorder.end())
        ready = copy.signal()
        native.check_removed("upload")
        context.retire(ready, stack.pop_all())
        on_failure.pop_all()
    return D3D12Frame(context, frame.format, planes, ready)
