"""Sound for playback at any speed, without gaps."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import chain, groupby
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
from framebrush.media.reading.sound_decoding import SoundDecoder
from framebrush.media.video import InputError

RATE = 48_000
CHANNELS = 2

SETTLING_S = 0.2
"""Pre-roll in seconds: decoders are inaccurate after a seek. Opus needs 0.08 (RFC 7845, 4.6)."""

Samples = npt.NDArray[np.float32]
"""(samples, CHANNELS), -1..1."""


def track_names(path: Path) -> tuple[str, ...]:
    """Return a file's audio tracks. Raises InputError."""
    with open_media(path) as container:
        return tuple(map(_track_name, container.streams.audio))


def _track_name(stream: AudioStream) -> str:
    told = [stream.metadata.get(key, "") for key in ("language", "title")]
    return printable(", ".join(text for text in told if text and text != "und") or stream.codec_context.name)[:80]


def tempo_steps(speed: float) -> list[float]:
    """Split a speed into factors of 0.5 to 2."""
    count = max(1, math.ceil(abs(math.log2(speed)) - 1e-9))
    return [speed ** (1 / count)] * count


def decode(path: Path, at_s: float, speed: float, track: int = 0) -> Generator[Samples]:
    """Decode sound from a file time, without gaps. Raises InputError."""
    with open_media(path) as container:
        if track >= len(container.streams.audio):
            raise InputError(f"{path}: it has changed, and has no sound track {track + 1} any more; open it again")
        stream = container.streams.audio[track]
        with suppress(av.error.FFmpegError):
            container.seek(int(max(0.0, at_s - SETTLING_S) * av.time_base))
        frames = _frames(container, stream)
        first = next((frame for frame in frames if frame.time is None or _end_s(frame) > at_s), None)
        if first is None:
            return
        ahead = 0 if first.time is None else round((first.time - at_s) / speed * RATE)
        skip = max(0, -ahead)
        for begin in range(0, ahead, RATE):
            yield np.zeros((min(RATE, ahead - begin), CHANNELS), np.float32)
        for _, alike in groupby(chain([first], frames), _kind):
            for block in _converted(alike, speed):
                yield block[skip:]
                skip = max(0, skip - len(block))


def _frames(container: av.container.InputContainer, stream: AudioStream) -> Iterator[AudioFrame]:
    decoder = SoundDecoder(stream.codec_context)
    for packet in packets(container, [stream]):
        try:
            yield from decoder.decode(packet)
        except av.error.FFmpegError:
            continue


def _end_s(frame: AudioFrame) -> float:
    return (frame.time or 0.0) + frame.samples / frame.sample_rate


def _kind(frame: AudioFrame) -> tuple[int, str, str]:
    return frame.sample_rate, frame.format.name, frame.layout.name


def _converted(frames: Iterator[AudioFrame], speed: float) -> Iterator[Samples]:
    first = next(frames)
    graph = av.filter.Graph()
    graph.threads = 1  # otherwise each seek starts threads while holding Python's lock
    rate, form, layout = _kind(first)
    source = graph.add_abuffer(sample_rate=rate, format=form, layout=layout, time_base=first.time_base)
    filters = [] if speed == 1.0 else [graph.add("atempo", f"{step:.6f}") for step in tempo_steps(speed)]
    filters.append(graph.add("aformat", f"sample_fmts=flt:sample_rates={RATE}:channel_layouts=stereo"))
    sink = graph.add("abuffersink")
    graph.link_nodes(source, *filters, sink).configure()
    for frame in chain([first], frames):
        frame.pts = None  # the filters count samples
        source.push(frame)
        yield from _pull(sink)
    source.push(None)
    yield from _pull(sink)


def _pull(sink: Any) -> Iterator[Samples]:  # noqa: ANN401 - PyAV types filters loosely
    while True:
        try:
            frame = sink.pull()
        except (av.error.BlockingIOError, av.error.EOFError):
            return
        yield frame.to_ndarray().reshape(-1, CHANNELS)
