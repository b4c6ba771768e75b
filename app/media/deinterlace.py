"""Interlaced frames made progressive, one out for one in, by FFmpeg's bwdif filter."""

from __future__ import annotations

from fractions import Fraction

import av
from av.filter import Graph
from av.video.frame import VideoFrame


class Deinterlacer:
    """Only frames that are flagged as interlaced are changed. Holds one frame back, as bwdif looks at the next."""

    def __init__(self, time_base: Fraction) -> None:
        self._time_base = time_base
        self._graph: Graph | None = None
        self._key: tuple[object, ...] = ()

    def push(self, frame: VideoFrame | None) -> list[VideoFrame]:
        """The frames that are ready, in order, with the timestamps that they came with. None: no more will come."""
        ready: list[VideoFrame] = []
        key = (frame.width, frame.height, frame.format.name) if frame else ()
        if key != self._key:
            ready += self._pull(None)
            self._key = key
            self._graph = self._build(frame) if frame else None
        if frame:
            ready += self._pull(frame)
        return ready

    def _build(self, frame: VideoFrame) -> Graph:
        graph = Graph()
        source = graph.add_buffer(
            width=frame.width, height=frame.height, format=frame.format, time_base=self._time_base
        )
        filtered = graph.add("bwdif", mode="send_frame", parity="auto", deint="interlaced")
        graph.link_nodes(source, filtered, graph.add("buffersink")).configure()
        return graph

    def _pull(self, frame: VideoFrame | None) -> list[VideoFrame]:
        if self._graph is None:
            return []
        ready: list[VideoFrame] = []
        self._graph.vpush(frame)
        while True:
            try:
                out = self._graph.vpull()
            except (av.error.BlockingIOError, av.error.EOFError):
                return ready
            scale = (out.time_base or self._time_base) / self._time_base  # bwdif halves the time base
            out.pts = None if out.pts is None else round(out.pts * scale)
            out.duration = round(out.duration * scale)
            out.time_base = self._time_base
            ready.append(out)
