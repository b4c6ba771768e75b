"""Frames in the memory of a WebGPU device."""

from __future__ import annotations

from contextlib import closing

import numpy as np

from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.context import Context
from framebrush.gpu.webgpu.native import Buffer, Readback
from framebrush.gpu.webgpu.planes import PlaneLayout


class WebGpuFrame(DeviceFrame):
    """Frame in WebGPU memory, in PlaneLayout's order."""

    def __init__(self, context: Context, picture: FrameFormat, memory: Buffer) -> None:
        super().__init__(picture, context)
        self._context, self.memory = context, memory
        context.frames.add(self)

    def download(self, into: Frame) -> None:
        native, layout = self._context.native, PlaneLayout(self.format)
        with closing(Readback(native, layout.size_bytes, "frame readback")) as readback:
            recorder = Recorder(native, "frame download")
            recorder.copy(readback.buffer, self.memory, layout.size_bytes)
            recorder.submit(readback)
            for plane, mapped in zip(into.planes, layout.views(readback.read()), strict=True):
                np.copyto(plane, mapped)
            readback.free()

    def release(self) -> None:
        if self in self._context.frames:
            self._context.frames.discard(self)
            self.memory.close()

    def __del__(self) -> None:
        self.release()  # for prefetched frames that were never submitted


def upload(context: Context, frame: Frame) -> WebGpuFrame:
    """Upload a frame to a new buffer."""
    layout = PlaneLayout(frame.format)
    memory = Buffer(context.native, layout.size_bytes, "frame")
    packed = np.zeros(layout.size_bytes, np.uint8)
    for view, plane in zip(layout.views(packed), frame.planes, strict=True):
        np.copyto(view, plane)
    memory.write(packed)
    return WebGpuFrame(context, frame.format, memory)
