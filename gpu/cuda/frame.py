"""Frames in the memory of a CUDA device."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.native import PLANE_ALIGNMENT, DeviceMemory, Event, PinnedMemory, Stream
from framebrush.gpu.cuda.planes import PlaneLayout
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, PlaneOrder


class CudaFrame(DeviceFrame):
    """Frame in CUDA memory. ready: event. owner: kept until `release`."""

    def __init__(
        self,
        context: Context,
        picture: FrameFormat,
        pointers: tuple[int, ...],
        pitches: tuple[int, ...],
        owner: object,
        written_on: Stream,
    ) -> None:
        """Wrap planes. written_on: stream of the work that writes them."""
        super().__init__(picture, context, pointers, pitches)
        self._context = context
        self._owner: object = owner
        with ExitStack() as on_failure:
            self.ready = on_failure.enter_context(closing(Event(context.native, "frame")))
            written_on.record(self.ready)
            on_failure.pop_all()
        context.frames.add(self)

    def download(self, into: Frame) -> None:
        context, layout = self._context, PlaneLayout(self.format)
        context.native.use()
        with ExitStack() as stack:
            keep = stack.enter_context
            memory = keep(closing(DeviceMemory(context.native, layout.size_bytes, "frame download")))
            pinned = keep(closing(PinnedMemory(context.native, layout.size_bytes, "frame readback")))
            context.down.wait_for(self.ready)
            rows = zip(
                layout.pointers(memory.pointer), self.pointers, self.pitches, layout.row_bytes, layout.rows, strict=True
            )
            for to, source, pitch, row_bytes, count in rows:
                context.down.copy_rows(to, row_bytes, source, pitch, row_bytes, count)
            context.down.download(pinned, 0, memory.pointer, layout.size_bytes)
            context.down.block()
            views = layout.views(pinned.mapped)
            for plane, view in zip(into.planes, views, strict=True):
                np.copyto(plane, view)
            del views

    def release(self) -> None:
        if self in self._context.frames:
            self._context.frames.discard(self)
            owner, self._owner = self._owner, None
            if isinstance(owner, DeviceMemory):
                owner.close()
            self.ready.close()

    def __del__(self) -> None:
        self.release()  # for prefetched frames that were never submitted


def allocate(context: Context, picture: FrameFormat, *, packed: bool = False) -> CudaFrame:
    """Allocate a frame of undefined content.

    packed: unpadded R, G, B. Otherwise NVENC's layout: chroma after a whole number of luma rows.
    """
    layout = PlaneLayout(picture)
    alignment = 1 if packed else PLANE_ALIGNMENT
    pitch = -(-max(layout.row_bytes) // alignment) * alignment
    begins = [sum(layout.rows[:index]) * pitch for index in range(len(layout.rows))]
    if packed and picture.layout is PlaneOrder.GBR:
        begins = [begins[1], begins[2], begins[0]]
    context.native.use()
    with ExitStack() as on_failure:
        memory = on_failure.enter_context(
            closing(DeviceMemory(context.native, sum(layout.rows) * pitch, "frame of an encoder"))
        )
        pointers = tuple(memory.pointer + begin for begin in begins)
        made = CudaFrame(context, picture, pointers, (pitch,) * len(pointers), memory, context.compute)
        on_failure.pop_all()
    return made


def upload(context: Context, frame: Frame) -> CudaFrame:
    """Upload a frame to new memory."""
    layout = PlaneLayout(frame.format)
    context.native.use()
    with ExitStack() as on_failure:
        memory = on_failure.enter_context(closing(DeviceMemory(context.native, layout.size_bytes, "frame")))
        with closing(PinnedMemory(context.native, layout.size_bytes, "frame upload")) as pinned:
            for view, plane in zip(layout.views(pinned.mapped), frame.planes, strict=True):
                np.copyto(view, plane)
            context.up.upload(memory.pointer, pinned, 0, layout.size_bytes)
            context.up.block()
        made = CudaFrame(context, frame.format, layout.pointers(memory.pointer), layout.row_bytes, memory, context.up)
        on_failure.pop_all()
    return made
