"""Frames in textures of Direct3D 12."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import ExitStack, closing

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.fenced_queue import CommandList, FencePoint
from framebrush.gpu.d3d12.resources import Buffer, PlaneTextures
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat


class D3D12Frame(DeviceFrame):
    """Frame in textures. ready: fence point of writes, then of reads."""

    def __init__(self, context: Context, picture: FrameFormat, ready: FencePoint) -> None:
        super().__init__(picture, context)
        self._context, self.ready = context, ready
        context.frames.append(self)

    @abstractmethod
    def record_copy(self, recorder: Recorder, target: PlaneTextures) -> None:
        """Record the copy of planes to textures."""

    def read(self, commands: CommandList) -> FencePoint:
        """Execute the recorded copy after `ready`; return its end."""
        copy = self._context.copy
        copy.wait_for(self.ready)
        copy.execute(commands)
        self.ready = copy.signal()
        return self.ready

    def download(self, into: Frame) -> None:
        native = self._context.native
        with ExitStack() as stack:
            keep = stack.enter_context
            planes = PlaneTextures(native, self.format, "frame download")
            keep(closing(planes))
            heap = D.D3D12_HEAP_TYPE_READBACK
            memory = keep(closing(Buffer(native, planes.size_bytes, "frame readback", heap=heap)))
            recorder = keep(closing(Recorder(native, D.D3D12_COMMAND_LIST_TYPE_COPY, "frame download")))
            self.record_copy(recorder.begin("download"), planes)
            recorder.download(planes, memory)
            self.read(recorder.end()).block()
            for plane, mapped in zip(into.planes, planes.views(memory.mapped), strict=True):
                np.copyto(plane, mapped)


class UploadedFrame(D3D12Frame):
    """Frame in our own textures, in state COMMON."""

    def __init__(self, context: Context, picture: FrameFormat, planes: PlaneTextures, ready: FencePoint) -> None:
        super().__init__(context, picture, ready)
        self._planes = planes

    def record_copy(self, recorder: Recorder, target: PlaneTextures) -> None:
        recorder.copy_planes(target, self._planes.textures)

    def release(self) -> None:
        if self in self._context.frames:
            self._context.frames.remove(self)
            memory = ExitStack()
            memory.callback(self._planes.close)
            self._context.retire(self.ready, memory)


def upload(context: Context, frame: Frame) -> UploadedFrame:
    """Upload a frame to new textures."""
    native, copy = context.native, context.copy
    planes = PlaneTextures(native, frame.format, "frame")
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
    return UploadedFrame(context, frame.format, planes, ready)
