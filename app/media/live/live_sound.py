"""Real-time sound, and its encoding."""

from __future__ import annotations

import math
import re
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import av
import av.filter
import numpy as np
import numpy.typing as npt
from av.audio.frame import AudioFrame
from av.audio.layout import AudioLayout
from av.container import OutputContainer
from av.packet import Packet
from av.stream import Stream

from framebrush.base.text import first_line, printable
from framebrush.media.streams.stream_conversion import SoundEncoder
from framebrush.media.video import InputError

KEPT_S = 10.0
"""Seconds after which unread sound is dropped."""

APART_S = 0.05
"""Largest drift between sample count and times before silence is added or samples are dropped."""

RATE = 48_000  # supported by Opus and AAC

Samples = npt.NDArray[np.float32]
"""(samples, channels), -1..1."""

SUFFIX = r"(?P<sound>\+(?:sine|microphone).*)?"
"""Suffix of a live source's text: see `sound_of`."""

_SINE = re.compile(r"(?:=frequency=(\d{1,5}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class SoundBlock:
    """Samples. begins_s: of the first, on `time.perf_counter`."""

    begins_s: float
    samples: Samples


class LiveSound(ABC):
    """Sound device. Unread sound is dropped after KEPT_S."""

    def __init__(self, name: str, channels: int, rate: int) -> None:
        self.name, self.channels, self.rate = name, channels, rate
        self.origin_s = time.perf_counter()
        """Time on `time.perf_counter` of 0 on the picture's clock."""
        self._lock = threading.Lock()
        self._blocks: deque[SoundBlock] = deque()

    def read(self) -> list[SoundBlock]:
        """Return new sound. Thread-safe."""
        with self._lock:
            blocks, self._blocks = list(self._blocks), deque()
        return blocks

    @abstractmethod
    def close(self) -> None:
        """Release the device; buffered sound remains readable."""

    def _put(self, block: SoundBlock) -> None:
        with self._lock:
            self._blocks.append(block)
            while block.begins_s - self._blocks[0].begins_s > KEPT_S:
                self._blocks.popleft()


class Sine(LiveSound):
    """Test tone in real time."""

    def __init__(self, options: str) -> None:
        """Start. options: such as "=frequency=440". Raises InputError."""
        match = _SINE.fullmatch(options)
        if match is None:
            raise InputError(f"sine{printable(options[:40])} is no test sound; write sine or sine=frequency=440")
        super().__init__("sine", 1, RATE)
        graph = av.filter.Graph()
        source = graph.add("sine", f"frequency={match[1] or 440}:beep_factor=4:sample_rate={RATE}")
        graph.link_nodes(source, graph.add("aformat", "sample_fmts=flt"), graph.add("abuffersink")).configure()
        self._graph = graph
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sine", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closed.set()

    def _run(self) -> None:
        begin_s, given = time.perf_counter(), 0
        while not self._closed.is_set():
            frame = cast(AudioFrame, self._graph.pull())
            at_s = begin_s + given / RATE
            given += frame.samples
            self._closed.wait(max(0.0, begin_s + given / RATE - time.perf_counter()))
            self._put(SoundBlock(at_s, cast(Samples, frame.to_ndarray()).reshape(-1, 1)))


class Microphone(LiveSound):
    """Microphone through PortAudio."""

    def __init__(self, which: str) -> None:
        """Open a microphone by number or name. Raises InputError."""
        try:
            import sounddevice
        except (ImportError, OSError) as error:
            raise InputError(
                f"a microphone needs PortAudio ({first_line(error)}); pip install 'framebrush[gui]'"
            ) from None
        device = int(which) if which.isdecimal() else which or None
        try:
            facts = sounddevice.query_devices(device, "input")
            channels, rate = min(2, int(facts["max_input_channels"])), round(facts["default_samplerate"])
            super().__init__(str(facts["name"]), channels, rate)
            self._stream: Any = sounddevice.InputStream(
                samplerate=rate, device=device, channels=channels, dtype="float32", callback=self._callback
            )
            self._stream.start()
        except (sounddevice.PortAudioError, ValueError) as error:
            name = f"the microphone {printable(which)!r}" if which else "the microphone"
            raise InputError(
                f"{name} cannot be opened ({first_line(error)}); check that it is plugged in and that the system "
                "allows its use"
            ) from None

    def close(self) -> None:
        with self._lock:
            stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def _callback(self, samples: Samples, frames: int, times: Any, status: Any) -> None:  # noqa: ANN401
        begins_s = time.perf_counter() + times.inputBufferAdcTime - times.currentTime
        self._put(SoundBlock(begins_s, samples.copy()))


def sound_of(suffix: str | None) -> Callable[[], LiveSound] | None:
    """Return an opener of a live source's sound, which may raise InputError.

    suffix: "+sine", "+sine=frequency=440", "+microphone:WHICH"; None is silent.
    """
    if not suffix:
        return None
    if suffix.startswith("+sine"):
        return lambda: Sine(suffix.removeprefix("+sine"))
    return lambda: Microphone(suffix.removeprefix("+microphone").removeprefix(":"))


class SoundTrack:
    """Encoder of live sound on the picture's clock, correcting drift above APART_S."""

    active = True

    def __init__(self, sound: LiveSound, encoder: str, zero_s: Fraction) -> None:
        """Prepare. zero_s: picture time that becomes 0."""
        self._sound, self._name, self._zero_s = sound, encoder, sound.origin_s + float(zero_s)
        self._waiting: deque[SoundBlock] = deque()
        self._count = 0  # samples so far
        self._filled = self._left_out = 0
        self._catching_up = False

    def add_streams(self, out: OutputContainer) -> None:
        self._layout = "stereo" if self._sound.channels == 2 else "mono"
        self._encoder = SoundEncoder(out, self._name, RATE, AudioLayout(self._layout))

    def until(self, time: Fraction, end: Fraction | None) -> Iterator[Packet[Stream]]:
        """Yield packets before a time."""
        yield from self._taken(float(time), None)

    def rest(self, end: Fraction | None) -> Iterator[Packet[Stream]]:
        """Yield packets up to the end; drain the encoder."""
        yield from self._taken(math.inf, None if end is None else round(end * self._sound.rate))
        yield from self._encoder.encoded([*self._encoder.resampled(None), None])

    @property
    def losses(self) -> list[str]:
        """Return a sentence if sound is missing or left out."""
        apart = self._filled + self._left_out
        return [f"sound: {apart / self._sound.rate:.2f} s are missing or left out"] if apart else []

    def _taken(self, before_s: float, limit: int | None) -> Iterator[Packet[Stream]]:
        self._waiting.extend(self._sound.read())
        while self._waiting and self._waiting[0].begins_s - self._zero_s < before_s:
            samples = self._placed(self._waiting.popleft())
            if limit is not None:
                samples = samples[: max(0, limit - self._count)]
            if len(samples):
                yield from self._encoded(samples)
            if limit is not None and self._count >= limit:
                return

    def _placed(self, block: SoundBlock) -> Samples:
        samples, rate = block.samples, self._sound.rate
        ahead = round((block.begins_s - self._zero_s) * rate) - self._count
        if self._count and abs(ahead) <= (0 if self._catching_up else APART_S * rate):
            return samples
        self._catching_up = -ahead > len(samples)  # by the following blocks
        if ahead < 0:
            if self._count:
                self._left_out += min(len(samples), -ahead)
            return samples[-ahead:]
        if self._count:
            self._filled += ahead
        return np.concatenate([np.zeros((ahead, samples.shape[1]), np.float32), samples])

    def _encoded(self, samples: Samples) -> Iterator[Packet[Stream]]:
        frame = AudioFrame.from_ndarray(samples.reshape(1, -1), format="flt", layout=self._layout)
        frame.sample_rate, frame.pts, frame.time_base = self._sound.rate, self._count, Fraction(1, self._sound.rate)
        self._count += len(samples)
        yield from self._encoder.encoded(self._encoder.resampled(frame))
