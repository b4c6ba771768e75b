"""Page locks on frames that callers reuse, for direct GPU writes."""

from __future__ import annotations

from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

from framebrush.gpu.cuda.native import Native, PageLock
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame

HostRows = tuple[tuple[int, int], ...]
"""Address and bytes between rows, for each plane."""


@dataclass(frozen=True, slots=True)
class _Known:
    frame: Frame  # keeps the locked memory alive
    rows: HostRows | None


class PageLocks:
    """Page locks from frames' second use until `close`."""

    def __init__(self, native: Native) -> None:
        self._native = native
        self._stack = ExitStack()
        self._seen: WeakValueDictionary[int, Frame] = WeakValueDictionary()
        self._known: dict[int, _Known] = {}

    def rows(self, frame: Frame) -> HostRows | None:
        """Return a locked frame's planes, else None."""
        key = id(frame)
        known = self._known.get(key)
        if known is None:
            if self._seen.get(key) is not frame:
                self._seen[key] = frame
                return None
            known = self._known[key] = _Known(frame, self._locked(frame))
        return known.rows

    def _locked(self, frame: Frame) -> HostRows | None:
        if not all(plane[0].flags.c_contiguous and plane.strides[0] > 0 for plane in frame.planes):
            return None
        rows = tuple((plane.ctypes.data, plane.strides[0]) for plane in frame.planes)
        with suppress(DeviceError), ExitStack() as stack:  # over the system's limit, or locked by another stylizer
            for (pointer, pitch), plane in zip(rows, frame.planes, strict=True):
                size_bytes = pitch * (len(plane) - 1) + plane[0].nbytes
                stack.enter_context(closing(PageLock(self._native, pointer, size_bytes, "frame of the caller")))
            self._stack.push(stack.pop_all())
            return rows
        return None

    def close(self) -> None:
        self._stack.close()
        self._known.clear()
        self._seen.clear()
