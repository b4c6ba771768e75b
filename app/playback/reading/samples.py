"""The sound of a film as it is played: PyAV decodes; FFmpeg's filters resample, change the speed while preserving the
pitch, and fill gaps."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
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
from framebrush.media.reading.sound import SoundDecoder

RATE = 48_000
CHANNELS = 2

Samples = npt.NDArray[np.float32]
"""(samples, CHANNELS), -1..1."""


def track_names(path: Path) -> tuple[str, ...]:
    """The names of a file's audio tracks. Raises InputError."""
    with open_media(path) as container:
        return tuple(map(_track_name, container.streams.audio))


def _track_name(stream: AudioStream) -> str:
    """A track's description in the file, such as "deu, Kommentar", or else its codec."""
    told = [stream.metadata.get(key, "") for key in ("language", "title")]
    return printable(", ".join(text for text in told if text and text != "und") or stream.codec_context.name)[:80]


def tempo_steps(speed: float) -> list[float]:
    """Factors for atempo whose product is the speed, each within the range of 0.5 to 2 in which it sounds best."""
    count = max(1, math.ceil(abs(math.log2(speed)) - 1e-9))
    return [speed ** (1 / count)] * count


def decode(path: Path, at_s: float, speed: float, track: int = 0) -> Generator[Samples]:
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
    decoder = SoundDecoder(stream.codec_context)
    for packet in packets(container, [stream]):
        try:
            yield from decoder.decode(packet)
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
