"""Playback of a file's sound, which corrects the clock."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import av
import numpy as np

from framebrush.base.prefetch import Prefetcher
from framebrush.media.video import InputError
from framebrush.playback.clock import Clock
from framebrush.playback.reading.reading_process import LostError, ReadingProcess, call, items
from framebrush.playback.reading.sound_samples import CHANNELS, RATE, Samples, decode, track_names

QUEUED_BLOCKS = 24  # of about 1,000 samples each: half a second


class NoOutputError(Exception):
    """Sound without an output device."""


def open_sound(path: Path, origin_s: float, clock: Clock, reading: ReadingProcess | None = None) -> Sound | None:
    """Open a file's sound, if any. Raises NoOutputError.

    origin_s: file time of the first shown picture.
    """
    try:
        tracks = call(reading, path, track_names, path)
    except InputError:
        return None
    if not tracks:
        return None
    try:
        import sounddevice

        sounddevice.check_output_settings(channels=CHANNELS, samplerate=RATE, dtype="float32")
    except Exception as error:  # no library, no device, a busy device: PortAudio's errors are of many kinds
        raise NoOutputError from error
    return Sound(path, origin_s, clock, tracks, reading)


class Sound:
    """Playback at any speed. `fill` runs in PortAudio's thread."""

    def __init__(
        self,
        path: Path,
        origin_s: float,
        clock: Clock,
        tracks: tuple[str, ...] = (),
        reading: ReadingProcess | None = None,
    ) -> None:
        self._reading = reading
        self.track, self.tracks = 0, tracks
        self.volume = 1.0
        self.delay_s = 0.0
        """The delay of the audio relative to the picture, in media time, from the next start on; negative if
        earlier."""
        self._path, self._origin_s, self._clock = path, origin_s, clock
        self._stream: Any = None
        self._blocks: Prefetcher[Samples] | None = None
        self._block: Samples = np.empty((0, CHANNELS), np.float32)
        self._at_s, self._speed, self._played = 0.0, 1.0, 0

    def start(self, at_s: float, speed: float) -> None:
        """Play from a media time, silent without device."""
        self.stop()
        self._at_s, self._speed, self._played = at_s, speed, 0
        self._block = self._block[:0]
        path, from_s = self._path, self._origin_s + at_s - self.delay_s
        blocks = items(self._reading, path, ("sound", self.track), decode, path, from_s, speed, self.track)
        self._blocks = Prefetcher(blocks, depth=QUEUED_BLOCKS, name="sound")
        with suppress(Exception):  # as in open_sound
            import sounddevice

            self._stream = sounddevice.OutputStream(
                samplerate=RATE, channels=CHANNELS, dtype="float32", latency="high", callback=self._callback
            )
            self._stream.start()

    def stop(self) -> None:
        """Stop at once."""
        if self._stream is not None:
            stream, self._stream = self._stream, None
            with suppress(Exception):  # a device that was unplugged
                stream.close()
        if self._blocks is not None:
            self._blocks.close()

    @property
    def queued(self) -> int:
        """Number of decoded blocks."""
        return 0 if self._blocks is None else self._blocks.ready

    def fill(self, out: Samples) -> float | None:
        """Fill a buffer; return its media time, if any."""
        filled = 0
        begin_s = self._at_s + self._played / RATE * self._speed
        while filled < len(out):
            if not len(self._block):
                block = self._next()
                if block is None:
                    break
                self._block = block
            count = min(len(out) - filled, len(self._block))
            np.multiply(self._block[:count], np.float32(self.volume), out=out[filled : filled + count])
            self._block = self._block[count:]
            filled += count
        out[filled:] = 0.0
        self._played += filled
        return begin_s if filled else None

    def _next(self) -> Samples | None:
        if self._blocks is not None and self._blocks.ready:
            with suppress(av.error.FFmpegError, InputError, LostError, ValueError):  # a damaged track falls silent
                return next(self._blocks, None)
        return None

    def _callback(self, out: Samples, frames: int, times: Any, status: object) -> None:  # noqa: ANN401
        begin_s = self.fill(out)
        if begin_s is not None:
            self._clock.correct(begin_s, time.perf_counter() + times.outputBufferDacTime - times.currentTime)
