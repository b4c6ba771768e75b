"""FFmpeg filter chains."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import TypeVar

import av
from av.audio.format import AudioFormat
from av.audio.frame import AudioFrame
from av.audio.layout import AudioLayout
from av.filter import Graph
from av.video.format import VideoFormat
from av.video.frame import VideoFrame

Filter = tuple[str, dict[str, str]]
"""FFmpeg's name and options."""

AnyFrame = TypeVar("AnyFrame", VideoFrame, AudioFrame)


def swscale_threads(pixel_format: VideoFormat) -> int:
    """Return swscale's threads, 0 for all; several crash on single Bayer rows."""
    return int(pixel_format.is_bayer)


def picture_filters(like: VideoFrame, time_base: Fraction, *filters: Filter, threads: int | None = None) -> Graph:
    """Build a filter chain for frames. Raises FFmpegError, ValueError."""
    graph = Graph()
    graph.threads = swscale_threads(like.format) if threads is None else threads
    nodes = [graph.add_buffer(width=like.width, height=like.height, format=like.format, time_base=time_base)]
    nodes += [graph.add(name, **options) for name, options in (*filters, ("buffersink", {}))]
    graph.link_nodes(*nodes).configure()
    return graph


def sound_filter(rate: int, form: AudioFormat, layout: AudioLayout, time_base: Fraction | None, one: Filter) -> Graph:
    """Build a sound filter. Raises FFmpegError, ValueError."""
    graph = Graph()
    graph.threads = 1  # more would delay each seek, with Python's lock held
    source = graph.add_abuffer(sample_rate=rate, format=form.name, layout=layout.name, time_base=time_base)
    name, options = one
    graph.link_nodes(source, graph.add(name, **options), graph.add("abuffersink")).configure()
    return graph


def through(graph: Graph, frame: AnyFrame | None) -> Iterator[AnyFrame]:
    """Yield filtered frames; None drains. Raises FFmpegError."""
    graph.push(frame)
    with suppress(av.error.BlockingIOError, av.error.EOFError):
        while True:
            yield graph.pull()  # type: ignore[misc]  # PyAV types what is pulled loosely: frames are of one kind
