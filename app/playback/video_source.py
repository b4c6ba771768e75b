"""Video for playback: decoded ahead, backwards from a cache."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from fractions import Fraction

from framebrush.base.prefetch import Prefetcher
from framebrush.media.live.live_sources import LiveSource
from framebrush.media.video import InputError, Position, VideoFrame, VideoInfo
from framebrush.playback.reading.decoded_cache import FrameCache
from framebrush.playback.reading.reading_process import FilmReader, ReadingProcess, open_film
from framebrush.playback.reading.reading_worker import DECODED_AHEAD

PREFETCH_DEPTH = 4  # frames in all, here and in the process that decodes
BACK = 24
"""How many frames are decoded for a step back that is not cached, so that the next steps back cost nothing."""


class VideoSource:
    """Open video with a decoding thread. Not thread-safe."""

    def __init__(self, source: str, *, cache: FrameCache | None = None, reading: ReadingProcess | None = None) -> None:
        """Open a source of `open_frame_source`. Raises InputError."""
        self.name = source
        self._source = open_film(source, reading)
        self._depth = PREFETCH_DEPTH
        if isinstance(self._source, FilmReader):
            self._depth -= DECODED_AHEAD  # the other process holds these
        self.live = self._source if isinstance(self._source, LiveSource) else None
        """The source if it is live: its frames are neither read ahead nor cached."""
        self._cache = FrameCache() if cache is None else cache
        self._prefetcher: Prefetcher[VideoFrame] | None = None
        self._next = 0  # number of the decoder's next frame
        self._last: int | None = None  # number of the last frame, once known
        self.decode_ms = 0.0

    @property
    def info(self) -> VideoInfo:
        return self._source.info

    @property
    def can_seek(self) -> bool:
        """Whether any frame is accessible."""
        return self._source.can_seek

    @property
    def warnings(self) -> list[str]:
        """Problems of the file so far."""
        return self._source.warnings

    @property
    def period_s(self) -> float:
        """Nominal duration of a frame."""
        return float(1 / self.info.usual_rate)

    def time_s(self, frame: VideoFrame) -> float:
        """Return a frame's time from the first."""
        return float(self.info.time_s(frame))

    def seek(self, position: Position) -> VideoFrame | None:
        """Return the frame at a position, if accessible."""
        number = int(position.value) if position.unit == "frame" else None
        cached = None if number is None else self._cache.get(number)
        return cached or (self._go_to(position) if self.can_seek else None)

    def on_screen_at(self, seconds: Fraction) -> VideoFrame | None:
        """Return a time's shown frame."""
        latest = seconds + Fraction(1, 2000)
        frame = self.seek(Position(latest, "s"))
        if frame is not None and self.info.time_s(frame) > latest:
            return self.back(frame.number) or frame
        return frame

    def forward(self, number: int) -> VideoFrame | None:
        """Return the next frame, None at the end; a live source's newest."""
        if self.live is not None:
            return next(self.live, None)
        cached = self._cache.get(number + 1)
        if cached is not None:
            return cached
        if self._next != number + 1 and self.can_seek:
            frame = self._go_to(Position.of_frame(number + 1))
        else:
            if self._prefetcher is None:
                self._prefetcher = Prefetcher(self._decoding(), depth=self._depth, name="decode")
            try:
                frame = self._took(next(self._prefetcher, None))
            except InputError:  # an error is not the end: the next call tries again, from a keyframe on
                self._stop()
                self._next = -1
                raise
        if frame is None or frame.number <= number:  # a seek beyond the end returns the last frame
            self._last = number
            return None
        return frame

    def back(self, number: int) -> VideoFrame | None:
        """Return the previous frame, if accessible."""
        before = self._cache.get(number - 1)
        if before is not None or number <= 0 or not self.can_seek:
            return before
        at = self._cache.get(number)
        count = min(BACK, max(1, self._cache.room_for(at) // 2)) if at is not None else BACK
        frame = self._go_to(Position.of_frame(max(0, number - count)))
        while frame is not None and frame.number < number:
            before, frame = frame, self.forward(frame.number)
        return before

    def before(self, number: int, count: int) -> Iterator[VideoFrame]:
        """Yield at most `count` earlier frames, in order."""
        frame = self.seek(Position.of_frame(max(0, number - count)))
        while frame is not None and frame.number < number:
            yield frame
            frame = self.forward(frame.number)

    def is_last(self, number: int) -> bool:
        """Return whether a frame is surely last."""
        return number == self._last

    @property
    def cached(self) -> int:
        """Number of cached frames."""
        return len(self._cache)

    def close(self) -> None:
        """Stop decoding and close the file."""
        with ExitStack() as stack:
            stack.callback(self._source.close)
            self._cache.clear()
            self._stop()

    def _go_to(self, position: Position) -> VideoFrame | None:
        self._stop()
        self._source.seek(position)
        return self._took(next(self._decoding(), None))

    def _stop(self) -> None:
        if self._prefetcher is not None:
            self._prefetcher.close()
            self._prefetcher = None

    def _took(self, frame: VideoFrame | None) -> VideoFrame | None:
        if frame is not None:
            self._cache.add(frame)
            self._next = frame.number + 1
        return frame

    def _decoding(self) -> Iterator[VideoFrame]:
        while True:
            begin = time.perf_counter()
            frame = next(self._source, None)
            if frame is None:
                return
            spent_ms = 1e3 * (time.perf_counter() - begin)
            self.decode_ms += 0.1 * (spent_ms - self.decode_ms)
            yield frame
