"""Cache of decoded frames, for stepping back."""

from __future__ import annotations

from collections import OrderedDict

from framebrush.gpu.frame import Frame
from framebrush.media.video import VideoFrame

CACHE_BYTES = 384 << 20
"""About 120 frames of 8-bit 1080p, or 30 of 4K."""


def size_bytes(frame: VideoFrame) -> int:
    """Return a frame's size in memory."""
    return sum(plane.nbytes for plane in frame.frame.planes) if isinstance(frame.frame, Frame) else 0


class FrameCache:
    """Frames by number; the least recently used leave above `limit_bytes`."""

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit = limit_bytes
        self._frames: OrderedDict[int, VideoFrame] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, frame: VideoFrame) -> None:
        """Cache a frame as the latest used."""
        self._drop(frame.number)
        self._frames[frame.number] = frame
        self._bytes += size_bytes(frame)
        while self._bytes > self._limit and len(self._frames) > 1:
            self._drop(next(iter(self._frames)))

    def get(self, number: int) -> VideoFrame | None:
        if number not in self._frames:
            return None
        self._frames.move_to_end(number)
        return self._frames[number]

    def room_for(self, frame: VideoFrame) -> int:
        """Return how many such frames fit, at least 1."""
        return max(1, self._limit // max(1, size_bytes(frame)))

    def clear(self) -> None:
        self._frames.clear()
        self._bytes = 0

    def _drop(self, number: int) -> None:
        frame = self._frames.pop(number, None)
        if frame is not None:
            self._bytes -= size_bytes(frame)
