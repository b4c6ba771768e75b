"""Plays a file's audio on the default output, and corrects the clock with it.

`reading/samples.py` decodes, and PortAudio plays. Without an audio stream, PortAudio or an output device there is no
`Sound`, and the clock runs freely.
"""

from __future__ import annotations

import queue
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import av
import numpy as np

from framebrush.media.video import InputError
from framebrush.playback.clock import Clock
from framebrush.playback.reading.process import LostError, ReadingProcess, call, items
from framebrush.playback.reading.samples import CHANNELS, RATE, Samples, decode, track_names

QUEUED_BLOCKS = 24  # of about 1,000 samples each: half a second


class NoOutputError(Exception):
    """There is audio, and nothing to play it on."""


def open_sound(
    path: Path, origin_s: float, clock: Clock, track: int = 0, reading: ReadingProcess | None = None
) -> Sound | None:
    """Open the audio of a file; None if there is none. Raises NoOutputError.

    origin_s: the file's timestamp of the first shown picture. track: the index of the stream among the audio streams.
    reading: decodes it; without it, this process does.
    """
    try:
        tracks = call(reading, path, track_names, path)
    except InputError:
        return None
    if track >= len(tracks):
        return None
    try:
        import sounddevice

        sounddevice.check_output_settings(channels=CHANNELS, samplerate=RATE, dtype="float32")
    except Exception as error:  # no library, no device, a busy device: PortAudio's errors are of many kinds
        raise NoOutputError from error
    return Sound(path, origin_s, clock, track, tracks, reading)


class Sound:
    """Plays from any position at any speed, and corrects the clock with what is heard.

    `fill` runs in PortAudio's thread, the rest in the player's.
    """

    def __init__(
        self,
        path: Path,
        origin_s: float,
        clock: Clock,
        track: int = 0,
        tracks: tuple[str, ...] = (),
        reading: ReadingProcess | None = None,
    ) -> None:
        """track: the selected one. tracks: the names of all. reading: as for `open_sound`."""
        self._reading = reading
        self.track, self.tracks = track, tracks
        self.volume = 1.0
        self.delay_s = 0.0
        """The delay of the audio relative to the picture, in media time, from the next start on; negative if
        earlier."""
        self._path, self._origin_s, self._clock = path, origin_s, clock
        self._stream: Any = None
        self._feeder: threading.Thread | None = None
        self._stop = threading.Event()
        self._blocks: queue.Queue[Samples | None] = queue.Queue(QUEUED_BLOCKS)
        self._block: Samples = np.empty((0, CHANNELS), np.float32)
        self._at_s, self._speed, self._played = 0.0, 1.0, 0

    def start(self, at_s: float, speed: float) -> None:
        """Play from a media time on. A missing device is not an error: it stays silent."""
        self.stop()
        self._at_s, self._speed, self._played = at_s, speed, 0
        self._block = self._block[:0]
        self._blocks = queue.Queue(QUEUED_BLOCKS)
        self._stop = threading.Event()
        self._feeder = threading.Thread(target=self._feed, args=(self._stop, self._blocks), name="sound", daemon=True)
        self._feeder.start()
        with suppress(Exception):  # as in open_sound
            import sounddevice

            self._stream = sounddevice.OutputStream(
                samplerate=RATE, channels=CHANNELS, dtype="float32", latency="high", callback=self._callback
            )
            self._stream.start()

    def stop(self) -> None:
        """Stop at once. Idempotent."""
        if self._stream is not None:
            stream, self._stream = self._stream, None
            with suppress(Exception):  # a device that was unplugged
                stream.close()
        self._stop.set()
        if self._feeder is not None:
            with suppress(queue.Empty):
                while True:
                    self._blocks.get_nowait()
            self._feeder.join()
            self._feeder = None

    @property
    def queued(self) -> int:
        """The number of decoded blocks that are waiting to be played."""
        return self._blocks.qsize()

    def fill(self, out: Samples) -> float | None:
        """Fill a buffer with the next samples; returns the media time of the first one, None if there are none yet."""
        filled = 0
        begin_s = self._at_s + self._played / RATE * self._speed
        while filled < len(out):
            if not len(self._block):
                try:
                    block = self._blocks.get_nowait()
                except queue.Empty:
                    break
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

    def _callback(self, out: Samples, frames: int, times: Any, status: object) -> None:  # noqa: ANN401
        begin_s = self.fill(out)
        if begin_s is not None:
            self._clock.correct(begin_s, time.perf_counter() + times.outputBufferDacTime - times.currentTime)

    def _feed(self, stop: threading.Event, blocks: queue.Queue[Samples | None]) -> None:
        path, track = self._path, self.track
        from_s = self._origin_s + self._at_s - self.delay_s
        try:
            for block in items(self._reading, path, ("sound", track), decode, path, from_s, self._speed, track):
                while not stop.is_set():
                    with suppress(queue.Full):
                        blocks.put(block, timeout=0.1)
                        break
                if stop.is_set():
                    return
        except (av.error.FFmpegError, InputError, LostError, ValueError):
            return  # a damaged track just falls silent
