"""Shared memory for decoded frames, without a file.

The decoding process writes, the window's reads, one frame a slot.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import weakref
from itertools import count

import numpy as np

from framebrush.gpu.frame import Frame, FrameFormat, Plane

ALIGNMENT = 64  # cache line, and widest SIMD vector
_numbers = count()


class SlotLayout:
    """Offsets of planes in a slot. counted_bytes: for `FrameCache`."""

    def __init__(self, form: FrameFormat) -> None:
        shapes = list(form.plane_shapes)
        if form.alpha:
            shapes.append((form.height, form.width))
        self._form, self._shapes = form, shapes
        self._offsets: list[int] = []
        self.size_bytes = self.counted_bytes = 0
        for index, shape in enumerate(shapes):
            self._offsets.append(self.size_bytes)
            size = int(np.prod(shape)) * np.dtype(form.dtype).itemsize
            self.size_bytes += -(-size // ALIGNMENT) * ALIGNMENT
            self.counted_bytes += size if index < len(form.plane_shapes) else 0

    def frame(self, buffer: mmap.mmap | ctypes.Array[ctypes.c_ubyte], begin: int = 0) -> Frame:
        """Return the frame at a buffer's offset."""
        planes: list[Plane] = [
            np.ndarray(shape, self._form.dtype, buffer, begin + offset)  # type: ignore[arg-type]
            for shape, offset in zip(self._shapes, self._offsets, strict=True)
        ]
        alpha = planes.pop() if self._form.alpha else None
        return Frame(self._form, tuple(planes), alpha)


class SharedFrames:
    """Slots, in their creator's process.

    name: for `open_shared`, until `shared` is called.
    """

    def __init__(self, layout: SlotLayout, slots: int) -> None:
        self._layout = layout
        self._free: list[int] = []  # a stack, so that few pages are ever written
        self._untouched = iter(range(slots))
        size = layout.size_bytes * slots
        if sys.platform == "win32":
            self.name = f"framebrush-{os.getpid()}-{next(_numbers)}"
            self._memory = mmap.mmap(-1, size, tagname=self.name)
        else:
            self._descriptor = os.memfd_create("framebrush")
            os.ftruncate(self._descriptor, size)
            self.name = f"/proc/{os.getpid()}/fd/{self._descriptor}"
            self._memory = mmap.mmap(self._descriptor, size)

    def shared(self) -> None:
        """Release the name, once the other process has the memory."""
        if sys.platform != "win32":
            os.close(self._descriptor)

    def reserve(self) -> int | None:
        """Reserve a free slot, if any."""
        return self._free.pop() if self._free else next(self._untouched, None)

    def give_back(self, slot: int) -> None:
        """Free a reserved slot."""
        self._free.append(slot)

    def frame(self, slot: int) -> Frame:
        """Return a slot's frame, read-only; its last reference frees the slot."""
        # NumPy views refer to this object, not to the views that they were made from.
        begin, size = slot * self._layout.size_bytes, self._layout.size_bytes
        buffer = (ctypes.c_ubyte * size).from_buffer(self._memory, begin)
        weakref.finalize(buffer, self._free.append, slot).atexit = False
        frame = self._layout.frame(buffer)
        for plane in (*frame.planes, *([] if frame.alpha is None else [frame.alpha])):
            plane.flags.writeable = False
        return frame


if sys.platform == "win32":

    def open_shared(name: str, size_bytes: int) -> mmap.mmap:
        """Open another process's memory by name."""
        return mmap.mmap(-1, size_bytes, tagname=name)

else:

    def open_shared(name: str, size_bytes: int) -> mmap.mmap:
        """Open another process's memory by name."""
        descriptor = os.open(name, os.O_RDWR)
        try:
            return mmap.mmap(descriptor, size_bytes)
        finally:
            os.close(descriptor)
