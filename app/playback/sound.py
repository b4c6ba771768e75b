"""Plays a file's audio on the default output, and corrects the clock with it.

PyAV decodes; FFmpeg's filters resample, change the speed while preserving the pitch, and fill gaps; PortAudio plays.
Without an audio stream, PortAudio or an output device there is no `Sound`, and the clock runs freely.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import av
import av.filter
import numpy as np
import numpy.typing as npt
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream

from framebrush.base.text import printable
from framebrush.media.reading.open import open_media, packets
from framebrush.media.video import InputError
from framebrush.playback.clock import Clock

RATE = 48_000
CHANNELS = 2
QUEUED_BLOCKS = 24  # of about 1,000 samples each: half a second

Samples = npt.NDArray[np.float32]
"""(samples, CHANNELS), -1..1."""


class NoOutputError(Exception):
    """There is audio, and nothing to play it on."""


def open_sound(path: Path, origin_s: float, clock: Clock, track: int = 0) -> Sound | None:
    """Open the audio of a file; None if there is none. Raises NoOutputError.

    origin_s: the file's timestamp of the first shown picture. track: the index of the stream among the audio streams.
    """
    try:
        with open_media(path) as container:
            if track >= len(container.streams.audio):
                return None
            tracks = tuple(map(_track_name, container.streams.audio))
    except InputError:
        return None
    try:
        import sounddevice

        sounddevice.check_output_settings(channels=CHANNELS, samplerate=RATE, dtype="float32")
    except Exception as error:  # no library, no device, a busy device: PortAudio's errors are of many kinds
        raise NoOutputError from error
    return Sound(path, origin_s, clock, track, tracks)


def _track_name(stream: AudioStream) -> str:
    """A track's description in the file, such as "deu, Kommentar", or else its codec."""
    told = [stream.metadata.get(key, "") for key in ("language", "title")]
    return printable(", ".join(text for text in told if text and text != "und") or stream.codec_context.name)[:80]


def tempo_steps(speed: float) -> list[float]:
    """Factors for atempo whose product is the speed, each within the range of 0.5 to 2 in which it sounds best."""
    count = max(1, math.ceil(abs(math.log2(speed)) - 1e-9))
    return [speed ** (1 / count)] * count


def decode(path: Path, at_s: float, speed: float, track: int = 0) -> Iterator[Samples]:
    """Decode the audio from a timestamp of the file on, at a speed, without gaps, until the file ends.

    There is silence before the first sample. Damaged packets are skipped. Raises InputError.
    """
    with open_media(path) as container:
        stream = container.streams.audio[track]
        with suppress(av.error.FFmpegError):
            container.seek(int(max(0.0, at_s - 0.2) * av.time_base))
        chain: tuple[av.filter.Graph, Any, Any] | None = None
        skip = 0
        for frame in _frames(container, stream):
            begin_s = frame.time
            if chain is None:
                if begin_s is not None and begin_s + frame.samples / frame.sample_rate <= at_s:
                    continue
                ahead = 0 if begin_s is None else round((begin_s - at_s) / speed * RATE)
                skip = max(0, -ahead)
                for begin in range(0, ahead, RATE):
                    yield np.zeros((min(RATE, ahead - begin), CHANNELS), np.float32)
                chain = _chain(frame, speed)
            frame.pts = None  # the chain counts samples
            chain[1].push(frame)
            for block in _pull(chain[2]):
                yield block[skip:]
                skip = max(0, skip - len(block))
        if chain is not None:
            chain[1].push(None)
            for block in _pull(chain[2]):
                yield block[skip:]
                skip = max(0, skip - len(block))


def _frames(container: av.container.InputContainer, stream: AudioStream) -> Iterator[AudioFrame]:
    for packet in packets(container, [stream]):
        try:
            yield from stream.codec_context.decode(packet)
        except av.error.FFmpegError:
            continue


def _chain(frame: AudioFrame, speed: float) -> tuple[av.filter.Graph, Any, Any]:
    graph = av.filter.Graph()
    graph.threads = 1  # or each seek waits for new ones, and keeps Python's lock meanwhile
    source = graph.add_abuffer(
        sample_rate=frame.sample_rate, format=frame.format.name, layout=frame.layout.name, time_base=frame.time_base
    )
    last = source
    filters = [] if speed == 1.0 else [("atempo", f"{step:.6f}") for step in tempo_steps(speed)]
    filters.append(("aformat", f"sample_fmts=flt:sample_rates={RATE}:channel_layouts=stereo"))
    for name, arguments in filters:
        following = graph.add(name, arguments)
        last.link_to(following)
        last = following
    sink = graph.add("abuffersink")
    last.link_to(sink)
    graph.configure()
    return graph, source, sink


def _pull(sink: Any) -> Iterator[Samples]:  # noqa: ANN401 - PyAV types filters loosely
    while True:
        try:
            frame = sink.pull()
        except (av.error.BlockingIOError, av.error.EOFError):
            return
        yield frame.to_ndarray().reshape(-1, CHANNELS)


class Sound:
    """Plays from any position at any speed, and corrects the clock with what is heard.

    `fill` runs in PortAudio's thread, the rest in the player's.
    """

    def __init__(self, path: Path, origin_s: float, clock: Clock, track: int = 0, tracks: tuple[str, ...] = ()) -> None:
        """track: the selected one. tracks: the names of all."""
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
        with suppress(av.error.FFmpegError, InputError, ValueError):  # a damaged track just falls silent
            from_s = self._origin_s + self._at_s - self.delay_s
            for block in decode(self._path, from_s, self._speed, self.track):
                while not stop.is_set():
                    with suppress(queue.Full):
                        blocks.put(block, timeout=0.1)
                        break
                if stop.is_set():
                    return
